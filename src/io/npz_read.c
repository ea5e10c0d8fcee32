/* Reading .npz: the directory of the archive. No number of the file is believed before it was
 * compared with the file's size. */
#include "base/status.h"
#include "io/npz.h"

#include <string.h>

enum { MOST_COMMENT = 0xffff };
/* A deflate stream unpacks to at most 1032 times its size. */
enum { MOST_RATIO = 1032 };

typedef struct Directory {
    uint64_t offset, size, count;
    uint64_t limit; /* where the records behind it begin */
} Directory;

static mote_Status wrong(const Npz *npz, const char *what, mote_Error *error)
{
    return status_fail(error, MOTE_IO_FAILED, "%s: %s", file_label(npz->source.path), what);
}

/* ---- the end of the archive ---- */

/* The zip64 end record, when a locator stands before the end record at `end`. */
static mote_Status read_end64(const Npz *npz, uint64_t end, Directory *directory, mote_Error *error)
{
    unsigned char locator[ZIP_LOCATOR64_SIZE], record[ZIP_END64_SIZE];
    const char *broken = "damaged: the zip64 end of the central directory is missing";
    if (end < ZIP_LOCATOR64_SIZE + ZIP_END64_SIZE) return wrong(npz, broken, error);
    mote_Status status =
        source_read(&npz->source, end - ZIP_LOCATOR64_SIZE, locator, sizeof locator, error);
    if (status != MOTE_OK) return status;
    uint64_t at = zip_get(locator + 8, 8);
    bool there = zip_get(locator, 4) == ZIP_LOCATOR64 && zip_get(locator + 4, 4) == 0 &&
                 at <= end - ZIP_LOCATOR64_SIZE - ZIP_END64_SIZE;
    if (!there) return wrong(npz, broken, error);
    status = source_read(&npz->source, at, record, sizeof record, error);
    if (status != MOTE_OK) return status;
    if (zip_get(record, 4) != ZIP_END64 || zip_get(record + 24, 8) != zip_get(record + 32, 8))
        return wrong(npz, broken, error);
    *directory = (Directory){.count = zip_get(record + 32, 8),
                             .size = zip_get(record + 40, 8),
                             .offset = zip_get(record + 48, 8),
                             .limit = at};
    return MOTE_OK;
}

static mote_Status read_end(const Npz *npz, uint64_t at, const unsigned char *record,
                            Directory *directory, mote_Error *error)
{
    if (zip_get(record + 4, 4) != 0 || zip_get(record + 8, 2) != zip_get(record + 10, 2))
        return wrong(npz, "is one part of a zip archive in several parts", error);
    *directory = (Directory){.count = zip_get(record + 10, 2),
                             .size = zip_get(record + 12, 4),
                             .offset = zip_get(record + 16, 4),
                             .limit = at};
    bool wide = directory->count == 0xffff || directory->size == ZIP_ELSEWHERE ||
                directory->offset == ZIP_ELSEWHERE;
    return wide ? read_end64(npz, at, directory, error) : MOTE_OK;
}

/* The end record is the last one whose comment reaches exactly to the end of the file. */
static mote_Status find_end(const Npz *npz, Directory *directory, mote_Error *error)
{
    uint64_t size = npz->source.size;
    size_t tail = size < ZIP_END_SIZE + MOST_COMMENT ? (size_t)size : ZIP_END_SIZE + MOST_COMMENT;
    unsigned char *bytes = memory_take(npz->memory, tail + 1);
    if (bytes == NULL) return status_no_memory(error, "reading a file", tail);
    mote_Status status = source_read(&npz->source, size - tail, bytes, tail, error);
    bool found = false;
    for (size_t back = ZIP_END_SIZE; back <= tail && status == MOTE_OK && !found; ++back) {
        const unsigned char *record = bytes + tail - back;
        found = zip_get(record, 4) == ZIP_END && zip_get(record + 20, 2) == back - ZIP_END_SIZE;
        if (found) status = read_end(npz, size - back, record, directory, error);
    }
    memory_free(npz->memory, bytes, tail + 1);
    if (status != MOTE_OK || found) return status;
    return wrong(npz,
                 size == 0 ? "is empty, but must be an .npz file"
                           : "truncated, or no .npz file: the central directory is missing",
                 error);
}

/* ---- the directory ---- */

/* Replaces what the 32-bit fields leave open by the values of the zip64 field. */
static bool read_field64(const unsigned char *field, size_t size, NpzMember *member)
{
    uint64_t *const values[] = {&member->size, &member->stored, &member->header};
    for (int i = 0; i < 3; ++i) {
        if (*values[i] != ZIP_ELSEWHERE) continue;
        if (size < 8) return false;
        *values[i] = zip_get(field, 8);
        field += 8, size -= 8;
    }
    return true;
}

static bool read_extra(const unsigned char *extra, size_t size, NpzMember *member)
{
    while (size >= 4) {
        size_t length = (size_t)zip_get(extra + 2, 2);
        if (length > size - 4) return false;
        if (zip_get(extra, 2) == ZIP_FIELD64) return read_field64(extra + 4, length, member);
        extra += 4 + length, size -= 4 + length;
    }
    return member->size != ZIP_ELSEWHERE && member->stored != ZIP_ELSEWHERE &&
           member->header != ZIP_ELSEWHERE;
}

static const char *check_member(const NpzMember *member, uint64_t limit)
{
    if (member->flags & ZIP_FLAG_ENCRYPTED) return "is encrypted";
    if (member->method != ZIP_STORED && member->method != ZIP_DEFLATED)
        return "is packed in an unknown way; stored and deflated arrays can be read";
    if (member->header > limit || member->stored > limit - member->header)
        return "truncated: it lies beyond the end of the file";
    if (member->method == ZIP_STORED && member->size != member->stored)
        return "damaged: its two sizes differ";
    if (member->size / MOST_RATIO > member->stored) return "damaged: its size cannot be";
    return NULL;
}

/* One entry of the directory; returns its size, or 0 when it is damaged. */
static size_t parse_entry(const unsigned char *at, size_t left, NpzMember *member, char *name)
{
    if (left < ZIP_CENTRAL_SIZE || zip_get(at, 4) != ZIP_CENTRAL) return 0;
    size_t name_size = (size_t)zip_get(at + 28, 2), extra_size = (size_t)zip_get(at + 30, 2);
    size_t size = ZIP_CENTRAL_SIZE + name_size + extra_size + (size_t)zip_get(at + 32, 2);
    if (size > left || memchr(at + ZIP_CENTRAL_SIZE, 0, name_size) != NULL) return 0;
    *member = (NpzMember){.name = name,
                          .flags = (unsigned)zip_get(at + 8, 2),
                          .method = (unsigned)zip_get(at + 10, 2),
                          .crc = (uint32_t)zip_get(at + 16, 4),
                          .stored = zip_get(at + 20, 4),
                          .size = zip_get(at + 24, 4),
                          .header = zip_get(at + 42, 4)};
    memcpy(name, at + ZIP_CENTRAL_SIZE, name_size);
    name[name_size] = '\0';
    return read_extra(at + ZIP_CENTRAL_SIZE + name_size, extra_size, member) ? size : 0;
}

static mote_Status parse_directory(Npz *npz, const unsigned char *at, const Directory *directory,
                                   mote_Error *error)
{
    size_t left = (size_t)directory->size;
    char *name = npz->names;
    uint64_t total = 0;
    for (size_t i = 0; i < npz->count; ++i) {
        NpzMember *member = &npz->members[i];
        size_t size = parse_entry(at, left, member, name);
        if (size == 0) return wrong(npz, "damaged: the central directory is broken", error);
        const char *fault = check_member(member, directory->offset);
        if (fault != NULL)
            return status_fail(error, MOTE_IO_FAILED, "%s, member \"%.80s\": %s",
                               file_label(npz->source.path), name, fault);
        /* members that share bytes would let a small file unpack to anything */
        total += member->stored + ZIP_LOCAL_SIZE;
        npz->unpacked += member->size;
        if (total > directory->offset) return wrong(npz, "damaged: its members overlap", error);
        name += strlen(name) + 1;
        at += size, left -= size;
    }
    return left == 0 ? MOTE_OK : wrong(npz, "damaged: the central directory is broken", error);
}

static mote_Status read_directory(Npz *npz, const Directory *directory, mote_Error *error)
{
    bool fits = directory->offset <= directory->limit &&
                directory->size == directory->limit - directory->offset &&
                directory->count <= directory->size / ZIP_CENTRAL_SIZE;
    if (!fits) return wrong(npz, "damaged: the central directory is not where it must be", error);
    size_t size = (size_t)directory->size;
    npz->count = (size_t)directory->count;
    npz->names_size = size + 1; /* a name and its zero are shorter than its entry */
    npz->names = memory_take(npz->memory, npz->names_size);
    npz->members = memory_zeroed(npz->memory, npz->count * sizeof *npz->members);
    unsigned char *bytes = memory_take(npz->memory, size + 1);
    bool room = npz->names != NULL && bytes != NULL && (npz->count == 0 || npz->members != NULL);
    mote_Status status = room ? MOTE_OK : status_no_memory(error, "reading a file", 3 * size);
    if (status == MOTE_OK)
        status = source_read(&npz->source, directory->offset, bytes, size, error);
    if (status == MOTE_OK) status = parse_directory(npz, bytes, directory, error);
    memory_free(npz->memory, bytes, size + 1);
    return status;
}

mote_Status npz_open(Npz *npz, Source source, Memory *memory, mote_Error *error)
{
    Directory directory = {.offset = 0};
    *npz = (Npz){.memory = memory, .source = source};
    mote_Status status = find_end(npz, &directory, error);
    if (status == MOTE_OK) status = read_directory(npz, &directory, error);
    if (status != MOTE_OK) npz_close(npz);
    return status;
}

void npz_close(Npz *npz)
{
    memory_free(npz->memory, npz->members, npz->count * sizeof *npz->members);
    memory_free(npz->memory, npz->names, npz->names_size);
    source_close(&npz->source);
    npz->members = NULL, npz->names = NULL;
    npz->count = npz->names_size = 0;
}

const NpzMember *npz_find(const Npz *npz, const char *name)
{
    for (size_t i = 0; i < npz->count; ++i)
        if (strcmp(npz->members[i].name, name) == 0) return &npz->members[i];
    return NULL;
}

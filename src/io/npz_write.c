/* Writing .npz: every place in the file is known before the first byte is written, so pieces of
 * 1 MiB are summed and written in parallel, straight from the arrays; headers follow when the sums
 * are known. A member's check sum is combined from those of its pieces (zlib's crc32_combine). */
#include "base/status.h"
#include "io/npz.h"
#include "io/zip.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>
#include <zlib.h>

enum { ALIGNMENT = 64, PIECE = 1 << 20, FIELD_HEAD = 4, PADDING_LEAST = 6, DATE_1980 = 0x21 };

typedef struct Piece {
    const char *data;
    size_t size;
    uint64_t offset;
    uint32_t crc;
    int failure; /* errno */
} Piece;

/* Where a member lies: local header, .npy header, data. */
typedef struct Member {
    const NpzItem *item;
    char npy[NPY_HEADER_MOST];
    size_t npy_size, name_size, padding;
    uint64_t header, content, size;
    uint32_t crc;
    bool wide_sizes, wide_offset; /* zip64 */
} Member;

typedef struct Archive {
    OutFile file;
    const NpzOptions *options;
    Member *members;
    size_t member_count;
    Piece *pieces;
    size_t piece_count, piece_capacity;
    unsigned char *directory; /* headers are built here too */
    size_t directory_capacity;
    uint64_t end; /* of the last member */
    atomic_bool failed;
} Archive;

/* ---- places ---- */

static size_t plane_size(const mote_StateArray *array)
{
    return array->rows * mote_array_item_size(array->type);
}

static size_t stride_bytes(const mote_StateArray *array)
{
    size_t stride = array->stride > 0 ? array->stride : array->rows;
    return stride * mote_array_item_size(array->type);
}

static void set_content(Member *member)
{
    const NpzItem *item = member->item;
    member->name_size = strlen(item->array.name) + (item->text == NULL ? 4 : 0);
    member->size = item->text_size;
    if (item->text != NULL) return;
    const mote_StateArray *array = &item->array;
    NpyShape shape = {
        .type = array->type, .rows = array->rows, .planes = (size_t)array->components};
    member->npy_size = npy_header(&shape, member->npy);
    member->size = member->npy_size + (uint64_t)plane_size(array) * (uint64_t)array->components;
}

/* The local header at `offset`, with padding that puts its content on a multiple of 64 bytes. */
static uint64_t place(Member *member, uint64_t offset, bool force)
{
    member->wide_sizes = force || member->size >= ZIP_ELSEWHERE;
    member->wide_offset = force || offset >= ZIP_ELSEWHERE;
    uint64_t least =
        offset + ZIP_LOCAL_SIZE + member->name_size + (member->wide_sizes ? 20 : 0) + PADDING_LEAST;
    member->header = offset;
    member->content = (least + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    member->padding = PADDING_LEAST + (size_t)(member->content - least);
    return member->content + member->size;
}

static size_t pieces_of(size_t size)
{
    return (size + PIECE - 1) / PIECE;
}

static void add_pieces(Archive *archive, const char *data, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size; done += PIECE) {
        size_t left = size - done;
        assert(archive->piece_count < archive->piece_capacity);
        archive->pieces[archive->piece_count++] = (Piece){
            .data = data + done, .size = left < PIECE ? left : PIECE, .offset = offset + done};
    }
}

static void add_member_pieces(Archive *archive, const Member *member)
{
    const mote_StateArray *array = &member->item->array;
    if (member->item->text != NULL) {
        add_pieces(archive, member->item->text, member->item->text_size, member->content);
        return;
    }
    for (int c = 0; c < array->components && array->rows > 0; ++c)
        add_pieces(archive, (const char *)array->data + (size_t)c * stride_bytes(array),
                   plane_size(array),
                   member->content + member->npy_size + (uint64_t)c * plane_size(array));
}

static size_t member_piece_count(const NpzItem *item)
{
    if (item->text != NULL) return pieces_of(item->text_size);
    return pieces_of(plane_size(&item->array)) * (size_t)item->array.components;
}

/* ---- what may be written ---- */

static bool good_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > ZIP_MOST_NAME - 8 || name[0] == '/') return false;
    for (const char *c = name; *c != '\0'; ++c)
        if ((unsigned char)*c < 0x20 || *c == 0x7f || *c == '\\' || *c == ':') return false;
    return strstr(name, "..") == NULL;
}

static bool same_name(const NpzItem *a, const NpzItem *b)
{
    return (a->text == NULL) == (b->text == NULL) && strcmp(a->array.name, b->array.name) == 0;
}

static mote_Status check_item(const char *path, const NpzItem *items, size_t i, mote_Error *error)
{
    const mote_StateArray *array = &items[i].array;
    if (!good_name(array->name))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: \"%.80s\" cannot be the name of an array in a file; use letters, "
                           "digits, _ and -",
                           file_label(path), array->name);
    for (size_t k = 0; k < i; ++k)
        if (same_name(&items[i], &items[k]))
            return status_fail(error, MOTE_BAD_VALUE, "%s: two arrays are named \"%.80s\"",
                               file_label(path), array->name);
    assert(items[i].text != NULL || array->components >= 1);
    assert(items[i].text != NULL || array->stride == 0 || array->stride >= array->rows);
    return MOTE_OK;
}

/* ---- data ---- */

static void write_pieces(void *context, size_t begin, size_t end, int worker)
{
    Archive *archive = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        Piece *piece = &archive->pieces[i];
        if (atomic_load_explicit(&archive->failed, memory_order_relaxed)) return;
        piece->crc = (uint32_t)crc32_z(0, (const unsigned char *)piece->data, piece->size);
        piece->failure = file_put(archive->file.fd, piece->data, piece->size, piece->offset);
        if (piece->failure != 0) atomic_store(&archive->failed, true);
    }
}

static mote_Status write_data(Archive *archive, mote_Error *error)
{
    mote_parallel_for(archive->options->tasks, archive->piece_count, 1, write_pieces, archive);
    for (size_t i = 0; i < archive->piece_count; ++i)
        if (archive->pieces[i].failure != 0)
            return file_failed(archive->file.path, "write it", archive->pieces[i].failure, error);
    return MOTE_OK;
}

static void combine_sums(Archive *archive)
{
    const Piece *piece = archive->pieces;
    for (size_t m = 0; m < archive->member_count; ++m) {
        Member *member = &archive->members[m];
        uLong crc = crc32_z(0, (const unsigned char *)member->npy, member->npy_size);
        size_t count = member_piece_count(member->item);
        for (size_t i = 0; i < count; ++i, ++piece)
            crc = crc32_combine(crc, piece->crc, (z_off_t)piece->size);
        member->crc = (uint32_t)crc;
    }
}

/* ---- headers ---- */

/* From the needed version to the sizes: the part that both headers of a member share. */
static unsigned char *put_shared(unsigned char *at, const Member *member)
{
    bool plain = true;
    for (const char *c = member->item->array.name; *c != '\0'; ++c)
        plain = plain && (unsigned char)*c < 0x80;
    uint64_t size = member->wide_sizes ? ZIP_ELSEWHERE : member->size;
    at = zip_put(at, member->wide_sizes || member->wide_offset ? 45 : 20, 2);
    at = zip_put(at, plain ? 0 : ZIP_FLAG_UTF8, 2);
    at = zip_put(at, ZIP_STORED, 2);
    at = zip_put(at, 0, 2); /* midnight of a fixed day: same contents, same bytes */
    at = zip_put(at, DATE_1980, 2);
    at = zip_put(at, member->crc, 4);
    at = zip_put(at, size, 4);
    at = zip_put(at, size, 4);
    return zip_put(at, member->name_size, 2);
}

static unsigned char *put_name(unsigned char *at, const Member *member)
{
    size_t length = strlen(member->item->array.name);
    memcpy(at, member->item->array.name, length);
    memcpy(at + length, ".npy", member->name_size - length);
    return at + member->name_size;
}

static unsigned char *put_local(unsigned char *at, const Member *member)
{
    size_t wide = member->wide_sizes ? FIELD_HEAD + 16 : 0;
    at = zip_put(at, ZIP_LOCAL, 4);
    at = put_shared(at, member);
    at = zip_put(at, wide + member->padding, 2);
    at = put_name(at, member);
    if (member->wide_sizes) {
        at = zip_put(at, ZIP_FIELD64, 2);
        at = zip_put(at, 16, 2);
        at = zip_put(at, member->size, 8);
        at = zip_put(at, member->size, 8);
    }
    at = zip_put(at, ZIP_FIELD_PADDING, 2);
    at = zip_put(at, member->padding - FIELD_HEAD, 2);
    at = zip_put(at, ALIGNMENT, 2);
    memset(at, 0, member->padding - PADDING_LEAST);
    at += member->padding - PADDING_LEAST;
    memcpy(at, member->npy, member->npy_size);
    return at + member->npy_size;
}

static unsigned char *put_central(unsigned char *at, const Member *member)
{
    size_t wide = (member->wide_sizes ? 16u : 0u) + (member->wide_offset ? 8u : 0u);
    at = zip_put(at, ZIP_CENTRAL, 4);
    at = zip_put(at, 3 << 8 | 45, 2); /* made on Unix, by version 4.5 */
    at = put_shared(at, member);
    at = zip_put(at, wide > 0 ? FIELD_HEAD + wide : 0, 2);
    at = zip_put(at, 0, 2 + 2 + 2); /* comment, disk, internal attributes */
    at = zip_put(at, 0100644u << 16, 4);
    at = zip_put(at, member->wide_offset ? ZIP_ELSEWHERE : member->header, 4);
    at = put_name(at, member);
    if (wide == 0) return at;
    at = zip_put(at, ZIP_FIELD64, 2);
    at = zip_put(at, wide, 2);
    if (member->wide_sizes) {
        at = zip_put(at, member->size, 8);
        at = zip_put(at, member->size, 8);
    }
    return member->wide_offset ? zip_put(at, member->header, 8) : at;
}

static unsigned char *put_end64(unsigned char *at, const Archive *archive, uint64_t size)
{
    at = zip_put(at, ZIP_END64, 4);
    at = zip_put(at, ZIP_END64_SIZE - 12, 8);
    at = zip_put(at, 3 << 8 | 45, 2);
    at = zip_put(at, 45, 2);
    at = zip_put(at, 0, 8); /* disks */
    at = zip_put(at, archive->member_count, 8);
    at = zip_put(at, archive->member_count, 8);
    at = zip_put(at, size, 8);
    at = zip_put(at, archive->end, 8);
    at = zip_put(at, ZIP_LOCATOR64, 4);
    at = zip_put(at, 0, 4);
    at = zip_put(at, archive->end + size, 8);
    return zip_put(at, 1, 4);
}

static unsigned char *put_end(unsigned char *at, const Archive *archive, uint64_t size)
{
    bool wide = archive->options->force_zip64 || archive->member_count >= 0xffff ||
                size >= ZIP_ELSEWHERE || archive->end >= ZIP_ELSEWHERE;
    if (wide) at = put_end64(at, archive, size);
    at = zip_put(at, ZIP_END, 4);
    at = zip_put(at, 0, 4); /* disks */
    at = zip_put(at, wide ? 0xffff : archive->member_count, 2);
    at = zip_put(at, wide ? 0xffff : archive->member_count, 2);
    at = zip_put(at, wide ? ZIP_ELSEWHERE : size, 4);
    at = zip_put(at, wide ? ZIP_ELSEWHERE : archive->end, 4);
    return zip_put(at, 0, 2);
}

static mote_Status put_buffer(Archive *archive, const unsigned char *end, uint64_t offset,
                              mote_Error *error)
{
    int failure =
        file_put(archive->file.fd, archive->directory, (size_t)(end - archive->directory), offset);
    return failure == 0 ? MOTE_OK : file_failed(archive->file.path, "write it", failure, error);
}

static mote_Status write_headers(Archive *archive, mote_Error *error)
{
    unsigned char *buffer = archive->directory, *at = buffer;
    for (size_t m = 0; m < archive->member_count; ++m) {
        const Member *member = &archive->members[m];
        mote_Status status = put_buffer(archive, put_local(buffer, member), member->header, error);
        if (status != MOTE_OK) return status;
    }
    for (size_t m = 0; m < archive->member_count; ++m) at = put_central(at, &archive->members[m]);
    at = put_end(at, archive, (uint64_t)(at - buffer));
    return put_buffer(archive, at, archive->end, error);
}

/* ---- all of it ---- */

static mote_Status allocate(Archive *archive, const NpzItem *items, mote_Error *error)
{
    Memory *memory = archive->options->memory;
    size_t bytes = 1024;
    for (size_t i = 0; i < archive->member_count; ++i) {
        archive->piece_capacity += member_piece_count(&items[i]);
        bytes += strlen(items[i].array.name) + NPY_HEADER_MOST + 256;
    }
    archive->directory_capacity = bytes;
    size_t members = archive->member_count * sizeof *archive->members;
    size_t pieces = archive->piece_capacity * sizeof *archive->pieces;
    archive->members = memory_zeroed(memory, members);
    archive->pieces = memory_zeroed(memory, pieces);
    archive->directory = memory_zeroed(memory, bytes);
    bool done = (members == 0 || archive->members != NULL) &&
                (pieces == 0 || archive->pieces != NULL) && archive->directory != NULL;
    return done ? MOTE_OK : status_no_memory(error, "writing a file", members + pieces + bytes);
}

static void release(Archive *archive)
{
    Memory *memory = archive->options->memory;
    memory_free(memory, archive->members, archive->member_count * sizeof *archive->members);
    memory_free(memory, archive->pieces, archive->piece_capacity * sizeof *archive->pieces);
    memory_free(memory, archive->directory, archive->directory_capacity);
}

static void plan(Archive *archive, const NpzItem *items)
{
    for (size_t i = 0; i < archive->member_count; ++i) {
        Member *member = &archive->members[i];
        member->item = &items[i];
        set_content(member);
        archive->end = place(member, archive->end, archive->options->force_zip64);
        add_member_pieces(archive, member);
    }
}

static mote_Status write_file(Archive *archive, const char *path, mote_Error *error)
{
    mote_Status status = file_begin(&archive->file, path, error);
    if (status != MOTE_OK) return status;
    status = write_data(archive, error);
    if (status == MOTE_OK) {
        combine_sums(archive);
        status = write_headers(archive, error);
    }
    if (status == MOTE_OK) return file_commit(&archive->file, error);
    file_discard(&archive->file);
    return status;
}

mote_Status npz_write(const char *path, const NpzItem *items, size_t count,
                      const NpzOptions *options, mote_Error *error)
{
    Archive archive = {.options = options, .member_count = count};
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < count && status == MOTE_OK; ++i)
        status = check_item(path, items, i, error);
    if (status != MOTE_OK) return status;
    status = allocate(&archive, items, error);
    if (status == MOTE_OK) {
        plan(&archive, items);
        status = write_file(&archive, path, error);
    }
    release(&archive);
    return status;
}

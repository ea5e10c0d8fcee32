/* Writing .npz: every place in the file is known before the first byte is written, so pieces of
 * 1 MiB are summed and written in parallel, straight from the arrays; headers follow when the sums
 * are known. A member's check sum is combined from those of its pieces (zlib's crc32_combine). */
#include "base/status.h"
#include "io/npz.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>
#include <zlib.h>

enum { PIECE = 1 << 20 };

typedef struct NpzPiece {
    const char *data;
    size_t size;
    uint64_t offset;
    uint32_t crc;
    int failure; /* errno */
} NpzPiece;

typedef struct Archive {
    OutFile file;
    const NpzOptions *options;
    NpzPlace *members;
    size_t member_count;
    NpzPiece *pieces;
    size_t piece_count, piece_capacity;
    unsigned char *directory; /* headers are built here too */
    size_t directory_capacity;
    uint64_t end; /* of the last member */
    uint32_t sum; /* of the file from its beginning */
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

static void set_content(NpzPlace *member)
{
    const NpzItem *item = member->item;
    member->name_size = strlen(item->array.name) + (item->text == NULL ? 4 : 0);
    member->size = item->text_size;
    if (item->text != NULL) return;
    const mote_StateArray *array = &item->array;
    NpyShape shape = {
        .type = array->type, .rows = array->rows, .planes = (size_t)array->components};
    if (item->row > 0) shape.rows /= item->row, shape.planes = item->row, shape.rows_first = true;
    member->npy_size = npy_header(&shape, member->npy);
    member->size = member->npy_size + (uint64_t)plane_size(array) * (uint64_t)array->components;
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
        archive->pieces[archive->piece_count++] =
            (NpzPiece){.data = data != NULL ? data + done : NULL,
                       .size = left < PIECE ? left : PIECE,
                       .offset = offset + done};
    }
}

static void add_member_pieces(Archive *archive, const NpzPlace *member)
{
    const mote_StateArray *array = &member->item->array;
    if (member->item->text != NULL) {
        add_pieces(archive, member->item->text, member->item->text_size, member->content);
        return;
    }
    for (int c = 0; c < array->components && array->rows > 0; ++c)
        add_pieces(archive,
                   array->data != NULL ? (const char *)array->data + (size_t)c * stride_bytes(array)
                                       : NULL,
                   plane_size(array),
                   member->content + member->npy_size + (uint64_t)c * plane_size(array));
}

static size_t member_piece_count(const NpzItem *item)
{
    if (item->text != NULL) return pieces_of(item->text_size);
    return pieces_of(plane_size(&item->array)) * (size_t)item->array.components;
}

/* ---- what may be written ---- */

/* Archives are unpacked by other programs too: no name may lead out of the folder (zip slip). */
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
        NpzPiece *piece = &archive->pieces[i];
        if (atomic_load_explicit(&archive->failed, memory_order_relaxed)) return;
        piece->crc = (uint32_t)crc32_z(0, (const unsigned char *)piece->data, piece->size);
        piece->failure = file_put(archive->file.fd, piece->data, piece->size, piece->offset);
        if (piece->failure != 0)
            atomic_store(&archive->failed, true);
        else if (piece->size == PIECE) /* the disk works while the next pieces are summed */
            file_push(archive->file.fd, piece->size, piece->offset);
    }
}

/* Pieces [begin, end). */
typedef struct PieceRange {
    Archive *archive;
    size_t begin;
} PieceRange;

static void write_range(void *context, size_t begin, size_t end, int worker)
{
    const PieceRange *range = context;
    write_pieces(range->archive, range->begin + begin, range->begin + end, worker);
}

static mote_Status write_some(Archive *archive, size_t begin, size_t end, mote_Error *error)
{
    PieceRange range = {archive, begin};
    mote_parallel_for(archive->options->tasks, end - begin, 1, write_range, &range);
    for (size_t i = begin; i < end; ++i)
        if (archive->pieces[i].failure != 0)
            return file_failed(archive->file.path, "write it", archive->pieces[i].failure, error);
    return MOTE_OK;
}

/* One plane after another, each when it has come. */
static mote_Status write_fed(Archive *archive, mote_Error *error)
{
    const NpzFeed *feed = archive->options->feed;
    mote_Status status = MOTE_OK;
    size_t begin = 0;
    for (size_t m = 0; m < archive->member_count && status == MOTE_OK; ++m) {
        const NpzItem *item = archive->members[m].item;
        const int planes = item->text != NULL ? 1 : item->array.components;
        for (int c = 0; c < planes && status == MOTE_OK; ++c) {
            const size_t end = begin + member_piece_count(item) / (size_t)planes;
            const void *plane = NULL;
            if (end > begin && item->text == NULL)
                status = feed->fetch(feed->context, m, c, &plane, error);
            for (size_t i = begin; i < end && plane != NULL; ++i)
                archive->pieces[i].data = (const char *)plane + (i - begin) * PIECE;
            if (status == MOTE_OK) status = write_some(archive, begin, end, error);
            begin = end;
        }
    }
    return status;
}

static mote_Status write_data(Archive *archive, mote_Error *error)
{
    return archive->options->feed != NULL ? write_fed(archive, error)
                                          : write_some(archive, 0, archive->piece_count, error);
}

/* Continues a sum over the next `count` pieces. */
static uint32_t add_sums(uint32_t crc, const NpzPiece **piece, size_t count)
{
    for (size_t i = 0; i < count; ++i, ++*piece)
        crc = (uint32_t)crc32_combine(crc, (*piece)->crc, (z_off_t)(*piece)->size);
    return crc;
}

/* The CRC of a whole follows from those of its parts and their lengths, as CRC is linear over
 * GF(2). So pieces are summed by whoever writes them. */
static void combine_sums(Archive *archive)
{
    const NpzPiece *piece = archive->pieces;
    for (size_t m = 0; m < archive->member_count; ++m) {
        NpzPlace *member = &archive->members[m];
        uLong crc = crc32_z(0, (const unsigned char *)member->npy, member->npy_size);
        member->crc = add_sums((uint32_t)crc, &piece, member_piece_count(member->item));
    }
}

/* ---- headers ---- */

/* Writes what is in the buffer, and continues the sum of the file over it. */
static mote_Status put_buffer(Archive *archive, const unsigned char *end, uint64_t offset,
                              mote_Error *error)
{
    const size_t size = (size_t)(end - archive->directory);
    int failure = file_put(archive->file.fd, archive->directory, size, offset);
    archive->sum = (uint32_t)crc32_z(archive->sum, archive->directory, size);
    return failure == 0 ? MOTE_OK : file_failed(archive->file.path, "write it", failure, error);
}

static mote_Status write_headers(Archive *archive, mote_Error *error)
{
    unsigned char *buffer = archive->directory, *at = buffer;
    const NpzPiece *piece = archive->pieces;
    for (size_t m = 0; m < archive->member_count; ++m) {
        const NpzPlace *member = &archive->members[m];
        mote_Status status =
            put_buffer(archive, npz_put_local(buffer, member), member->header, error);
        if (status != MOTE_OK) return status;
        archive->sum = add_sums(archive->sum, &piece, member_piece_count(member->item));
    }
    for (size_t m = 0; m < archive->member_count; ++m)
        at = npz_put_central(at, &archive->members[m]);
    NpzEnd end = {.members = archive->member_count,
                  .offset = archive->end,
                  .size = (uint64_t)(at - buffer),
                  .force_zip64 = archive->options->force_zip64};
    at = npz_put_end(at, &end);
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
        NpzPlace *member = &archive->members[i];
        member->item = &items[i];
        set_content(member);
        archive->end = npz_place(member, archive->end, archive->options->force_zip64);
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
    if (options->sum != NULL) *options->sum = archive.sum;
    release(&archive);
    return status;
}

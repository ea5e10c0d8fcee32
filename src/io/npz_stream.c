/* Reading one member of an .npz from its beginning to its end: stored or deflated bytes, their
 * check sum, and arrays in either order as planes. */
#include "base/status.h"
#include "io/npz.h"

#include <string.h>
#include <zlib.h>

enum { INPUT = 1 << 16, PIECE = 1 << 20, TURN = 1 << 14 };

struct NpzInflate {
    z_stream zlib;
    Memory *memory;
    unsigned char input[INPUT];
};

static mote_Status wrong(const NpzStream *stream, const char *what, mote_Error *error)
{
    return status_fail(error, MOTE_IO_FAILED, "%s, member \"%.80s\": %s",
                       file_label(stream->npz->source.path), stream->member->name, what);
}

/* ---- the local header ---- */

/* Its sizes and sum are checked against the directory's, unless they stand after the data. */
static bool local_agrees(const unsigned char *local, const NpzMember *member)
{
    if (zip_get(local, 4) != ZIP_LOCAL || zip_get(local + 8, 2) != member->method) return false;
    if (zip_get(local + 6, 2) != member->flags) return false;
    if (member->flags & ZIP_FLAG_SIZES_AFTER) return true;
    uint64_t stored = zip_get(local + 18, 4), size = zip_get(local + 22, 4);
    return zip_get(local + 14, 4) == member->crc &&
           (stored == member->stored || stored == ZIP_ELSEWHERE) &&
           (size == member->size || size == ZIP_ELSEWHERE);
}

static mote_Status check_local_name(NpzStream *stream, uint64_t at, size_t size, mote_Error *error)
{
    const char *name = stream->member->name;
    const char *differs = "damaged: the directory gives another name than the member's header";
    char chunk[256];
    if (strlen(name) != size) return wrong(stream, differs, error);
    for (size_t done = 0; done < size; done += sizeof chunk) {
        size_t part = size - done < sizeof chunk ? size - done : sizeof chunk;
        mote_Status status = source_read(&stream->npz->source, at + done, chunk, part, error);
        if (status != MOTE_OK) return status;
        if (memcmp(chunk, name + done, part) != 0) return wrong(stream, differs, error);
    }
    return MOTE_OK;
}

static mote_Status find_content(NpzStream *stream, mote_Error *error)
{
    const NpzMember *member = stream->member;
    unsigned char local[ZIP_LOCAL_SIZE];
    mote_Status status =
        source_read(&stream->npz->source, member->header, local, sizeof local, error);
    if (status != MOTE_OK) return status;
    if (!local_agrees(local, member))
        return wrong(stream, "damaged: its header does not agree with the directory", error);
    size_t name_size = (size_t)zip_get(local + 26, 2);
    stream->at = member->header + ZIP_LOCAL_SIZE + name_size + zip_get(local + 28, 2);
    return check_local_name(stream, member->header + ZIP_LOCAL_SIZE, name_size, error);
}

/* ---- deflate ---- */

/* zlib frees without telling the size, so it is kept in front, in the first 64 bytes. */
static void *zlib_take(void *context, unsigned items, unsigned size)
{
    size_t total = MEMORY_ALIGNMENT + (size_t)items * size;
    char *block = memory_take(context, total);
    if (block == NULL) return NULL;
    memcpy(block, &total, sizeof total);
    return block + MEMORY_ALIGNMENT;
}

static void zlib_free(void *context, void *address)
{
    if (address == NULL) return;
    size_t total;
    char *block = (char *)address - MEMORY_ALIGNMENT;
    memcpy(&total, block, sizeof total);
    memory_free(context, block, total);
}

static mote_Status start_inflate(NpzStream *stream, mote_Error *error)
{
    Memory *memory = stream->npz->memory;
    struct NpzInflate *inflate = memory_zeroed(memory, sizeof *inflate);
    if (inflate == NULL) return status_no_memory(error, "unpacking", sizeof *inflate);
    inflate->memory = memory;
    inflate->zlib.zalloc = zlib_take, inflate->zlib.zfree = zlib_free;
    inflate->zlib.opaque = memory;
    if (inflateInit2(&inflate->zlib, -15) != Z_OK) { /* raw deflate, largest window */
        memory_free(memory, inflate, sizeof *inflate);
        return status_no_memory(error, "unpacking", 1 << 15);
    }
    stream->inflate = inflate;
    return MOTE_OK;
}

static mote_Status refill(NpzStream *stream, mote_Error *error)
{
    struct NpzInflate *inflate = stream->inflate;
    size_t size = stream->stored_left < INPUT ? (size_t)stream->stored_left : INPUT;
    mote_Status status = source_read(&stream->npz->source, stream->at, inflate->input, size, error);
    inflate->zlib.next_in = inflate->input, inflate->zlib.avail_in = (unsigned)size;
    stream->at += size, stream->stored_left -= size;
    return status;
}

static mote_Status unpack(NpzStream *stream, void *data, size_t size, mote_Error *error)
{
    z_stream *zlib = &stream->inflate->zlib;
    zlib->next_out = data, zlib->avail_out = (unsigned)size;
    while (zlib->avail_out > 0) {
        if (zlib->avail_in == 0) {
            mote_Status status = refill(stream, error);
            if (status != MOTE_OK) return status;
        }
        int result = inflate(zlib, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR) return status_no_memory(error, "unpacking", 1 << 15);
        if (result != Z_OK && !(result == Z_STREAM_END && zlib->avail_out == 0))
            return wrong(stream, "damaged: it cannot be unpacked", error);
    }
    return MOTE_OK;
}

/* ---- bytes ---- */

mote_Status npz_begin(NpzStream *stream, const Npz *npz, const NpzMember *member, mote_Error *error)
{
    *stream = (NpzStream){
        .npz = npz, .member = member, .stored_left = member->stored, .left = member->size};
    mote_Status status = find_content(stream, error);
    if (status == MOTE_OK && member->method == ZIP_DEFLATED) status = start_inflate(stream, error);
    return status;
}

static mote_Status read_piece(NpzStream *stream, unsigned char *data, size_t size,
                              mote_Error *error)
{
    mote_Status status;
    if (stream->inflate != NULL) {
        status = unpack(stream, data, size, error);
    } else {
        status = source_read(&stream->npz->source, stream->at, data, size, error);
        stream->at += size;
    }
    if (status != MOTE_OK) return status;
    stream->crc = (uint32_t)crc32_z(stream->crc, data, size);
    stream->left -= size;
    return MOTE_OK;
}

mote_Status npz_read(NpzStream *stream, void *data, size_t size, mote_Error *error)
{
    if (size > stream->left) return wrong(stream, "damaged: it is shorter than it says", error);
    /* pieces that stay in the cache between reading and summing */
    for (size_t done = 0; done < size; done += PIECE) {
        size_t part = size - done < PIECE ? size - done : PIECE;
        mote_Status status = read_piece(stream, (unsigned char *)data + done, part, error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

mote_Status npz_end(NpzStream *stream, mote_Status status, mote_Error *error)
{
    if (stream->inflate != NULL) {
        inflateEnd(&stream->inflate->zlib);
        memory_free(stream->npz->memory, stream->inflate, sizeof *stream->inflate);
        stream->inflate = NULL;
    }
    if (status != MOTE_OK) return status;
    if (stream->left > 0) return wrong(stream, "damaged: it is longer than it says", error);
    if (stream->crc != stream->member->crc && !stream->npz->source.unchecked)
        return wrong(stream, "damaged: its check sum is wrong", error);
    return MOTE_OK;
}

/* ---- arrays ---- */

static mote_Status read_dictionary(NpzStream *stream, size_t size, NpyShape *shape,
                                   mote_Error *error)
{
    char text[NPY_READ_MOST];
    if (size > sizeof text) return wrong(stream, "its header is too long for a plain array", error);
    mote_Status status = npz_read(stream, text, size, error);
    if (status != MOTE_OK) return status;
    const char *fault = npy_parse(text, size, shape);
    return fault == NULL ? MOTE_OK : wrong(stream, fault, error);
}

mote_Status npz_read_shape(NpzStream *stream, NpyShape *shape, mote_Error *error)
{
    unsigned char prefix[NPY_PREFIX], length[4] = {0};
    mote_Status status = npz_read(stream, prefix, sizeof prefix, error);
    if (status != MOTE_OK) return status;
    int length_size = npy_length_size(prefix);
    if (length_size == 0) return wrong(stream, "is not a NumPy array", error);
    status = npz_read(stream, length, (size_t)length_size, error);
    if (status == MOTE_OK)
        status = read_dictionary(stream, (size_t)zip_get(length, 4), shape, error);
    if (status != MOTE_OK) return status;
    uint64_t items = stream->left / mote_array_item_size(shape->type);
    bool agrees = stream->left % mote_array_item_size(shape->type) == 0;
    if (shape->rows == 0 || shape->planes == 0)
        agrees = agrees && items == 0 && shape->planes <= INT32_MAX;
    else
        agrees = agrees && shape->planes <= INT32_MAX && items % shape->planes == 0 &&
                 items / shape->planes == shape->rows;
    return agrees ? MOTE_OK
                  : wrong(stream, "damaged: its shape does not agree with its size", error);
}

/* Rows in C order, a few at a time, turned into planes. */
static mote_Status read_turned(NpzStream *stream, const NpyShape *shape, char *data, size_t stride,
                               mote_Error *error)
{
    size_t item = mote_array_item_size(shape->type), row = shape->planes * item;
    char buffer[TURN];
    if (row > sizeof buffer) return wrong(stream, "has too many columns in C order", error);
    size_t most = sizeof buffer / row;
    for (size_t first = 0; first < shape->rows; first += most) {
        size_t count = shape->rows - first < most ? shape->rows - first : most;
        mote_Status status = npz_read(stream, buffer, count * row, error);
        if (status != MOTE_OK) return status;
        for (size_t c = 0; c < shape->planes; ++c)
            for (size_t i = 0; i < count; ++i)
                memcpy(data + (c * stride + first + i) * item, buffer + i * row + c * item, item);
    }
    return MOTE_OK;
}

mote_Status npz_read_planes(NpzStream *stream, const NpyShape *shape, void *data, size_t stride,
                            mote_Error *error)
{
    size_t item = mote_array_item_size(shape->type);
    if (shape->planes > 1 && !shape->columns_first)
        return read_turned(stream, shape, data, stride, error);
    mote_Status status = MOTE_OK;
    for (size_t c = 0; c < shape->planes && status == MOTE_OK; ++c)
        status = npz_read(stream, (char *)data + c * stride * item, shape->rows * item, error);
    return status;
}

mote_Status npz_read_text(const Npz *npz, const char *name, char **text, size_t *size,
                          mote_Error *error)
{
    const NpzMember *member = npz_find(npz, name);
    NpzStream stream;
    *text = NULL;
    if (member == NULL)
        return status_fail(error, MOTE_IO_FAILED,
                           "%s: has no member \"%s\", so it is no file of this kind",
                           file_label(npz->source.path), name);
    *size = (size_t)member->size;
    mote_Status status = npz_begin(&stream, npz, member, error);
    if (status == MOTE_OK && (*text = memory_take(npz->memory, *size + 1)) == NULL)
        status = status_no_memory(error, "reading a file", *size);
    if (status == MOTE_OK) status = npz_read(&stream, *text, *size, error);
    status = npz_end(&stream, status, error);
    if (status == MOTE_OK) {
        (*text)[*size] = '\0';
    } else {
        memory_free(npz->memory, *text, *size + 1);
        *text = NULL;
    }
    return status;
}

/* PNG files (W3C Portable Network Graphics, 2nd edition). Bands of rows are encoded, filtered and
 * compressed each for itself, by as many workers as there are, and follow one another as chunks of
 * one stream; where a band ends depends on the size of the picture alone, so the file does not
 * depend on the workers. */
#include "base/status.h"
#include "base/system.h"
#include "render/deflate.h"
#include "render/image.h"
#include "render/splat.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BAND_BYTES = 256 * 1024, BEFORE = 8 /* bytes beside the row's first pixel */ };

/* The rows of a file chunk: zlib's header before the first one, its checksum after the last. */
typedef struct PngBand {
    uint8_t *chunk; /* length, name, contents, checksum */
    size_t size;
    uint32_t adler;
} PngBand;

/* Memory of one worker. */
typedef struct PngWorker {
    float *scratch;
    uint8_t *rows[2], *filtered, *runs;
    bool clear; /* some pixel is not opaque, though the file has no alpha */
} PngWorker;

typedef struct PngJob {
    const mote_Image *image;
    RowCode code;
    size_t row_bytes, step; /* of a row, of a pixel */
    size_t distance;        /* of bytes that repeat */
    int band_rows;
    PngBand *bands;
    size_t band_count;
    PngWorker *workers;
} PngJob;

/* ---- chunks ---- */

static uint8_t *put_32(uint8_t *to, uint32_t value)
{
    for (int k = 0; k < 4; ++k) *to++ = (uint8_t)(value >> (24 - 8 * k));
    return to;
}

/* Around `size` bytes at chunk + 8. Returns the size of the whole. */
static size_t chunk_close(uint8_t *chunk, const char *name, size_t size)
{
    put_32(chunk, (uint32_t)size);
    memcpy(chunk + 4, name, 4);
    put_32(chunk + 8 + size, (uint32_t)crc32(0, chunk + 4, (uInt)size + 4));
    return size + 12;
}

enum { HEADER_BYTES = 8 + 25 + 13 + 16 + 44 };

/* The signature and what comes before the picture: size, and that it is sRGB. */
static void put_header(const PngJob *job, uint8_t *to)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    /* white, red, green and blue, in 1/100000 */
    static const uint32_t primaries[8] = {31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000};
    memcpy(to, signature, sizeof signature);
    to += sizeof signature;
    uint8_t *at = put_32(put_32(to + 8, (uint32_t)job->image->width), (uint32_t)job->image->height);
    const uint8_t rest[5] = {(uint8_t)job->code.bits, job->code.channels == 4 ? 6 : 2, 0, 0, 0};
    memcpy(at, rest, sizeof rest);
    to += chunk_close(to, "IHDR", 13);
    to[8] = 0; /* perceptual */
    to += chunk_close(to, "sRGB", 1);
    put_32(to + 8, 45455);
    to += chunk_close(to, "gAMA", 4);
    at = to + 8;
    for (int i = 0; i < 8; ++i) at = put_32(at, primaries[i]);
    chunk_close(to, "cHRM", 32);
}

/* ---- bands ---- */

/* Rows of the band, filtered, one after the other. Returns their bytes. */
static size_t filter_band(const PngJob *job, PngWorker *w, int first, int last)
{
    const RenderKernels *kernels = render_kernels();
    uint8_t *to = w->filtered;
    for (int y = first; y < last; ++y) {
        uint8_t *row = w->rows[y & 1] + BEFORE, *above = w->rows[~y & 1] + BEFORE;
        w->clear |= !image_encode_row(job->image, y, job->code, w->scratch, row);
        kernels->filter_row(row, y > first ? above : NULL, job->row_bytes, job->step, to);
        to += job->row_bytes + 1;
    }
    return (size_t)(to - w->filtered);
}

static void make_bands(void *context, size_t begin, size_t end, int worker)
{
    PngJob *job = context;
    PngWorker *w = &job->workers[worker];
    for (size_t i = begin; i < end; ++i) {
        PngBand *band = &job->bands[i];
        const bool is_last = i + 1 == job->band_count;
        const int first = (int)i * job->band_rows;
        const int last = is_last ? job->image->height : first + job->band_rows;
        uint8_t *at = band->chunk + 8;
        if (i == 0) *at++ = 0x78, *at++ = 0x01; /* deflate, 32 KB, fast */
        size_t size = filter_band(job, w, first, last);
        at += deflate_band(w->filtered, size, job->distance, is_last, w->runs, at);
        band->adler = render_kernels()->adler(w->filtered, size);
        band->size = (size_t)(at - band->chunk) - 8;
        if (!is_last) band->size = chunk_close(band->chunk, "IDAT", band->size);
    }
}

/* The last chunk ends with the checksum of all bands. */
static void close_last(PngJob *job)
{
    const size_t bytes = (job->row_bytes + 1) * (size_t)job->band_rows;
    PngBand *last = &job->bands[job->band_count - 1];
    uint32_t sum = job->bands[0].adler;
    for (size_t i = 1; i < job->band_count; ++i) {
        const int first = (int)i * job->band_rows;
        size_t rows = (size_t)(job->image->height - first);
        size_t size = i + 1 < job->band_count ? bytes : (job->row_bytes + 1) * rows;
        sum = (uint32_t)adler32_combine(sum, job->bands[i].adler, (z_off_t)size);
    }
    put_32(last->chunk + 8 + last->size, sum);
    last->size = chunk_close(last->chunk, "IDAT", last->size + 4);
}

/* ---- memory ---- */

static bool worker_take(PngWorker *w, const PngJob *job, Arena *arena)
{
    const size_t bytes = (job->row_bytes + 1) * (size_t)job->band_rows;
    w->clear = false;
    w->scratch = arena_take(arena, row_code_scratch(job->image));
    w->filtered = arena_take(arena, bytes);
    w->runs = arena_take(arena, deflate_scratch(bytes));
    for (int k = 0; k < 2; ++k) {
        w->rows[k] = arena_take(arena, BEFORE + job->row_bytes);
        if (w->rows[k] == NULL) return false;
        memset(w->rows[k], 0, BEFORE);
    }
    return w->scratch != NULL && w->filtered != NULL && w->runs != NULL;
}

static bool job_take(PngJob *job, size_t workers, Arena *arena)
{
    const size_t most = deflate_most((job->row_bytes + 1) * (size_t)job->band_rows) + 32;
    job->bands = arena_take(arena, job->band_count * sizeof *job->bands);
    job->workers = arena_take(arena, workers * sizeof *job->workers);
    if (job->bands == NULL || job->workers == NULL) return false;
    for (size_t i = 0; i < job->band_count; ++i)
        if ((job->bands[i].chunk = arena_take(arena, most)) == NULL) return false;
    for (size_t w = 0; w < workers; ++w)
        if (!worker_take(&job->workers[w], job, arena)) return false;
    return true;
}

/* ---- the file ---- */

static bool put_png(const PngJob *job, mote_ByteSink *sink, void *context)
{
    static const uint8_t end[12] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
    uint8_t header[HEADER_BYTES];
    put_header(job, header);
    bool good = sink(context, header, sizeof header);
    for (size_t i = 0; good && i < job->band_count; ++i)
        good = sink(context, job->bands[i].chunk, job->bands[i].size);
    return good && sink(context, end, sizeof end);
}

static bool to_file(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, size, 1, file) == 1;
}

/* Writes under the temporary name, then renames. */
static mote_Status write_and_rename(const PngJob *job, const char *temporary, const char *path,
                                    mote_Error *error)
{
    FILE *file = fopen(temporary, "wb");
    if (file == NULL)
        return status_fail(error, MOTE_IO_FAILED, "%.200s: cannot be written: %s", path,
                           strerror(errno));
    bool good = put_png(job, to_file, file);
    int reason = errno;
    if (fclose(file) != 0 && good) good = false, reason = errno;
    if (good && system_rename(temporary, path)) return MOTE_OK;
    if (good) reason = errno;
    unlink(temporary);
    return status_fail(error, MOTE_IO_FAILED, "%.200s: writing the PNG failed: %s", path,
                       strerror(reason));
}

/* A look at three rows; what they do not show is found out when all are encoded. */
static bool seems_opaque(const mote_Image *image)
{
    const size_t width = (size_t)image->width;
    const int rows[3] = {0, image->height / 2, image->height - 1};
    for (int i = 0; i < 3; ++i) {
        const float *row = image->pixels + (size_t)rows[i] * width * 4;
        for (size_t x = 0; x < width; ++x)
            if (!(row[4 * x + 3] >= ALPHA_OPAQUE)) return false;
    }
    return true;
}

static PngJob job_make(const mote_Image *image, int bits, int channels)
{
    RowCode code = {.bits = bits, .channels = channels, .dither = bits == 8};
    PngJob job = {.image = image,
                  .code = code,
                  .row_bytes = row_code_bytes(image, code),
                  .step = (size_t)(code.channels * bits / 8)};
    job.distance = bits == 16 ? job.step : 1; /* dither leaves no pixel like the next */
    size_t rows = BAND_BYTES / (job.row_bytes + 1) + 1;
    job.band_rows = rows < (size_t)image->height ? (int)rows : image->height;
    job.band_count = (size_t)((image->height + job.band_rows - 1) / job.band_rows);
    return job;
}

/* All bands, ready to be written; false when out of memory. */
static bool job_run(PngJob *job, const mote_Image *image, int bits, mote_Tasks *tasks, Arena *arena)
{
    const size_t workers = (size_t)mote_tasks_workers(tasks);
    bool clear = !seems_opaque(image), again;
    do {
        again = false;
        *job = job_make(image, bits, clear ? 4 : 3);
        if (!job_take(job, workers, arena)) return false;
        mote_parallel_for(tasks, job->band_count, 1, make_bands, job);
        for (size_t w = 0; w < workers && !clear; ++w) again |= job->workers[w].clear;
        clear = clear || again;
    } while (again);
    close_last(job);
    return true;
}

static mote_Status check_bits(int bits, mote_Error *error)
{
    if (bits == 8 || bits == 16) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "png: bits is %d, but must be 8 or 16", bits);
}

mote_Status mote_image_encode_png(const mote_Image *image, int bits, mote_ByteSink *sink,
                                  void *context, mote_Error *error)
{
    mote_Status status = check_bits(bits, error);
    if (status != MOTE_OK) return status;
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    PngJob job;
    if (!job_run(&job, image, bits, NULL, &arena))
        status = status_no_memory(error, "a PNG", arena.total);
    else if (!put_png(&job, sink, context))
        status = status_fail(error, MOTE_CANCELLED, "png: nobody takes its bytes");
    arena_free(&arena);
    return status;
}

mote_Status mote_image_write_png_with(const mote_Image *image, const char *path, int bits,
                                      mote_Tasks *tasks, mote_Error *error)
{
    mote_Status status = check_bits(bits, error);
    if (status != MOTE_OK) return status;
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    PngJob job;
    const size_t name_size = strlen(path) + sizeof ".part";
    char *temporary = arena_take(&arena, name_size);
    if (temporary == NULL || !job_run(&job, image, bits, tasks, &arena)) {
        status = status_no_memory(error, "writing a PNG", arena.total);
    } else {
        snprintf(temporary, name_size, "%s.part", path);
        status = write_and_rename(&job, temporary, path, error);
    }
    arena_free(&arena);
    return status;
}

mote_Status mote_image_write_png(const mote_Image *image, const char *path, int bits,
                                 mote_Error *error)
{
    return mote_image_write_png_with(image, path, bits, NULL, error);
}

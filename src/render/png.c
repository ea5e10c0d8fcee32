/* PNG files through libpng: fastest compression with the SUB filter, which suits pictures. */
#include "base/status.h"
#include "render/image.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

typedef struct PngJob {
    const mote_Image *image;
    RowCode code;
    FILE *file;
    void *scratch;
    uint8_t *row;
    char message[120];
} PngJob;

static void on_error(png_structp png, png_const_charp message)
{
    PngJob *job = png_get_error_ptr(png);
    snprintf(job->message, sizeof job->message, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void write_all(png_structp png, png_infop info, PngJob *job)
{
    const mote_Image *image = job->image;
    png_init_io(png, job->file);
    png_set_compression_level(png, 1);
    png_set_compression_strategy(png, Z_RLE); /* most of it is noise: nothing to find */
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, job->code.bits,
                 job->code.channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < image->height; ++y) {
        image_encode_row(image, y, job->code, job->scratch, job->row);
        png_write_row(png, job->row);
    }
    png_write_end(png, info);
}

/* False with job->message filled. */
static bool write_file(PngJob *job)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, job, on_error, on_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool good = false;
    if (info == NULL) {
        snprintf(job->message, sizeof job->message, "libpng could not start");
    } else if (setjmp(png_jmpbuf(png)) == 0) {
        write_all(png, info, job);
        png_destroy_write_struct(&png, &info);
        return true;
    }
    png_destroy_write_struct(&png, &info);
    return good;
}

static bool is_opaque(const mote_Image *image)
{
    const float *end = image->pixels + image_floats(image);
    for (const float *p = image->pixels; p < end; p += 4)
        if (!(p[3] >= 0.9999f)) return false;
    return true;
}

/* Writes under the temporary name, then renames. */
static mote_Status write_and_rename(PngJob *job, const char *temporary, const char *path,
                                    mote_Error *error)
{
    job->file = fopen(temporary, "wb");
    if (job->file == NULL)
        return status_fail(error, MOTE_IO_FAILED, "%.200s: cannot be written: %s", path,
                           strerror(errno));
    bool good = write_file(job);
    if (fclose(job->file) != 0 && good) {
        snprintf(job->message, sizeof job->message, "%s", strerror(errno));
        good = false;
    }
    if (good && rename(temporary, path) == 0) return MOTE_OK;
    if (good) snprintf(job->message, sizeof job->message, "%s", strerror(errno));
    unlink(temporary);
    return status_fail(error, MOTE_IO_FAILED, "%.200s: writing the PNG failed: %s", path,
                       job->message);
}

mote_Status mote_image_write_png(const mote_Image *image, const char *path, int bits,
                                 mote_Error *error)
{
    if (bits != 8 && bits != 16)
        return status_fail(error, MOTE_BAD_VALUE, "png: bits is %d, but must be 8 or 16", bits);
    Memory memory = memory_make((mote_Allocator){0});
    RowCode code = {.bits = bits, .channels = is_opaque(image) ? 3 : 4, .dither = bits == 8};
    PngJob job = {.image = image, .code = code};
    size_t scratch = row_code_scratch(image), bytes = row_code_bytes(image, code);
    size_t name_size = strlen(path) + sizeof ".part";
    job.scratch = memory_take(&memory, scratch);
    job.row = memory_take(&memory, bytes);
    char *temporary = memory_take(&memory, name_size);
    mote_Status status = MOTE_NO_MEMORY;
    if (job.scratch == NULL || job.row == NULL || temporary == NULL) {
        status_no_memory(error, "writing a PNG", scratch + bytes + name_size);
    } else {
        snprintf(temporary, name_size, "%s.part", path);
        status = write_and_rename(&job, temporary, path, error);
    }
    memory_free(&memory, temporary, name_size);
    memory_free(&memory, job.row, bytes);
    memory_free(&memory, job.scratch, scratch);
    return status;
}

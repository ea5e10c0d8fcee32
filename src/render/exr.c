/* OpenEXR files, as small as the format allows: one part, scan lines, 32-bit floats, no
 * compression. "OpenEXR File Layout", openexr.com: header attributes, a table of places, then for
 * each line its number, its size and its channels in the order of their names. All numbers are
 * little-endian. */
#include "base/status.h"
#include "base/system.h"
#include "render/image.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PLAIN = 4, CHANNELS = 11, HEADER_MOST = 1024 };

/* In the order of names, with the channel's place in a pixel, or behind the plain ones in what is
 * known of what it sees. */
static const struct {
    const char *name;
    size_t place;
} channels[CHANNELS] = {{"A", 3},        {"B", 2},        {"G", 1},        {"R", 0},
                        {"albedo.B", 2}, {"albedo.G", 1}, {"albedo.R", 0}, {"depth.Z", 6},
                        {"normal.X", 3}, {"normal.Y", 4}, {"normal.Z", 5}};
_Static_assert(sizeof(ImageFeatures) == 7 * sizeof(float), "features are floats alone");

static int channels_of(const mote_Image *image)
{
    return image->features != NULL ? CHANNELS : PLAIN;
}

static float channel_value(const mote_Image *image, int channel, size_t pixel)
{
    const size_t place = channels[channel].place;
    if (channel < PLAIN) return image->pixels[4 * pixel + place];
    return ((const float *)(const void *)&image->features[pixel])[place];
}

typedef struct Header {
    uint8_t bytes[HEADER_MOST];
    size_t size;
} Header;

static void put(Header *h, const void *bytes, size_t size)
{
    memcpy(h->bytes + h->size, bytes, size);
    h->size += size;
}

static void put_number(Header *h, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                        (uint8_t)(value >> 24)};
    put(h, bytes, sizeof bytes);
}

static void put_attribute(Header *h, const char *name, const char *type, uint32_t size)
{
    put(h, name, strlen(name) + 1);
    put(h, type, strlen(type) + 1);
    put_number(h, size);
}

static void put_channels(Header *h, int count)
{
    size_t size = 1;
    for (int c = 0; c < count; ++c) size += strlen(channels[c].name) + 17;
    put_attribute(h, "channels", "chlist", (uint32_t)size);
    for (int c = 0; c < count; ++c) {
        put(h, channels[c].name, strlen(channels[c].name) + 1);
        put_number(h, 2); /* float */
        put_number(h, 0); /* not to be treated as perceptually linear; reserved */
        put_number(h, 1), put_number(h, 1);
    }
    put(h, "", 1);
}

static void put_window(Header *h, const char *name, const mote_Image *image)
{
    put_attribute(h, name, "box2i", 16);
    put_number(h, 0), put_number(h, 0);
    put_number(h, (uint32_t)image->width - 1), put_number(h, (uint32_t)image->height - 1);
}

static Header header_make(const mote_Image *image)
{
    const uint32_t one = 0x3f800000; /* 1 as a float */
    Header h = {.size = 0};
    put_number(&h, 20000630), put_number(&h, 2); /* magic, version */
    put_channels(&h, channels_of(image));
    put_attribute(&h, "compression", "compression", 1), put(&h, "", 1);
    put_window(&h, "dataWindow", image);
    put_window(&h, "displayWindow", image);
    put_attribute(&h, "lineOrder", "lineOrder", 1), put(&h, "", 1);
    put_attribute(&h, "pixelAspectRatio", "float", 4), put_number(&h, one);
    put_attribute(&h, "screenWindowCenter", "v2f", 8), put_number(&h, 0), put_number(&h, 0);
    put_attribute(&h, "screenWindowWidth", "float", 4), put_number(&h, one);
    put(&h, "", 1);
    return h;
}

/* Bytes of a line with its number and size. */
static size_t line_size(const mote_Image *image)
{
    return 8 + (size_t)image->width * (size_t)channels_of(image) * sizeof(float);
}

static bool write_lines(const mote_Image *image, const Header *header, uint8_t *line, FILE *file)
{
    const size_t width = (size_t)image->width, size = line_size(image);
    uint64_t place = header->size + 8 * (uint64_t)image->height;
    bool good = fwrite(header->bytes, 1, header->size, file) == header->size;
    for (int y = 0; y < image->height && good; ++y, place += size)
        good = fwrite(&place, sizeof place, 1, file) == 1;
    for (int y = 0; y < image->height && good; ++y) {
        const uint32_t start[2] = {(uint32_t)y, (uint32_t)size - 8};
        float *to = (float *)(void *)(line + 8);
        memcpy(line, start, sizeof start);
        for (int c = 0; c < channels_of(image); ++c)
            for (size_t x = 0; x < width; ++x)
                *to++ = channel_value(image, c, (size_t)y * width + x);
        good = fwrite(line, 1, size, file) == size;
    }
    return good;
}

mote_Status mote_image_write_exr(const mote_Image *image, const char *path, mote_Error *error)
{
    Memory memory = memory_make((mote_Allocator){0});
    const Header header = header_make(image);
    const size_t name_size = strlen(path) + sizeof ".part";
    uint8_t *line = memory_take(&memory, line_size(image));
    char *temporary = memory_take(&memory, name_size);
    mote_Status status = MOTE_OK;
    if (line == NULL || temporary == NULL) {
        status = status_no_memory(error, "writing an EXR file", line_size(image) + name_size);
    } else {
        snprintf(temporary, name_size, "%s.part", path);
        FILE *file = fopen(temporary, "wb");
        bool good = file != NULL && write_lines(image, &header, line, file);
        if (file != NULL) good = fclose(file) == 0 && good;
        if (!good || !system_rename(temporary, path)) {
            status = status_fail(error, MOTE_IO_FAILED, "%.200s: writing the EXR file failed: %s",
                                 path, strerror(errno));
            if (file != NULL) unlink(temporary);
        }
    }
    memory_free(&memory, temporary, name_size);
    memory_free(&memory, line, line_size(image));
    return status;
}

/* Reading OpenEXR files: one part of scan lines, channels R, G, B or Y, and A, in halves, floats or
 * whole numbers, plain, run-length or zip compressed ("OpenEXR File Layout" and "Technical
 * Introduction", openexr.com). Whatever else the format knows is refused by its name. */
#include "base/status.h"
#include "render/image.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

enum { CHANNELS_MOST = 64, NAME_MOST = 32 };
enum { PACKED_MOST = 1100 }; /* bytes that a packed one can stand for: deflate has 1032 */
enum { TYPE_UINT, TYPE_HALF, TYPE_FLOAT, TYPES };
enum { PLAIN, RUNS, ZIP_LINE, ZIP };

typedef struct ExrChannel {
    int type;
    int place; /* in a pixel; -1: nothing that is wanted */
    bool gray; /* for all three */
} ExrChannel;

typedef struct ExrReader {
    const char *name; /* for messages */
    const uint8_t *bytes;
    size_t size, at;
    bool failed;            /* it ends too soon */
    int compression, lines; /* of a block */
    int32_t window[4];      /* first and last column and row; x0, y0, x1, y1 */
    ExrChannel channels[CHANNELS_MOST];
    int channel_count;
    size_t line_bytes;
    int width, height;
} ExrReader;

static mote_Status refuse(const ExrReader *r, const char *why, mote_Error *error)
{
    return status_fail(error, MOTE_BAD_VALUE, "%.200s: %s", r->name, why);
}

/* ---- numbers and texts ---- */

static uint32_t number_at(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint32_t take_number(ExrReader *r)
{
    if (r->size - r->at < 4) {
        r->failed = true;
        return 0;
    }
    r->at += 4;
    return number_at(r->bytes + r->at - 4);
}

/* A text that ends with 0, cut at `NAME_MOST`; "" at the end of a list. */
static void take_text(ExrReader *r, char text[NAME_MOST])
{
    size_t length = 0;
    while (r->at < r->size && r->bytes[r->at] != 0) {
        if (length + 1 < NAME_MOST) text[length++] = (char)r->bytes[r->at];
        ++r->at;
    }
    text[length] = '\0';
    if (r->at == r->size) r->failed = true;
    ++r->at;
    if (r->failed) r->at = r->size;
}

enum { ALPHA = 3 }; /* place in a pixel */

static float half_value(uint32_t h)
{
    const uint32_t exponent = h >> 10 & 31, part = h & 1023;
    const float sign = h >> 15 ? -1.0f : 1.0f;
    if (exponent == 31) return 0; /* infinite, or no number: no light of a picture */
    if (exponent == 0) return sign * ldexpf((float)part, -24);
    return sign * ldexpf((float)(part + 1024), (int)exponent - 25);
}

static float value_at(const uint8_t *b, int type)
{
    float value;
    if (type == TYPE_HALF) return half_value((uint32_t)b[0] | (uint32_t)b[1] << 8);
    const uint32_t bits = number_at(b);
    if (type == TYPE_UINT) return (float)bits;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0;
}

static size_t type_bytes(int type)
{
    return type == TYPE_HALF ? 2 : 4;
}

/* ---- the header ---- */

static void read_channels(ExrReader *r, size_t end)
{
    static const struct {
        const char *name;
        int place;
        bool gray;
    } known[] = {
        {"R", 0, false}, {"G", 1, false}, {"B", 2, false}, {"A", ALPHA, false}, {"Y", 0, true}};
    while (r->at < end && !r->failed) {
        char name[NAME_MOST];
        ExrChannel channel = {.place = -1};
        take_text(r, name);
        if (name[0] == '\0' || r->channel_count == CHANNELS_MOST) break;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
            if (strcmp(name, known[i].name) == 0)
                channel.place = known[i].place, channel.gray = known[i].gray;
        channel.type = (int)(take_number(r) & 0xff);
        take_number(r);
        if (take_number(r) != 1 || take_number(r) != 1 || channel.type >= TYPES) r->failed = true;
        r->channels[r->channel_count++] = channel;
    }
}

static void read_attribute(ExrReader *r, const char *name, size_t size)
{
    const size_t end = r->at + size;
    if (strcmp(name, "channels") == 0) read_channels(r, end);
    if (strcmp(name, "compression") == 0 && size == 1) r->compression = r->bytes[r->at];
    for (int k = 0; strcmp(name, "dataWindow") == 0 && size == 16 && k < 4; ++k)
        r->window[k] = (int32_t)take_number(r);
    r->at = end;
}

static mote_Status read_attributes(ExrReader *r, mote_Error *error)
{
    for (;;) {
        char name[NAME_MOST], type[NAME_MOST];
        take_text(r, name);
        if (r->failed || name[0] == '\0') break;
        take_text(r, type);
        const uint32_t size = take_number(r);
        if (r->failed || size > r->size - r->at) return refuse(r, "it ends too soon", error);
        read_attribute(r, name, size);
    }
    if (r->failed)
        return refuse(r, "its header is cut off, or has channels of an unknown kind", error);
    return MOTE_OK;
}

/* What the parts of the header say together. */
static mote_Status check_header(ExrReader *r, mote_Error *error)
{
    static const char *const others[] = {"PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"};
    const int64_t width = (int64_t)r->window[2] - r->window[0] + 1,
                  height = (int64_t)r->window[3] - r->window[1] + 1;
    bool wanted = false;
    if (r->compression > ZIP)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%.200s: its compression is %s, but must be none, RLE, ZIPS or ZIP; "
                           "`oiiotool FILE --compression zip -o NEW` changes that",
                           r->name,
                           r->compression - ZIP <= (int)(sizeof others / sizeof others[0])
                               ? others[r->compression - ZIP - 1]
                               : "unknown");
    if (width < 1 || height < 1 || width > MOTE_IMAGE_LARGEST_SIDE ||
        height > MOTE_IMAGE_LARGEST_SIDE)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%.200s: it has no size, or a side longer than %d pixels", r->name,
                           MOTE_IMAGE_LARGEST_SIDE);
    for (int c = 0; c < r->channel_count; ++c) {
        wanted |= r->channels[c].place >= 0 && r->channels[c].place != ALPHA;
        r->line_bytes += (size_t)width * type_bytes(r->channels[c].type);
    }
    if (!wanted) return refuse(r, "it has no channel R, G, B or Y", error);
    if ((uint64_t)height * r->line_bytes / PACKED_MOST > r->size)
        return refuse(r, "it is too short for its size", error);
    r->width = (int)width, r->height = (int)height;
    r->lines = r->compression == ZIP ? 16 : 1;
    return MOTE_OK;
}

static mote_Status read_header(ExrReader *r, mote_Error *error)
{
    if (take_number(r) != 20000630) return refuse(r, "it is no OpenEXR file", error);
    const uint32_t version = take_number(r);
    if (version & 0x200) return refuse(r, "it has tiles, but must have scan lines", error);
    if (version & 0x1800) return refuse(r, "it is deep or has several parts", error);
    mote_Status status = read_attributes(r, error);
    return status == MOTE_OK ? check_header(r, error) : status;
}

/* ---- blocks of lines ---- */

/* Runs: a count below 0 of bytes as they are, or one byte that is repeated once more than its
 * count. */
static bool unpack_runs(const uint8_t *from, size_t size, uint8_t *to, size_t room)
{
    size_t at = 0, done = 0;
    while (at < size) {
        const int count = (int8_t)from[at++];
        const size_t length = (size_t)(count < 0 ? -count : count + 1);
        const size_t used = count < 0 ? length : 1;
        if (length > room - done || used > size - at) return false;
        if (count < 0)
            memcpy(to + done, from + at, length);
        else
            memset(to + done, from[at], length);
        at += used, done += length;
    }
    return done == room;
}

/* Bytes were written as differences, and those at even places before those at odd ones. */
static void undo_prediction(uint8_t *packed, size_t size, uint8_t *out)
{
    const size_t half = (size + 1) / 2;
    for (size_t i = 1; i < size; ++i) packed[i] = (uint8_t)(packed[i] + packed[i - 1] - 128);
    for (size_t i = 0; i < size; ++i) out[i] = packed[(i & 1 ? half : 0) + i / 2];
}

/* What is no smaller for being packed stands as it is. */
static bool unpack(const ExrReader *r, const uint8_t *from, size_t size, uint8_t *spare,
                   uint8_t *out, size_t room)
{
    uLongf got = (uLongf)room;
    if (r->compression == PLAIN || size == room) {
        if (size == room) memcpy(out, from, size);
        return size == room;
    }
    const bool good = r->compression == RUNS
                          ? unpack_runs(from, size, spare, room)
                          : uncompress(spare, &got, from, (uLong)size) == Z_OK && got == room;
    if (good) undo_prediction(spare, room, out);
    return good;
}

/* What has no alpha is opaque. */
static void store_line(const ExrReader *r, const uint8_t *line, float *pixels)
{
    for (int x = 0; x < r->width; ++x) pixels[4 * x + ALPHA] = 1;
    for (int c = 0; c < r->channel_count; ++c) {
        const ExrChannel *channel = &r->channels[c];
        const size_t step = type_bytes(channel->type);
        for (int x = 0; x < r->width; ++x, line += step) {
            if (channel->place < 0) continue;
            const float value = value_at(line, channel->type);
            for (int k = 0; k < 4; ++k)
                if ((channel->gray && k != ALPHA) || channel->place == k) pixels[4 * x + k] = value;
        }
    }
}

/* One block, wherever it stands; `spare` and `out` have room for one. */
static bool read_block(ExrReader *r, uint64_t place, uint8_t *spare, uint8_t *out,
                       mote_Image *image)
{
    if (place > r->size || r->size - place < 8) return false;
    const int64_t first = (int64_t)(int32_t)number_at(r->bytes + place) - r->window[1];
    const size_t size = number_at(r->bytes + place + 4);
    if (first < 0 || first >= r->height || size > r->size - (size_t)place - 8) return false;
    const int64_t left = r->height - first, lines = left < r->lines ? left : r->lines;
    if (!unpack(r, r->bytes + place + 8, size, spare, out, (size_t)lines * r->line_bytes))
        return false;
    for (int64_t y = 0; y < lines; ++y)
        store_line(r, out + (size_t)y * r->line_bytes,
                   image->pixels + 4 * (size_t)(first + y) * (size_t)r->width);
    return true;
}

static mote_Status read_blocks(ExrReader *r, mote_Image *image, mote_Error *error)
{
    const size_t blocks = ((size_t)r->height + (size_t)r->lines - 1) / (size_t)r->lines;
    const size_t room = (size_t)r->lines * r->line_bytes;
    uint8_t *spare = arena_take(&image->arena, room), *out = arena_take(&image->arena, room);
    if (spare == NULL || out == NULL) return status_no_memory(error, "reading an EXR file", room);
    for (size_t b = 0; b < blocks; ++b) {
        const uint64_t low = take_number(r), place = low | (uint64_t)take_number(r) << 32;
        if (r->failed || !read_block(r, place, spare, out, image))
            return status_fail(error, MOTE_BAD_VALUE,
                               "%.200s: block %zu of its lines is cut off or damaged", r->name, b);
    }
    return MOTE_OK;
}

mote_Status mote_image_decode_exr(const void *bytes, size_t size, const char *name,
                                  mote_Image **image, mote_Error *error)
{
    ExrReader r = {.name = name, .bytes = bytes, .size = size};
    *image = NULL;
    mote_Status status = read_header(&r, error);
    if (status == MOTE_OK) status = mote_image_create(r.width, r.height, image, error);
    if (status == MOTE_OK) status = read_blocks(&r, *image, error);
    if (status == MOTE_OK) return MOTE_OK;
    mote_image_destroy(*image);
    *image = NULL;
    return status;
}

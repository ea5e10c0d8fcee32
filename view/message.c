/* The head of a message, and how its two parts come together. */
#include "view/message.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

void view_message_init(ViewMessage *message)
{
    *message = (ViewMessage){.memory = memory_make(mote_default_allocator())};
    message->scratch = arena_make(&message->memory);
    message->json = json_writer(&message->memory);
    message->data.memory = message->bytes.memory = &message->memory;
}

static void bytes_free(ViewBytes *bytes)
{
    memory_free(bytes->memory, bytes->bytes, bytes->capacity);
    bytes->bytes = NULL;
    bytes->size = bytes->capacity = 0;
}

void view_message_free(ViewMessage *message)
{
    bytes_free(&message->data);
    bytes_free(&message->bytes);
    json_writer_free(&message->json);
    arena_free(&message->scratch);
}

static unsigned char *bytes_add(ViewBytes *bytes, size_t size)
{
    if (bytes->failed || !memory_reserve(bytes->memory, (void **)&bytes->bytes, &bytes->capacity,
                                         bytes->size + size + 1, 1)) {
        bytes->failed = true;
        return NULL;
    }
    unsigned char *at = bytes->bytes + bytes->size;
    bytes->size += size;
    return at;
}

/* ---- blocks ---- */

void *view_block(ViewMessage *message, size_t size, size_t *at)
{
    const size_t rest = message->data.size % 8, gap = rest > 0 ? 8 - rest : 0;
    unsigned char *room = bytes_add(&message->data, gap + size);
    if (room == NULL) return NULL;
    memset(room, 0, gap);
    *at = message->data.size - size;
    return room + gap;
}

void view_block_begin(ViewMessage *message, const char *key, size_t at, const char *type,
                      size_t count)
{
    json_begin(&message->json, key, '{');
    json_put_u64(&message->json, "at", at);
    json_put_text(&message->json, "type", type);
    json_put_u64(&message->json, "count", count);
}

void view_put_block(ViewMessage *message, const char *key, const char *type, const void *numbers,
                    size_t count)
{
    const size_t each = type[1] == '8' ? 1 : type[1] == '1' ? 2 : 4;
    size_t at;
    void *room = view_block(message, count * each, &at);
    if (room == NULL) return;
    if (count > 0) memcpy(room, numbers, count * each);
    view_block_begin(message, key, at, type, count);
    json_finish(&message->json, '}');
}

void view_put_numbers(JsonWriter *json, const char *key, const double *numbers, size_t count)
{
    json_begin(json, key, '[');
    for (size_t i = 0; i < count; ++i)
        json_put_double(json, NULL, isfinite(numbers[i]) ? numbers[i] : 0);
    json_finish(json, ']');
}

void view_put_vec(JsonWriter *json, const char *key, mote_Vec3 v)
{
    view_put_numbers(json, key, (double[]){(double)v.x, (double)v.y, (double)v.z}, 3);
}

/* ---- places ---- */

/* What is not finite has no place, and must not spoil that of the others. */
static void points_bounds(const mote_real *plane, size_t count, size_t stride, double bounds[2])
{
    mote_real low = (mote_real)INFINITY, high = -(mote_real)INFINITY;
    const mote_real most = (mote_real)1e30;
    for (size_t i = 0; i < count; ++i) {
        const mote_real value = plane[i * stride];
        if (!(value < most) || !(value > -most)) continue;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    bounds[0] = low <= high ? (double)low : 0;
    bounds[1] = low <= high ? (double)high : 0;
}

static void put_floats(ViewMessage *message, const char *key, const ViewPoints *p)
{
    size_t at;
    float *out = view_block(message, 3 * p->count * sizeof *out, &at);
    if (out == NULL) return;
    for (size_t k = 0; k < 3; ++k)
        for (size_t i = 0; i < p->count; ++i)
            out[p->planar ? k * p->count + i : 3 * i + k] = (float)p->planes[k][i * p->stride];
    view_block_begin(message, key, at, "f32", 3 * p->count);
    json_finish(&message->json, '}');
}

static void quantise(const ViewPoints *p, size_t k, double low, double step, uint16_t *out)
{
    const size_t stride = p->stride, jump = p->planar ? 1 : 3;
    const mote_real *plane = p->planes[k], first = (mote_real)low;
    const mote_real scale = step > 0 ? (mote_real)(1 / step) : 0;
    out += p->planar ? k * p->count : k;
    for (size_t i = 0; i < p->count; ++i) {
        mote_real at = (plane[i * stride] - first) * scale + (mote_real)0.5;
        at = at > 0 ? at : 0;
        out[i * jump] = (uint16_t)(at < 65535 ? at : 65535);
    }
}

void view_put_points(ViewMessage *message, const char *key, const ViewPoints *points)
{
    double low[3], step[3], longest = 0, bounds[2];
    size_t at;
    for (size_t k = 0; k < 3; ++k) {
        points_bounds(points->planes[k], points->count, points->stride, bounds);
        low[k] = bounds[0], step[k] = (bounds[1] - bounds[0]) / 65535;
        longest = step[k] > longest ? step[k] : longest;
    }
    if (points->fine > 0 && longest > points->fine) {
        put_floats(message, key, points);
        return;
    }
    uint16_t *out = view_block(message, 3 * points->count * sizeof *out, &at);
    if (out == NULL) return;
    for (size_t k = 0; k < 3; ++k) quantise(points, k, low[k], step[k], out);
    view_block_begin(message, key, at, "u16", 3 * points->count);
    view_put_numbers(&message->json, "low", low, 3);
    view_put_numbers(&message->json, "step", step, 3);
    json_finish(&message->json, '}');
}

/* ---- the message ---- */

static void put_u32(unsigned char *to, size_t value)
{
    for (int i = 0; i < 4; ++i) to[i] = (unsigned char)(value >> (8 * i));
}

static bool join(ViewMessage *m)
{
    const size_t text = (m->json.size + 7) / 8 * 8;
    m->bytes.size = 0;
    unsigned char *out = bytes_add(&m->bytes, VIEW_HEAD + text + m->data.size);
    if (out == NULL) return false;
    memcpy(out, "mote", 4);
    put_u32(out + 4, VIEW_VERSION | VIEW_KIND_FRAME << 16);
    put_u32(out + 8, text);
    put_u32(out + 12, m->data.size);
    memset(out + VIEW_HEAD, ' ', text);
    memcpy(out + VIEW_HEAD, m->json.text, m->json.size);
    if (m->data.size > 0) memcpy(out + VIEW_HEAD + text, m->data.bytes, m->data.size);
    return true;
}

static void put_all(ViewMessage *message, const ViewFrame *input)
{
    const mote_Frame *frame = input->frame;
    JsonWriter *json = &message->json;
    json_begin(json, NULL, '{');
    json_put_u64(json, "index", frame->index);
    json_put_double(json, "time", frame->time);
    json_put_double(json, "dt", frame->dt);
    json_put_u64(json, "dimension", (uint64_t)frame->dimension);
    json_put_u64(json, "up", (uint64_t)frame->up_axis);
    view_put_picture(message, input->def);
    view_put_systems(message, input);
    view_put_links(message, frame);
    view_put_surfaces(message, frame);
    view_put_shapes(message, input);
    json_finish(json, '}');
}

mote_Status view_message_make(ViewMessage *message, const ViewFrame *input, mote_Error *error)
{
    message->json.size = message->data.size = 0;
    message->json.comma = message->json.failed = message->data.failed = false;
    message->bytes.failed = false;
    arena_reset(&message->scratch);
    put_all(message, input);
    const size_t size = message->json.size + message->data.size;
    if (size > UINT32_MAX - 64)
        return status_fail(error, MOTE_BAD_VALUE,
                           "view: the frame has %zu bytes, but must have less than 4 GB", size);
    if (message->json.failed || message->data.failed || !join(message))
        return status_no_memory(error, "a view's message", size);
    return MOTE_OK;
}

/* Projection: particles to splats. */
#include "render/kernels/kernels.h"
#include "render/kernels/vectors.h"
#include "render/sheet.h"

#include <string.h>

#define FARTHEST       1e7f /* px from the picture's corner */
#define RADIUS_MOST    1e6f /* px */
#define BRIGHTEST      1e8f
#define EXPONENT_LEAST 20u /* of colours; darker than 1e-32 is black */

static void load_column(const mote_real *column, size_t n, float otherwise, float factor,
                        float *out)
{
    if (column == NULL) {
        for (size_t i = 0; i < n; ++i) out[i] = otherwise * factor;
        return;
    }
    FOR_ROWS (i, n) out[i] = (float)column[i] * factor;
}

/* Camera space, into x, y, depth; the same turn of the velocity times the shutter. */
static void turn(const View *v, const mote_real *const from[3], mote_Vec3 origin, size_t n,
                 float *const out[3])
{
    const mote_real *px = from[0], *py = from[1], *pz = from[2];
    float *ox = out[0], *oy = out[1], *oz = out[2];
    const float(*a)[3] = v->axis;
    FOR_ROWS (i, n) {
        float x = (float)(px[i] - origin.x), y = (float)(py[i] - origin.y),
              z = (float)(pz[i] - origin.z);
        ox[i] = a[0][0] * x + a[0][1] * y + a[0][2] * z;
        oy[i] = a[1][0] * x + a[1][1] * y + a[1][2] * z;
        oz[i] = a[2][0] * x + a[2][1] * y + a[2][2] * z;
    }
}

/* The motion on the screen in the time that the shutter is open, linear in it, in px; of places
 * that are still those of camera space. */
static void load_blur(const ProjectJob *job, size_t first, size_t n, PixelBlock *b)
{
    const SplatSource *s = job->source;
    const View *v = job->view;
    float along[BLOCK_ROWS];
    if (!s->blur || s->velocity[0] == NULL) {
        memset(b->blur, 0, sizeof b->blur);
        return;
    }
    const mote_real *from[3] = {s->velocity[0] + first, s->velocity[1] + first,
                                s->velocity[2] + first};
    turn(v, from, (mote_Vec3){0, 0, 0}, n, (float *[3]){b->blur[0], b->blur[1], along});
    /* without perspective everything is at depth 1 and does not come nearer */
    const float nearing = v->orthographic ? 0 : 1, fixed = 1 - nearing, focal = v->focal;
    const float shutter = v->shutter, most = (float)(v->width + v->height), most2 = most * most;
    FOR_ROWS (i, n) {
        float depth = nearing * b->depth[i] + fixed, scale = focal / depth;
        float x = b->x[i] * scale, y = b->y[i] * scale, rate = nearing * along[i] / depth;
        float bx = (b->blur[0][i] * scale - x * rate) * shutter;
        float by = (b->blur[1][i] * scale - y * rate) * shutter;
        float length2 = bx * bx + by * by;
        float keep = length2 > most2 ? most / __builtin_sqrtf(length2) : 1;
        keep = length2 < 1e30f ? keep : 0; /* and NaN */
        b->blur[0][i] = keep > 0 ? bx * keep : 0;
        b->blur[1][i] = keep > 0 ? by * keep : 0;
    }
}

static void to_pixels(const View *v, size_t n, PixelBlock *b)
{
    const float nearing = v->orthographic ? 0 : 1, fixed = 1 - nearing, focal = v->focal;
    const float cx = v->center[0], cy = v->center[1];
    FOR_ROWS (i, n) {
        float scale = focal / (nearing * b->depth[i] + fixed), radius = b->radius[i] * scale;
        b->x[i] = b->x[i] * scale + cx;
        b->y[i] = b->y[i] * scale + cy;
        b->radius[i] = radius < RADIUS_MOST ? radius : RADIUS_MOST;
    }
}

/* How much of a ball of the drawn radius is above the planes: all when its centre is a radius above
 * them, nothing when it is a radius below. The camera's side is above. */
static void hide_below(const ProjectJob *job, size_t first, size_t n, PixelBlock *b)
{
    const SplatSource *s = job->source;
    const mote_Vec3 eye = job->view->from;
    for (size_t p = 0; p < job->plane_count; ++p) {
        const SplatPlane *plane = &job->planes[p];
        const mote_real *px = s->position[0] + first, *py = s->position[1] + first,
                        *pz = s->position[2] + first;
        FOR_ROWS (i, n) {
            float height = plane->normal[0] * (float)(px[i] - eye.x) +
                           plane->normal[1] * (float)(py[i] - eye.y) +
                           plane->normal[2] * (float)(pz[i] - eye.z) - plane->offset;
            float part = 0.5f + 0.5f * height / b->radius[i];
            part = part > 0 ? part : 0;
            b->alpha[i] *= part < 1 ? part : 1;
        }
    }
}

static void load_colors(const SplatSource *s, size_t first, size_t n, PixelBlock *b)
{
    for (int k = 0; k < 3; ++k) {
        const mote_real *column = s->color[k] == NULL ? NULL : s->color[k] + first;
        float *out = b->color[k];
        if (column == NULL) {
            for (size_t i = 0; i < n; ++i) out[i] = s->brightness;
            continue;
        }
        FOR_ROWS (i, n) {
            float value = (float)column[i] * s->brightness;
            value = value > 0 ? value : 0; /* and NaN */
            out[i] = value < BRIGHTEST ? value : BRIGHTEST;
        }
    }
}

static void load_light(const SplatSource *s, size_t first, size_t n, PixelBlock *b)
{
    for (int k = 0; k < 3 && s->light[k] != NULL; ++k) {
        const float *light = s->light[k] + first;
        float *color = b->color[k];
        FOR_ROWS (i, n) {
            float value = color[i] * light[i];
            value = value > 0 ? value : 0; /* and NaN */
            color[i] = value < BRIGHTEST ? value : BRIGHTEST;
        }
    }
}

/* What the footprint leaves alone: the cell's number among those of all sheets, from 1, and its
 * turn. */
static void load_sprites(const SplatSource *s, size_t first, size_t n, PixelBlock *b)
{
    for (size_t i = 0; i < n; ++i) {
        float turn[2];
        sheet_turn(s, first + i, turn);
        b->sharp[0][i] = turn[0], b->sharp[1][i] = turn[1];
        b->scale[i] = (float)(s->sheet->first + sheet_cell(s, first + i) + 1);
    }
}

static void load(const ProjectJob *job, size_t first, size_t n, PixelBlock *b)
{
    const SplatSource *s = job->source;
    const mote_real *from[3] = {s->position[0] + first, s->position[1] + first,
                                s->position[2] + first};
    turn(job->view, from, job->view->from, n, (float *[3]){b->x, b->y, b->depth});
    load_column(s->radius != NULL ? s->radius + first : NULL, n, 0.01f, s->size, b->radius);
    load_column(s->opacity != NULL ? s->opacity + first : NULL, n, 1, 1, b->alpha);
    FOR_ROWS (i, n) b->alpha[i] = b->alpha[i] < 1 ? b->alpha[i] : 1;
    hide_below(job, first, n, b);
    load_colors(s, first, n, b);
    load_light(s, first, n, b);
    load_blur(job, first, n, b);
    if (s->sheet != NULL) load_sprites(s, first, n, b);
    to_pixels(job->view, n, b);
}

/* Marks what can be seen and is a number. */
static void find_visible(const View *v, const PixelBlock *b, size_t n, uint32_t *seen)
{
    const float width = (float)v->width, height = (float)v->height, near = v->near;
    FOR_ROWS (i, n) {
        float x = b->x[i], y = b->y[i], ex = b->extent[0][i], ey = b->extent[1][i];
        seen[i] = (b->depth[i] >= near) & (b->depth[i] < 1e30f) & (b->radius[i] > 0) &
                  (b->alpha[i] * b->scale[i] > 1e-12f) & (x > -FARTHEST) & (x < FARTHEST) &
                  (y > -FARTHEST) & (y < FARTHEST) & (x + ex > 0) & (x - ex < width) &
                  (y + ey > 0) & (y - ey < height);
    }
}

/* The words of the records that are not in the block, and where each goes. */
typedef struct Words {
    uint32_t id[BLOCK_ROWS], light[2][BLOCK_ROWS], cell[BLOCK_ROWS], seen[BLOCK_ROWS];
    float alpha[BLOCK_ROWS];
} Words;

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the last words of a splat are put together for little-endian machines"
#endif

/* Colours as 16-bit multiples of a power of two that they share, with the exponent and the kind. */
static void mix_inks(const PixelBlock *b, size_t n, uint32_t added, Words *words)
{
    uint32_t *first = words->light[0], *second = words->light[1];
    FOR_ROWS (i, n) {
        float red = b->color[0][i], green = b->color[1][i], blue = b->color[2][i];
        float most = red > green ? red : green;
        most = most > blue ? most : blue;
        union {
            float value;
            uint32_t bits;
        } top = {.value = most}, scale;
        uint32_t exponent = (top.bits >> 23) + 1; /* most < 2^(exponent - 127) */
        exponent = exponent > EXPONENT_LEAST ? exponent : EXPONENT_LEAST;
        scale.bits = (254 + 16 - exponent) << 23; /* 2^(16 + 127 - exponent) */
        float r = red * scale.value + 0.5f, g = green * scale.value + 0.5f,
              u = blue * scale.value + 0.5f;
        uint32_t rs = (uint32_t)(int32_t)(r < 65535 ? r : 65535);
        uint32_t gs = (uint32_t)(int32_t)(g < 65535 ? g : 65535);
        uint32_t us = (uint32_t)(int32_t)(u < 65535 ? u : 65535);
        first[i] = rs | gs << 16;
        second[i] = us | exponent << 16 | (b->kind[i] | added) << 24;
    }
}

/* Tiles of the upper left and lower right pixels, like splat_bounds. */
static void find_cells(const ProjectJob *job, const PixelBlock *b, size_t n, uint32_t *cells)
{
    const float width = (float)job->view->width, height = (float)job->view->height;
    const int shift = job->shift, columns = job->columns;
    FOR_ROWS (i, n) {
        float x0 = b->x[i] - b->extent[0][i] + 0.5f, x1 = b->x[i] + b->extent[0][i] + 0.5f;
        float y0 = b->y[i] - b->extent[1][i] + 0.5f, y1 = b->y[i] + b->extent[1][i] + 0.5f;
        x0 = x0 > 0 ? x0 : 0, y0 = y0 > 0 ? y0 : 0;
        x0 = x0 < width ? x0 : width, y0 = y0 < height ? y0 : height;
        x1 = x1 > 0 ? x1 : 0, y1 = y1 > 0 ? y1 : 0;
        x1 = x1 < width ? x1 : width, y1 = y1 < height ? y1 : height;
        int left = (int)x0, right = (int)x1, top = (int)y0, bottom = (int)y1;
        int column = left >> shift, wide = ((right - 1) >> shift) - column;
        int row = top >> shift, high = ((bottom - 1) >> shift) - row;
        uint32_t cell = (uint32_t)(row * columns + column) * 4 + (uint32_t)(2 * high + wide);
        bool few = ((wide | high) <= 1) & (left < right) & (top < bottom);
        cells[i] = few ? cell : CELL_ASK;
    }
}

static void find_words(const ProjectJob *job, size_t first, size_t n, const PixelBlock *b,
                       Words *words)
{
    const uint64_t *ids = job->source->id != NULL ? job->source->id + first : NULL;
    const uint32_t base = (uint32_t)first;
    if (ids != NULL) {
        FOR_ROWS (i, n) words->id[i] = (uint32_t)ids[i];
    } else {
        FOR_ROWS (i, n) words->id[i] = base + (uint32_t)i;
    }
    FOR_ROWS (i, n) {
        float scaled = b->alpha[i] * b->scale[i];
        words->alpha[i] = b->kind[i] & KIND_STREAK ? b->alpha[i] : scaled;
    }
    mix_inks(b, n, job->source->occlusion > 0 ? 0 : KIND_ADDED, words);
    find_cells(job, b, n, words->cell);
    find_visible(job->view, b, n, words->seen);
    for (size_t i = n; i < BLOCK_ROWS && i < n + 3; ++i) words->seen[i] = 0;
}

static Splat *pack_streak(const PixelBlock *b, size_t i, Splat *out)
{
    Streak streak = {.u = {b->u[0][i], b->u[1][i]},
                     .half = b->half[i],
                     .scale = b->scale[i],
                     .extent = {b->extent[0][i], b->extent[1][i]},
                     .sharp = {b->sharp[0][i], b->sharp[1][i]}};
    memcpy(out, &streak, sizeof streak);
    return out + 1;
}

/* Eight words of four rows each become the records of four rows; those that are not seen are
 * written, too, and then over. */
static size_t pack(const ProjectJob *job, size_t first, size_t n, const PixelBlock *b, Splat *to,
                   uint32_t *cells)
{
    Splat *out = to;
    Words words;
    find_words(job, first, n, b, &words);
    for (size_t i = 0; i < n; i += 4) {
        V4 half[2][4] = {
            {load4(b->x + i), load4(b->y + i), load4(b->depth + i), load4(words.id + i)},
            {load4(b->reach + i), load4(words.alpha + i), load4(words.light[0] + i),
             load4(words.light[1] + i)}};
        transpose4(half[0]);
        transpose4(half[1]);
        for (size_t k = 0; k < 4; ++k) {
            memcpy(out, &half[0][k], sizeof(V4));
            memcpy((char *)out + sizeof(V4), &half[1][k], sizeof(V4));
            cells[out - to] = words.cell[i + k];
            if (!words.seen[i + k]) continue;
            ++out;
            if (!(b->kind[i + k] & KIND_STREAK)) continue;
            cells[out - to] = CELL_ASK; /* the second slot has no cell of its own */
            out = pack_streak(b, i + k, out);
        }
    }
    return (size_t)(out - to);
}

size_t ISA(splat_project)(const ProjectJob *job, size_t first, size_t count, Splat *out,
                          uint32_t *cells)
{
    PixelBlock block;
    size_t written = 0;
    for (size_t done = 0; done < count; done += BLOCK_ROWS) {
        size_t n = count - done < BLOCK_ROWS ? count - done : BLOCK_ROWS;
        load(job, first + done, n, &block);
        ISA(splat_footprint)(job->source, n, &block);
        written += pack(job, first + done, n, &block, out + written, cells + written);
    }
    return written;
}

/* Projection: particles to splats.
 *
 * The footprint of a particle of drawn radius R px is a kernel of covariance
 *     S = (c R)^2 I + p^2 I + b b^T / 12
 * with the pixel's filter p and the motion b during the shutter (EWA splatting, Zwicker et al.,
 * IEEE TVCG 2002). Peak opacity is scaled by sqrt(det S0 / det S), S0 = (c R)^2 I: what is smaller
 * than a pixel or blurred becomes fainter, and its light stays. Streaks longer than 4 deviations
 * become capsules of the same light, because one Gaussian would be too pointed. */
#include "render/kernels/kernels.h"

#include "base/loop.h"

#include <string.h>

#define PIXEL_VARIANCE 0.375f /* px^2: sums over pixels then err by less than 0.5 % */
#define SMOOTH_LEAST   0.375f /* px^2: own variance below which every profile is Gaussian */
#define STREAK_LONG    4.0f   /* deviations */
#define FARTHEST       1e7f   /* px from the picture's corner */
#define RADIUS_MOST    1e6f   /* px */
#define SMALL_DISC     0.564f /* px: area 1 */
#define BRIGHTEST      1e8f

/* Planar values of a block of rows. */
typedef struct Block {
    float x[BLOCK_ROWS], y[BLOCK_ROWS], depth[BLOCK_ROWS]; /* px, px, m */
    float radius[BLOCK_ROWS];                              /* px */
    float blur[2][BLOCK_ROWS];                             /* px during the shutter */
    float alpha[BLOCK_ROWS];
    float color[3][BLOCK_ROWS];
    float u[2][BLOCK_ROWS], m[BLOCK_ROWS], extent[2][BLOCK_ROWS];
    uint32_t kind[BLOCK_ROWS]; /* profile and form, as in Splat.shape */
} Block;

static float from_column(const mote_real *column, size_t i, float otherwise)
{
    return column != NULL ? (float)column[i] : otherwise;
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

static void load_blur(const ProjectJob *job, size_t first, size_t n, Block *b, float along[])
{
    const Source *s = job->source;
    if (!s->blur || s->velocity[0] == NULL) {
        memset(b->blur, 0, sizeof b->blur);
        memset(along, 0, n * sizeof *along);
        return;
    }
    const mote_real *from[3] = {s->velocity[0] + first, s->velocity[1] + first,
                                s->velocity[2] + first};
    turn(job->view, from, (mote_Vec3){0, 0, 0}, n, (float *[3]){b->blur[0], b->blur[1], along});
}

/* Pixels. The blur is the motion on the screen, linear in the shutter's time. */
static void to_pixels(const View *v, size_t n, Block *b, const float *along)
{
    /* without perspective everything is at depth 1 and does not come nearer */
    const float nearing = v->orthographic ? 0 : 1, fixed = 1 - nearing, focal = v->focal;
    const float shutter = v->shutter, most = (float)(v->width + v->height), most2 = most * most;
    const float cx = v->center[0], cy = v->center[1];
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
        b->x[i] = x + cx;
        b->y[i] = y + cy;
        float radius = b->radius[i] * scale;
        b->radius[i] = radius < RADIUS_MOST ? radius : RADIUS_MOST;
    }
}

/* How much of a ball of the drawn radius is above the planes: all when its centre is a radius above
 * them, nothing when it is a radius below. The camera's side is above. */
static void hide_below(const ProjectJob *job, size_t first, size_t n, Block *b)
{
    const Source *s = job->source;
    const mote_Vec3 eye = job->view->from;
    for (size_t p = 0; p < job->plane_count; ++p) {
        const Plane *plane = &job->planes[p];
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

static void load_colors(const Source *s, size_t first, size_t n, Block *b)
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

static void load_light(const Source *s, size_t first, size_t n, Block *b)
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

static void load(const ProjectJob *job, size_t first, size_t n, Block *b)
{
    const Source *s = job->source;
    float along[BLOCK_ROWS];
    const mote_real *from[3] = {s->position[0] + first, s->position[1] + first,
                                s->position[2] + first};
    turn(job->view, from, job->view->from, n, (float *[3]){b->x, b->y, b->depth});
    for (size_t i = 0; i < n; ++i) {
        b->radius[i] = from_column(s->radius, first + i, 0.01f) * s->size;
        float alpha = from_column(s->opacity, first + i, 1);
        b->alpha[i] = alpha < 1 ? alpha : 1;
    }
    hide_below(job, first, n, b);
    load_colors(s, first, n, b);
    load_light(s, first, n, b);
    load_blur(job, first, n, b, along);
    to_pixels(job->view, n, b, along);
}

/* The constants of a kernel, and of the Gaussian for particles of about a pixel: sampled once per
 * pixel, narrower profiles would flicker. */
typedef struct Smooth {
    float own, reach, line; /* variance without filter; of KernelRow */
    uint32_t round, ellipse, capsule;
} Smooth;

static Smooth smooth_make(const KernelRow *kernel)
{
    return (Smooth){.own = kernel->deviation * kernel->deviation,
                    .reach = kernel->reach,
                    .line = kernel->line,
                    .round = shape_pack(0, 0, kernel->profile, FORM_ROUND),
                    .ellipse = shape_pack(0, 0, kernel->profile, FORM_ELLIPSE),
                    .capsule = shape_pack(0, 0, kernel->profile, FORM_CAPSULE)};
}

/* Gaussian and soft profiles. */
static void shape_smooth(const KernelRow *kernel, size_t n, Block *b)
{
    size_t rows;
    const float two_pi = 6.2831853f;
    const Smooth large = smooth_make(kernel), small = smooth_make(&kernel_rows(&rows)[0]);
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], r = b->radius[i], own = large.own * r * r;
        bool tiny = own < SMOOTH_LEAST;
        float reach = tiny ? small.reach : large.reach, line = tiny ? small.line : large.line;
        float var = own + PIXEL_VARIANCE, s = __builtin_sqrtf(var), size = reach * s;
        float length2 = bx * bx + by * by, length = __builtin_sqrtf(length2);
        bool still = !(length2 > 0.01f * var), streak = length > STREAK_LONG * s;
        float ux = still ? 1 : bx / length, uy = still ? 0 : by / length;
        /* ellipse */
        float stretch = __builtin_sqrtf(1 + length2 / (12 * var));
        float ex = reach * __builtin_sqrtf(var + bx * bx * (1 / 12.0f));
        float ey = reach * __builtin_sqrtf(var + by * by * (1 / 12.0f));
        /* capsule: as bright in its middle as the true blur, its length from the light */
        float half = 0.5f * length - 0.5f * two_pi / line * s;
        float cx = size + half * (ux > 0 ? ux : -ux), cy = size + half * (uy > 0 ? uy : -uy);
        float dim_streak = two_pi * own / (s * length * line), dim = own / (var * stretch);
        float dim_still = own / var;
        b->u[0][i] = ux / size;
        b->u[1][i] = uy / size;
        b->m[i] = still ? 1 : streak ? half / size : 1 / stretch;
        b->alpha[i] *= still ? dim_still : streak ? dim_streak : dim;
        b->extent[0][i] = still ? size : streak ? cx : ex;
        b->extent[1][i] = still ? size : streak ? cy : ey;
        uint32_t round = tiny ? small.round : large.round;
        uint32_t ellipse = tiny ? small.ellipse : large.ellipse;
        uint32_t capsule = tiny ? small.capsule : large.capsule;
        b->kind[i] = still ? round : streak ? capsule : ellipse;
    }
}

/* A disc of radius R, with its edge, blurred by the pixel, at R' = sqrt(R^2 - 1/12): then its area
 * is pi R^2. */
static void shape_disc(size_t n, Block *b)
{
    const float pi = 3.14159265f;
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], r = b->radius[i], r2 = r * r;
        float edge = __builtin_sqrtf(r2 > 0.09f ? r2 - 1 / 12.0f : 0.01f);
        float length = __builtin_sqrtf(bx * bx + by * by), size = edge + DISC_EDGE;
        float half = 0.5f * length - pi * r2 / (4 * edge);
        bool streak = half > 0;
        float ux = streak ? bx / length : 1, uy = streak ? by / length : 0;
        b->u[0][i] = ux / size;
        b->u[1][i] = uy / size;
        b->m[i] = streak ? half / size : 1;
        b->alpha[i] *= streak ? pi * r2 / (2 * edge * length) : 1;
        b->extent[0][i] = size + (streak ? half * (ux > 0 ? ux : -ux) : 0);
        b->extent[1][i] = size + (streak ? half * (uy > 0 ? uy : -uy) : 0);
        b->kind[i] = shape_pack(0, 0, PROFILE_DISC, streak ? FORM_CAPSULE : FORM_ROUND);
    }
}

/* A disc smaller than a pixel: its area, shared by the four pixels around its centre. */
static void shape_small_discs(size_t n, const float *opacity, Block *b)
{
    for (size_t i = 0; i < n; ++i) {
        if (!(b->radius[i] < SMALL_DISC)) continue;
        b->u[0][i] = 1, b->u[1][i] = 0, b->m[i] = 1;
        b->alpha[i] = opacity[i] * 3.14159265f * b->radius[i] * b->radius[i];
        b->extent[0][i] = b->extent[1][i] = 1;
        b->kind[i] = shape_pack(0, 0, PROFILE_TENT, FORM_ROUND);
    }
}

/* Sub-pixel discs that move by more than a pixel are streaks of the Gaussian with their area. */
static void shape_discs(const Source *s, size_t n, Block *b)
{
    float opacity[BLOCK_ROWS];
    Block thin;
    memcpy(opacity, b->alpha, n * sizeof *opacity);
    if (s->blur) {
        size_t rows;
        KernelRow gaussian = kernel_rows(&rows)[0];
        gaussian.deviation = s->kernel->deviation;
        thin = *b;
        shape_smooth(&gaussian, n, &thin);
    }
    shape_disc(n, b);
    shape_small_discs(n, opacity, b);
    for (size_t i = 0; s->blur && i < n; ++i) {
        float bx = b->blur[0][i], by = b->blur[1][i];
        if (!(b->radius[i] < SMALL_DISC) || !(bx * bx + by * by > 1)) continue;
        for (int k = 0; k < 2; ++k) b->u[k][i] = thin.u[k][i], b->extent[k][i] = thin.extent[k][i];
        b->m[i] = thin.m[i], b->alpha[i] = thin.alpha[i], b->kind[i] = thin.kind[i];
    }
}

static uint32_t extent_code(float extent)
{
    float quarters = extent * 4 + 1;
    return quarters < (float)EXTENT_MOST ? (uint32_t)quarters : EXTENT_MOST;
}

/* False for what cannot be seen and for what is not a number. */
static bool visible(const View *v, const Block *b, size_t i)
{
    float x = b->x[i], y = b->y[i], ex = b->extent[0][i], ey = b->extent[1][i];
    return b->depth[i] >= v->near && b->depth[i] < 1e30f && b->radius[i] > 0 &&
           b->alpha[i] > 1e-12f && x > -FARTHEST && x < FARTHEST && y > -FARTHEST && y < FARTHEST &&
           x + ex > 0 && x - ex < (float)v->width && y + ey > 0 && y - ey < (float)v->height;
}

static size_t pack(const ProjectJob *job, size_t first, size_t n, const Block *b, Splat *out)
{
    const Source *s = job->source;
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) {
        if (!visible(job->view, b, i)) continue;
        float alpha = b->alpha[i];
        out[count++] = (Splat){
            .x = b->x[i],
            .y = b->y[i],
            .depth = b->depth[i],
            .id = (uint32_t)(s->id != NULL ? s->id[first + i] : first + i),
            .u = {b->u[0][i], b->u[1][i]},
            .m = b->m[i],
            .alpha = alpha * s->occlusion,
            .color = {alpha * b->color[0][i], alpha * b->color[1][i], alpha * b->color[2][i]},
            .shape = b->kind[i] | extent_code(b->extent[0][i]) |
                     extent_code(b->extent[1][i]) << EXTENT_BITS};
    }
    return count;
}

size_t ISA(splat_project)(const ProjectJob *job, size_t first, size_t count, Splat *out)
{
    Block block;
    size_t written = 0;
    for (size_t done = 0; done < count; done += BLOCK_ROWS) {
        size_t n = count - done < BLOCK_ROWS ? count - done : BLOCK_ROWS;
        load(job, first + done, n, &block);
        if (job->source->kernel->profile == PROFILE_DISC)
            shape_discs(job->source, n, &block);
        else
            shape_smooth(job->source->kernel, n, &block);
        written += pack(job, first + done, n, &block, out + written);
    }
    return written;
}

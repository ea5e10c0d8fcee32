/* Sky and ground along a row of pixels: rays, where they meet the plane, the checker filtered over
 * the pixel's footprint there, and the haze. See backdrop.c for the method. */
#include "render/kernels/kernels.h"

#include <string.h>

/* Directions of the rays, with a component of 1 along the view; origins without perspective. */
typedef struct GroundRays {
    float direction[3][BLOCK_ROWS], origin[3][BLOCK_ROWS];
} GroundRays;

static void make_rays(const GroundRow *r, GroundRays *rays)
{
    const View *v = r->view;
    const float down = (r->y - v->center[1]) / v->focal, inverse = 1 / v->focal;
    const float bent = v->orthographic ? 0 : 1, moved = 1 - bent;
    for (int k = 0; k < 3; ++k) {
        const float a = v->axis[0][k], base = down * v->axis[1][k], ahead = v->axis[2][k];
        float *direction = rays->direction[k], *origin = rays->origin[k];
        const float first = r->x - v->center[0];
        FOR_ROWS (i, r->count) {
            float across = (first + (float)(int)i) * inverse * a + base;
            origin[i] = moved * across;
            direction[i] = ahead + bent * across;
        }
    }
}

static void make_sky(GroundRow *r, const GroundRays *rays)
{
    const View *v = r->view;
    const float *dx = rays->direction[0], *dy = rays->direction[1], *dz = rays->direction[2];
    const float level = 1 - r->y / (float)v->height, flat = v->orthographic ? 1 : 0;
    float mix[BLOCK_ROWS];
    FOR_ROWS (i, r->count) {
        float length = __builtin_sqrtf(dx[i] * dx[i] + dy[i] * dy[i] + dz[i] * dz[i]);
        float up = (dx[i] * v->up[0] + dy[i] * v->up[1] + dz[i] * v->up[2]) / length;
        up = flat > 0 ? level : up;
        up = up > 0 ? up : 0;
        up = up < 1 ? up : 1;
        /* 1 - (1 - up)^2: the sky changes fastest beside the horizon, as the air's thickness does.
         */
        mix[i] = up * (2 - up);
    }
    for (int k = 0; k < 3; ++k) {
        const float from = r->horizon[k], way = r->zenith[k] - r->horizon[k];
        float *out = r->sky[k];
        FOR_ROWS (i, r->count) out[i] = from + mix[i] * way;
    }
}

/* Integral of the square wave that is 1 on [0, 1) and -1 on [1, 2). A triangle wave: 1 - |2 frac(x
 * / 2) - 1|. */
static inline float wave_integral(float x)
{
    float half = 0.5f * x, part = half - __builtin_floorf(half);
    return 1 - __builtin_fabsf(2 * part - 1);
}

/* Its mean over [x - w/2, x + w/2]. */
static inline float wave_mean(float x, float w)
{
    float width = w > 1e-3f ? w : 1e-3f;
    x = x - 2 * __builtin_floorf(0.5f * x);
    float mean = (wave_integral(x + 0.5f * width) - wave_integral(x - 0.5f * width)) / width;
    return width > 100 ? 0 : mean;
}

/* How far the point on the plane moves along an axis from a pixel to the next ones. */
typedef struct Footprint {
    float steps[2][3]; /* of the ray: its direction, or its origin without perspective */
    float along[2];    /* the steps along the normal */
} Footprint;

static Footprint footprint_make(const GroundRow *r)
{
    Footprint f = {.along = {0, 0}};
    for (int way = 0; way < 2; ++way) {
        for (int k = 0; k < 3; ++k) {
            f.steps[way][k] = r->view->axis[way][k] / r->view->focal;
            f.along[way] += r->normal[k] * f.steps[way][k];
        }
    }
    return f;
}

/* part = 1/2 - 1/2 product of the waves along both axes. */
static void make_checker(GroundRow *r, const GroundRays *rays, const float *distance,
                         const float *toward)
{
    const Footprint f = footprint_make(r);
    const bool ortho = r->view->orthographic;
    float mean[2][BLOCK_ROWS];
    for (int n = 0; n < 2; ++n) {
        const int axis = r->axes[n];
        const float a = f.steps[0][axis], b = f.steps[1][axis], phase = r->phase[n];
        const float scale = r->squares, fixed = ortho ? 1 : 0;
        const float *d = rays->direction[axis], *p = r->point[axis];
        float *out = mean[n];
        FOR_ROWS (i, r->count) {
            float far = fixed > 0 ? 1 : distance[i];
            float right = far * (a + f.along[0] / toward[i] * d[i]);
            float below = far * (b + f.along[1] / toward[i] * d[i]);
            float width = __builtin_fabsf(right) + __builtin_fabsf(below);
            out[i] = wave_mean(phase + p[i] * scale, width * scale);
        }
    }
    float *part = r->part;
    FOR_ROWS (i, r->count) part[i] = 0.5f - 0.5f * mean[0][i] * mean[1][i];
}

static void make_plane(GroundRow *r, const GroundRays *rays)
{
    const float *n = r->normal, offset = r->offset, haze = r->haze;
    const float *dx = rays->direction[0], *dy = rays->direction[1], *dz = rays->direction[2];
    const float *ox = rays->origin[0], *oy = rays->origin[1], *oz = rays->origin[2];
    float distance[BLOCK_ROWS], toward[BLOCK_ROWS], *px = r->point[0], *py = r->point[1],
                                                    *pz = r->point[2], *clear = r->clear;
    FOR_ROWS (i, r->count) {
        /* n . (o + t d) = offset solved for t (`away`). Rays that rise or that begin below the
         * plane do not meet it. */
        float fall = -(n[0] * dx[i] + n[1] * dy[i] + n[2] * dz[i]);
        float height = n[0] * ox[i] + n[1] * oy[i] + n[2] * oz[i] - offset;
        float hit = fall > 1e-7f ? 1.0f : 0.0f;
        hit = height > 0 ? hit : 0;
        float down = hit > 0 ? fall : 1, away = hit * height / down;
        hit = away < 1e30f ? hit : 0;
        toward[i] = down;
        distance[i] = away;
        float x = ox[i] + away * dx[i], y = oy[i] + away * dy[i], z = oz[i] + away * dz[i];
        px[i] = x, py[i] = y, pz[i] = z;
        /* 1 / (1 + (r / R)^4), with `haze` = 1 / R^2: clear near by, half at R. */
        float r2 = (x * x + y * y + z * z) * haze;
        clear[i] = hit / (1 + r2 * r2);
    }
    if (r->squares > 0)
        make_checker(r, rays, distance, toward);
    else
        memset(r->part, 0, r->count * sizeof *r->part);
}

void ISA(ground_row)(GroundRow *r)
{
    GroundRays rays;
    make_rays(r, &rays);
    make_sky(r, &rays);
    if (r->visible)
        make_plane(r, &rays);
    else
        memset(r->clear, 0, r->count * sizeof *r->clear);
}

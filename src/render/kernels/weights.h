/* Weights of pixels in a footprint. They depend on the splat and the pixel alone, never on the tile
 * or on which of the eight lanes the pixel is. */
#ifndef RENDER_KERNELS_WEIGHTS_H
#define RENDER_KERNELS_WEIGHTS_H

#include "render/kernels/vectors.h"
#include "render/splat.h"

/* ---- Gaussians ---- */

/* exp(-5 q) (1 - q^8) for q < 1, else 0: the exponential as the eighth power of a polynomial for
 * exp(-5 q / 8). */
INLINE V8 gaussian(V8 q)
{
    V8 e = 1 + q * (-0.624994939f + q * (0.195150021f + q * (-0.0398630082f + q * 0.00497391853f)));
    e = e * e;
    e = e * e;
    e = e * e;
    V8 q2 = q * q, q4 = q2 * q2;
    return where(q < 1, e * (1 - q4 * q4));
}

/* The integral of a Gaussian from its middle to t deviations, +-1/2 from +-3 on, within 0.0015; it
 * rises everywhere, with slope 0 at its ends. Differences of it add up to 1 whatever its errors. */
INLINE V8 bell(V8 t)
{
    t = at_most(at_least(t, -3), 3);
    V8 z = t * t;
    return t * (0.394249964f +
                z * (-0.0585050041f +
                     z * (0.00602424191f + z * (-0.000306298948f + z * 5.22634941e-06f))));
}

/* Part of a Gaussian within half a pixel of d. */
INLINE V8 bell_pixel(V8 d, float sharp)
{
    return bell((d + 0.5f) * sharp) - bell((d - 0.5f) * sharp);
}

/* The same for eight pixels from `first` on, which share their edges. `full`: the last pixel's
 * right edge is not surely outside, as it is up to a reach of FINE_SHARED. */
INLINE V8 bell_pixels(float first, float center, float sharp, bool full)
{
    V8 left = bell(((middles - 0.5f + first) - center) * sharp);
    if (full) return bell(((middles + 0.5f + first) - center) * sharp) - left;
    return __builtin_shufflevector(left, bell(all8(3)), 1, 2, 3, 4, 5, 6, 7, 8) - left;
}

/* ---- the soft profile ---- */

/* `rest` = 1 - d^2 / reach^2. */
INLINE V8 steep_soft(V8 rest)
{
    V8 e = at_least(rest, 0), e2 = e * e;
    return e2 * e2 * e2;
}

INLINE V8 mixed_soft(V8 rest, float mix)
{
    V8 e = at_least(rest, 0), e2 = e * e;
    return e2 * (mix * e2 + (1 - mix));
}

#define MIX_STEEP 0.8f /* eighths above: MIX_SMALL */

INLINE V8 soft(V8 rest, float mix)
{
    return mix > MIX_STEEP ? steep_soft(rest) : mixed_soft(rest, mix);
}

/* ---- streaks ---- */

/* The mean over short ways, at moments that are at most half a pixel apart. */
INLINE V8 soft_short_streak(float mix, const Streak *k, V8 along, V8 across)
{
    const int count = (int)(4 * k->half) + 1;
    const float step = 2 * k->half / (float)count, first = 0.5f * step - k->half;
    const float sharp = k->sharp[0];
    V8 c = across * sharp, rest = 1 - c * c, sum = all8(0);
    for (int i = 0; i < count; ++i) {
        V8 a = (along - (first + step * (float)i)) * sharp;
        sum += soft(rest - a * a, mix);
    }
    return sum * (1 / (float)count);
}

/* `inner`: px from the middle up to where all of the Gaussian has passed by; most pixels of long
 * streaks are there. The bits are the same. */
INLINE V8 gaussian_streak(const Streak *k, float inner, V8 along, V8 across)
{
    V8 sides = bell_pixel(across, k->sharp[1]), ends = magnitude(along);
    if (ends[0] < inner && ends[RUN - 1] < inner) return sides * (bell(all8(3)) * 2);
    V8 way = bell((along + k->half) * k->sharp[0]) - bell((along - k->half) * k->sharp[0]);
    return sides * way;
}

/* Integral of (b - t^2)^2 from 0. t (b^2 - 2 b t^2 / 3 + t^4 / 5). */
INLINE V8 soft_integral(V8 b, V8 t)
{
    V8 z = t * t;
    return t * (b * b + z * (z * 0.2f - b * 0.66666667f));
}

INLINE V8 soft_streak(float mix, const Streak *k, V8 along, V8 across)
{
    if (2 * k->half < SOFT_SHORT) return soft_short_streak(mix, k, along, across);
    V8 c = across * k->sharp[0], b = at_least(1 - c * c, 0), end = sqrt8(b);
    V8 from = within((along - k->half) * k->sharp[0], -end, end);
    V8 to = within((along + k->half) * k->sharp[0], -end, end);
    return at_least(soft_integral(b, to) - soft_integral(b, from), 0);
}

/* Edges lie half a pixel inside the reach and as far out as `half`. */
INLINE V8 bar_streak(float reach, const Streak *k, V8 along, V8 across)
{
    return clamped(reach - magnitude(across)) * clamped(k->half + 0.5f - magnitude(along));
}

/* ---- discs ---- */

/* Part of the pixel's square on the inner side of the edge, where the edge is a line with the
 * normal (dx, dy) / d: the convolution of two boxes as wide as the normal's parts, the narrower one
 * by Gauss's two points. The edge is drawn at R' = sqrt(R^2 - 1/12): then the area is pi R^2. */
INLINE V8 large_disc_cover(float radius, V8 dx, float dy)
{
    const float edge = __builtin_sqrtf(radius > 0.3f ? radius * radius - 1 / 12.0f : 0.01f);
    V8 d = sqrt8(dx * dx + dy * dy) + 1e-20f;
    V8 nx = magnitude(dx) / d, ny = magnitude(all8(dy)) / d, wider = at_least(nx - ny, 0);
    V8 broad = at_least(ny + wider, 0.70710678f), narrow = nx - wider;
    V8 inside = (edge - d) / broad + 0.5f, step = 0.28867513f * narrow / broad;
    return 0.5f * (clamped(inside - step) + clamped(inside + step));
}

/* The exact area of a circle within a square, from A(p, q) = the area of the unit disc left of p
 * and above q, at the four corners. f(p) = (p sqrt(1 - p^2) + asin p) / 2. */
typedef struct WeightColumns {
    V8 p[2], f[2], square[2]; /* at the pixels' left and right edges */
} WeightColumns;

typedef struct Circle {
    WeightColumns columns;
    float radius2;
    float q[2 * RUN], g[2 * RUN]; /* at the upper edges of the rows, and f there */
} Circle;

INLINE V8 circle_f(V8 p)
{
    V8 a = magnitude(p), low = sqrt8(1 - a);
    V8 arc = 1.57079633f -
             low * (1.57079633f +
                    a * (-0.214559454f +
                         a * (0.0882839969f +
                              a * (-0.0462290182f + a * (0.0209647636f - a * 0.00505198257f)))));
    V8 half = 0.5f * (a * low * sqrt8(1 + a) + arc);
    return (V8)((I8)half | ((I8)p & INT32_MIN));
}

INLINE WeightColumns columns_make(V8 dx, float inverse)
{
    WeightColumns c;
    for (int k = 0; k < 2; ++k) {
        c.p[k] = within((dx + ((float)k - 0.5f)) * inverse, all8(-1), all8(1));
        c.f[k] = circle_f(c.p[k]);
        c.square[k] = c.p[k] * c.p[k];
    }
    return c;
}

/* Of a splat that is at most a run wide and high. */
INLINE Circle circle_make(const Splat *s, int x0, int y0, int rows)
{
    Circle c;
    float radius = s->reach - DISC_EDGE;
    radius = radius > 1e-3f ? radius : 1e-3f;
    c.radius2 = radius * radius;
    const float inverse = 1 / radius;
    c.columns = columns_make(pixel_offsets(x0, s->x), inverse);
    for (int k = 0; k < (rows < RUN ? 1 : 2); ++k) {
        V8 q = (pixel_offsets(y0 + RUN * k, s->y) - 0.5f) * inverse;
        q = within(q, all8(-1), all8(1));
        store8(c.q + RUN * k, q);
        store8(c.g + RUN * k, circle_f(q));
    }
    return c;
}

/* A at the right edges less A at the left ones, above q, where f(q) = g. The lower half is the
 * whole column less the mirror image of the upper half, so that pixels beside the disc get exactly
 * 0. */
INLINE V8 columns_above(const WeightColumns *c, float q, float g)
{
    const float pi = 3.14159265f;
    const float up = q > 0 ? -q : q, f = q > 0 ? -g : g;
    V8 area[2];
    for (int k = 0; k < 2; ++k) {
        V8 inside = c->p[k] * up + c->f[k] + (f + 0.25f * pi);
        V8 outside = where(c->p[k] > 0, all8(2 * f + 0.5f * pi));
        area[k] = choose8(c->square[k] + up * up < 1, inside, outside);
    }
    V8 above = area[1] - area[0];
    return q > 0 ? 2 * (c->f[1] - c->f[0]) - above : above;
}

INLINE V8 circle_above(const Circle *c, int row)
{
    return columns_above(&c->columns, c->q[row], c->g[row]);
}

/* Part of pixels that a disc covers. */
INLINE V8 disc_cover(float radius, V8 dx, float dy)
{
    if (radius >= DISC_LARGE) return large_disc_cover(radius, dx, dy);
    const float inverse = 1 / radius;
    const WeightColumns columns = columns_make(dx, inverse);
    V8 q = {(dy - 0.5f) * inverse, (dy + 0.5f) * inverse}; /* both edges of the row */
    q = within(q, all8(-1), all8(1));
    V8 g = circle_f(q);
    V8 area = columns_above(&columns, q[1], g[1]) - columns_above(&columns, q[0], g[0]);
    return clamped(radius * radius * area);
}

/* ---- discs that move ---- */

/* The mean over the time of the shutter, at moments that are at most a third of a pixel apart. */
INLINE V8 disc_streak(float radius, const Streak *k, V8 dx, float dy)
{
    const float moments = 6 * k->half;
    const int count = moments < 64 ? (int)moments + 1 : 64;
    const float step = 2 * k->half / (float)count, first = 0.5f * step - k->half;
    const bool is_short = 2 * k->half < DISC_SHORT;
    V8 sum = all8(0);
    for (int i = 0; i < count; ++i) {
        float t = first + step * (float)i, y = dy - t * k->u[1];
        V8 x = dx - t * k->u[0];
        sum += is_short ? disc_cover(radius, x, y) : large_disc_cover(radius, x, y);
    }
    return sum * (1 / (float)count);
}

#endif

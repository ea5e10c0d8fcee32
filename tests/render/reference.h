/* A slow renderer to compare with: double precision, no tiles, no bins, qsort. Each particle is
 * drawn alone with 8 x 8 samples per pixel and, if it moves, 64 moments of the shutter's time; its
 * samples are brought to pixels by the filter of its kernel, and the particles are composited from
 * front to back. The picture is orthographic, one metre is one pixel. */
#ifndef TESTS_RENDER_REFERENCE_H
#define TESTS_RENDER_REFERENCE_H

#include "render/scene.h"

#include <math.h>
#include <string.h>

enum { REF_WIDTH = 48, REF_HEIGHT = 32, FINE = 8, MOMENTS = 64, TAPS = 5 * FINE, MARGIN = 2 };
enum {
    FINE_WIDTH = (REF_WIDTH + 2 * MARGIN) * FINE,
    FINE_HEIGHT = (REF_HEIGHT + 2 * MARGIN) * FINE
};

typedef struct Dot {
    double x, y, depth, radius, alpha; /* px, px, m, px */
    double way[2];                     /* px during the shutter */
    int moments;                       /* of the way that are looked at */
    double color[3];
    uint64_t id;
} Dot;

typedef double Profile1(double d2, double radius);

static inline double gaussian_kernel(double d2, double radius)
{
    return exp(-2 * d2 / (radius * radius));
}

static inline double soft_kernel(double d2, double radius)
{
    double e = 1 - d2 / (radius * radius);
    return e > 0 ? e * e : 0;
}

/* Its edge is a sample wide, so that 64 samples tell more than 65 levels. */
static inline double disc_kernel(double d2, double radius)
{
    return fmin(fmax((radius - sqrt(d2)) * FINE + 0.5, 0), 1);
}

/* Weights of TAPS samples around the middle of a pixel; they add up to 1. */
typedef void Filter(double weights[TAPS]);

static inline void normalise(double weights[TAPS])
{
    double sum = 0;
    for (int i = 0; i < TAPS; ++i) sum += weights[i];
    for (int i = 0; i < TAPS; ++i) weights[i] /= sum;
}

static inline double tap_place(int i)
{
    return (i + 0.5) / FINE - 2.5;
}

static inline void gaussian_filter(double weights[TAPS])
{
    for (int i = 0; i < TAPS; ++i) weights[i] = exp(-2 * tap_place(i) * tap_place(i));
    normalise(weights);
}

static inline void box_filter(double weights[TAPS])
{
    for (int i = 0; i < TAPS; ++i) weights[i] = fabs(tap_place(i)) < 0.5;
    normalise(weights);
}

static inline void tent_filter(double weights[TAPS])
{
    for (int i = 0; i < TAPS; ++i) weights[i] = fmax(0, 1 - fabs(tap_place(i)));
    normalise(weights);
}

static inline int dot_nearer(const void *a, const void *b)
{
    const Dot *p = a, *q = b;
    if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

/* The scene's particles as dots, sorted from the front. */
static inline size_t dots_make(const Scene *s, Dot *dots)
{
    size_t n = s->system.count;
    for (size_t i = 0; i < n; ++i) {
        dots[i] = (Dot){.x = 0.5 * REF_WIDTH + (double)s->position[0][i],
                        .y = 0.5 * REF_HEIGHT - (double)s->position[1][i],
                        .depth = 100 - (double)s->position[2][i],
                        .radius = (double)s->radius[i],
                        .alpha = (double)s->opacity[i],
                        .way = {(double)s->velocity[0][i], -(double)s->velocity[1][i]},
                        .id = s->id[i]};
        for (int c = 0; c < 3; ++c) dots[i].color[c] = (double)s->color[c][i];
        double way = hypot(dots[i].way[0], dots[i].way[1]);
        dots[i].moments = way == 0 ? 1 : way < (MOMENTS - 8) / 3.0 ? 8 + (int)(3 * way) : MOMENTS;
    }
    qsort(dots, n, sizeof *dots, dot_nearer);
    return n;
}

/* Mean of the kernel over the shutter's time at a point. */
static inline double dot_sample(const Dot *d, Profile1 *profile, double x, double y)
{
    double sum = 0;
    for (int m = 0; m < d->moments; ++m) {
        double t = (m + 0.5) / d->moments - 0.5;
        double dx = x - d->x - t * d->way[0], dy = y - d->y - t * d->way[1];
        double d2 = dx * dx + dy * dy;
        if (d2 < 9 * d->radius * d->radius) sum += profile(d2, d->radius);
    }
    return sum / d->moments;
}

/* Samples of one dot, with a margin for the filter. */
static inline void dot_samples(const Dot *d, Profile1 *profile, double *fine)
{
    const double margin = 3 * d->radius, wide = fabs(d->way[0]) / 2, high = fabs(d->way[1]) / 2;
    for (int j = 0; j < FINE_HEIGHT; ++j) {
        for (int i = 0; i < FINE_WIDTH; ++i) {
            double x = (i + 0.5) / FINE - MARGIN, y = (j + 0.5) / FINE - MARGIN;
            bool near = fabs(x - d->x) < margin + wide && fabs(y - d->y) < margin + high;
            fine[j * FINE_WIDTH + i] = near ? dot_sample(d, profile, x, y) : 0;
        }
    }
}

/* fine -> pixels: first along x, then along y. */
static inline void filter_pixels(const double *fine, Filter *filter, double *pixels)
{
    static double half[FINE_HEIGHT][REF_WIDTH];
    double w[TAPS];
    filter(w);
    for (int j = 0; j < FINE_HEIGHT; ++j) {
        for (int x = 0; x < REF_WIDTH; ++x) {
            half[j][x] = 0;
            for (int k = 0; k < TAPS; ++k) {
                int i = (x + MARGIN - 2) * FINE + k;
                half[j][x] += w[k] * fine[j * FINE_WIDTH + i];
            }
        }
    }
    for (int y = 0; y < REF_HEIGHT; ++y) {
        for (int x = 0; x < REF_WIDTH; ++x) {
            double sum = 0;
            for (int k = 0; k < TAPS; ++k) {
                int j = (y + MARGIN - 2) * FINE + k;
                sum += w[k] * half[j][x];
            }
            pixels[y * REF_WIDTH + x] = sum;
        }
    }
}

/* The picture: RGBA, premultiplied. `added`: the light hides nothing. */
static inline void reference_draw(const Scene *s, Profile1 *profile, Filter *filter, bool added,
                                  double *out)
{
    static Dot dots[MOST];
    static double fine[FINE_WIDTH * FINE_HEIGHT], weights[REF_WIDTH * REF_HEIGHT];
    static double through[REF_WIDTH * REF_HEIGHT];
    const int pixels = REF_WIDTH * REF_HEIGHT;
    size_t count = dots_make(s, dots);
    memset(out, 0, 4 * (size_t)pixels * sizeof *out);
    for (int p = 0; p < pixels; ++p) through[p] = 1;
    for (size_t i = 0; i < count; ++i) {
        dot_samples(&dots[i], profile, fine);
        filter_pixels(fine, filter, weights);
        for (int p = 0; p < pixels; ++p) {
            double a = dots[i].alpha * weights[p];
            for (int c = 0; c < 3; ++c) out[4 * p + c] += through[p] * a * dots[i].color[c];
            if (!added) through[p] *= 1 - a;
        }
    }
    for (int p = 0; p < pixels; ++p) out[4 * p + 3] = 1 - through[p];
}

#endif

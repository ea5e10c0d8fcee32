/* Footprints: what a particle of drawn radius R px, with a motion b px during the shutter, is on
 * the picture.
 *
 * Smooth kernels are convolved with a pixel filter of variance 1/4 px^2 by adding variances (EWA
 * splatting, Zwicker et al., IEEE TVCG 2002), and their opacity is scaled so that its integral
 * stays: what is smaller than a pixel or blurred becomes fainter. A Gaussian of that filter,
 * sampled at the middles of pixels, would make sums over pixels err by 3 %; so narrow Gaussians are
 * integrated over the pixel, whose box has variance 1/12: the rest of the filter is 1/4 - 1/12.
 *
 * Motion is integrated in closed form instead of by the rank-1 term b b^T / 12, which is wrong by
 * 6 % of the peak where |b| is 4 deviations. Only motion that is small against the footprint widens
 * it evenly. */
#include "render/kernels/kernels.h"

#include <string.h>

#define PIXEL_VARIANCE 0.25f
#define PIXEL_REST     0.16666667f /* without the pixel's own box */
#define FINE_REACH     3.0f        /* deviations at which integrated Gaussians are cut */
#define GAUSSIAN_REACH 3.1842725f  /* and sampled ones, smoothly: their area is 2 pi deviation^2 */
#define SOFT_LEAST     0.375f /* px^2: own variance below which the soft kernel is a Gaussian */
#define THIN           0.2f   /* px^2: own variance below which one pixel of motion is short */
#define SMALL_DISC     0.5f   /* px */
#define TWO_PI         6.2831853f

static inline float magnitude(float x)
{
    return x < 0 ? -x : x;
}

/* Without motion. `soft`: own variance at which the soft kernel begins. */
static void shape_still(float deviation, float soft, size_t n, Block *b)
{
    const float unit = deviation * deviation;
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], own = unit * b->radius[i] * b->radius[i];
        float spread = (bx * bx + by * by) * (1 / 24.0f), var = own + PIXEL_VARIANCE + spread;
        float fine = FINE_REACH * __builtin_sqrtf(own + PIXEL_REST + spread) + 0.5f;
        float deviations = own < soft ? GAUSSIAN_REACH : 2.4494897f; /* sqrt(6) */
        float wide = deviations * __builtin_sqrtf(var);
        uint32_t other = own < soft ? PROFILE_GAUSSIAN : PROFILE_SOFT;
        bool narrow = fine <= 0.5f * RUN && own < soft;
        float reach = narrow ? fine : wide;
        b->reach[i] = b->extent[0][i] = b->extent[1][i] = reach;
        b->kind[i] = narrow ? PROFILE_FINE : other;
        b->scale[i] = narrow ? TWO_PI * own : own / var;
    }
}

/* Streaks, in place of what moves far. */
static void shape_moving(float deviation, float soft, size_t n, Block *b)
{
    const float unit = deviation * deviation;
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], own = unit * b->radius[i] * b->radius[i];
        float length2 = bx * bx + by * by, var = own + PIXEL_VARIANCE;
        bool moves = length2 > (own < THIN ? 1 : 0.25f * var), is_soft = !(own < soft);
        float length = __builtin_sqrtf(moves ? length2 : 1), half = 0.5f * length;
        float ux = bx / length, uy = by / length, ax = magnitude(ux), ay = magnitude(uy);
        float s = __builtin_sqrtf(var), across = __builtin_sqrtf(own + PIXEL_REST);
        float wide = 2.4494897f * s, thin = FINE_REACH * across + 0.5f;
        float reach = is_soft ? wide : thin, end = half + (is_soft ? wide : FINE_REACH * s);
        float ex = ax * end + reach * (is_soft ? 1 : ay),
              ey = ay * end + reach * (is_soft ? 1 : ax);
        float scale = (is_soft ? wide * (own / var) : TWO_PI * own) / length;
        uint32_t kind = KIND_STREAK | (is_soft ? PROFILE_SOFT : PROFILE_GAUSSIAN);
        b->u[0][i] = ux, b->u[1][i] = uy, b->half[i] = half;
        b->sharp[0][i] = is_soft ? 1 / wide : 1 / s;
        b->sharp[1][i] = 1 / across;
        b->reach[i] = moves ? reach : b->reach[i];
        b->extent[0][i] = moves ? ex : b->extent[0][i];
        b->extent[1][i] = moves ? ey : b->extent[1][i];
        b->kind[i] = moves ? kind : b->kind[i];
        b->scale[i] = moves ? scale : b->scale[i];
    }
}

static void shape_smooth(const Source *s, float soft, size_t n, Block *b)
{
    shape_still(s->kernel->deviation, soft, n, b);
    if (s->blur) shape_moving(s->kernel->deviation, soft, n, b);
}

/* Discs of at least SMALL_DISC; smaller ones that move are streaks of a Gaussian of their area. */
static void shape_discs(const Source *s, size_t n, Block *b)
{
    const float pi = 3.14159265f;
    if (s->blur) shape_smooth(s, 1e30f, n, b);
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], r = b->radius[i];
        float length2 = bx * bx + by * by, length = __builtin_sqrtf(length2);
        bool small = r<SMALL_DISC, moves = length2> 0.25f;
        bool thin = small && (b->kind[i] & KIND_STREAK) != 0;
        float reach = small ? 1 : r + DISC_EDGE, half = moves && !small ? 0.5f * length : 0;
        float inverse = moves ? 1 / length : 0, ux = bx * inverse, uy = by * inverse;
        uint32_t kind = small ? PROFILE_TENT : PROFILE_DISC;
        kind |= half > 0 ? KIND_STREAK : 0;
        b->reach[i] = thin ? b->reach[i] : reach;
        b->extent[0][i] = thin ? b->extent[0][i] : reach + half * magnitude(ux);
        b->extent[1][i] = thin ? b->extent[1][i] : reach + half * magnitude(uy);
        b->kind[i] = thin ? b->kind[i] : kind;
        b->scale[i] = thin ? b->scale[i] : small ? pi * r * r : 1;
        b->half[i] = thin ? b->half[i] : half;
        b->u[0][i] = thin ? b->u[0][i] : ux;
        b->u[1][i] = thin ? b->u[1][i] : uy;
    }
}

/* Spheres are drawn where they are at the middle of the shutter's time. */
static void shape_spheres(size_t n, Block *b)
{
    FOR_ROWS (i, n) {
        b->reach[i] = b->extent[0][i] = b->extent[1][i] = b->radius[i] + DISC_EDGE;
        b->kind[i] = PROFILE_SPHERE;
        b->scale[i] = 1;
    }
}

void ISA(splat_footprint)(const Source *s, size_t n, Block *b)
{
    const Profile profile = s->kernel->profile;
    memset(b->kind, 0, sizeof b->kind);
    if (profile == PROFILE_DISC)
        shape_discs(s, n, b);
    else if (profile == PROFILE_SPHERE)
        shape_spheres(n, b);
    else
        shape_smooth(s, profile == PROFILE_SOFT ? SOFT_LEAST : 1e30f, n, b);
}

/* Footprints: what a particle of drawn radius R px, with a motion b px during the shutter, is on
 * the picture.
 *
 * Smooth kernels are convolved with a pixel filter of variance 1/4 px^2, and their opacity is
 * scaled so that its integral stays: what is smaller than a pixel or blurred becomes fainter.
 * Gaussians stay Gaussians, variances add up (EWA splatting, Zwicker et al., IEEE TVCG 2002).
 * Sampled at the middles of pixels, a Gaussian of the filter alone would make sums over pixels err
 * by 3 %; so narrow ones are integrated over the pixel, whose box has variance 1/12: the rest of
 * the filter is 1/4 - 1/12. The soft kernel becomes p e^2 (1 - m + m e^2) with the peak p = 1 -
 * 1/R^2 + 1/(2 R^4) of the true convolution and the reach that keeps its integral; m is fitted to
 * it (docs/design). Below a radius of 1.8 px p e^6 is nearer to it.
 *
 * Motion is integrated in closed form instead of by the rank-1 term b b^T / 12, which is wrong by
 * 6 % of the peak where |b| is 4 deviations. Only motion that is small against the footprint widens
 * it evenly. */
#include "render/kernels/kernels.h"
#include "render/sheet.h"

#include <string.h>

#define PIXEL_VARIANCE 0.25f
#define PIXEL_REST     0.16666667f /* without the pixel's own box */
#define FINE_REACH     3.0f        /* deviations at which integrated Gaussians are cut */
#define GAUSSIAN_REACH 3.1842725f  /* and sampled ones, smoothly: their area is 2 pi deviation^2 */
#define SOFT_LEAST     0.33f  /* px^2: own variance below which the soft kernel is a Gaussian */
#define SOFT_TAME      0.835f /* part of that variance which fits the convolution best */
#define SOFT_SMALL     3.2f   /* px^2: squared radius below which it is e^6 */
#define MIX_MOST       6.0f
#define THIN           0.2f  /* px^2: own variance below which one pixel of motion is short */
#define DOT            0.25f /* px: radius of discs that are points with an area */
#define THIN_DISC      0.5f  /* px: radius of discs whose long streaks are Gaussian */
#define DOT_SPRITE     0.5f  /* px: half width of sprites whose turn is not seen */
#define TWO_PI         6.2831853f

static inline float magnitude(float x)
{
    return x < 0 ? -x : x;
}

/* Of a kernel: variance per squared radius, and the part of it that narrow Gaussians get; own
 * variance from which it is the soft profile. */
typedef struct Smooth {
    float unit, tame, soft;
} Smooth;

/* The soft profile of radius^2 = r2 with its filter. */
typedef struct Soft {
    float peak, reach;
    uint32_t mix;
} Soft;

static inline Soft soft_make(float r2)
{
    float inverse = 1 / (r2 > 1 ? r2 : 1), peak = 1 + inverse * (0.5f * inverse - 1);
    float mix = 30 * inverse + 0.5f;
    bool small = r2 < SOFT_SMALL;
    uint32_t eighths = (uint32_t)(int32_t)(mix < MIX_MOST ? mix : MIX_MOST);
    peak *= small ? 0.99f : 1;
    float area = peak * (small ? 3 / 7.0f : 1 - 0.05f * (float)eighths);
    return (Soft){peak, __builtin_sqrtf(r2 / area), small ? MIX_SMALL : eighths};
}

/* Without motion. */
static void shape_still(const Smooth profile, size_t n, PixelBlock *b)
{
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], r2 = b->radius[i] * b->radius[i];
        float own = profile.unit * r2, spread = (bx * bx + by * by) * (1 / 24.0f);
        float var = own + PIXEL_VARIANCE + spread, rest = own * profile.tame + PIXEL_REST + spread;
        float fine = FINE_REACH * __builtin_sqrtf(rest) + 0.5f;
        float wide = GAUSSIAN_REACH * __builtin_sqrtf(var);
        Soft soft = soft_make(r2);
        bool is_soft = !(own < profile.soft), narrow = fine <= SMALL_REACH && !is_soft;
        float reach = narrow ? fine : is_soft ? soft.reach : wide;
        uint32_t other = is_soft ? PROFILE_SOFT | KIND_MIX * soft.mix : PROFILE_GAUSSIAN;
        b->reach[i] = reach;
        b->extent[0][i] = b->extent[1][i] = reach + EXTENT_SLACK;
        b->kind[i] = narrow ? PROFILE_FINE : other;
        b->scale[i] = narrow ? TWO_PI * own : is_soft ? soft.peak : own / var;
    }
}

/* Streaks, in place of what moves far. */
static void shape_moving(const Smooth profile, size_t n, PixelBlock *b)
{
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], r2 = b->radius[i] * b->radius[i];
        float own = profile.unit * r2, length2 = bx * bx + by * by, var = own + PIXEL_VARIANCE;
        bool is_soft = !(own < profile.soft);
        bool moves = length2 > (own < THIN ? 1 : (is_soft ? 0.02f : 0.25f) * var);
        float length = __builtin_sqrtf(moves ? length2 : 1), half = 0.5f * length;
        bool is_short = length < (is_soft ? SOFT_SHORT : 0);
        float ux = bx / length, uy = by / length, ax = magnitude(ux), ay = magnitude(uy);
        float s = __builtin_sqrtf(own * profile.tame + PIXEL_VARIANCE);
        float across = __builtin_sqrtf(own * profile.tame + PIXEL_REST);
        float wide = 2.4494897f * __builtin_sqrtf(var), thin = FINE_REACH * across + 0.5f;
        wide = is_short ? b->reach[i] : wide;
        float reach = is_soft ? wide : thin, end = half + (is_soft ? wide : FINE_REACH * s);
        float ex = ax * end + reach * (is_soft ? 1 : ay),
              ey = ay * end + reach * (is_soft ? 1 : ax);
        float scale = (is_soft ? wide * (own / var) : TWO_PI * own) / length;
        uint32_t kind = KIND_STREAK | (is_soft ? b->kind[i] : PROFILE_GAUSSIAN);
        b->u[0][i] = ux, b->u[1][i] = uy, b->half[i] = half;
        b->sharp[0][i] = is_soft ? 1 / wide : 1 / s;
        b->sharp[1][i] = 1 / across;
        b->reach[i] = moves ? reach : b->reach[i];
        b->extent[0][i] = moves ? ex + EXTENT_SLACK : b->extent[0][i];
        b->extent[1][i] = moves ? ey + EXTENT_SLACK : b->extent[1][i];
        b->kind[i] = moves ? kind : b->kind[i];
        scale = is_short ? b->scale[i] : scale;
        b->scale[i] = moves ? scale : b->scale[i];
    }
}

static void shape_smooth(const SplatSource *s, bool soft, size_t n, PixelBlock *b)
{
    const float deviation = s->profile->deviation;
    const Smooth profile = {.unit = deviation * deviation,
                            .tame = soft ? SOFT_TAME : 1,
                            .soft = soft ? SOFT_LEAST : 1e30f};
    shape_still(profile, n, b);
    if (s->blur) shape_moving(profile, n, b);
}

/* Long streaks of small discs are those of a Gaussian of their area. */
static void shape_discs(const SplatSource *s, size_t n, PixelBlock *b)
{
    const float pi = 3.14159265f;
    if (s->blur) shape_smooth(s, false, n, b);
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], r = b->radius[i];
        float length2 = bx * bx + by * by, length = __builtin_sqrtf(length2);
        bool dot = r<DOT, moves = length2> 0.01f;
        bool far = length2 > (dot ? 1 : DISC_SHORT * DISC_SHORT);
        bool thin = r < THIN_DISC && far && (b->kind[i] & KIND_STREAK) != 0;
        float reach = dot ? 1 : r + DISC_EDGE, half = moves && !dot ? 0.5f * length : 0;
        float inverse = moves ? 1 / length : 0, ux = bx * inverse, uy = by * inverse;
        uint32_t kind = dot ? PROFILE_TENT : PROFILE_DISC;
        kind |= half > 0 ? KIND_STREAK : 0;
        float slack = reach + EXTENT_SLACK, ex = slack + half * magnitude(ux),
              ey = slack + half * magnitude(uy);
        b->reach[i] = thin ? b->reach[i] : reach;
        b->extent[0][i] = thin ? b->extent[0][i] : ex;
        b->extent[1][i] = thin ? b->extent[1][i] : ey;
        b->kind[i] = thin ? b->kind[i] : kind;
        b->scale[i] = thin ? b->scale[i] : dot ? pi * r * r : 1;
        b->half[i] = thin ? b->half[i] : half;
        b->u[0][i] = thin ? b->u[0][i] : ux;
        b->u[1][i] = thin ? b->u[1][i] : uy;
    }
}

/* Spheres that move by more than half a pixel are streaks. */
static void shape_spheres(size_t n, PixelBlock *b)
{
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], length2 = bx * bx + by * by;
        bool moves = length2 > 0.25f;
        float length = __builtin_sqrtf(moves ? length2 : 1), half = moves ? 0.5f * length : 0;
        float ux = bx / length, uy = by / length, reach = b->radius[i] + DISC_EDGE;
        b->reach[i] = reach;
        b->extent[0][i] = reach + half * magnitude(ux) + EXTENT_SLACK;
        b->extent[1][i] = reach + half * magnitude(uy) + EXTENT_SLACK;
        b->kind[i] = PROFILE_SPHERE | (moves ? KIND_STREAK : 0);
        b->scale[i] = 1;
        b->half[i] = half, b->u[0][i] = ux, b->u[1][i] = uy;
        b->sharp[0][i] = b->sharp[1][i] = 0;
    }
}

/* Sprites: squares that are turned, and half of a pixel along their own axes. Dots stand upright:
 * then their area is exact. */
static void shape_sprites(const SplatSource *s, size_t n, PixelBlock *b)
{
    const float wide = s->sheet->half[0], high = s->sheet->half[1];
    const float corner = __builtin_sqrtf(wide * wide + high * high);
    FOR_ROWS (i, n) {
        float bx = b->blur[0][i], by = b->blur[1][i], r = b->radius[i];
        float right = r < DOT_SPRITE ? 1 : b->sharp[0][i], up = r < DOT_SPRITE ? 0 : b->sharp[1][i];
        float c = magnitude(right), d = magnitude(up), rim = 0.5f * (c + d);
        float w = wide * r + rim, h = high * r + rim, length2 = bx * bx + by * by;
        bool moves = length2 > 0.25f;
        float length = __builtin_sqrtf(moves ? length2 : 1), half = moves ? 0.5f * length : 0;
        float ux = moves ? bx / length : 1, uy = moves ? by / length : 0;
        b->reach[i] = corner * r + 1;
        b->extent[0][i] = w * c + h * d + half * magnitude(ux) + EXTENT_SLACK;
        b->extent[1][i] = w * d + h * c + half * magnitude(uy) + EXTENT_SLACK;
        b->kind[i] = PROFILE_SPRITE | KIND_STREAK;
        b->half[i] = half, b->u[0][i] = ux, b->u[1][i] = uy;
        b->sharp[0][i] = right * r, b->sharp[1][i] = up * r;
    }
}

void ISA(splat_footprint)(const SplatSource *s, size_t n, PixelBlock *b)
{
    const Profile form = s->profile->form;
    memset(b->kind, 0, sizeof b->kind);
    if (form == PROFILE_DISC)
        shape_discs(s, n, b);
    else if (form == PROFILE_SPHERE)
        shape_spheres(n, b);
    else if (form == PROFILE_SPRITE)
        shape_sprites(s, n, b);
    else
        shape_smooth(s, form == PROFILE_SOFT, n, b);
}

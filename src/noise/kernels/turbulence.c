/* Sampling turbulence, block by block: the octave's coordinates, its noise, and what f makes of it
 * are loops over a block that stays in the first-level cache. */
#include "noise/turbulence.h"

#include "base/loop.h"

#include <string.h>

enum { PLANES = 9 };

/* Scratch of one block: coordinates, value and gradient of an octave. */
typedef struct TurbulenceBlock {
    size_t count;
    const mote_real *x[3];
    mote_real *value, *gradient[3]; /* the sums; gradient[0] NULL: not wanted */
    mote_real *at[4], *noise, *slope[4];
    mote_real planes[PLANES][SCRATCH_STRIDE];
} TurbulenceBlock;

static void set_coordinates(const Octave *octave, double t, const TurbulenceBlock *b)
{
    const mote_real *x = b->x[0], *y = b->x[1], *z = b->x[2];
    const mote_real w = (mote_real)(octave->rate * t + octave->phase);
    mote_real *time = b->at[3];
    for (int k = 0; k < 3; ++k) {
        const mote_real *m = octave->turn[k];
        const mote_real mx = m[0], my = m[1], mz = m[2], o = octave->offset[k];
        mote_real *out = b->at[k];
        FOR_ROWS (i, b->count) out[i] = mx * x[i] + my * y[i] + mz * z[i] + o;
    }
    FOR_ROWS (i, b->count) time[i] = w;
}

static void run_noise(const Turbulence *turbulence, const Octave *octave, const TurbulenceBlock *b)
{
    const NoiseRow *row = turbulence->noise;
    NoiseJob job = {.count = b->count, .seed = octave->seed, .value = b->noise};
    memcpy(job.x, b->at, sizeof b->at);
    memcpy(job.gradient, b->slope, sizeof b->slope);
    (b->gradient[0] != NULL ? row->gradient : row->value)[turbulence->moves](&job);
}

/* ---- f: `noise` becomes f(n), `factor` (of the slopes) becomes f'(n); factor may be NULL ---- */

static void apply_plain(size_t count, mote_real *noise, mote_real *factor)
{
    (void)noise;
    if (factor == NULL) return;
    FOR_ROWS (i, count) factor[i] = 1;
}

static void apply_abs(size_t count, mote_real *noise, mote_real *factor)
{
    if (factor != NULL)
        FOR_ROWS (i, count) factor[i] = noise[i] < 0 ? -1 : (mote_real)1;
    FOR_ROWS (i, count) noise[i] = REAL_ABS(noise[i]);
}

static void apply_ridged(size_t count, mote_real *noise, mote_real *factor)
{
    if (factor != NULL)
        FOR_ROWS (i, count) {
            mote_real sign = noise[i] < 0 ? -1 : (mote_real)1;
            factor[i] = 2 * (noise[i] - sign);
        }
    FOR_ROWS (i, count) {
        mote_real rest = 1 - REAL_ABS(noise[i]);
        noise[i] = rest * rest;
    }
}

static void apply_function(const Turbulence *turbulence, const TurbulenceBlock *b)
{
    static void (*const functions[TURBULENCE_FUNCTIONS])(size_t, mote_real *, mote_real *) = {
        [TURBULENCE_PLAIN] = apply_plain,
        [TURBULENCE_ABS] = apply_abs,
        [TURBULENCE_RIDGED] = apply_ridged,
    };
    mote_real *factor =
        b->gradient[0] != NULL ? b->slope[3] : NULL; /* the slope in t is not used */
    if (turbulence->user != NULL)
        turbulence->user(turbulence->context, b->count, b->noise);
    else
        functions[turbulence->function](b->count, b->noise, factor);
}

/* ---- sums ---- */

/* The gradient of n(R x) is R^T grad n. */
static void add_gradient(const Octave *octave, const TurbulenceBlock *b)
{
    const mote_real *gx = b->slope[0], *gy = b->slope[1], *gz = b->slope[2], *factor = b->slope[3];
    for (int k = 0; k < 3; ++k) {
        const mote_real mx = octave->turn[0][k], my = octave->turn[1][k], mz = octave->turn[2][k];
        const mote_real weight = octave->weight;
        mote_real *sum = b->gradient[k];
        FOR_ROWS (i, b->count)
            sum[i] += weight * factor[i] * (mx * gx[i] + my * gy[i] + mz * gz[i]);
    }
}

/* sum_i alpha_i f(n(R_i beta^i x + o_i)), alpha_i = alpha_0 beta^(-i s): Bridson's "add dilated
 * noise". */
static void add_octave(const Turbulence *turbulence, const Octave *octave, double t,
                       const TurbulenceBlock *b)
{
    const mote_real *noise = b->noise, weight = octave->weight;
    mote_real *value = b->value;
    set_coordinates(octave, t, b);
    run_noise(turbulence, octave, b);
    apply_function(turbulence, b);
    FOR_ROWS (i, b->count) value[i] += weight * noise[i];
    if (b->gradient[0] != NULL) add_gradient(octave, b);
}

static void set_block(const TurbulencePoints *points, size_t first, mote_real *value,
                      mote_real *const gradient[3], TurbulenceBlock *b)
{
    size_t left = points->count - first;
    b->count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
    b->value = value + first;
    memset(b->value, 0, b->count * sizeof *value);
    for (int k = 0; k < 3; ++k) {
        b->x[k] = points->x[k] + first;
        b->gradient[k] = gradient != NULL ? gradient[k] + first : NULL;
        if (gradient != NULL) memset(b->gradient[k], 0, b->count * sizeof *value);
    }
    b->noise = b->planes[PLANES - 1];
    for (int k = 0; k < 4; ++k) b->at[k] = b->planes[k], b->slope[k] = b->planes[4 + k];
}

static void sample(const Turbulence *turbulence, const TurbulencePoints *points, mote_real *value,
                   mote_real *const gradient[3])
{
    TurbulenceBlock block;
    for (size_t first = 0; first < points->count; first += BLOCK_ROWS) {
        set_block(points, first, value, gradient, &block);
        for (int i = 0; i < turbulence->octaves; ++i)
            add_octave(turbulence, &turbulence->octave[i], points->t, &block);
    }
}

const TurbulenceKernels ISA(turbulence) = {.sample = sample};

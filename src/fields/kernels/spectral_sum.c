/* The sum of a spectral field's grids at points: u(x) = sum over grids of R^T v(R (x - X)), with R
 * the grid's turn and X the way that the mean wind has gone (frozen turbulence: Taylor, 1938).
 *
 * A finer grid may be carried by the coarser ones: it is then read where the wind of the coarser
 * ones, u, comes from, at x - u age. Ages grow over a turnover of the coarse eddies and start anew;
 * two such look-ups, half a turnover apart and each at a random shift, are cross-faded with weights
 * whose squares sum to 1, so that the strength does not pulse. */
#include "base/math.h"
#include "fields/kernels/spectral_kernels.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* One look-up of one grid, for all points of a call. */
typedef struct Lookup {
    const SpectralGrid *grid;
    SpectralView view;
    SpectralInterpolate *interpolate;
    mote_real offset[3]; /* m, in the grid's frame */
    mote_real age;       /* s */
    mote_real strength;
    int components;
} Lookup;

/* A block of points on its way through a look-up. */
typedef struct SumBlock {
    size_t count;
    const mote_real *x[3];
    mote_real *out[3];
    mote_real local[3][BLOCK_ROWS];
    mote_real values[BLOCK_ROWS * SPECTRAL_LANES];
    SpectralPlaces places;
} SumBlock;

/* Into the grid's frame, along its axis c. */
static void turn_axis(const Lookup *l, SumBlock *b, int c)
{
    const mote_real t0 = l->grid->turn[c][0], t1 = l->grid->turn[c][1], t2 = l->grid->turn[c][2];
    const mote_real *x = b->x[0], *y = b->x[1], *z = b->x[2], offset = l->offset[c];
    mote_real *to = b->local[c];
    FOR_ROWS (i, b->count) to[i] = (t0 * x[i] + t1 * y[i] + t2 * z[i]) - offset;
}

static void carry_axis(const Lookup *l, SumBlock *b, int c)
{
    const mote_real t0 = l->grid->turn[c][0], t1 = l->grid->turn[c][1], t2 = l->grid->turn[c][2];
    const mote_real *u = b->out[0], *v = b->out[1], *w = b->out[2], age = l->age;
    mote_real *to = b->local[c];
    FOR_ROWS (i, b->count) to[i] -= age * (t0 * u[i] + t1 * v[i] + t2 * w[i]);
}

/* Back into the world's frame, and added. */
static void add_component(const Lookup *l, SumBlock *b, int c, mote_real *sum)
{
    const mote_real s = l->strength, t0 = s * l->grid->turn[0][c], t1 = s * l->grid->turn[1][c],
                    t2 = s * l->grid->turn[2][c];
    const mote_real *v = b->values;
    FOR_ROWS (i, b->count)
        sum[i] += t0 * v[SPECTRAL_LANES * i] + t1 * v[SPECTRAL_LANES * i + 1] +
                  t2 * v[SPECTRAL_LANES * i + 2];
}

static void add_scalar(const Lookup *l, SumBlock *b, mote_real *sum)
{
    const mote_real s = l->strength, *v = b->values;
    FOR_ROWS (i, b->count) sum[i] += s * v[SPECTRAL_LANES * i];
}

/* `sum` is where the values are added; b->out what carries them. */
static void look_up(const Lookup *l, SumBlock *b, mote_real *const sum[3])
{
    mote_real *const local[3] = {b->local[0], b->local[1], b->local[2]};
    for (int c = 0; c < 3; ++c) turn_axis(l, b, c);
    for (int c = 0; c < 3 && l->age != 0; ++c) carry_axis(l, b, c);
    ISA(spectral_locate)(&l->view, b->count, local, &b->places);
    l->interpolate(&l->view, &b->places, b->values);
    if (l->components == 1)
        add_scalar(l, b, sum[0]);
    else
        for (int c = 0; c < 3; ++c) add_component(l, b, c, sum[c]);
}

/* The way of the mean wind in the grid's frame, within one box; in double, because it grows. */
static void set_offset(const SpectralSum *sum, int number, const double shift[3], Lookup *l)
{
    double size = sum->spectral->setup.grids[number].size;
    for (int c = 0; c < 3; ++c) {
        double way = shift[c] * size;
        for (int j = 0; j < 3; ++j) way += (double)l->grid->turn[c][j] * sum->travelled[j];
        l->offset[c] = (mote_real)(way - size * floor(way / size));
    }
}

static Lookup make_lookup(const SpectralSum *sum, int number, double t)
{
    static SpectralInterpolate *const interpolations[] = {
        [MOTE_SAMPLING_LINEAR] = ISA(spectral_linear),
        [MOTE_SAMPLING_CUBIC] = ISA(spectral_cubic),
        [MOTE_SAMPLING_CURL] = ISA(spectral_curl),
    };
    const SpectralSetup *setup = &sum->spectral->setup;
    Lookup lookup = {.grid = &sum->spectral->grids[number],
                     .view = spectral_view(sum->spectral, number, t),
                     .interpolate = interpolations[setup->sampling],
                     .strength = sum->strength,
                     .components = setup->scalar ? 1 : 3};
    set_offset(sum, number, (const double[3]){0, 0, 0}, &lookup);
    return lookup;
}

/* Phase 0 or 1 of a carried look-up. |sin| of phases half a turn apart: squares sum to 1. */
static void set_phase(const SpectralSum *sum, int number, double t, int phase, Lookup *l)
{
    double turnover = sum->turnover, turn = t / turnover + 0.5 * phase, cycle = floor(turn);
    Random4 words =
        random_draw(sum->key, (uint64_t)number, (uint32_t)(int64_t)cycle, (uint32_t)(1024 + phase));
    const double shift[3] = {(double)words.word[0] * 0x1p-32, (double)words.word[1] * 0x1p-32,
                             (double)words.word[2] * 0x1p-32};
    l->age = (mote_real)((turn - cycle) * turnover);
    l->strength = sum->strength * (mote_real)fabs(math_sin(PI * (turn - cycle)));
    set_offset(sum, number, shift, l);
}

enum { MOST_LOOKUPS = 2 * SPECTRAL_MOST_GRIDS };

static int list_lookups(const SpectralSum *sum, double t, Lookup lookups[MOST_LOOKUPS])
{
    int count = 0;
    for (int g = 0; g < sum->spectral->setup.grid_count; ++g)
        for (int phase = 0; phase < (sum->carried && g > 0 ? 2 : 1); ++phase) {
            lookups[count] = make_lookup(sum, g, t);
            if (sum->carried && g > 0) set_phase(sum, g, t, phase, &lookups[count]);
            ++count;
        }
    return count;
}

/* Carried look-ups are added beside what carries them, and at the end. */
static void sum_block(const Lookup *lookups, int count, SumBlock *b)
{
    mote_real beside[3][BLOCK_ROWS];
    mote_real *const fine[3] = {beside[0], beside[1], beside[2]};
    const int components = lookups[0].components;
    bool any = false;
    for (int c = 0; c < components; ++c) memset(b->out[c], 0, b->count * sizeof(mote_real));
    for (int i = 0; i < count; ++i) {
        bool carried = lookups[i].age != 0;
        if (carried && !any) memset(beside, 0, sizeof beside);
        any = any || carried;
        look_up(&lookups[i], b, carried ? fine : b->out);
    }
    for (int c = 0; c < components && any; ++c) {
        mote_real *to = b->out[c], *from = beside[c];
        FOR_ROWS (i, b->count) to[i] += from[i];
    }
}

void ISA(spectral_blend)(size_t count, const float *before, const float *after, float part,
                         float *to)
{
    FOR_ROWS (i, count) to[i] = before[i] + part * (after[i] - before[i]);
}

void ISA(spectral_sum)(const SpectralSum *sum, const FieldPoints *points, mote_real *const out[3])
{
    Lookup lookups[MOST_LOOKUPS];
    SumBlock block;
    const int count = list_lookups(sum, points->t, lookups);
    spectral_note(sum->spectral, points->t, points->count);
    for (size_t first = 0; first < points->count; first += BLOCK_ROWS) {
        size_t left = points->count - first;
        block.count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        for (int c = 0; c < 3; ++c) block.x[c] = points->x[c] + first;
        for (int c = 0; c < lookups[0].components; ++c) block.out[c] = out[c] + first;
        sum_block(lookups, count, &block);
    }
}

/* The waves of a spectral field, drawn mode by mode.
 *
 * Every wave is drawn by hashing its integers (a, b, c, m), so that the result depends on neither
 * threads nor the number of points: more points only add detail. For wind, three complex normal
 * numbers X of variance s^2 are projected on the plane across k, U = X - k (k.X) / k^2, which keeps
 * two of three: the divergence i k.U is zero, and with
 *
 *     s^2 = E(k) / (4 pi k^2) (2 pi / size)^3        (E(k) / (2 pi k) (2 pi / size)^2 if flat)
 *
 * the sum of |U|^2 / 2 over all modes is the integral of E. Frequencies of a mode are normal with
 * standard deviation k sigma: small eddies are swept past faster. A real field has U(-k, -w) =
 * conj U(k, w), so one mode of each pair is kept. Stam and Fiume, SIGGRAPH 1993. */
#include "base/math.h"
#include "base/status.h"
#include "fields/spectral.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.28318530717958647693

/* ---- drawing ---- */

enum { DRAW_FIRST, DRAW_SECOND, DRAW_FREQUENCY, DRAWS };

static Random4 draw_words(RandomKey key, const SpectralMode *mode, int m, int grid, int purpose)
{
    uint64_t id = 0;
    for (int c = 0; c < 3; ++c) id = id << 17 | (uint64_t)(mode->index[c] + (1 << 16));
    return random_draw(key, id, (uint32_t)m, (uint32_t)(grid * DRAWS + purpose));
}

static double unit_of(uint32_t word)
{
    return ((double)word + 0.5) * 0x1p-32;
}

/* Two independent normal numbers (Box and Muller, 1958), as a complex one of variance 1. */
static void normal_pair(uint32_t first, uint32_t second, double pair[2])
{
    double size = sqrt(-math_log(unit_of(first))), s, c;
    math_sincos(TWO_PI * unit_of(second), &s, &c);
    pair[0] = size * c, pair[1] = size * s;
}

/* U = X - k (k . X) / k^2, here in integers of the lattice. */
static void project(const SpectralMode *mode, double u[3][2])
{
    double square = 0;
    for (int c = 0; c < 3; ++c) square += (double)mode->index[c] * mode->index[c];
    for (int part = 0; part < 2; ++part) {
        double along = 0;
        for (int c = 0; c < 3; ++c) along += mode->index[c] * u[c][part];
        for (int c = 0; c < 3; ++c) u[c][part] -= mode->index[c] * along / square;
    }
}

/* Leaves direction and phase, but sets the size. */
static void set_size(double strength, double u[3][2])
{
    double square = 0;
    for (int c = 0; c < 3; ++c) square += u[c][0] * u[c][0] + u[c][1] * u[c][1];
    double factor = square > 0 ? sqrt(strength / square) : 0;
    for (int c = 0; c < 3; ++c) u[c][0] *= factor, u[c][1] *= factor;
}

static void draw_wind(const SpectralSetup *setup, const SpectralMode *mode, Random4 one,
                      Random4 two, double strength, double u[3][2])
{
    normal_pair(one.word[0], one.word[1], u[0]);
    normal_pair(one.word[2], one.word[3], u[1]);
    u[2][0] = u[2][1] = 0;
    if (!setup->flat) normal_pair(two.word[0], two.word[1], u[2]);
    project(mode, u);
    if (!setup->gaussian) {
        set_size(strength, u);
        return;
    }
    double s = sqrt(strength / (setup->flat ? 1 : 2)); /* components that the projection leaves */
    for (int c = 0; c < 3; ++c) u[c][0] *= s, u[c][1] *= s;
}

/* A random phase, and an amplitude that is random in part. */
static void draw_noise(const SpectralSetup *setup, Random4 words, double strength, double u[3][2])
{
    double jitter = 1 + setup->jitter * (2 * unit_of(words.word[1]) - 1), s, c;
    math_sincos(TWO_PI * unit_of(words.word[0]), &s, &c);
    memset(u, 0, 6 * sizeof u[0][0]);
    u[0][0] = sqrt(strength) * jitter * c;
    u[0][1] = sqrt(strength) * jitter * s;
}

void spectral_draw(const SpectralSetup *setup, int grid, RandomKey key, const SpectralMode *mode,
                   int m, double strength, double u[3][2])
{
    Random4 one = draw_words(key, mode, m, grid, DRAW_FIRST);
    if (setup->scalar)
        draw_noise(setup, one, strength, u);
    else
        draw_wind(setup, mode, one, draw_words(key, mode, m, grid, DRAW_SECOND), strength, u);
}

static double draw_frequency(const SpectralSetup *setup, int grid, RandomKey key,
                             const SpectralMode *mode)
{
    Random4 words = draw_words(key, mode, 0, grid, DRAW_FREQUENCY);
    double pair[2];
    normal_pair(words.word[0], words.word[1], pair);
    return mode->k * setup->sigma * sqrt(2.0) * pair[0];
}

/* ---- frequencies of periodic time ---- */

/* The mirror of -slices / 2 is itself, so it is left out. */
int spectral_most_m(size_t slices)
{
    return (int)((slices - 1) / 2);
}

double spectral_share(const SpectralSetup *setup, int grid, double k, int m)
{
    double spread = k * setup->sigma * setup->grids[grid].period / TWO_PI;
    return math_exp(-0.5 * ((double)m * m) / (spread * spread));
}

/* ---- the list ---- */

static bool is_canonical(const int index[3])
{
    for (int c = 0; c < 3; ++c)
        if (index[c] != 0) return index[c] > 0;
    return false;
}

/* |U|^2 that a mode may be expected to have; of noise, |U| is half of the cosine's amplitude. */
static double expected_strength(const SpectralSetup *setup, int grid, double k)
{
    const Spectrum *s = &setup->grids[grid].spectrum;
    double unit = TWO_PI / setup->grids[grid].size;
    double energy = spectrum_energy(s, k) * spectrum_window(s, k);
    if (setup->scalar) return 0.25 * energy * energy;
    if (setup->flat) return energy / (TWO_PI * k) * unit * unit;
    return 2 * energy / (2 * TWO_PI * k * k) * unit * unit * unit;
}

typedef struct Listing {
    const SpectralSetup *setup;
    int grid;
    SpectralModes *modes;
} Listing;

static void list_mode(const Listing *l, const int index[3])
{
    double square = 0;
    for (int c = 0; c < 3; ++c) square += (double)index[c] * index[c];
    double k = sqrt(square) * TWO_PI / l->setup->grids[l->grid].size;
    if (!is_canonical(index) || spectrum_window(&l->setup->grids[l->grid].spectrum, k) == 0) return;
    if (l->modes->items != NULL) {
        SpectralMode mode = {.index = {index[0], index[1], index[2]}, .k = k};
        mode.strength = expected_strength(l->setup, l->grid, k);
        l->modes->items[l->modes->count] = mode;
    }
    ++l->modes->count;
}

/* Only half of the first axis; counts when there is no memory yet. */
static void list_modes(const Listing *l)
{
    const SpectralSetup *setup = l->setup;
    double highest = spectrum_highest(&setup->grids[l->grid].spectrum);
    int most = (int)((setup->points - 1) / 2);
    int reach = (int)fmin(most, highest * setup->grids[l->grid].size / TWO_PI + 1);
    int depth = setup->flat ? 0 : reach;
    l->modes->count = 0;
    for (int a = 0; a <= reach; ++a)
        for (int b = -reach; b <= reach; ++b)
            for (int c = -depth; c <= depth; ++c) list_mode(l, (int[3]){a, b, c});
}

/* ---- shells ----
 *
 * The number of modes between two spheres is not quite their volume: shell 3 lacks 13 %, shell 5
 * has 11 % too many. Strengths are scaled so that every shell has E of its middle times its width.
 */

enum { SHELL_PLACES = 16 };

static size_t shell_of(const SpectralSetup *setup, int grid, double k)
{
    return (size_t)(k * setup->grids[grid].size / TWO_PI + 0.5);
}

static double shell_energy(const SpectralSetup *setup, int grid, size_t shell)
{
    const Spectrum *s = &setup->grids[grid].spectrum;
    double width = TWO_PI / setup->grids[grid].size, window = 0;
    for (int i = 0; i < SHELL_PLACES; ++i)
        window += spectrum_window(s, ((double)shell - 0.5 + (i + 0.5) / SHELL_PLACES) * width);
    return spectrum_energy(s, (double)shell * width) * width * window / SHELL_PLACES;
}

static mote_Status fix_shells(const Listing *l, Memory *memory, mote_Error *error)
{
    SpectralModes *modes = l->modes;
    const size_t shells = 2 * l->setup->points, bytes = shells * sizeof(double);
    double *factor = memory_zeroed(memory, bytes);
    if (factor == NULL) return status_no_memory(error, "shells of a spectrum", bytes);
    for (size_t i = 0; i < modes->count; ++i)
        factor[shell_of(l->setup, l->grid, modes->items[i].k)] += modes->items[i].strength;
    for (size_t s = 1; s < shells; ++s)
        if (factor[s] > 0) factor[s] = shell_energy(l->setup, l->grid, s) / factor[s];
    for (size_t i = 0; i < modes->count; ++i)
        modes->items[i].strength *= factor[shell_of(l->setup, l->grid, modes->items[i].k)];
    memory_free(memory, factor, bytes);
    return MOTE_OK;
}

/* ---- making the list ---- */

typedef struct DrawJob {
    const SpectralSetup *setup;
    int grid;
    RandomKey key;
    SpectralMode *modes;
} DrawJob;

static void draw_modes(void *context, size_t begin, size_t end, int worker)
{
    const DrawJob *job = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        SpectralMode *mode = &job->modes[i];
        spectral_draw(job->setup, job->grid, job->key, mode, 0, mode->strength, mode->u);
        mode->w = draw_frequency(job->setup, job->grid, job->key, mode);
    }
}

mote_Status spectral_modes_make(const SpectralSetup *setup, int grid, RandomKey key,
                                const FieldSite *site, SpectralModes *modes, mote_Error *error)
{
    Listing listing = {setup, grid, modes};
    mote_Status status = MOTE_OK;
    *modes = (SpectralModes){0};
    list_modes(&listing);
    if (modes->count == 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: no wave of a box of %g m lies between k_lo = %g and k_hi = %g "
                           "rad/m; widen the band or raise size",
                           site->where, setup->grids[grid].size, setup->grids[grid].spectrum.k_lo,
                           setup->grids[grid].spectrum.k_hi);
    size_t bytes = modes->count * sizeof *modes->items;
    modes->items = memory_take(site->memory, bytes);
    if (modes->items == NULL) return status_no_memory(error, site->where, bytes);
    list_modes(&listing);
    if (!setup->scalar) status = fix_shells(&listing, site->memory, error);
    for (size_t i = 0; i < modes->count; ++i) modes->energy += modes->items[i].strength;
    modes->energy *= 1 + setup->jitter * setup->jitter / 3;
    if (status == MOTE_OK) {
        DrawJob job = {setup, grid, key, modes->items};
        mote_parallel_for(site->tasks, modes->count, 256, draw_modes, &job);
    } else {
        spectral_modes_free(site->memory, modes);
    }
    return status;
}

void spectral_modes_free(Memory *memory, SpectralModes *modes)
{
    memory_free(memory, modes->items, modes->count * sizeof *modes->items);
    *modes = (SpectralModes){0};
}

/* The band: particles of the liquid where d |n| > 0.2, n being the gradient of the filled share
 * with the kernel of the band. Walls are as full as the liquid, so that it has no surface towards
 * them.
 *
 * Over the layers of a flat surface d |n| is 0.37, 0.12, 0.01 with a kernel of three spacings; the
 * sum is 1/2. Where the liquid's own kernel is narrower, it says who may be in the band, and the
 * wide sums are taken for those alone. */
#include "solvers/sph/outline.h"
#include "solvers/sph/tension.h"

#include "solvers/sph/kernels.h"

#include <string.h>

ISA_KERNELS(band_kernels, BandKernels, band_table)

enum { PLACES_PER_TASK = 256 };

/* d |n| of what is in the band, and with the liquid's own kernel of what may be. */
#define IN_BAND ((mote_real)0.2)
#define MAY_BE  ((mote_real)0.05)

void band_for_places(Band *band, mote_TaskBody *body)
{
    mote_parallel_for(band->step->outer->tasks, band->count, PLACES_PER_TASK, body, band);
}

static uint32_t *take_numbers(const SphStep *step, size_t count)
{
    return arena_take(step->outer->arena, (count + 1) * sizeof(uint32_t));
}

static bool take_vectors(const SphStep *step, size_t count, mote_real *planes[3])
{
    for (int c = 0; c < 3; ++c) {
        planes[c] = arena_take(step->outer->arena, (count + CELLS_SPARE) * sizeof(mote_real));
        if (planes[c] == NULL) return false;
        memset(planes[c], 0, (count + CELLS_SPARE) * sizeof(mote_real));
    }
    return true;
}

/* ---- who may be in it ---- */

typedef struct Candidates {
    const SphStep *step;
    Tension *tension;
    size_t count;
    uint32_t *place;
    mote_real *x[3], *n[3];
    const BandKernels *kernels;
    ColourInput input;
    Cells cells; /* of all particles, as wide as the band's kernel */
} Candidates;

static void copy_candidate(Candidates *all, size_t i, mote_real *const inward[3])
{
    const size_t k = all->count++;
    all->place[k] = (uint32_t)i;
    for (int c = 0; c < 3; ++c) {
        all->x[c][k] = all->step->x[c][i];
        all->n[c][k] = all->step->flat && c == 2 ? 0 : inward[c][i];
    }
}

static bool find_candidates(Candidates *all)
{
    const SphStep *step = all->step;
    const mote_real least = MAY_BE / (mote_real)all->tension->spacing;
    mote_real *inward[3];
    size_t wanted = 0;
    uint8_t *may = arena_take(step->outer->arena, step->rows + 1);
    if (may == NULL || !sph_outline(step, inward)) return false;
    for (size_t i = 0; i < step->rows; ++i) {
        const mote_Vec3 n = band_vector(inward, i);
        may[i] = vec3_dot(n, n) > least * least;
        wanted += may[i];
    }
    all->place = take_numbers(step, wanted);
    if (all->place == NULL || !take_vectors(step, wanted, all->x) ||
        !take_vectors(step, wanted, all->n))
        return false;
    for (size_t i = 0; i < step->rows; ++i)
        if (may[i]) copy_candidate(all, i, inward);
    return true;
}

static void colour_body(void *context, size_t begin, size_t end, int worker)
{
    const Candidates *all = context;
    mote_real *const x[3] = {all->x[0] + begin, all->x[1] + begin, all->x[2] + begin};
    mote_real *const n[3] = {all->n[0] + begin, all->n[1] + begin, all->n[2] + begin};
    (void)worker;
    all->kernels->colours(&all->input, end - begin, x, n);
}

/* Their gradients with the kernel of the band. */
static bool widen(Candidates *all)
{
    const SphStep *step = all->step;
    const CellSpace space = sph_space(step->outer);
    const CellPoints points = {.x = {step->x[0], step->x[1], step->x[2]}, .count = step->rows};
    const Smoothing *kernel = &all->tension->kernel;
    if (!(kernel->support > step->kernel.support)) return true;
    if (!cells_make(&all->cells, &space, kernel->support, &points, step->outer->arena,
                    step->outer->tasks))
        return false;
    all->input = (ColourInput){
        .cells = &all->cells, .kernel = *kernel, .volume = step->mass / step->rest_density};
    mote_parallel_for(step->outer->tasks, all->count, PLACES_PER_TASK, colour_body, all);
    return true;
}

/* A wall is as full as the liquid, so that there is no surface towards it; along it, it goes on as
 * the liquid does, so what of the gradient is along it would be as much more. */
static mote_Vec3 beside_wall(mote_Vec3 n, const WallShare *share)
{
    const mote_Vec3 filled = vec3_add(n, share->gradient),
                    w = vec3_unit(share->gradient, vec3(0, 0, 0));
    const mote_real across = vec3_dot(filled, w), left = 1 - share->volume;
    const mote_Vec3 along = vec3_madd(filled, -across, w);
    return vec3_madd(vec3_scale(along, 1 / (left > (mote_real)0.5 ? left : (mote_real)0.5)), across,
                     w);
}

static mote_Status meet_walls(Candidates *all, mote_Error *error)
{
    const Walls *walls = &all->tension->walls;
    mote_Status status = tension_meet_walls(all->step, all->x, all->count, error);
    if (status != MOTE_OK || walls->rows == 0) return status;
    for (size_t k = 0; k < all->count; ++k) {
        mote_Vec3 n = band_vector(all->n, k);
        FOR_WALL_SHARES (s, walls, k) n = beside_wall(n, s);
        if (all->step->flat) n.z = 0;
        band_set(all->n, k, n);
    }
    return MOTE_OK;
}

/* ---- who is ---- */

static bool is_in_band(const Candidates *all, size_t k)
{
    const mote_real least = IN_BAND / (mote_real)all->tension->spacing;
    const mote_Vec3 n = band_vector(all->n, k);
    return vec3_dot(n, n) > least * least;
}

/* Their places as cells, and from then on all of the band by the order of these. */
static bool sort_band(Band *band, const Candidates *all)
{
    const SphStep *step = band->step;
    const CellSpace space = sph_space(step->outer);
    uint32_t *who = take_numbers(step, all->count);
    mote_real *x[3];
    if (who == NULL || !take_vectors(step, all->count, x)) return false;
    for (size_t k = 0; k < all->count; ++k) {
        if (!is_in_band(all, k)) continue;
        band_set(x, band->count, band_vector(all->x, k));
        who[band->count++] = (uint32_t)k;
    }
    if (band->count == 0) return true;
    const CellPoints points = {.x = {x[0], x[1], x[2]}, .count = band->count};
    band->place = take_numbers(step, band->count), band->wall = take_numbers(step, band->count);
    if (band->place == NULL || band->wall == NULL || !take_vectors(step, band->count, band->n) ||
        !take_vectors(step, band->count, band->u) || !take_vectors(step, band->count, band->next) ||
        !cells_make(&band->cells, &space, band->tension->kernel.support, &points,
                    step->outer->arena, step->outer->tasks))
        return false;
    for (size_t i = 0; i < band->count; ++i) {
        const size_t k = who[band->cells.order[i]];
        const mote_Vec3 n = band_vector(all->n, k);
        band->place[i] = all->place[k], band->wall[i] = (uint32_t)k;
        band_set(band->n, i, n);
        band_set(band->u, i, vec3_unit(vec3_scale(n, -1), n));
    }
    return true;
}

/* ---- pairs ---- */

typedef struct PairsWork {
    PairsInput input;
    const BandKernels *kernels;
} PairsWork;

static void pairs_body(void *context, size_t begin, size_t end, int worker)
{
    const PairsWork *work = context;
    (void)worker;
    work->kernels->pairs(&work->input, begin, end);
}

static bool weigh_pairs(Band *band)
{
    const SphStep *step = band->step;
    Arena *arena = step->outer->arena;
    Neighbours *lists = &band->tension->lists;
    if (!neighbours_find(lists, &band->cells, NULL, step->outer->isa, arena, step->outer->tasks))
        return false;
    band->weights = arena_take(arena, (lists->capacity + 1) * sizeof *band->weights);
    band->slopes = arena_take(arena, (lists->capacity + 1) * sizeof *band->slopes);
    band->bend = arena_take(arena, (band->count + 1) * sizeof *band->bend);
    if (band->weights == NULL || band->slopes == NULL || band->bend == NULL) return false;
    PairsWork work = {.input = {.lists = lists,
                                .kernel = band->tension->kernel,
                                .flat = step->flat,
                                .volume = step->mass / step->rest_density,
                                .weights = band->weights,
                                .slopes = band->slopes},
                      .kernels = band_kernels(step->outer->isa)};
    for (int c = 0; c < 3; ++c) {
        work.input.x[c] = band->cells.x[c];
        work.input.period[c] = step->period[c];
    }
    mote_parallel_for(step->outer->tasks, band->count, PLACES_PER_TASK, pairs_body, &work);
    return true;
}

mote_Status band_find(Band *band, SphStep *step, mote_Error *error)
{
    Tension *tension = step->state->tension;
    Candidates all = {.step = step, .tension = tension, .kernels = band_kernels(step->outer->isa)};
    *band = (Band){.step = step, .tension = tension};
    if (!find_candidates(&all) || !widen(&all)) return sph_no_memory(step, error);
    mote_Status status = meet_walls(&all, error);
    if (status != MOTE_OK) return status;
    if (!sort_band(band, &all)) return sph_no_memory(step, error);
    return band->count == 0 || weigh_pairs(band) ? MOTE_OK : sph_no_memory(step, error);
}

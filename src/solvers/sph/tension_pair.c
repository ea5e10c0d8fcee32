/* Tension row `pair`: forces between pairs of particles, as between molecules.
 *
 * With q = r / R and a reach R of four spacings, particles pull each other by
 *
 *     f(r) = s q (1 - q)^2 (q - 0.4),
 *
 * nearer than 1.6 spacings they push. Cutting a liquid in two takes the work of all pairs that are
 * parted, so that with n = 1/d^D particles in a volume (Fowler 1937)
 *
 *     sigma = pi/8 n^2 int f r^4 dr    in three dimensions, with the integral s R^5/630,
 *     sigma = 1/3 n^2 int f r^3 dr     in two, with s R^4 3/1400,
 *
 * which sets s; sums over a lattice's faces are 1 to 4 % less. Forces are along pairs: momentum and
 * angular momentum stay. Within the liquid pulls have a pressure of their own, 1.8 sigma/d, which
 * the pressure solver bears.
 *
 * Walls are as full of particles as the liquid, and pull by another strength: adhesion(). What they
 * pull, pulls them. */
#include "solvers/sph/tension.h"

#include "base/math.h"
#include "solvers/points/slot.h"
#include "solvers/sph/flow.h"

enum { PLACES_PER_TASK = 256 };

/* Spacings. */
#define REACH 4.0

/* ---- the force ---- */

/* What q (1 - q)^2 (q - c) does from q to 1: the potential, of which it is -d/dq. */
static double pair_value(double q)
{
    const double c = PULL_REST;
    const double all = -c / 2 + (1 + 2 * c) / 3 - (2 + c) / 4 + 1.0 / 5;
    return all - q * q * (-c / 2 + q * ((1 + 2 * c) / 3 - q * ((2 + c) / 4 - q / 5)));
}

static double pair_slope(double q)
{
    return -(1 - q) * (1 - q) * (q - PULL_REST);
}

/* In no table of kernels: it is none, but walls integrate it as they do one. */
static const SmoothingRow pair_shape = {.kind = SMOOTHING_KINDS,
                                        .gradient = SMOOTHING_KINDS,
                                        .sigma = {0, 0, 1, 1},
                                        .value = pair_value,
                                        .slope = pair_slope};

/* s over the mass of a particle, m/s^2. */
static double strength(const Tension *tension, bool flat)
{
    const double d = tension->spacing, r = REACH;
    return tension->specific / (d * d) *
           (flat ? 1400 / (r * r * r * r) : 8 * 630 / (3.141592653589793 * r * r * r * r * r));
}

/* s R n of a wall that pulls as the liquid does. */
static double full_strength(const SphStep *step)
{
    const Tension *tension = step->state->tension;
    const double area = REACH * REACH, full = step->flat ? area : area * REACH;
    return REACH * tension->spacing * full * strength(tension, step->flat);
}

static void open(const SolverSite *site, const mote_SphSolver *own, const SmoothingRow *smoothing,
                 Tension *tension)
{
    const double reach = REACH * (double)own->spacing;
    (void)smoothing;
    tension->kernel =
        (Smoothing){.kind = SMOOTHING_KINDS,
                    .gradient_kind = SMOOTHING_KINDS,
                    .support = (mote_real)reach,
                    .inverse = (mote_real)(1 / reach),
                    .square = (mote_real)(reach * reach),
                    .slope_scale = (mote_real)(strength(tension, site->dimension == 2) / reach)};
    walls_make_full(&tension->walls, &pair_shape, site->dimension, 1 / REACH, site->isa);
}

/* ---- between particles ---- */

typedef struct PairPull {
    SphStep *step;
    const BandKernels *kernels;
    ColourInput input;
    Cells cells;
    mote_real *a[3];
} PairPull;

static void pull_body(void *context, size_t begin, size_t end, int worker)
{
    const PairPull *work = context;
    SphStep *step = work->step;
    mote_real *x[3], *a[3];
    (void)worker;
    for (int c = 0; c < 3; ++c) x[c] = (mote_real *)step->x[c] + begin, a[c] = work->a[c] + begin;
    work->kernels->pulls(&work->input, end - begin, x, a);
    for (size_t i = begin; i < end; ++i)
        for (int c = 0; c < (step->flat ? 2 : 3); ++c)
            step->a[c][i] += sph_light(step, i) * work->a[c][i];
}

/* Whether there is a surface: where pulls do not cancel, walls being as full as the liquid. In its
 * first two layers they are 0.9 and 0.7 sigma/(rho d^2), within a liquid 0.3 at most. */
static bool has_surface(const PairPull *work)
{
    const SphStep *step = work->step;
    const Tension *tension = step->state->tension;
    const mote_real full = (mote_real)full_strength(step),
                    least = (mote_real)(0.5 * tension->specific /
                                        (tension->spacing * tension->spacing));
    uint64_t thin = 0;
    for (size_t i = 0; i < step->rows; ++i) {
        mote_Vec3 a = vec3(work->a[0][i], work->a[1][i], step->flat ? 0 : work->a[2][i]);
        a = vec3_madd(a, full, walls_gradient(&tension->walls, i));
        thin += vec3_dot(a, a) > least * least;
    }
    return !flow_has_no_surface(step, thin);
}

static mote_Status pull_pairs(SphStep *step, mote_Error *error)
{
    const CellSpace space = sph_space(step->outer);
    const CellPoints points = {.x = {step->x[0], step->x[1], step->x[2]}, .count = step->rows};
    PairPull work = {.step = step, .kernels = band_kernels(step->outer->isa)};
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        work.a[c] = sph_plane(step);
        room = room && work.a[c] != NULL;
    }
    work.input =
        (ColourInput){.cells = &work.cells, .kernel = step->state->tension->kernel, .volume = 1};
    if (!room || !cells_make(&work.cells, &space, work.input.kernel.support, &points,
                             step->outer->arena, step->outer->tasks))
        return sph_no_memory(step, error);
    mote_parallel_for(step->outer->tasks, step->rows, PLACES_PER_TASK, pull_body, &work);
    step->surfaced = has_surface(&work);
    return MOTE_OK;
}

/* ---- at walls ---- */

/* How strongly a wall pulls, of what as much liquid would, for the angle at which its surface is to
 * meet the wall. Young and Dupre have (1 + c)/2, c the angle's cosine. This is a parabola through
 * what drops were found to need for 60, 90 and 120 degrees, by which they stand between those that
 * spread and those that drew back (docs/design/0035-surface-tension.md). */
static double adhesion(double degrees)
{
    const double c = math_cos(degrees * (3.141592653589793 / 180));
    return 0.44 + c * (0.535 + c * 0.17);
}

static mote_real draw(const SphStep *step, const WallShare *share)
{
    const Collider *collider = step->outer->shop->colliders[share->collider];
    return (mote_real)(adhesion((double)collider->def.wetting) * full_strength(step));
}

static mote_Status pull(SphStep *step, mote_Error *error)
{
    mote_real *const x[3] = {(mote_real *)step->x[0], (mote_real *)step->x[1],
                             (mote_real *)step->x[2]};
    mote_Status status = tension_meet_walls(step, x, step->rows, error);
    if (status == MOTE_OK) status = pull_pairs(step, error);
    if (status != MOTE_OK) return status;
    sph_draw_walls(step, &step->state->tension->walls, draw);
    return MOTE_OK;
}

static void load(SphStep *step)
{
    sph_load_drawn(step, &step->state->tension->walls, draw);
}

const TensionRow tension_pair = {
    .head =
        ROW_HEAD("pair",
                 "forces between pairs, for wetting: they damp what swings (Tartakovsky and Meakin "
                 "2005)",
                 tension_params, mote_CsfTension),
    .open = open,
    .pull = pull,
    .load = load,
};

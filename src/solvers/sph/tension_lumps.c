/* TensionLumps: parts of the liquid whose particles are joined by lists of neighbours.
 *
 * Curvature is not exact, so the forces of tension on a closed surface have a small sum, and would
 * drive a drop away and turn it. Where a lump touches no wall, both are taken out again: as a body
 * as a whole, so that its form does not feel it. Sums are in the order of places, lump by lump, so
 * those of one do not depend on the others. */
#include "solvers/sph/tension.h"

#include <string.h>

typedef struct Lump {
    double mass;         /* over that of a particle of the host */
    double centre[3];    /* m: at first the sum */
    double force[3];     /* of tension, over that mass, m/s^2: at first the sum */
    double torque[3];    /* about the centre, the same times m; then the turning, 1/s^2 */
    double inertia[6];   /* xx, xy, xz, yy, yz, zz */
    bool walled, pulled; /* it touches a wall; it has a part of the band */
} Lump;

typedef struct TensionLumps {
    const Band *band;
    const SphStep *step;
    uint32_t *of; /* by place: its lump */
    Lump *lumps;
    size_t count;
} TensionLumps;

/* ---- which they are ---- */

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The root of a lump is its first place. */
static void join_neighbours(const Neighbours *lists, uint32_t *parent, size_t rows)
{
    for (size_t i = 0; i < rows; ++i) {
        const uint32_t *list = neighbours_of(lists, i);
        parent[i] = (uint32_t)i;
        for (size_t k = 0; k < lists->count[i]; ++k) {
            if (list[k] >= i || parent[list[k]] == parent[i]) continue;
            const uint32_t a = root_of(parent, (uint32_t)i), b = root_of(parent, list[k]);
            if (a < b) parent[b] = a;
            if (b < a) parent[a] = b;
        }
    }
}

/* Roots come before what they are roots of. */
static bool number_lumps(TensionLumps *all)
{
    const SphStep *step = all->step;
    Arena *arena = step->outer->arena;
    uint32_t *parent = arena_take(arena, (step->rows + 1) * sizeof *parent);
    all->of = arena_take(arena, (step->rows + 1) * sizeof *all->of);
    if (parent == NULL || all->of == NULL) return false;
    join_neighbours(step->lists, parent, step->rows);
    for (size_t i = 0; i < step->rows; ++i) {
        const uint32_t root = root_of(parent, (uint32_t)i);
        all->of[i] = root == i ? (uint32_t)all->count++ : all->of[root];
    }
    all->lumps = arena_take(arena, (all->count + 1) * sizeof *all->lumps);
    if (all->lumps == NULL) return false;
    memset(all->lumps, 0, all->count * sizeof *all->lumps);
    return true;
}

static bool is_balanced(const Lump *lump)
{
    return lump->pulled && !lump->walled;
}

/* ---- sums ---- */

static double mass_at(const SphStep *step, size_t i)
{
    return 1 / (double)sph_light(step, i);
}

static void add_masses(const TensionLumps *all)
{
    const SphStep *step = all->step;
    const Walls *walls = &step->state->walls;
    for (size_t i = 0; i < step->rows; ++i) {
        Lump *lump = &all->lumps[all->of[i]];
        const double mass = mass_at(step, i);
        lump->mass += mass;
        for (int c = 0; c < 3; ++c) lump->centre[c] += mass * (double)step->x[c][i];
        if (walls->rows > 0 && walls_volume(walls, i) > 0) lump->walled = true;
    }
    for (size_t k = 0; k < all->count; ++k)
        for (int c = 0; c < 3; ++c) all->lumps[k].centre[c] /= all->lumps[k].mass;
}

static void arm_at(const SphStep *step, size_t i, const Lump *lump, double arm[3])
{
    for (int c = 0; c < 3; ++c)
        arm[c] = step->flat && c == 2 ? 0 : (double)step->x[c][i] - lump->centre[c];
}

static void add_forces(const TensionLumps *all, mote_real *const a[3])
{
    const SphStep *step = all->step;
    for (size_t b = 0; b < all->band->count; ++b) {
        const size_t i = all->band->place[b];
        Lump *lump = &all->lumps[all->of[i]];
        double arm[3], f[3];
        const double mass = mass_at(step, i);
        arm_at(step, i, lump, arm);
        for (int c = 0; c < 3; ++c) f[c] = mass * (double)a[c][b], lump->force[c] += f[c];
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            lump->torque[c] += arm[d] * f[e] - arm[e] * f[d];
        }
        lump->pulled = true;
    }
}

static void add_inertias(const TensionLumps *all)
{
    const SphStep *step = all->step;
    for (size_t i = 0; i < step->rows; ++i) {
        Lump *lump = &all->lumps[all->of[i]];
        if (!is_balanced(lump)) continue;
        const double mass = mass_at(step, i);
        double x[3];
        arm_at(step, i, lump, x);
        lump->inertia[0] += mass * (x[1] * x[1] + x[2] * x[2]);
        lump->inertia[3] += mass * (x[0] * x[0] + x[2] * x[2]);
        lump->inertia[5] += mass * (x[0] * x[0] + x[1] * x[1]);
        lump->inertia[1] -= mass * x[0] * x[1], lump->inertia[2] -= mass * x[0] * x[2];
        lump->inertia[4] -= mass * x[1] * x[2];
    }
}

/* ---- what is taken out ---- */

/* I^-1 T; particles in a line do not turn about it. */
static void find_turning(Lump *lump)
{
    double *i = lump->inertia;
    const double t[3] = {lump->torque[0], lump->torque[1], lump->torque[2]};
    const double least = 1e-12 * (i[0] + i[3] + i[5]);
    i[0] += least, i[3] += least, i[5] += least;
    const double inverse[6] = {i[3] * i[5] - i[4] * i[4], i[2] * i[4] - i[1] * i[5],
                               i[1] * i[4] - i[2] * i[3], i[0] * i[5] - i[2] * i[2],
                               i[1] * i[2] - i[0] * i[4], i[0] * i[3] - i[1] * i[1]};
    const double whole = i[0] * inverse[0] + i[1] * inverse[1] + i[2] * inverse[2];
    const double scale = whole > 0 ? 1 / whole : 0;
    lump->torque[0] = scale * (inverse[0] * t[0] + inverse[1] * t[1] + inverse[2] * t[2]);
    lump->torque[1] = scale * (inverse[1] * t[0] + inverse[3] * t[1] + inverse[4] * t[2]);
    lump->torque[2] = scale * (inverse[2] * t[0] + inverse[4] * t[1] + inverse[5] * t[2]);
}

/* Across a periodic box there is no angular momentum. */
static void find_motions(const TensionLumps *all)
{
    for (size_t k = 0; k < all->count; ++k) {
        Lump *lump = &all->lumps[k];
        for (int c = 0; c < 3; ++c) lump->force[c] /= lump->mass;
        if (all->step->periodic)
            memset(lump->torque, 0, sizeof lump->torque);
        else if (is_balanced(lump))
            find_turning(lump);
    }
}

static void take_out(SphStep *step, size_t begin, size_t end, int worker)
{
    const TensionLumps *all = step->own;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const Lump *lump = &all->lumps[all->of[i]];
        double arm[3];
        if (!is_balanced(lump)) continue;
        arm_at(step, i, lump, arm);
        for (int c = 0; c < (step->flat ? 2 : 3); ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            const double turn = lump->torque[d] * arm[e] - lump->torque[e] * arm[d];
            step->a[c][i] -= (mote_real)(lump->force[c] + turn);
        }
    }
}

mote_Status band_push(const Band *band, mote_real *const a[3], mote_Error *error)
{
    SphStep *step = band->step;
    TensionLumps all = {.band = band, .step = step};
    if (!number_lumps(&all)) return sph_no_memory(step, error);
    for (size_t b = 0; b < band->count; ++b)
        for (int c = 0; c < 3; ++c) step->a[c][band->place[b]] += a[c][b];
    add_masses(&all);
    add_forces(&all, a);
    add_inertias(&all);
    find_motions(&all);
    step->own = &all;
    sph_for_places(step, take_out);
    step->own = NULL; /* it was of this function */
    return MOTE_OK;
}

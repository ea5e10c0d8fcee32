/* Remeshing: vortons become those of a lattice, evenly spaced and with cores of one size.
 *
 * As vortons move they gather here and leave gaps there, and where cores no longer overlap sums
 * over them are no flow any more. Dealt out by M4' (Monaghan 1985; Cottet and Koumoutsakos, Vortex
 * Methods, 2000, 7.2) the sum of strengths, the impulse and all second moments stay. Nodes that
 * have next to nothing are left out, and the others make up for it. */
#include "solvers/vortex/remesh.h"

#include "solvers/vortex/keep.h"

#include <math.h>

/* A lattice of this many nodes takes a gigabyte; one vorton that flew far away would ask for any
 * number. */
#define MOST_NODES 1.6e7
#define ENDLESS    1e30 /* s */

static double size_of(const double *number)
{
    return __builtin_sqrt(number[0] * number[0] + number[1] * number[1] + number[2] * number[2]);
}

/* What row i brings. */
static void note_row(const RemeshJob *job, size_t i, double *number)
{
    const VortonRows *r = job->rows;
    const double volume = (double)vorton_volume(r, i);
    double left = (double)r->lifetime[i] - (job->birth != NULL ? job->t - job->birth[i] : 0);
    left = job->birth == NULL || !(left < ENDLESS) ? ENDLESS : left > 0 ? left : 0;
    for (int c = 0; c < 3; ++c) number[c] = (double)r->strength[c][i];
    number[DEALT_HEAT] = volume * ((double)r->temperature[i] - (double)job->params->temperature);
    number[DEALT_FUEL] = volume * (double)r->fuel[i];
    number[DEALT_FLAME] = volume * (double)r->flame[i];
    number[DEALT_LIFE] = volume * left;
    number[DEALT_VOLUME] = volume;
}

/* The largest strength, heat and fuel of a node: what is small beside them is left out. */
static void find_largest(const Remeshed *made, double largest[2])
{
    largest[0] = largest[1] = 0;
    for (size_t k = 0; k < lattice_count(&made->lattice); ++k) {
        const double *n = made->numbers + k * DEALT_NUMBERS;
        const double size = size_of(n), heat = n[DEALT_HEAT];
        const double warm = (heat > 0 ? heat : -heat) + n[DEALT_FUEL] + n[DEALT_FLAME];
        largest[0] = size > largest[0] ? size : largest[0];
        largest[1] = warm > largest[1] ? warm : largest[1];
    }
}

/* Either of the two makes a node worth a row: vorticity, or something that is seen or will make
 * vorticity. */
static bool choose_nodes(const RemeshJob *job, Remeshed *made)
{
    const double cut = (double)job->params->remesh_cut;
    const size_t all = lattice_count(&made->lattice);
    double largest[2];
    find_largest(made, largest);
    made->chosen = arena_take(job->arena, all * sizeof *made->chosen);
    if (made->chosen == NULL) return false;
    for (size_t k = 0; k < all; ++k) {
        const double *n = made->numbers + k * DEALT_NUMBERS;
        const double warm =
            (n[DEALT_HEAT] > 0 ? n[DEALT_HEAT] : -n[DEALT_HEAT]) + n[DEALT_FUEL] + n[DEALT_FLAME];
        if (size_of(n) > cut * largest[0] || warm > cut * largest[1])
            made->chosen[made->count++] = k;
    }
    return true;
}

/* Cores become sigma' = overlap h. What a row's core was wider is variance that goes to the places
 * of the new ones, variance (sigma^2 - sigma'^2), so that the vorticity itself is as wide as it
 * was; narrower cores cannot be had back. */
RemeshResult remesh_make(const RemeshJob *job, Remeshed *made)
{
    const VortonRows *r = job->rows;
    const double side = (double)job->params->remesh_spacing;
    double *numbers = arena_take(job->arena, r->count * DEALT_NUMBERS * sizeof *numbers);
    double *excess = arena_take(job->arena, r->count * sizeof *excess);
    *made = (Remeshed){.lattice = {.side = side, .flat = r->flat},
                       .core = side * (double)job->params->remesh_overlap};
    if (numbers == NULL || excess == NULL) return REMESH_NO_MEMORY;
    for (size_t i = 0; i < r->count; ++i) {
        const double wide = (double)r->radius[i] * (double)r->radius[i] - made->core * made->core;
        excess[i] = wide > 0 ? job->variance * wide / (side * side) : 0;
        note_row(job, i, numbers + i * DEALT_NUMBERS);
    }
    const mote_real *const x[3] = {r->x[0], r->x[1], r->x[2]};
    const LatticeDeal deal = {x, r->count, numbers, excess};
    if (!lattice_shape(&made->lattice, &deal, MOST_NODES)) return REMESH_TOO_LARGE;
    made->numbers = lattice_deal(&made->lattice, &deal, job->arena, job->tasks);
    return made->numbers != NULL && choose_nodes(job, made) ? REMESH_DONE : REMESH_NO_MEMORY;
}

void remesh_write(const RemeshJob *job, const Remeshed *made, size_t k, const VortonRows *rows,
                  size_t i)
{
    const Lattice *l = &made->lattice;
    const double *n = made->numbers + made->chosen[k] * DEALT_NUMBERS, volume = lattice_volume(l);
    const size_t node = made->chosen[k];
    const size_t at[3] = {node / l->nodes[2] / l->nodes[1], node / l->nodes[2] % l->nodes[1],
                          node % l->nodes[2]};
    const double left = n[DEALT_VOLUME] > 0 ? n[DEALT_LIFE] / n[DEALT_VOLUME] : ENDLESS;
    for (int c = 0; c < 3; ++c) {
        rows->x[c][i] = (mote_real)lattice_place(l, c, at[c]);
        rows->v[c][i] = 0;
        rows->strength[c][i] = (mote_real)n[c];
    }
    rows->radius[i] = (mote_real)made->core;
    rows->volume[i] = (mote_real)volume;
    rows->stretched[i] = 0;
    rows->temperature[i] = job->params->temperature + (mote_real)(n[DEALT_HEAT] / volume);
    rows->fuel[i] = (mote_real)(n[DEALT_FUEL] / volume);
    rows->flame[i] = (mote_real)(n[DEALT_FLAME] / volume);
    rows->smoke[i] = 1 - rows->fuel[i] - rows->flame[i];
    rows->lifetime[i] = left < ENDLESS / 2 ? (mote_real)left : (mote_real)INFINITY;
}

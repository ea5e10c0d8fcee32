/* A lattice of nodes at whole multiples of its side, and vortons dealt out to it.
 *
 * Strengths go by M4' (m4.h), which keeps sums, first and second moments; what must not fall below
 * zero (heat, fuel, time left) goes to the eight nodes around, which keeps sums and first moments.
 * A core that is wider than those of the lattice is dealt out the wider for it: M4' convolved with
 * shares (a, 1 - 2 a, a) of the neighbours, each of which adds 2 a to the variance, exactly. */
#ifndef SOLVERS_VORTEX_LATTICE_H
#define SOLVERS_VORTEX_LATTICE_H

#include <mote/tasks.h>

#include "base/memory.h"
#include "solvers/vortex/m4.h"
#include "solvers/vortex/vortons.h"

enum { LATTICE_AXES = 3, LATTICE_PASSES = 6, LATTICE_WIDE = M4_NODES + 2 * LATTICE_PASSES };

typedef struct Lattice {
    double side;                 /* m */
    ptrdiff_t low[LATTICE_AXES]; /* the first node, in sides from the world's origin */
    size_t nodes[LATTICE_AXES];  /* the last axis runs fastest */
    bool flat;                   /* of two dimensions: one node along z */
} Lattice;

static inline size_t lattice_count(const Lattice *lattice)
{
    return lattice->nodes[0] * lattice->nodes[1] * lattice->nodes[2];
}

static inline double lattice_place(const Lattice *lattice, int axis, size_t node)
{
    return lattice->side * (double)(lattice->low[axis] + (ptrdiff_t)node);
}

/* m^3 of a node; m^2 of a flat one's. */
static inline double lattice_volume(const Lattice *lattice)
{
    const double h = lattice->side;
    return lattice->flat ? h * h : h * h * h;
}

/* A vector at every node, from the arena, zeroes. False when out of memory. */
bool lattice_planes(const Lattice *lattice, Arena *arena, mote_Tasks *tasks, double *planes[3]);

/* Numbers of a row and of a node: strength; then what is times the volume, heat over capacity (K
 * m^3), fuel, flame, life left (s); and the volume itself. */
enum {
    DEALT_STRENGTH,
    DEALT_HEAT = 3,
    DEALT_FUEL,
    DEALT_FLAME,
    DEALT_LIFE,
    DEALT_VOLUME,
    DEALT_NUMBERS
};

/* What is dealt out. */
typedef struct LatticeDeal {
    const mote_real *const *x; /* m, of each row */
    size_t count;
    const double *numbers; /* DEALT_NUMBERS a row */
    const double *excess;  /* of each row: variance beyond the lattice's cores, in sides^2 */
} LatticeDeal;

/* Nodes around all places, with room for the widest. False: there would be more than `most`. */
bool lattice_shape(Lattice *lattice, const LatticeDeal *deal, double most);
/* DEALT_NUMBERS of each node, from the arena; the same bits for any number of threads. NULL when
 * out of memory. */
double *lattice_deal(const Lattice *lattice, const LatticeDeal *deal, Arena *arena,
                     mote_Tasks *tasks);

#endif

/* Loops over a range that belong to no row: guarding, wrapping, energies. One table per instruction
 * set. */
#ifndef SOLVERS_POINTS_KERNELS_H
#define SOLVERS_POINTS_KERNELS_H

#include "base/isa.h"
#include "base/limbs.h"
#include "particles/range.h"

/* Positions (m) and velocities (m/s) beyond this count as not finite. */
#define ROW_LARGEST ((mote_real)1e30)

typedef struct RowBounds {
    mote_real min[3], max[3]; /* m */
} RowBounds;

/* Sums of rows. */
typedef struct RowMotion {
    Limbs kinetic;     /* J */
    Limbs momentum[3]; /* kg m/s */
} RowMotion;

typedef struct RowKernels {
    /* Copies the state of r->count rows. */
    void (*copy)(const Range *r, mote_real *const to_x[3], mote_real *const to_v[3],
                 mote_real *const from_x[3], mote_real *const from_v[3]);
    /* True when every position is inside the bounds. */
    bool (*all_well)(const Range *r, const RowBounds *bounds);
    /* Brings a coordinate back into [min, max). */
    void (*wrap)(size_t count, mote_real *x, mote_real min, mote_real max);
    /* Adds the rows' to the sums: together, in their order, or `each` by itself, in any order. */
    void (*motion)(const Range *r, bool each, RowMotion *sums);
    /* a += force / mass; 0 for rows that are pinned (a column, or NULL). */
    void (*settle)(const Range *r, const uint32_t *pinned, mote_real *const force[3]);
    void (*sum)(size_t count, const mote_real *values, bool each, Limbs *sum);
} RowKernels;

const RowKernels *row_kernels(Isa isa);

#endif

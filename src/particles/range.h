/* A range: rows that a stage works on, with the piece of time they are to be advanced by.
 *
 * Every callback of a row gets a range, never a single particle. Plane pointers stand at the
 * range's first row. */
#ifndef PARTICLES_RANGE_H
#define PARTICLES_RANGE_H

#include "particles/system.h"

/* What implicit schemes took, counted per worker. */
typedef struct ImplicitNotes {
    uint64_t newton, cg; /* iterations */
    uint64_t solves;     /* of a block, or of a system whose rows act on each other */
    uint64_t unsolved;   /* solves that did not reach their tolerance */
    double residual;     /* the largest last Newton step, as a share of the speeds */
} ImplicitNotes;
/* What a worker's solving of ranges came to: counted, and the first row that cannot go on. */
typedef struct SolveNotes {
    uint64_t accepted, rejected;     /* steps of adaptive schemes */
    size_t stuck_row;                /* lowest row that was rejected too often; SIZE_MAX: none */
    const mote_System *stuck_system; /* whose it is */
    uint64_t stuck_rejections;
    double stuck_t, stuck_dt; /* s: where, and the step it would need */
    /* A formula that has no good value: what it is of; NULL: all is well. */
    const char *wrong_what, *wrong_place;
    const mote_System *wrong_system;
    size_t wrong_row; /* the lowest */
    double wrong_t, wrong_value;
} SolveNotes;

typedef struct Range {
    mote_System *system;
    size_t first, count; /* rows of the system */
    double t, dt;        /* s: from t to t + dt */
    uint64_t step;       /* number of the sub-step, the place in rings of histories */
    mote_real *x[3], *v[3];
    mote_real *a[3];          /* acceleration, written between an integrator's stages */
    mote_Vec3 *held;          /* what every row of a's whole planes is known to hold, or NaN; NULL
                                 where a is not the worker's own */
    mote_real *x0[3], *v0[3]; /* state at t; only when a stage declares that it needs it */
    mote_real *sample[3];     /* for a force: values of the field it reads */
    mote_real *masked[3];     /* for forces on a group */
    mote_real *collide;       /* the collide row's planes, SCRATCH_STRIDE apart */
    mote_real *scratch;       /* the integrator's planes, scratch_stride apart */
    size_t scratch_stride;    /* SCRATCH_STRIDE, or more where a system's rows act on each other */
    uint32_t *marks;          /* collide: rows to be solved again from (x0, v0) */
    ImplicitNotes *implicit;
    SolveNotes *notes;
    int worker;
} Range;

/* Plane `plane` of the state: position components, then velocity components. */
static inline mote_real *range_state(const Range *r, int plane)
{
    return plane < 3 ? r->x[plane] : r->v[plane - 3];
}

/* The rows [from, from + count) of a range. The start planes move along; scratch is shared. */
static inline Range range_part(const Range *r, size_t from, size_t count)
{
    Range part = *r;
    part.first += from, part.count = count;
    for (int c = 0; c < 3; ++c) {
        part.x[c] += from, part.v[c] += from;
        part.x0[c] += from, part.v0[c] += from;
    }
    return part;
}

static inline mote_real *range_scratch(const Range *r, int plane)
{
    return r->scratch + (size_t)plane * r->scratch_stride;
}

#endif

/* What the contacts of a body take of the vorticity they want, and what the body gets for it. */
#ifndef SOLVERS_VORTEX_SHED_H
#define SOLVERS_VORTEX_SHED_H

#include "solvers/solver.h"
#include "solvers/vortex/vortons.h"

typedef struct ShedContact {
    const Collider *collider;
    size_t row;
    mote_Vec3 centre;   /* m, of the collider at the end of the sub-step */
    mote_Vec3 from, to; /* m: the wall displaced the vorton */
    mote_Vec3 change;   /* m^3/s: the strength wanted, less the one it has */
    mote_real reply;    /* m^2: strength wanted over the flow to be stopped */
} ShedContact;

/* Of the contacts of one collider. */
typedef struct ShedSums {
    const Collider *collider;
    size_t count;
    mote_Vec3 change;
    double reply, linear, angular; /* sums of reply; of reply r and reply r^3, r from the centre */
    Aabb box;                      /* of the vortons */
    mote_real gain;
} ShedSums;

typedef struct Shedding {
    const VortexWork *work;
    const VortonRows *rows;
    const SolverStep *step;
    ShedSums *sums; /* by the collider's number */
    ShedContact *contacts;
    size_t count, capacity;
} Shedding;

/* False when out of memory. */
bool shed_begin(Shedding *shedding, const VortexWork *work, const VortonRows *rows,
                const SolverStep *step);
/* The row has its old strength still. False when out of memory. */
bool shed_note(Shedding *shedding, const ShedContact *contact);
/* Strengths change, and loads. */
void shed_finish(const Shedding *shedding);

/* Whether the fluid acts on it by the vorticity that it sheds, not by tracers that bounce off:
 * walls without end have no sum to keep. */
static inline bool sheds_impulse(const mote_VortexSolver *params, const Collider *collider)
{
    return params->coupling == MOTE_COUPLED_BY_IMPULSE && collider->shape->measure != NULL &&
           aabb_is_finite(&collider->bounds);
}

static inline mote_Vec3 row_vector(mote_real *const plane[3], size_t i)
{
    return vec3(plane[0][i], plane[1][i], plane[2][i]);
}

static inline void set_row(mote_real *const plane[3], size_t i, mote_Vec3 a)
{
    plane[0][i] = a.x, plane[1][i] = a.y, plane[2][i] = a.z;
}

#endif

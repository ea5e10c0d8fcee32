/* The force family: a row adds acceleration to a range of particles. */
#ifndef FORCES_FORCE_H
#define FORCES_FORCE_H

#include <mote/forces.h>
#include <mote/tasks.h>

#include "base/memory.h"
#include "fields/field.h"
#include "geometry/pose.h"
#include "particles/outlook.h"
#include "particles/range.h"

typedef struct ForceRow ForceRow;

enum { FORCE_DERIVATIVE_PLANES = 6 };

/* Where the collider that a force goes by is in the present sub-step: at its start, middle and end.
 */
typedef struct ForcePlace {
    double t, dt; /* s */
    mote_Pose at[3];
} ForcePlace;

typedef struct Force {
    Object object;
    const ForceRow *row;
    /* what the row's NAME parameters refer to, or NULL */
    const Field *field;
    struct Collider *collider;
    ForcePlace place; /* of the collider; set before every sub-step by who owns the force */
    void *state;      /* what the row's `open` made, or NULL */
    uint64_t systems; /* bit per system it acts on */
    uint32_t group;   /* 0: all rows */
} Force;

/* The rows that a force between rows acts on, system by system. */
typedef struct ForceRows {
    const mote_System *system;
    size_t count; /* its first rows take part */
} ForceRows;

typedef struct ForceCrowd {
    const ForceRows *systems;
    size_t system_count;
    double t;    /* s, at which `accelerate` comes next */
    bool energy; /* `potential` comes next; else `accelerate` */
    mote_Tasks *tasks;
} ForceCrowd;

struct ForceRow {
    mote_Row head;
    bool uses_velocity;
    /* Optional: the acceleration of a force that is the same for all rows; then what `accelerate`
     * adds, too. */
    mote_Vec3 (*uniform)(const Force *force);
    /* Adds to a (three planes) at the state (r->x, r->v) and time t. r->sample may be used. */
    void (*accelerate)(const Force *force, const Range *r, double t, mote_real *const a[3]);
    /* Adds potential energy (J) per row; NULL when the force has none. */
    void (*potential)(const Force *force, const Range *r, double t, mote_real *energy);
    /* Optional, for implicit schemes: adds -(by[0] da/dx + by[1] da/dv), its symmetric part, to the
     * planes xx, yy, zz, yz, xz, xy; without it, differences are taken. r->sample may be used. */
    void (*derivative)(const Force *force, const Range *r, double t, const mote_real by[2],
                       mote_real *const d[FORCE_DERIVATIVE_PLANES]);
    /* Optional: how much of the way from x to x + way every row may go at once, at most 1, so that
     * none crosses a place where the force is infinite. */
    mote_real (*limit)(const Force *force, const Range *r, mote_real *const way[3]);
    mote_Status (*check)(const void *params, const char *where, mote_Error *error);
    /* Optional, for a force between rows: looks at all rows where they are now, before `accelerate`
     * or `potential` is called for ranges of them. Rows that it did not see are pulled by those
     * that it did. */
    mote_Status (*gather)(const Force *force, const ForceCrowd *crowd, mote_Error *error);
    bool everywhere; /* with `gather`: it reaches everywhere, and knows no periodic axes */
    /* What `gather` keeps; not state: it is made anew at every evaluation. */
    void *(*open)(Memory *memory);
    void (*close)(Memory *memory, void *state);
    void (*forecast)(const void *params, const Outlook *outlook); /* optional */
    /* Optional: whether rows of the system have what it needs. */
    mote_Status (*check_system)(const Force *force, const mote_System *system, mote_Error *error);
};

/* Callbacks of a force of places that implicit schemes know, by the names in its file. */
#define FORCE_CALLBACKS .accelerate = accelerate, .potential = potential, .derivative = derivative

const mote_Row *const *force_rows(Isa isa, size_t *count);

/* A point at time t, and how fast it moves. */
typedef struct ForcePoint {
    mote_Vec3 at;       /* m */
    mote_Vec3 velocity; /* m/s */
} ForcePoint;

/* The point `own` of the frame of the force's collider; without one, of the world. */
ForcePoint force_point(const Force *force, mote_Vec3 own, double t);

/* Adds the force to r->a, on its group only if it has one. */
void force_apply(const Force *force, const Range *r, double t);

/* Adds its derivative by central differences, for rows that cannot tell it. */
void force_take_differences(const Force *force, const Range *r, double t, const mote_real by[2],
                            mote_real *const d[FORCE_DERIVATIVE_PLANES]);

/* Adds its derivative, as ForceRow.derivative says, on its group only. */
void force_differentiate(const Force *force, const Range *r, double t, const mote_real by[2],
                         mote_real *const d[FORCE_DERIVATIVE_PLANES]);

#endif

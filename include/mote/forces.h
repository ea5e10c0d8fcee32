/* Forces: what accelerates particles. */
#ifndef MOTE_FORCES_H
#define MOTE_FORCES_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The same acceleration everywhere. */
typedef struct mote_GravityForce {
    mote_Vec3 acceleration; /* m/s^2 */
} mote_GravityForce;

/* Towards the wind u: a = -(linear + quadratic |v - u|) (v - u). */
typedef struct mote_DragForce {
    mote_real linear;    /* 1/s; kg/s when by_mass */
    mote_real quadratic; /* 1/m; kg/m when by_mass */
    bool by_mass;        /* coefficients are of the force: heavy particles are slowed less */
    const char *wind;    /* name of a field, or NULL for still air */
} mote_DragForce;

/* Towards a point: a = -strength d / (d^2 + softening^2)^(3/2), as gravity of a mass with GM =
 * strength; negative repels. */
typedef struct mote_AttractorForce {
    mote_Vec3 center;    /* m */
    mote_real strength;  /* m^3/s^2 */
    mote_real softening; /* m */
} mote_AttractorForce;

/* How mutual gravity is summed. */
enum { MOTE_GRAVITY_AUTO = 0, MOTE_GRAVITY_DIRECT = 1, MOTE_GRAVITY_TREE = 2 };

/* Every particle attracts every other one of the systems that the force acts on: a = sum over the
 * others of G m d / (d^2 + softening^2)^(3/2). */
typedef struct mote_MutualGravityForce {
    double G;            /* m^3/(kg s^2) */
    mote_real softening; /* m: Plummer's */
    int method;          /* one of MOTE_GRAVITY_... */
    mote_real opening;   /* of the tree: how large over their distance cells may be */
} mote_MutualGravityForce;

/* Around an axis: a = strength (axis x d) / (|axis x d|^2 + radius^2). */
typedef struct mote_SwirlForce {
    mote_Vec3 center;   /* m */
    mote_Vec3 axis;     /* direction */
    mote_real strength; /* m^2/s^2 */
    mote_real radius;   /* m: strongest here */
} mote_SwirlForce;

/* A spring and a damper between a particle and a point that may move: F = -stiffness (|d| - rest) d
 * / |d| - damping (v - u), with d from the point to the particle and u the point's velocity. */
typedef struct mote_SpringToForce {
    mote_real stiffness; /* N/m */
    mote_real damping;   /* kg/s, of the velocity relative to the point, in all directions */
    mote_real rest;      /* m: length at which it does not pull */
    mote_Vec3 point;     /* m; with `to`, in the frame of its shape */
    const char *to;      /* name of a collider or body that carries the point; NULL: none */
} mote_SpringToForce;

/* A force that a scene writes as expressions of a particle's quantities and of time. Programs have
 * mote_CallbackForce. */
typedef struct mote_ExpressionForce {
    const mote_Formula *acceleration[3]; /* m/s^2; NULL: 0 */
    const mote_Formula *potential;       /* J: the force is its slope downwards; or NULL */
    const char *field;                   /* name of a field that they may use, or NULL */
} mote_ExpressionForce;

/* A force of the user's: adds to a[0..2][i] (m/s^2) for the rows given by planes of position (m),
 * velocity (m/s) and mass (kg) at time t. Called from several threads at a time; must depend on its
 * arguments alone. `first_row` is the row of the system that the planes start at. */
typedef struct mote_CallbackForce {
    void (*accelerate)(void *context, size_t first_row, size_t count, const mote_real *const x[3],
                       const mote_real *const v[3], const mote_real *mass, double t,
                       mote_real *const a[3]);
    void *context;
} mote_CallbackForce;

/* Rows of a system, as a whole callback sees them. */
typedef struct mote_ForceArrays {
    const char *system;           /* its name */
    size_t count;                 /* rows */
    const mote_real *x[3], *v[3]; /* m, m/s */
    const mote_real *mass;        /* kg */
    double t;                     /* s */
    mote_real *a[3];              /* m/s^2, to be written; 0 before */
} mote_ForceArrays;

/* A force of the user's that sees all rows of a system at once, so that they may act on each other:
 * called once for every evaluation and system, on the thread that steps. Rows that are born in a
 * sub-step or go on after a bounce come in calls of their own, a block of them at a time and from
 * several threads. A failure ends the step. For systems of solver points whose integrator is
 * explicit. */
typedef struct mote_WholeCallbackForce {
    mote_Status (*accelerate)(void *context, const mote_ForceArrays *arrays, mote_Error *error);
    void *context;
} mote_WholeCallbackForce;

MOTE_API mote_GravityForce mote_gravity_force_def(void);
MOTE_API mote_DragForce mote_drag_force_def(void);
MOTE_API mote_AttractorForce mote_attractor_force_def(void);
MOTE_API mote_MutualGravityForce mote_mutual_gravity_force_def(void);
MOTE_API mote_SwirlForce mote_swirl_force_def(void);
MOTE_API mote_SpringToForce mote_spring_to_force_def(void);
MOTE_API mote_ExpressionForce mote_expression_force_def(void);
MOTE_API mote_CallbackForce mote_callback_force_def(void);
MOTE_API mote_WholeCallbackForce mote_whole_callback_force_def(void);

/* All types of forces: X(row, parameter struct, function that returns its defaults). */
#define MOTE_FORCES(X)                                                                             \
    X(force_gravity, mote_GravityForce, mote_gravity_force_def)                                    \
    X(force_drag, mote_DragForce, mote_drag_force_def)                                             \
    X(force_attractor, mote_AttractorForce, mote_attractor_force_def)                              \
    X(force_mutual_gravity, mote_MutualGravityForce, mote_mutual_gravity_force_def)                \
    X(force_swirl, mote_SwirlForce, mote_swirl_force_def)                                          \
    X(force_spring_to, mote_SpringToForce, mote_spring_to_force_def)                               \
    X(force_expression, mote_ExpressionForce, mote_expression_force_def)                           \
    X(force_callback, mote_CallbackForce, mote_callback_force_def)                                 \
    X(force_whole_callback, mote_WholeCallbackForce, mote_whole_callback_force_def)

/* A force for mote_world_add_force; everything is copied. */
typedef struct mote_ForceDef {
    size_t size;                /* bytes, by mote_force_def() */
    const char *name;           /* unique; NULL: the type's name and a number */
    const char *type;           /* "gravity", "drag", "attractor", "mutual-gravity", ... */
    const void *params;         /* struct of the type; NULL for its defaults */
    const char *const *systems; /* names of the systems it acts on; NULL: all */
    size_t system_count;
    uint32_t group; /* acts on rows whose group column shares a bit; 0: on all */
} mote_ForceDef;

MOTE_API void mote_force_def_init(mote_ForceDef *def, size_t size);
MOTE_MAKER(mote_ForceDef, mote_force_def)

#ifdef __cplusplus
}
#endif
#endif

/* Fields: functions of space and time. Wind for drag, velocities to trace particles through. */
#ifndef MOTE_FIELDS_H
#define MOTE_FIELDS_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The same velocity everywhere: steady wind. */
typedef struct mote_UniformField {
    mote_Vec3 value; /* m/s */
} mote_UniformField;

/* A straight vortex: solid rotation inside the core, 1/r outside (Rankine). */
typedef struct mote_VortexField {
    mote_Vec3 center; /* m */
    mote_Vec3 axis;   /* direction; its length does not matter */
    mote_real speed;  /* m/s, at the edge of the core */
    mote_real core;   /* m */
} mote_VortexField;

/* A field of the user's: `sample` writes out[0..2][i] for the points (x[i], y[i], z[i]) at time t.
 * It is called from several threads at a time and must depend on its arguments alone. */
typedef struct mote_CallbackField {
    void (*sample)(void *context, size_t count, const mote_real *const x[3], double t,
                   mote_real *const out[3]);
    void *context;
} mote_CallbackField;

MOTE_API mote_UniformField mote_uniform_field_def(void);
MOTE_API mote_VortexField mote_vortex_field_def(void);
MOTE_API mote_CallbackField mote_callback_field_def(void);

/* Where and when a field is sampled: planar arrays, as particles have them. */
typedef struct mote_FieldPoints {
    size_t count;
    const mote_real *x[3]; /* m */
    double t;              /* s */
} mote_FieldPoints;

/* A field for mote_world_add_field: `params` points at the struct of the type, NULL for its
 * defaults; everything is copied. */
typedef struct mote_FieldDef {
    const char *name;
    const char *type; /* "uniform", "vortex", "callback" */
    const void *params;
    const char *const *obstacles; /* names of colliders that curl-noise flows around, added before
                                     the first step; NULL: none */
    size_t obstacle_count;
} mote_FieldDef;

#ifdef __cplusplus
}
#endif
#endif

/* The field family: a row samples a field at planar arrays of points. */
#ifndef FIELDS_FIELD_H
#define FIELDS_FIELD_H

#include <mote/fields.h>
#include <mote/tasks.h>

#include "base/isa.h"
#include "base/memory.h"
#include "base/row.h"
#include "geometry/posed.h"
#include "particles/outlook.h"

/* The list of rows: X(row, parameter struct, name of its defaults function). */
#define FIELD_ROWS(X)                                                                              \
    X(field_uniform, mote_UniformField, mote_uniform_field_def)                                    \
    X(field_vortex, mote_VortexField, mote_vortex_field_def)                                       \
    X(field_orbit, mote_OrbitField, mote_orbit_field_def)                                          \
    X(field_layers, mote_LayersField, mote_layers_field_def)                                       \
    X(field_noise, mote_NoiseField, mote_noise_field_def)                                          \
    X(field_turbulence, mote_NoiseField, mote_turbulence_field_def)                                \
    X(field_curl_noise, mote_CurlNoiseField, mote_curl_noise_field_def)                            \
    X(field_spectral_noise, mote_SpectralNoiseField, mote_spectral_noise_field_def)                \
    X(field_spectral_wind, mote_SpectralWindField, mote_spectral_wind_field_def)                   \
    X(field_smoothed, mote_SmoothedField, mote_smoothed_field_def)                                 \
    X(field_smoothed_vector, mote_SmoothedField, mote_smoothed_vector_field_def)                   \
    X(field_smoothed_gradient, mote_SmoothedField, mote_smoothed_gradient_field_def)               \
    X(field_callback, mote_CallbackField, mote_callback_field_def)

typedef mote_FieldPoints FieldPoints;

/* A shape that a field flows around. Who owns the field sets all but the name before anything
 * samples. */
typedef struct FieldObstacle {
    char *name;
    size_t number;         /* of it among what the owner calls by names */
    PosedShape shape;      /* where it is at time t */
    PoseVelocity velocity; /* its motion from there on */
    double t;              /* s */
} FieldObstacle;

/* The particles that a field is made of. Who owns the field finds the system by its name and sets
 * the rest before anything is prepared. */
typedef struct FieldParticles {
    char *name, *column; /* NULL: the field needs none */
    const struct mote_System *system;
    mote_real period[3]; /* m, of periodic axes; else 0 */
} FieldParticles;

enum { FIELD_SAVED = 8 };

typedef struct FieldRow FieldRow;

typedef struct Field {
    Object object;
    const FieldRow *row;
    void *state; /* what the row's `open` made; NULL without one */
    FieldObstacle *obstacles;
    size_t obstacle_count;
    FieldParticles particles;
    double saved[FIELD_SAVED]; /* row->saved_count of them survive a sub-step: they are state */
} Field;

/* What a field is opened with. */
typedef struct FieldSite {
    Memory *memory;    /* for all that the field keeps; hand the same one to close */
    mote_Tasks *tasks; /* may be NULL */
    Isa isa;
    uint64_t seed;     /* of the world */
    int dimension;     /* of the world: 2 or 3 */
    const char *where; /* starts messages: "field gusts" */
} FieldSite;

/* Only head, components and sample are needed; the rest may be NULL or 0. */
struct FieldRow {
    mote_Row head;
    int components; /* 1 scalar, 3 vector */
    /* Writes `components` planes; from several threads at a time. */
    void (*sample)(const Field *field, const FieldPoints *points, mote_real *const out[3]);
    /* What the table of ranges cannot say. */
    mote_Status (*check)(const void *params, const char *where, mote_Error *error);
    /* Makes field->state from field->object.params, which are checked; on failure nothing stays. */
    mote_Status (*open)(const FieldSite *site, Field *field, mote_Error *error);
    void (*close)(Memory *memory, void *state);
    /* At the start of every sub-step, from one thread: makes ready for samples in [t, t + dt].
     * Parameters may have changed. It may be called for other times in between (a picture of the
     * field) and depends on parameters, `saved` and time alone. */
    mote_Status (*prepare)(Field *field, double t, double dt, mote_Error *error);
    /* At the end of every sub-step: brings `saved` from t to t + dt. */
    void (*advance)(Field *field, double t, double dt);
    int saved_count;      /* of `saved`, at most FIELD_SAVED */
    bool prepares_often;  /* `prepare` must be called for every sub-step, not once for several */
    bool takes_obstacles; /* `sample` reads field->obstacles */
    bool takes_particles; /* `prepare` reads field->particles; parameters: mote_SmoothedField */
    void (*forecast)(const void *params, const Outlook *outlook);
};

const mote_Row *const *field_rows(Isa isa, size_t *count);

static inline void field_sample(const Field *field, const FieldPoints *points,
                                mote_real *const out[3])
{
    field->row->sample(field, points, out);
}

/* Copies the obstacles' names and opens the row; object, row and parameters are set. */
mote_Status field_open(const FieldSite *site, Field *field, const mote_FieldDef *def,
                       mote_Error *error);
/* Gives back what field_open took, all or part of it. */
void field_close(Memory *memory, Field *field);

#endif

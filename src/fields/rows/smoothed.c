/* Smoothed interpolation of a column: averages, kernel estimates and their derivatives, as
 * fields/smoothed.c computes them. */
#include "fields/smoothed.h"

#include <mote/particles.h>

static const char *const system_kind[] = {"system", NULL};
static const char *const column_kind[] = {"column", NULL};
static const char *const estimates[] = {"mean", "volume", "kernel", "corrected", "laplacian", NULL};
static const char *const kernels[] = {
    "cubic-spline", "quintic-spline", "wendland-c2", "wendland-c4",
    "wendland-c6",  "poly6",          "spiky",       NULL};

#define SYSTEM PARAM_NAME(mote_SmoothedField, system, "system of the particles", system_kind)
#define COLUMN PARAM_NAME(mote_SmoothedField, column, "name of a column of it", column_kind)
#define COMPONENT                                                                                  \
    PARAM_COUNT(mote_SmoothedField, component, "component of the column", 0, 0,                    \
                MOTE_MOST_COMPONENTS - 1)
#define ESTIMATE                                                                                   \
    PARAM_CHOICE(mote_SmoothedField, estimate,                                                     \
                 "plain or volume-weighted average, kernel sum, that over its weights, Laplacian", \
                 estimates, MOTE_SMOOTHED_KERNEL)
#define KERNEL PARAM_CHOICE(mote_SmoothedField, kernel, "smoothing kernel", kernels, 0)
#define REACH                                                                                      \
    PARAM_REAL(mote_SmoothedField, reach, "m", "the kernel's support H; 0: that of the liquid", 0, \
               0, PARAM_LARGEST)

static const mote_Param scalar_params[] = {SYSTEM, COLUMN, COMPONENT, ESTIMATE, KERNEL, REACH};
static const mote_Param vector_params[] = {SYSTEM, COLUMN, ESTIMATE, KERNEL, REACH};
static const mote_Param gradient_params[] = {SYSTEM, COLUMN, COMPONENT, KERNEL, REACH};

#define SMOOTHED_ROW(symbol, name_, doc_, params_, components_, sample_)                           \
    const FieldRow ISA(symbol) = {.head = ROW_HEAD(name_, doc_, params_, mote_SmoothedField),      \
                                  .components = components_,                                       \
                                  .sample = sample_,                                               \
                                  .open = smoothed_open,                                           \
                                  .close = smoothed_close,                                         \
                                  .prepare = smoothed_prepare,                                     \
                                  .prepares_often = true,                                          \
                                  .takes_particles = true}

SMOOTHED_ROW(field_smoothed, "smoothed", "a column of particles, smoothed: one component",
             scalar_params, 1, smoothed_sample);
SMOOTHED_ROW(field_smoothed_vector, "smoothed-vector",
             "a column of particles, smoothed: three components", vector_params, 3,
             smoothed_sample_vector);
SMOOTHED_ROW(field_smoothed_gradient, "smoothed-gradient",
             "the gradient of a smoothed column of particles", gradient_params, 3,
             smoothed_sample_gradient);

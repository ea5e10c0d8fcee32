/* Studies: numerical experiments on the library itself, for teachers and for us. Each prints a
 * table, and writes numbers (CSV) and plots (PNG, SVG) into a folder when one is given; or prints
 * its numbers alone, as JSON. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include <mote/scene.h>

#include <stdio.h>

typedef struct StudyOptions {
    const char *folder;          /* where files go, without a slash at its end; NULL: print only */
    bool quick;                  /* fewer and coarser runs */
    const char *const *settings; /* "key=value" for the scenes of studies that run some */
    size_t setting_count;
    FILE *json;       /* where tables go for programs, an object a line; NULL: nowhere */
    const char *only; /* one case, "standing-wave" or "standing-wave/wcsph"; NULL: all */
    /* Shows what is wrong with a scene, as in mote_RenderRunDef; NULL: the error alone says it. */
    void (*explain)(void *context, mote_Scene *scene, mote_Error *error);
} StudyOptions;

typedef struct StudyRow {
    const char *name, *doc;
    mote_Status (*run)(const StudyOptions *options, mote_Error *error);
} StudyRow;

/* X(name, what it shows); the function is study_<name>. */
#define STUDY_ROWS(X)                                                                              \
    X(convergence, "integrators: orders, cost, stability and energy, measured on known motions")   \
    X(collision, "an incline and a ball by every algorithm; repulsion; hit or miss")               \
    X(neighbours, "finding neighbours: all pairs, cells, sorted cells, an octree, a k-d tree")     \
    X(hydrostatic, "water at rest: pressure, height, calm and force on the floor")                 \
    X(dambreak, "collapsing columns of water beside experiments")                                  \
    X(wall, "a dam break that runs against a wall: pressures by height, spacing and dimension")    \
    X(poiseuille, "flow between plates from rest: profiles beside the exact ones")                 \
    X(convection, "rolls that begin, and a box heated from the side, beside exact values")         \
    X(flows, "decaying vortices, waves, a turning patch, momentum")                                \
    X(floating, "bodies in water: Archimedes, floating, as heavy as water")                        \
    X(vortex, "vortex fluids: rings, a turning ball, a plate, a street, drag, turbulence")         \
    X(validation, "all of the fluids' cases, with every pressure solver, and a report")

/* X(function, name, what it shows): those whose names are no words of C. */
#define STUDY_DASHED_ROWS(X)                                                                       \
    X(pressure_solvers, "pressure-solvers",                                                        \
      "every pressure solver at the same work: cost, errors, height, energy, drift")

#define STUDY_DECLARE(name, doc)                                                                   \
    mote_Status study_##name(const StudyOptions *options, mote_Error *error);
#define STUDY_DECLARE_DASHED(function, name, doc) STUDY_DECLARE(function, doc)
STUDY_ROWS(STUDY_DECLARE)
STUDY_DASHED_ROWS(STUDY_DECLARE_DASHED)

/* "float" or "double": files carry it in their names, so that both programs share a folder. */
extern const char study_precision[];

#endif

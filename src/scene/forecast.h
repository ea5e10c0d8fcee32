/* What a scene's run will need and what would go wrong in it, found without running it. */
#ifndef SCENE_FORECAST_H
#define SCENE_FORECAST_H

#include "emit/places.h"
#include "geometry/shape.h"
#include "scene/scene.h"
#include "solvers/solver.h"

#include <stdalign.h>

struct PosedShape;

enum {
    FORECAST_SAMPLES = 200, /* moments of the scene that are looked at */
    FORECAST_PLACES = 4096  /* places of a source, at most */
};

/* The places of an emitter whose source lays them out: a fill, an inflow. */
typedef struct LaidSource {
    SourcePlaces places; /* seen from the emitter's; none: the source is none of these */
    size_t count;        /* also where there are too many to be laid out */
    double every;        /* s between layers; 0: only one */
} LaidSource;

typedef struct Forecast {
    LaidSource *laid; /* of each emitter; NULL when there is no memory for it */
    mote_Scene *scene;
    TextBuffer *out;
    double dt;        /* s, of a sub-step */
    double particles; /* most at a time */
    double mean;      /* number of particles, over the scene */
    double memory;    /* bytes */
    double row_memory, solver_memory,
        picture_memory;            /* what that is made of; two are a particle's */
    double row_disk;               /* bytes of a particle's columns in a file */
    double frame_disk, drawn_disk; /* bytes a frame */
    double lay_most; /* particles of a source: with more it is counted, but not laid out */
    double *longest; /* s, step that all warnings so far ask for; NULL: nobody wants to know */
} Forecast;

/* As many bytes, or as many as there can be. */
uint64_t forecast_whole(double value);

/* ---- forecast_ranks.c ---- */

/* What a rank of so many would need, when particles and bytes are counted. */
void forecast_share(const Forecast *forecast, int ranks, mote_SceneShare *share);

/* Applies the bindings of (kind, name) at time t to a copy of its struct. */
mote_Status forecast_bind(const Forecast *forecast, const char *kind, const char *name, double t,
                          void *params, mote_Error *error);
/* The emitter's definition at time t; a value that leaves its range stays as it is. */
mote_EmitterDef forecast_emitter(const Forecast *forecast, size_t i, double t);

/* ---- for the checks ---- */

#define WARN(forecast, ...) text_buffer_print((forecast)->out, __VA_ARGS__)

const SceneSystem *forecast_systems(const Forecast *f);
const mote_EmitterDef *forecast_emitters(const Forecast *f);
const mote_ForceDef *forecast_forces(const Forecast *f);

/* The system of that name, or NULL. */
const SceneSystem *forecast_system(const Forecast *f, const char *name);
/* Whether a list of systems holds this one; names NULL: all. */
bool forecast_acts_on(const char *const *names, size_t count, const char *system);

enum { LARGEST_PARAMS = 1024 }; /* bytes of a parameter struct that is copied here */

typedef struct ParamsCopy {
    alignas(16) char bytes[LARGEST_PARAMS];
} ParamsCopy;

/* A copy of a parameter struct with its bindings at t = 0; false when it is too large. */
bool forecast_params(const Forecast *f, const char *kind, const char *name, const void *params,
                     const mote_Row *row, ParamsCopy *copy);
/* The row of a family by its name; NULL when there is none. */
const mote_Row *forecast_row(const char *family, const char *name);

/* A prepared copy of a collider's shape where it stands at the start, in forecast_places.c; false
 * when it has none. */
bool forecast_shape(const Forecast *f, const mote_ColliderDef *def, ParamsCopy *copy,
                    struct PosedShape *shape);

/* ---- forecast_rows.c: what rows say ---- */

/* The system whose solver it joins, and so on, or itself. */
const SceneSystem *forecast_host(const Forecast *f, const SceneSystem *system);
/* What a system's solver tells of it; all zero of NULL. */
SolverFacts forecast_facts(const Forecast *f, const SceneSystem *system);
/* Whether the system goes with a flow, which takes what is born inside a wall. */
bool forecast_flows(const SceneSystem *system);
bool forecast_collides(const SceneSystem *system);
/* Asks all rows for their forecasts. */
void check_rows(const Forecast *f);
/* Fails with what one of them cannot do; at: the number of its system. */
mote_Status forecast_refuse(const Forecast *f, size_t *at, mote_Error *error);

/* ---- forecast_links.c ---- */

double forecast_linked(const Forecast *f); /* particles that links bring along */
bool forecast_links_feed(const Forecast *f, const char *system);
/* kg, of the particles that links bring along; infinite: none. */
double forecast_lightest_linked(const Forecast *f, const char *system);
void check_springs(const Forecast *f);

/* ---- forecast_places.c ---- */

void check_starts(const Forecast *f);
void check_meshes(const Forecast *f);
void check_box(const Forecast *f);
void check_camera(const Forecast *f);

/* ---- forecast_liquids.c: their sources are laid out before anything is counted ---- */

void forecast_lay(Forecast *f);
void forecast_free_laid(Forecast *f);
void check_liquids(const Forecast *f);

/* Adds all warnings to forecast->out, one line each. */
void forecast_check(const Forecast *forecast);

#endif

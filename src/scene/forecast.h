/* What a scene's run will need and what would go wrong in it, found without running it. */
#ifndef SCENE_FORECAST_H
#define SCENE_FORECAST_H

#include "geometry/shape.h"
#include "scene/scene.h"

#include <stdalign.h>

struct PosedShape;

enum { FORECAST_SAMPLES = 200 }; /* moments of the scene that are looked at */

/* The places of an emitter whose source lays them out: a fill, an inflow. */
typedef struct LaidSource {
    mote_Vec3 *points; /* seen from the emitter's place; NULL: the source is none of these */
    size_t count;      /* also where there are too many to be laid out */
    double every;      /* s between layers; 0: only one */
} LaidSource;

typedef struct Forecast {
    LaidSource *laid; /* of each emitter; NULL when there is no memory for it */
    mote_Scene *scene;
    TextBuffer *out;
    double dt;                     /* s, of a sub-step */
    double particles;              /* most at a time */
    double mean;                   /* number of particles, over the scene */
    double memory;                 /* bytes */
    double frame_disk, drawn_disk; /* bytes a frame */
    double lay_most; /* particles of a source: with more it is counted, but not laid out */
    double *longest; /* s, step that all warnings so far ask for; NULL: nobody wants to know */
} Forecast;

/* Applies the bindings of (kind, name) at time t to a copy of its struct. */
mote_Status forecast_bind(const Forecast *forecast, const char *kind, const char *name, double t,
                          void *params, mote_Error *error);
/* The emitter's definition at time t; a value that leaves its range stays as it is. */
mote_EmitterDef forecast_emitter(const Forecast *forecast, size_t i, double t);

/* ---- for the checks ---- */

#define WARN(forecast, ...) text_buffer_print((forecast)->out, __VA_ARGS__)

/* The step as a warning shows it, with two digits; the shortest of them is kept. */
double forecast_advise(const Forecast *f, double step);

const SceneSystem *forecast_systems(const Forecast *f);
const mote_EmitterDef *forecast_emitters(const Forecast *f);
const mote_ForceDef *forecast_forces(const Forecast *f);

/* The system of that name, or NULL. */
const SceneSystem *forecast_system(const Forecast *f, const char *name);
/* Whether a list of systems holds this one; names NULL: all. */
bool forecast_acts_on(const char *const *names, size_t count, const char *system);

enum { LARGEST_PARAMS = 256 }; /* bytes of a parameter struct that is copied here */

typedef struct ParamsCopy {
    alignas(16) char bytes[LARGEST_PARAMS];
} ParamsCopy;

/* A copy of a parameter struct with its bindings at t = 0. */
void forecast_params(const Forecast *f, const char *kind, const char *name, const void *params,
                     const mote_Row *row, ParamsCopy *copy);
/* The row of a family by its name; NULL when there is none, or its struct is too large. */
const mote_Row *forecast_row(const char *family, const char *name);
/* A prepared copy of a collider's shape where it stands at the start, in forecast_places.c; false
 * when it has none. */
bool forecast_shape(const Forecast *f, const mote_ColliderDef *def, ParamsCopy *copy,
                    struct PosedShape *shape);

/* Least spacing of a liquid, m; 0: there is none. */
double forecast_spacing(const Forecast *f);
/* Bytes a particle that the solvers of liquids take, where there are some: forecast_liquids.c. */
double forecast_liquid_bytes(const Forecast *f);
/* Particles that links bring along; springs too stiff for the steps: in forecast_links.c. */
double forecast_linked(const Forecast *f);
/* Vortons that vortex rings start with. */
double forecast_rings(const Forecast *f);
bool forecast_links_feed(const Forecast *f, const char *system);
void check_springs(const Forecast *f);

/* Steps that are too long, in forecast_steps.c; places, in forecast_places.c. */
void check_drag(const Forecast *f);
void check_repulsion(const Forecast *f);
void check_attractors(const Forecast *f);
void check_mutual_gravity(const Forecast *f); /* forecast_gravity.c */
void check_vortices(const Forecast *f);
void check_unused_forces(const Forecast *f);
void check_starts(const Forecast *f);
void check_meshes(const Forecast *f);
void check_box(const Forecast *f);
void check_camera(const Forecast *f);
/* Random fields whose tables cannot hold what they are asked for, in forecast_fields.c. */
void check_spectra(const Forecast *f);

/* Vortex fluids, in forecast_vortex.c; the parameters of one, NULL when the system is none. */
struct mote_VortexSolver;
const struct mote_VortexSolver *forecast_vortex(const SceneSystem *system);
bool forecast_is_fluid(const SceneSystem *system); /* vortons or tracers */
void check_vortex_fluids(const Forecast *f);
/* Liquids, in forecast_liquids.c: their sources are laid out before anything is counted. */
void forecast_lay(Forecast *f);
void forecast_free_laid(Forecast *f);
void check_liquids(const Forecast *f);

/* Adds all warnings to forecast->out, one line each. */
void forecast_check(const Forecast *forecast);

#endif

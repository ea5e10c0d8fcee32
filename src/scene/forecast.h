/* What a scene's run will need and what would go wrong in it, found without running it. */
#ifndef SCENE_FORECAST_H
#define SCENE_FORECAST_H

#include "scene/scene.h"

enum { FORECAST_SAMPLES = 200 }; /* moments of the scene that are looked at */

typedef struct Forecast {
    mote_Scene *scene;
    TextBuffer *out;
    double dt;        /* s, of a sub-step */
    double particles; /* most at a time */
    double mean;      /* number of particles, over the scene */
    double memory;    /* bytes */
    double disk;      /* bytes */
} Forecast;

/* Applies the bindings of (kind, name) at time t to a copy of its struct. */
mote_Status forecast_bind(const Forecast *forecast, const char *kind, const char *name, double t,
                          void *params, mote_Error *error);
/* The emitter's definition at time t; a value that leaves its range stays as it is. */
mote_EmitterDef forecast_emitter(const Forecast *forecast, size_t i, double t);

/* Adds all warnings to forecast->out, one line each. */
void forecast_check(const Forecast *forecast);

#endif

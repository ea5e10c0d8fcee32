/* Smoke: how much of each light reaches a place through the lit particles. */
#ifndef RENDER_SMOKE_H
#define RENDER_SMOKE_H

#include "render/light.h"

/* A grid along a light: cells of one size, the third axis away from the light. */
typedef struct SmokeGrid {
    bool present;
    float axis[3][3];
    float low[3], cell; /* m */
    int count[3];
    float *values; /* at the middles of cells: optical depth from the light; sky: what arrives */
} SmokeGrid;

typedef struct Smoke {
    SmokeGrid suns[MOTE_LIGHTS_MOST]; /* of point lights: not present */
    SmokeGrid sky;
    SmokeGrid density; /* optical depth of each cell of the sky's grid, for point lights */
} Smoke;

/* Grids of all lights that cast shadows, from the lit sources that hide what is behind them; then
 * the light on every row of the lit sources. *present says whether there are such rows. False when
 * out of memory. */
bool smoke_make(Smoke *smoke, Lights *lights, const View *view, SplatSource *sources, size_t count,
                Arena *arena, mote_Tasks *tasks);

/* What part of light number `light` arrives at a place. */
float smoke_lets_through(const Smoke *smoke, size_t light, const float place[3]);
/* The same of a point light at `from`. */
float smoke_on_the_way(const Smoke *smoke, const float from[3], const float place[3]);
float smoke_lets_sky_through(const Smoke *smoke, const float place[3]);

/* A value of a grid, linear between cells; `outside` beyond it. */
float smoke_grid_at(const SmokeGrid *grid, const float place[3], float outside);

/* ---- smoke_light.c ---- */

/* The light on every row of a source. False when out of memory. */
bool smoke_light_source(const Smoke *smoke, const Lights *lights, const View *view,
                        SplatSource *source, Arena *arena, mote_Tasks *tasks);

#endif

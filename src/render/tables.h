/* The tables of what a picture is asked for. */
#ifndef RENDER_TABLES_H
#define RENDER_TABLES_H

#include <mote/render.h>

#include "base/isa.h"
#include "base/row.h"

extern const char *const render_tones[4];

/* Parameters of a mote_RenderDef, also for tables of structs that begin with one. */
#define RENDER_PARAMS                                                                              \
    PARAM_REAL(mote_RenderDef, exposure, "", "factor on all light", 1, PARAM_POSITIVE,             \
               PARAM_LARGEST),                                                                     \
        PARAM_BOOL(mote_RenderDef, auto_exposure, "first as bright as a meter says", 0),           \
        PARAM_REAL(mote_RenderDef, bloom, "", "part of the light that is spread as glow", 0.05, 0, \
                   1),                                                                             \
        PARAM_CHOICE(mote_RenderDef, tone, "curve from light to the picture", render_tones, 1),    \
        PARAM_COLOR(mote_RenderDef, ambient, "light from all around, where lights are given", 0.2, \
                    0.2, 0.22),                                                                    \
        PARAM_BOOL(mote_RenderDef, scale_bar, "a bar of a round length, as seen at camera.to", 0), \
        PARAM_BOOL(mote_RenderDef, clock, "the time of the frame, in seconds", 0),                 \
        PARAM_COUNT(mote_RenderDef, photons,                                                       \
                    "traced: photons that bring light through liquids and glass as caustics; 0: "  \
                    "it goes straight through",                                                    \
                    0, 0, 100000000)

extern const mote_Row render_row, camera_row, sky_row, ground_row, trace_row, look_row,
    shape_look_row;

/* The family of lights, in the order of mote_LightType. */
const mote_Row *const *light_rows(Isa isa, size_t *count);

/* ---- profiles across a particle, as a family of rows ---- */

const mote_Row *const *profile_family(Isa isa, size_t *count);

/* How many of them, the first ones, a particle alone can have: not that of a whole liquid. */
size_t profile_sprites(void);

#endif

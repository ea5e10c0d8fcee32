/* The renderer's inner entry, and its stages. */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include "render/image.h"
#include "render/splat.h"

enum { TILE = 64 }; /* px: four planes of a tile fit the L2 cache; fewer copies than with 32 */

/* mote_render with tiles of another size (a power of two, at least RUN): the bits are the same. */
mote_Status render_with_tiles(const mote_RenderDef *def, const mote_Frame *frame, int tile,
                              mote_Image *image, mote_Error *error);

/* The sources of a frame's systems, from their columns and looks; room for one per system. */
mote_Status sources_make(const mote_RenderDef *def, const mote_Frame *frame, SplatSource *sources,
                         mote_Error *error);

/* The planes of a column of numbers; left alone when the system has none of that name. */
mote_Status column_planes(const mote_FrameSystem *system, const char *name, int components,
                          const mote_real *planes[], mote_Error *error);

/* The look of a system. */
mote_Look look_of(const mote_RenderDef *def, const char *system);

/* The factor on all light that makes it a picture (meter.c). */
float meter_exposure(const mote_Image *image);

/* Exposure, bloom and tone, in place. */
mote_Status post_apply(const mote_RenderDef *def, mote_Image *image, mote_Error *error);

#endif

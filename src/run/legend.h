/* Legends over pictures. */
#ifndef RUN_LEGEND_H
#define RUN_LEGEND_H

#include <mote/render.h>

/* Draws the legends that the definition lists over the image. MOTE_UNAVAILABLE without Cairo. */
mote_Status legends_draw(const mote_RenderDef *def, mote_Image *image, mote_Error *error);

#endif

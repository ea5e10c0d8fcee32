/* Legends over pictures. */
#ifndef PLOT_OVERLAY_H
#define PLOT_OVERLAY_H

#include <mote/render.h>

/* A mote_Overlay: draws the legends that the definition lists over the image. MOTE_UNAVAILABLE
 * without Cairo. */
mote_Status legends_draw(void *context, const mote_RenderDef *def, mote_Image *image,
                         mote_Error *error);

#endif

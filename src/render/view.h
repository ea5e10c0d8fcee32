/* A view: the camera made ready for projecting, for one size of picture. */
#ifndef RENDER_VIEW_H
#define RENDER_VIEW_H

#include <mote/render.h>

typedef struct View {
    int width, height;
    mote_Vec3 from;    /* m */
    float axis[3][3];  /* unit vectors: right, down, forward */
    float focal;       /* px per unit of slope; px per metre when orthographic */
    float center[2];   /* px */
    float near;        /* m */
    float shutter;     /* s */
    float aperture;    /* m, width of the lens */
    float focus;       /* m along the view to what is sharp */
    bool orthographic; /* rays are parallel */
    float up[3];       /* the world's up */
} View;

mote_Status view_make(const mote_Camera *camera, const mote_Frame *frame, const mote_Image *image,
                      View *view, mote_Error *error);

/* The ray through pixel coordinates (x, y): origin relative to view->from, and direction with a
 * component of 1 along the view. */
void view_ray(const View *view, float x, float y, float origin[3], float direction[3]);

#endif

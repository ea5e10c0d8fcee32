/* Shapes: geometry with signed distance and normal. */
#ifndef MOTE_SHAPES_H
#define MOTE_SHAPES_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The half-space behind a plane: points with normal . x < offset are inside. */
typedef struct mote_PlaneShape {
    mote_Vec3 normal; /* outward; its length does not matter */
    mote_real offset; /* m, along the unit normal */
} mote_PlaneShape;

MOTE_API mote_PlaneShape mote_plane_shape_def(void);

#ifdef __cplusplus
}
#endif
#endif

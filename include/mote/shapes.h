/* Parameter structs of shapes, as frames carry them (mote_FrameShape.params). */
#ifndef MOTE_SHAPES_H
#define MOTE_SHAPES_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "plane": the points with normal . x = offset, in the shape's own frame; solid below. */
typedef struct mote_PlaneShape {
    mote_Vec3 normal; /* direction; its length does not matter but is not zero */
    mote_real offset; /* m, along the unit normal */
} mote_PlaneShape;

#ifdef __cplusplus
}
#endif
#endif

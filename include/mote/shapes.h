/* Shapes: geometry with signed distance (negative inside), outward normal, bounds and casts. A
 * shape stands in its own frame, centred at the origin unless its parameters say otherwise; a pose
 * places it in the world. */
#ifndef MOTE_SHAPES_H
#define MOTE_SHAPES_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A rotation as a unit quaternion: (x, y, z) = axis sin(angle / 2), w = cos(angle / 2). */
typedef struct mote_Quat {
    mote_real x, y, z, w;
} mote_Quat;

/* Where something stands: a point p of its own frame is at position + orientation p. */
typedef struct mote_Pose {
    mote_Vec3 position; /* m */
    mote_Quat orientation;
} mote_Pose;

/* At the origin, not turned. */
MOTE_API mote_Pose mote_pose_def(void);

/* The pose at `position`, turned by angles (rad) about the fixed axes: first x, then y, then z. */
MOTE_API mote_Pose mote_pose_turned(mote_Vec3 position, mote_Vec3 angles);

/* The half-space behind a plane: points with normal . x < offset are inside. */
typedef struct mote_PlaneShape {
    mote_Vec3 normal; /* outward; its length does not matter */
    mote_real offset; /* m, along the unit normal */
} mote_PlaneShape;

/* A ball. */
typedef struct mote_SphereShape {
    mote_real radius; /* m */
} mote_SphereShape;

/* A box with its edges along the axes. */
typedef struct mote_BoxShape {
    mote_Vec3 size; /* m, edge lengths; 0: without end along that axis */
} mote_BoxShape;

/* All points within `radius` of a segment along y. */
typedef struct mote_CapsuleShape {
    mote_real radius; /* m */
    mote_real length; /* m, of the segment: between the centres of its caps */
} mote_CapsuleShape;

/* A solid cylinder about the y axis. */
typedef struct mote_CylinderShape {
    mote_real radius; /* m */
    mote_real height; /* m */
} mote_CylinderShape;

MOTE_API mote_PlaneShape mote_plane_shape_def(void);
MOTE_API mote_SphereShape mote_sphere_shape_def(void);
MOTE_API mote_BoxShape mote_box_shape_def(void);
MOTE_API mote_CapsuleShape mote_capsule_shape_def(void);
MOTE_API mote_CylinderShape mote_cylinder_shape_def(void);

#ifdef __cplusplus
}
#endif
#endif

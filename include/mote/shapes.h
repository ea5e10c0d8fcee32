/* Shapes: geometry with signed distance (negative inside), outward normal, bounds and casts. A
 * shape stands in its own frame, centred at the origin unless its parameters say otherwise; a pose
 * places it in the world. */
#ifndef MOTE_SHAPES_H
#define MOTE_SHAPES_H

#include <mote/mesh.h>

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

/* Where something stands and how it moves: at + t velocity, turned first by `rotate` about the
 * fixed axes x, y, z and then by t spin. */
typedef struct mote_Motion {
    mote_Vec3 at;       /* m */
    mote_Vec3 rotate;   /* degrees */
    mote_Vec3 velocity; /* m/s */
    mote_Vec3 spin;     /* degrees/s, about the direction of the vector */
} mote_Motion;

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

/* A ring: all points within `tube` of a circle about the y axis. */
typedef struct mote_TorusShape {
    mote_real radius; /* m, of the circle */
    mote_real tube;   /* m, less than the radius: there is a hole */
} mote_TorusShape;

/* How a mesh tells inside from outside. */
typedef enum mote_MeshInside {
    MOTE_INSIDE_CLOSED,  /* the mesh has no holes: exact, by pseudo-normals */
    MOTE_INSIDE_WINDING, /* small holes are allowed: by the generalised winding number */
    MOTE_INSIDE_NONE     /* there is no inside: a thin sheet with two sides */
} mote_MeshInside;

/* A triangle mesh of any form. */
typedef struct mote_MeshShape {
    const mote_Mesh *mesh;
    int inside; /* mote_MeshInside */
} mote_MeshShape;

/* A convex polytope: faster than a mesh. */
typedef struct mote_ConvexShape {
    const mote_Mesh *mesh; /* convex */
} mote_ConvexShape;

/* A shape as part of another; everything is copied, meshes and shapes in it are kept. */
typedef struct mote_ShapeDef {
    const char *type;   /* row of the shapes: "sphere", ... */
    const void *params; /* struct of that row; NULL for its defaults */
    mote_Pose pose;     /* where it stands */
} mote_ShapeDef;

/* Posed shapes, ready for queries; immutable and shared as meshes are. */
typedef struct mote_Shapes mote_Shapes;

/* Makes them, with one owner. */
MOTE_API mote_Status mote_shapes_create(const mote_ShapeDef *defs, size_t count,
                                        mote_Allocator allocator, mote_Shapes **shapes,
                                        mote_Error *error);
/* One more owner, and one less: the last frees them. NULL is allowed. */
MOTE_API const mote_Shapes *mote_shapes_keep(const mote_Shapes *shapes);
MOTE_API void mote_shapes_release(const mote_Shapes *shapes);
MOTE_API size_t mote_shapes_count(const mote_Shapes *shapes);
/* Lives as long as the shapes. */
MOTE_API mote_ShapeDef mote_shapes_get(const mote_Shapes *shapes, size_t i);

/* The union of shapes: a concave body as convex parts. Inside, the distance is that from the
 * surface of the part that one is deepest in. */
typedef struct mote_CompoundShape {
    const mote_Shapes *parts;
} mote_CompoundShape;

/* Everything outside a shape: a container. */
typedef struct mote_InvertedShape {
    const mote_Shapes *shape; /* one */
} mote_InvertedShape;

MOTE_API mote_MeshShape mote_mesh_shape_def(void);
MOTE_API mote_ConvexShape mote_convex_shape_def(void);
MOTE_API mote_CompoundShape mote_compound_shape_def(void);
MOTE_API mote_InvertedShape mote_inverted_shape_def(void);
MOTE_API mote_PlaneShape mote_plane_shape_def(void);
MOTE_API mote_SphereShape mote_sphere_shape_def(void);
MOTE_API mote_BoxShape mote_box_shape_def(void);
MOTE_API mote_CapsuleShape mote_capsule_shape_def(void);
MOTE_API mote_CylinderShape mote_cylinder_shape_def(void);
MOTE_API mote_TorusShape mote_torus_shape_def(void);

/* All types of shapes: X(row, parameter struct, function that returns its defaults). */
#define MOTE_SHAPES(X)                                                                             \
    X(shape_plane, mote_PlaneShape, mote_plane_shape_def)                                          \
    X(shape_sphere, mote_SphereShape, mote_sphere_shape_def)                                       \
    X(shape_box, mote_BoxShape, mote_box_shape_def)                                                \
    X(shape_capsule, mote_CapsuleShape, mote_capsule_shape_def)                                    \
    X(shape_cylinder, mote_CylinderShape, mote_cylinder_shape_def)                                 \
    X(shape_torus, mote_TorusShape, mote_torus_shape_def)                                          \
    X(shape_convex, mote_ConvexShape, mote_convex_shape_def)                                       \
    X(shape_mesh, mote_MeshShape, mote_mesh_shape_def)                                             \
    X(shape_compound, mote_CompoundShape, mote_compound_shape_def)                                 \
    X(shape_inverted, mote_InvertedShape, mote_inverted_shape_def)

#ifdef __cplusplus
}
#endif
#endif

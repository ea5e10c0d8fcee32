/* A frame: a read-only snapshot of a world, the same type live, from a cache or from Python.
 * Pictures, meshes and files are made from frames alone. */
#ifndef MOTE_FRAME_H
#define MOTE_FRAME_H

#include <mote/particles.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The particles of one system. */
typedef struct mote_FrameSystem {
    const char *name;
    size_t count;               /* rows */
    const mote_Column *columns; /* without internal ones */
    size_t column_count;
} mote_FrameSystem;

/* A shape where it stands: what renderers draw of colliders and bodies. */
typedef struct mote_FrameShape {
    const char *name;      /* of the collider or body */
    const char *type;      /* row of the shapes: "plane", "sphere", ... */
    const void *params;    /* the shape row's parameter struct, in the shape's own frame */
    double position[3];    /* m */
    double orientation[4]; /* unit quaternion x, y, z, w */
    double velocity[3];    /* m/s, of the position; 0 where nobody has said it */
    double spin[3];        /* rad/s */
    /* The table of `params`, of constant life. With it a copy and a file hold the parameters that
     * the table lists, and a copy is an owner of their meshes and shapes; without it (NULL) they
     * hold none. */
    const mote_Row *row;
    bool body; /* a rigid body's */
} mote_FrameShape;

/* Links and triangles between particles of one system: a rope, a cloth, a jelly. They name
 * particles by id; broken links, and what has lost a particle, are left out. Planar: link i joins
 * links[i] and links[link_count + i], corner c of triangle i is triangles[c * triangle_count + i].
 */
typedef struct mote_FrameMesh {
    const char *name;
    size_t system;         /* number in the frame's `systems` */
    const uint64_t *links; /* ids of their two ends */
    size_t link_count;
    const uint64_t *triangles; /* ids of their corners */
    size_t triangle_count;
} mote_FrameMesh;

/* A closed mesh around the particles of a system, with places of its own. Seen from outside, the
 * corners of a triangle go counterclockwise. */
typedef struct mote_FrameSurface {
    const char *name;
    size_t system;             /* number in the frame's `systems` */
    const mote_Vec3 *vertices; /* m */
    const mote_Vec3 *normals;  /* unit, outward, one per vertex */
    size_t vertex_count;       /* of vertices and of normals */
    const uint32_t *triangles; /* three vertices each */
    size_t triangle_count;
    mote_FrameSystem carried; /* columns of its particles at the vertices; none unless wanted */
} mote_FrameSurface;

/* Signed distances from a mesh on the points of a box of a grid, m: negative inside. Beyond three
 * cells they are three cells. Point (i, j, k) is at cell times (low + (i, j, k)), and its number is
 * (k * count[1] + j) * count[0] + i. */
typedef struct mote_SurfaceBand {
    double cell;     /* m */
    int64_t low[3];  /* of the first point, in cells from the origin */
    size_t count[3]; /* of points; all 0 for a mesh without triangles */
    float *distance; /* m */
} mote_SurfaceBand;

/* A snapshot; what it points to lives as long as it does. */
typedef struct mote_Frame {
    uint64_t index;                  /* 0 is the start */
    double time;                     /* s */
    double dt;                       /* s from frame to frame */
    int dimension;                   /* 2 or 3 */
    int up_axis;                     /* 0, 1, 2: x, y, z */
    const mote_FrameSystem *systems; /* in the order of adding, as all lists */
    size_t system_count;
    const mote_FrameShape *shapes; /* colliders and bodies */
    size_t shape_count;
    const mote_FrameMesh *meshes; /* ropes and cloths */
    size_t mesh_count;
    const mote_FrameSurface *surfaces; /* of liquids */
    size_t surface_count;
} mote_Frame;

/* NULL when there is none of that name. */
MOTE_API const mote_FrameSystem *mote_frame_system(const mote_Frame *frame, const char *name);
MOTE_API const mote_Column *mote_frame_column(const mote_FrameSystem *system, const char *name);

/* A value for times, rows, meshes, surfaces, and where shapes are and how they move: equal for
 * equal bits, on machines of every word size. */
MOTE_API uint64_t mote_frame_hash(const mote_Frame *frame);

/* A copy that owns its memory; destroy it with mote_frame_destroy. */
MOTE_API mote_Status mote_frame_copy(const mote_Frame *frame, mote_Frame **copy, mote_Error *error);
MOTE_API void mote_frame_destroy(mote_Frame *frame);

/* ---- state: what checkpoints are made of ------------------------------------------------------
 */

/* What an array holds. */
typedef enum mote_ArrayType {
    MOTE_ARRAY_F32,  /* float */
    MOTE_ARRAY_F64,  /* double */
    MOTE_ARRAY_U32,  /* uint32_t */
    MOTE_ARRAY_U64,  /* uint64_t */
    MOTE_ARRAY_I64,  /* int64_t */
    MOTE_ARRAY_BYTE, /* unsigned char */
#ifdef MOTE_DOUBLE
    MOTE_ARRAY_REAL = MOTE_ARRAY_F64
#else
    MOTE_ARRAY_REAL = MOTE_ARRAY_F32 /* mote_real */
#endif
} mote_ArrayType;

/* One named array of a world's state. Component c of row i is element c * stride + i of data.
 * Whoever writes it to a file or reads it back does not interpret it. */
typedef struct mote_StateArray {
    const char *name;    /* "/" groups: "water/position" */
    mote_ArrayType type; /* of its values */
    size_t rows;         /* how many */
    int components;      /* planes, at least 1 */
    size_t stride;       /* elements from one plane to the next, at least rows; 0: rows */
    void *data;          /* not changed by writing */
} mote_StateArray;

/* Bytes of one element. */
MOTE_API size_t mote_array_item_size(mote_ArrayType type);

#ifdef __cplusplus
}
#endif
#endif

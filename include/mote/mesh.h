/* Triangle meshes: immutable, shared, checked when they are made. Shapes refer to them. */
#ifndef MOTE_MESH_H
#define MOTE_MESH_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh with what queries need. It never changes, may be used by any number of threads, and lives
 * until every mote_mesh_keep and its creation have been answered by a mote_mesh_release. */
typedef struct mote_Mesh mote_Mesh;

/* A mesh's data; copied by mote_mesh_create. Seen from outside, corners go counterclockwise. */
typedef struct mote_MeshDef {
    size_t size;            /* bytes, by mote_mesh_def() */
    const double *vertices; /* x, y, z of each, m */
    size_t vertex_count;
    const uint32_t *triangles; /* three vertices each */
    size_t triangle_count;
    bool flip;                /* the corners go clockwise: turn every triangle round */
    mote_Allocator allocator; /* of all that the mesh keeps */
    /* Where a texture lies: u and v of the corners of each triangle, from its lower left to its
     * upper right. NULL: wherever the renderer lays it. */
    const float *uvs;
} mote_MeshDef;

MOTE_API void mote_mesh_def_init(mote_MeshDef *def, size_t size);
MOTE_MAKER(mote_MeshDef, mote_mesh_def)

/* What was found out about a mesh. Places are given for the first of each kind. */
typedef struct mote_MeshFacts {
    size_t vertices, triangles; /* that are left */
    size_t joined;              /* vertices that equal another, or that no triangle uses */
    size_t degenerate;          /* triangles without area: left out */
    size_t open_edges;          /* edges with one triangle: holes */
    size_t crowded_edges;       /* edges with three triangles or more */
    size_t flipped_edges;       /* edges whose two triangles disagree on which side is outside */
    size_t parts;               /* that hang together by edges */
    bool closed;                /* every edge has two triangles that agree */
    bool inverted;              /* closed, but inside out */
    bool convex;                /* closed, one part, convex up to rounding */
    double area, volume;        /* m^2; m^3, when closed */
    double low[3], high[3];     /* bounds, m */
    double degenerate_at[3], open_at[3], crowded_at[3], flipped_at[3]; /* m */
} mote_MeshFacts;

/* Equal vertices are joined, triangles without area left out. Fails when a vertex is not finite, a
 * triangle names a vertex that does not exist, or no triangle is left; holes and the like are no
 * errors here but facts. */
MOTE_API mote_Status mote_mesh_create(const mote_MeshDef *def, mote_Mesh **mesh, mote_Error *error);

/* The convex hull of points (x, y, z each). */
MOTE_API mote_Status mote_mesh_hull(const double *points, size_t count, mote_Allocator allocator,
                                    mote_Mesh **mesh, mote_Error *error);

/* The convex body behind planes (normal x, y, z and offset each: normal . x <= offset). Fails when
 * they leave nothing, no volume, or no end. */
MOTE_API mote_Status mote_mesh_planes(const double *planes, size_t count, mote_Allocator allocator,
                                      mote_Mesh **mesh, mote_Error *error);

/* Reads an OBJ, PLY or STL file that lies in memory. `name` starts messages; its ending tells the
 * format where the content does not. `scale` multiplies all coordinates. */
MOTE_API mote_Status mote_mesh_parse(const void *bytes, size_t size, const char *name, double scale,
                                     mote_Allocator allocator, mote_Mesh **mesh, mote_Error *error);

/* The convex hull of a mesh's vertices. */
MOTE_API mote_Status mote_mesh_hull_of(const mote_Mesh *mesh, mote_Mesh **hull, mote_Error *error);

/* One more owner; returns the mesh. NULL is allowed in both. */
MOTE_API const mote_Mesh *mote_mesh_keep(const mote_Mesh *mesh);
MOTE_API void mote_mesh_release(const mote_Mesh *mesh);

/* All of these live as long as the mesh. */
MOTE_API const mote_MeshFacts *mote_mesh_facts(const mote_Mesh *mesh);
MOTE_API const mote_Vec3 *mote_mesh_vertices(const mote_Mesh *mesh, size_t *count);
MOTE_API const uint32_t *mote_mesh_triangles(const mote_Mesh *mesh, size_t *count); /* 3 each */
/* A value for the whole content: equal for equal vertices and triangles. */
MOTE_API uint64_t mote_mesh_hash(const mote_Mesh *mesh);

/* ---- quality ------------------------------------------------------------------------------- */

/* A shape to compare a mesh with. */
typedef enum mote_MeshForm {
    MOTE_FORM_NONE,   /* with none */
    MOTE_FORM_SPHERE, /* form_size[0]: radius */
    MOTE_FORM_CUBE,   /* form_size: half of its sides; [1] and [2] 0: like [0] */
    MOTE_FORM_TORUS   /* [0]: radius of the ring, [1]: of the tube; axis along the bounds'
                         shortest side */
} mote_MeshForm;

/* How a mesh is measured. */
typedef struct mote_MeshCheckDef {
    size_t size;         /* bytes, by mote_mesh_check_def() */
    mote_MeshForm form;  /* to compare it with */
    double form_size[3]; /* m; [0] 0: fitted to the mesh */
    double spacing;      /* m that bumps are measured in; 0: mean edge */
    double smallest;     /* m^2; triangles of less area count as degenerate; 0: 1e-10 of the mean
                            edge's square */
} mote_MeshCheckDef;

MOTE_API void mote_mesh_check_def_init(mote_MeshCheckDef *def, size_t size);
MOTE_MAKER(mote_MeshCheckDef, mote_mesh_check_def)

/* A part that hangs together by edges. */
typedef struct mote_MeshPart {
    size_t vertices, triangles; /* how many */
    long euler;                 /* vertices - edges + triangles: 2 less 2 per handle, when closed */
    double area, volume;        /* m^2, m^3; the volume of a cavity is negative */
} mote_MeshPart;

/* What a mesh is like. */
typedef struct mote_MeshCheck {
    bool watertight;   /* every edge has two triangles that go through it in opposite directions */
    bool manifold;     /* no edge has more, and the triangles of every vertex are one fan */
    bool outward;      /* closed, and its volume is positive */
    size_t bad_fans;   /* vertices whose triangles are more than one fan */
    size_t degenerate; /* triangles without area, with those that were left out */
    long euler;        /* of all parts */
    double edge;       /* m, mean */
    double least_angle, mean_least_angle; /* degrees: of all, and the mean over triangles */
    double bumpiness; /* rms distance of vertices from themselves smoothed 20 times, in spacings */
    double form_size[3];                        /* of the form, given or fitted */
    double normal_mean, normal_99, normal_most; /* degrees between faces and the form */
    double distance_rms, distance_most;         /* m between vertices and the form */
} mote_MeshCheck;

/* Measures a mesh. `parts`: room for `part_room` parts, largest area first; NULL: none. How many
 * there are, mote_mesh_facts says. */
MOTE_API mote_Status mote_mesh_check(const mote_Mesh *mesh, const mote_MeshCheckDef *def,
                                     mote_MeshPart *parts, size_t part_room, mote_MeshCheck *check,
                                     mote_Error *error);

/* ---- decomposition ------------------------------------------------------------------------- */

/* How a concave mesh is taken apart. */
typedef struct mote_DecomposeDef {
    size_t size;       /* bytes, by mote_decompose_def() */
    double concavity;  /* m: no part is to be farther from the mesh; 0: a fiftieth of its size */
    size_t most_parts; /* 1 to 4096 */
} mote_DecomposeDef;

MOTE_API void mote_decompose_def_init(mote_DecomposeDef *def, size_t size);
MOTE_MAKER(mote_DecomposeDef, mote_decompose_def)

/* What came of it. */
typedef struct mote_DecomposeFacts {
    size_t parts;       /* how many */
    double concavity;   /* m: no point of a part is farther from the mesh than this */
    double bound;       /* m: what was asked for */
    bool reached;       /* concavity <= bound; else most_parts was too few */
    double volume;      /* m^3, of all parts */
    double mesh_volume; /* m^3 */
} mote_DecomposeFacts;

/* Convex parts that together cover a closed mesh, and hardly more. `parts`: room for most_parts of
 * them, each to be released. Fails when the mesh is not closed or inside out, and as mote_mesh_hull
 * does. The same mesh gives the same parts. */
MOTE_API mote_Status mote_mesh_decompose(const mote_Mesh *mesh, const mote_DecomposeDef *def,
                                         mote_Mesh **parts, mote_DecomposeFacts *facts,
                                         mote_Error *error);

#ifdef __cplusplus
}
#endif
#endif

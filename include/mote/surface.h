/* Surfaces: a closed triangle mesh around the particles of a liquid.
 *
 * A field that is larger inside the liquid than outside is summed over the particles on a sparse
 * grid, and marching cubes follows the isosurface. The mesh is closed and manifold, its triangles
 * go counterclockwise seen from outside, and its bytes depend on the definition and the particles
 * alone: not on threads, instruction set or what was made before. */
#ifndef MOTE_SURFACE_H
#define MOTE_SURFACE_H

#include <mote/frame.h>
#include <mote/tasks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- fields: how particles become a function of space ---------------------------------------- */

/* `density`: phi(x) = sum_j V_j W(x - x_j), 1 deep inside and 0 outside. */
typedef struct mote_DensityField {
    mote_real support;  /* radius of the kernel, in spacings */
    mote_real isovalue; /* of phi, where the surface is */
    bool spray;         /* particles with few neighbours count more, so that they keep a volume */
    bool keep_volume;   /* choose the isovalue at which the surface holds the particles' volume */
} mote_DensityField;
MOTE_API mote_DensityField mote_density_field_def(void);

/* `anisotropic`: the same with kernels that are ellipsoids after the particles around them. */
typedef struct mote_AnisotropicField {
    mote_real support;  /* radius of a round kernel, in spacings */
    mote_real isovalue; /* of phi, where the surface is */
    bool spray;         /* particles with few neighbours count more, so that they keep a volume */
    bool keep_volume;   /* choose the isovalue at which the surface holds the particles' volume */
    bool sheets;        /* thin sheets that are drawn out are filled, so that they have no holes */
} mote_AnisotropicField;
MOTE_API mote_AnisotropicField mote_anisotropic_field_def(void);

/* `zhu-bridson`: distance from the neighbours' weighted mean place, less their mean radius. */
typedef struct mote_ZhuBridsonField {
    mote_real support;       /* radius of the kernel, in spacings */
    mote_real size;          /* radius of a particle here, in spacings */
    mote_real gentle, steep; /* where the mean place moves faster than this, the radius shrinks;
                                and where it is gone */
    bool keep_volume;        /* shift the surface until it holds the particles' volume */
} mote_ZhuBridsonField;
MOTE_API mote_ZhuBridsonField mote_zhu_bridson_field_def(void);

/* `spheres`: signed distance to the union of spheres. */
typedef struct mote_SpheresField {
    mote_real size;   /* radius of a sphere, in spacings; below 0.87 a lattice has holes */
    bool keep_volume; /* shift the surface until it holds the particles' volume */
} mote_SpheresField;
MOTE_API mote_SpheresField mote_spheres_field_def(void);

/* ---- making meshes ----------------------------------------------------------------------------
 */

/* How a surface is made. */
typedef struct mote_SurfaceDef {
    size_t size;        /* bytes, by mote_surface_def() */
    const char *field;  /* "density", "anisotropic", "zhu-bridson" or "spheres" */
    const void *params; /* the field's struct; NULL: its defaults */
    double radius;      /* m, half the distance of particles; 0: from the columns, or guessed */
    double cell;        /* edge of a grid cell, in spacings (twice the radius): 1/12 to 1 */
    uint64_t smoothing; /* passes that take the bumps out of bulk liquid; 0: none */
    double specks;      /* closed pieces of less volume are left out, in particles; 0: none */
    bool whole;         /* also sum the field where the liquid is deep: slower, same surface */
    double most_memory; /* bytes; what would need more is refused; 0: what the machine has */
    mote_Tasks *tasks;  /* NULL: on the calling thread */
    mote_Allocator allocator; /* of all that it keeps */
    /* Columns of a frame's system that its vertices get too: "velocity", "temperature", ... */
    const char *const *attributes;
    size_t attribute_count;
} mote_SurfaceDef;

MOTE_API void mote_surface_def_init(mote_SurfaceDef *def, size_t size);
MOTE_MAKER(mote_SurfaceDef, mote_surface_def)

/* Particles as planar arrays. */
typedef struct mote_SurfacePoints {
    size_t count;            /* how many */
    const mote_real *x[3];   /* m */
    const mote_real *radius; /* m, of each; NULL: all alike */
    const mote_real *volume; /* m^3, of each: mass over density; NULL: that of a cube of side twice
                                the radius */
    const mote_Column *columns; /* what the mesh's vertices shall carry; NULL: nothing */
    size_t column_count;
} mote_SurfacePoints;

/* What came of it, beside the mesh. */
typedef struct mote_SurfaceReport {
    double spacing, cell; /* m */
    double isovalue;      /* of the field */
    double volume;        /* m^3 of the particles */
    bool guessed;         /* the spacing comes from how densely the particles lie */
    size_t blocks;        /* of 32^3 cells that were looked at */
    size_t deep;          /* particles left out because the liquid around them is full */
    size_t specks;        /* pieces that were left out */
    size_t peak_bytes;    /* of memory held while it was made */
    double field_seconds, smoothing_seconds; /* by the clock */
} mote_SurfaceReport;

/* Makes meshes one after another and keeps their memory. */
typedef struct mote_Surface mote_Surface;

/* Makes the maker; no mesh yet. */
MOTE_API mote_Status mote_surface_create(const mote_SurfaceDef *def, mote_Surface **surface,
                                         mote_Error *error);
MOTE_API void mote_surface_destroy(mote_Surface *surface); /* NULL is allowed */

/* The mesh around points, or around the particles of a frame's system (NULL: its only one). The
 * mesh is valid until the next one is made; without particles it is empty. MOTE_BAD_VALUE when a
 * place is not finite or a radius not positive, MOTE_NO_MEMORY with the bytes it would take.
 * report may be NULL. */
MOTE_API mote_Status mote_surface_points(mote_Surface *surface, const mote_SurfacePoints *points,
                                         mote_FrameSurface *mesh, mote_SurfaceReport *report,
                                         mote_Error *error);
MOTE_API mote_Status mote_surface_frame(mote_Surface *surface, const mote_Frame *frame,
                                        const char *system, mote_FrameSurface *mesh,
                                        mote_SurfaceReport *report, mote_Error *error);

/* The band of a closed mesh; free it with mote_surface_band_free. MOTE_BAD_VALUE when the grid
 * would be too large. */
MOTE_API mote_Status mote_surface_band(const mote_FrameSurface *mesh, double cell,
                                       mote_SurfaceBand *band, mote_Error *error);
MOTE_API void mote_surface_band_free(mote_SurfaceBand *band);

#ifdef __cplusplus
}
#endif
#endif

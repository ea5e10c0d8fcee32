/* Emitters: what makes particles. */
#ifndef MOTE_EMIT_H
#define MOTE_EMIT_H

#include <mote/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where particles come from, around the emitter's place; directions in the scene's axes. */
typedef struct mote_DiscSource {
    mote_real radius; /* m */
    mote_Vec3 normal; /* direction the disc faces */
} mote_DiscSource;

/* The source "box". */
typedef struct mote_BoxSource {
    mote_Vec3 size; /* m, edge lengths */
    bool surface;   /* from the faces only */
} mote_BoxSource;

/* The source "sphere": a ball. */
typedef struct mote_SphereSource {
    mote_real radius; /* m */
    bool surface;     /* from the skin only */
} mote_SphereSource;

/* The sources "surface" and "volume": any shape that has an end. */
typedef struct mote_ShapeSource {
    const mote_Shapes *shape; /* one; its place is seen from the emitter's */
} mote_ShapeSource;

/* The source "fill": a cubic lattice (square in two dimensions) inside a shape, all at once. */
typedef struct mote_FillSource {
    mote_real spacing;        /* m */
    const mote_Shapes *shape; /* one; its place is seen from the emitter's */
} mote_FillSource;

/* The source "inflow": layers of a square lattice across the emitter's velocity, one whenever the
 * last has moved on by the spacing. A place that a particle of the system is too near to stays
 * empty, so that nothing overlaps. */
typedef struct mote_InflowSource {
    mote_real spacing; /* m */
    mote_real radius;  /* m, of a round nozzle; 0: `width` and `height` */
    mote_real width;   /* m, of a rectangular one, level */
    mote_real height;  /* m, the other way */
} mote_InflowSource;

MOTE_API mote_ShapeSource mote_shape_source_def(void);
MOTE_API mote_InflowSource mote_inflow_source_def(void);
MOTE_API mote_FillSource mote_fill_source_def(void);
MOTE_API mote_DiscSource mote_disc_source_def(void);
MOTE_API mote_BoxSource mote_box_source_def(void);
MOTE_API mote_SphereSource mote_sphere_source_def(void);

/* An emitter for mote_world_add_emitter; everything is copied. Births are spread over the time in
 * which they fall: a particle starts at its own moment inside a step. */
typedef struct mote_EmitterDef {
    size_t size;        /* bytes, by mote_emitter_def() */
    const char *name;   /* unique; NULL: the source's name and a number */
    const char *system; /* the system that gets the particles */
    const char *source; /* "point", "disc", "box", "sphere", "volume", "fill", "inflow", ... */
    const void *source_params; /* struct of the source; NULL for its defaults */
    mote_Vec3 at;              /* m, the source's place */
    mote_real rate;            /* 1/s */
    uint64_t burst;            /* particles made at once, at the start */
    double burst_every;        /* s between bursts; 0: only one */
    double start, stop;        /* s, when it works */
    mote_real jitter;          /* 0: evenly spaced births; 1: random within their interval */
    mote_Vec3 velocity;        /* m/s */
    mote_real spread;          /* rad, half angle of the cone around velocity */
    mote_real speed_jitter;    /* share by which speeds vary */
    mote_real outward;         /* m/s, added along the source's outward direction */
    mote_real lifetime;        /* s */
    mote_real lifetime_jitter; /* share by which lifetimes vary */
    mote_real mass;            /* kg */
    mote_real radius;          /* m */
    mote_real radius_jitter;   /* share by which radii vary */
    mote_Vec3 color;           /* linear RGB */
    mote_real opacity;         /* 0 to 1 */
    uint64_t group;            /* bit mask for the group column, below 2^32 */
    const char *wind;          /* vector field whose velocity is added at birth; NULL: none */
    const char *density;   /* scalar field: places are taken with this probability; NULL: all are */
    mote_real temperature; /* K, of the column of that name; 0: as the system's solver says */
} mote_EmitterDef;

MOTE_API void mote_emitter_def_init(mote_EmitterDef *def, size_t size);
MOTE_MAKER(mote_EmitterDef, mote_emitter_def)

#ifdef __cplusplus
}
#endif
#endif

/* Colliders: shapes that particles bounce off, slide on and rest on. */
#ifndef MOTE_COLLIDE_H
#define MOTE_COLLIDE_H

#include <mote/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A collider for mote_world_add_collider; everything is copied. */
typedef struct mote_ColliderDef {
    const char *name;           /* unique; NULL: the shape's name and a number */
    const char *shape;          /* "plane" */
    const void *shape_params;   /* struct of the shape; NULL for its defaults */
    mote_real restitution;      /* 0 sticks to the surface, 1 loses nothing */
    mote_real friction;         /* Coulomb's coefficient, static and kinetic */
    mote_Vec3 velocity;         /* m/s, of the wall's surface: a conveyor belt */
    const char *const *systems; /* names of the systems it acts on; NULL: all */
    size_t system_count;
} mote_ColliderDef;

MOTE_API mote_ColliderDef mote_collider_def(void);

/* How a system's particles meet colliders. */
typedef struct mote_CollideDef {
    const char *algorithm; /* row of the collide table: "contact" (default), "none" */
    bool as_points;        /* ignore the particles' radii */
} mote_CollideDef;

#ifdef __cplusplus
}
#endif
#endif

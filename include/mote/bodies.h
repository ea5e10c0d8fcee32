/* Bodies: rigid shapes with mass that fall, spin, collide, rest, float and warm up. Every body is a
 * collider for particles too: what bounces off it pushes it. */
#ifndef MOTE_BODIES_H
#define MOTE_BODIES_H

#include <mote/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A body for mote_world_add_body; everything is copied. Its shape must have a volume; contact with
 * other bodies takes convex shapes as they are, compounds part by part, and tests the corners of
 * anything else against the other's surface. */
typedef struct mote_BodyDef {
    size_t size;              /* bytes, by mote_body_def() */
    const char *name;         /* unique among bodies and colliders; NULL: "body" and a number */
    const char *shape;        /* "sphere", "box", "convex", "compound", ... */
    const void *shape_params; /* struct of the shape; NULL for its defaults */
    double density;           /* kg/m^3, where mass is 0 */
    double mass;              /* kg; 0: by density */
    bool free;                /* false: follows `motion`, whatever hits it */
    bool gravity;             /* the world's gravity pulls it, while it is free */
    mote_real restitution;    /* of bodies that meet, the larger counts */
    mote_real friction;       /* Coulomb's mu; of bodies that meet, sqrt(mu_1 mu_2) */
    double temperature;       /* K, at the start */
    double heat_capacity;     /* J/K of the whole body; 0: 1000 J/(kg K) times the mass */
    mote_real heat_transfer;  /* W/(m^2 K), to fluid that touches it */
    const char *buoyancy;     /* scalar field: density (kg/m^3) of the fluid around; NULL: none */
    /* Where the shape's frame stands at time 0 and, unless a free body is acted on, later. The
     * velocity is that of the centre of mass of a free body, of the shape's origin otherwise. */
    mote_Motion motion;
    /* As of colliders: motion by a function of time, of bodies that are not free. */
    mote_Status (*path)(void *context, double t, mote_Motion *motion, mote_Error *error);
    void *path_context;
    const char *const *systems; /* names of the systems that meet it; NULL: all */
    size_t system_count;
} mote_BodyDef;

MOTE_API void mote_body_def_init(mote_BodyDef *def, size_t size);
MOTE_MAKER(mote_BodyDef, mote_body_def)

/* A body now. */
typedef struct mote_BodyState {
    double mass;           /* kg */
    double volume;         /* m^3 */
    double inertia[3];     /* kg m^2, principal moments about the centre of mass */
    double centre[3];      /* m, centre of mass */
    double orientation[4]; /* unit quaternion x, y, z, w: of the shape's frame in the world */
    double position[3];    /* m, of the shape's frame */
    double velocity[3];    /* m/s, of the centre of mass */
    double spin[3];        /* rad/s, in the world */
    double momentum[3];    /* kg m/s */
    double angular[3];     /* kg m^2/s, about the centre of mass */
    double kinetic;        /* J, of motion and spin */
    double temperature;    /* K */
    double heat_capacity;  /* J/K */
    uint64_t contacts;     /* points at which it touched something in the last sub-step */
} mote_BodyState;

#ifdef __cplusplus
}
#endif
#endif

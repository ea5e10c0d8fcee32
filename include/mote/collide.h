/* Colliders: shapes that particles bounce off, slide on, stick to and rest on. */
#ifndef MOTE_COLLIDE_H
#define MOTE_COLLIDE_H

#include <mote/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- friction laws: parameter structs of the rows ---- */

/* Coulomb's law: sticks while the tangential impulse is at most `still` times the normal one, and
 * slides against `sliding` times the normal one otherwise. */
typedef struct mote_DryFriction {
    mote_real mu;      /* both coefficients, where the others are negative */
    mote_real still;   /* static coefficient; negative: mu */
    mote_real sliding; /* kinetic coefficient; negative: mu */
} mote_DryFriction;

/* Damping by a film: the tangential velocity loses the share damping |dv_N|. */
typedef struct mote_WetFriction {
    mote_real damping; /* s/m */
} mote_WetFriction;

/* A collider for mote_world_add_collider; everything is copied. */
typedef struct mote_ColliderDef {
    size_t size;                 /* bytes, by mote_collider_def() */
    const char *name;            /* unique; NULL: the shape's name and a number */
    const char *shape;           /* "plane", "sphere", "box", ... */
    const void *shape_params;    /* struct of the shape; NULL for its defaults */
    mote_real restitution;       /* 0 loses all normal speed, 1 nothing */
    mote_real friction;          /* coefficient of dry friction while friction_law is NULL */
    const char *friction_law;    /* row: "none", "dry", "wet", "wet-linear", "stick" */
    const void *friction_params; /* struct of the law; NULL for its defaults */
    mote_Vec3 velocity;          /* m/s, of the surface in the collider's frame: a conveyor belt */
    bool measure;                /* collect the impulses and the heat it gets */
    bool sink;                   /* takes out particles that come into it, and meets none */
    mote_Motion motion;          /* where it is, and how it moves */
    /* Motion by a function of time: writes the motion at time t; what it says must depend on t
     * alone. Less than half a turn per sub-step. NULL: `motion` as it stands. */
    mote_Status (*path)(void *context, double t, mote_Motion *motion, mote_Error *error);
    void *path_context;
    const char *const *systems; /* names of the systems it acts on; NULL: all */
    size_t system_count;
    mote_real temperature; /* K, of its surface, for liquids with heat; 0: it lets none through */
    mote_real wetting;     /* degrees: angle within a liquid with tension where its surface ends */
    mote_real flux;        /* W/m^2, into liquids with heat, where it has no temperature */
} mote_ColliderDef;

MOTE_API void mote_collider_def_init(mote_ColliderDef *def, size_t size);
MOTE_MAKER(mote_ColliderDef, mote_collider_def)

/* What a system's particles did to a collider in the last step, with `measure`. */
typedef struct mote_ColliderLoad {
    double impulse[3];  /* kg m/s */
    double angular[3];  /* kg m^2/s, about the collider's position */
    double heat;        /* J: kinetic energy lost to restitution and friction, heat of liquids */
    uint64_t particles; /* row and sub-step pairs that touched it */
} mote_ColliderLoad;

/* How a hit is looked for. */
enum { MOTE_DETECT_SWEPT = 0, MOTE_DETECT_END = 1 };
/* What is done with particles that start inside a collider. */
enum { MOTE_INSIDE_PUSH = 0, MOTE_INSIDE_DELETE = 1, MOTE_INSIDE_ERROR = 2 };
/* Force laws of `repulsion`, y being the distance from the surface and y0 the reach. */
enum {
    MOTE_REPULSION_PENALTY = 0, /* -K y while y < 0 */
    MOTE_REPULSION_SPRING = 1,  /* -K (y - y0) - D v while y < y0 */
    MOTE_REPULSION_INVERSE = 2  /* K (1/y - 1/y0) - D v while y < y0 */
};

/* How a system's particles meet colliders. */
typedef struct mote_CollideDef {
    const char *algorithm; /* row of the collide table: "contact" (default), "exact", "none", ... */
    int detection;         /* MOTE_DETECT_... */
    int inside;            /* MOTE_INSIDE_... */
    bool as_points;        /* ignore the particles' radii */
    double interval;       /* s between collision checks, in whole sub-steps; 0: each sub-step */
    int law;               /* of `repulsion`: MOTE_REPULSION_... */
    mote_real stiffness;   /* of `repulsion`: K in N/m; N m for the inverse law */
    mote_real reach;       /* of `repulsion`: y0, m */
    mote_real damping;     /* of `repulsion`: D, kg/s */
} mote_CollideDef;

MOTE_API mote_CollideDef mote_collide_def(void);

#ifdef __cplusplus
}
#endif
#endif

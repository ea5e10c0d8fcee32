/* A rigid body: what it is made of, where it is, and free motion. */
#ifndef BODIES_BODY_H
#define BODIES_BODY_H

#include <mote/bodies.h>

#include "base/limbs.h"
#include "base/memory.h"
#include "base/row.h"
#include "bodies/d3.h"
#include "bodies/solid.h"
#include "geometry/shape.h"

typedef struct MassProperties {
    double volume;  /* m^3 */
    double mass;    /* kg */
    D3 inertia;     /* kg m^2, principal moments about the centre of mass */
    DPose in_shape; /* the frame of centre and principal axes, in the shape's frame */
} MassProperties;

/* Of a shape with this density, or with this mass when it is above 0. Fails when the shape has no
 * volume or no end. */
mote_Status mass_of_shape(const ShapeRow *row, const void *params, double density, double mass,
                          const char *where, MassProperties *out, mote_Error *error);

/* What survives a sub-step. */
typedef struct BodyState {
    double position[3];    /* m, centre of mass */
    double orientation[4]; /* of the principal axes: x, y, z, w */
    double velocity[3];    /* m/s */
    double angular[3];     /* kg m^2/s, about the centre of mass, in the world */
    double temperature;    /* K */
    double quiet;          /* s, for how long it has been next to still */
} BodyState;

enum { BODY_STATE_VALUES = sizeof(BodyState) / sizeof(double) };

/* Impulse (kg m/s), angular impulse and heat (J) from outside. */
typedef struct BodyLoad {
    D3 impulse, angular;
    double heat;
} BodyLoad;

struct Field;

typedef struct Body {
    Object object; /* parameters of the shape */
    const ShapeRow *shape;
    mote_BodyDef def; /* its pointers to names are not used */
    MassProperties mass;
    double heat_capacity; /* J/K */
    BodyState state;
    Solid solid;         /* the same, as contact works on it */
    mote_Pose from, to;  /* of the shape's frame over the present sub-step */
    PoseVelocity change; /* from one to the other, per sub-step */
    D3 *samples;         /* points of equal volume in the body's frame, for buoyancy */
    size_t sample_count;
    const struct Field *fluid; /* its density; NULL: none */
    BodyLoad taken;            /* of the frame's load on its surface, what it has felt */
    Limbs burden;              /* sum of m k over the particles that touch it now */
} Body;

extern const mote_Row body_row; /* mote_BodyDef */

/* Mass, pieces and the state at the start, from def, shape and the shape's parameters. */
mote_Status body_open(Memory *memory, Body *body, const char *where, mote_Error *error);
void body_close(Memory *memory, Body *body);

/* Brings the solid in line with the state. */
void body_load(Body *body);

/* Turns the principal axes through a time h at constant angular momentum, in the world, by a
 * splitting that is symplectic, of second order, and exact for two equal moments. */
DQuat body_turned(DQuat orientation, D3 angular, D3 inertia, double h);

/* Inverse inertia and spin that belong to the solid's orientation and angular momentum. */
void body_refresh_spin(const Body *body, Solid *solid);

/* Places a body that is not free for the sub-step from t to t + dt. */
mote_Status body_follow(Body *body, double t, double dt, mote_Error *error);

/* Places the shape by the state, at rest. */
void body_place(Body *body);

/* Notes where the shape goes: from where it was to where the state says. */
void body_begin_step(Body *body);
void body_end_step(Body *body, double dt);

/* Points of equal volume inside the body, for what a fluid does to it. */
mote_Status body_make_samples(Memory *memory, Body *body, mote_Error *error);
void body_free_samples(Memory *memory, Body *body);

/* Force (N) and torque (N m) about the centre of mass by the fluid around at time t. */
void body_buoyancy(const Body *body, D3 gravity, double t, D3 *force, D3 *torque);

void body_report(const Body *body, mote_BodyState *out);

/* 1/kg: how much an impulse at a place (m) changes the speed there along its direction. */
double body_yield(const Body *body, D3 at, D3 impulse);

/* The angular impulse is that about the centre of mass. */
void body_exchange(Body *body, const BodyLoad *load);

#endif

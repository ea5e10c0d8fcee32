/* The boundary family: how a liquid feels walls. A row fills the state's walls (walls.h) at the
 * start of a sub-step; what follows from them is here. */
#ifndef SOLVERS_SPH_BOUNDARY_H
#define SOLVERS_SPH_BOUNDARY_H

#include "solvers/sph/sph.h"

struct BoundaryRow {
    mote_Row head;
    bool by_forms; /* it goes by the colliders' forms alone, as devices do (stay.h) */
    /* Fills step->state->walls for step->x. */
    mote_Status (*gather)(SphStep *step, mote_Error *error);
};

/* X(row) */
#define BOUNDARY_ROWS(X) X(boundary_analytic) X(boundary_sampled)

/* What pressure at a place does, as acceleration of the host's liquid over the walls' gradient,
 * m^2/s^2. */
typedef mote_real WallPush(const SphStep *step, size_t i);

/* J, that a collider gets of the particle at a place. */
typedef double WallHeat(const SphStep *step, size_t i, const WallShare *share);

/* The walls around all places, and their share of the densities. */
mote_Status sph_meet_walls(SphStep *step, mote_Error *error);

/* Friction at walls, into step->a and the colliders' loads. */
void sph_rub_walls(SphStep *step);

/* Kinematic viscosity at walls, of the liquid at a place, m^2/s. */
mote_real sph_wall_viscosity(const SphStep *step, size_t i);

/* What the colliders get of friction that left these velocities at the end of the sub-step. */
void sph_load_friction(SphStep *step, mote_real *const v[3]);

/* Pressure at walls: step->wall_push, and -push gradient into step->a. */
mote_Status sph_push_walls(SphStep *step, WallPush *push, mote_Error *error);

/* What the colliders get of step->wall_push over the whole sub-step: equal and opposite. */
void sph_load_walls(SphStep *step);

/* What walls do at a place beside pressure and friction, by shares of walls of their own:
 * acceleration of the host's liquid over the share's gradient, m^2/s^2. Into step->a; and what the
 * colliders get of it over the whole sub-step. */
typedef mote_real WallDraw(const SphStep *step, const WallShare *share);
void sph_draw_walls(SphStep *step, const Walls *walls, WallDraw *draw);
void sph_load_drawn(SphStep *step, const Walls *walls, WallDraw *draw);

/* What the colliders get of heat. */
void sph_heat_walls(SphStep *step, WallHeat *heat);

/* What a collider gets of sums of impulses and angular impulses. */
void sph_add_load(mote_ColliderLoad *load, const Limbs sums[6]);

/* Pressure, friction and loads, as the three above, and then `then` on all places: in one loop. */
mote_Status sph_press_walls(SphStep *step, WallPush *push, SphBody *then, mote_Error *error);

/* ---- walls as particles on the colliders' surfaces (sampled.c) ---- */

/* The particles of one collider, in its own frame. */
typedef struct WallSamples {
    const Collider *collider;
    Arena arena; /* of all that follows */
    size_t count;
    Cells cells;
    mote_real reach;   /* of their kernel, m */
    mote_real *weight; /* V_b, by place of the cells */
    mote_real *volume; /* m^3: a spacing deep, for friction */
    Aabb bounds;       /* grown by the support */
} WallSamples;

extern const BoundaryRow boundary_sampled;

/* Forgets the samples of a collider that is taken out. */
void sampled_lose(SphState *state, const Collider *collider);

/* Gives back what the row made. */
void sampled_free(SphState *state, Memory *memory);

#endif

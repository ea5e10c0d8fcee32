/* Air in a world: vortons and tracers, alone or about a ball, a plate or a wing. */
#ifndef TESTS_WORLD_AIR_H
#define TESTS_WORLD_AIR_H

#include "setup.h"

#include "solvers/vortex/solver.h"
#include "world/world.h"

#include <mote/bodies.h>
#include <mote/vortex.h>

#define PI 3.14159265358979323846

typedef struct Air {
    mote_World *world;
    mote_System *vortons, *tracers;
} Air;

/* Vortons and tracers at random places of a box, in still air; so many at once, then
 * 60 and 600 a second. */
static inline Air make_air_of(const mote_VortexSolver *params, mote_Tasks *tasks, uint64_t tracers,
                              uint64_t vortons, double lifetime)
{
    mote_WorldDef def = mote_world_def();
    Air air;
    mote_Error error;
    mote_SystemDef system = mote_system_def();
    mote_TracersSolver follow = {.of = "vortons"};
    def.tasks = tasks, def.fps = 30, def.max_step = 1;
    air.world = setup_world(&def);
    system.name = "vortons", system.solver = "vortex", system.solver_params = params;
    SETUP_OK(mote_world_add_system(air.world, &system, &air.vortons, &error), error);
    system.name = "smoke", system.solver = "tracers", system.solver_params = &follow;
    SETUP_OK(mote_world_add_system(air.world, &system, &air.tracers, &error), error);
    for (int k = 0; k < 2; ++k) {
        mote_EmitterDef emitter = mote_emitter_def();
        mote_BoxSource box = mote_box_source_def();
        box.size = setup_vec(1.6, 1.2, 1.6);
        emitter.system = k == 0 ? "vortons" : "smoke";
        emitter.source = "box", emitter.source_params = &box;
        emitter.burst = k == 0 ? vortons : tracers, emitter.rate = k == 0 ? 60 : 600;
        emitter.radius = (mote_real)(k == 0 ? 0.08 : 0.01);
        if (lifetime > 0) emitter.lifetime = (mote_real)lifetime;
        SETUP_OK(mote_world_add_emitter(air.world, &emitter, &error), error);
    }
    return air;
}

static inline Air make_air(const mote_VortexSolver *params, mote_Tasks *tasks, uint64_t tracers)
{
    return make_air_of(params, tasks, tracers, 300, 0);
}

/* No more rows from now on. */
static inline void stop_emitters(Air *air)
{
    for (size_t i = 0; i < air->world->emitters.count; ++i)
        ((Emitter *)air->world->emitters.items[i])->def.rate = 0;
}

/* Air of density 1 and nothing in it, for bodies of panels. */
static inline Air make_fine_air(mote_Tasks *tasks, int coupling, double viscosity, uint64_t panels)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    p.boundary = 1, p.panels = panels, p.density = 1, p.coupling = coupling;
    p.viscosity = (mote_real)viscosity;
    Air air = make_air_of(&p, tasks, 0, 0, 0);
    stop_emitters(&air);
    return air;
}

/* Of the only solver. */
static inline const Sheets *sheets_of(const Air *air)
{
    return &((Vortex *)((Solver *)air->world->solvers.items[0])->state)->sheets;
}

/* A ball of radius 0.3 m and 0.05 kg that feels no gravity. */
static inline void add_ball(Air *air, mote_Vec3 at, bool free, double heat_transfer)
{
    mote_BodyDef def = mote_body_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_Error error;
    sphere.radius = (mote_real)0.3;
    def.name = "ball", def.shape = "sphere", def.shape_params = &sphere, def.free = free;
    def.mass = 0.05, def.gravity = false, def.motion.at = at;
    def.temperature = 500, def.heat_capacity = 200, def.heat_transfer = (mote_real)heat_transfer;
    SETUP_OK(mote_world_add_body(air->world, &def, &error), error);
}

/* A symmetric wing (NACA 0015) of chord and span 0.6 m, its nose at +x, behind planes. */
static inline const mote_Mesh *wing_mesh(void)
{
    static const double at[] = {0, 0.02, 0.08, 0.2, 0.4, 0.7, 1};
    double planes[16][4] = {{0, 0, 1, 0.3}, {0, 0, -1, 0.3}}, x[7], y[7];
    mote_Mesh *mesh;
    mote_Error error;
    for (int k = 0; k < 7; ++k) {
        double c = at[k];
        x[k] = 0.3 - 0.6 * c;
        y[k] = 0.6 * 0.75 *
               (0.2969 * sqrt(c) - 0.126 * c - 0.3516 * c * c + 0.2843 * pow(c, 3) -
                0.1036 * pow(c, 4));
    }
    for (int k = 0; k < 6; ++k)
        for (int side = 0; side < 2; ++side) {
            double n[2] = {y[k + 1] - y[k], x[k] - x[k + 1]}, size = hypot(n[0], n[1]);
            double *plane = planes[2 + 2 * k + side], sign = side == 0 ? 1 : -1;
            plane[0] = n[0] / size, plane[1] = sign * n[1] / size;
            plane[3] = (n[0] * x[k] + n[1] * y[k]) / size;
        }
    SETUP_OK(mote_mesh_planes(planes[0], 14, mote_default_allocator(), &mesh, &error), error);
    return mesh;
}

/* A ball, a plate, or a wing, at the origin, moving. */
static inline void add_collider(Air *air, const char *shape, mote_Vec3 velocity, mote_Vec3 rotate,
                                mote_Vec3 spin)
{
    mote_ColliderDef def = mote_collider_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_BoxShape box = mote_box_shape_def();
    mote_ConvexShape wing = {shape[0] == 'c' ? wing_mesh() : NULL};
    mote_Error error;
    sphere.radius = (mote_real)0.3;
    box.size = setup_vec(0.6, 0.06, 0.6);
    def.name = "body", def.shape = shape, def.measure = true;
    def.shape_params = shape[0] == 's'   ? (const void *)&sphere
                       : shape[0] == 'b' ? (const void *)&box
                                         : &wing;
    def.restitution = (mote_real)0.01;
    def.motion = (mote_Motion){.at = setup_vec(-0.3 * (double)(velocity.x > 0), 0, 0),
                               .velocity = velocity,
                               .rotate = rotate,
                               .spin = spin};
    SETUP_OK(mote_world_add_collider(air->world, &def, &error), error);
    if (wing.mesh != NULL) mote_mesh_release(wing.mesh);
}

/* Vortons alone, in sub-steps of dt. */
static inline mote_World *make_vortons(const mote_VortexSolver *params, double dt,
                                       mote_System **vortons)
{
    mote_WorldDef def = setup_def(dt);
    mote_World *world = setup_world(&def);
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    system.name = "vortons", system.solver = "vortex", system.solver_params = params;
    SETUP_OK(mote_world_add_system(world, &system, vortons, &error), error);
    return world;
}

static inline mote_VortexSolver burning(void)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    p.born_fuel = (mote_real)0.2, p.born_spin = 2, p.burn_rate = 5, p.smoke_rate = 3;
    p.exchange = (mote_real)0.02, p.heat_exchange = (mote_real)0.02;
    p.viscosity = (mote_real)1e-4, p.burn_heat = 200000;
    return p;
}

static inline mote_VortexSolver still(void)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    p.buoyancy = 0, p.born_spin = (mote_real)1e-3, p.density = 1;
    return p;
}

/* Rows of a box of length 2 `half` in pairs, above and below the plane y = 0. */
static inline void add_pairs(mote_System *system, size_t pairs, double radius, double half_length)
{
    RandomKey key = random_key(9, "pairs");
    mote_Error error;
    size_t first;
    if (pairs == 0) return; /* columns of no rows are nowhere */
    SETUP_OK(mote_system_add_rows(system, 2 * pairs, &first, &error), error);
    mote_real *x[3];
    for (int c = 0; c < 3; ++c) x[c] = column_real(&system->columns[COLUMN_POSITION], c) + first;
    for (size_t i = 0; i < 2 * pairs; ++i) {
        Random4 draw = random_draw(key, i / 2, 0, 0);
        const mote_real half[3] = {(mote_real)half_length, (mote_real)0.6, (mote_real)0.8};
        for (int c = 0; c < 3; ++c) x[c][i] = half[c] * random_signed(draw.word[c]);
        if (i % 2 == 1) x[1][i] = -x[1][i];
        column_real(&system->columns[COLUMN_RADIUS], 0)[first + i] = (mote_real)radius;
        column_real(&system->columns[COLUMN_MASS], 0)[first + i] = 1;
    }
    mote_system_edited(system);
}

/* Of all columns. */
static inline uint64_t hash_of(const mote_System *system)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t k = 0; k < system->column_count; ++k) {
        const mote_Column *column = &system->columns[k];
        for (int c = 0; c < column->components; ++c) {
            const unsigned char *bytes = (const unsigned char *)column_plane(column, c);
            for (size_t i = 0; i < system->count * column_item_size(column->type); ++i)
                hash = (hash ^ bytes[i]) * 1099511628211u;
        }
    }
    return hash;
}

#endif

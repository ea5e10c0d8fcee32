/* Three short scenes: a fountain that is born, bounces and dies; a swarm around an attractor; flat
 * periodic tracing. Each uses other parts of the world. */
#ifndef TESTS_WORLD_SCENES_H
#define TESTS_WORLD_SCENES_H

#include "setup.h"

typedef struct Scene {
    const char *name;
    mote_World *(*make)(const mote_WorldDef *like); /* takes tasks, allocator and reloading of it */
    int frames;
} Scene;

static inline mote_WorldDef scene_def(const mote_WorldDef *like)
{
    mote_WorldDef def = mote_world_def();
    def.tasks = like->tasks;
    def.allocator = like->allocator;
    def.reload_always = like->reload_always;
    def.record_events = like->record_events;
    def.max_step = 0.012;
    return def;
}

static inline void scene_emitter(mote_World *world, const mote_EmitterDef *def)
{
    mote_Error error;
    SETUP_OK(mote_world_add_emitter(world, def, &error), error);
}

static inline mote_World *scene_fountain(const mote_WorldDef *like)
{
    mote_WorldDef def = scene_def(like);
    mote_World *world = setup_world(&def);
    mote_EmitterDef jet = mote_emitter_def();
    mote_DiscSource nozzle = mote_disc_source_def();
    setup_system(world, "water", NULL, NULL);
    setup_plane(world, setup_vec(0.1, 1, 0.2), 0.4, 0.3);
    setup_force(world, "drag",
                &(mote_DragForce){.linear = (mote_real)0.1, .quadratic = (mote_real)0.02});
    jet.name = "jet", jet.system = "water", jet.source = "disc", jet.source_params = &nozzle;
    jet.rate = 20000, jet.velocity = setup_vec(0, 2.5, 1), jet.spread = (mote_real)0.2;
    jet.at = setup_vec(0, 0.1, 0), jet.speed_jitter = (mote_real)0.1;
    jet.lifetime = (mote_real)0.7, jet.lifetime_jitter = (mote_real)0.5;
    jet.radius_jitter = (mote_real)0.5, jet.burst = 500, jet.burst_every = 0.21;
    scene_emitter(world, &jet);
    return world;
}

static inline mote_World *scene_swarm(const mote_WorldDef *like)
{
    mote_WorldDef def = scene_def(like);
    def.gravity = setup_vec(0, 0, 0);
    mote_World *world = setup_world(&def);
    mote_SphereSource ball = {2, false};
    mote_EmitterDef start = mote_emitter_def();
    setup_system(world, "stars", "leapfrog", NULL);
    setup_system(world, "planets", "rk4", NULL);
    setup_force(world, "attractor",
                &(mote_AttractorForce){.strength = 3, .softening = (mote_real)0.05});
    setup_force(world, "swirl",
                &(mote_SwirlForce){.axis = {0, 1, 1}, .strength = 1, .radius = (mote_real)0.5});
    start.system = "stars", start.source = "sphere", start.source_params = &ball;
    start.burst = 20000, start.velocity = setup_vec(0, 0, 1), start.spread = 3;
    scene_emitter(world, &start);
    start.name = "others", start.system = "planets", start.burst = 3001;
    scene_emitter(world, &start);
    return world;
}

static inline mote_World *scene_tracing(const mote_WorldDef *like)
{
    mote_WorldDef def = scene_def(like);
    def.dimension = 2;
    def.periodic_x = def.periodic_y = true;
    def.box_min = setup_vec(-1, -1, -1), def.box_max = setup_vec(2, 1, 1);
    mote_World *world = setup_world(&def);
    mote_VortexField vortex = {.axis = {0, 0, 1}, .speed = 3, .core = (mote_real)0.4};
    mote_FieldDef field = mote_field_def();
    field.name = "vortex", field.type = "vortex", field.params = &vortex;
    mote_BoxSource box = {{3, 2, 0}, false};
    mote_EmitterDef start = mote_emitter_def();
    mote_Error error;
    SETUP_OK(mote_world_add_field(world, &field, &error), error);
    setup_system(world, "dye", "rk4", "vortex");
    start.system = "dye", start.source = "box", start.source_params = &box;
    start.at = setup_vec(0.5, 0, 0), start.burst = 9000, start.rate = 100;
    scene_emitter(world, &start);
    return world;
}

/* Bodies fall, spin, stack and are hit by beads. */
static inline mote_World *scene_bodies(const mote_WorldDef *like)
{
    static const char *const shapes[] = {"box", "sphere", "cylinder", "capsule"};
    mote_WorldDef def = scene_def(like);
    mote_World *world = setup_world(&def);
    mote_ColliderDef ground = mote_collider_def();
    mote_EmitterDef start = mote_emitter_def();
    mote_Error error;
    setup_system(world, "beads", NULL, NULL);
    ground.name = "ground", ground.shape = "plane";
    SETUP_OK(mote_world_add_collider(world, &ground, &error), error);
    for (int i = 0; i < 12; ++i) {
        mote_BodyDef body = mote_body_def();
        body.shape = shapes[i % 4];
        body.density = 20;
        body.motion.at = setup_vec(0.3 * (i % 3), 1.2 + 1.8 * i, 0.1 * (i % 5));
        body.motion.spin = setup_vec(30 * i, 10, -20 * i);
        body.motion.velocity = setup_vec(0, -3, 0);
        SETUP_OK(mote_world_add_body(world, &body, &error), error);
    }
    start.system = "beads", start.rate = 3000, start.at = setup_vec(-4, 1, 0);
    start.velocity = setup_vec(9, 3, 0), start.spread = (mote_real)0.2;
    start.radius = (mote_real)0.03, start.mass = (mote_real)0.05;
    scene_emitter(world, &start);
    return world;
}

static const Scene scenes[] = {{"fountain", scene_fountain, 30},
                               {"swarm", scene_swarm, 20},
                               {"tracing", scene_tracing, 20},
                               {"bodies", scene_bodies, 30}};

static inline uint64_t scene_run(mote_World *world, int frames)
{
    for (int i = 0; i < frames; ++i) setup_step(world);
    return mote_frame_hash(mote_world_frame(world));
}

#endif

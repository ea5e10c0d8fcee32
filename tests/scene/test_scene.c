/* Scenes: every kind of object arrives in the definitions and in the world with the values that the
 * text says, and defaults elsewhere. */
#include "scene/loading.h"

#include "scene/scene.h"

static const char everything[] =
    "{ mote: 1, params: { fast: 8, who: 'a' },\n"
    "  world: { fps: 25, max_step: 0.003, seed: 11, duration: 4, bounded: true,\n"
    "           box_min: [-9, -8, -7], box_max: [9, 8, 7], periodic_z: true,\n"
    "           not_finite: 'retire' },\n"
    "  fields: [ { name: 'wind', type: 'uniform', value: [1, '=2*1.5', 0] },\n"
    "            { name: 'whirl', type: 'vortex', core: 0.5, speed: -2, axis: [0, 0, 1] } ],\n"
    "  systems: [ { name: 'a', solver: { type: 'points', integrator: 'rk4', trace: 'whirl' } },\n"
    "             { name: 'b', collide: { algorithm: 'none', as_points: true } },\n"
    "             { } ],\n"
    "  emitters: [ { name: 'jet', system: '=who', rate: '=fast*2', at: [1, 2, 3],\n"
    "                from: { type: 'disc', radius: 0.25, normal: [1, 0, 0] }, burst: 5,\n"
    "                velocity: ['=-fast', 0, 0], spread: 0.5, color: '#ff8000', lifetime: 2 },\n"
    "              { system: 'b', from: { type: 'box', size: [1, 2, 3], surface: true } } ],\n"
    "  forces: [ { type: 'drag', systems: 'b', linear: 0.5, wind: 'wind', group: 6 },\n"
    "            { name: 'sun', type: 'attractor', strength: 3, softening: 0.2 },\n"
    "            { type: 'swirl', systems: ['a', 'b'], strength: 2, radius: 0.3 } ],\n"
    "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 0, 2], offset: -1 },\n"
    "                 restitution: 0.25, friction: 0.75, velocity: [1, 0, 0],\n"
    "                 systems: ['b'] } ],\n"
    "  camera: { from: [1, 2, 3], to: [4, 5, 6], fov: 50, height: 2, near: 0.5, shutter: 0.25 },\n"
    "  render: { width: 320, height: 200, exposure: 2, bloom: 0.5, tone: 'linear',\n"
    "            sky: { horizon: [1, 0, 0], zenith: '#000000', transparent: true },\n"
    "            ground: { visible: false, color: [0, 1, 0], square: 3 } },\n"
    "  output: { cache: false, frames: 'none', video: 'mp4', checkpoint_every: 7 } }\n";

static void worlds_and_output(void)
{
    Loading loading = loading_good(everything);
    mote_SceneInfo info = mote_scene_info(loading.scene);
    const mote_WorldDef *world = &loading.scene->world.def;
    CHECK(strcmp(info.name, "scene.json5") == 0 || strcmp(info.name, "scene") == 0);
    CHECK(info.duration == 4 && info.fps == 25 && info.frames == 100);
    CHECK(info.width == 320 && info.height == 200);
    CHECK(!info.cache && !info.pictures && info.video && info.checkpoint_every == 7);
    CHECK(world->max_step == 0.003 && world->seed == 11 && world->bounded);
    CHECK(world->periodic_z && !world->periodic_x);
    CHECK(world->not_finite == MOTE_NOT_FINITE_RETIRE);
    CHECK(world->box_min.x == -9 && world->box_max.z == 7);
    CHECK(world->dimension == 3 && world->energy_factor == 1e6);
    CHECK_NEAR(world->gravity.y, -9.81, 1e-6);
    loading_end(&loading);
}

static void fields_and_forces(void)
{
    Loading loading = loading_world(everything);
    const mote_UniformField *wind = mote_world_find(loading.world, MOTE_KIND_FIELD, "wind");
    const mote_VortexField *whirl = mote_world_find(loading.world, MOTE_KIND_FIELD, "whirl");
    const mote_DragForce *drag = mote_world_find(loading.world, MOTE_KIND_FORCE, "drag-0");
    const mote_AttractorForce *sun = mote_world_find(loading.world, MOTE_KIND_FORCE, "sun");
    const mote_SwirlForce *swirl = mote_world_find(loading.world, MOTE_KIND_FORCE, "swirl-2");
    const mote_ForceDef *defs = loading.scene->forces.items;
    CHECK(wind != NULL && wind->value.x == 1 && wind->value.y == 3);
    CHECK(whirl != NULL && whirl->core == (mote_real)0.5 && whirl->speed == -2);
    CHECK(whirl != NULL && whirl->axis.z == 1 && whirl->axis.y == 0);
    CHECK(drag != NULL && drag->linear == (mote_real)0.5 && drag->quadratic == 0);
    CHECK(drag != NULL && strcmp(drag->wind, "wind") == 0);
    CHECK(sun != NULL && sun->strength == 3 && sun->softening == (mote_real)0.2);
    CHECK(swirl != NULL && swirl->strength == 2 && swirl->radius == (mote_real)0.3);
    CHECK(defs[0].group == 6 && defs[0].system_count == 1 && defs[1].systems == NULL);
    CHECK(defs[2].system_count == 2 && strcmp(defs[2].systems[1], "b") == 0);
    loading_end(&loading);
}

static void systems_and_emitters(void)
{
    Loading loading = loading_world(everything);
    const SceneSystem *systems = loading.scene->systems.items;
    const mote_EmitterDef *jet = mote_world_find(loading.world, MOTE_KIND_EMITTER, "jet");
    const mote_DiscSource *disc = mote_world_find(loading.world, MOTE_KIND_SOURCE, "jet");
    const mote_BoxSource *box = mote_world_find(loading.world, MOTE_KIND_SOURCE, "emitter-1");
    CHECK(loading.scene->systems.count == 3);
    CHECK(strcmp(systems[0].solver.integrator, "rk4") == 0);
    CHECK(strcmp(systems[0].solver.trace, "whirl") == 0 && systems[1].solver.trace == NULL);
    CHECK(strcmp(systems[1].def.collide.algorithm, "none") == 0 &&
          systems[1].def.collide.as_points);
    CHECK(strcmp(systems[2].def.name, "system-2") == 0);
    CHECK(mote_world_system(loading.world, "system-2") != NULL);
    CHECK(jet != NULL && jet->rate == 16 && jet->burst == 5 && jet->lifetime == 2);
    CHECK(jet != NULL && jet->at.z == 3 && jet->velocity.x == -8 && jet->mass == 1);
    CHECK_NEAR(jet->color.x, 1, 1e-6);
    CHECK_NEAR(jet->color.y, 0.21586, 1e-5); /* sRGB 0x80 */
    CHECK(disc != NULL && disc->radius == (mote_real)0.25 && disc->normal.x == 1);
    CHECK(box != NULL && box->size.z == 3 && box->surface);
    loading_end(&loading);
}

static void colliders_and_pictures(void)
{
    Loading loading = loading_world(everything);
    const mote_ColliderDef *floor_def = mote_world_find(loading.world, MOTE_KIND_COLLIDER, "floor");
    const mote_PlaneShape *plane = mote_world_find(loading.world, MOTE_KIND_SHAPE, "floor");
    mote_RenderDef def;
    const mote_Frame *drawn;
    CHECK(floor_def != NULL && floor_def->restitution == (mote_real)0.25);
    CHECK(floor_def != NULL && floor_def->velocity.x == 1);
    CHECK(plane != NULL && plane->offset == -1 && plane->normal.z > 0 && plane->normal.y == 0);
    CHECK_OK(mote_scene_picture(loading.scene, mote_world_frame(loading.world), &def, &drawn,
                                &loading.error),
             loading.error);
    CHECK(def.camera.from.x == 1 && def.camera.to.z == 6 && def.camera.fov == 50);
    CHECK(def.camera.height == 2 && def.camera.near == (mote_real)0.5);
    CHECK(def.camera.shutter == (mote_real)0.25);
    CHECK(def.exposure == 2 && def.bloom == (mote_real)0.5 && def.tone == MOTE_TONE_LINEAR);
    CHECK(def.backdrop.horizon.x == 1 && def.backdrop.zenith.x == 0 && def.backdrop.transparent);
    CHECK(!def.ground.visible && def.ground.colors[0].y == 1 && def.ground.square == 3);
    CHECK(def.look_count == 3 && strcmp(def.looks[1].system, "b") == 0);
    loading_end(&loading);
}

/* One frame of 1 s with one sub-step of symplectic Euler: v = g after it. */
static void gravity_follows_up(void)
{
    static const char *const axes[] = {"x", "y", "z"};
    for (int up = 0; up < 3; ++up) {
        char text[300];
        snprintf(text, sizeof text,
                 "{mote: 1, world: {up: '%s', fps: 1, max_step: 2}, systems: [{name: 's'}]}",
                 axes[up]);
        Loading loading = loading_world(text);
        mote_System *system = mote_world_system(loading.world, "s");
        setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        mote_RenderDef def;
        const mote_Frame *drawn;
        loading_step(&loading, 1);
        for (int c = 0; c < 3; ++c)
            CHECK_NEAR(setup_at(system, "velocity", c, 0), c == up ? -9.81 : 0, 1e-5);
        mote_scene_picture(loading.scene, mote_world_frame(loading.world), &def, &drawn, NULL);
        const mote_real camera_up[3] = {def.camera.up.x, def.camera.up.y, def.camera.up.z};
        for (int c = 0; c < 3; ++c) CHECK(camera_up[c] == (c == up));
        CHECK(drawn->up_axis == up);
        loading_end(&loading);
    }
}

static void flat_worlds_take_two_numbers(void)
{
    Loading loading = loading_world(
        "{mote: 1, world: {gravity: [1, -2], dimension: 2, fps: 10, max_step: 1,"
        " box_min: [-2, -3],"
        " box_max: [2, 3], bounded: true},"
        " systems: [{name: 's'}],"
        " emitters: [{system: 's', burst: 50, at: [0.5, 0.25], velocity: [3, 4], spread: 1,"
        "             from: {type: 'sphere', radius: 0.1}}]}");
    mote_System *system = mote_world_system(loading.world, "s");
    loading_step(&loading, 2);
    CHECK(mote_system_count(system) == 50);
    for (size_t i = 0; i < mote_system_count(system); ++i) {
        CHECK(setup_at(system, "position", 2, i) == 0);
        CHECK(setup_at(system, "velocity", 2, i) == 0);
    }
    loading_end(&loading);
}

static void empty_scenes_run(void)
{
    Loading loading = loading_world("{mote: 1}");
    loading_step(&loading, 3);
    CHECK(mote_scene_info(loading.scene).frames == 150);
    CHECK(strcmp(mote_scene_messages(loading.scene, false), "") == 0);
    CHECK_NEAR(mote_world_time(loading.world), 0.1, 1e-12);
    loading_end(&loading);
}

static void prints_what_it_read(void)
{
    static const char *const settings[] = {"rate=3", "world.fps=12", NULL};
    Loading first = loading_with("{mote: 1, world: {fps: 30}, params: {rate: 1, /* a comment that "
                                 "is longer than what it stands beside, and even than a line of "
                                 "text */ other: 2}}",
                                 settings);
    CHECK_OK(first.status, first.error);
    CHECK_HOLDS(mote_scene_print(first.scene), "rate: 3");
    CHECK(mote_scene_info(first.scene).fps == 12);
    char *text = strdup(mote_scene_print(first.scene));
    Loading again = loading_good(text);
    CHECK(mote_scene_info(again.scene).hash == mote_scene_info(first.scene).hash);
    CHECK(strcmp(mote_scene_print(again.scene), text) == 0);
    free(text);
    loading_end(&again);
    loading_end(&first);
}

static void same_definitions_make_same_worlds(void)
{
    Loading loading = loading_world(everything);
    mote_World *other;
    SETUP_OK(mote_scene_world(loading.scene, NULL, &other, &loading.error), loading.error);
    for (int i = 0; i < 3; ++i) {
        setup_step(loading.world);
        setup_step(other);
    }
    CHECK(mote_frame_hash(mote_world_frame(loading.world)) ==
          mote_frame_hash(mote_world_frame(other)));
    mote_world_destroy(other);
    loading_end(&loading);
}

/* Asked for or not, the start is the same: only who looks before the first step sees it. */
static void liquids_are_there_at_the_start(void)
{
    static const char text[] =
        "{ mote: 1, systems: [{ name: 'water', solver: { type: 'sph', spacing: 0.1 } }],"
        "  emitters: [{ system: 'water', from: { type: 'fill', spacing: 0.1,"
        "    shape: { type: 'box', size: [0.5, 0.5, 0.5] } } }] }";
    Loading asked = loading_world(text), plain = loading_world(text);
    CHECK(mote_world_frame(plain.world)->systems[0].count == 0);
    CHECK_OK(mote_world_start(asked.world, &asked.error), asked.error);
    CHECK_OK(mote_world_start(asked.world, &asked.error), asked.error); /* once is enough */
    const mote_FrameSystem *water = &mote_world_frame(asked.world)->systems[0];
    CHECK(water->count == 125);
    const mote_real *radius = mote_frame_column(water, "radius")->data;
    CHECK_NEAR((double)radius[124], 0.05, 1e-6); /* half a spacing, as the solver has it */
    for (int i = 0; i < 3; ++i) {
        CHECK_OK(mote_world_step(asked.world, NULL, &asked.error), asked.error);
        CHECK_OK(mote_world_step(plain.world, NULL, &plain.error), plain.error);
        CHECK(mote_frame_hash(mote_world_frame(asked.world)) ==
              mote_frame_hash(mote_world_frame(plain.world)));
    }
    loading_end(&asked);
    loading_end(&plain);
}

TESTS({"liquids_are_there_at_the_start", liquids_are_there_at_the_start},
      {"worlds_and_output", worlds_and_output}, {"fields_and_forces", fields_and_forces},
      {"systems_and_emitters", systems_and_emitters},
      {"colliders_and_pictures", colliders_and_pictures},
      {"gravity_follows_up", gravity_follows_up},
      {"flat_worlds_take_two_numbers", flat_worlds_take_two_numbers},
      {"empty_scenes_run", empty_scenes_run}, {"prints_what_it_read", prints_what_it_read},
      {"same_definitions_make_same_worlds", same_definitions_make_same_worlds})

/* Memory that runs out at any moment of loading a scene, making its world, printing, drawing and
 * forecasting: MOTE_NO_MEMORY or a shorter text, and nothing leaks. */
#include "scene/loading.h"

#include "failing.h"

static const char text[] =
    "{ mote: 1, params: { r: 100 }, world: { fps: 20 },\n"
    "  fields: [ { name: 'w', type: 'vortex', speed: '=sin(t)' } ],\n"
    "  systems: [ { name: 's', solver: { integrator: 'rk4' },\n"
    "               look: { size: '=radius*(1-age/life)', color: ['=speed', 0, '=id'] } },\n"
    "             { name: 'u' } ],\n"
    "  emitters: [ { system: 's', rate: '=r*(1+t)', lifetime: 1, at: [0, 1, 0],\n"
    "                from: { type: 'disc', radius: 0.1 } },\n"
    "              { system: 'u', burst: 20 } ],\n"
    "  forces: [ { type: 'drag', systems: ['s', 'u'], linear: 1, wind: 'w' } ],\n"
    "  colliders: [ { shape: { type: 'plane', offset: '=-t' } } ],\n"
    "  camera: { from: ['=t', 2, 3] } }\n";

/* Two errors and a warning's worth of text. */
static const char wrong[] = "{ mote: 1, systems: [{ nme: 'a' }], forces: [{ type: 'x' }] }";

static mote_Status draw(mote_Scene *scene, mote_World *world)
{
    mote_RenderDef def;
    const mote_Frame *drawn, *frame = mote_world_frame(world);
    mote_Error error;
    if (frame == NULL) return MOTE_NO_MEMORY;
    return mote_scene_picture(scene, frame, &def, &drawn, &error);
}

static mote_Status use(mote_Scene *scene)
{
    mote_World *world = NULL;
    mote_Error error;
    mote_SceneForecast forecast;
    mote_Status status = mote_scene_world(scene, NULL, &world, &error);
    CHECK((status == MOTE_OK) == (world != NULL));
    for (int i = 0; i < 2 && status == MOTE_OK; ++i) status = mote_world_step(world, NULL, &error);
    if (status == MOTE_OK) status = draw(scene, world);
    mote_world_destroy(world);
    if (status == MOTE_OK) status = mote_scene_forecast(scene, &forecast, &error);
    CHECK(mote_scene_print(scene) != NULL && mote_scene_schema(scene) != NULL);
    CHECK(mote_scene_messages(scene, true) != NULL);
    return status;
}

static mote_Status load_and_use(Failing *failing, const char *scene_text)
{
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_Error error;
    def.text = scene_text;
    def.allocator = failing_allocator(failing);
    mote_Status status = mote_scene_load(&def, &scene, &error);
    CHECK(scene != NULL || status == MOTE_NO_MEMORY);
    if (status == MOTE_OK) status = use(scene);
    if (status == MOTE_BAD_VALUE) CHECK(mote_scene_messages(scene, false) != NULL);
    mote_scene_destroy(scene);
    return status;
}

static void check_all(const char *scene_text, mote_Status wanted)
{
    Failing whole = {.fail_at = UINT64_MAX};
    CHECK(load_and_use(&whole, scene_text) == wanted && whole.bytes == 0);
    for (int for_good = 0; for_good < 2; ++for_good) {
        for (uint64_t n = 0; n < whole.requests; ++n) {
            Failing failing = {.fail_at = n, .for_good = for_good};
            mote_Status status = load_and_use(&failing, scene_text);
            CHECK(status == MOTE_NO_MEMORY || status == wanted);
            CHECK(failing.bytes == 0);
        }
    }
}

static void right_scenes(void)
{
    check_all(text, MOTE_OK);
}

static void wrong_scenes(void)
{
    check_all(wrong, MOTE_BAD_VALUE);
}

/* Up to the end of loading and of making the world, a failure must be told. */
static void nothing_is_swallowed(void)
{
    mote_SceneDef def = mote_scene_def();
    mote_Error error;
    Failing whole = {.fail_at = UINT64_MAX};
    def.text = text;
    mote_Scene *scene;
    mote_World *world;
    def.allocator = failing_allocator(&whole);
    CHECK_OK(mote_scene_load(&def, &scene, &error), error);
    CHECK_OK(mote_scene_world(scene, NULL, &world, &error), error);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    for (uint64_t n = 0; n < whole.requests; ++n) {
        Failing failing = {.fail_at = n};
        world = NULL;
        def.allocator = failing_allocator(&failing);
        mote_Status status = mote_scene_load(&def, &scene, &error);
        if (status == MOTE_OK) status = mote_scene_world(scene, NULL, &world, &error);
        CHECK(status == MOTE_NO_MEMORY);
        mote_world_destroy(world);
        mote_scene_destroy(scene);
        CHECK(failing.bytes == 0);
    }
}

TESTS({"right_scenes", right_scenes}, {"wrong_scenes", wrong_scenes},
      {"nothing_is_swallowed", nothing_is_swallowed})

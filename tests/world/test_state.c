/* State: saving, restoring into a fresh world, and what is refused; memory of a step. */
#include "failing.h"
#include "world/saved.h"
#include "world/scenes.h"

static void resuming_gives_the_same_bits(void)
{
    mote_WorldDef like = mote_world_def();
    mote_Error error;
    for (size_t s = 0; s < COUNT_OF(scenes); ++s) {
        mote_World *first = scenes[s].make(&like), *second = scenes[s].make(&like);
        for (int i = 0; i < 10; ++i) setup_step(first);
        uint64_t before = mote_frame_hash(mote_world_frame(first));
        Saved saved = save(first);
        CHECK(mote_frame_hash(mote_world_frame(first)) == before);
        for (int i = 0; i < 3; ++i) setup_step(second); /* something else is there */
        CHECK_OK(mote_world_restore(second, saved.arrays, saved.count, &error), error);
        CHECK(mote_frame_hash(mote_world_frame(second)) == before);
        CHECK(mote_world_time(second) == mote_world_time(first));
        CHECK(mote_world_frame_index(second) == 10);
        CHECK(scene_run(first, 8) == scene_run(second, 8));
        discard(&saved);
        mote_world_destroy(first);
        mote_world_destroy(second);
    }
}

/* Saving twice gives the same bytes: nothing in the state is left to chance. */
static void the_state_is_determined(void)
{
    Saved saved[2];
    for (int k = 0; k < 2; ++k) {
        Failing none = {.fail_at = UINT64_MAX};
        mote_WorldDef like = mote_world_def();
        if (k == 1) like.allocator = failing_allocator(&none); /* memory with other contents */
        mote_World *world = scene_fountain(&like);
        for (int i = 0; i < 5; ++i) setup_step(world);
        saved[k] = save(world);
        mote_world_destroy(world);
    }
    CHECK(saved[0].count == saved[1].count);
    for (size_t i = 0; i < saved[0].count; ++i) {
        const mote_StateArray *a = &saved[0].arrays[i], *b = &saved[1].arrays[i];
        CHECK(strcmp(a->name, b->name) == 0 && a->rows == b->rows);
        size_t bytes = a->rows * (size_t)a->components * mote_array_item_size(a->type);
        CHECK(memcmp(a->data, b->data, bytes) == 0);
    }
    discard(&saved[0]);
    discard(&saved[1]);
}

static void every_array_is_needed(void)
{
    mote_WorldDef like = mote_world_def();
    mote_World *world = scene_fountain(&like);
    for (int i = 0; i < 3; ++i) setup_step(world);
    Saved saved = save(world);
    CHECK(saved.count > 10);
    for (size_t i = 0; i < saved.count; ++i) {
        mote_Error error = {0};
        mote_StateArray left_out = saved.arrays[i];
        saved.arrays[i] = saved.arrays[saved.count - 1];
        CHECK(mote_world_restore(world, saved.arrays, saved.count - 1, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error,
                      strstr(left_out.name, "/id") != NULL && strstr(left_out.name, "ids") == NULL
                          ? "water"
                          : left_out.name);
        saved.arrays[i] = left_out;
    }
    mote_Error error = {0};
    CHECK_OK(mote_world_restore(world, saved.arrays, saved.count, &error), error);
    setup_step(world);
    discard(&saved);
    mote_world_destroy(world);
}

static void mismatches_are_refused(void)
{
    mote_WorldDef like = mote_world_def();
    mote_World *world = scene_fountain(&like);
    for (int i = 0; i < 3; ++i) setup_step(world);
    Saved saved = save(world);
    for (size_t i = 0; i < saved.count; ++i) {
        mote_StateArray right = saved.arrays[i];
        for (int what = 0; what < 3; ++what) {
            mote_Error error = {0};
            if (what == 0) saved.arrays[i].rows -= 1;
            if (what == 1) saved.arrays[i].components += 1;
            if (what == 2)
                saved.arrays[i].type =
                    right.type == MOTE_ARRAY_I64 ? MOTE_ARRAY_F64 : MOTE_ARRAY_I64;
            CHECK(mote_world_restore(world, saved.arrays, saved.count, &error) == MOTE_BAD_VALUE);
            CHECK(strlen(error.message) > 20);
            saved.arrays[i] = right;
        }
    }
    discard(&saved);
    mote_world_destroy(world);
}

/* ---- memory of a step ---- */

static uint64_t allocations(const mote_World *world)
{
    size_t bytes;
    uint64_t count;
    mote_world_memory(world, &bytes, &count);
    CHECK(bytes > 0);
    return count;
}

static void steps_allocate_nothing(void)
{
    static const struct {
        size_t scene;
        int warm_up, frames;
        bool events;
    } cases[] = {{0, 120, 120, false}, {0, 120, 120, true}, {1, 2, 20, false}, {1, 2, 20, true}};
    for (size_t i = 0; i < (TEST_SANITIZED ? 1 : COUNT_OF(cases)); ++i) {
        mote_WorldDef like = mote_world_def();
        like.record_events = cases[i].events;
        mote_World *world = scenes[cases[i].scene].make(&like);
        for (int k = 0; k < cases[i].warm_up; ++k) setup_step(world);
        uint64_t before = allocations(world);
        for (int k = 0; k < cases[i].frames; ++k) setup_step(world);
        CHECK(allocations(world) == before);
        mote_world_destroy(world);
    }
}

/* ---- failing memory ---- */

static bool try(mote_Status status, const mote_Error *error)
{
    if (status != MOTE_OK)
        CHECK(status == MOTE_NO_MEMORY && error->status == status && strlen(error->message) > 8);
    return status == MOTE_OK;
}

/* A short life of a world; a step that fails is tried again. */
static void short_life(Failing *failing, bool reload)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world;
    mote_Error error = {0};
    def.allocator = failing_allocator(failing);
    def.record_events = true;
    def.reload_always = reload;
    def.bounded = true;
    if (!try(mote_world_create(&def, &world, &error), &error)) {
        CHECK(world == NULL);
        return;
    }
    mote_FieldDef field = mote_field_def();
    field.name = "wind", field.type = "uniform";
    bool wind = try(mote_world_add_field(world, &field, &error), &error);
    mote_DragForce drag = {.linear = 1, .wind = wind ? "wind" : NULL};
    mote_ForceDef force = mote_force_def();
    force.type = "drag", force.params = &drag;
    (void)try(mote_world_add_force(world, &force, &error), &error);
    mote_SystemDef system = mote_system_def();
    mote_PointsSolver solver = mote_points_solver_def();
    solver.integrator = "rk4";
    system.name = "dust", system.solver_params = &solver;
    bool dust = try(mote_world_add_system(world, &system, NULL, &error), &error);
    mote_ColliderDef collider = mote_collider_def();
    (void)try(mote_world_add_collider(world, &collider, &error), &error);
    mote_EmitterDef emitter = mote_emitter_def();
    emitter.system = "dust", emitter.source = "sphere", emitter.rate = 3000, emitter.burst = 300;
    emitter.lifetime = (mote_real)0.05;
    if (dust) (void)try(mote_world_add_emitter(world, &emitter, &error), &error);
    for (int i = 0; i < 8; ++i) (void)try(mote_world_step(world, NULL, &error), &error);
    const mote_StateArray *arrays;
    size_t count;
    (void)try(mote_world_state(world, &arrays, &count, &error), &error);
    (void)mote_world_frame(world);
    mote_world_destroy(world);
}

static void every_allocation_may_fail(void)
{
    for (int reload = 0; reload < 2; ++reload) {
        Failing count = {.fail_at = UINT64_MAX};
        short_life(&count, reload);
        CHECK(count.bytes == 0 && count.requests > 60);
        for (int for_good = 0; for_good < 2; ++for_good)
            for (uint64_t n = 0; n < count.requests; ++n) {
                Failing failing = {.fail_at = n, .for_good = for_good};
                short_life(&failing, reload);
                CHECK(failing.bytes == 0);
            }
    }
}

TESTS({"resuming_gives_the_same_bits", resuming_gives_the_same_bits},
      {"the_state_is_determined", the_state_is_determined},
      {"every_array_is_needed", every_array_is_needed},
      {"mismatches_are_refused", mismatches_are_refused},
      {"steps_allocate_nothing", steps_allocate_nothing},
      {"every_allocation_may_fail", every_allocation_may_fail})

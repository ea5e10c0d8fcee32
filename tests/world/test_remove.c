/* Objects that are taken out: the world goes on as one that never had them, also when it is saved
 * and reloaded, and what others refer to stays. */
#include "world/saved.h"

#include <mote/vortex.h>

#include <math.h>

enum { FRAMES = 8 };

/* What is taken out, one at a time. */
static const struct {
    mote_ObjectKind kind;
    const char *name;
    bool leaves; /* particles, so a world without it is another one */
} objects[] = {
    {MOTE_KIND_FORCE, "air", false},     {MOTE_KIND_FIELD, "unused", false},
    {MOTE_KIND_EMITTER, "jet", true},    {MOTE_KIND_COLLIDER, "ramp", false},
    {MOTE_KIND_BODY, "crate", false},    {MOTE_KIND_LINKS, "rope", true},
    {MOTE_KIND_PROBE, "count", false},   {MOTE_KIND_SYSTEM, "sand", false},
    {MOTE_KIND_COLLIDER, "belt", false}, {MOTE_KIND_SYSTEM, "tracers", false},
};
enum { NONE = -1 };

static bool is_wanted(int without, const char *name)
{
    return without == NONE || strcmp(objects[without].name, name) != 0;
}

static void add_systems(mote_World *world, int without)
{
    static const char *const names[] = {"dust", "sand", "threads"};
    mote_SystemDef def = mote_system_def();
    mote_VortexSolver vortex = mote_vortex_solver_def();
    mote_TracersSolver follow = {.of = "air-flow"};
    mote_Error error;
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        if (!is_wanted(without, names[i])) continue;
        mote_System *system = setup_system(world, names[i], "velocity-verlet", NULL);
        for (int k = 0; k < 20 && i < 2; ++k)
            setup_particle(system, setup_vec(0.07 * k - 0.7, 0.5 + 0.1 * (int)i, 0.3),
                           setup_vec(0, 0.1 * k, 0.05 * k));
    }
    vortex.ring_count = 1, vortex.ring_vortons = 16, vortex.ring_radius = (mote_real)0.3;
    vortex.ring_core = (mote_real)0.1, vortex.ring_circulation = 1;
    def.name = "air-flow", def.solver = "vortex", def.solver_params = &vortex;
    SETUP_OK(mote_world_add_system(world, &def, NULL, &error), error);
    def.name = "tracers", def.solver = "tracers", def.solver_params = &follow;
    if (!is_wanted(without, "tracers")) return;
    mote_System *tracers;
    SETUP_OK(mote_world_add_system(world, &def, &tracers, &error), error);
    for (int k = 0; k < 5; ++k)
        setup_particle(tracers, setup_vec(0.1 * k, 0, 0.1), setup_vec(0, 0, 0));
}

static void add_fields_and_forces(mote_World *world, int without)
{
    static const char *const two[] = {"dust", "sand"};
    mote_UniformField blow = {.value = {1, 0, 0}};
    mote_FieldDef wind = mote_field_def(), unused = mote_field_def();
    mote_DragForce drag = {.linear = 2, .wind = "wind"};
    mote_ForceDef air = mote_force_def(), pull = mote_force_def();
    mote_AttractorForce centre = {.strength = 1, .softening = (mote_real)0.1};
    mote_Error error;
    wind.name = "wind", wind.params = &blow, unused.name = "unused";
    SETUP_OK(mote_world_add_field(world, &wind, &error), error);
    if (is_wanted(without, "unused")) SETUP_OK(mote_world_add_field(world, &unused, &error), error);
    add_systems(world, without);
    air.name = "air", air.type = "drag", air.params = &drag;
    pull.name = "pull", pull.type = "attractor", pull.params = &centre;
    pull.systems = two, pull.system_count = is_wanted(without, "sand") ? 2 : 1;
    if (is_wanted(without, "air")) SETUP_OK(mote_world_add_force(world, &air, &error), error);
    SETUP_OK(mote_world_add_force(world, &pull, &error), error);
}

static void add_collider(mote_World *world, int without, const char *name, mote_Vec3 at)
{
    mote_BoxShape box = {setup_vec(1, 0.1, 1)};
    mote_ColliderDef def = mote_collider_def();
    mote_Error error;
    def.name = name, def.shape = "box", def.shape_params = &box;
    def.motion.at = at, def.velocity.x = (mote_real)0.2, def.measure = true;
    if (is_wanted(without, name)) SETUP_OK(mote_world_add_collider(world, &def, &error), error);
}

static void add_body(mote_World *world, int without, const char *name, mote_Vec3 at)
{
    mote_BoxShape box = {setup_vec(0.2, 0.2, 0.2)};
    mote_BodyDef def = mote_body_def();
    mote_Error error;
    def.name = name, def.shape_params = &box, def.motion.at = at;
    if (is_wanted(without, name)) SETUP_OK(mote_world_add_body(world, &def, &error), error);
}

static void add_rope_and_births(mote_World *world, int without)
{
    mote_ChainPattern chain = mote_chain_pattern_def();
    mote_LinksDef rope = mote_links_def(), other = mote_links_def();
    mote_EmitterDef jet = mote_emitter_def();
    mote_TotalProbe total = {.system = "dust"};
    mote_ProbeDef probe = mote_probe_def();
    mote_Error error;
    chain.segments = 6;
    rope.name = "rope", rope.system = "threads", rope.pattern_params = &chain;
    other = rope, other.name = "other";
    SETUP_OK(mote_world_add_links(world, &other, &error), error);
    if (is_wanted(without, "rope")) SETUP_OK(mote_world_add_links(world, &rope, &error), error);
    jet.name = "jet", jet.system = "dust", jet.rate = 100, jet.at.y = 1, jet.velocity.y = 1;
    if (is_wanted(without, "jet")) SETUP_OK(mote_world_add_emitter(world, &jet, &error), error);
    jet.name = "fountain", jet.system = "threads", jet.at.x = 2;
    SETUP_OK(mote_world_add_emitter(world, &jet, &error), error);
    probe.name = "count", probe.type = "total", probe.params = &total;
    if (is_wanted(without, "count")) SETUP_OK(mote_world_add_probe(world, &probe, &error), error);
    probe.name = "again";
    SETUP_OK(mote_world_add_probe(world, &probe, &error), error);
}

static mote_World *make(int without)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 50, def.max_step = 0.01;
    mote_World *world = setup_world(&def);
    add_fields_and_forces(world, without);
    add_collider(world, without, "ramp", setup_vec(0, 0.2, 0));
    add_collider(world, without, "belt", setup_vec(0.3, -0.2, 0));
    add_collider(world, without, "floor", setup_vec(0, -1, 0));
    add_body(world, without, "first", setup_vec(-0.3, 0.5, -0.3));
    add_body(world, without, "crate", setup_vec(0, 0.4, -0.3));
    add_body(world, without, "last", setup_vec(0.02, 0.65, -0.3));
    add_rope_and_births(world, without);
    return world;
}

static void take_out(mote_World *world, int object)
{
    mote_Error error;
    CHECK_OK(mote_world_remove(world, objects[object].kind, objects[object].name, &error), error);
    CHECK(mote_world_find(world, objects[object].kind, objects[object].name) == NULL);
}

static uint64_t hash(mote_World *world)
{
    return mote_frame_hash(mote_world_frame(world));
}

/* Before the first step. */
static void a_world_without_is_the_same(void)
{
    for (int i = 0; i < (int)COUNT_OF(objects); ++i) {
        if (objects[i].leaves && objects[i].kind == MOTE_KIND_LINKS) continue;
        mote_World *taken = make(NONE), *never = make(i);
        take_out(taken, i);
        for (int f = 0; f < FRAMES; ++f) {
            setup_step(taken), setup_step(never);
            CHECK(hash(taken) == hash(never));
        }
        mote_world_destroy(taken), mote_world_destroy(never);
    }
}

/* In mid-run: a new world that lacks it takes the state and goes on to the same bits. */
static void it_goes_on_from_a_saved_state(void)
{
    for (int i = 0; i < (int)COUNT_OF(objects); ++i) {
        mote_World *world = make(NONE), *other = make(NONE);
        mote_Error error;
        for (int f = 0; f < FRAMES; ++f) setup_step(world);
        take_out(world, i), take_out(other, i);
        Saved now = save(world);
        CHECK_OK(mote_world_restore(other, now.arrays, now.count, &error), error);
        for (int f = 0; f < FRAMES; ++f) {
            setup_step(world), setup_step(other);
            CHECK(hash(world) == hash(other));
        }
        discard(&now);
        mote_world_destroy(world), mote_world_destroy(other);
    }
}

/* One after the other, in both directions. */
static void all_can_go(void)
{
    for (int way = 0; way < 2; ++way) {
        mote_World *world = make(NONE);
        for (int k = 0; k < (int)COUNT_OF(objects); ++k) {
            setup_step(world);
            take_out(world, way == 0 ? k : (int)COUNT_OF(objects) - 1 - k);
        }
        setup_step(world);
        mote_world_destroy(world);
    }
}

static void check_refusal(mote_World *world, mote_ObjectKind kind, const char *name,
                          const char *message)
{
    mote_Error error;
    const uint64_t before = hash(world);
    CHECK(mote_world_remove(world, kind, name, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, message);
    CHECK(hash(world) == before);
}

static void what_others_refer_to_stays(void)
{
    mote_World *world = make(NONE);
    mote_LoadProbe load = {.collider = "ramp"};
    mote_ProbeDef probe = mote_probe_def();
    mote_FieldProbe flow = {.field = "air-flow.velocity"};
    mote_FieldDef curl = mote_field_def();
    static const char *const around[] = {"crate"};
    mote_Error error;
    probe.name = "push", probe.type = "load", probe.params = &load;
    SETUP_OK(mote_world_add_probe(world, &probe, &error), error);
    curl.name = "curl", curl.type = "curl-noise", curl.obstacles = around, curl.obstacle_count = 1;
    SETUP_OK(mote_world_add_field(world, &curl, &error), error);
    setup_step(world);
    check_refusal(world, MOTE_KIND_FIELD, "wind", "for force air refers to it");
    check_refusal(world, MOTE_KIND_COLLIDER, "ramp", "for probe push refers to it");
    check_refusal(world, MOTE_KIND_SYSTEM, "dust", "for emitter jet refers to it");
    check_refusal(world, MOTE_KIND_SYSTEM, "threads", "for emitter fountain refers to it");
    check_refusal(world, MOTE_KIND_BODY, "crate", "for field curl refers to it");
    check_refusal(world, MOTE_KIND_COLLIDER, "first", "it is the surface of body first");
    check_refusal(world, MOTE_KIND_SYSTEM, "air-flow", "for system tracers refers to it");
    check_refusal(world, MOTE_KIND_FIELD, "air-flow.velocity", "system air-flow publishes it");
    check_refusal(world, MOTE_KIND_FORCE, "gravity", "it is the world's own");
    check_refusal(world, MOTE_KIND_SHAPE, "ramp", "remove the object that it is a part of");
    check_refusal(world, MOTE_KIND_BODY, "nobody", "there is no body `nobody` to remove");
    check_refusal(world, (mote_ObjectKind)77, "ramp", "no kind");
    take_out(world, 9);
    probe.name = "flow", probe.type = "field", probe.params = &flow;
    SETUP_OK(mote_world_add_probe(world, &probe, &error), error);
    check_refusal(world, MOTE_KIND_SYSTEM, "air-flow", "for probe flow refers to it");
    CHECK_OK(mote_world_remove(world, MOTE_KIND_PROBE, "flow", &error), error);
    CHECK_OK(mote_world_remove(world, MOTE_KIND_SYSTEM, "air-flow", &error), error);
    CHECK(mote_world_field_components(world, "air-flow.velocity") == 0);
    setup_step(world);
    mote_world_destroy(world);
}

/* A shelf under a body that sleeps. */
static void what_it_held_falls(void)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 50, def.max_step = 0.01;
    mote_World *world = setup_world(&def);
    mote_BodyState state;
    mote_Error error;
    add_collider(world, NONE, "floor", setup_vec(0, -3, 0));
    add_collider(world, NONE, "shelf", setup_vec(0, 0, 0));
    ((mote_ColliderDef *)mote_world_find(world, MOTE_KIND_COLLIDER, "shelf"))->velocity.x = 0;
    add_body(world, NONE, "vase", setup_vec(0, 0.151, 0));
    for (int f = 0; f < 100; ++f) setup_step(world);
    SETUP_OK(mote_world_body(world, "vase", &state, &error), error);
    CHECK_NEAR(state.position[1], 0.15, 0.005);
    CHECK_OK(mote_world_remove(world, MOTE_KIND_COLLIDER, "shelf", &error), error);
    const double from = state.position[1];
    for (int f = 0; f < 25; ++f) setup_step(world);
    SETUP_OK(mote_world_body(world, "vase", &state, &error), error);
    CHECK_NEAR(from - state.position[1], 0.5 * 9.81 * 0.25, 0.06);
    mote_world_destroy(world);
}

/* A liquid on a floor, beside a stone; walls are sampled, and the samples are kept. */
static mote_World *pond_make(void)
{
    mote_WorldDef def = mote_world_def();
    mote_SphSolver liquid = mote_sph_solver_def();
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    def.fps = 100, def.max_step = 0.002;
    liquid.spacing = (mote_real)0.05, liquid.boundary = "sampled";
    system.name = "water", system.solver = "sph", system.solver_params = &liquid;
    mote_World *world = setup_world(&def);
    mote_System *water;
    SETUP_OK(mote_world_add_system(world, &system, &water, &error), error);
    add_collider(world, NONE, "floor", setup_vec(0, -0.05, 0));
    for (int i = 0; i < 125; ++i)
        setup_particle(
            water,
            setup_vec(0.05 * (i % 5) - 0.1, 0.025 + 0.05 * (i / 5 % 5), 0.05 * (i / 25) - 0.1),
            setup_vec(0, 0, 0));
    return world;
}

static void add_stone(mote_World *world, const char *shape, const void *params)
{
    mote_ColliderDef stone = mote_collider_def();
    mote_Error error;
    stone.name = "stone", stone.shape = shape, stone.shape_params = params;
    stone.motion.at = setup_vec(0.3, 0.1, 0);
    SETUP_OK(mote_world_add_collider(world, &stone, &error), error);
}

/* Another stone in the place of one that is gone: liquids feel the new one. */
static void what_liquids_keep_of_walls_goes_with_them(void)
{
    const mote_SphereShape ball = {(mote_real)0.15};
    const mote_BoxShape block = {setup_vec(0.34, 0.3, 0.4)};
    mote_World *world = pond_make(), *other = pond_make();
    mote_Error error;
    add_stone(world, "sphere", &ball), add_stone(other, "box", &block);
    for (int f = 0; f < 4; ++f) setup_step(world);
    CHECK_OK(mote_world_remove(world, MOTE_KIND_COLLIDER, "stone", &error), error);
    add_stone(world, "box", &block);
    Saved now = save(world);
    CHECK_OK(mote_world_restore(other, now.arrays, now.count, &error), error);
    for (int f = 0; f < 6; ++f) {
        setup_step(world), setup_step(other);
        CHECK(hash(world) == hash(other));
    }
    discard(&now);
    mote_world_destroy(world), mote_world_destroy(other);
}

/* A host that adds a burst in every frame and takes it out again. */
static void nothing_is_left_behind(void)
{
    mote_WorldDef def = setup_def(0.02);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "sparks", NULL, NULL);
    mote_EmitterDef burst = mote_emitter_def();
    size_t bytes[2] = {0};
    uint64_t allocations;
    double first[2] = {0};
    mote_Error error;
    burst.system = "sparks", burst.burst = 10, burst.lifetime = (mote_real)0.1, burst.spread = 1;
    burst.velocity.y = 1;
    for (int f = 0; f < 400; ++f) {
        SETUP_OK(mote_world_add_emitter(world, &burst, &error), error);
        setup_step(world);
        if (f < 2) first[f] = setup_at(system, "velocity", 0, mote_system_count(system) - 1);
        CHECK_OK(mote_world_remove(world, MOTE_KIND_EMITTER,
                                   mote_world_name(world, MOTE_KIND_EMITTER, 0), &error),
                 error);
        if (f == 20 || f == 399) mote_world_memory(world, &bytes[f > 20], &allocations);
    }
    CHECK(bytes[0] == bytes[1]);
    CHECK(first[0] != first[1]); /* each has random numbers of its own */
    CHECK(mote_world_count(world, MOTE_KIND_EMITTER) == 0);
    mote_world_destroy(world);
}

static void objects_are_found_by_kind_and_number(void)
{
    mote_World *world = make(NONE);
    CHECK(mote_world_count(world, MOTE_KIND_SYSTEM) == 5);
    CHECK(mote_world_count(world, MOTE_KIND_BODY) == 3);
    CHECK(mote_world_count(world, MOTE_KIND_COLLIDER) == 6);
    CHECK(strcmp(mote_world_name(world, MOTE_KIND_SYSTEM, 1), "sand") == 0);
    CHECK(strcmp(mote_world_name(world, MOTE_KIND_COLLIDER, 4), "crate") == 0);
    CHECK(mote_world_name(world, MOTE_KIND_COLLIDER, 6) == NULL);
    CHECK(mote_world_find(world, MOTE_KIND_SYSTEM, "sand") == mote_world_system(world, "sand"));
    CHECK(((mote_BoxShape *)mote_world_find(world, MOTE_KIND_SHAPE, "ramp"))->size.x == 1);
    CHECK(((mote_EmitterDef *)mote_world_find(world, MOTE_KIND_EMITTER, "jet"))->rate == 100);
    CHECK(strcmp(mote_kind_name(MOTE_KIND_FRICTION), "friction") == 0);
    CHECK(strcmp(mote_kind_name((mote_ObjectKind)-1), "") == 0);
    mote_world_destroy(world);
}

TESTS({"a_world_without_is_the_same", a_world_without_is_the_same},
      {"it_goes_on_from_a_saved_state", it_goes_on_from_a_saved_state}, {"all_can_go", all_can_go},
      {"what_others_refer_to_stays", what_others_refer_to_stays},
      {"what_it_held_falls", what_it_held_falls},
      {"what_liquids_keep_of_walls_goes_with_them", what_liquids_keep_of_walls_goes_with_them},
      {"nothing_is_left_behind", nothing_is_left_behind},
      {"objects_are_found_by_kind_and_number", objects_are_found_by_kind_and_number})

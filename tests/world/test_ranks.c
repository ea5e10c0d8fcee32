/* A world on several ranks, as threads: frames, reports, loads, poses and states have the bits of
 * one rank, whatever their number; a state saved by some goes on with others; what cannot be spread
 * is refused by name, and a rank that fails leaves nobody waiting. */
#include "failing.h"
#include "world/ranked.h"

#include <mote/fields.h>
#include <mote/forces.h>

#include <string.h>

enum { FRAMES = 4, HALF = FRAMES / 2 };

static const int counts[] = {2, 3, 4, 8};

/* ---- a world with all that can be spread ---- */

static void add_field(mote_World *world)
{
    mote_CurlNoiseField noise = mote_curl_noise_field_def();
    mote_FieldDef def = mote_field_def();
    mote_Error error;
    noise.speed = 2;
    def.name = "gusts", def.type = "curl-noise", def.params = &noise;
    SETUP_OK(mote_world_add_field(world, &def, &error), error);
    mote_DragForce drag = mote_drag_force_def();
    drag.wind = "gusts";
    setup_force(world, "drag", &drag);
}

static void add_emitter(mote_World *world, const char *name, const char *system, double rate,
                        uint64_t burst)
{
    mote_EmitterDef def = mote_emitter_def();
    mote_BoxSource box = mote_box_source_def();
    mote_Error error;
    box.size = setup_vec(2, 0.1, 1);
    def.name = name, def.system = system;
    def.source = "box", def.source_params = &box;
    def.at = setup_vec(0, 1.2, 0);
    def.rate = (mote_real)rate, def.burst = burst, def.burst_every = burst > 0 ? 0.11 : 0;
    def.velocity = setup_vec(0, -1, 0), def.spread = 1, def.speed_jitter = (mote_real)0.5;
    def.lifetime = (mote_real)0.25, def.lifetime_jitter = (mote_real)0.8;
    def.radius = (mote_real)0.02, def.radius_jitter = (mote_real)0.5;
    SETUP_OK(mote_world_add_emitter(world, &def, &error), error);
}

/* A floor that is measured, and a ball that particles push about. */
static void add_solids(mote_World *world)
{
    mote_Error error;
    mote_ColliderDef floor = mote_collider_def();
    mote_PlaneShape plane = mote_plane_shape_def();
    floor.name = "floor", floor.shape = "plane", floor.shape_params = &plane;
    floor.restitution = (mote_real)0.7, floor.measure = true;
    SETUP_OK(mote_world_add_collider(world, &floor, &error), error);
    mote_BodyDef ball = mote_body_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    sphere.radius = (mote_real)0.3;
    ball.name = "ball", ball.shape = "sphere", ball.shape_params = &sphere;
    ball.motion.at = setup_vec(0.1, 0.8, 0), ball.density = 50;
    ball.restitution = (mote_real)0.4;
    SETUP_OK(mote_world_add_body(world, &ball, &error), error);
}

static void add_probe(mote_World *world, const char *type, const void *params, double interval)
{
    mote_ProbeDef def = mote_probe_def();
    mote_Error error;
    def.name = def.type = type, def.params = params, def.interval = interval;
    SETUP_OK(mote_world_add_probe(world, &def, &error), error);
}

/* Sums over rows, the highest of them, and a load. */
static void add_probes(mote_World *world)
{
    mote_TotalProbe total = mote_total_probe_def();
    mote_VelocityProbe velocity = mote_velocity_probe_def();
    mote_HeightProbe height = mote_height_probe_def();
    mote_LoadProbe load = mote_load_probe_def();
    total.system = velocity.system = height.system = "born";
    velocity.at = setup_vec(0.1, 0.9, 0), velocity.reach = (mote_real)0.6;
    height.reach = (mote_real)0.2;
    load.collider = "floor";
    add_probe(world, "total", &total, 0.01);
    add_probe(world, "velocity", &velocity, 0);
    add_probe(world, "height", &height, 0);
    add_probe(world, "load", &load, 0);
}

static void add_rows(mote_System *system, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; ++i)
        setup_particle(system,
                       setup_vec(setup_uniform(&seed, -1, 1), setup_uniform(&seed, 0.2, 1.5),
                                 setup_uniform(&seed, -1, 1)),
                       setup_vec(setup_uniform(&seed, -1, 1), setup_uniform(&seed, -2, 1), 0));
}

/* Blocks take steps together in schemes that choose them; others remember what was before. */
static const char *const schemes[] = {"symplectic-euler", "dormand-prince", "ab3",
                                      "implicit-euler"};

static mote_World *make_world(const mote_Ranks *ranks, mote_Allocator allocator)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 40, def.max_step = 0.009;
    def.bounded = true;
    def.box_min = setup_vec(-1.1, -0.5, -1.1), def.box_max = setup_vec(1.1, 2.5, 1.1);
    def.ranks = ranks, def.allocator = allocator;
    mote_World *world = setup_world(&def);
    for (size_t i = 0; i < COUNT_OF(schemes); ++i)
        add_rows(setup_system(world, schemes[i], schemes[i], NULL), 300 + 77 * i, 5 + i);
    setup_system(world, "born", NULL, NULL);
    add_field(world);
    add_solids(world);
    add_emitter(world, "rain", "born", 9000, 0);
    add_emitter(world, "bursts", "born", 0, 333);
    add_emitter(world, "more", "dormand-prince", 500, 0);
    add_probes(world);
    return world;
}

/* ---- runs ---- */

/* Rows that the host adds while the world goes on: on every rank. */
static void interfere(mote_World *world, int frame)
{
    if (frame == 1 || frame == 3) add_rows(mote_world_system(world, "ab3"), 150, 77);
}

static mote_Status see(mote_World *world, Run *run, bool first, const mote_StepReport *report,
                       mote_Error *error)
{
    const mote_Frame *frame = mote_world_frame(world);
    mote_ColliderLoad load;
    CHECK(frame != NULL);
    mote_Status status = mote_world_collider_load(world, "floor", &load, error);
    if (!first) {
        CHECK(frame->systems[0].count == 0);
        return status;
    }
    note_frame(run->notes, frame);
    note_report(run->notes, report);
    note_probes(run->notes, world);
    note_bytes(run->notes, "load", "floor", &load, sizeof load);
    return status;
}

static mote_Status run_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    Run *run = context;
    const bool first = ranks->own == 0;
    mote_World *world = make_world(ranks, (mote_Allocator){0});
    mote_Status status = MOTE_OK;
    mote_StepReport report = {0};
    const mote_StateArray *state;
    size_t count;
    if (run->start != NULL) status = mote_world_restore(world, run->start, run->start_count, error);
    for (int frame = run->from; frame < run->to && status == MOTE_OK; ++frame) {
        interfere(world, frame);
        status = mote_world_step(world, &report, error);
        if (status == MOTE_OK) status = see(world, run, first, &report, error);
        if (status != MOTE_OK || frame + 1 != HALF) continue;
        status = mote_world_state(world, &state, &count, error);
        if (first) copy_state(run, state, count);
    }
    if (status == MOTE_OK) status = mote_world_state(world, &state, &count, error);
    if (status == MOTE_OK && first) note_state(run->notes, state, count);
    mote_world_destroy(world);
    return status;
}

static void run_on(int ranks, Run *run)
{
    mote_Error error;
    run->notes->count = 0;
    CHECK_OK(ranks_run_threads(ranks, run_body, run, &error), error);
}

static void any_number_of_ranks(void)
{
    static Notes one, many;
    Run alone = {.notes = &one, .to = FRAMES};
    run_on(1, &alone);
    CHECK(one.count > 100);
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        Run run = {.notes = &many, .to = FRAMES};
        run_on(counts[i], &run);
        check_same(&one, &many, counts[i]);
        free_state(&run);
    }
    free_state(&alone);
}

/* Saved by three, gone on with by two and by one, and the other way round. */
static void a_state_goes_on_with_other_ranks(void)
{
    static const int pairs[][2] = {{3, 2}, {2, 1}};
    static Notes whole, half;
    for (size_t i = 0; i < COUNT_OF(pairs); ++i) {
        Run first = {.notes = &whole, .to = FRAMES};
        run_on(pairs[i][0], &first);
        Run second = {.notes = &half, .start = first.saved, .start_count = first.saved_count};
        second.from = HALF, second.to = FRAMES;
        run_on(pairs[i][1], &second);
        whole.count -= half.count; /* the notes of the first half come first */
        memmove(whole.list, whole.list + whole.count, half.count * sizeof whole.list[0]);
        whole.count = half.count;
        check_same(&whole, &half, pairs[i][1]);
        free_state(&first);
    }
}

/* ---- what cannot be ---- */

typedef struct Refusal {
    void (*add)(mote_World *world);
    const char *message;
} Refusal;

static void add_liquid(mote_World *world)
{
    mote_SystemDef def = mote_system_def();
    mote_SphSolver sph = mote_sph_solver_def();
    mote_Error error;
    sph.pressure = "pbf";
    def.name = "water", def.solver = "sph", def.solver_params = &sph;
    SETUP_OK(mote_world_add_system(world, &def, NULL, &error), error);
}

static void add_gravity_between(mote_World *world)
{
    setup_system(world, "stars", NULL, NULL);
    setup_force(world, "mutual-gravity", NULL);
}

static void add_rope(mote_World *world)
{
    mote_LinksDef def = mote_links_def();
    mote_Error error;
    setup_system(world, "rope", NULL, NULL);
    def.name = "chain", def.system = "rope", def.pattern = "chain";
    SETUP_OK(mote_world_add_links(world, &def, &error), error);
}

static const Refusal refusals[] = {
    {add_liquid, "system water: solver sph with pbf cannot be spread over 2 ranks"},
    {add_gravity_between, "system stars: particles that act on each other"},
    {add_rope, "system rope: particles that act on each other"},
};

static mote_Status refusal_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    const Refusal *refusal = context;
    mote_WorldDef def = mote_world_def();
    def.ranks = ranks;
    mote_World *world = setup_world(&def);
    refusal->add(world);
    mote_Status status = mote_world_step(world, NULL, error);
    mote_world_destroy(world);
    return status;
}

static void what_cannot_be_spread_is_named(void)
{
    for (size_t i = 0; i < COUNT_OF(refusals); ++i) {
        mote_Error error;
        Refusal refusal = refusals[i];
        CHECK_OK(ranks_run_threads(1, refusal_body, &refusal, &error), error);
        CHECK(ranks_run_threads(2, refusal_body, &refusal, &error) == MOTE_UNAVAILABLE);
        CHECK_MESSAGE(error, refusal.message);
    }
}

/* ---- failures ---- */

typedef struct Fault {
    int rank;
    uint64_t request; /* for memory, that fails on this rank */
    uint64_t asked;   /* requests in all, without a fault */
} Fault;

static mote_Status fault_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    Fault *fault = context;
    Failing failing = {.fail_at = UINT64_MAX};
    mote_World *world = make_world(ranks, failing_allocator(&failing));
    mote_Status status = MOTE_OK;
    const uint64_t made = failing.requests;
    if (ranks->own == fault->rank && fault->request < UINT64_MAX)
        failing.fail_at = made + fault->request;
    for (int frame = 0; frame < 2 && status == MOTE_OK; ++frame) {
        status = mote_world_step(world, NULL, error);
        if (status == MOTE_OK && mote_world_frame(world) == NULL)
            status =
                (snprintf(error->message, sizeof error->message, "out of memory"), MOTE_NO_MEMORY);
    }
    if (ranks->own == 0 && fault->request == UINT64_MAX) fault->asked = failing.requests - made;
    mote_world_destroy(world);
    CHECK(failing.bytes == 0);
    CHECK(status == MOTE_OK || (status == MOTE_NO_MEMORY && strstr(error->message, "memory")));
    return status;
}

/* Each of the requests for memory on one rank fails: all ranks are told, and none waits. */
static void no_memory_on_one_rank(void)
{
    Fault fault = {.rank = 1, .request = UINT64_MAX};
    mote_Error error;
    CHECK_OK(ranks_run_threads(3, fault_body, &fault, &error), error);
    CHECK(fault.asked > 50);
    size_t failed = 0;
    for (uint64_t request = 0; request < fault.asked; request += 1 + fault.asked / 11) {
        fault.request = request, fault.rank = (int)(request % 3);
        mote_Status status = ranks_run_threads(3, fault_body, &fault, &error);
        failed += status != MOTE_OK;
        if (status != MOTE_OK) CHECK(status == MOTE_NO_MEMORY);
    }
    CHECK(failed >= 8);
}

/* A row that is not finite on one rank: the words of one rank alone. */
static mote_Status lost_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    mote_WorldDef def = setup_def(0.01);
    def.ranks = ranks;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    add_rows(system, 1000, 3);
    setup_reals(system, "velocity", 0)[900] = (mote_real)NAN;
    (void)context;
    mote_Status status = mote_world_step(world, NULL, error);
    CHECK_MESSAGE(*error, "particle 900 is not finite");
    mote_world_destroy(world);
    return status;
}

static void a_lost_row_is_told_by_all(void)
{
    mote_Error one, many;
    CHECK(ranks_run_threads(1, lost_body, NULL, &one) == MOTE_DIVERGED);
    CHECK(ranks_run_threads(4, lost_body, NULL, &many) == MOTE_DIVERGED);
    CHECK(strcmp(one.message, many.message) == 0);
}

static mote_Status different_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    mote_WorldDef def = setup_def(0.01);
    def.ranks = ranks;
    mote_World *world = setup_world(&def);
    add_rows(setup_system(world, "dust", NULL, NULL), 10 + (size_t)ranks->own, 3);
    (void)context;
    mote_Status status = mote_world_step(world, NULL, error);
    mote_world_destroy(world);
    return status;
}

static void hosts_that_differ_are_refused(void)
{
    mote_Error error;
    CHECK(ranks_run_threads(2, different_body, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "system dust: ranks added different particles");
}

TESTS({"any number of ranks", any_number_of_ranks},
      {"a state goes on with other ranks", a_state_goes_on_with_other_ranks},
      {"what cannot be spread is named", what_cannot_be_spread_is_named},
      {"no memory on one rank", no_memory_on_one_rank},
      {"a lost row is told by all", a_lost_row_is_told_by_all},
      {"hosts that differ are refused", hosts_that_differ_are_refused})

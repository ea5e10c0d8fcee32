/* Inflow: layers of a lattice that never overlap what is there. */
#include "scene_text.h"
#include "setup.h"

#include "particles/system.h"

static double nearest_pair(const mote_System *system)
{
    const mote_Column *position = &system->columns[COLUMN_POSITION];
    double least = HUGE_VAL;
    for (size_t i = 0; i < system->count; ++i)
        for (size_t j = 0; j < i; ++j) {
            double square = 0;
            for (int c = 0; c < 3; ++c) {
                double d =
                    (double)column_real(position, c)[i] - (double)column_real(position, c)[j];
                square += d * d;
            }
            least = fmin(least, sqrt(square));
        }
    return least;
}

static mote_World *make(mote_InflowSource *source, mote_EmitterDef *def)
{
    mote_WorldDef world_def = setup_def(0.1);
    world_def.max_step = 0.01;
    mote_World *world = setup_world(&world_def);
    mote_Error error;
    setup_system(world, "water", NULL, NULL);
    def->name = "jet", def->system = "water", def->source = "inflow", def->source_params = source;
    SETUP_OK(mote_world_add_emitter(world, def, &error), error);
    return world;
}

/* A jet of 1 m/s through 0.4 x 0.2 m at a spacing of 0.1 m: 8 particles every 0.1 s, in a lattice.
 */
static void flows_as_a_lattice(void)
{
    mote_InflowSource source = {
        .spacing = (mote_real)0.1, .width = (mote_real)0.4, .height = (mote_real)0.2};
    mote_EmitterDef def = mote_emitter_def();
    def.velocity = setup_vec(0, 0, 1);
    mote_World *world = make(&source, &def);
    mote_System *system = mote_world_system(world, "water");
    for (int i = 0; i < 10; ++i) setup_step(world);
    CHECK(mote_system_count(system) == 80);
    CHECK_NEAR(nearest_pair(system), 0.1, 1e-4);
    /* 1 m of liquid of a cross-section of 0.08 m^2, at a volume of 0.001 m^3 a particle */
    CHECK_NEAR((double)mote_system_count(system) * 0.001, 0.4 * 0.2 * 1, 1e-9);
    mote_world_destroy(world);
}

/* Particles that stand before the nozzle: their places stay empty, the others are filled. */
static void leaves_out_what_is_taken(void)
{
    mote_InflowSource source = {.spacing = (mote_real)0.1, .radius = (mote_real)0.2};
    mote_EmitterDef def = mote_emitter_def();
    def.velocity = setup_vec(1, 0, 0);
    def.stop = 0.05; /* one layer */
    mote_World *free = make(&source, &def);
    setup_step(free);
    size_t whole = mote_system_count(mote_world_system(free, "water"));
    CHECK(whole == 12); /* points of a square lattice, half a spacing off the middle, in a circle */
    mote_world_destroy(free);
    mote_World *world = make(&source, &def);
    mote_System *system = mote_world_system(world, "water");
    mote_Error error;
    size_t row;
    SETUP_OK(mote_system_add_rows(system, 1, &row, &error), error);
    /* near two places, (0, +-0.05, 0.05): 0.079 m is less than 0.8 spacings, and 0.08 m */
    column_real(&system->columns[COLUMN_POSITION], 0)[0] = (mote_real)0.03;
    column_real(&system->columns[COLUMN_POSITION], 2)[0] = (mote_real)0.05;
    column_real(&system->columns[COLUMN_VELOCITY], 0)[0] = 1;
    setup_step(world);
    CHECK(mote_system_count(system) == whole - 2 + 1);
    CHECK(nearest_pair(system) > 0.08);
    mote_world_destroy(world);
}

static void in_two_dimensions(void)
{
    mote_InflowSource source = {.spacing = (mote_real)0.05, .radius = (mote_real)0.1};
    mote_EmitterDef def = mote_emitter_def();
    mote_WorldDef world_def = setup_def(0.1);
    world_def.dimension = 2;
    mote_World *world = setup_world(&world_def);
    mote_Error error;
    setup_system(world, "water", NULL, NULL);
    def.system = "water", def.source = "inflow", def.source_params = &source;
    def.velocity = setup_vec(2, 0, 0), def.stop = 0.01;
    SETUP_OK(mote_world_add_emitter(world, &def, &error), error);
    setup_step(world);
    mote_System *system = mote_world_system(world, "water");
    CHECK(mote_system_count(system) == 4);
    for (size_t i = 0; i < 4; ++i) CHECK(column_real(&system->columns[COLUMN_POSITION], 2)[i] == 0);
    mote_world_destroy(world);
}

static void bad_inflows(void)
{
    mote_WorldDef world_def = setup_def(0.1);
    mote_InflowSource source = mote_inflow_source_def();
    for (int i = 0; i < 3; ++i) {
        static const char *const messages[] = {"needs a velocity", "leave out rate",
                                               "no particle fits through"};
        mote_World *world = setup_world(&world_def);
        mote_EmitterDef def = mote_emitter_def();
        mote_Error error;
        setup_system(world, "water", NULL, NULL);
        def.system = "water", def.source = "inflow", def.source_params = &source;
        if (i > 0) def.velocity = setup_vec(1, 0, 0);
        if (i == 1) def.rate = 10;
        if (i == 2) source.spacing = 1;
        CHECK(mote_world_add_emitter(world, &def, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, messages[i]);
        mote_world_destroy(world);
    }
}

/* A mouth that is stopped up: what the report says is what was born. */
static void reports_what_was_born(void)
{
    mote_InflowSource source = {.spacing = (mote_real)0.1, .radius = (mote_real)0.2};
    mote_EmitterDef def = mote_emitter_def();
    def.velocity = setup_vec(1, 0, 0);
    mote_World *world = make(&source, &def);
    mote_System *system = mote_world_system(world, "water");
    uint64_t emitted = 0;
    for (int y = -3; y <= 3; ++y)
        for (int z = -3; z <= 3; ++z)
            setup_particle(system, setup_vec(0.02, 0.1 * y, 0.1 * z), setup_vec(0, 0, 0));
    size_t there = mote_system_count(system);
    for (int i = 0; i < 10; ++i) emitted += setup_step(world).emitted;
    CHECK(emitted == mote_system_count(system) - there);
    mote_world_destroy(world);
}

/* Layers come every 0.025 s and frames every 0.02 s: 12 layers and 15 frames are at one time but
 * for rounding, which no sub-step can be. */
static void no_sub_step_is_a_rounding_error(void)
{
    mote_Scene *scene =
        scene_of_text("{ mote: 1, world: { fps: 50, max_step: 0.005 },\n"
                      "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.05 } } ],\n"
                      "  emitters: [ { name: 'jet', system: 'water', velocity: [0, -2, 0],\n"
                      "    from: { type: 'inflow', spacing: 0.05, radius: 0.06 } } ] }");
    mote_World *world;
    mote_Error error;
    SETUP_OK(mote_scene_world(scene, NULL, &world, &error), error);
    for (int frame = 0; frame < 40; ++frame) {
        mote_StepReport report;
        CHECK_OK(mote_world_step(world, &report, &error), error);
        CHECK(report.shortest > 1e-3);
    }
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

TESTS({"reports what was born", reports_what_was_born}, {"flows as a lattice", flows_as_a_lattice},
      {"leaves out what is taken", leaves_out_what_is_taken},
      {"in two dimensions", in_two_dimensions}, {"bad inflows", bad_inflows},
      {"no sub-step is a rounding error", no_sub_step_is_a_rounding_error})

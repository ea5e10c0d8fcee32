/* The order of a sub-step: systems do not depend on where they stand in the scene, and what is done
 * once a sub-step is done once. */
#include "scene/loading.h"

#include "world/objects.h"

/* ---- systems in any order ---- */

/* Vortex particles, and dust and leaves that their field carries. */
#define VORTONS                                                                                    \
    "{ name: 'vortons', solver: { type: 'vortex', born_spin: 30, buoyancy: 1.4, "                  \
    "born_temperature: 600 } }"
#define DUST   "{ name: 'dust' }"
#define LEAVES "{ name: 'leaves', solver: { integrator: 'rk4' } }"

static const char *const orders[] = {VORTONS "," DUST "," LEAVES, DUST "," VORTONS "," LEAVES,
                                     LEAVES "," DUST "," VORTONS};

static Loading load_order(const char *systems)
{
    char text[2000];
    snprintf(text, sizeof text,
             "{ mote: 1, world: { fps: 30, max_step: 0.01, seed: 3 }, systems: [%s],"
             "  emitters: ["
             "    { name: 'a', system: 'vortons', rate: 600, from: { type: 'disc', radius: 0.2 },"
             "      radius: 0.1 },"
             "    { name: 'b', system: 'dust', burst: 300, from: { type: 'sphere', radius: 0.5 } },"
             "    { name: 'c', system: 'leaves', rate: 900, from: { type: 'sphere', radius: 0.5 } }"
             "  ],"
             "  forces: [{ type: 'drag', systems: ['dust', 'leaves'], linear: 20,"
             "             wind: 'vortons.velocity' }] }",
             systems);
    return loading_world(text);
}

static double largest_difference(mote_World *a, mote_World *b, const char *name)
{
    const mote_System *x = mote_world_system(a, name), *y = mote_world_system(b, name);
    double largest = mote_system_count(x) == mote_system_count(y) ? 0 : HUGE_VAL;
    CHECK(mote_system_count(x) > 0);
    for (size_t i = 0; i < mote_system_count(x) && largest < HUGE_VAL; ++i)
        for (int c = 0; c < 3; ++c)
            largest =
                fmax(largest, fabs(setup_at(x, "position", c, i) - setup_at(y, "position", c, i)));
    return largest;
}

static void systems_stand_in_any_order(void)
{
    static const char *const names[] = {"vortons", "dust", "leaves"};
    Loading first = load_order(orders[0]);
    loading_step(&first, 12);
    for (size_t k = 1; k < COUNT_OF(orders); ++k) {
        Loading other = load_order(orders[k]);
        loading_step(&other, 12);
        for (size_t i = 0; i < COUNT_OF(names); ++i)
            CHECK_NEAR(largest_difference(first.world, other.world, names[i]), 0, 0);
        loading_end(&other);
    }
    loading_end(&first);
}

/* ---- what is done once ---- */

typedef struct Calls {
    uint64_t parameters, prepared;
} Calls;

static Calls calls;

static mote_Status count_parameters(void *context, mote_World *world, double t, mote_Error *error)
{
    (void)context, (void)world, (void)t, (void)error;
    ++calls.parameters;
    return MOTE_OK;
}

static mote_Status count_prepared(Field *field, double t, double dt, mote_Error *error)
{
    (void)field, (void)t, (void)dt, (void)error;
    ++calls.prepared;
    return MOTE_OK;
}

static void sample_nothing(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    (void)field;
    for (size_t i = 0; i < points->count; ++i) out[0][i] = 0;
}

static const FieldRow counting_row = {.head = {.name = "counting", .doc = "counts its calls"},
                                      .components = 1,
                                      .sample = sample_nothing,
                                      .prepare = count_prepared,
                                      .prepares_often = true};

static void add_counting_field(mote_World *world)
{
    NewObject fresh = {"field", "counting", &counting_row.head, NULL, sizeof(Field), NULL};
    Field *field;
    mote_Error error;
    SETUP_OK(world_make_object(world, &world->fields, &fresh, (void **)&field, &error), error);
    field->row = &counting_row;
    SETUP_OK(world_keep_object(world, &world->fields, field, sizeof *field, MOTE_OK), error);
}

static mote_World *make_liquid(void)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef water = mote_system_def();
    mote_SphSolver solver = mote_sph_solver_def();
    mote_System *system;
    mote_Error error;
    def.max_step = 0.002, def.before_substep = count_parameters;
    mote_World *world = setup_world(&def);
    add_counting_field(world);
    solver.spacing = (mote_real)0.05;
    water.name = "water", water.solver = "sph", water.solver_params = &solver;
    SETUP_OK(mote_world_add_system(world, &water, &system, &error), error);
    for (int i = 0; i < 64; ++i)
        setup_particle(system, setup_vec(0.05 * (i % 4), 0.05 * (i / 4 % 4), 0.05 * (i / 16)),
                       setup_vec(0, 0, 0));
    return world;
}

static void a_liquid_prepares_once(void)
{
    mote_World *world = make_liquid();
    for (int i = 0; i < 3; ++i) {
        calls = (Calls){0, 0};
        mote_StepReport report = setup_step(world);
        CHECK(report.substeps > 3 && report.particles > 30);
        CHECK(calls.parameters == report.substeps && calls.prepared == report.substeps);
    }
    mote_world_destroy(world);
}

/* Probes of fields look at the end of the sub-step: all of them share one preparation, and the
 * parameters are those with which the next sub-step begins. */
static void probes_share_what_is_prepared(void)
{
    mote_World *world = make_liquid();
    mote_FieldProbe look = {.field = "counting"};
    mote_Error error;
    for (int i = 0; i < 3; ++i) {
        static const char *const names[] = {"one", "two", "three"};
        mote_ProbeDef probe = mote_probe_def();
        probe.name = names[i], probe.type = "field", probe.params = &look;
        probe.interval = 1e-6;
        SETUP_OK(mote_world_add_probe(world, &probe, &error), error);
    }
    calls = (Calls){0, 0};
    mote_StepReport report = setup_step(world);
    CHECK(calls.parameters == report.substeps + 1 && calls.prepared == 2 * report.substeps);
    mote_world_destroy(world);
}

TESTS({"systems_stand_in_any_order", systems_stand_in_any_order},
      {"a_liquid_prepares_once", a_liquid_prepares_once},
      {"probes_share_what_is_prepared", probes_share_what_is_prepared})

/* Noise fields in a world: bad definitions and what is said about them, memory that runs out, the
 * same bits for any number of threads, varying parameters, and what emitters make of fields. */
#include "failing.h"
#include "setup.h"

enum { POINTS = 20000 };

static mote_real x[3][POINTS], u[3][POINTS], v[3][POINTS];

static void scatter(double half)
{
    uint64_t state = 5;
    for (size_t i = 0; i < POINTS; ++i)
        for (int k = 0; k < 3; ++k) x[k][i] = (mote_real)setup_uniform(&state, -half, half);
}

static mote_Status sample(mote_World *world, const char *name, double t, mote_real (*out)[POINTS],
                          mote_Error *error)
{
    mote_FieldPoints points = {.count = POINTS, .x = {x[0], x[1], x[2]}, .t = t};
    mote_real *planes[3] = {out[0], out[1], out[2]};
    return mote_world_sample_field(world, name, &points, planes, error);
}

static mote_Status add(mote_World *world, const char *name, const char *type, const void *params,
                       mote_Error *error)
{
    mote_FieldDef def = mote_field_def();
    def.name = name, def.type = type, def.params = params;
    return mote_world_add_field(world, &def, error);
}

static void bad_parameters(void)
{
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_NoiseField noise = mote_noise_field_def();
    mote_CurlNoiseField curl = mote_curl_noise_field_def();
    mote_Error error;
    noise.octaves = 0;
    CHECK(add(world, "n", "noise", &noise, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "octaves is 0, but must be between 1 and 24");
    noise.octaves = 1, noise.scale = 0;
    CHECK(add(world, "n", "turbulence", &noise, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "scale is 0, but must be greater than 0");
    noise.scale = 1, noise.noise = 17;
    CHECK(add(world, "n", "noise", &noise, &error) == MOTE_BAD_VALUE);
    noise.noise = 0, noise.ratio = (mote_real)0.5;
    CHECK(add(world, "n", "noise", &noise, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "ratio is 0.5");
    curl.octaves = 0;
    CHECK(add(world, "c", "curl-noise", &curl, &error) == MOTE_BAD_VALUE);
    curl.octaves = 1, curl.influence = 0;
    CHECK(add(world, "c", "curl-noise", &curl, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "influence is 0");
    mote_world_destroy(world);
}

/* Scalar where a vector is needed and the other way round, and colliders that are not there. */
static void bad_references(void)
{
    static const char *const names[] = {"boll"};
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_DragForce drag = {.linear = 1, .wind = "clouds"};
    mote_ForceDef force = mote_force_def();
    force.type = "drag", force.params = &drag;
    mote_EmitterDef emitter = mote_emitter_def();
    mote_FieldDef curl = mote_field_def();
    curl.name = "flow", curl.type = "curl-noise", curl.obstacles = names, curl.obstacle_count = 1;
    mote_FieldDef wrong = curl;
    mote_ColliderDef ball = mote_collider_def();
    mote_Error error;
    CHECK_OK(add(world, "clouds", "noise", NULL, &error), error);
    CHECK_OK(add(world, "gusts", "turbulence", NULL, &error), error);
    CHECK(mote_world_field_components(world, "clouds") == 1);
    CHECK(mote_world_field_components(world, "gusts") == 3);
    CHECK(mote_world_field_components(world, "gists") == 0);
    CHECK(mote_world_add_force(world, &force, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "field clouds is a scalar field, but a vector is needed");
    setup_system(world, "dots", NULL, NULL);
    emitter.system = "dots", emitter.density = "gusts";
    CHECK(mote_world_add_emitter(world, &emitter, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "field gusts is a vector field, but a scalar is needed");
    emitter.density = NULL, emitter.wind = "gust";
    CHECK(mote_world_add_emitter(world, &emitter, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean `gusts`?");
    wrong.type = "vortex";
    CHECK(mote_world_add_field(world, &wrong, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "flows around nothing");
    CHECK_OK(mote_world_add_field(world, &curl, &error), error);
    ball.name = "ball", ball.shape = "sphere";
    CHECK_OK(mote_world_add_collider(world, &ball, &error), error);
    CHECK(mote_world_step(world, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "there is no collider `boll`; did you mean `ball`?");
    CHECK(sample(world, "nothing", 0, u, &error) == MOTE_BAD_VALUE);
    mote_world_destroy(world);
}

/* A world with the three kinds, the curl noise around a ball that moves. */
static mote_World *make_world(const mote_WorldDef *def, mote_Error *error)
{
    static const char *const names[] = {"ball"};
    mote_NoiseField gusts = mote_turbulence_field_def();
    mote_CurlNoiseField curl = mote_curl_noise_field_def();
    mote_ColliderDef ball = mote_collider_def();
    mote_FieldDef flow = mote_field_def();
    flow.name = "flow", flow.type = "curl-noise", flow.params = &curl, flow.obstacles = names,
    flow.obstacle_count = 1;
    mote_World *world;
    gusts.period = curl.period = 1;
    ball.name = "ball", ball.shape = "sphere";
    ball.motion.velocity = setup_vec(1, 0, 0);
    if (mote_world_create(def, &world, error) != MOTE_OK) return NULL;
    if (add(world, "clouds", "noise", NULL, error) == MOTE_OK &&
        add(world, "gusts", "turbulence", &gusts, error) == MOTE_OK &&
        mote_world_add_field(world, &flow, error) == MOTE_OK &&
        mote_world_add_collider(world, &ball, error) == MOTE_OK &&
        mote_world_step(world, NULL, error) == MOTE_OK)
        return world;
    mote_world_destroy(world);
    return NULL;
}

static void memory_runs_out(void)
{
    Failing failing = {.fail_at = UINT64_MAX};
    mote_WorldDef def = setup_def(0.01);
    mote_Error error;
    def.allocator = failing_allocator(&failing);
    mote_World *world = make_world(&def, &error);
    CHECK(world != NULL);
    mote_world_destroy(world);
    CHECK(failing.bytes == 0);
    uint64_t requests = failing.requests;
    for (uint64_t n = 0; n < requests; ++n) {
        failing = (Failing){.fail_at = n, .for_good = true};
        CHECK(make_world(&def, &error) == NULL && error.status == MOTE_NO_MEMORY);
        CHECK(failing.bytes == 0);
    }
}

static void any_number_of_threads(void)
{
    static const char *const names[] = {"clouds", "gusts", "flow"};
    mote_TasksDef tasks = mote_tasks_def();
    mote_WorldDef def = setup_def(0.01), many = def;
    mote_Error error;
    tasks.threads = 3;
    SETUP_OK(mote_tasks_create(&tasks, &many.tasks, &error), error);
    mote_World *one = make_world(&def, &error), *three = make_world(&many, &error);
    scatter(2);
    for (int i = 0; i < 3; ++i) {
        memset(u, 0, sizeof u), memset(v, 0, sizeof v);
        CHECK_OK(sample(one, names[i], 0.5, u, &error), error);
        CHECK_OK(sample(three, names[i], 0.5, v, &error), error);
        CHECK(memcmp(u, v, sizeof u) == 0 && u[0][7] != 0);
    }
    mote_world_destroy(one);
    mote_world_destroy(three);
    mote_tasks_destroy(many.tasks);
}

/* Parameters that change take effect at the next sample; seeds and names make other noises. */
static void parameters_count(void)
{
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_NoiseField other = mote_noise_field_def();
    mote_Error error;
    other.seed = 3;
    scatter(10);
    CHECK_OK(add(world, "a", "noise", NULL, &error), error);
    CHECK_OK(add(world, "b", "noise", NULL, &error), error);
    CHECK_OK(add(world, "c", "noise", &other, &error), error);
    sample(world, "a", 0, u, &error);
    for (int i = 1; i < 3; ++i) {
        sample(world, i == 1 ? "b" : "c", 0, v, &error);
        CHECK(memcmp(u[0], v[0], sizeof u[0]) != 0);
    }
    ((mote_NoiseField *)mote_world_find(world, MOTE_KIND_FIELD, "a"))->amplitude = 3;
    sample(world, "a", 0, v, &error);
    for (size_t i = 0; i < POINTS; ++i) CHECK_NEAR(v[0][i], 3 * u[0][i], 1e-6);
    mote_world_destroy(world);
}

/* ---- emitters ---- */

static mote_System *emit(mote_World *world, const char *wind, const char *density)
{
    mote_System *system = setup_system(world, "dots", NULL, NULL);
    mote_BoxSource box = {.size = setup_vec(4, 4, 4)};
    mote_EmitterDef def = mote_emitter_def();
    mote_Error error;
    def.system = "dots", def.burst = 3000, def.wind = wind, def.density = density;
    def.velocity = setup_vec(0, 2, 0), def.source = "box", def.source_params = &box;
    SETUP_OK(mote_world_add_emitter(world, &def, &error), error);
    SETUP_OK(mote_world_step(world, NULL, &error), error);
    return system;
}

static void born_with_the_wind(void)
{
    mote_WorldDef def = setup_def(1e-6);
    mote_World *world = setup_world(&def);
    mote_Error error;
    SETUP_OK(add(world, "gusts", "turbulence", NULL, &error), error);
    mote_System *dots = emit(world, "gusts", NULL);
    size_t count = mote_system_count(dots);
    const mote_Column *position = mote_system_column(dots, "position");
    const mote_Column *velocity = mote_system_column(dots, "velocity");
    CHECK(count == 3000);
    for (int c = 0; c < 3; ++c)
        memcpy(x[c], (mote_real *)position->data + (size_t)c * position->stride,
               count * sizeof(mote_real));
    sample(world, "gusts", 0, u, &error);
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < count; ++i)
            CHECK_NEAR(((mote_real *)velocity->data)[(size_t)c * velocity->stride + i],
                       u[c][i] + (c == 1 ? 2 : 0), 1e-3);
    mote_world_destroy(world);
}

/* 1 where x > 1, otherwise 0.2: a quarter of the box gets 1 / 1.6 of the particles. */
static void step_density(void *context, size_t count, mote_real *values)
{
    (void)context;
    for (size_t i = 0; i < count; ++i) values[i] = values[i] > 0 ? 1 : (mote_real)0.2;
}

static void born_by_density(void)
{
    mote_WorldDef def = setup_def(1e-6);
    mote_World *world = setup_world(&def);
    mote_NoiseField clouds = mote_noise_field_def();
    mote_Error error;
    size_t dense = 0, dense_space = 0;
    clouds.user = step_density, clouds.scale = (mote_real)0.5;
    SETUP_OK(add(world, "clouds", "noise", &clouds, &error), error);
    mote_System *dots = emit(world, NULL, "clouds");
    const mote_Column *position = mote_system_column(dots, "position");
    scatter(2);
    sample(world, "clouds", 0, u, &error);
    for (size_t i = 0; i < POINTS; ++i) dense_space += u[0][i] > (mote_real)0.5;
    for (int c = 0; c < 3; ++c)
        memcpy(x[c], (mote_real *)position->data + (size_t)c * position->stride,
               3000 * sizeof(mote_real));
    sample(world, "clouds", 0, u, &error);
    for (size_t i = 0; i < 3000; ++i) dense += u[0][i] > (mote_real)0.5;
    double space = (double)dense_space / POINTS, expected = space / (space + 0.2 * (1 - space));
    CHECK_NEAR((double)dense / 3000, expected, 4 * sqrt(expected * (1 - expected) / 3000) + 0.01);
    CHECK(expected > space + 0.2);
    mote_world_destroy(world);
}

TESTS({"bad_parameters", bad_parameters}, {"bad_references", bad_references},
      {"memory_runs_out", memory_runs_out}, {"any_number_of_threads", any_number_of_threads},
      {"parameters_count", parameters_count}, {"born_with_the_wind", born_with_the_wind},
      {"born_by_density", born_by_density})

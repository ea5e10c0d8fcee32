/* Solvers that move whole systems: sub-steps by their limits, steps repeated in smaller pieces,
 * systems that join, published fields, state, the colliders' guarantee. The solver of this test
 * lets particles fall along parabolas, so every result is known. */
#include "setup.h"

#include "base/status.h"
#include "world/solvers.h"

typedef struct FallParams {
    double limit;   /* s */
    double longest; /* s: longer solves are refused */
    const char *of; /* of `fall-too` */
} FallParams;

typedef struct FallState {
    double solved;   /* s, sum of accepted solves: state */
    double shown;    /* what is published: state */
    double shortest; /* of accepted solves */
    uint64_t solves, refused, begun, forgotten;
    size_t joined;
} FallState;

static FallState *last_state; /* of the solver opened last */

static mote_Status fall_open(const SolverSite *site, Solver *solver, mote_Error *error)
{
    FallState *state = memory_zeroed(site->memory, sizeof *state);
    if (state == NULL) return status_no_memory(error, site->where, sizeof *state);
    solver->state = last_state = state;
    state->shortest = HUGE_VAL;
    return MOTE_OK;
}

static void fall_close(Memory *memory, Solver *solver)
{
    memory_free(memory, solver->state, sizeof(FallState));
}

static mote_Status fall_join(const SolverSite *site, Solver *solver, const void *params,
                             mote_Error *error)
{
    (void)site, (void)params, (void)error;
    ++((FallState *)solver->state)->joined;
    return MOTE_OK;
}

static double fall_limit(const SolverStep *step)
{
    return ((const FallParams *)step->solver->object.params)->limit;
}

static mote_Status fall_begin(const SolverStep *step, mote_Error *error)
{
    (void)error;
    ++((FallState *)step->solver->state)->begun;
    return MOTE_OK;
}

static void fall_rows(const SolverStep *step, size_t s)
{
    mote_real h = (mote_real)step->dt;
    for (size_t first = 0; first < step->rows[s]; first += BLOCK_ROWS) {
        size_t left = step->rows[s] - first, count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        Range r = step_accelerated(step, s, first, count, step->t, 0);
        for (int c = 0; c < 3; ++c)
            for (size_t i = 0; i < count; ++i) {
                r.x[c][i] += h * r.v[c][i] + h * h / 2 * r.a[c][i];
                r.v[c][i] += h * r.a[c][i];
            }
    }
}

/* Rows are moved also when the step is refused: the world must put them back. */
static mote_Status fall_solve(const SolverStep *step, SolveResult *result, mote_Error *error)
{
    FallState *state = step->solver->state;
    const FallParams *params = step->solver->object.params;
    (void)error;
    for (size_t s = 0; s < step->solver->system_count; ++s) fall_rows(step, s);
    ++state->solves;
    step->solver->tally.iterations += 2;
    for (size_t i = 0; i < step->load_count; ++i) step->loads[i].impulse[1] += step->dt;
    if (step->dt > params->longest) {
        ++state->refused;
        *result = SOLVE_SMALLER;
        return MOTE_OK;
    }
    state->solved += step->dt;
    if (step->dt < state->shortest) state->shortest = step->dt;
    return MOTE_OK;
}

static mote_Status fall_move(const SolverStep *step, mote_Error *error)
{
    return whole_solve(step, fall_solve, error);
}

static void fall_finish(const SolverStep *step)
{
    FallState *state = step->solver->state;
    state->shown = state->solved;
}

static size_t fall_saved(Solver *solver, mote_StateArray arrays[SOLVER_SAVED])
{
    FallState *state = solver->state;
    arrays[0] = (mote_StateArray){"solved", MOTE_ARRAY_F64, 1, 1, 1, &state->solved};
    arrays[1] = (mote_StateArray){"shown", MOTE_ARRAY_F64, 1, 1, 1, &state->shown};
    return 2;
}

static void fall_forget(Solver *solver)
{
    ++((FallState *)solver->state)->forgotten;
}

static void sample_shown(const Solver *solver, const mote_FieldPoints *points,
                         mote_real *const out[3])
{
    const FallState *state = solver->state;
    for (size_t i = 0; i < points->count; ++i) out[0][i] = (mote_real)state->shown;
}

static const char *const system_kind[] = {"system", NULL};
static const mote_Param fall_params[] = {
    PARAM_DOUBLE(FallParams, limit, "s", "limit", 1, PARAM_POSITIVE, 1e9),
    PARAM_DOUBLE(FallParams, longest, "s", "longest", 1e9, PARAM_POSITIVE, 1e9),
    PARAM_NAME(FallParams, of, "system to join", system_kind),
};
static const SolverField fall_fields[] = {{"shown", 1, sample_shown}};
static const SolverRow fall_row = {.head = ROW_HEAD("fall", "parabolas", fall_params, FallParams),
                                   .open = fall_open,
                                   .close = fall_close,
                                   .limit = fall_limit,
                                   .begin = fall_begin,
                                   .solve = fall_move,
                                   .finish = fall_finish,
                                   .saved = fall_saved,
                                   .forget = fall_forget,
                                   .fields = fall_fields,
                                   .field_count = 1};
static const SolverRow fall_too_row = {.head =
                                           ROW_HEAD("fall-too", "joins", fall_params, FallParams),
                                       .join = fall_join,
                                       .joins = &fall_row,
                                       .joins_at = offsetof(FallParams, of)};

static mote_System *add(mote_World *world, const char *name, const SolverRow *row,
                        const FallParams *params)
{
    mote_SystemDef def = mote_system_def();
    mote_System *system;
    mote_Error error;
    def.name = name, def.solver_params = params;
    SETUP_OK(world_add_system(world, &def, row, &system, &error), error);
    return system;
}

static mote_World *make(double limit, double longest, bool reload, mote_System **system)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 10, def.max_step = 0.05, def.reload_always = reload;
    mote_World *world = setup_world(&def);
    FallParams params = {limit, longest, NULL};
    *system = add(world, "stones", &fall_row, &params);
    return world;
}

/* Where a stone is after t seconds of falling from `from`. */
static double fallen(double from, double t)
{
    return from - 9.81 / 2 * t * t;
}

static void sub_steps_obey_the_limit_without_slivers(void)
{
    mote_System *system;
    mote_World *world = make(0.013, 1e9, false, &system);
    setup_particle(system, setup_vec(0, 3, 0), setup_vec(1, 0, 0));
    mote_StepReport report = setup_step(world);
    CHECK(report.substeps == 8); /* 0.1 s / 0.013 s = 7.7 */
    CHECK_NEAR(report.shortest, 0.0125, 1e-12);
    CHECK_NEAR(last_state->solved, 0.1, 1e-12);
    CHECK(report.iterations == 16 && report.retries == 0 && last_state->begun == 8);
    CHECK(report.time == 0.1);
    CHECK_NEAR(setup_at(system, "position", 1, 0), fallen(3, 0.1), 1e-5);
    CHECK_NEAR(setup_at(system, "position", 0, 0), 0.1, 1e-6);
    mote_world_destroy(world);
}

static void max_step_holds_where_the_limit_is_longer(void)
{
    mote_System *system;
    mote_World *world = make(1, 1e9, false, &system);
    setup_particle(system, setup_vec(0, 3, 0), setup_vec(0, 0, 0));
    CHECK(setup_step(world).substeps == 2);
    mote_world_destroy(world);
}

static void refused_steps_are_put_back_and_halved(void)
{
    mote_System *system;
    mote_World *world = make(0.05, 0.02, false, &system);
    setup_particle(system, setup_vec(0, 3, 0), setup_vec(1, 0, 0));
    mote_StepReport report = setup_step(world);
    CHECK(report.substeps == 2 && report.retries == 4); /* 0.05, 0.025 refused; 0.0125 taken */
    CHECK_NEAR(last_state->shortest, 0.0125, 1e-12);
    CHECK_NEAR(last_state->solved, 0.1, 1e-12);
    CHECK_NEAR(setup_at(system, "position", 1, 0), fallen(3, 0.1), 1e-5);
    CHECK_NEAR(setup_at(system, "velocity", 1, 0), -0.981, 1e-5);
    mote_world_destroy(world);
}

static void a_solver_that_never_accepts_stops_the_run(void)
{
    mote_System *system;
    mote_World *world = make(0.05, 1e-9, false, &system);
    mote_Error error;
    setup_particle(system, setup_vec(0, 3, 0), setup_vec(0, 0, 0));
    CHECK(mote_world_step(world, NULL, &error) == MOTE_DIVERGED);
    CHECK_MESSAGE(error, "stones");
    CHECK_NEAR(setup_at(system, "position", 1, 0), 3, 1e-6);
    mote_world_destroy(world);
}

static void bursts_come_between_sub_steps(void)
{
    mote_System *system;
    mote_World *world = make(0.03, 1e9, false, &system);
    mote_EmitterDef def = mote_emitter_def();
    mote_Error error;
    def.system = "stones", def.burst = 5, def.start = 0.042, def.burst_every = 0.05;
    SETUP_OK(mote_world_add_emitter(world, &def, &error), error);
    mote_StepReport report = setup_step(world); /* 0.042 in 2, 0.05 in 2, 0.008 in 1 */
    CHECK(report.substeps == 5 && report.emitted == 10 && mote_system_count(system) == 10);
    CHECK_NEAR(setup_at(system, "position", 1, 0), fallen(0, 0.058), 1e-6);
    CHECK_NEAR(setup_at(system, "position", 1, 9), fallen(0, 0.008), 1e-6);
    mote_world_destroy(world);
}

static void births_by_rate_go_by_themselves_in_their_first_sub_step(void)
{
    mote_System *system;
    mote_World *world = make(0.05, 1e9, false, &system);
    mote_EmitterDef def = mote_emitter_def();
    mote_Error error;
    def.system = "stones", def.rate = 100, def.jitter = 0, def.velocity = setup_vec(1, 0, 0);
    SETUP_OK(mote_world_add_emitter(world, &def, &error), error);
    setup_step(world);
    CHECK(mote_system_count(system) == 10);
    const double *birth = mote_system_column(system, "birth")->data;
    for (size_t i = 0; i < mote_system_count(system); ++i)
        CHECK_NEAR(setup_at(system, "position", 0, i), 0.1 - birth[i], 1e-6);
    mote_world_destroy(world);
}

static void no_stone_goes_through_the_floor(void)
{
    mote_System *system;
    mote_World *world = make(0.013, 1e9, false, &system);
    setup_plane(world, setup_vec(0, 1, 0), 0, 0);
    setup_particle(system, setup_vec(0, 0.02, 0), setup_vec(0, -5, 0));
    for (int i = 0; i < 5; ++i) {
        setup_step(world);
        CHECK(setup_at(system, "position", 1, 0) >= 0); /* as a point: not at its radius */
        CHECK(setup_at(system, "position", 1, 0) < 0.005);
    }
    mote_world_destroy(world);
}

static void loads_of_accepted_solves_are_kept(void)
{
    mote_System *system;
    mote_World *world = make(0.05, 0.02, false, &system);
    mote_ColliderDef def = mote_collider_def();
    mote_ColliderLoad load;
    mote_Error error;
    def.name = "floor", def.measure = true;
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    setup_step(world);
    CHECK_OK(mote_world_collider_load(world, "floor", &load, &error), error);
    CHECK_NEAR(load.impulse[1], 0.1, 1e-12);
    mote_world_destroy(world);
}

static void systems_join(void)
{
    mote_System *system;
    mote_World *world = make(0.05, 0.02, false, &system);
    FallParams too = {1, 1, "stones"}, nobody = {1, 1, "stonez"};
    mote_SystemDef def = mote_system_def();
    mote_Error error;
    mote_System *dust = add(world, "dust", &fall_too_row, &too);
    CHECK(last_state->joined == 1);
    def.name = "more", def.solver_params = &nobody;
    CHECK(world_add_system(world, &def, &fall_too_row, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean `stones`");
    def.solver_params = NULL;
    CHECK(world_add_system(world, &def, &fall_too_row, NULL, &error) == MOTE_BAD_VALUE);
    setup_particle(system, setup_vec(0, 3, 0), setup_vec(0, 0, 0));
    setup_particle(dust, setup_vec(0, 2, 0), setup_vec(0, 0, 0));
    setup_step(world);
    CHECK_NEAR(setup_at(system, "position", 1, 0), fallen(3, 0.1), 1e-5);
    CHECK_NEAR(setup_at(dust, "position", 1, 0), fallen(2, 0.1), 1e-5);
    CHECK_NEAR(last_state->solved, 0.1, 1e-12);
    mote_world_destroy(world);
}

static void published_fields_are_sampled_and_reloaded(void)
{
    for (int reload = 0; reload < 2; ++reload) {
        mote_System *system;
        mote_World *world = make(0.05, 1e9, reload != 0, &system);
        mote_real zero = 0, value, *out[3] = {&value, NULL, NULL};
        mote_FieldPoints points = {1, {&zero, &zero, &zero}, 0.1};
        mote_Error error;
        setup_particle(system, setup_vec(0, 3, 0), setup_vec(0, 0, 0));
        CHECK(mote_world_field_components(world, "stones.shown") == 1);
        setup_step(world);
        CHECK_OK(mote_world_sample_field(world, "stones.shown", &points, out, &error), error);
        CHECK_NEAR(value, 0.1, 1e-7);
        CHECK(last_state->forgotten == (reload ? 2 : 0));
        mote_world_destroy(world);
    }
}

static void histories_need_equal_sub_steps(void)
{
    mote_System *system;
    mote_World *world = make(0.05, 1e9, false, &system);
    mote_Error error;
    setup_system(world, "dust", "ab3", NULL);
    CHECK(mote_world_step(world, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "equal sub-steps");
    mote_world_destroy(world);
}

static void bad_definitions_are_refused(void)
{
    mote_System *system;
    mote_World *world = make(0.05, 1e9, false, &system);
    mote_SystemDef def = mote_system_def();
    FallParams params = {-1, 1, NULL};
    mote_Error error;
    def.name = "other", def.solver_params = &params;
    CHECK(world_add_system(world, &def, &fall_row, NULL, &error) == MOTE_BAD_VALUE);
    params.limit = 1, def.collide.interval = 1;
    CHECK(world_add_system(world, &def, &fall_row, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "collide.interval");
    mote_LinksDef links = mote_links_def();
    links.system = "stones";
    CHECK(mote_world_add_links(world, &links, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "need solver points");
    setup_step(world);
    mote_world_destroy(world);
}

TESTS({"sub-steps obey the limit without slivers", sub_steps_obey_the_limit_without_slivers},
      {"max_step holds", max_step_holds_where_the_limit_is_longer},
      {"refused steps are put back and halved", refused_steps_are_put_back_and_halved},
      {"a solver that never accepts stops the run", a_solver_that_never_accepts_stops_the_run},
      {"bursts come between sub-steps", bursts_come_between_sub_steps},
      {"births by rate", births_by_rate_go_by_themselves_in_their_first_sub_step},
      {"no stone goes through the floor", no_stone_goes_through_the_floor},
      {"loads of accepted solves are kept", loads_of_accepted_solves_are_kept},
      {"systems join", systems_join},
      {"published fields", published_fields_are_sampled_and_reloaded},
      {"histories need equal sub-steps", histories_need_equal_sub_steps},
      {"bad definitions are refused", bad_definitions_are_refused})

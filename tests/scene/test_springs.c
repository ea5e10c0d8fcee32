/* Springs in scenes: what is read, what moves with time, and the step that a forecast advises. */
#include "scene/loading.h"

static const char sheet[] =
    "{mote: 1, world: {fps: 20, max_step: %g, gravity: [0, -1, 0]}, output: {frames: 'none',"
    " video: 'none'}, systems: [{name: 'cloth', solver: {integrator: '%s'}}],"
    " links: [{name: 'sheet', system: 'cloth', %s pattern: {type: 'sheet', columns: "
    "9,"
    " rows: 7, mass: 0.5}}]}";

static Loading load_sheet(double max_step, const char *integrator, const char *more, bool world)
{
    char text[700];
    snprintf(text, sizeof text, sheet, max_step, integrator, more);
    return world ? loading_world(text) : loading_good(text);
}

static void links_are_read(void)
{
    Loading loading = load_sheet(0.01, "implicit-euler", "anchor: ['=t', 0, 0],", true);
    const mote_Frame *frame = mote_world_frame(loading.world);
    mote_SceneForecast forecast;
    CHECK(frame->mesh_count == 1 && strcmp(frame->meshes[0].name, "sheet") == 0);
    CHECK(frame->systems[0].count == 63 && frame->meshes[0].triangle_count == 2 * 8 * 6);
    CHECK_OK(mote_scene_forecast(loading.scene, &forecast, &loading.error), loading.error);
    CHECK(forecast.particles == 63);
    mote_System *system = mote_world_system(loading.world, "cloth");
    double before = setup_at(system, "position", 0, 0);
    for (int i = 0; i < 20; ++i) setup_step(loading.world);
    /* a pin reaches the end of a sub-step where `anchor` was at its start */
    CHECK_NEAR(setup_at(system, "position", 0, 0) - before, 0.99, 1e-4);
    loading_end(&loading);
}

/* The step after "max_step: " in the warning; 0 when there is none. */
static double advised_step(double max_step, const char *integrator, const char *more)
{
    Loading loading = load_sheet(max_step, integrator, more, false);
    mote_SceneForecast forecast;
    CHECK_OK(mote_scene_forecast(loading.scene, &forecast, &loading.error), loading.error);
    const char *advice = strstr(forecast.warnings, "world.max_step: ");
    double step = advice != NULL ? strtod(advice + strlen("world.max_step: "), NULL) : 0;
    if (advice != NULL) {
        CHECK(strstr(forecast.warnings, "links.sheet: its ") != NULL);
        CHECK(strstr(forecast.warnings, integrator) != NULL);
    }
    loading_end(&loading);
    return step;
}

/* Whether three seconds of it stay in bounds. */
static bool is_stable(double max_step, const char *integrator, const char *more)
{
    Loading loading = load_sheet(max_step, integrator, more, true);
    mote_Error error;
    mote_Status status = MOTE_OK;
    mote_StepReport report = {0};
    for (int i = 0; i < 60 && status == MOTE_OK; ++i)
        status = mote_world_step(loading.world, &report, &error);
    loading_end(&loading);
    return status == MOTE_OK && report.kinetic + fabs(report.potential) < 100;
}

/* The advice is safe, and not timid: 1.5 times as long steps blow up. */
static void advice_is_right(void)
{
    static const struct {
        const char *integrator, *more;
    } cases[] = {{"leapfrog", "stiffness: 80,"},
                 {"symplectic-euler", "stiffness: 80,"},
                 {"rk4", "stiffness: 80,"},
                 {"leapfrog", "form: 'strain', stiffness: 20,"},
                 {"symplectic-euler", "stiffness: 30, damping: 3,"}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        double step = advised_step(0.05, cases[i].integrator, cases[i].more);
        CHECK(step > 0 && step < 0.05);
        CHECK(is_stable(step, cases[i].integrator, cases[i].more));
        CHECK(!is_stable(1.5 * step, cases[i].integrator, cases[i].more));
        CHECK(advised_step(0.99 * step, cases[i].integrator, cases[i].more) == 0);
    }
    CHECK(advised_step(0.05, "implicit-euler", "") == 0);
    CHECK(is_stable(0.05, "implicit-euler", ""));
}

TESTS({"links_are_read", links_are_read}, {"advice_is_right", advice_is_right})

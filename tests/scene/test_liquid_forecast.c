/* Forecasts of liquids: one bad scene for every warning, and none for good ones. */
#include "scene/loading.h"

#include <math.h>

#include <mote/solvers.h>

/* A tank of 2 x 1 x 1 m with a block of water in it, and what is changed. */
static const char text[] =
    "{ mote: 1, params: { spacing: 0.05, fill: 0.05, height: 0.5 },\n"
    "  world: { duration: 1 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing' } } ],\n"
    "  emitters: [ { name: 'block', system: 'water', at: [-0.5, '=height/2', 0],\n"
    "    from: { type: 'fill', spacing: '=fill',\n"
    "            shape: { type: 'box', size: [1, '=height', 1] } } } ],\n"
    "  colliders: [ { name: 'tank', motion: { at: [0, 0.5, 0] },\n"
    "    shape: { type: 'inverted', shape: { type: 'box', size: [2, 1, 1] } } } ] }\n";

static const char *warnings_of(Loading *loading)
{
    mote_SceneForecast forecast;
    CHECK_OK(mote_scene_forecast(loading->scene, &forecast, &loading->error), loading->error);
    return forecast.warnings;
}

static void good_liquid(void)
{
    Loading loading = loading_good(text);
    const char *warnings = warnings_of(&loading);
    CHECK(warnings[0] == '\0');
    if (warnings[0] != '\0') fprintf(stderr, "%s", warnings);
    mote_SceneForecast forecast;
    CHECK_OK(mote_scene_forecast(loading.scene, &forecast, &loading.error), loading.error);
    CHECK(forecast.particles == 20 * 10 * 20);
    loading_end(&loading);
}

static void warns(const char *setting, const char *other, const char *warning)
{
    const char *const settings[] = {setting, other, NULL};
    Loading loading = loading_with(text, settings);
    CHECK_OK(loading.status, loading.error);
    const char *found = warnings_of(&loading);
    CHECK(strstr(found, warning) != NULL);
    if (strstr(found, warning) == NULL) fprintf(stderr, "`%s` is not in: %s\n", warning, found);
    loading_end(&loading);
}

static void warns_of_heat(const char *keys, const char *gravity, const char *warning)
{
    char solver[240];
    snprintf(solver, sizeof solver,
             "systems.water.solver={type: 'sph', spacing: 0.05, heat: 'conduction', %s}", keys);
    warns(solver, gravity, warning);
}

static void bad_heat(void)
{
    const char *const down = "world.gravity=[0,-9.81,0]";
    warns_of_heat("thinning: 1000, viscosity: 0", down, "changes a viscosity of 0");
    warns_of_heat("viscosities: [[300, 100], [400, 1]], implicit: 'never'", down,
                  "a viscosity of 100 m^2/s at this spacing needs sub-steps");
    warns_of_heat("expansion: 2e-4", "world.gravity=[0,0,0]", "there is no gravity");
    warns_of_heat("expansion: 1e-3, emissivity: 0.9, reference: 1500", down,
                  "its weight would change by 121 %");
}

static void bad_liquids(void)
{
    warns("fill=0.04", NULL, "so it would burst; make them equal");
    warns("fill=0.0625", NULL, "so it would collapse");
    warns("emitters.block.at=[-0.7,0.25,0]", NULL, "starts outside the container colliders.tank");
    warns("systems.water.solver.viscosity=100", "systems.water.solver.implicit=never",
          "needs sub-steps of");
    warns("systems.water.solver.viscosity_model=monaghan", NULL,
          "the viscosity of `monaghan` depends on the direction, by up to 45 %");
    warns("emitters.block.at=[-0.485,0.25,0.015]", NULL, "leave half a spacing");
    warns("systems.water.solver.sound=5", "systems.water.solver.pressure=wcsph",
          "set solver.sound to");
    warns("systems.water.solver.mach=3", "systems.water.solver.pressure=wcsph",
          "squeezed by up to 11 %");
    warns("systems.water.solver.pressure=textbook", NULL, "are not equal and opposite");
    warns("systems.water.solver.pressure=mueller", NULL, "are twice those of water");
    warns("height=0.1", NULL, "only 2 particles wide along y");
    warns("emitters.block.from={type: 'box', size: [0.5,0.2,0.5]}", "emitters.block.burst=100",
          "random places");
}

static void thin_plates(void)
{
    static const char divided[] =
        "{ mote: 1, params: { thick: 0.02 }, world: { duration: 1 },\n"
        "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.05 } } ],\n"
        "  emitters: [ { name: 'block', system: 'water', at: [-0.5, 0.25, 0], from: {\n"
        "    type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.5, 0.5, 0.5] } } } ],\n"
        "  colliders: [ { name: 'plate', shape: { type: 'box', size: ['=thick', 1, 1] } } ] }\n";
    const char *const thick[] = {"thick=0.05", NULL};
    Loading thin = loading_good(divided), good = loading_with(divided, thick);
    CHECK(strstr(warnings_of(&thin), "colliders.plate: it is 0.02 m thin") != NULL);
    CHECK(warnings_of(&good)[0] == '\0');
    loading_end(&thin);
    loading_end(&good);
}

static void same_space(void)
{
    static const char two[] =
        "{ mote: 1, params: { x: 0.5 }, world: { duration: 1, gravity: [0, 0, 0] },\n"
        "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.1 } },\n"
        "             { name: 'oil', solver: { type: 'sph', spacing: 0.1 } } ],\n"
        "  emitters: [ { name: 'a', system: 'water', from: { type: 'fill', spacing: 0.1,\n"
        "                shape: { type: 'box', size: [1, 1, 1] } } },\n"
        "              { name: 'b', system: 'oil', at: ['=x', 0, 0], from: { type: 'fill',\n"
        "                spacing: 0.1, shape: { type: 'box', size: [1, 1, 1] } } } ] }\n";
    const char *const apart[] = {"x=1", NULL};
    Loading together = loading_good(two), beside = loading_with(two, apart);
    CHECK(strstr(warnings_of(&together), "emitters.a and emitters.b fill the same space") != NULL);
    CHECK(strstr(warnings_of(&beside), "fill the same space") == NULL);
    CHECK(strstr(warnings_of(&beside), "do not feel each other") != NULL);
    loading_end(&together);
    loading_end(&beside);
}

/* What cannot be is an error that says what to change. */
static void refused(void)
{
    static const struct {
        const char *setting, *message;
    } cases[] = {
        {"systems.water.solver.support=1.2", "use 1.5 or more"},
        {"fill=3", "use a smaller spacing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *const settings[] = {cases[i].setting, NULL};
        Loading loading = loading_with(text, settings);
        CHECK_OK(loading.status, loading.error);
        CHECK(mote_scene_world(loading.scene, NULL, &loading.world, &loading.error) ==
              MOTE_BAD_VALUE);
        CHECK_MESSAGE(loading.error, cases[i].message);
        loading_end(&loading);
    }
    static const char *const wrong[] = {"systems.water.solver.viscosity=-1",
                                        "systems.water.solver.rest_density=0",
                                        "systems.water.solver.spacing=0"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        const char *const settings[] = {wrong[i], NULL};
        Loading loading = loading_with(text, settings);
        CHECK(loading.status == MOTE_BAD_VALUE);
        CHECK(strstr(mote_scene_messages(loading.scene, false), "but must be") != NULL);
        loading_end(&loading);
    }
}

/* 500 000 particles. One rank needs what a run does; of eight each needs an eighth, the ghosts of
 * one layer of cells around a cube, and room to put its rows in order, and the first a number of
 * all. */
static void ranks_share_memory(void)
{
    const char *const settings[] = {"spacing=0.01", "fill=0.01", NULL};
    Loading loading = loading_with(text, settings);
    mote_SceneForecast needs;
    mote_SceneShare one, eight;
    CHECK_OK(mote_scene_needs(loading.scene, &needs, &loading.error), loading.error);
    CHECK_OK(mote_scene_share(loading.scene, 1, &one, &loading.error), loading.error);
    CHECK_OK(mote_scene_share(loading.scene, 8, &eight, &loading.error), loading.error);
    CHECK(one.first + one.drawing == needs.memory && one.first == one.memory && one.ghosts == 0 &&
          !one.copied);
    const double side = cbrt(1.1 * 500000 / 8), layer = 2 * (double)mote_sph_solver_def().support;
    const double ghosts = pow(1 + layer / side, 3) - 1;
    CHECK(fabs(eight.ghosts / ghosts - 1) < 1e-6);
    const double share = 1.1 / 8 * (double)one.memory;
    CHECK((double)eight.memory > share && (double)eight.memory < (2 + ghosts) * share);
    CHECK(eight.first - eight.memory == 500000 * 8);
    CHECK(eight.drawing > one.drawing);
    CHECK(one.most == eight.most && one.most >= 8 && one.most < 50);
    CHECK(mote_scene_share(loading.scene, 0, &one, &loading.error) == MOTE_BAD_VALUE);
    loading_end(&loading);
}

TESTS({"ranks share memory", ranks_share_memory}, {"good liquid", good_liquid},
      {"bad liquids", bad_liquids}, {"bad heat", bad_heat}, {"thin plates", thin_plates},
      {"same space", same_space}, {"refused", refused})

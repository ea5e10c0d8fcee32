/* Liquids on a device: what is shown, measured and saved has the bits of the processor, whoever
 * goes on with a saved state, and whatever becomes of the device. Skipped where there is no exact
 * one. MOTE_LONG goes through more frames. */
#include "world/on_device.h"

#include "base/status.h"

/* ---- tests ---- */

#define LATTICE(name, at, size)                                                                    \
    "{ name: '" name "', system: 'water', at: " at ", from: { type: 'fill', spacing: 0.05, shape:" \
    " { type: 'box', size: " size " } } }"

/* What ranks do not meet: pairs over the ends of all axes, lists that are longer than expected,
 * cells too far apart for a table, liquids that differ, walls of every form. */
static const Case own_cases[] = {
    {"two liquids", "seed: 1", /* the second one is another system */
     "pressure: 'wcsph', viscosity: 0.01, impact: 1 } }, { name: 'oil', solver: { type: 'sph',\n"
     "  joins: 'water', spacing: 0.05, rest_density: 700, viscosity: 0.1",
     "emitters: [" BLOCK ", { name: 'film', system: 'oil', at: [0.1, 0.2, 0], from: { type: 'fill',"
     "    spacing: 0.05, shape: { type: 'box', size: [0.4, 0.4, 0.4] } } } ],\n"
     "  colliders: [" TANK
     ", { name: 'post', shape: { type: 'cylinder', radius: 0.1, height: 1 },\n"
     "    motion: { at: [0.4, 0.5, 0] } }, { name: 'knob', shape: { type: 'capsule', radius: "
     "0.05,\n"
     "    length: 0.2 }, motion: { at: [0.4, 0.05, 0.15] } } ]"},
    {"full and periodic",
     "periodic_x: true, periodic_y: true, periodic_z: true, gravity: [0, 0, 0],\n"
     "  box_min: [0, 0, 0], box_max: [0.4, 0.35, 0.3]",
     "pressure: 'wcsph', viscosity: 0.01, artificial: 0.1",
     "emitters: [" LATTICE("block", "[0.2, 0.175, 0.15]",
                           "[0.4, 0.35, 0.3]") "],\n"
                                               "  forces: [ { name: 'wind', type: 'swirl', center: "
                                               "[0.2, 0.2, 0.1], strength: 3 } ]"},
    {"long lists", "seed: 1", "pressure: 'wcsph', support: 3, kernel: 'even'",
     "emitters: [" BLOCK "], colliders: [" TANK "]"},
    {"flat and periodic",
     "dimension: 2, periodic_x: true, box_min: [-0.5, -1, -1], box_max: [0.5, 2, 1]",
     "pressure: 'wcsph', support: 3, kernel: 'wendland-c2'",
     "emitters: [" LATTICE(
         "block", "[0, 0.2, 0]",
         "[1, 0.4, 1]") "],\n"
                        "  colliders: [ { name: 'floor', shape: { type: 'plane' } } ]"},
    {"far apart", "seed: 1",
     "pressure: 'wcsph', kernel: 'quintic-spline', viscosity_model: 'monaghan'",
     "emitters: [" BLOCK ", " LATTICE("other", "[200, 300, 250]", "[0.2, 0.3, 0.2]") "]"},
    {"incompressible by other rows", "dimension: 2", "pressure: 'iisph', kernel: 'wendland-c4'",
     "emitters: [" BLOCK "], colliders: [" TANK "]"},
    {"incompressible and full",
     "periodic_x: true, periodic_y: true, periodic_z: true, gravity: [0, 0, 0],\n"
     "  box_min: [0, 0, 0], box_max: [0.4, 0.35, 0.3]",
     "viscosity: 0.001, support: 2.4",
     "emitters: [" LATTICE("block", "[0.2, 0.175, 0.15]",
                           "[0.4, 0.35, 0.3]") "],\n"
                                               "  forces: [ { name: 'wind', type: 'swirl', center: "
                                               "[0.2, 0.2, 0.1], strength: 3 } ]"},
    {"shifting", "seed: 1", "pressure: 'dfsph', shifting: 0.5",
     "emitters: [" BLOCK "], colliders: [" TANK "]"},
    {"two incompressible liquids", "seed: 1",
     "viscosity: 0.01 } }, { name: 'oil', solver: { type: 'sph', joins: 'water', spacing: 0.05,\n"
     "  rest_density: 700, viscosity: 0.1",
     "emitters: [" BLOCK ", { name: 'film', system: 'oil', at: [0.1, 0.2, 0], from: { type: 'fill',"
     "    spacing: 0.05, shape: { type: 'box', size: [0.4, 0.4, 0.4] } } } ],\n"
     "  colliders: [" TANK "]"},
    {"shifting, flat and periodic",
     "dimension: 2, periodic_x: true, box_min: [-0.5, -1, -1], box_max: [0.5, 2, 1]",
     "pressure: 'wcsph', shifting: 0.3, kernel: 'cubic-spline'",
     "emitters: [" LATTICE(
         "block", "[0, 0.2, 0]",
         "[1, 0.4, 1]") "],\n"
                        "  colliders: [ { name: 'floor', shape: { type: 'plane' } } ]"},
};

/* With MOTE_LONG all in both ways. Building kernels takes longer than running them: else two of
 * three, each in one way, and under sanitizers one of three. */
static void compare_all(const Case *liquids, size_t count, mote_Device *device)
{
    for (size_t c = 0; c < count && device != NULL; ++c)
        for (size_t narrow = 0; narrow < 2; ++narrow) {
            const bool chosen = TEST_SANITIZED ? c % 3 == 1 : c % 3 != 0;
            if (is_long() || (chosen && narrow == c % 2)) compare(&liquids[c], device, narrow == 1);
        }
}

static void the_bits_of_the_processor(void)
{
    mote_Device *device = any_device();
    compare_all(cases, COUNT_OF(cases), device);
    compare_all(own_cases, COUNT_OF(own_cases), device);
}

static void a_state_goes_on_elsewhere(void)
{
    check_goes_on_elsewhere(&cases[2]);
}

static void what_has_no_device_function_is_named(void)
{
    static const struct {
        const char *solver, *message;
    } refused[] = {
        {"pressure: 'pbf'", "system water: solver sph with pbf has no device function"},
        {"divergence: 'linear'", "solver sph with linear divergence has no device function"},
        {"pressure: 'wcsph', heat: 'conduction'", "solver sph with heat has no device function"},
        {"pressure: 'wcsph', tension: 'csf', surface_tension: 0.07",
         "with surface tension has no device function"},
        {"pressure: 'wcsph', tension: 'pair', surface_tension: 0.07",
         "with surface tension has no device function"},
    };
    static Notes notes;
    mote_Device *device = any_device();
    for (size_t i = 0; i < COUNT_OF(refused) && device != NULL; ++i) {
        Case liquid = cases[0];
        DeviceRun on = {.liquid = &liquid, .device = device, .run = {.notes = &notes}};
        mote_Error error;
        liquid.solver = refused[i].solver;
        CHECK(try_run(&on, &error) == MOTE_UNAVAILABLE);
        CHECK_MESSAGE(error, refused[i].message);
        free_state(&on.run);
    }
}

/* Whoever asked for any device gets the processor. */
static void what_is_optional_is_left_to_the_processor(void)
{
    static Notes one, other;
    Case liquid = cases[0];
    mote_Device *device = any_device();
    if (device == NULL) return;
    liquid.solver = "pressure: 'pbf'";
    DeviceRun host = {.liquid = &liquid, .run = {.notes = &one}};
    DeviceRun on = {.liquid = &liquid, .device = device, .run = {.notes = &other}};
    device->optional = true;
    run_on(&host);
    run_on(&on);
    check_same(&one, &other, 1);
    device->optional = false;
    free_state(&host.run);
    free_state(&on.run);
}

static void a_lost_device_is_replaced_by_the_processor(void)
{
    mote_Device *device = any_device();
    Case other = cases[4];
    if (device == NULL) return;
    other.solver = "pressure: 'pcisph'";
    lose_at(&cases[1], device, 60, is_long() ? 40 : 2);
    lose_at(&cases[4], device, 100, is_long() ? 100 : TEST_SANITIZED ? 2 : 7);
    lose_at(&other, device, 40, is_long() ? 60 : 2);
}

/* Every sub-step is done twice, and found the same. */
static void a_device_is_compared_with_the_processor(void)
{
    static const int compared[] = {1, 4};
    mote_Device *device = any_device();
    for (size_t i = 0; i < COUNT_OF(compared) && device != NULL; ++i) {
        mote_device_verify(device, 1 + i);
        compare(&cases[compared[i]], device, device->info.gpu);
        mote_device_verify(device, 0);
    }
}

static void memory_that_is_not_there_is_named(void)
{
    static Notes notes;
    mote_Device *device = any_device();
    mote_Error error;
    if (device == NULL) return;
    const uint64_t largest = device->largest;
    DeviceRun on = {.liquid = &cases[0], .device = device, .run = {.notes = &notes}};
    device->largest = 1000;
    CHECK(try_run(&on, &error) == MOTE_NO_MEMORY);
    CHECK_MESSAGE(error, "use fewer particles or --device cpu");
    device->largest = largest, device->failed = 0, device->wanted = 0;
    free_state(&on.run);
}

/* A driver that cannot build one of the programs that it is asked for, or none. */
typedef enum Builder { BUILDS_ALL, BUILDS_ALL_BUT_ONE, BUILDS_NOTHING } Builder;

static struct {
    Builder builder;
    int left;                /* programs, until the one that is refused */
    int refusals;            /* how often it was asked for what it cannot build */
    const DeviceText *texts; /* of that one */
    char options[400];
} driver;

DeviceProgram *__real_device_build(mote_Device *device, const DeviceText *texts, size_t count,
                                   const char *options, mote_Error *error);
DeviceProgram *__wrap_device_build(mote_Device *device, const DeviceText *texts, size_t count,
                                   const char *options, mote_Error *error);

static bool is_refused(const DeviceText *texts, const char *options)
{
    if (driver.builder != BUILDS_ALL_BUT_ONE) return driver.builder == BUILDS_NOTHING;
    if (driver.texts == NULL && driver.left-- == 0) {
        driver.texts = texts;
        snprintf(driver.options, sizeof driver.options, "%s", options);
    }
    return driver.texts == texts && strcmp(driver.options, options) == 0;
}

DeviceProgram *__wrap_device_build(mote_Device *device, const DeviceText *texts, size_t count,
                                   const char *options, mote_Error *error)
{
    if (!is_refused(texts, options))
        return __real_device_build(device, texts, count, options, error);
    ++driver.refusals;
    status_fail(error, MOTE_UNAVAILABLE, "nothing is built here");
    return NULL;
}

/* Whether rows stay on the device, which then asks twice, or come home. */
static void kernels_that_cannot_be_built_are_named(void)
{
    static Notes notes;
    mote_Device *device = any_device();
    mote_Error error;
    driver.builder = BUILDS_NOTHING;
    for (size_t i = 0; i < COUNT_OF(cases) && device != NULL; ++i) {
        DeviceRun on = {.liquid = &cases[i], .device = device, .run = {.notes = &notes}};
        CHECK(try_run(&on, &error) == MOTE_UNAVAILABLE);
        CHECK_MESSAGE(error, "nothing is built here");
        CHECK(device_is_well(device));
        free_state(&on.run);
    }
    driver.builder = BUILDS_ALL;
}

static void refuse_program(int number)
{
    driver.builder = BUILDS_ALL_BUT_ONE, driver.left = number;
    driver.texts = NULL, driver.refusals = 0;
}

/* Of the programs of a case in the order in which they are wanted: it is asked for once, or twice
 * where rows might have stayed, not in every sub-step. */
static void check_is_refused(const Case *liquid, mote_Device *device, int number)
{
    static Notes one, other;
    mote_Error error;
    char why[MOTE_DEVICE_TEXT];
    DeviceRun host = {.liquid = liquid, .run = {.notes = &one}};
    DeviceRun on = {.liquid = liquid, .device = device, .run = {.notes = &other}};
    refuse_program(number);
    CHECK(try_run(&on, &error) == MOTE_UNAVAILABLE);
    CHECK_MESSAGE(error, "nothing is built here");
    CHECK(device_is_well(device) && (driver.refusals == 1 || driver.refusals == 2));
    free_state(&on.run);
    refuse_program(number);
    device->optional = true;
    run_on(&host);
    run_on(&on);
    check_same(&one, &other, number);
    CHECK(mote_device_is_lost(device, why) && strstr(why, "build") != NULL);
    CHECK(driver.refusals == 1 || driver.refusals == 2);
    driver.builder = BUILDS_ALL, device->optional = false, device->failed = 0;
    free_state(&on.run);
    free_state(&host.run);
}

static void a_program_that_cannot_be_built_is_refused_at_once(void)
{
    static const struct {
        int liquid, programs;
    } refused[] = {{0, 3}, {1, 2}, {4, 5}}; /* that stays; that does not; incompressible */
    mote_Device *device = any_device();
    for (size_t i = 0; i < COUNT_OF(refused) && device != NULL; ++i)
        for (int number = 1; number < refused[i].programs; ++number)
            if (is_long() || number == refused[i].programs - 1 || i == 0)
                check_is_refused(&cases[refused[i].liquid], device, number);
}

TESTS({"the bits of the processor", the_bits_of_the_processor},
      {"a state goes on elsewhere", a_state_goes_on_elsewhere},
      {"what has no device function is named", what_has_no_device_function_is_named},
      {"what is optional is left to the processor", what_is_optional_is_left_to_the_processor},
      {"a lost device is replaced by the processor", a_lost_device_is_replaced_by_the_processor},
      {"a device is compared with the processor", a_device_is_compared_with_the_processor},
      {"memory that is not there is named", memory_that_is_not_there_is_named},
      {"kernels that cannot be built are named", kernels_that_cannot_be_built_are_named},
      {"a program that cannot be built is refused at once",
       a_program_that_cannot_be_built_is_refused_at_once})

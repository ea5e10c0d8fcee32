/* Vortex fluids whose sums a device takes: what is shown, measured and saved has the bits of the
 * processor, whoever goes on with a saved state, and whatever becomes of the device. Skipped where
 * there is no exact one. MOTE_LONG goes through more frames. */
#define LONG_FRAMES 10
#include "world/flows.h"
#include "world/on_device.h"

/* ---- scenes ---- */

/* Gradients at more vortons than the processor keeps for itself. */
#define RINGS(solver)                                                                              \
    WORLD ", gravity: [0, 0, 0] },\n"                                                              \
          "  systems: [ { name: 'vortons', solver: { type: 'vortex', evaluation: 'vortons',\n"     \
          "    scheme: 'rk2', resolution: 2, ring_count: 2, ring_vortons: 520, ring_core: 0.03,\n" \
          "    ring_radius: 0.5, ring_gap: 0.4, " solver " } }, " SMOKE " ],\n"                    \
          "  " PROBES "  emitters: [ { system: 'smoke', burst: 500, rate: 0, radius: 0.01,\n"      \
          "    from: { type: 'disc', radius: 0.6 } } ] }"

/* Fire, and a body that sheds as it turns. */
static const char fire[] = WORLD
    "},\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', buoyancy: 1, heat_exchange: 0.02,\n"
    "    resolution: 3, born_temperature: 500, born_fuel: 0.2, born_spin: 0.1, burn_rate: 30,\n"
    "    ignition: 450, burn_heat: 1.6e6, smoke_rate: 9, core: 'linear' } }, " SMOKE " ],\n"
    "  " PROBES "  emitters: [ { system: 'vortons', burst: 700, rate: 3000, radius: 0.06,\n"
    "      from: { type: 'disc', radius: 0.5 }, at: [0, -0.5, 0] },\n"
    "    { system: 'smoke', rate: 6000, from: { type: 'disc', radius: 0.5 }, at: [0, -0.5, 0],\n"
    "      lifetime: 0.15, radius: 0.01 } ],\n"
    "  bodies: [ { name: 'plate', shape: { type: 'box', size: [0.3, 0.05, 0.3] }, mass: 0.01,\n"
    "    motion: { at: [0.1, -0.3, 0], spin: [0, 9, 2] } } ] }";

static const Case flows[] = {{"rings", RINGS("induction: 'direct'"), NULL, NULL},
                             {"plume", plume, NULL, NULL},
                             {"tree", many_rings, NULL, NULL},
                             {"flat", flat, NULL, NULL},
                             {"Gaussian rings", RINGS("core: 'gaussian'"), NULL, NULL},
                             {"fire", fire, NULL, NULL}};

/* ---- tests ---- */

/* Building kernels takes longer than running them: without MOTE_LONG each flow in one way, mostly
 * the same. */
static void the_bits_of_the_processor(void)
{
    mote_Device *device = any_device();
    for (size_t c = 0; c < COUNT_OF(flows) && device != NULL; ++c)
        for (size_t narrow = 0; narrow < 2; ++narrow) {
            const uint64_t moved = mote_device_moved(device);
            if (!is_long() && (narrow != (c == 2) || c > 3)) continue;
            compare(&flows[c], device, narrow == 1);
            CHECK(mote_device_moved(device) > moved);
        }
}

static void a_state_goes_on_elsewhere(void)
{
    check_goes_on_elsewhere(&flows[1]);
}

static void a_lost_device_is_replaced_by_the_processor(void)
{
    mote_Device *device = any_device();
    if (device == NULL) return;
    lose_at(&flows[1], device, 0, is_long() ? 20 : 3);
    lose_at(&flows[2], device, 6, is_long() ? 20 : 2);
}

static void a_device_is_compared_with_the_processor(void)
{
    mote_Device *device = any_device();
    for (size_t i = 1; i < 3 && device != NULL; ++i) {
        mote_device_verify(device, i);
        compare(&flows[i], device, i == 2);
        mote_device_verify(device, 0);
    }
}

/* Tries a world that cannot be; its message holds these words. */
static void check_refused(mote_Device *device, const Case *flow, mote_Status expected,
                          const char *words)
{
    static Notes notes;
    DeviceRun on = {.liquid = flow, .device = device, .run = {.notes = &notes}};
    mote_Error error;
    CHECK(try_run(&on, &error) == expected);
    CHECK_MESSAGE(error, words);
    free_state(&on.run);
}

static void what_has_no_device_function_is_named(void)
{
    static const Case refused[] = {
        {"", RINGS("induction: 'fourier'"), NULL, NULL},
        {"", RINGS("induction: 'poisson'"), NULL, NULL},
        {"", RINGS("induction: 'containment'"), NULL, NULL},
        {"", RINGS("boundary: 'penalised', remesh_spacing: 0.1"), NULL, NULL}};
    static const char *const words[] = {
        "system vortons: solver vortex with fourier has no device function", "with poisson has no",
        "with containment has no", "with penalised has no"};
    mote_Device *device = any_device();
    for (size_t i = 0; i < COUNT_OF(refused) && device != NULL; ++i)
        check_refused(device, &refused[i], MOTE_UNAVAILABLE, words[i]);
}

/* Where a liquid uses the device, they are the processor's. */
static void what_has_none_may_stand_beside_a_liquid(void)
{
    static const char both[] =
        "{ mote: 1, world: { duration: 4 },\n"
        "  systems: [ { name: 'water', solver: { type: 'sph', spacing: 0.1 } },\n"
        "    { name: 'air', solver: { type: 'vortex', induction: 'fourier' } } ] }";
    mote_Device *device = any_device();
    mote_StepReport report;
    mote_World *world;
    mote_Error error;
    if (device == NULL) return;
    mote_Tasks *tasks = make_tasks(device);
    mote_Scene *scene = scene_of_text(both);
    CHECK_OK(mote_scene_world(scene, tasks, &world, &error), error);
    CHECK_OK(mote_world_start(world, &error), error);
    CHECK_OK(mote_world_step(world, &report, &error), error);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    mote_tasks_destroy(tasks);
}

static void memory_that_is_not_there_is_named(void)
{
    mote_Device *device = any_device();
    if (device == NULL) return;
    const uint64_t largest = device->largest;
    device->largest = 1000;
    check_refused(device, &flows[1], MOTE_NO_MEMORY, "vortons: device");
    device->failed = 0, device->wanted = 0;
    check_refused(device, &flows[2], MOTE_NO_MEMORY, "use fewer particles or --device cpu");
    device->largest = largest, device->failed = 0, device->wanted = 0;
}

TESTS({"the bits of the processor", the_bits_of_the_processor},
      {"a state goes on elsewhere", a_state_goes_on_elsewhere},
      {"a lost device is replaced by the processor", a_lost_device_is_replaced_by_the_processor},
      {"a device is compared with the processor", a_device_is_compared_with_the_processor},
      {"what has no device function is named", what_has_no_device_function_is_named},
      {"what has none may stand beside a liquid", what_has_none_may_stand_beside_a_liquid},
      {"memory that is not there is named", memory_that_is_not_there_is_named})

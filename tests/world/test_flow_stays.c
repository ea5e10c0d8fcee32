/* Incompressible liquids whose rows stay on a device from sub-step to sub-step, to the bits of the
 * processor: all stages, with walls and bodies, without a surface, where sub-steps are halved, and
 * when the device is lost. Skipped where there is no exact one. MOTE_LONG goes through more frames,
 * and all worlds in both ways. */
#include "world/on_device.h"

static const Case flows[] = {
    {"a tank, and water that is thrown at it", "seed: 1", "artificial: 0.05",
     "emitters: [" FAST "], colliders: [" TANK "]"},
    {"walls of every form, that move and rub", "seed: 1",
     "viscosity: 0.005, implicit: 'never', xsph: 0.2, artificial: 0.1",
     "emitters: [" BLOCK "], colliders: [" EVERY_FORM "]"},
    {"a floating body", "seed: 1", "wall_viscosity: 0.02",
     "emitters: [" BLOCK "], bodies: [ { name: 'ball', shape: { type: 'sphere', radius: 0.1 },\n"
     "  density: 400, motion: { at: [0.2, 0.15, 0] } } ], colliders: [" TANK "]"},
    {"a periodic axis and a floor",
     "periodic_x: true, box_min: [-0.55, -1, -1], box_max: [0.55, 2, 1]",
     "viscosity: 0.001, kernel: 'wendland-c4'",
     "emitters: [" FAST "], colliders: [ { name: 'floor', shape: { type: 'plane' } } ],\n"
     "  forces: [ { name: 'wind', type: 'gravity', acceleration: [6, 0, 1] } ]"},
    {"two dimensions", "dimension: 2", "clamp: true",
     "emitters: [ { name: 'block', system: 'water', at: [-0.2, 0.3, 0], velocity: [3, 0, 2],\n"
     "  from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.5, 0.5, 1] } } } ],\n"
     "  colliders: [" TANK ", { name: 'post', shape: { type: 'box', size: [0.1, 0.3, 0] },\n"
     "    motion: { at: [0.2, 0.1, 0], rotate: [0, 0, 15] } } ]"},
    /* Without a surface nothing is cut off at 0, and means are taken off. */
    {"full, long lists, all axes periodic",
     "periodic_x: true, periodic_y: true, periodic_z: true, gravity: [0, 0, 0],\n"
     "  box_min: [0, 0, 0], box_max: [0.4, 0.35, 0.35]",
     "support: 3, kernel: 'even', artificial: 0.1",
     "emitters: [ { name: 'block', system: 'water', at: [0.2, 0.175, 0.175], velocity: [1, 2, 0],\n"
     "  from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.4, 0.35, 0.35] } } } "
     "]"},
    /* Particles of a beam turn into one another. */
    {"a full tank that is stirred", "gravity: [0, 0, 0]", "viscosity: 0.001",
     "emitters: [ { name: 'block', system: 'water', at: [0, 0.5, 0], from: { type: 'fill',\n"
     "  spacing: 0.05, shape: { type: 'box', size: [1, 1, 0.4] } } } ],\n"
     "  colliders: [" TANK ", { name: 'bar', shape: { type: 'box', size: [0.4, 0.1, 0.4] },\n"
     "    motion: { at: [0, 0.5, 0], rotate: [0, 0, '=300*t'] } } ]"},
    {"pressures below 0, births in mid-run, and falling out of all cells", "seed: 1",
     "clamp: false",
     "emitters: [" FAST ", { name: 'drop', system: 'water', at: [0.3, 0.8, 0], start: 0.03,\n"
     "  from: { type: 'fill', spacing: 0.05, shape: { type: 'sphere', radius: 0.1 } } },\n"
     "  { name: 'jet', system: 'water', at: [0.8, 0.8, 0], velocity: [0, -2, 0],\n"
     "  from: { type: 'inflow', spacing: 0.05, radius: 0.1 } } ]"},
    {"rows that meet walls", "periodic_z: true, box_min: [-1, -1, -0.2], box_max: [1, 2, 0.2]",
     "most_iterations: 4",
     "emitters: [" FAST "], colliders: [ { name: 'floor', shape: { type: 'plane' } },\n"
     "  { name: 'gate', shape: { type: 'box', size: [0.1, 1, 2] }, measure: true,\n"
     "    motion: { at: ['=0.35-0.3*sin(30*t)', 0.5, 0] } } ]"},
    /* Goals that two iterations do not reach ask for shorter sub-steps. */
    {"sub-steps that are halved", "seed: 1",
     "most_iterations: 2, density_error: 1e-6, divergence_error: 1e-6",
     "emitters: [" FAST "], colliders: [" TANK "]"},
    {"thick as honey, which goes the other way", "seed: 1", "viscosity: 0.5",
     "emitters: [" BLOCK "], colliders: [" TANK "]"},
};

static void the_bits_of_the_processor(void)
{
    mote_Device *device = any_device();
    for (size_t c = 0; c < COUNT_OF(flows) && device != NULL; ++c)
        for (size_t narrow = 0; narrow < 2; ++narrow) {
            const bool chosen = narrow == c % 2 && (!TEST_SANITIZED || c < 2);
            if (is_long() || chosen) compare(&flows[c], device, narrow == 1);
        }
}

/* How often a kernel was started while this ran there. */
static uint64_t starts_of(mote_Device *device, DeviceRun *on, const char *kernel)
{
    enum { MOST = 96 };
    static mote_DeviceTime times[MOST];
    uint64_t count = 0;
    mote_device_watch(device, true);
    run_on(on);
    const size_t all = mote_device_times(device, times, MOST);
    CHECK(all > 0 && all < MOST);
    for (size_t i = 0; i < all && i < MOST; ++i)
        if (strcmp(times[i].name, kernel) == 0) count += times[i].count;
    mote_device_watch(device, false);
    return count;
}

/* All of a sub-step is done there, but where it cannot be: what is not accepted, once in a hundred
 * sub-steps at most, is done again in pieces at home. */
static void rows_stay(void)
{
    static const struct {
        size_t flow;
        bool all;
    } which[] = {{0, true}, {4, true}, {COUNT_OF(flows) - 1, false}};
    static Notes notes;
    mote_Device *device = any_device();
    for (size_t i = 0; i < COUNT_OF(which) && device != NULL; ++i) {
        DeviceRun on = {
            .liquid = &flows[which[i].flow], .device = device, .run = {.notes = &notes}};
        const uint64_t count = starts_of(device, &on, "flow_finish");
        const uint64_t wanted = which[i].all ? on.run.substeps : 0;
        const uint64_t again = which[i].all ? on.run.retries : 0;
        CHECK(on.run.substeps > 0 && count <= wanted && wanted <= count + again);
        CHECK(100 * again <= on.run.substeps);
        free_state(&on.run);
    }
}

static void a_state_goes_on_elsewhere(void)
{
    check_goes_on_elsewhere(&flows[2]);
}

/* Rows go with it: the frame is begun again. At kernels of a sub-step one after another. */
static void a_device_is_lost_with_the_rows(void)
{
    mote_Device *device = any_device();
    if (device == NULL) return;
    lose_at(&flows[2], device, 0, is_long() ? 120 : 2);
    lose_at(&flows[2], device, 600, is_long() ? 120 : TEST_SANITIZED ? 1 : 4);
}

static void a_device_is_compared_with_the_processor(void)
{
    mote_Device *device = any_device();
    for (size_t i = 1; i < 4 && device != NULL; ++i) {
        mote_device_verify(device, i);
        compare(&flows[i], device, device->info.gpu);
        mote_device_verify(device, 0);
    }
}

TESTS({"the bits of the processor", the_bits_of_the_processor}, {"rows stay", rows_stay},
      {"a state goes on elsewhere", a_state_goes_on_elsewhere},
      {"a device is lost with the rows", a_device_is_lost_with_the_rows},
      {"a device is compared with the processor", a_device_is_compared_with_the_processor})

/* Liquids whose rows stay on a device from sub-step to sub-step, to the bits of the processor: in
 * walls of every form that has a formula there, when they come home in mid-frame, and when the
 * device is lost while it has them. Skipped where there is no exact one. MOTE_LONG goes through
 * more frames, and all worlds in both ways. */
#include "solvers/sph/stay.h"
#include "world/on_device.h"

static const Case stays[] = {
    {"a tank, and water that is thrown at it", "seed: 1", "pressure: 'wcsph'",
     "emitters: [" FAST "], colliders: [" TANK "]"},
    {"walls of every form, that move and rub", "seed: 1",
     "pressure: 'wcsph', viscosity: 0.005, impact: 1, xsph: 0.2, artificial: 0.1",
     "emitters: [" BLOCK "], colliders: [" EVERY_FORM "]"},
    {"a floating body", "seed: 1", "pressure: 'wcsph', wall_viscosity: 0.02",
     "emitters: [" BLOCK "], bodies: [ { name: 'ball', shape: { type: 'sphere', radius: 0.1 },\n"
     "  density: 400, motion: { at: [0.2, 0.15, 0] } } ], colliders: [" TANK "]"},
    {"a periodic axis and a floor",
     "periodic_x: true, box_min: [-0.55, -1, -1], box_max: [0.55, 2, 1]",
     "pressure: 'wcsph', viscosity: 0.001, kernel: 'wendland-c4'",
     "emitters: [" FAST "], colliders: [ { name: 'floor', shape: { type: 'plane' } } ],\n"
     "  forces: [ { name: 'wind', type: 'gravity', acceleration: [6, 0, 1] } ]"},
    {"two dimensions", "dimension: 2", "pressure: 'wcsph'",
     "emitters: [ { name: 'block', system: 'water', at: [-0.2, 0.3, 0], velocity: [3, 0, 2],\n"
     "  from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.5, 0.5, 1] } } } ],\n"
     "  colliders: [" TANK ", { name: 'post', shape: { type: 'box', size: [0.1, 0.3, 0] },\n"
     "    motion: { at: [0.2, 0.1, 0], rotate: [0, 0, 15] } } ]"},
    {"long lists, all axes periodic",
     "periodic_x: true, periodic_y: true, periodic_z: true, gravity: [0, 0, 0],\n"
     "  box_min: [0, 0, 0], box_max: [0.4, 0.35, 0.35]",
     "pressure: 'wcsph', support: 3, kernel: 'even', artificial: 0.1, clamp: false",
     "emitters: [ { name: 'block', system: 'water', at: [0.2, 0.175, 0.175], velocity: [1, 2, 0],\n"
     "  from: { type: 'fill', spacing: 0.05, shape: { type: 'box', size: [0.4, 0.35, 0.35] } } } "
     "]"},
    /* With so slow a sound water does not stop before walls: rows meet them, and come home. */
    {"rows that meet walls", "periodic_z: true, box_min: [-1, -1, -0.2], box_max: [1, 2, 0.2]",
     "pressure: 'wcsph', sound: 3",
     "emitters: [" FAST "], colliders: [ { name: 'floor', shape: { type: 'plane' } },\n"
     "  { name: 'gate', shape: { type: 'box', size: [0.1, 1, 2] }, measure: true,\n"
     "    motion: { at: ['=0.35-0.1*sin(20*t)', 0.5, 0] } } ]"},
    /* So thin that rows are on one side of it and then on the other. */
    {"a sheet that rows would pass",
     "periodic_z: true, box_min: [-1, -1, -0.2], box_max: [1, 2, 0.2]",
     "pressure: 'wcsph', sound: 3",
     "emitters: [" FAST "], colliders: [ { name: 'sheet', measure: true,\n"
     "    shape: { type: 'box', size: [0.002, 1, 2] }, motion: { at: [0.1, 0.5, 0] } } ]"},
    {"births in mid-run, and falling out of all cells", "seed: 1", "pressure: 'wcsph'",
     "emitters: [" FAST ", { name: 'drop', system: 'water', at: [0.3, 0.8, 0], start: 0.03,\n"
     "  from: { type: 'fill', spacing: 0.05, shape: { type: 'sphere', radius: 0.1 } } },\n"
     "  { name: 'jet', system: 'water', at: [0.8, 0.8, 0], velocity: [0, -2, 0],\n"
     "  from: { type: 'inflow', spacing: 0.05, radius: 0.1 } } ]"},
};

static void the_bits_of_the_processor(void)
{
    mote_Device *device = any_device();
    for (size_t c = 0; c < COUNT_OF(stays) && device != NULL; ++c)
        for (size_t narrow = 0; narrow < 2; ++narrow) {
            const bool chosen = narrow == c % 2 && (!TEST_SANITIZED || c < 2);
            if (is_long() || chosen) compare(&stays[c], device, narrow == 1);
        }
}

/* A tank whose rows are asked for at frames alone: less travels than one set of them a sub-step.
 * Where they do not stay it is two. */
static void rows_stay(void)
{
    static Notes notes;
    enum { SET = 32 }; /* bytes: position, velocity, density, pressure; or id */
    mote_Device *device = any_device();
    if (device == NULL || sizeof(mote_real) != sizeof(float)) return;
    const uint64_t before = mote_device_moved(device);
    DeviceRun on = {.liquid = &stays[0], .device = device, .run = {.notes = &notes}};
    run_on(&on);
    const double rows = (double)on.rows, moved = (double)(mote_device_moved(device) - before);
    CHECK(on.run.substeps > 0 && rows > 0);
    CHECK(moved < SET * rows * (double)on.run.substeps);
    free_state(&on.run);
}

/* What was sent is compared byte by byte with what would be sent. */
static void records_of_walls_have_no_padding(void)
{
    const size_t word = sizeof(uint32_t), real = sizeof(mote_real), vector = sizeof(mote_Vec3);
    CHECK(sizeof(WallForm) == 6 * word + 2 * vector + 2 * real);
    CHECK(sizeof(SurfaceMotion) == 4 * word + 4 * vector);
    CHECK(sizeof(StayPose) == 2 * word + 4 * vector);
    CHECK(sizeof(StayShape) == sizeof(WallForm) + sizeof(SurfaceMotion) + 2 * sizeof(StayPose) +
                                   4 * vector + 3 * real + 4 * word);
    CHECK(sizeof(MeshPlane) == vector + real);
}

/* A host that changes rows between frames: the device has them from the last one. */
static void throw_up(mote_World *world)
{
    const mote_System *water = mote_world_system(world, "water");
    mote_real *up = column_real(mote_system_column(water, "velocity"), 1);
    for (size_t i = 0; i < mote_system_count(water); i += 7) up[i] += (mote_real)0.5;
}

static void rows_are_changed_between_frames(void)
{
    static Notes one, other;
    mote_Device *device = any_device();
    if (device == NULL) return;
    DeviceRun host = {.liquid = &stays[0], .run = {.notes = &one, .touch = throw_up}};
    DeviceRun on = {
        .liquid = &stays[0], .device = device, .run = {.notes = &other, .touch = throw_up}};
    run_on(&host);
    run_on(&on);
    check_same(&one, &other, 0);
    free_state(&on.run);
    free_state(&host.run);
}

static void a_state_goes_on_elsewhere(void)
{
    check_goes_on_elsewhere(&stays[2]);
}

/* Rows go with it: the frame is begun again. At every kernel of a sub-step in the second frame. */
static void a_device_is_lost_with_the_rows(void)
{
    enum { KERNELS = 11 }; /* of a sub-step, about */
    mote_Device *device = any_device();
    if (device == NULL) return;
    lose_at(&stays[2], device, 0, 2);
    lose_at(&stays[2], device, 40 * KERNELS, is_long() ? 2 * KERNELS : TEST_SANITIZED ? 1 : 5);
}

static void a_device_is_compared_with_the_processor(void)
{
    mote_Device *device = any_device();
    for (size_t i = 1; i < 4 && device != NULL; ++i) {
        mote_device_verify(device, i);
        compare(&stays[i], device, device->info.gpu);
        mote_device_verify(device, 0);
    }
}

TESTS({"the bits of the processor", the_bits_of_the_processor}, {"rows stay", rows_stay},
      {"records of walls have no padding", records_of_walls_have_no_padding},
      {"rows are changed between frames", rows_are_changed_between_frames},
      {"a state goes on elsewhere", a_state_goes_on_elsewhere},
      {"a device is lost with the rows", a_device_is_lost_with_the_rows},
      {"a device is compared with the processor", a_device_is_compared_with_the_processor})

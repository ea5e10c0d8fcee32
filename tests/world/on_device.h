/* Worlds on a device and on the processor, compared bit by bit. */
#ifndef TESTS_WORLD_ON_DEVICE_H
#define TESTS_WORLD_ON_DEVICE_H

#include "device/any.h"
#include "device/own.h"
#include "scene_text.h"
#include "world/liquids.h"
#include "world/ranked.h"
#include "world/world.h"

#ifndef LONG_FRAMES
#define LONG_FRAMES 40
#endif

static int frames(void)
{
    return is_long() ? LONG_FRAMES : 4;
}

/* ---- a device that is lost ---- */

/* Kernels until one does not start; -1: all do. */
static int launches_left = -1;

void __real_device_launch(mote_Device *device, const DeviceKernel *kernel, size_t items,
                          size_t group, const DeviceArgument *arguments);
void __wrap_device_launch(mote_Device *device, const DeviceKernel *kernel, size_t items,
                          size_t group, const DeviceArgument *arguments);

void __wrap_device_launch(mote_Device *device, const DeviceKernel *kernel, size_t items,
                          size_t group, const DeviceArgument *arguments)
{
    if (launches_left == 0 && device->failed == 0)
        device->failed = -1, device->doing = "start a kernel";
    if (launches_left > 0) --launches_left;
    __real_device_launch(device, kernel, items, group, arguments);
}

/* ---- runs ---- */

/* A world on a device or, without, on the processor. */
typedef struct DeviceRun {
    const Case *liquid;
    mote_Device *device;
    Run run;
    size_t rows; /* at the end, of the first system */
} DeviceRun;

static mote_Tasks *make_tasks(mote_Device *device)
{
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    mote_Error error;
    def.threads = 2;
    SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
    mote_tasks_use_device(tasks, device);
    return tasks;
}

static mote_Status try_run(DeviceRun *on, mote_Error *error)
{
    const Case *of = on->liquid;
    char text[4000];
    mote_World *world;
    mote_Tasks *tasks = make_tasks(on->device);
    write_case(of, text);
    mote_Scene *scene = scene_of_text(text);
    on->run.notes->count = 0;
    on->run.half = frames() / 2, on->run.to = frames();
    on->run.substeps = 0;
    SETUP_OK(mote_scene_world(scene, tasks, &world, error), *error);
    mote_Status status = on->run.start == NULL
                             ? mote_world_start(world, error)
                             : mote_world_restore(world, on->run.start, on->run.start_count, error);
    if (status == MOTE_OK) status = run_frames(world, &on->run, true, error);
    if (status == MOTE_OK) on->rows = mote_world_frame(world)->systems[0].count;
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    mote_tasks_destroy(tasks);
    return status;
}

static void run_on(DeviceRun *on)
{
    mote_Error error;
    CHECK_OK(try_run(on, &error), error);
}

/* ---- comparing ---- */

/* In lanes by eights, as suits a processor, or by twos, as suits a graphics card. */
static void compare(const Case *liquid, mote_Device *device, bool narrow)
{
    static Notes one, other;
    DeviceRun host = {.liquid = liquid, .run = {.notes = &one}};
    DeviceRun on = {.liquid = liquid, .device = device, .run = {.notes = &other}};
    const bool gpu = device->info.gpu;
    run_on(&host);
    CHECK(one.count > 100);
    device->info.gpu = narrow;
    run_on(&on);
    CHECK(device_is_well(device));
    check_same(&one, &other, narrow);
    device->info.gpu = gpu;
    free_state(&on.run);
    free_state(&host.run);
}

/* At kernels of a sub-step one after another: each of the device's tasks finds it gone. */
static void lose_at(const Case *liquid, mote_Device *device, int first, int count)
{
    static Notes one, other;
    char why[MOTE_DEVICE_TEXT];
    DeviceRun host = {.liquid = liquid, .run = {.notes = &one}};
    run_on(&host);
    for (int launch = first; launch < first + count; ++launch) {
        DeviceRun on = {.liquid = liquid, .device = device, .run = {.notes = &other}};
        launches_left = launch;
        run_on(&on);
        check_same(&one, &other, launch);
        CHECK(mote_device_is_lost(device, why) && strstr(why, "could not start") != NULL);
        device->failed = 0, launches_left = -1;
        free_state(&on.run);
    }
    free_state(&host.run);
}

/* What a device or the processor saved goes on by the other. */
static inline void check_goes_on_elsewhere(const Case *liquid)
{
    static Notes whole, half;
    mote_Device *device = any_device();
    for (int i = 0; i < 2 && device != NULL; ++i) {
        DeviceRun first = {
            .liquid = liquid, .device = i == 0 ? device : NULL, .run = {.notes = &whole}};
        run_on(&first);
        DeviceRun second = {.liquid = liquid,
                            .device = i == 0 ? NULL : device,
                            .run = {.notes = &half,
                                    .start = first.run.saved,
                                    .start_count = first.run.saved_count,
                                    .from = frames() / 2}};
        run_on(&second);
        notes_keep_last(&whole, half.count);
        check_same(&whole, &half, i);
        free_state(&first.run);
    }
}

#endif

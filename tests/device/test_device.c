/* Devices: they are listed and tried, and what cannot be is said. */
#include "check.h"

#include "device/any.h"
#include "device/device.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 8 };

static void lists_devices(void)
{
    mote_DeviceInfo devices[MOST];
    const size_t count = mote_devices(devices, MOST);
    for (size_t i = 0; i < count && i < MOST; ++i) {
        CHECK(devices[i].name[0] != '\0' && devices[i].memory > 0);
        CHECK(devices[i].exact == (devices[i].why[0] == '\0'));
        printf("%s: %s\n", devices[i].name, devices[i].exact ? "exact" : devices[i].why);
    }
}

static void cpu_is_no_device(void)
{
    mote_Device *device = (mote_Device *)1;
    mote_Error error;
    CHECK_OK(mote_device_open("cpu", &device, &error), error);
    CHECK(device == NULL);
    mote_device_close(device);
}

static void unknown_names_are_refused(void)
{
    mote_Device *device;
    mote_Error error;
    CHECK(mote_device_open("no such card", &device, &error) == MOTE_UNAVAILABLE);
    CHECK(device == NULL);
    CHECK_MESSAGE(error, "cpu");
}

static void tasks_lend_the_device(void)
{
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    mote_Error error;
    CHECK(mote_tasks_device(NULL) == NULL);
    CHECK_OK(mote_tasks_create(&def, &tasks, &error), error);
    CHECK(mote_tasks_device(tasks) == NULL);
    mote_Device *device = open_any_device();
    mote_tasks_use_device(tasks, device);
    CHECK(mote_tasks_device(tasks) == device);
    mote_tasks_destroy(tasks);
    mote_device_close(device);
}

static void memory_comes_back(void)
{
    mote_Device *device = open_any_device();
    DeviceBuffer buffer = {.bytes = 0};
    mote_Error error;
    if (device == NULL) return;
    int there[64], back[64] = {0};
    for (int i = 0; i < 64; ++i) there[i] = i * i;
    device_reserve(device, &buffer, sizeof there);
    device_put(device, &buffer, 0, there, sizeof there);
    device_get(device, &buffer, 0, back, sizeof back);
    CHECK(memcmp(there, back, sizeof there) == 0);
    device_clear(device, &buffer, sizeof back);
    device_get(device, &buffer, 0, back, sizeof back);
    CHECK(back[63] == 0);
    CHECK_OK(device_check(device, "here", &error), error);
    device_release(device, &buffer);
    mote_device_close(device);
}

/* What the device refuses is said once, with the bytes, and everything after it does nothing. */
static void too_much_memory_is_told(void)
{
    mote_Device *device = open_any_device();
    DeviceBuffer buffer = {.bytes = 0};
    mote_Error error;
    char byte = 1;
    if (device == NULL) return;
    device_reserve(device, &buffer, (size_t)1 << 50);
    device_put(device, &buffer, 0, &byte, 1);
    CHECK(!device_is_well(device));
    CHECK(device_check(device, "system water", &error) == MOTE_NO_MEMORY);
    CHECK_MESSAGE(error, "system water");
    CHECK_MESSAGE(error, "--device cpu");
    device_release(device, &buffer);
    mote_device_close(device);
}

static const DeviceText fused = {
    "fused", "#pragma OPENCL FP_CONTRACT OFF\n"
             "kernel void product(global float *x) { x[3] = x[0] * x[1] + x[2]; }\n"};

/* What was done while it was watched is noted, kernels by their names; nothing before or after. */
static void times_are_noted(void)
{
    enum { ROUNDS = 3 };
    mote_Device *device = open_any_device();
    mote_Error error;
    DeviceBuffer buffer = {.bytes = 0};
    mote_DeviceTime times[MOST];
    if (device == NULL) return;
    float x[4] = {1, 2, 3, 0};
    DeviceProgram *program = device_build(device, &fused, 1, "", &error);
    DeviceKernel *kernel = device_kernel(program, "product");
    device_reserve(device, &buffer, sizeof x);
    device_put(device, &buffer, 0, x, sizeof x);
    CHECK(mote_device_times(device, times, MOST) == 0);
    mote_device_watch(device, true);
    for (int k = 0; k < ROUNDS; ++k)
        device_launch(device, kernel, 1, 1, DEVICE_ARGUMENTS(DEVICE_MEMORY(buffer)));
    device_get(device, &buffer, 0, x, sizeof x);
    CHECK(x[3] == 5);
    CHECK(mote_device_times(device, times, MOST) == 2);
    CHECK(strcmp(times[0].name, "product") == 0 && times[0].count == ROUNDS);
    CHECK(strcmp(times[1].name, "read") == 0 && times[1].count == 1);
    mote_device_watch(device, false);
    device_get(device, &buffer, 0, x, sizeof x);
    CHECK(mote_device_times(device, times, MOST) == 0);
    device_free_kernel(kernel);
    device_free_program(program);
    device_release(device, &buffer);
    mote_device_close(device);
}

/* Rounded twice: fused, it would be 2^-46. */
static void nothing_is_fused(void)
{
    mote_Device *device = open_any_device();
    mote_Error error;
    DeviceBuffer buffer = {.bytes = 0};
    if (device == NULL) return;
    float x[4] = {1 + 0x1p-23f, 1 - 0x1p-23f, -1, 7};
    DeviceProgram *program = device_build(device, &fused, 1, "", &error);
    CHECK(program != NULL);
    DeviceKernel *kernel = device_kernel(program, "product");
    device_reserve(device, &buffer, sizeof x);
    device_put(device, &buffer, 0, x, sizeof x);
    device_launch(device, kernel, 1, 1, DEVICE_ARGUMENTS(DEVICE_MEMORY(buffer)));
    device_get(device, &buffer, 0, x, sizeof x);
    CHECK_OK(device_check(device, "here", &error), error);
    CHECK(x[3] == 0);
    device_release(device, &buffer);
    device_free_kernel(kernel);
    device_free_program(program);
    mote_device_close(device);
}

static void wrong_programs_are_told(void)
{
    mote_Device *device = open_any_device();
    mote_Error error = {.status = MOTE_OK};
    const DeviceText wrong = {"wrong", "kernel void broken( {"};
    if (device == NULL) return;
    CHECK(device_build(device, &wrong, 1, "", &error) == NULL);
    CHECK_MESSAGE(error, "cannot build");
    mote_device_close(device);
}

static void missing_kernels_are_told(void)
{
    mote_Device *device = open_any_device();
    mote_Error error;
    if (device == NULL) return;
    DeviceProgram *program = device_build(device, &fused, 1, "", &error);
    CHECK(program != NULL && device_kernel(program, "sum") == NULL);
    CHECK(device_check(device, "system water", &error) == MOTE_UNAVAILABLE);
    CHECK_MESSAGE(error, "could not find a kernel");
    device_free_program(program);
    mote_device_close(device);
}

/* Changes a byte in the middle of every file of a folder; returns how many there were. */
static int damage_files(const char *folder)
{
    DIR *all = opendir(folder);
    int count = 0;
    for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
        char path[600];
        if (strstr(entry->d_name, ".device") == NULL) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "r+b");
        CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
        for (long at = ftell(file) / 4, end = 3 * at; at < end; at += 8)
            CHECK(fseek(file, at, SEEK_SET) == 0 && fputc(0xa5, file) != EOF);
        fclose(file);
        ++count;
    }
    if (all != NULL) closedir(all);
    return count;
}

/* Drivers trust what they are given: kept programs with other bytes are not given to them. */
static void damaged_programs_are_built_again(void)
{
    char folder[] = "/tmp/mote-device-XXXXXX", kept[64], command[64];
    CHECK(mkdtemp(folder) != NULL && setenv("XDG_CACHE_HOME", folder, 1) == 0);
    snprintf(kept, sizeof kept, "%s/mote", folder);
    for (int round = 0; round < 2; ++round) {
        mote_Device *device = open_any_device();
        if (device != NULL) CHECK(damage_files(kept) == 1);
        mote_device_close(device);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

TESTS({"lists_devices", lists_devices}, {"cpu_is_no_device", cpu_is_no_device},
      {"unknown_names_are_refused", unknown_names_are_refused},
      {"tasks_lend_the_device", tasks_lend_the_device}, {"memory_comes_back", memory_comes_back},
      {"too_much_memory_is_told", too_much_memory_is_told}, {"times_are_noted", times_are_noted},
      {"nothing_is_fused", nothing_is_fused}, {"wrong_programs_are_told", wrong_programs_are_told},
      {"missing_kernels_are_told", missing_kernels_are_told},
      {"damaged_programs_are_built_again", damaged_programs_are_built_again})

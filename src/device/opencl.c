/* OpenCL, loaded when somebody asks for a device: which devices there are, and opening one.
 * opencl_work.c has what they do; nobody else calls it. */
#include "device/own.h"

#include "base/status.h"
#include "base/system.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the library ---- */

OpenCl opencl;

static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* It stays loaded: drivers have threads of their own, which would lose their code. */
static void load(void)
{
    void *library = system_library("OpenCL");
    if (library == NULL) return;
    bool all = true;
#define CL_FIND(result, name, arguments)                                                           \
    *(void **)&opencl.name = system_symbol(library, "cl" #name);                                   \
    all = all && opencl.name != NULL;
    CL_FUNCTIONS(CL_FIND)
    loaded = all;
}

static bool is_there(void)
{
    pthread_once(&once, load);
    return loaded;
}

/* ---- devices ---- */

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 32, EXTENSIONS = 16384 };

static uint64_t number_of(ClHandle device, uint32_t what)
{
    uint64_t value = 0; /* words of 4 bytes leave the rest 0: little-endian alone is exact */
    return opencl.GetDeviceInfo(device, what, sizeof value, &value, NULL) == 0 ? value : 0;
}

static void text_of(ClHandle device, uint32_t what, char *text, size_t room)
{
    char all[1024] = "";
    if (opencl.GetDeviceInfo(device, what, sizeof all - 1, all, NULL) != 0) all[0] = '\0';
    const char *start = all + strspn(all, " ");
    snprintf(text, room, "%s", start);
}

static bool has_extension(ClHandle device, const char *name)
{
    char all[EXTENSIONS] = "";
    if (opencl.GetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof all - 1, all, NULL) != 0)
        return false;
    return strstr(all, name) != NULL;
}

/* The device's own words; NULL: nothing against it. */
static const char *said_against(ClHandle device)
{
    const uint64_t every = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
    const uint64_t single = number_of(device, CL_DEVICE_SINGLE_FP_CONFIG);
    const uint64_t wide = number_of(device, CL_DEVICE_DOUBLE_FP_CONFIG);
    if (number_of(device, CL_DEVICE_COMPILER_AVAILABLE) == 0) return "it has no compiler";
    if (number_of(device, CL_DEVICE_ENDIAN_LITTLE) == 0) return "its bytes have another order";
    if ((single & CL_FP_DENORM) == 0) return "it has no denormal numbers";
    if ((single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) == 0)
        return "its division and roots are not rounded correctly";
    if ((single & every) != every) return "its single precision is not IEEE 754's";
    if ((wide & every) != every) return "it has no double precision";
    if (!has_extension(device, "cl_khr_int64_base_atomics")) return "it cannot add long integers";
    return NULL;
}

static void describe(ClHandle platform, ClHandle id, mote_DeviceInfo *info)
{
    char whose[64] = "", version[48];
    const char *against = said_against(id);
    *info = (mote_DeviceInfo){.memory = number_of(id, CL_DEVICE_GLOBAL_MEM_SIZE)};
    text_of(id, CL_DEVICE_NAME, info->name, sizeof info->name);
    text_of(id, CL_DRIVER_VERSION, version, sizeof version);
    if (opencl.GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof whose - 1, whose, NULL) != 0)
        whose[0] = '\0';
    snprintf(info->driver, sizeof info->driver, "%s, %s", whose, version);
    info->gpu = (number_of(id, CL_DEVICE_TYPE) & CL_TYPE_GPU) != 0;
    info->exact = against == NULL;
    if (against != NULL) snprintf(info->why, sizeof info->why, "%s", against);
}

static void close_queue(mote_Device *device)
{
    if (device->queue != NULL) opencl.ReleaseCommandQueue(device->queue);
    if (device->context != NULL) opencl.ReleaseContext(device->context);
    device->queue = device->context = NULL;
}

void opencl_new_queue(mote_Device *device, bool timed)
{
    ClStatus status = 0;
    if (device->queue != NULL) (void)opencl.Finish(device->queue);
    if (device->queue != NULL) opencl.ReleaseCommandQueue(device->queue);
    device->queue = opencl.CreateCommandQueue(device->context, device->id,
                                              timed ? CL_QUEUE_PROFILING : 0, &status);
    if (device->queue == NULL) device->failed = status != 0 ? status : -1, device->doing = "open";
}

static void open_queue(mote_Device *device)
{
    const ClProperty properties[] = {CL_CONTEXT_PLATFORM, (ClProperty)device->platform, 0};
    ClStatus status = 0;
    device->context = opencl.CreateContext(properties, 1, &device->id, NULL, NULL, &status);
    if (device->context != NULL)
        opencl_new_queue(device, false);
    else
        device->failed = status != 0 ? status : -1, device->doing = "open";
}

/* With a queue where it says nothing against itself; not exact unless a try says so, too. */
static mote_Device open_one(ClHandle platform, ClHandle id)
{
    mote_Device device = {.platform = platform, .id = id};
    describe(platform, id, &device.info);
    device.largest = number_of(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    device.counts_registers = has_extension(id, "cl_nv_compiler_options");
    if (!device.info.exact) return device;
    open_queue(&device);
    device.info.exact = device_selftest(&device, device.info.why);
    return device;
}

/* Calls `wants` on each device until it keeps one, which comes back; returns how many were seen. */
typedef bool Wants(void *context, const mote_Device *device);

static size_t for_devices(Wants *wants, void *context, mote_Device *kept)
{
    ClHandle platforms[MOST_PLATFORMS], ids[MOST_DEVICES];
    uint32_t platform_count = 0, count;
    size_t seen = 0;
    if (!is_there() || opencl.GetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != 0)
        return 0;
    for (uint32_t p = 0; p < platform_count && p < MOST_PLATFORMS; ++p) {
        count = 0;
        if (opencl.GetDeviceIDs(platforms[p], cl_type_all, MOST_DEVICES, ids, &count) != 0)
            continue;
        for (uint32_t i = 0; i < count && i < MOST_DEVICES; ++i, ++seen) {
            mote_Device device = open_one(platforms[p], ids[i]);
            if (wants(context, &device)) {
                *kept = device;
                return seen + 1;
            }
            close_queue(&device);
        }
    }
    return seen;
}

typedef struct DeviceListing {
    mote_DeviceInfo *devices;
    size_t count, room;
} DeviceListing;

static bool list_one(void *context, const mote_Device *device)
{
    DeviceListing *listing = context;
    if (listing->count < listing->room) listing->devices[listing->count] = device->info;
    ++listing->count;
    return false;
}

size_t mote_devices(mote_DeviceInfo *devices, size_t room)
{
    DeviceListing listing = {devices, 0, room};
    mote_Device none;
    return for_devices(list_one, &listing, &none);
}

typedef struct Wanted {
    const char *name;
    bool gpu;             /* any that is one, else by name */
    bool optional;        /* none will do */
    mote_DeviceInfo near; /* the name is right, but it is not exact */
} Wanted;

/* Names that mean more than a part of a name. */
static Wanted wanted_by(const char *name)
{
    static const Wanted special[] = {{.name = "gpu", .gpu = true},
                                     {.name = "auto", .gpu = true, .optional = true}};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; ++i)
        if (strcmp(special[i].name, name) == 0) return special[i];
    return (Wanted){.name = name};
}

static bool is_wanted(void *context, const mote_Device *device)
{
    Wanted *wanted = context;
    const mote_DeviceInfo *info = &device->info;
    if (wanted->gpu ? !info->gpu : strstr(info->name, wanted->name) == NULL) return false;
    if (!info->exact) wanted->near = *info;
    return info->exact;
}

static mote_Status refuse(const Wanted *wanted, size_t seen, mote_Error *error)
{
    if (wanted->near.name[0] != '\0')
        return status_fail(error, MOTE_UNAVAILABLE,
                           "device `%s` is not exact (%s), so its bits would not be those of the "
                           "processor; `mote info` lists devices that are",
                           wanted->near.name, wanted->near.why);
    if (seen == 0)
        return status_fail(error, MOTE_UNAVAILABLE,
                           "there is no device: install ocl-icd-libopencl1 and the driver of the "
                           "card (nvidia-opencl-icd, mesa-opencl-icd, intel-opencl-icd, or "
                           "pocl-opencl-icd for the processor), or use --device cpu");
    if (wanted->gpu)
        return status_fail(error, MOTE_UNAVAILABLE,
                           "there is no graphics card among the devices here; `mote info` lists "
                           "them, and --device takes a part of a name");
    return status_fail(error, MOTE_UNAVAILABLE,
                       "there is no device `%s`; `mote info` lists those that there are, cpu is "
                       "always there",
                       wanted->name);
}

mote_Status mote_device_open(const char *name, mote_Device **device, mote_Error *error)
{
    Wanted wanted = wanted_by(name);
    mote_Device found = {.id = NULL};
    *device = NULL;
    if (strcmp(name, "cpu") == 0) return MOTE_OK;
    const size_t seen = for_devices(is_wanted, &wanted, &found);
    if (found.id == NULL) return wanted.optional ? MOTE_OK : refuse(&wanted, seen, error);
    *device = malloc(sizeof **device);
    if (*device == NULL) {
        close_queue(&found);
        return status_no_memory(error, "a device", sizeof **device);
    }
    **device = found;
    (*device)->optional = wanted.optional;
    return MOTE_OK;
}

void mote_device_close(mote_Device *device)
{
    if (device == NULL) return;
    watch_free(device);
    close_queue(device);
    free(device);
}

/* What is known of a device without asking it. */
#include "device/own.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

const mote_DeviceInfo *mote_device_info(const mote_Device *device)
{
    return &device->info;
}

uint64_t mote_device_moved(const mote_Device *device)
{
    return device->moved;
}

bool device_is_optional(const mote_Device *device)
{
    return device->optional;
}

bool device_is_well(const mote_Device *device)
{
    return device->failed == 0;
}

bool device_is_too_small(const mote_Device *device)
{
    return device->wanted > 0;
}

void device_give_up(mote_Device *device)
{
    if (device->failed == 0) device->failed = CL_NO_SUCH_KERNEL, device->doing = "build a kernel";
}

bool mote_device_is_lost(const mote_Device *device, char why[MOTE_DEVICE_TEXT])
{
    if (device->failed == 0) return false;
    snprintf(why, MOTE_DEVICE_TEXT, "it could not %s (OpenCL error %d)", device->doing,
             (int)device->failed);
    return true;
}

void mote_device_verify(mote_Device *device, uint64_t every)
{
    device->verify = every;
}

bool device_is_verified(const mote_Device *device, uint64_t substep)
{
    return device->verify > 0 && substep % device->verify == 0;
}

bool device_same(const mote_real *a, const mote_real *b, size_t count)
{
    if (memcmp(a, b, count * sizeof *a) == 0) return true;
    for (size_t i = 0; i < count; ++i)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && (a[i] == a[i] || b[i] == b[i])) return false;
    return true;
}

mote_Status device_differs(const mote_Device *device, const DeviceDoubt *doubt, mote_Error *error)
{
    return status_fail(error, MOTE_UNAVAILABLE,
                       "system %s: device `%s` has other bits than the processor in %s of sub-step "
                       "%llu (t = %g s); frames since the last comparison may be wrong, too: run "
                       "them again with --device cpu",
                       doubt->system, device->info.name, doubt->what,
                       (unsigned long long)doubt->substep, doubt->t);
}

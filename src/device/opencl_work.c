/* What is done on an open device: memory, transfers, kernels, programs, times. */
#include "device/own.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool note(mote_Device *device, const char *doing, ClStatus status)
{
    if (status == 0 || device->failed != 0) return status == 0;
    device->failed = status, device->doing = doing;
    return false;
}

mote_Status device_check(mote_Device *device, const char *where, mote_Error *error)
{
    const double megabyte = 1 << 20;
    if (device->failed == 0) note(device, "finish", opencl.Finish(device->queue));
    if (device->failed == 0) return MOTE_OK;
    if (device->wanted > 0)
        return status_fail(error, MOTE_NO_MEMORY,
                           "%s: device `%s` has %.0f MB, of which %.0f MB are taken, and %.0f MB "
                           "more are needed; use fewer particles or --device cpu",
                           where, device->info.name, (double)device->info.memory / megabyte,
                           (double)device->bytes / megabyte, (double)device->wanted / megabyte);
    return status_fail(error, MOTE_UNAVAILABLE,
                       "%s: device `%s` is lost: it could not %s (OpenCL error %d); go on with "
                       "--device cpu, to the same bits",
                       where, device->info.name, device->doing, (int)device->failed);
}

void device_release(mote_Device *device, DeviceBuffer *buffer)
{
    if (buffer->pinned != NULL)
        (void)opencl.EnqueueUnmapMemObject(device->queue, buffer->memory, buffer->pinned, 0, NULL,
                                           NULL);
    else
        device->bytes -= buffer->bytes;
    if (buffer->memory != NULL) opencl.ReleaseMemObject(buffer->memory);
    *buffer = (DeviceBuffer){.bytes = 0};
}

void *device_pin(mote_Device *device, DeviceBuffer *buffer, size_t bytes)
{
    ClStatus status = 0;
    if (bytes <= buffer->bytes || device->failed != 0) return buffer->pinned;
    device_release(device, buffer);
    ClHandle memory = opencl.CreateBuffer(
        device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &status);
    if (memory == NULL) return NULL;
    void *at = opencl.EnqueueMapBuffer(device->queue, memory, 1, CL_MAP_READ | CL_MAP_WRITE, 0,
                                       bytes, 0, NULL, NULL, &status);
    if (at == NULL)
        opencl.ReleaseMemObject(memory);
    else
        *buffer = (DeviceBuffer){memory, bytes, at};
    return at;
}

void device_reserve(mote_Device *device, DeviceBuffer *buffer, size_t bytes)
{
    ClStatus status = 0;
    if (bytes <= buffer->bytes || device->failed != 0) return;
    device_release(device, buffer);
    if (bytes > device->largest)
        status = CL_OUT_OF_MEMORY;
    else
        buffer->memory =
            opencl.CreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (buffer->memory == NULL && status == 0) status = CL_OUT_OF_MEMORY;
    if (!note(device, "take memory", status)) {
        device->wanted = bytes;
        return;
    }
    buffer->bytes = bytes;
    device->bytes += bytes;
}

void device_put(mote_Device *device, const DeviceBuffer *to, size_t offset, const void *from,
                size_t bytes)
{
    if (device->failed != 0 || bytes == 0) return;
    device->moved += bytes;
    note(device, "write",
         opencl.EnqueueWriteBuffer(device->queue, to->memory, 1, offset, bytes, from, 0, NULL,
                                   watch_next(device, "write", NULL)));
    watch_take(device);
}

static void read(mote_Device *device, const DeviceBuffer *from, size_t offset, void *to,
                 size_t bytes, bool waits)
{
    if (device->failed != 0 || bytes == 0) return;
    device->moved += bytes;
    note(device, "read",
         opencl.EnqueueReadBuffer(device->queue, from->memory, waits, offset, bytes, to, 0, NULL,
                                  watch_next(device, "read", NULL)));
    if (waits) watch_take(device);
}

void device_get(mote_Device *device, const DeviceBuffer *from, size_t offset, void *to,
                size_t bytes)
{
    read(device, from, offset, to, bytes, true);
}

void device_fetch(mote_Device *device, const DeviceBuffer *from, size_t offset, void *to,
                  size_t bytes)
{
    read(device, from, offset, to, bytes, false);
}

void *device_begin_get(mote_Device *device, const DeviceBuffer *from, size_t offset, void *to,
                       size_t bytes)
{
    ClHandle event = NULL;
    if (device->failed != 0 || bytes == 0) return NULL;
    device->moved += bytes;
    note(device, "read",
         opencl.EnqueueReadBuffer(device->queue, from->memory, 0, offset, bytes, to, 0, NULL,
                                  &event));
    note(device, "read", opencl.Flush(device->queue));
    return event;
}

void device_end_get(mote_Device *device, void *begun)
{
    const ClHandle event = begun;
    if (event == NULL) return;
    note(device, "read", opencl.WaitForEvents(1, &event));
    opencl.ReleaseEvent(event);
}

void device_wait(mote_Device *device)
{
    if (device->failed == 0) note(device, "finish", opencl.Finish(device->queue));
    watch_take(device);
}

void device_clear(mote_Device *device, const DeviceBuffer *buffer, size_t bytes)
{
    const uint32_t zero = 0;
    if (device->failed != 0 || bytes == 0) return;
    note(device, "clear",
         opencl.EnqueueFillBuffer(device->queue, buffer->memory, &zero, sizeof zero, 0, bytes, 0,
                                  NULL, watch_next(device, "clear", NULL)));
}

void device_launch(mote_Device *device, const DeviceKernel *kernel, size_t items, size_t group,
                   const DeviceArgument *arguments)
{
    const size_t all = (items + group - 1) / group * group;
    if (device->failed != 0 || items == 0 || kernel == NULL) return;
    for (uint32_t i = 0; arguments[i].size > 0; ++i)
        note(device, "take an argument",
             opencl.SetKernelArg((ClHandle)kernel, i, arguments[i].size, arguments[i].value));
    if (device->failed != 0) return;
    note(device, "start a kernel",
         opencl.EnqueueNDRangeKernel(device->queue, (ClHandle)kernel, 1, NULL, &all, &group, 0,
                                     NULL, watch_next(device, NULL, (ClHandle)kernel)));
}

/* ---- programs ---- */

static bool built(const mote_Device *device, ClHandle program, const char *options)
{
    return opencl.BuildProgram(program, 1, &device->id, options, NULL, NULL) == 0;
}

ClHandle opencl_build_text(const mote_Device *device, const char *text, const char *options,
                           char *log, size_t room)
{
    ClStatus status = 0;
    ClHandle program = opencl.CreateProgramWithSource(device->context, 1, &text, NULL, &status);
    snprintf(log, room, "no reason is given");
    if (program == NULL || built(device, program, options)) return program;
    char *all = calloc(1, 1 << 16);
    if (all != NULL && opencl.GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG,
                                                  (1 << 16) - 1, all, NULL) == 0)
        snprintf(log, room, "%s", all);
    free(all);
    opencl.ReleaseProgram(program);
    return NULL;
}

ClHandle opencl_build_bytes(const mote_Device *device, const void *bytes, size_t size,
                            const char *options)
{
    ClStatus status = 0, each = 0;
    const unsigned char *binary = bytes;
    ClHandle program = opencl.CreateProgramWithBinary(device->context, 1, &device->id, &size,
                                                      &binary, &each, &status);
    if (program == NULL) return NULL;
    if (status == 0 && each == 0 && built(device, program, options)) return program;
    opencl.ReleaseProgram(program);
    return NULL;
}

void *opencl_built(ClHandle program, size_t *size)
{
    *size = 0;
    if (opencl.GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL) != 0 ||
        *size == 0)
        return NULL;
    unsigned char *bytes = malloc(*size);
    if (bytes != NULL &&
        opencl.GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == 0)
        return bytes;
    free(bytes);
    return NULL;
}

void opencl_free_program(ClHandle program)
{
    if (program != NULL) opencl.ReleaseProgram(program);
}

/* ---- kernels: what OpenCL has a handle of ---- */

DeviceKernel *device_kernel(DeviceProgram *program, const char *name)
{
    ClStatus status = 0;
    ClHandle kernel = opencl.CreateKernel(program->program, name, &status);
    note(program->device, "find a kernel", kernel != NULL ? status : CL_NO_SUCH_KERNEL);
    return (DeviceKernel *)kernel;
}

void device_free_kernel(DeviceKernel *kernel)
{
    if (kernel != NULL) opencl.ReleaseKernel((ClHandle)kernel);
}

/* ---- times ---- */

double opencl_event_seconds(ClHandle event)
{
    uint64_t begin = 0, end = 0;
    const ClStatus status =
        opencl.GetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin,
                                     NULL) |
        opencl.GetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    opencl.ReleaseEvent(event);
    return status == 0 && end > begin ? 1e-9 * (double)(end - begin) : 0;
}

void opencl_kernel_name(ClHandle kernel, char *name, size_t room)
{
    if (opencl.GetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, room, name, NULL) != 0)
        snprintf(name, room, "a kernel");
}

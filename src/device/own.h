/* What the files of this module share: the loaded library, and devices in it. */
#ifndef DEVICE_OWN_H
#define DEVICE_OWN_H

#include "device/device.h"
#include "device/opencl.h"

#define CL_POINTER(result, name, arguments) result(*name) arguments;
/* What was loaded of the library. */
typedef struct OpenCl {
    CL_FUNCTIONS(CL_POINTER)
} OpenCl;
extern OpenCl opencl;

/* Work that was put into the queue, and not looked at yet. */
typedef struct DeviceEvent {
    ClHandle event;
    const char *what; /* a transfer; NULL: a kernel */
    ClHandle kernel;
} DeviceEvent;

/* Where a device's time goes, while somebody asks (watch.c). */
typedef struct DeviceWatch {
    bool on;
    DeviceEvent *events;
    size_t event_count, event_room;
    mote_DeviceTime *times;
    size_t count, room;
} DeviceWatch;

struct mote_Device {
    ClHandle platform, id, context, queue;
    mote_DeviceInfo info;
    uint64_t verify;       /* sub-steps from one comparison to the next; 0: none */
    bool optional;         /* what it cannot do, the processor does */
    bool counts_registers; /* its compiler can be told how many */
    uint64_t largest;      /* bytes of one buffer */
    ClStatus failed;       /* of the first call that did; 0: none has */
    const char *doing;
    size_t bytes, wanted; /* held; and what could not be had */
    uint64_t moved;       /* bytes, there and back */
    DeviceWatch watch;
};

struct DeviceProgram {
    mote_Device *device;
    ClHandle program;
};

/* Built from a text, or from what was built before; NULL with the builder's words in `log`. */
ClHandle opencl_build_text(const mote_Device *device, const char *text, const char *options,
                           char *log, size_t room);
ClHandle opencl_build_bytes(const mote_Device *device, const void *bytes, size_t size,
                            const char *options);
/* What was built, from malloc; NULL: there is none. */
void *opencl_built(ClHandle program, size_t *size);
void opencl_free_program(ClHandle program);

/* Begins a queue that notes when its work begins and ends, or one that does not. */
void opencl_new_queue(mote_Device *device, bool timed);
/* Seconds that work took, which is done; gives the event back. */
double opencl_event_seconds(ClHandle event);
void opencl_kernel_name(ClHandle kernel, char *name, size_t room);

/* ---- watch.c ---- */

/* Where the event of this work goes; NULL: nobody asks. Of kernels `what` is NULL. */
ClHandle *watch_next(mote_Device *device, const char *what, ClHandle kernel);
/* All that was put into the queue is done. */
void watch_take(mote_Device *device);
void watch_free(mote_Device *device);

#endif

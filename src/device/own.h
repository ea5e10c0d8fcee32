/* What the files of this module share: the loaded library, and devices in it. */
#ifndef DEVICE_OWN_H
#define DEVICE_OWN_H

#include "device/device.h"
#include "device/opencl.h"

struct mote_Device {
    ClHandle platform, id, context, queue;
    mote_DeviceInfo info;
    uint64_t verify;  /* sub-steps from one comparison to the next; 0: none */
    bool optional;    /* what it cannot do, the processor does */
    uint64_t largest; /* bytes of one buffer */
    ClStatus failed;  /* of the first call that did; 0: none has */
    const char *doing;
    size_t bytes, wanted; /* held; and what could not be had */
    uint64_t moved;       /* bytes, there and back */
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

#endif

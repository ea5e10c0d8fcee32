/* A device: a machine beside the processor, with memory and programs of its own.
 *
 * Calls are put in a row and done in their order. What goes wrong is kept, and everything after it
 * does nothing: device_check says so at the end. Texts of programs are OpenCL C; they are built
 * with contraction off and correctly rounded division and roots, so that formulas have the bits of
 * the processor's. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include <mote/device.h>

typedef struct DeviceProgram DeviceProgram;
typedef struct DeviceKernel DeviceKernel;

/* Memory of a device; starts as {0}. */
typedef struct DeviceBuffer {
    void *memory;
    size_t bytes;
    void *pinned; /* it is the processor's: where */
} DeviceBuffer;

/* What a kernel is called with: a buffer, or so many bytes of a value. */
typedef struct DeviceArgument {
    const void *value;
    size_t size;
} DeviceArgument;

#define DEVICE_VALUE(v)       ((DeviceArgument){&(v), sizeof(v)})
#define DEVICE_MEMORY(b)      ((DeviceArgument){&(b).memory, sizeof(void *)})
#define DEVICE_ARGUMENTS(...) ((const DeviceArgument[]){__VA_ARGS__, {0}})

/* Room for so many bytes; what was there is lost when it grows. */
void device_reserve(mote_Device *device, DeviceBuffer *buffer, size_t bytes);
void device_release(mote_Device *device, DeviceBuffer *buffer);

void device_put(mote_Device *device, const DeviceBuffer *to, size_t offset, const void *from,
                size_t bytes);
/* Waits until it is there. */
void device_get(mote_Device *device, const DeviceBuffer *from, size_t offset, void *to,
                size_t bytes);
/* Room in memory of the processor that transfers are fast to; NULL: there is none, and nothing is
 * wrong with the device. */
void *device_pin(mote_Device *device, DeviceBuffer *buffer, size_t bytes);
/* The same as device_get, but it is there when device_wait was called. */
void device_fetch(mote_Device *device, const DeviceBuffer *from, size_t offset, void *to,
                  size_t bytes);
void device_wait(mote_Device *device);
/* A read that what is put into the row after it does not wait for, nor it for that: it is there
 * when device_end_get was called with what comes back. */
void *device_begin_get(mote_Device *device, const DeviceBuffer *from, size_t offset, void *to,
                       size_t bytes);
void device_end_get(mote_Device *device, void *begun);
void device_clear(mote_Device *device, const DeviceBuffer *buffer, size_t bytes);

/* `items` work-items, filled up to whole groups of `group`; arguments end with an empty one. */
void device_launch(mote_Device *device, const DeviceKernel *kernel, size_t items, size_t group,
                   const DeviceArgument *arguments);

/* MOTE_OK, or what has gone wrong since the device was opened; waits for what was begun. `where`
 * starts the message. */
mote_Status device_check(mote_Device *device, const char *where, mote_Error *error);

/* ---- device.c: without waiting ---- */

bool device_is_well(const mote_Device *device);
/* It is not well, because it has not so much memory. */
bool device_is_too_small(const mote_Device *device);
/* Whether what it cannot do is left to the processor: it was asked for as "auto". */
bool device_is_optional(const mote_Device *device);
/* Nothing more is asked of it. */
void device_give_up(mote_Device *device);
/* Whether what it does in this sub-step is to be compared with the processor's. */
bool device_is_verified(const mote_Device *device, uint64_t substep);

/* Every bit; but what is no number is none, whatever its bits. */
bool device_same(const mote_real *a, const mote_real *b, size_t count);

/* Where a device has other bits than the processor. */
typedef struct DeviceDoubt {
    const char *system, *what;
    uint64_t substep;
    double t; /* s */
} DeviceDoubt;

/* MOTE_UNAVAILABLE, in words. */
mote_Status device_differs(const mote_Device *device, const DeviceDoubt *doubt, mote_Error *error);

/* ---- program.c ---- */

typedef struct DeviceText {
    const char *name, *text;
} DeviceText;

/* The texts one after another, built or from the cache of what was built before; NULL with the
 * reason when that fails. */
DeviceProgram *device_build(mote_Device *device, const DeviceText *texts, size_t count,
                            const char *options, mote_Error *error);
/* Adds to options how many registers a work-item may have, where that can be said: more work-items
 * at once, or fewer with more. */
void device_limit_registers(const mote_Device *device, int most, char *options, size_t room);
void device_free_program(DeviceProgram *program);
/* NULL: there is none of that name, and the device is not well any more. */
DeviceKernel *device_kernel(DeviceProgram *program, const char *name);
void device_free_kernel(DeviceKernel *kernel);

/* ---- selftest.c ---- */

/* Operations of numbers on the device against the processor's. False: some differ, or it could not
 * be tried; `why` says which. */
bool device_selftest(mote_Device *device, char why[MOTE_DEVICE_TEXT]);

#endif

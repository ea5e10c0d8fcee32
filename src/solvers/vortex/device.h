/* Sums over vortons on a device (device/sums.cl), to the bits of the processor: it adds up the
 * same short sums in the same order. Vortons stay the processor's; places and strengths go there
 * for a sum, and what they induce comes back. So a device that is lost costs nothing: the processor
 * takes the sum. */
#ifndef SOLVERS_VORTEX_DEVICE_H
#define SOLVERS_VORTEX_DEVICE_H

#include "device/device.h"
#include "solvers/solver.h"
#include "solvers/vortex/induce.h"

/* What a program is built for. */
typedef struct SumKind {
    const CoreRow *core;
    Quantity quantity;
    uint32_t points; /* of a work-item */
    bool in_lines;   /* they are of one line along z */
} SumKind;

typedef struct SumProgram {
    SumKind kind;
    DeviceProgram *program;
    DeviceKernel *all, *add_all;
} SumProgram;

typedef enum SumBuffer {
    SUM_BUFFER_SOURCES, /* place and core, strength: two vectors of four */
    SUM_BUFFER_PLACES,
    SUM_BUFFER_PARTS, /* short sums */
    SUM_BUFFER_OUT,
    SUM_BUFFERS
} SumBuffer;

enum { SUM_PROGRAMS = 8 }; /* of a solver: three quantities, lines of some lengths */

typedef struct SumDevice {
    mote_Device *device;
    Memory *memory;
    SumProgram programs[SUM_PROGRAMS];
    size_t program_count;
    DeviceBuffer buffers[SUM_BUFFERS];
    uint64_t pairs; /* of a source and a point, ever */
    /* Of the sub-step: */
    const SolverStep *step; /* NULL: there is none, as in a benchmark */
    mote_Status status;     /* why a sum could not be had, where that was not the host's memory */
    mote_Error error;
} SumDevice;

/* NULL: no memory. */
SumDevice *sum_device_make(mote_Device *device, Memory *memory);
void sum_device_free(SumDevice *d);

/* The device of a sub-step, in `kept` from one to the next; NULL: there is none, or it cannot do
 * anything of the solver. */
mote_Status sum_device_of(const SolverStep *step, SumDevice **kept, SumDevice **device,
                          mote_Error *error);

/* NULL: d->status says why. */
const SumProgram *sum_program(SumDevice *d, const SumKind *kind);

/* A sum that the processor or a device can take, to the same bits. */
typedef struct SumTask {
    const InduceRequest *request;
    void *context;
    mote_real *const *out; /* planes */
    size_t count;          /* of points */
    void (*here)(const struct SumTask *task, mote_real *const *out);
    bool (*there)(const struct SumTask *task); /* false: no memory, or d->status says why */
} SumTask;

/* False: out of memory, or the device's status says what. */
bool sum_somewhere(const SumTask *task);

/* ---- device_sums.c ---- */

/* All sources at all points. */
bool sum_all_there(const SumTask *task);

/* ---- solver.c ---- */

const char *vortex_off_device(const Solver *solver);

#endif

/* Sums over vortons on a device (device/sums.cl), to the bits of the processor: it adds up the
 * same short sums in the same order. Vortons stay the processor's; places and strengths go there
 * for a sum, and what they induce comes back. So a device that is lost costs nothing: the processor
 * takes the sum. */
#ifndef SOLVERS_VORTEX_DEVICE_H
#define SOLVERS_VORTEX_DEVICE_H

#include "device/device.h"
#include "solvers/solver.h"
#include "solvers/vortex/induce.h"

/* Where points are: anywhere, on lines along z, in groups that see lists. */
typedef enum SumForm { SUM_ALL, SUM_LINES, SUM_LISTED } SumForm;

/* What a program is built for. */
typedef struct SumKind {
    const CoreRow *core;
    Quantity quantity;
    SumForm form;
    uint32_t points; /* of a work-item */
} SumKind;

typedef struct SumProgram {
    SumKind kind;
    DeviceProgram *program;
    DeviceKernel *sum;
} SumProgram;

typedef enum SumBuffer {
    SUM_BUFFER_SOURCES, /* place and core, strength: two vectors of four */
    SUM_BUFFER_PLACES,
    SUM_BUFFER_PARTS, /* short sums */
    SUM_BUFFER_OUT,
    SUM_BUFFER_RUNS, /* from here on of trees */
    SUM_BUFFER_UNITS,
    SUM_BUFFER_GROUPS,
    SUM_BUFFERS
} SumBuffer;

enum { SUM_PROGRAMS = 10 }; /* of a solver: three quantities, lines of some lengths, the tree */

typedef struct SumDevice {
    mote_Device *device;
    Memory *memory;
    SumProgram programs[SUM_PROGRAMS];
    size_t program_count;
    DeviceProgram *adding; /* up short sums */
    DeviceKernel *add_all, *add_listed;
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

enum {
    PACKED_SOURCE = 8, /* numbers: place and core, strength and nothing */
    PACKED_PLACE = 4,
    PACK_GRAIN = 4096
};

/* Of short sums, before they are added up. */
static const size_t sum_parts_bytes = (size_t)64 << 20;

/* Sources [begin, end), as they travel. */
void sum_pack_sources(const mote_real *const planes[SOURCE_PLANES], size_t begin, size_t end,
                      mote_real *to);

/* Points go there; and what was found for all of a task's comes back. False: no memory. */
bool sum_put_places(const InduceRequest *r, const mote_real *const x[3], size_t count);
bool sum_get_planes(const SumTask *task);

/* All sources at all points. */
bool sum_all_there(const SumTask *task);

/* ---- device_tree.c ---- */

/* What groups of points see of a tree; the context is a TreecodeWalk. */
bool sum_tree_there(const SumTask *task);

/* ---- solver.c ---- */

const char *vortex_off_device(const Solver *solver);

#endif

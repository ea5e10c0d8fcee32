/* What the files that go over pairs on a device share. */
#ifndef SOLVERS_SPH_DEVICE_H
#define SOLVERS_SPH_DEVICE_H

#include "device/device.h"
#include "solvers/sph/backend.h"
#include "space/formulas/rod_law.h"

enum {
    DEVICE_GROUP = 64,  /* work-items */
    DEVICE_NOTES = 1024 /* parts that maxima and sums are taken in */
};

/* Forces with some terms, as a program. */
typedef struct ForceProgram {
    Terms terms;
    DeviceProgram *program;
    DeviceKernel *forces, *largest;
} ForceProgram;

/* The operators of incompressible liquids. */
typedef struct FlowProgram {
    FlowTerms terms;
    DeviceProgram *program;
    DeviceKernel *pack, *prepare, *accelerate, *close;
} FlowProgram;

/* Iterations of incompressible liquids: what they do but going over pairs. */
typedef enum SolveKernel {
    KERNEL_TAKE,
    KERNEL_GIVE,
    KERNEL_RESTART,
    KERNEL_MEND,
    KERNEL_JUDGE,
    KERNEL_DECIDE,
    KERNEL_NEXT,
    KERNEL_CELLS, /* of the coarse grid */
    KERNEL_LARGEST,
    KERNEL_DEPOSIT,
    KERNEL_COLLECT,
    KERNEL_TOTAL,
    KERNEL_START,
    KERNEL_MULTIPLY,
    KERNEL_GO,
    KERNEL_SPREAD,
    SOLVE_KERNELS
} SolveKernel;

typedef struct SolveProgram {
    DeviceProgram *program;
    DeviceKernel *kernels[SOLVE_KERNELS];
    RodLaw rods;       /* of the present sub-step */
    bool anew;         /* the next trial starts from what is in flow */
    uint32_t chained;  /* what is started now is part of a chain of iterations */
    uint32_t steps;    /* of conjugate gradients, in the last solve on the coarse grid */
    uint32_t which;    /* of a sub-step's solves */
    uint64_t usual[2]; /* iterations that they took the last time */
    uint64_t begun;    /* by the present one */
} SolveProgram;

typedef enum SphBuffer {
    BUFFER_X,
    BUFFER_PLACES, /* the same by place, in fours */
    BUFFER_BOUNDS, /* of cells: ends by key, or first places */
    BUFFER_KEYS,
    BUFFER_COUNTS,
    BUFFER_LISTS,
    BUFFER_SUMS,
    BUFFER_NOTES,
    BUFFER_PACKETS,
    BUFFER_TRAITS,
    BUFFER_A,
    BUFFER_RATE,
    BUFFER_EXCESS,
    BUFFER_SQUARES,
    BUFFER_Q, /* from here on of incompressible liquids */
    BUFFER_FLOW,
    BUFFER_WALL,
    BUFFER_SLOPES,
    BUFFER_UNEVEN,
    BUFFER_STIFFNESS,
    BUFFER_MOVES,
    BUFFER_CLOSING,
    BUFFER_SOFT,
    BUFFER_SOURCE,
    BUFFER_TRIED, /* FlowInput has them as pressure, error, way, answer */
    BUFFER_ERROR,
    BUFFER_WAY,
    BUFFER_ANSWER,
    BUFFER_FLOW_NOTE,
    BUFFER_CONTROL,
    BUFFER_GRID_CELLS,
    BUFFER_GRID_PARTS,
    BUFFER_GRID_NODES,
    BUFFER_GRID_STATE,
    BUFFERS
} SphBuffer;

enum { DEVICE_TERMS = 4 }; /* of forces: with the continuity equation there are two */

enum { DEVICE_OPTIONS = 400 }; /* characters */

typedef struct SphDevice {
    mote_Device *device;
    DeviceProgram *program;
    DeviceKernel *search, *pack, *tally, *crowd;
    ForceProgram forces[DEVICE_TERMS];
    size_t force_count;
    FlowProgram flow;
    SolveProgram solve;
    struct SphStay *stay; /* of rows that stay there (stay.h) */
    DeviceBuffer buffers[BUFFERS];
    uint32_t room;      /* of a list, in entries */
    mote_real *fetched; /* three planes that came back, before they go where they belong */
    size_t fetched_room;
} SphDevice;

/* step->state->device, made where it is not there, with room for all that the sub-step will want.
 * What went wrong on the device itself is for device_is_well to say. */
mote_Status sph_open_device(SphStep *step, mote_Error *error);

/* The same without what goes by cell. */
mote_Status sph_open_places(SphStep *step, mote_Error *error);

/* Numbers that the library has, and as many lanes at once as suit the device. */
void sph_device_options(const mote_Device *device, char options[DEVICE_OPTIONS]);

/* With these terms. NULL: it cannot be built. */
const ForceProgram *sph_force_program(SphDevice *d, const Terms *terms, mote_Error *error);

/* What the compiler is told of them. */
void sph_force_options(const mote_Device *device, const Terms *t, char options[DEVICE_OPTIONS]);
bool sph_same_terms(const Terms *a, const Terms *b);
void sph_free_forces(ForceProgram *forces);

/* d->flow with these terms. False: it cannot be built. */
bool sph_flow_program(SphDevice *d, const FlowTerms *terms, mote_Error *error);

/* Room for what acts between pairs. */
void sph_reserve_pairs(SphDevice *d, const SphStep *step);

/* Room for operators, as long as the lists. */
void sph_reserve_flow(SphDevice *d, const SphStep *step);

/* A program cannot be built: that is an error, which is said once, unless any device would have
 * done; then this one is given up. */
mote_Status sph_cannot_build(SphDevice *d);

/* Leaves the rest of the sub-step, and all that follow, to the processor: its lists are there then.
 */
mote_Status sph_leave_device(SphStep *step, mote_Error *error);

/* ---- device_flow.c ---- */

/* Does a task for all places; f->status says whether it was done. */
void sph_device_flow(struct Flow *f, FlowTask task);

/* What loops do of the operators then. */
extern const FlowOperators sph_device_operators;

/* One of them, on places and pressures that are there. */
void sph_device_close(SphDevice *d, const struct Flow *f, FlowClosing walls);
void sph_device_prepare(SphDevice *d, const struct Flow *f);
void sph_device_accelerate(SphDevice *d, const struct Flow *f);

/* It does what is left of a solve or an operator no more: the processor has what it needs to go on
 * with the pressures that it has. */
mote_Status sph_leave_flow(struct Flow *f, FlowTask task, bool built);

/* ---- device_solve.c ---- */

/* d->solve. False: it cannot be built. */
bool sph_solve_program(SphDevice *d, mote_Error *error);
void sph_free_solve(SphDevice *d);

/* Rods of cells that have a table. False: devices have no numbers for them. */
bool sph_rod_law(const Cells *cells, RodLaw *law);

/* On pressures that are there. */
extern const struct FlowHands sph_device_hands;

/* All iterations of a solve: of velocities and of positions by turns, from sph_device_prepare on.
 */
struct FlowSolved sph_solve_there(struct Flow *f, const struct FlowGoal *goal);

/* The same where pressures are the processor's; false: they are left to it. */
bool sph_device_solve(struct Flow *f, const struct FlowGoal *goal, struct FlowSolved *solved);

/* ---- device_coarse.c ---- */

/* Particles by cell of the grid, as the processor has counted them. */
void sph_put_coarse(SphDevice *d, const struct Flow *f);

/* Or counted there. */
void sph_count_coarse(SphDevice *d, const struct Flow *f);

/* What coarse_mend does, to pressures that are there. */
void sph_device_coarse(SphDevice *d, const struct Flow *f);

/* Entries from one plane to the next. */
static inline size_t sph_device_stride(const SphStep *step)
{
    return (step->rows + DEVICE_GROUP - 1) / DEVICE_GROUP * DEVICE_GROUP;
}

/* ---- device_check.c ---- */

/* Every bit; but what is no number is none, whatever its bits. */
bool sph_same(const mote_real *a, const mote_real *b, size_t count);
mote_Status sph_differs(const SphStep *step, const char *what, mote_Error *error);

/* Whether the device found the neighbours that the processor finds, whose lists are there then. */
mote_Status sph_verify_find(const SphStep *step, mote_Error *error);

/* What the processor makes of the same input, and whether the device made that. */
typedef struct ForceCheck {
    ForceInput input; /* with planes of its own */
    bool due;
} ForceCheck;

mote_Status sph_begin_check(SphStep *step, const ForceInput *input, ForceCheck *check,
                            mote_Error *error);
mote_Status sph_end_check(SphStep *step, const ForceInput *input, const ForceCheck *check,
                          mote_Error *error);

/* The sums of shifting, as the device made them. */
mote_Status sph_verify_crowd(const SphStep *step, const ShiftInput *input, mote_Error *error);

mote_Status sph_verify_flow(struct Flow *f, FlowTask task);
/* Where it is due: what the processor makes of a solve, beside it, and whether the device made
 * that.
 */
mote_Status sph_begin_solve(struct Flow *f, const struct FlowGoal *goal);
mote_Status sph_verify_solve(const struct Flow *f);

#endif

/* Liquids whose rows stay on a device from sub-step to sub-step: all of a sub-step is done there,
 * and one note comes back. Rows come home when somebody asks for them (stay.c says who may stay).
 *
 * The device has rows as the processor has them, in two sets: where a sub-step starts, and where it
 * ends. So one that must be done again, because a list was too short, begins where it began. */
#ifndef SOLVERS_SPH_STAY_H
#define SOLVERS_SPH_STAY_H

#include "solvers/sph/device.h"
#include "solvers/sph/explicit.h"

#include "solvers/sph/formulas/stay_law.h"

typedef enum StayBuffer {
    STAY_X, /* rows: two sets of positions and velocities */
    STAY_X_END,
    STAY_V,
    STAY_V_END,
    STAY_IDS,
    STAY_IDS_END,
    STAY_HOME, /* where each row is at the processor's, when they were sorted here */
    STAY_HOME_END,
    STAY_DENSITY_ROWS,
    STAY_PRESSURE_ROWS,
    STAY_LIFT_ROWS, /* of incompressible liquids */
    STAY_SPARE_ROWS,
    STAY_KEYS, /* sorting */
    STAY_COUNTS,
    STAY_TOPS,
    STAY_DEALT, /* and places at walls, later */
    STAY_ORDER,
    STAY_V_PLACES, /* places */
    STAY_DENSITY,
    STAY_PRESSURE,
    STAY_BY, /* what walls push: FLOW_LOADS less one planes */
    STAY_TOLD,
    STAY_SHAPES, /* walls */
    STAY_PLANES,
    STAY_TABLE,
    STAY_RAYS,
    STAY_BOXES,
    STAY_SPANS,
    STAY_SHARES,
    STAY_COUNTERS,
    STAY_GROUPS, /* notes of groups, and the note, which has limbs behind it */
    STAY_NOTE,
    STAY_PINNED, /* rows as they came home last */
    STAY_PINNED_NOTE,
    STAY_BUFFERS
} StayBuffer;

typedef enum StayKernel {
    KERNEL_COUNT,
    KERNEL_SCAN,
    KERNEL_TOPS,
    KERNEL_DEAL,
    KERNEL_PLACE,
    KERNEL_REORDER,
    KERNEL_NEAR,
    KERNEL_EDGES,
    KERNEL_NOTE,
    KERNEL_WRAP,
    KERNEL_KICK, /* of incompressible liquids */
    KERNEL_UNLIFT,
    KERNEL_SOURCE,
    KERNEL_PUSH,
    KERNEL_FINISH,
    KERNEL_TELL,
    KERNEL_LOWER,
    KERNEL_THIN,
    KERNEL_LOADS,
    KERNEL_FOLLOW,
    STAY_KERNELS
} StayKernel;

/* Which set of rows is sorted by place. */
typedef enum StayPlaced { PLACED_NONE, PLACED_START, PLACED_END } StayPlaced;

enum { STAY_COLLIDERS = 16 }; /* more are left to the processor */

/* What the device made of a sub-step that is compared with the processor. */
typedef struct StayExpected {
    mote_real *rows; /* planes of positions, velocities, density, pressure, lift */
    double push, squeeze;
    const mote_ColliderLoad *loads;
} StayExpected;

/* What a liquid has there. */
typedef struct SphStay {
    DeviceProgram *program;
    DeviceKernel *kernels[STAY_KERNELS];
    ForceProgram drive; /* of liquids with an equation of state */
    DeviceBuffer buffers[STAY_BUFFERS];
    bool there;      /* the device has the rows of the moment */
    bool away;       /* and the processor has not */
    bool flows;      /* they are of an incompressible liquid */
    bool refused;    /* the last sub-step was not accepted: a shorter one is to be tried at home */
    bool sorted;     /* in another order than the processor has them */
    bool tabled;     /* tables of walls are there */
    bool known;      /* those at home may still be those that came home last, which it has */
    uint64_t layout; /* the system's then */
    Cells window;    /* of cells, by which places are sorted: that of the rows, or somewhat more */
    StayPlaced placed;
    size_t cleared; /* bytes of the note, when they were */
    size_t rows;    /* of them */
    size_t plane;   /* numbers from one plane of rows to the next */
    uint32_t share_room;
    StayNote note;          /* of the last sub-step there */
    StayShape *shapes;      /* of the present one */
    size_t shape_capacity;  /* of them */
    StayShape *sent_shapes; /* what the device has of walls */
    MeshPlane *sent_planes;
    size_t sent_shape_room, sent_plane_room, sent_shape_count, sent_plane_count;
    bool beside;                  /* what it does now is compared before rows are wrapped */
    const StayExpected *expected; /* NULL: nothing is compared now */
    mote_Tasks *tasks;            /* of the world, and an arena, for rows that come home */
    Arena spare;
} SphStay;

/* Sends rows to the device where this sub-step can be done there without anybody's rows; else not
 * `there`. Chooses step->cells. */
mote_Status sph_go_there(SphStep *step, bool *there, mote_Error *error);

/* The cells of rows that are there; false: there are too many for a table. */
bool sph_stay_cells(SphStep *step);

/* All of a sub-step on the device. Nothing of the liquid has changed when it fails. */
mote_Status sph_stay_step(SphStep *step, mote_Error *error);

/* What ways to do it share. A sub-step begins with places, their neighbours, walls and densities;
 * of incompressible liquids then come what acts between pairs beside pressures. */
StayLaw sph_stay_law(const SphStep *step, const ExplicitLaw *explicit);
void sph_stay_begin(SphDevice *d, const SphStep *step, StayLaw *law);
void sph_stay_forces(SphDevice *d, const StayLaw *law, const ForceProgram *program,
                     const PairLaw *pairs);

/* Whether all had room; else they have now. */
bool sph_stay_had_room(SphDevice *d, uint32_t longest, uint32_t shares);

/* The note that ends it, into stay->note; limbs are behind the notes, those of the first colliders
 * with what they got. False: the device is lost. */
bool sph_stay_take_note(SphDevice *d, const StayLaw *law, uint32_t colliders, StayNote *notes);

/* Rows are where they end. */
void sph_stay_accept(SphStep *step, const StayLaw *law, const Limbs *crowding);

mote_Status sph_stay_lost(const SphStep *step, mote_Error *error);

/* ---- stay_flow.c ---- */

/* The same of an incompressible liquid. Not accepted: nothing has changed, and a shorter one may do
 * better. */
mote_Status sph_stay_flow(SphStep *step, SolveResult *result, mote_Error *error);

/* ---- stay_sort.c ---- */

/* What kernels know of the cells. */
void sph_stay_set_cells(const SphStep *step, StayLaw *law);
void sph_stay_reserve_sort(SphDevice *d, const StayLaw *law);
/* The same of where rows end, while the processor looks at the note. */
void sph_stay_sort_ahead(SphDevice *d, const StayLaw *law);
/* A window for the rows of step->cells. */
void sph_stay_choose_window(SphStay *stay, const Cells *tight);
/* Of the note of a sub-step, with the limbs behind it. */
size_t sph_stay_note_bytes(const StayLaw *law);

/* Places of rows, by cell and id: order, positions and velocities by place, ends of cells. */
void sph_stay_sort(SphDevice *d, const StayLaw *law);

/* The processor's rows into the order that they were brought into on the device. */
bool sph_stay_reorder_home(SphStay *stay, mote_Device *device, const SphMember *member);

static inline void sph_stay_launch(SphDevice *d, StayKernel kernel, size_t items,
                                   const DeviceArgument *arguments)
{
    device_launch(d->device, d->stay->kernels[kernel], items, STAY_GROUP, arguments);
}

static inline size_t stay_larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static inline void sph_stay_swap(SphStay *stay, StayBuffer a, StayBuffer b)
{
    const DeviceBuffer other = stay->buffers[a];
    stay->buffers[a] = stay->buffers[b], stay->buffers[b] = other;
}

/* Arguments of kernels. */
#define STAY_MEMORY(d, buffer) DEVICE_MEMORY((d)->stay->buffers[STAY_##buffer])
#define SPH_MEMORY(d, buffer)  DEVICE_MEMORY((d)->buffers[BUFFER_##buffer])

/* ---- stay.c ---- */

/* Where rows started in the last sub-step, into six planes of the processor. */
void sph_fetch_start(const SphStay *stay, mote_Device *device, mote_real *const planes[6]);

/* Where they ended, into positions, velocities, density, pressure and, where there is one, lift. */
enum { STAY_ROW_PLANES = 9 };
void sph_fetch_rows(const SphStay *stay, mote_Device *device,
                    mote_real *const planes[STAY_ROW_PLANES]);

/* ---- stay_walls.c ---- */

/* The colliders as devices know them, into stay->shapes; false: one of them has no formula there,
 * or holds what would leave it. */
bool sph_stay_shapes(SphStep *step, SphStay *stay);
size_t sph_stay_shape_count(const SphStep *step);

void sph_free_stay(SphDevice *d, Memory *memory);

#endif

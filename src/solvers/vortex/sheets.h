/* Sheets: the vortex sheets that bodies are to the flow, of panels (boundary `panels`). */
#ifndef SOLVERS_VORTEX_SHEETS_H
#define SOLVERS_VORTEX_SHEETS_H

#include "solvers/solver.h"
#include "solvers/vortex/keep.h"
#include "solvers/vortex/panels.h"
#include "solvers/vortex/vortons.h"

/* Core radius of new vortons, in sides of panels. Wide enough that the vortons of neighbouring
 * edges overlap. */
#define SHED_CORE 0.7
enum { SHED_NUMBERS = 7 }; /* of a vorton that is shed: place, strength, core radius */

/* A sheet's state: kept in Sheets.kept, as doubles. */
enum {
    SHEET_KNOWN,        /* 1: the rest is of the last sub-step */
    SHEET_IMPULSE,      /* over density, about the world's origin; m^4/s */
    SHEET_VELOCITY = 4, /* of the body's middle */
    /* What the sheet will take as a free body yields to the last push, kg m/s and kg m^2/s:
     * foreseen then, so that it is no new push. */
    SHEET_YIELDED = 7,
    SHEET_TURNED = 10,
    SHEET_MU = 13 /* m^2/s, of each panel; then what each edge holds, and slips */
};

typedef struct Sheet {
    uint32_t number; /* of the collider */
    Panels panels;
    D3 middle;        /* of the volume, in the shape's frame */
    double added[3];  /* m^3: added volumes along the shape's axes */
    double turned[3]; /* m^5: added moments of inertia over density, about them */
    double *kept;     /* sheet_numbers of Sheets.kept */
} Sheet;

static inline size_t sheet_numbers(const Panels *p)
{
    return SHEET_MU + p->count + p->edge_count + 3 * (size_t)panels_sides(p) * p->count;
}

/* Circulations that stay at edges when the opposite is shed there, m^2/s. */
static inline double *sheet_held(const Sheet *sheet)
{
    return sheet->kept + SHEET_MU + sheet->panels.count;
}

/* The flow past each panel at the end of the last sub-step, in the shape's frame, m/s; then on its
 * other side. */
static inline D3 *sheet_slip(const Sheet *sheet)
{
    return (D3 *)(sheet_held(sheet) + sheet->panels.edge_count);
}

/* All of a solver. */
typedef struct Sheets {
    Sheet *items;
    size_t count, colliders; /* with panels; looked at */
    bool made;
    double *kept; /* state; of panels the first is the longest next sub-step in s, 0: any */
    size_t kept_count;
    double *shed; /* state: vortons that become rows at the start of the next sub-step */
    size_t shed_count, shed_capacity; /* vortons */
} Sheets;

/* During a sub-step. */
typedef struct SheetWork {
    Sheets *all;
    Memory *memory; /* for what they keep */
    Sources lines; /* vortex lines as vortons; those of sheet k are from first[k] to first[k + 1] */
    size_t *first;
    mote_Pose *end; /* of each sheet's body, at the end of the sub-step */
    const Collider **colliders;
    D3 *impulse; /* over density, given to vortons by each sheet in this sub-step */
} SheetWork;

void sheets_free(Sheets *sheets, Memory *memory);

/* The longest sub-step that keeps free bodies from gaining energy. */
static inline double sheets_limit(const Sheets *sheets, double most)
{
    const double limit = sheets->kept_count > 0 ? sheets->kept[0] : 0;
    return limit > 0 && limit < most ? limit : most;
}

/* The sheets, and their vortex lines where bodies are in the middle of the sub-step, into `work`.
 * False when out of memory. */
bool sheets_place(const SolverStep *step, VortexWork *work);
/* Whether a collider is one of them. */
bool sheets_have(const VortexWork *work, const Collider *collider);
/* Whether a collider is one of them, and its turn moves the air: a ball's does not. */
bool sheets_feel_turn(const VortexWork *work, const Collider *collider);
/* Adds their flow to velocities at points. */
void add_sheets(const VortexWork *work, const mote_real *const x[3], size_t count,
                mote_real *const out[3]);
/* Wakes end at edges that hold the near sides of their rings. So vortons alone do not keep their
 * impulse among themselves: a closed wake would, and what it would give to those sides, and they to
 * the vortons, is the other part of it. Adds what is not kept to `impulse`, over density; the
 * bodies give it: of a wing it is the induced drag. False when out of memory. */
bool sheets_hold_ends(const VortexWork *work, const VortonRows *rows, D3 *impulse);
/* Moves and stretches vortons by their flow. False when out of memory. */
bool sheets_carry(const VortexWork *work, const VortonRows *rows);
/* Solves for the sheets at the end of the sub-step, sheds, and pushes the bodies. */
bool sheets_finish(const VortexWork *work, const VortonRows *rows, const SolverStep *step);
/* An edge of that circulation as a vorton, its body being there. */
void sheet_line(const Panels *panels, size_t edge, const mote_Pose *at, double circulation,
                mote_real line[SOURCE_PLANES]);
/* The vortex lines of sheet k; and set to its circulations, with its body there. */
Sources sheet_lines(const SheetWork *w, size_t k);
void sheet_set_lines(const SheetWork *w, size_t k, const mote_Pose *at);
/* A vorton that becomes a row at the start of the next sub-step. False when out of memory. */
bool shed_row(Sheets *sheets, Memory *memory, mote_Vec3 x, mote_Vec3 strength, double radius);
/* What was shed becomes rows. */
mote_Status sheets_give_birth(const SolverStep *step, mote_Error *error);

#endif

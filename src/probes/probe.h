/* The probe family: a row measures something of the world at one moment. */
#ifndef PROBES_PROBE_H
#define PROBES_PROBE_H

#include <mote/probes.h>

#include "base/isa.h"
#include "base/limbs.h"
#include "base/row.h"
#include "collide/collider.h"
#include "fields/field.h"
#include "particles/system.h"
#include "ranks/ranks.h"

/* The list of rows: X(row, parameter struct, name of its defaults function). */
#define PROBE_ROWS(X)                                                                              \
    X(probe_pressure, mote_PressureProbe, mote_pressure_probe_def)                                 \
    X(probe_velocity, mote_VelocityProbe, mote_velocity_probe_def)                                 \
    X(probe_column, mote_ColumnProbe, mote_column_probe_def)                                       \
    X(probe_height, mote_HeightProbe, mote_height_probe_def)                                       \
    X(probe_load, mote_LoadProbe, mote_load_probe_def)                                             \
    X(probe_total, mote_TotalProbe, mote_total_probe_def)                                          \
    X(probe_field, mote_FieldProbe, mote_field_probe_def)

/* The ranks that share the rows which a probe looks at, and what came of asking them. */
typedef struct ProbeRanks {
    const mote_Ranks *ranks;
    mote_Status status;
    mote_Error error;
} ProbeRanks;

/* What probes look at: set by the world before it samples. */
typedef struct ProbeSite {
    double t;               /* s */
    int dimension;          /* 2 or 3 */
    int up;                 /* 0, 1, 2 */
    mote_Vec3 period;       /* m, of the periodic axes; 0: the axis has an end */
    Memory *memory;         /* the world's */
    void *const *colliders; /* Collider *, where they are at t */
    size_t collider_count;
    ProbeRanks *all;
} ProbeSite;

enum { PROBE_SAVED = 7 };

typedef struct ProbeRow ProbeRow;

typedef struct Probe {
    Object object;
    const ProbeRow *row;
    double interval; /* s; 0: every frame */
    const mote_ProbeColumn *columns;
    size_t column_count;
    /* what its parameters name, or NULL */
    const mote_System *system;
    const Collider *collider;
    const Field *field;
    char *column_name; /* of the system, for probes of a column */
    /* state */
    /* load: impulse and angular impulse not yet told, and since when; pressure: its integral over
     * time not yet told, and over how long */
    double saved[PROBE_SAVED];
    /* of the last step */
    double seen[6]; /* of the collider's load, which begins anew with each frame */
    double *times, *values;
    size_t count, time_capacity, value_capacity;
    Limbs *line; /* scratch of a sample */
    size_t line_capacity;
} Probe;

struct ProbeRow {
    mote_Row head;
    const mote_ProbeColumn *columns;
    size_t column_count;
    /* What the table cannot say; may pick other columns. NULL: nothing. */
    mote_Status (*open)(Probe *probe, const char *where, mote_Error *error);
    /* False when out of memory. */
    bool (*sample)(Probe *probe, const ProbeSite *site, double *values);
    /* After every sub-step, which took dt; NULL: nothing to do. */
    void (*watch)(Probe *probe, const ProbeSite *site, double dt);
};

/* What a row measures, an array of mote_ProbeColumn. */
#define PROBE_COLUMNS(list) .columns = list, .column_count = sizeof(list) / sizeof((list)[0])

const mote_Row *const *probe_rows(Isa isa, size_t *count);
extern const mote_Row probe_row; /* the parameters of every probe: mote_ProbeDef */

/* True when a sample is due at the end of a sub-step from `start` to `end`. */
bool probe_is_due(const Probe *probe, double start, double end, bool ends_frame);

/* Takes a sample; MOTE_NO_MEMORY when there is no room for it. */
mote_Status probe_sample(Probe *probe, const ProbeSite *site, mote_Error *error);

/* Adds what a sub-step did to the collider of a load probe. */
void probe_collect(Probe *probe);

/* For rows, in `sample` and `watch`, on all ranks alike: sums and largest numbers of all, and
 * whether all have room. Who asks goes on with what it has where ranks have failed; the world looks
 * then. */
void probe_sum(const ProbeSite *site, Limbs *sums, size_t count);
void probe_most(const ProbeSite *site, double *numbers, size_t count);
bool probe_has_room(const ProbeSite *site, bool room);

void probe_release(Memory *memory, void *object);

#endif

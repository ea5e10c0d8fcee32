/* Columns that a scene gives a system: what they are at a particle's birth, and how fast they
 * change.
 *
 * A rate is integrated in the integrator's own stages: three columns at a time are a first-order
 * problem to it, beside that of position and velocity. So all see each other as they are within the
 * step, and the order holds. The mass may have a rate too; what leaves or comes with the relative
 * velocity u pushes: m dv/dt = F + u dm/dt. */
#ifndef SOLVERS_POINTS_RATES_H
#define SOLVERS_POINTS_RATES_H

#include <mote/particles.h>

#include "integrate/integrator.h"

enum { RATES_MOST = 12, RATE_GROUPS = RATES_MOST / 3 };

typedef struct RateColumn {
    char name[64];
    char what[96]; /* "the rate of column heat", for messages */
    const mote_Formula *birth, *rate;
    size_t column; /* number in the system */
} RateColumn;

typedef struct Rates {
    RateColumn items[RATES_MOST]; /* those with a rate first */
    size_t count, changing;
    const RateColumn *mass;         /* NULL: it stays */
    const mote_Formula *exhaust[3]; /* m/s */
    bool thrust;                    /* some exhaust is given */
    const IntegratorRow *along;     /* what integrates them */
} Rates;

/* The keys of a column in a scene, beside its name and unit. */
extern const mote_Row column_row;

/* The columns, in memory of the world; NULL when there are none. Adds them to the system. */
mote_Status rates_open(const mote_ColumnDef *defs, size_t count, const IntegratorRow *integrator,
                       mote_System *system, Memory *memory, Rates **rates, mote_Error *error);
void rates_close(Rates *rates, Memory *memory);

/* Scratch planes behind the integrator's own. */
size_t rates_scratch_planes(const Rates *rates);

/* Gives rows [first, first + count), which are complete otherwise, their values at birth. */
mote_Status rates_bear(const Rates *rates, mote_System *system, size_t first, size_t count,
                       mote_Error *error);

/* A range's columns as first-order problems. */
typedef struct RateRanges {
    const Rates *rates;
    Range group[RATE_GROUPS];
    int count;
} RateRanges;

/* `rates` NULL: none. Groups that are not there stay unset: to clear them in every step of a block
 * would cost more than what adaptive schemes do for a row. */
void rates_of(const Rates *rates, const Range *r, RateRanges *ranges);
void rates_begin(const RateRanges *ranges); /* before the first evaluation */
/* At the state of the range and its columns at time t; thrust is added to r->a. */
void rates_evaluate(const RateRanges *ranges, const Range *r, double t);
void rates_stage(const RateRanges *ranges, int k);
/* Of adaptive schemes: the larger of the errors; back to the start. */
StepError rates_error(const RateRanges *ranges, StepError error, Tolerance tolerance);
void rates_reject(const RateRanges *ranges);
/* Notes what is not finite, and masses that are not positive. */
void rates_check(const RateRanges *ranges, const Range *r);

/* The columns at the start of a piece of time, and back to that, for rows that are solved again. */
void rates_save(const Rates *rates, const Range *r);
void rates_restore(const Rates *rates, const Range *r);

#endif

/* One step of a range, as a list of evaluations with work between them.
 *
 *     Advance step = advance_by(row, phase);
 *     advance_open(&step, r, planes);
 *     for (int k = 0; k < advance_evaluations(&step); ++k) {
 *         ... evaluate at r->t + advance_node(&step, k) * r->dt ...
 *         advance_stage(&step, r, k, planes);
 *     }
 *     advance_close(&step, r);
 *
 * A one-step scheme has one way of doing this. A multistep scheme has three, by how much the rows
 * remember; all rows of a range (of a system, where rows feel each other) must be in one phase. */
#ifndef INTEGRATE_ADVANCE_H
#define INTEGRATE_ADVANCE_H

#include "integrate/integrator.h"

typedef enum AdvancePhase {
    ADVANCE_START, /* too little is remembered: the starter makes the step */
    ADVANCE_PRIME, /* the first own step */
    ADVANCE_RUN
} AdvancePhase;

typedef struct Advance {
    const IntegratorRow *row;    /* whose histories are kept */
    const IntegratorRow *scheme; /* that makes the step: the row, or its starter */
    bool primes;
    int extra; /* evaluations at the start, before the scheme's own: 0 or 1 */
} Advance;

/* The phase of a row that remembers so many steps. */
AdvancePhase advance_phase(const IntegratorRow *row, uint32_t remembered);

/* How many rows from `from` on are in one phase. */
size_t advance_same_phase(const IntegratorRow *row, const Range *r, size_t from,
                          AdvancePhase *phase);

Advance advance_by(const IntegratorRow *row, AdvancePhase phase);

static inline int advance_evaluations(const Advance *step)
{
    return step->extra + step->scheme->stages;
}

/* The time of evaluation k, as a fraction of the step. */
static inline double advance_node(const Advance *step, int k)
{
    return k < step->extra ? 0 : step->scheme->nodes[k - step->extra];
}

void advance_open(const Advance *step, const Range *r);
void advance_stage(const Advance *step, const Range *r, int k, int planes); /* after evaluation k */
void advance_close(const Advance *step, const Range *r);

#endif

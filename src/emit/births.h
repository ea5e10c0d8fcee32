/* Births of a step, by bursts and by rate. */
#ifndef EMIT_BIRTHS_H
#define EMIT_BIRTHS_H

#include "emit/emitter.h"

typedef struct Births {
    uint64_t bursts, by_rate;
    double from, to; /* the part of the step in which the rate works */
    double owed;     /* remainder at `from` */
} Births;

/* Those from t to t + dt; bursts that are due within `slack` of the end wait for the next step. */
Births births_count(const Emitter *emitter, double t, double dt, double slack);
uint64_t births_total(const Emitter *emitter, const Births *births);

/* Bursts due before `end` that have not been made; `at_end`: those due right then, too. */
uint64_t births_bursts_due(const Emitter *emitter, double end, bool at_end);

/* Number k of those that the emitter makes next. */
Birth birth_number(const Emitter *emitter, uint64_t k, bool flat);
/* When it is born: bursts come first, then the births by rate. */
double births_moment(const Emitter *emitter, const Births *births, uint64_t k);

/* They were made. */
void births_settle(Emitter *emitter, const Births *births);

#endif

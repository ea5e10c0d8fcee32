/* What is done of incompressible liquids place by place: kernels.h says what the letters are.
 *
 * Formulas: they include nothing, and are compiled for the processor and for devices
 * (device/operators.cl, device/mend.cl), to the same bits. */
#ifndef SOLVERS_SPH_FORMULAS_FLOW_PLACES_H
#define SOLVERS_SPH_FORMULAS_FLOW_PLACES_H

/* 1 / (dt^2 stiffness); particles without neighbours have no stiffness and no pressure. `inverse`:
 * 1 / H. */
static inline mote_real flow_softness(mote_real inverse, mote_real dt2, mote_real stiffness)
{
    const mote_real least = inverse * inverse * (mote_real)1e-6;
    return stiffness > least ? 1 / (dt2 * stiffness) : 0;
}

/* The compression that is left where accelerations take off so much in a unit of time squared. */
static inline mote_real flow_left(mote_real source, mote_real dt2, mote_real rate)
{
    return source + dt2 * rate;
}

/* How far to go on along the trial's way, and the last one; the share of Jacobi's step. */
typedef struct MendLaw {
    mote_real along, before, relax;
    mote_real least; /* no pressure is below it */
} MendLaw;

/* A place: its pressure in the trial, and what is kept of those before. */
typedef struct FlowTrial {
    mote_real q, pressure, error, way, answer;
} FlowTrial;

/* From the trial to the best of the plane that the last two ways span, and on to the next trial,
 * which is a step of Jacobi's. */
static inline void flow_mend(const MendLaw *law, mote_real soft, mote_real excess, FlowTrial *t)
{
    const mote_real a = 1 + law->along, b = law->before, least = law->least;
    const mote_real way = a * (t->q - t->pressure) + b * t->way;
    const mote_real answer = a * (t->error - excess) + b * t->answer;
    const mote_real e = t->error - answer;
    mote_real q = t->pressure + way;
    q = !(soft > 0) ? 0 : q > least ? q : least;
    const mote_real next = q + law->relax * e * soft;
    t->way = way, t->answer = answer;
    t->pressure = q, t->error = e;
    t->q = next > least ? next : least;
}

/* Starts anew from the trial. */
static inline void flow_restart(mote_real excess, FlowTrial *t)
{
    t->pressure = t->q, t->error = excess;
    t->way = t->answer = 0;
}

#endif

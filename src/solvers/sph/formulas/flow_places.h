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
    mote_real further; /* and of the way to there, in the next trial */
    mote_real least;   /* no pressure is below it */
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
    const mote_real next = q + law->relax * e * soft + law->further * way;
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

/* ---- between the solves ---- */

typedef struct FlowPlaceLaw {
    mote_real rest_density, thinner; /* and 1 over it */
    mote_real inverse;               /* 1 / dt */
    mote_real share;                 /* of what is mended in this sub-step */
    uint32_t fills;                  /* what is thin may be filled */
} FlowPlaceLaw;

static inline mote_real flow_over(const FlowPlaceLaw *law, mote_real density)
{
    return density / law->rest_density - 1;
}

/* How far a place may still be compressed, negative. Thin by less than 0.005 is full: moving
 * positions leaves it behind, and a liquid at rest would fall into it at every step, with pressures
 * that go up and down. Where pressures below 0 hold the liquid together, nothing may. */
static inline mote_real flow_slack(const FlowPlaceLaw *law, mote_real density)
{
    const mote_real over = flow_over(law, density), thin = (mote_real)0.005;
    return over < -thin && law->fills ? over + thin : 0;
}

/* What positions have to mend, with what velocities left. */
static inline mote_real flow_position_source(const FlowPlaceLaw *law, mote_real density,
                                             mote_real excess)
{
    return law->share * (flow_over(law, density) + excess - flow_slack(law, density));
}

/* What walls push, of a lift that is taken back. */
static inline mote_real flow_unlifted(mote_real q, mote_real dt)
{
    return -q / dt;
}

/* By how much of the walls' gradient a push changes the velocity. */
static inline mote_real flow_wall_push(mote_real push, mote_real dt)
{
    return -push * dt;
}

#endif

/* Incompressible rows at work: what they share within a sub-step. Velocities without pressures come
 * first; then pressures are looked for whose accelerations leave no compression (kernels.h:
 * D, a and q). */
#ifndef SOLVERS_SPH_FLOW_H
#define SOLVERS_SPH_FLOW_H

#include "solvers/sph/backend.h"

typedef struct Flow {
    SphStep *step;
    const FlowKernels *kernels;
    const FlowOperators *operators;
    const FlowOperators *sum_operators; /* those of sums, for this step's backend */
    mote_Status status;                 /* of what the backend did */
    mote_Error *error;
    FlowInput twin; /* of the processor, where a device is compared with it */
    struct FlowScale {
        mote_real *stiffness, *soft;
    } scales[2]; /* of the operators: sums, and linear ones */
    bool linear; /* those of velocities are */
    FlowInput in;
    const mote_real *warm;          /* the last pressures, Pa */
    mote_real *lift;                /* and what moved positions, dt q, m^2/s */
    FlowSums *sums;                 /* by rod */
    double *sum;                    /* one number a rod */
    struct Coarse *coarse;          /* for pressures of long waves */
    bool closed;                    /* the liquid has no surface */
    const struct FlowStages *level; /* by whom a solve is kept without means; NULL: it is not */
    bool apart;                     /* what mends densities moves positions alone, not velocities */
    mote_real lifted; /* 1: of the last sub-step it still is in the velocities; else 0 */
    double share;     /* of the time in which the liquid moves by 0.4 spacings, at most 1 */
} Flow;

/* A flow over the step, with planes for the operators of sums. False: no memory. */
bool flow_make(Flow *flow, SphStep *step, mote_Error *error);
bool flow_take_scale(const SphStep *step, struct FlowScale *scale);

/* The same for one whose places are on a device. */
Flow flow_make_there(SphStep *step, mote_Error *error);

/* What goes by place between solves. */
FlowPlaceLaw flow_place_law(const Flow *flow);

void flow_for_places(Flow *flow, mote_TaskBody *body);

/* A kernel over all places; over those of own rows: ghosts are told what neighbours want to know of
 * them. */
void flow_loop_places(const Flow *flow, FlowLoop *loop, const FlowInput *in);
void flow_loop_own(const Flow *flow, FlowLoop *loop);

/* Before a loop over places that calls operators of sums: what the backend does of it. */
void flow_ahead(Flow *flow, FlowTask task);

/* What the pressures in flow do, into moves; and these on all ranks that feel them. */
void flow_accelerate(Flow *flow);
void flow_share_moves(Flow *flow);

/* What of it acts between pairs, and whether there is any. */
PairTerms flow_friction(const SphStep *step);
bool flow_rubs(const PairTerms *terms);

/* Friction, artificial viscosity and XSPH into step->a; pressures become 0. */
mote_Status flow_add_friction(SphStep *step, mote_Error *error);

/* Friction with walls, and implicit friction within the liquid, into step->a. */
mote_Status flow_rub(Flow *flow, mote_Error *error);

/* What loops over pairs read, places and walls; q is `scale` times this plane. */
void flow_pack(Flow *flow, const mote_real *of, mote_real scale);

/* The same, and velocities without pressures, v + dt a, into step->v. */
void flow_start(Flow *flow, const mote_real *of, mote_real scale);

/* Velocities as what D is taken of, of the places [begin, end). */
void flow_set_moves(const Flow *flow, size_t begin, size_t end);

/* What velocities compress in the sub-step, dt D(v) with walls that move, into in.source. */
void flow_set_sources(const Flow *flow, size_t begin, size_t end);

/* Whether the liquid has no surface, and then: no mean of the sources, of the pressures, and of
 * what these leave. */
bool flow_is_closed(const SphStep *step);
/* By what is known without places; what is a surface's density, kg/m^3; and so many thin places. */
bool flow_may_be_closed(const SphStep *step);
mote_real flow_thin_density(const SphStep *step);
bool flow_has_no_surface(const SphStep *step, uint64_t thin);
void flow_level_sources(Flow *flow);
void flow_level_pressures(Flow *flow);
void flow_level_excess(Flow *flow);

/* Counts a solve, and says whether it is good enough: false asks for a shorter sub-step. */
bool flow_accept(const Flow *flow, bool done, double residual, double goal);

/* A row's `limit`: 0.4 of a spacing a sub-step, at the present speed and after falling for one; and
 * friction. */
double flow_limit(const SphState *state, const SolverStep *step, const SphMotion *now);
/* The same for rows that find their pressures once for a sub-step. */
double flow_stiff_limit(const SphState *state, const SolverStep *step, const SphMotion *now);

#endif

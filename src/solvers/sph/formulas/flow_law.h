/* What formulas of incompressible liquids go by: numbers alone, so that devices have the same
 * structs. It includes nothing. */
#ifndef SOLVERS_SPH_FORMULAS_FLOW_LAW_H
#define SOLVERS_SPH_FORMULAS_FLOW_LAW_H

/* Position and pressure over density, side by side. */
typedef struct FlowPacket {
    mote_real x[3], q;
} FlowPacket;

/* A velocity u, and u.x beside it. */
typedef struct MovePacket {
    mote_real u[3], along;
} MovePacket;

/* What is the same for all pairs. */
typedef struct FlowLaw {
    mote_real inverse;     /* 1 / H, of the smoothing kernel */
    mote_real slope_scale; /* of its gradients */
    mote_real volume;      /* V, m^3 */
    mote_real period[3];   /* m; 0: none */
} FlowLaw;

/* What the compiler is told about a loop, so that it leaves out the rest. */
typedef struct FlowTerms {
    SmoothingKind kind; /* of gradients */
    bool periodic, mixed;
} FlowTerms;

#endif

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

/* What is taken of velocities: of pairs alone, with walls, and what is left of the sources then. */
typedef enum FlowClosing { CLOSE_PAIRS, CLOSE_ALL, CLOSE_LEFT } FlowClosing;

/* What a device says of the pressures of a trial, some of it in several parts: sums as limbs, and
 * the bits of the largest compression. */
enum {
    FLOW_SUMS = 7,                          /* residual, balance, uu, uy, yy, ue, ye */
    FLOW_LIMBS = 9,                         /* words of a sum (base/limbs.h) */
    FLOW_NOTES = 16,                        /* parts, so that few add to one at once */
    FLOW_NOTE = FLOW_SUMS * FLOW_LIMBS + 1, /* words of a part */
    FLOW_WORDS = FLOW_NOTES * FLOW_NOTE,    /* and one behind them (device/control.cl) */
    FLOW_CONTROLS = 64                      /* work-items that decide */
};

/* A sum over all places, and what the search and walls wanted room for. */
typedef struct FlowTold {
    int64_t sum[FLOW_LIMBS];
    uint32_t longest, shares; /* list; shares of walls */
    uint32_t placed;          /* places that are in cells */
    uint32_t thin;            /* those with less than they were asked for */
} FlowTold;

enum { FLOW_LOADS = 4 }; /* that walls get: friction, lift taken back, pressures of both solves */

/* What the compiler is told about a loop, so that it leaves out the rest. */
typedef struct FlowTerms {
    SmoothingKind kind; /* of gradients */
    bool periodic, mixed;
} FlowTerms;

#endif

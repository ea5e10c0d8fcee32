/* Loops over pairs of a liquid's particles, per instruction set: forces, shifting, and the
 * operators of incompressible rows. */
#ifndef SOLVERS_SPH_KERNELS_H
#define SOLVERS_SPH_KERNELS_H

#include "space/neighbours.h"

#include <math.h>

#include "solvers/sph/formulas/flow_control.h"
#include "solvers/sph/formulas/flow_law.h"
#include "solvers/sph/formulas/flow_places.h"
#include "solvers/sph/formulas/pair_law.h"
#include "solvers/sph/formulas/shift_law.h"

typedef struct ForceInput {
    const Packet *packets; /* by place */
    const Trait *traits;   /* the same; NULL: there is one liquid */
    const Neighbours *lists;
    PairLaw law;
    SmoothingKind value_kind, gradient_kind; /* of the smoothing kernel */
    bool periodic;
    bool parting;         /* artificial viscosity slows pairs that part, too */
    mote_real *a[3];      /* added to */
    mote_real *excess[3]; /* set, with XSPH: what positions move faster than v */
    mote_real *rate;      /* set, d rho / dt; NULL: not wanted */
    mote_real *largest;   /* squared acceleration, by worker, 0 at first; NULL: not wanted */
} ForceInput;

static inline Terms force_terms(const ForceInput *in)
{
    const PairLaw *law = &in->law;
    return (Terms){.kind = in->gradient_kind,
                   .value = in->value_kind,
                   .periodic = in->periodic,
                   .laminar = law->laminar > 0,
                   .central = law->central > 0,
                   .shock = law->shock > 0 || law->clash > 0,
                   .clash = law->clash > 0,
                   .parting = in->parting,
                   .rate = in->rate != NULL,
                   .xsph = law->xsph > 0,
                   .mixed = in->traits != NULL};
}

typedef struct SphKernels {
    /* Forces on the places [begin, end); returns the largest squared acceleration. */
    mote_real (*forces)(const ForceInput *input, size_t begin, size_t end);
} SphKernels;

const SphKernels *sph_kernels(Isa isa);

/* ---- rows to compare ---- */

typedef struct TextbookInput {
    const Packet *packets; /* by place; push: P itself */
    const Trait *traits;   /* the same; NULL: there is one liquid */
    const Neighbours *lists;
    Smoothing kernel;
    mote_real period[3]; /* m; 0: none */
    bool periodic;
    int dimension;
    mote_real mass;
    mote_real nu;           /* m^2/s; 0: no friction. With traits: 1, and nu is theirs */
    bool mean;              /* means of both pressures, and friction over the density */
    mote_real falling;      /* friction by this times (H - r) / H; 0: by the kernel's Laplacian */
    mote_real rest_density; /* with `mean` */
    mote_real *a[3];        /* added to */
} TextbookInput;

typedef struct TextbookKernels {
    /* Forces on the places [begin, end); returns the largest squared acceleration. */
    mote_real (*forces)(const TextbookInput *input, size_t begin, size_t end);
} TextbookKernels;

const TextbookKernels *textbook_kernels(Isa isa);

/* ---- heat ---- */

/* Position and a temperature, side by side. */
typedef struct HeatPacket {
    mote_real x[3], theta;
} HeatPacket;

typedef struct HeatInput {
    const HeatPacket *packets; /* by place */
    const Trait *traits;       /* by place */
    const Neighbours *lists;
    Smoothing kernel;
    mote_real period[3]; /* m; 0: none */
    bool periodic;
    mote_real volume;      /* of a particle, m^3 (2-D: m^2) */
    mote_real *flow;       /* set: sum 2 V k_ij |W'|/r (theta_j - theta_i), W/m^3 */
    mote_real *outward[3]; /* set: sum V grad W, 1/m; NULL: not wanted */
} HeatInput;

typedef struct HeatKernels {
    void (*conduct)(const HeatInput *input, size_t begin, size_t end);
} HeatKernels;

const HeatKernels *heat_kernels(Isa isa);

/* ---- foam ---- */

/* Sums at any points over the particles in the cells around. */
typedef struct AroundInput {
    const Cells *cells;
    Smoothing kernel;
    mote_real volume;          /* of a particle, m^3 (2-D: m^2) */
    const mote_real *v[3];     /* by place */
    const mote_real *pressure; /* by place */
} AroundInput;

typedef struct AroundSums {
    mote_real fill;     /* sum V W */
    mote_real v[3];     /* sum V W v */
    mote_real pressure; /* sum V W P */
} AroundSums;

/* Where the surface of the liquid is. */
typedef struct OutlineInput {
    const FlowPacket *packets; /* by place; q is not used */
    const Neighbours *lists;
    Smoothing kernel;
    mote_real period[3]; /* m; 0: none */
    bool periodic;
    mote_real volume;     /* of a particle, m^3 (2-D: m^2) */
    mote_real *inward[3]; /* set: sum V grad W, 1/m */
} OutlineInput;

typedef struct FoamKernels {
    void (*around)(const AroundInput *input, size_t count, mote_real *const x[3], AroundSums *sums);
    void (*outline)(const OutlineInput *input, size_t begin, size_t end);
} FoamKernels;

const FoamKernels *foam_kernels(Isa isa);

/* ---- tension ---- */

/* Gradients of the filled share, or pulls between pairs, at some of the particles, over the cells
 * around. */
typedef struct ColourInput {
    const Cells *cells; /* of all particles */
    Smoothing kernel;
    mote_real volume; /* of a particle, m^3 (2-D: m^2) */
} ColourInput;

/* What the pairs of lists are to each other. */
typedef struct PairsInput {
    const Neighbours *lists;
    Smoothing kernel;
    bool flat;
    mote_real period[3];   /* m; 0: none */
    mote_real volume;      /* of a particle, m^3 (2-D: m^2) */
    const mote_real *x[3]; /* by place */
    mote_real *weights;    /* set: W, by entry of the lists */
    mote_real *slopes;     /* set: V |W'|/r, 1/m^2 */
} PairsInput;

typedef struct BandKernels {
    /* Sets n at the places x, 1/m. */
    void (*colours)(const ColourInput *input, size_t count, mote_real *const x[3],
                    mote_real *const n[3]);
    void (*pairs)(const PairsInput *input, size_t begin, size_t end);
    /* Sets a at the places x to volume sum s (1 - q)^2 (PULL_REST - q) (x_i - x_j), with s the
     * kernel's slope_scale. */
    void (*pulls)(const ColourInput *input, size_t count, mote_real *const x[3],
                  mote_real *const a[3]);
} BandKernels;

/* Where a pair neither pulls nor pushes, of the reach. */
#define PULL_REST 0.4

const BandKernels *band_kernels(Isa isa);

/* ---- shifting ---- */

typedef struct ShiftInput {
    const ShiftPacket *packets; /* by place */
    const Neighbours *lists;
    ShiftLaw law;
    mote_real *crowd[3];   /* set: sum V (1 + R (W / W(d))^4) grad W, 1/m */
    mote_real *outward[3]; /* set: -sum V (C_j - C_i) grad W, 1/m: out of the liquid */
} ShiftInput;

typedef struct ShiftKernels {
    void (*crowd)(const ShiftInput *input, size_t begin, size_t end);
} ShiftKernels;

const ShiftKernels *shift_kernels(Isa isa);

/* ---- incompressible rows ---- */

/* A symmetric matrix: xx, xy, xz, yy, yz, zz; two to spare. */
typedef struct FlowMatrix {
    mote_real of[8];
} FlowMatrix;

/* All planes by place. With V = m / rho0, q = P / rho0 and g_ij = V grad W_ij:
 *     a_i = -sum_j (q_i + q_j) g_ij - q_i G_i      what pressures do
 *     D_i(u) = sum_j (u_i - u_j).g_ij + u_i.G_i    compression per time
 * where G_i is the gradient of the walls' share: a is -D transposed, and A = -D a symmetric. With
 * traits, rho0 is the host's and a_i is 1/s_i of that, which leaves A symmetric. In the words of
 * Bender and Koschier 2017: q is their kappa, with p = kappa rho, and `stiffness` is rho_i /
 * (rho0^2 alpha_i), alpha_i their factor rho_i / (|sum m grad W|^2 + sum |m grad W|^2); D is the
 * rate of the density over rho0. */
typedef struct FlowInput {
    const Neighbours *lists;
    const Trait *traits; /* by place; NULL: there is one liquid */
    Smoothing kernel;
    mote_real period[3]; /* m; 0: none */
    bool periodic;
    mote_real volume;        /* V, m^3 */
    mote_real spacing;       /* m */
    mote_real *slopes;       /* V W'/r of every list entry */
    FlowPacket *flow;        /* x, and the q that a is made of */
    MovePacket *moves;       /* what D is taken of */
    mote_real *uneven[3];    /* sum of g_ij, 1/m */
    mote_real *wall[3];      /* G, 1/m */
    mote_real *push;         /* set: q, at walls */
    mote_real *stiffness;    /* diagonal of -D(a(q)), 1/m^2 */
    mote_real *soft;         /* 1 / (dt^2 stiffness); 0 for particles without neighbours */
    mote_real *source;       /* compression in a step without pressures */
    mote_real *excess;       /* set: compression with those of flow */
    mote_real *pressure;     /* q that the trial in flow started from */
    mote_real *error;        /* excess with it */
    mote_real *way;          /* last change of pressure */
    mote_real *answer;       /* and by how much that made error less */
    FlowMatrix *upright;     /* L of the linear operators */
    FlowMatrix *pushes;      /* q L */
    mote_real least;         /* no pressure is below it: 0, or far below */
    mote_real dt2;           /* dt^2 */
    mote_real relax;         /* share of Jacobi's step */
    mote_real further;       /* and of the way to where that starts from */
    mote_real along, before; /* how far to go on along the trial's way, and the last one */
} FlowInput;

static inline FlowLaw flow_law(const FlowInput *in)
{
    return (FlowLaw){.inverse = in->kernel.inverse,
                     .slope_scale = in->kernel.slope_scale,
                     .volume = in->volume,
                     .period = {in->period[0], in->period[1], in->period[2]}};
}

static inline mote_real flow_soft(const FlowInput *in, size_t i)
{
    return flow_softness(in->kernel.inverse, in->dt2, in->stiffness[i]);
}

static inline mote_real flow_excess(const FlowInput *in, size_t i, mote_real rate)
{
    return flow_left(in->source[i], in->dt2, rate);
}

/* What is left in a range of places. */
typedef union FlowSums {
    FlowLeft left;
    struct {
        double residual; /* sum of what a change of q >= 0 could still mend */
        double balance;  /* the same with its sign: what the liquid as a whole lacks of pressure */
        /* Products of excess e, what the trial took from it u, and the last way's answer y. */
        double uu, uy, yy, ue, ye;
        double worst; /* largest compression, which is no sum */
    };
    double of[8];
} FlowSums;

/* Over the places begin <= i < end. */
typedef void FlowLoop(const FlowInput *in, size_t begin, size_t end);

/* D, and a = -D transposed: as sums of densities change (above), or linear (dfsph_linear.c). */
typedef struct FlowOperators {
    /* Slopes, stiffness and what else the others need. */
    FlowLoop *prepare;
    /* Optional: what accelerate reads, from the q of flow. */
    FlowLoop *pack;
    /* a into moves. */
    FlowLoop *accelerate;
    /* source = D(moves), without walls. */
    FlowLoop *rate;
    /* excess = source + dt^2 D(moves). */
    FlowLoop *compress;
} FlowOperators;

typedef struct FlowKernels {
    FlowSums (*judge)(const FlowInput *in, size_t begin, size_t end);
    /* To the least error of the plane of both ways, and a trial from there, into flow. */
    FlowLoop *mend;
    FlowLoop *restart;
} FlowKernels;

/* Densities where particles are now, in flow (pbf.c). */
typedef struct AnewKernels {
    /* excess = V sum W - 1, the particle itself included. */
    FlowLoop *densities;
    /* Adds sum s g_ij to moves, s = strength (W / usual)^4. */
    void (*repel)(const FlowInput *in, mote_real strength, mote_real usual, size_t begin,
                  size_t end);
} AnewKernels;

const AnewKernels *anew_kernels(Isa isa);
const FlowKernels *flow_kernels(Isa isa);
const FlowOperators *flow_sum_operators(Isa isa);
const FlowOperators *flow_linear_operators(Isa isa);

#endif

/* Solvers: what moves a system. */
#ifndef MOTE_SOLVERS_H
#define MOTE_SOLVERS_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Solver "points": particles that do not feel each other. */
typedef struct mote_PointsSolver {
    const char *integrator; /* row of the integrators; NULL: "symplectic-euler" */
    const char *trace;      /* name of a velocity field: particles follow it, forces are unused */
    /* Of the implicit integrators: */
    double theta;            /* of "theta": 1 implicit Euler, 1/2 Crank-Nicolson, 0 Euler */
    uint64_t newton_most;    /* Newton steps in a sub-step */
    double newton_tolerance; /* size of the last one, as a share of the largest speed */
    uint64_t cg_most;        /* iterations of conjugate gradients in a Newton step */
    double cg_tolerance;     /* what they leave of the residual */
    /* Adaptive integrators ("dormand-prince"): a step's error may be absolute_tolerance (m in
     * position, m/s in velocity) and relative_tolerance times their size; a sub-step that rejects
     * more than most_rejections steps ends the run with MOTE_DIVERGED. With `dense`, steps may be
     * longer than sub-steps, up to the world's max_step, where only forces act on the particles;
     * what they show is interpolated. Parameters that a program changes between frames then count
     * from the end of the step that is under way. */
    double relative_tolerance, absolute_tolerance;
    bool dense;
    uint64_t most_rejections;
} mote_PointsSolver;

MOTE_API mote_PointsSolver mote_points_solver_def(void);

/* How the density of a weakly compressible liquid is found. */
enum { MOTE_DENSITY_SUM = 0, MOTE_DENSITY_CONTINUITY = 1 };

/* Pressure row "wcsph": weakly compressible. */
typedef struct mote_WcsphPressure {
    mote_real sound;      /* m/s: speed of sound; 0: `mach` times the largest speed expected */
    mote_real mach;       /* speed of sound over speed, when it is chosen */
    int density;          /* MOTE_DENSITY_... */
    mote_real diffusion;  /* of density, with MOTE_DENSITY_CONTINUITY */
    mote_real impact;     /* viscosity of what clashes, at walls too: Monaghan's beta; 3 is usual */
    mote_real background; /* Pa: keeps particles of a full box evenly spread */
} mote_WcsphPressure;

/* What the divergence-free solver takes for the divergence of velocities: how the sums of densities
 * change, or corrected sums that are right for linear flows. */
enum { MOTE_DIVERGENCE_SUM = 0, MOTE_DIVERGENCE_LINEAR = 1 };

/* Pressure row "dfsph": incompressible. Mean errors of density, and of what velocities compress in
 * a sub-step, are shares of the rest density; the largest may be 20 times as much. */
typedef struct mote_DfsphPressure {
    mote_real density_error, divergence_error; /* shares of the rest density */
    int divergence;                            /* MOTE_DIVERGENCE_... */
    uint64_t most_iterations;                  /* of each of its two solves */
} mote_DfsphPressure;

/* Pressure row "iisph": incompressible, by relaxed Jacobi iterations. */
typedef struct mote_IisphPressure {
    mote_real density_error;  /* mean, as a share of the rest density */
    mote_real relaxation;     /* omega: share of Jacobi's step that is taken */
    uint64_t most_iterations; /* in a sub-step */
} mote_IisphPressure;

/* Pressure row "pcisph": the same with one diagonal for all particles, from no pressures. */
typedef struct mote_PcisphPressure {
    mote_real density_error;  /* mean, as a share of the rest density */
    mote_real relaxation;     /* share of Jacobi's step that is taken */
    uint64_t most_iterations; /* in a sub-step */
} mote_PcisphPressure;

/* Pressure row "pbf": position-based fluids. */
typedef struct mote_PbfPressure {
    mote_real density_error;  /* mean, as a share of the rest density */
    mote_real softness;       /* added to the diagonal, in those of a full lattice: epsilon */
    mote_real repulsion;      /* of near pairs, against clumps: k of their artificial pressure */
    uint64_t most_iterations; /* in a sub-step */
} mote_PbfPressure;

/* Pressure row "textbook": explicit, as liquids are taught. */
typedef struct mote_TextbookPressure {
    mote_real sound; /* m/s: speed of sound; 0: `mach` times the largest speed expected */
    mote_real mach;  /* speed of sound over speed, when it is chosen */
    bool laplacian;  /* friction by the kernel's Laplacian, not by the viscosity model */
} mote_TextbookPressure;

/* Pressure row "mueller": explicit, as liquids of graphics began. */
typedef struct mote_MuellerPressure {
    mote_real sound; /* m/s: speed of sound; 0: `mach` times the largest speed expected */
    mote_real mach;  /* speed of sound over speed, when it is chosen */
    bool laplacian;  /* friction by their kernel's Laplacian, not by the viscosity model */
} mote_MuellerPressure;

MOTE_API mote_WcsphPressure mote_wcsph_pressure_def(void);
MOTE_API mote_DfsphPressure mote_dfsph_pressure_def(void);
MOTE_API mote_IisphPressure mote_iisph_pressure_def(void);
MOTE_API mote_PcisphPressure mote_pcisph_pressure_def(void);
MOTE_API mote_PbfPressure mote_pbf_pressure_def(void);
MOTE_API mote_TextbookPressure mote_textbook_pressure_def(void);
MOTE_API mote_MuellerPressure mote_mueller_pressure_def(void);

/* Whether friction is implicit: where it would be what makes sub-steps short, or always, or never.
 */
enum { MOTE_IMPLICIT_AUTO = 0, MOTE_IMPLICIT_ALWAYS = 1, MOTE_IMPLICIT_NEVER = 2 };

/* Viscosity models "morris" and "monaghan". */
typedef struct mote_LaminarViscosity {
    int implicit;                  /* MOTE_IMPLICIT_... */
    mote_real viscosity_error;     /* what it leaves, as a share of the mean speed */
    uint64_t viscosity_iterations; /* at most */
} mote_LaminarViscosity;

MOTE_API mote_LaminarViscosity mote_laminar_viscosity_def(void);

/* Heat row "conduction" of a liquid. Viscosity goes with exp(thinning (1/T - 1/reference)), at most
 * 1e4 times more or less, or by a table, whose logarithm is linear between its points. A surface
 * loses surface_transfer (T - surroundings) + emissivity sigma (T^4 - surroundings^4). */
typedef struct mote_LiquidHeat {
    mote_real conductivity;     /* W/(m K) */
    mote_real capacity;         /* J/(kg K) */
    mote_real expansion;        /* 1/K: buoyancy is -expansion (T - reference) g */
    mote_real reference;        /* K: of new particles, and where all numbers hold */
    mote_real thinning;         /* K; 0: viscosity does not change */
    mote_real surface_transfer; /* W/(m^2 K) */
    mote_real emissivity;       /* 0 to 1 */
    mote_real surroundings;     /* K */
    mote_Table viscosities;     /* m^2/s by K, in the place of `viscosity` and `thinning` */
} mote_LiquidHeat;

MOTE_API mote_LiquidHeat mote_liquid_heat_def(void);

/* Tension rows "csf" and "pair" of a liquid. */
typedef struct mote_CsfTension {
    mote_real surface_tension; /* N/m; water has 0.0728 */
} mote_CsfTension;

MOTE_API mote_CsfTension mote_csf_tension_def(void);

/* Solver "sph": a liquid, by smoothed particle hydrodynamics. All particles have the mass of
 * their share of a lattice of `spacing` (in two dimensions, per metre); mass and radius are set by
 * the solver. */
typedef struct mote_SphSolver {
    const char *pressure;               /* row of the pressure solvers; NULL: "dfsph" */
    const void *pressure_params;        /* of that row, as mote_DfsphPressure; NULL: its defaults */
    const char *viscosity_model;        /* row of the viscosities; NULL: "morris" */
    const void *viscosity_model_params; /* of that row; NULL: its defaults */
    const char *kernel;                 /* row of the smoothing kernels; NULL: "cubic-spline" */
    const char *boundary;               /* row of the boundaries; NULL: "analytic" */
    mote_real spacing;                  /* m, between particles at rest: d */
    mote_real support;                  /* radius of the kernel, in spacings: H / d, at least 1.5 */
    mote_real rest_density;             /* kg/m^3 */
    mote_real viscosity;                /* m^2/s, kinematic, of any model but "none" */
    mote_real wall_viscosity; /* m^2/s, at walls: 0 free slip, negative: `viscosity`, no slip */
    mote_real artificial;     /* factor of Monaghan's artificial viscosity, with any model */
    bool wall_forces;         /* keep what walls do to particles as a column "wall_force", N */
    bool clamp;               /* pressures below 0 count as 0, as free surfaces need */
    mote_real xsph;           /* share of the neighbours' mean velocity in the motion */
    mote_real shifting;       /* drift of particles from where they are crowded; 1 is usual */
    mote_real cfl;            /* factor on all limits of the sub-step */
    /* A system whose liquid this one is solved together with; NULL: it is by itself. Then rest
     * density, viscosity, wall viscosity and heat are its own, all else is that system's. */
    const char *joins;
    const char *heat;           /* row of the heats; NULL: "none" */
    const void *heat_params;    /* of that row, as mote_LiquidHeat; NULL: its defaults */
    const char *tension;        /* row of the tensions; NULL: "none" */
    const void *tension_params; /* of that row, as mote_CsfTension; NULL: its defaults */
} mote_SphSolver;

MOTE_API mote_SphSolver mote_sph_solver_def(void);

/* What a particle of solver "foam" is: its column "kind". */
enum { MOTE_FOAM_SPRAY = 0, MOTE_FOAM_FOAM = 1, MOTE_FOAM_BUBBLE = 2 };

/* Solver "foam": spray, foam and bubbles of a liquid, which they do not act on. A particle of the
 * liquid at its surface gives birth to (trapped f(A) + crest f(C)) f(v^2/2) of them a second and
 * square centimetre, where each f goes from 0 to 1 between two ends: of A, how fast neighbours come
 * nearer, of C, how bent a crest that goes ahead is, and of the kinetic energy. */
typedef struct mote_FoamSolver {
    const char *joins;                  /* the system of the liquid */
    mote_real trapped, crest;           /* 1/(s cm^2) */
    mote_real energy_from, energy_to;   /* m^2/s^2 */
    mote_real trapped_from, trapped_to; /* m/s */
    mote_real crest_from, crest_to;     /* 1 */
    mote_real interval;                 /* s, between births; 0: a quarter of a frame */
    mote_real spray_below;              /* filled share of the kernel: below it is spray */
    mote_real bubble_above;             /* above it are bubbles, between both foam */
    mote_real rise_time;                /* s: bubbles take on the liquid's velocity, and rise */
    mote_real life_least, life_most;    /* s, as foam */
    mote_real size;                     /* m: mean radius; from half to one and a half of it */
    uint64_t most;                      /* particles at a time */
} mote_FoamSolver;

MOTE_API mote_FoamSolver mote_foam_solver_def(void);

#ifdef __cplusplus
}
#endif
#endif

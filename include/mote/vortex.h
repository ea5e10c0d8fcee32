/* Vortex-particle fluid: smoke, fire and air around bodies, for the solvers "vortex" and "tracers".
 *
 * Vortons carry vorticity, heat and fuel; tracers show where the fluid goes. The fluid's velocity,
 * density, temperature and pressure are the fields SYSTEM.velocity, SYSTEM.density,
 * SYSTEM.temperature, SYSTEM.pressure, which any other object of the world may use. */
#ifndef MOTE_VORTEX_H
#define MOTE_VORTEX_H

#include <mote/particles.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What pushes bodies in the air. */
typedef enum mote_VortexCoupling {
    MOTE_COUPLED_BY_IMPULSE, /* the reaction to the vorticity that they shed */
    MOTE_COUPLED_BY_TRACERS, /* those that bounce off */
    MOTE_COUPLED_BY_PRESSURE /* that on their panels */
} mote_VortexCoupling;

/* Parameters of the solver "vortex". A vorton's core radius is its radius; its strength is the
 * column "strength" (m^3/s), its heat the column "temperature" (K), and "fuel", "flame", "smoke"
 * are shares of its mass. */
typedef struct mote_VortexSolver {
    int core;        /* row of the cores: 0 winckelmans, 1 rosenhead, 2 gaussian, 3 linear */
    int induction;   /* 0 auto, 1 direct, 2 tree, 3 containment, 4 fourier, 5 poisson */
    mote_real angle; /* of the tree */
    uint64_t order;  /* of the tree */
    int evaluation;  /* 0 on a grid, 1 at the vortons, 2 auto */
    int scheme;      /* 0 euler, 1 rk2, 2 rk4 */
    int stretching;  /* 0 off, 1 classical, 2 transposed, 3 mixed */
    mote_real stretch_limit;    /* by which stretching may multiply a strength */
    mote_real resolution;       /* cells of the grid per vorton */
    mote_real mollify;          /* least core on the grid, in cells */
    mote_real viscosity;        /* m^2/s */
    mote_real exchange;         /* 1/s, the published diffusion */
    mote_Vec3 wind;             /* m/s */
    mote_real density;          /* kg/m^3, of the surroundings */
    mote_real temperature;      /* K, of the surroundings */
    mote_real heat_capacity;    /* J/(kg K) */
    mote_real buoyancy;         /* gain of the baroclinic source */
    mote_real diffusivity;      /* m^2/s, of heat */
    mote_real heat_exchange;    /* 1/s, the published diffusion of heat */
    mote_real heat_loss;        /* 1/s, to the surroundings */
    mote_real born_temperature; /* K, of new vortons */
    mote_real born_fuel;        /* share of fuel in new vortons */
    mote_real born_volume; /* m^3 of fluid that a new vorton stands for; 0: a ball of its core */
    mote_real born_spin;   /* 1/s: random vorticity of new vortons */
    mote_real ignition;    /* K, activation temperature */
    mote_real burn_rate;   /* 1/s */
    mote_real burn_heat;   /* J/kg */
    mote_real smoke_temperature;      /* K */
    mote_real smoke_rate;             /* 1/s */
    int boundary;                     /* 0 published, 1 panels, 2 penalised */
    uint64_t panels;                  /* of a body, about */
    mote_real shed_lifetime;          /* s, of vortons that are shed; 0: no end */
    mote_real reach;                  /* of walls, in core radii */
    mote_real shedding;               /* 1/s: how fast vortons at walls take the wall's vorticity */
    int coupling;                     /* a mote_VortexCoupling */
    mote_real magnus;                 /* gain of the side force on bodies that turn and move */
    uint64_t ring_count;              /* vortex rings at the start */
    uint64_t ring_vortons;            /* in each */
    mote_real ring_radius, ring_core; /* m */
    mote_real ring_circulation;       /* m^2/s */
    mote_Vec3 ring_center;            /* m, of the first */
    mote_Vec3 ring_normal;            /* direction in which they travel */
    mote_real ring_gap;               /* m, from one to the next along the normal */
    bool ring_alternate;              /* every second one turns the other way */
    int diffusion;                    /* by viscosity: 0 exchange, 1 spreading */
    mote_real relaxation;             /* 1/s: how fast strengths turn to where the vorticity is */
    uint64_t remesh;                  /* sub-steps from one remeshing to the next; 0: never */
    mote_real remesh_spacing;         /* m, of the vortons that it makes */
    mote_real remesh_overlap;         /* their core radius, in spacings */
    mote_real remesh_cut;             /* nodes with less of the largest strength are left out */
    mote_real split;     /* vortons that got so many times as long are cut in two; 0: none */
    uint64_t split_most; /* no more vortons than this by splitting */
    mote_real merge;     /* in core radii: nearer ones that turn alike become one; 0: none */
} mote_VortexSolver;

/* Parameters of the solver "tracers". */
typedef struct mote_TracersSolver {
    const char *of; /* the system of the vortons */
} mote_TracersSolver;

MOTE_API mote_VortexSolver mote_vortex_solver_def(void);

/* Sums over the vortons of a system; of fluid of density 1. */
typedef struct mote_VortexSums {
    double strength[3]; /* m^3/s */
    double impulse[3];  /* m^4/s */
    double angular[3];  /* m^5/s, about the origin */
    double centre[3];   /* m, weighted by strength */
    double enstrophy;   /* m^3/s^2 */
    double helicity;    /* m^4/s^2, with the velocities of the last sub-step */
    double energy;      /* m^5/s^2, in unbounded fluid */
    double vorticity;   /* 1/s, the largest */
} mote_VortexSums;

/* Of a fluid in three dimensions. core: that of the solver. Costs as much as a direct sum. */
MOTE_API mote_Status mote_vortex_sums(const mote_System *vortons, int core, mote_VortexSums *sums,
                                      mote_Error *error);

#ifdef __cplusplus
}
#endif
#endif

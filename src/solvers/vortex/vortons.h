/* The vortons' columns, and what a sub-step does to them. */
#ifndef SOLVERS_VORTEX_VORTONS_H
#define SOLVERS_VORTEX_VORTONS_H

#include <mote/vortex.h>

#include "particles/system.h"
#include "solvers/vortex/grid.h"
#include "solvers/vortex/induce.h"

/* What is done row by row takes some 20 ns a vorton: so many are worth handing out, and a thousand
 * of them keep sixteen workers busy. */
enum { VORTON_PIECE = 64 };

/* Rows [0, count) of the vortons. */
typedef struct VortonRows {
    size_t count;
    bool flat; /* of a world of two dimensions: columns along z, and all is of one metre of them */
    mote_real *x[3], *v[3], *strength[3];
    mote_real *stretched; /* m^3/s: how much of a strength's size stretching made */
    mote_real *radius, *lifetime, *volume, *temperature, *fuel, *flame, *smoke;
} VortonRows;

enum { VORTEX_DIFFUSION_EXCHANGE, VORTEX_DIFFUSION_SPREADING };
enum { VORTEX_EVALUATION_GRID, VORTEX_EVALUATION_VORTONS, VORTEX_EVALUATION_AUTO };

/* Whether bodies make vortons, by the number of a boundary. */
bool boundary_sheds(int boundary);
/* Whether the flow at bodies is on a mesh: vortons are remeshed to it in every sub-step, carry what
 * happens there, and touch nothing. */
bool boundary_meshes(int boundary);

/* Is velocity computed at the vortons? auto: where bodies make them, for wakes are thinner than
 * cells; for rings, which a grid loses impulse of; in two dimensions, where sums have no gradients
 * and a grid slows waves down; and where the grid has so many cells a vorton that a second one, for
 * the middle of the sub-step, costs more than the sums at the vortons. */
static inline bool evaluates_at_vortons(const mote_VortexSolver *p, bool flat)
{
    if (p->evaluation != VORTEX_EVALUATION_AUTO) return p->evaluation == VORTEX_EVALUATION_VORTONS;
    return boundary_sheds(p->boundary) || flat || p->ring_count > 0 || p->resolution >= 4;
}

/* Volume of fluid that a vorton stands for, m^3: its column, or a ball of its core's radius, or a
 * disc. */
static inline mote_real vorton_volume(const VortonRows *rows, size_t i)
{
    mote_real r = rows->radius[i], given = rows->volume[i];
    if (given > 0) return given;
    return rows->flat ? (mote_real)3.14159265358979324 * r * r
                      : (mote_real)4.18879020478639098 * r * r * r;
}

/* Ideal gas at constant pressure: density follows from temperature. */
static inline mote_real gas_deviation(const mote_VortexSolver *p, mote_real temperature)
{
    return p->density * (p->temperature / temperature - 1);
}
static inline mote_real gas_least_density(const mote_VortexSolver *p)
{
    return (mote_real)0.02 * p->density;
}
static inline mote_real gas_temperature(const mote_VortexSolver *p, mote_real deviation)
{
    mote_real least = gas_least_density(p), density = p->density + deviation;
    return p->temperature * p->density / (density > least ? density : least);
}

/* Boussinesq: a flow without divergence keeps volumes, so density changes with temperature where it
 * makes weight, and nowhere else: inertia and capacity for heat are those of the surroundings. Else
 * heat would be lost with the mass that a vorton loses as it warms. */
static inline mote_real vorton_mass(const mote_VortexSolver *p, const VortonRows *rows, size_t i)
{
    return p->density * vorton_volume(rows, i);
}

/* What weight makes vorticity of. */
typedef struct FluidWeight {
    mote_real *density; /* kg/m^3, of nodes: sharpened; NULL: nothing has weight */
    mote_real *side;    /* m, of rows: fluid_side */
} FluidWeight;

/* A sub-step's means. */
typedef struct VortexWork {
    const mote_VortexSolver *params;
    const CoreRow *core;
    mote_Vec3 gravity;
    Arena *arena;
    mote_Tasks *tasks;
    mote_real dt;
    bool flat;
    Isa isa;
    const VortonRows *middle;     /* rows half a sub-step on, which the grid is of; NULL: now */
    FluidWeight weight;           /* of the grid */
    const struct PointBins *bins; /* rows in its cells, where some exchange; NULL: none do */
    const VortexGrid *quiet; /* the grid without what turning bodies drag along: vortons go by it */
    Sources spins;           /* of turning bodies */
    const struct Collider **turning; /* those bodies */
    struct SheetWork *sheets;        /* of bodies with panels; NULL: none are */
    struct MeshFlow *mesh;           /* that vortons go by; NULL: by what they induce */
    struct Vortex *vortex;           /* the solver's state */
    SumShare *share;          /* of sums that all ranks take at the same time; NULL: they do not */
    struct SumDevice *device; /* that sums may be taken on; NULL: there is none */
} VortexWork;

/* The rows that the grid is of. */
static inline const VortonRows *rows_of_grid(const VortexWork *work, const VortonRows *rows)
{
    return work->middle != NULL ? work->middle : rows;
}

/* ---- fluid_grid.c ---- */

/* Clears the nodes and deals out density and mass shares, and makes work's weight of them. False
 * when out of memory. */
bool vortex_deposit(VortexWork *work, const VortonRows *rows, VortexGrid *grid);
/* Velocity at the nodes, of cores no smaller than `mollify` cells. False when out of memory. */
bool vortex_fill_velocity(const VortexWork *work, const VortonRows *rows, VortexGrid *grid);
/* Both; what is dealt out is beside the sums of velocity. */
bool vortex_fill(VortexWork *work, const VortonRows *rows, VortexGrid *grid);
/* Adds what turning bodies drag along; `quiet` is the grid without it. False when out of memory. */
bool vortex_stir(const VortexWork *work, VortexGrid *grid, VortexGrid *quiet);

/* ---- vorticity.c ---- */

/* d alpha / dt of stretching and tilting by the velocity gradient j[3 k + l] = du_k / dx_l. */
mote_Vec3 stretch_rate(int scheme, const mote_real j[9], mote_Vec3 alpha);

/* That, and what turns a strength to the vorticity around it at the rate `relaxation`, no more than
 * 0.3 of the way in a sub-step. */
mote_Vec3 strength_rate(const VortexWork *work, const mote_real j[9], mote_Vec3 alpha);
/* Whether strengths change by gradients of velocity. */
static inline bool needs_gradients(const VortexWork *work)
{
    const mote_VortexSolver *p = work->params;
    return !work->flat && (p->stretching > 0 || p->relaxation > 0);
}

/* Adds what stretching makes to row i's strength: half of it at most, and no more in all than
 * `stretch_limit` allows. */
void stretch_strength(const mote_VortexSolver *p, const VortonRows *rows, size_t i,
                      mote_Vec3 change);

/* Baroclinic source, d omega / dt = gain (grad rho x g) / rho0, and, if it `burns`, fire. The
 * derivatives of the grid's numbers at the vortons, SLOPE_SIZE each; NULL when out of memory. */
const mote_real *vortex_sources(const VortexWork *work, const VortonRows *rows,
                                const VortexGrid *grid, bool burns);

/* Stretching of rows [begin, end) by the velocity of the grid, from those derivatives. */
void stretch_rows(const VortexWork *work, const VortonRows *rows, const mote_real *slopes,
                  size_t begin, size_t end);

/* ---- diffuse.c ---- */

/* Viscosity and heat conduction by particle-strength exchange, in as many sub-steps as stability
 * asks for, and the published exchange between neighbours. False when out of memory. */
bool diffuse(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid);

/* ---- fire.c ---- */

void burn_rows(const VortexWork *work, const VortonRows *rows, size_t begin, size_t end);

/* ---- drift.c ---- */

/* Half a sub-step with the grid's velocity, into `middle`. False when out of memory. */
bool drift_half_way(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid,
                    VortonRows *middle);
/* Stretches vortons by `slopes` (NULL: not), and moves them with the grid's velocity, but for what
 * each has put into it itself. */
void drift_on_grid(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid,
                   const mote_real *slopes);
/* The least core radius of velocities on the grid, m. */
mote_real grid_least_core(const VortexGrid *grid, const mote_VortexSolver *params);

/* ---- advance.c ---- */

/* Moves vortons and stretches them in the flow they induce, by the params' Runge-Kutta scheme. */
bool advance_vortons(const VortexWork *work, const VortonRows *rows);

#endif

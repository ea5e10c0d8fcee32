/* Surface tension: of row `csf` a force at the free surface of a liquid, by its curvature; of row
 * `pair` forces between all particles (tension_pair.c).
 *
 * All of `csf` works on the band, the particles of the outermost layer or so, with a kernel of its
 * own that reaches three spacings at least: what is wide enough for the liquid sees too few of the
 * band to find curvatures by (Brackbill, Kothe and Zemach 1992; Morris 2000). */
#ifndef SOLVERS_SPH_TENSION_H
#define SOLVERS_SPH_TENSION_H

#include "solvers/sph/boundary.h"

typedef struct Tension Tension;

typedef struct TensionRow {
    mote_Row head; /* parameters: Tension.params */
    /* Makes the kernel and the walls; of the liquid's smoothing kernel. */
    void (*open)(const SolverSite *site, const mote_SphSolver *own, const SmoothingRow *smoothing,
                 Tension *tension);
    /* Adds to step->a; NULL: there is none. */
    mote_Status (*pull)(SphStep *step, mote_Error *error);
    /* Optional: what colliders get of that, once the sub-step holds. */
    void (*load)(SphStep *step);
} TensionRow;

/* Those of `csf` (tension_pull.c). */
void tension_open(const SolverSite *site, const mote_SphSolver *own, const SmoothingRow *smoothing,
                  Tension *tension);
mote_Status tension_pull(SphStep *step, mote_Error *error);

/* The rows take the same parameters. */
extern const mote_Param tension_params[1];
extern const TensionRow tension_pair;

/* What the solver keeps of it. */
struct Tension {
    const TensionRow *row;
    mote_CsfTension params;
    double specific;  /* surface tension over the host's rest density, m^3/s^2 */
    double spacing;   /* m */
    Smoothing kernel; /* of the band, or of pairs */
    Walls walls;      /* as that kernel sees them: as full as the liquid */
    Neighbours lists; /* within the band */
};

/* tension->walls around these places, without any if there are none. */
mote_Status tension_meet_walls(const SphStep *step, mote_real *const x[3], size_t rows,
                               mote_Error *error);

/* What colliders get of a sub-step's pull, once it holds. */
void sph_load_tension(SphStep *step);

/* The band in a sub-step; planes by its own places, the order of its cells. */
typedef struct Band {
    SphStep *step;
    Tension *tension;
    size_t count;
    Cells cells;
    uint32_t *place;    /* in the liquid */
    uint32_t *wall;     /* row of tension->walls */
    mote_real *n[3];    /* gradient of the filled share, 1/m: into the liquid */
    mote_real *u[3];    /* outward normal */
    mote_real *next[3]; /* room for the next of a pass */
    mote_real *bend;    /* curvature, 1/m: of a ball positive */
    mote_real *weights; /* W of every list entry */
    mote_real *slopes;  /* and V |W'|/r, 1/m^2 */
} Band;

/* Who is in the band, its gradients and lists (tension_band.c). Without any, count is 0. */
mote_Status band_find(Band *band, SphStep *step, mote_Error *error);

void band_for_places(Band *band, mote_TaskBody *body);

/* From place i of the band to place j of it, m. */
static inline mote_Vec3 band_way(const Band *band, size_t i, size_t j)
{
    mote_real *const *x = band->cells.x;
    return sph_nearest(band->step, vec3(x[0][j] - x[0][i], x[1][j] - x[1][i],
                                        band->step->flat ? 0 : x[2][j] - x[2][i]));
}

static inline mote_Vec3 band_vector(mote_real *const planes[3], size_t i)
{
    return vec3(planes[0][i], planes[1][i], planes[2][i]);
}

static inline void band_set(mote_real *const planes[3], size_t i, mote_Vec3 value)
{
    planes[0][i] = value.x, planes[1][i] = value.y, planes[2][i] = value.z;
}

/* Adds accelerations by place of the band to step->a, and takes their mean and their turning out of
 * every lump of liquid that touches no wall (tension_lumps.c). */
mote_Status band_push(const Band *band, mote_real *const a[3], mote_Error *error);

#endif

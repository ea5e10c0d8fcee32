/* The core family: how a vorton's vorticity is spread about its centre.
 *
 * A vorton of strength alpha (m^3/s) and core radius s induces, at r from its centre,
 *     u = f(r) alpha x r / (4 pi),    du_k/dx_l = (f (alpha x e_l)_k + g (alpha x r)_k r_l) / (4
 * pi) with f = q(r / s) / r^3 and g = f'(r) / r; its vector potential is alpha p(r) / (4 pi). The
 * core is q: 1 far away, ~ r^3 near the centre (Winckelmans and Leonard, JCP 109, 1993).
 *
 * Symbols of that paper and their names here: alpha is `strength` (volume times vorticity, or
 * circulation times length of a piece of tube), sigma the core radius (`radius`; its square is
 * `core2`), zeta the shape of the vorticity, whose integral over a ball is q. u = curl A and lap A
 * = - omega hold for each row of the table exactly, so that a potential made here and a velocity
 * made here belong to one flow. */
#ifndef SOLVERS_VORTEX_CORE_H
#define SOLVERS_VORTEX_CORE_H

#include "base/isa.h"
#include "base/row.h"

/* X(row, name); the first is the default. */
#define CORE_ROWS(X)                                                                               \
    X(core_winckelmans, "winckelmans")                                                             \
    X(core_rosenhead, "rosenhead")                                                                 \
    X(core_gaussian, "gaussian")                                                                   \
    X(core_linear, "linear")

/* The same ones of a world of two dimensions: vortons are columns along z. */
#define CORE_FLAT_ROWS(X)                                                                          \
    X(core_flat_winckelmans, "winckelmans")                                                        \
    X(core_flat_rosenhead, "rosenhead")                                                            \
    X(core_flat_gaussian, "gaussian")                                                              \
    X(core_flat_linear, "linear")

enum { CORE_LINEAR = 3 }; /* its number */

/* Defines a NULL-terminated array of the names, for parameters that choose a core. */
#define CORE_NAME(row, name) name,
#define CORE_NAMES(array)    static const char *const array[] = {CORE_ROWS(CORE_NAME) NULL}

enum { SOURCE_X, SOURCE_ALPHA = 3, SOURCE_CORE2 = 6, SOURCE_PLANES };

/* Planes of sources: position (m), strength (m^3/s), square of the core radius (m^2). */
typedef struct Sources {
    const mote_real *plane[SOURCE_PLANES];
    size_t count;
} Sources;

enum { INDUCE_VELOCITY = 3, INDUCE_GRADIENT = 12, INDUCE_POTENTIAL = 3 };

/* What all sources induce at points. Each call sums over its sources in their order, starting from
 * zero, and adds the sum to `out`: the bits depend on how sources are dealt out to calls, and on
 * nothing else. */
typedef struct InduceJob {
    Sources sources;
    const mote_real *x[3]; /* m */
    size_t count;
    /* velocity: 3 planes; gradient: those and then du_k/dx_l in plane 3 + 3 k + l; potential: 3. */
    mote_real *out[INDUCE_GRADIENT];
} InduceJob;

/* The velocity at points of a line along z, added to `out` as above and to the same bits: what does
 * not depend on z is done once for all points. */
typedef struct LineJob {
    Sources sources;
    mote_real x, y;     /* m */
    const mote_real *z; /* m */
    size_t count;
    mote_real *out[INDUCE_VELOCITY];
} LineJob;

/* What vortons put into a grid's velocity and get back where they look at it, from the eight nodes
 * of that cell: taken off. Planes go on to a whole eight. */
typedef struct OwnJob {
    size_t count;
    const mote_real *from[3], *at[3], *strength[3], *core2; /* where they were, and look */
    mote_real *u[3];                                        /* m/s */
    mote_real low[3], size[3];                              /* m: first node, cell */
    int32_t cells[3];
} OwnJob;

typedef struct CoreRow {
    mote_Row head;
    const char *device; /* its functions on devices begin with it */
    double variance;    /* of vorticity along an axis, in core radii squared; 0: without end */
    /* From the integral 1/2 int q(2 R sin(t/2) / s) / sin(t/2) dt of a thin ring. */
    double ring_constant; /* beta of a ring's speed Gamma / (4 pi R) (ln(8 R / s) - beta) */
    void (*velocity)(const InduceJob *job);
    void (*gradient)(const InduceJob *job); /* velocity and its gradient */
    void (*potential)(const InduceJob *job);
    void (*line)(const LineJob *job);
    void (*own)(const OwnJob *job);
    /* velocity by turning bodies, as vortons feel it: none of their own layers is carried round */
    void (*carry)(const InduceJob *job);
} CoreRow;

const mote_Row *const *core_rows(Isa isa, size_t *count);
const CoreRow *core_row(Isa isa, int number);
const mote_Row *const *core_flat_rows(Isa isa, size_t *count);
/* Core `number` of a world of two dimensions, or of three. */
const CoreRow *core_row_of(Isa isa, int number, bool flat);

/* The sources from `first` on, `count` of them. */
static inline Sources sources_part(const Sources *all, size_t first, size_t count)
{
    Sources part = {.count = count};
    for (int p = 0; p < SOURCE_PLANES; ++p) part.plane[p] = all->plane[p] + first;
    return part;
}

/* For those who ask at few points at a time: planes that velocities have no use for are left as
 * they are, because clearing them takes as long as such a sum. */
static inline InduceJob velocity_job(Sources sources, const mote_real *const x[3], size_t count,
                                     mote_real *const out[3])
{
    InduceJob job;
    job.sources = sources, job.count = count;
    for (int c = 0; c < 3; ++c) job.x[c] = x[c], job.out[c] = out[c];
    return job;
}

#endif

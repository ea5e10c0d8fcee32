/* What the particles of a liquid feel of the walls around them: for every row a short list of
 * shares, one per collider within the kernel's reach. Boundary rows fill it (boundary.h), pressure
 * rows use it; neither knows the other. */
#ifndef SOLVERS_SPH_WALLS_H
#define SOLVERS_SPH_WALLS_H

#include <mote/tasks.h>

#include "solvers/sph/wall_rays.h"

#include <stdatomic.h>

/* What one collider is to one row. In formulas: l `volume`, G `gradient`, w `velocity`. */
typedef struct WallShare {
    mote_real volume;   /* integral of the wall's kernel over it (wall_table.h) */
    mote_Vec3 gradient; /* of it, as the row moves, 1/m: towards the wall */
    mote_Vec3 velocity; /* of the wall there, m/s */
    mote_real drag;     /* integral of -2 W'/r (1 + depth/distance), 1/m^2: no-slip viscosity */
    mote_Vec3 centre;   /* of the collider, m: what its torques are about */
    uint32_t collider;  /* number in the world */
} WallShare;

/* The shares of a row: first .. first + count. */
typedef struct WallSpan {
    uint32_t first, count;
} WallSpan;

typedef struct Walls {
    WallTable table;
    WallDirections directions;
    const WallKernels *kernels;
    WallScene scene;
    size_t rows;     /* that have spans now */
    WallSpan *spans; /* one per row */
    size_t span_capacity;
    WallShare *shares;
    size_t share_capacity;
    atomic_size_t used; /* shares; where a row's stand depends on who was first, what they are does
                           not */
} Walls;

/* spacing: of the liquid's particles, in supports. */
void walls_make(Walls *walls, const SmoothingRow *kernel, int dimension, double spacing, Isa isa);
void walls_free(Walls *walls, Memory *memory);

/* The same for walls that are as full as the liquid, whose slopes are calibrated by this factor. */
void walls_make_full(Walls *walls, const SmoothingRow *kernel, int dimension, double spacing,
                     Isa isa);
void walls_scale(Walls *walls, mote_real slope);

typedef struct WallsInput {
    Memory *memory;
    mote_Tasks *tasks;
    const Broad *broad;
    size_t rows;
    mote_real *const *x; /* planes */
    mote_real support;   /* m */
} WallsInput;

/* By integrals over the colliders' own forms. */
mote_Status walls_integrate(Walls *walls, const WallsInput *input, mote_Error *error);

/* Friction times this factor: that of a kernel whose slopes are calibrated on the lattice. */
void walls_calibrate(Walls *walls, mote_real slope);

/* What walls do at a row; none where they were not integrated for it. */
static inline const WallShare *walls_first(const Walls *walls, size_t row)
{
    const bool some = walls->shares != NULL && row < walls->rows;
    return some ? walls->shares + walls->spans[row].first : NULL;
}

static inline const WallShare *walls_end(const Walls *walls, size_t row)
{
    const WallShare *first = walls_first(walls, row);
    return first != NULL ? first + walls->spans[row].count : NULL;
}

#define FOR_WALL_SHARES(s, walls, row)                                                             \
    for (const WallShare *s = walls_first(walls, row), *s##_end = walls_end(walls, row);           \
         s < s##_end; ++s)

/* Sums over a row's shares: volumes; gradients; and how fast a velocity brings it into walls. */
static inline mote_real walls_volume(const Walls *walls, size_t row)
{
    mote_real sum = 0;
    FOR_WALL_SHARES (s, walls, row) sum += s->volume;
    return sum;
}

/* Drag, 1/m^2, and drag times the walls' velocity. */
static inline mote_real walls_drag(const Walls *walls, size_t row)
{
    mote_real sum = 0;
    FOR_WALL_SHARES (s, walls, row) sum += s->drag;
    return sum;
}

static inline mote_Vec3 walls_pull(const Walls *walls, size_t row)
{
    mote_Vec3 sum = {0, 0, 0};
    FOR_WALL_SHARES (s, walls, row) sum = vec3_madd(sum, s->drag, s->velocity);
    return sum;
}

static inline mote_Vec3 walls_gradient(const Walls *walls, size_t row)
{
    mote_Vec3 sum = {0, 0, 0};
    FOR_WALL_SHARES (s, walls, row) sum = vec3_add(sum, s->gradient);
    return sum;
}

static inline mote_real walls_approach(const Walls *walls, size_t row, mote_Vec3 velocity)
{
    mote_real sum = 0;
    FOR_WALL_SHARES (s, walls, row) sum += vec3_dot(vec3_sub(velocity, s->velocity), s->gradient);
    return sum;
}

/* ---- for boundary rows ---- */

/* Fills the shares of the rows [begin, end) of a block: counts[i] of them in shares[i]. */
typedef struct WallBlock {
    size_t begin, count;
    uint8_t counts[BLOCK_ROWS];
    WallShare shares[BLOCK_ROWS][WALL_NEAR];
} WallBlock;

typedef void WallBlockBody(void *context, WallBlock *block);

/* Calls body on blocks of rows and puts their shares together. */
mote_Status walls_fill(Walls *walls, const WallsInput *input, WallBlockBody *body, void *context,
                       mote_Error *error);

#endif

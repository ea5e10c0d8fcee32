/* How spray, foam and bubbles move through a sub-step: by how much of the liquid's kernel around
 * them is filled.
 *
 * Spray flies as the world's forces say. Foam goes with the liquid, at the kernel mean of its
 * velocities, and grows old. A bubble is dragged towards that mean and pushed up by what it
 * displaces,
 *
 *     dv/dt = (mean - v)/tau - g,
 *
 * which is followed exactly with the mean as it is, so that no sub-step is too long for it; it
 * rises at g tau. What a wall fills of the kernel is no air: shares are those of the room that the
 * wall leaves. */
#include "solvers/sph/foam.h"

#include "base/math.h"
#include "base/vec.h"
#include "solvers/points/slot.h"

ISA_KERNELS(foam_kernels, FoamKernels, foam_table)

enum { BLOCKS_PER_TASK = 4 };

/* What is left of the kernel in the narrowest corner. */
#define LEAST_ROOM ((mote_real)0.1)
/* s: the depth that is shown follows pressures slowly, since those of splashes jump. */
#define DEPTH_TIME 0.1

typedef struct MoveWork {
    const SphStep *step;
    const Foam *foam;
    const FoamKernels *kernels;
    AroundInput around;
    size_t rows;
    mote_real kept;     /* of a velocity against the liquid: E = exp(-dt/tau) */
    mote_real coast;    /* s: tau (1 - E), how long it would go on */
    mote_real deeper;   /* share of the way to the depth that pressures say */
    mote_real to_depth; /* m/Pa */
} MoveWork;

/* What a particle meets. */
typedef struct FoamPlace {
    mote_Vec3 mean;  /* of the liquid's velocity, m/s */
    mote_real depth; /* m */
    int kind;
} FoamPlace;

/* The share of the kernel behind a wall, which is a half-space at its nearest point. */
static mote_real behind_wall(const Foam *foam, mote_real distance, mote_real inverse)
{
    const mote_real at = REAL_ABS(distance) * inverse * FOAM_SHARES;
    if (!(at < FOAM_SHARES)) return distance < 0 ? 1 : 0;
    const int cell = (int)at;
    const mote_real *s = foam->shares + cell, share = s[0] + (at - (mote_real)cell) * (s[1] - s[0]);
    return distance < 0 ? 1 - share : share;
}

/* What walls leave of the kernel: as if they were at right angles to one another. */
static void find_room(const MoveWork *work, const Range *r, mote_real *room)
{
    const Broad *walls = work->step->outer->walls[0];
    const mote_real inverse = work->step->kernel.inverse;
    mote_real distance[BLOCK_ROWS];
    for (size_t i = 0; i < r->count; ++i) room[i] = 1;
    for (size_t k = 0; walls != NULL && k < walls->count; ++k) {
        const Collider *c = walls->colliders[k];
        const PosedShape shape = {c->shape, c->object.params, c->pose};
        posed_distance(&shape, r->count, r->x, distance);
        for (size_t i = 0; i < r->count; ++i)
            room[i] *= 1 - behind_wall(work->foam, distance[i], inverse);
    }
    for (size_t i = 0; i < r->count; ++i) room[i] = room[i] > LEAST_ROOM ? room[i] : LEAST_ROOM;
}

static FoamPlace place_of(const MoveWork *work, const AroundSums *sums, mote_real room)
{
    const mote_FoamSolver *own = &work->foam->params;
    const mote_real fill = sums->fill / room;
    FoamPlace place = {.kind = MOTE_FOAM_SPRAY};
    if (!(fill >= own->spray_below) || !(sums->fill > 0)) return place;
    const mote_real scale = 1 / sums->fill;
    place.mean = vec3(scale * sums->v[0], scale * sums->v[1], scale * sums->v[2]);
    place.kind = fill > own->bubble_above ? MOTE_FOAM_BUBBLE : MOTE_FOAM_FOAM;
    place.depth = work->to_depth * scale * sums->pressure;
    return place;
}

typedef struct FoamMotion {
    mote_Vec3 v, by; /* velocity at the end; how far it got */
} FoamMotion;

/* Spray flies by itself, with the mean of both velocities: x + v dt + a dt^2 / 2. Foam is carried
 * along. Bubbles are drawn into the liquid's velocity u within tau, and driven by buoyancy: dv/dt =
 * -g - (v - u) / tau, which has the solution w + (v - w) exp(-dt / tau), w = u - tau g. */
static FoamMotion motion_of(const MoveWork *work, const FoamPlace *place, mote_Vec3 v, mote_Vec3 a)
{
    const mote_real dt = work->step->dt, tau = work->foam->params.rise_time;
    FoamMotion m;
    switch (place->kind) {
    case MOTE_FOAM_SPRAY:
        m.v = vec3_madd(v, dt, a);
        m.by = vec3_scale(vec3_add(v, m.v), dt / 2);
        break;
    case MOTE_FOAM_FOAM:
        m.v = place->mean;
        m.by = vec3_scale(m.v, dt);
        break;
    default: {
        const mote_Vec3 rising = vec3_madd(place->mean, -tau, work->step->outer->gravity);
        const mote_Vec3 against = vec3_sub(v, rising);
        m.v = vec3_madd(rising, work->kept, against);
        m.by = vec3_madd(vec3_scale(rising, dt), work->coast, against);
    }
    }
    return m;
}

static mote_real *plane_of(const Foam *foam, size_t column, int c, size_t first)
{
    return column_real(&foam->system->columns[column], c) + first;
}

static void age(const MoveWork *work, size_t row, mote_real *left)
{
    mote_System *system = work->foam->system;
    *left -= work->step->dt;
    if (*left > 0) return;
    column_real(&system->columns[COLUMN_LIFETIME], 0)[row] = 0;
    system->notes[row / BLOCK_ROWS].suspect = true; /* whoever retires rows looks there */
}

static void move_block(const MoveWork *work, size_t first, size_t count, int worker)
{
    const Foam *foam = work->foam;
    const SolverStep *outer = work->step->outer;
    AroundSums sums[BLOCK_ROWS];
    mote_real room[BLOCK_ROWS];
    const Range r = step_accelerated(outer, foam->number, first, count, outer->t, worker);
    mote_real *kind = plane_of(foam, foam->column[FOAM_KIND], 0, first);
    mote_real *left = plane_of(foam, foam->column[FOAM_LEFT], 0, first);
    mote_real *depth = plane_of(foam, foam->column[FOAM_DEPTH], 0, first);
    work->kernels->around(&work->around, count, r.x, sums);
    find_room(work, &r, room);
    for (size_t i = 0; i < count; ++i) {
        const FoamPlace place = place_of(work, &sums[i], room[i]);
        const FoamMotion m = motion_of(work, &place, vec3(r.v[0][i], r.v[1][i], r.v[2][i]),
                                       vec3(r.a[0][i], r.a[1][i], r.a[2][i]));
        const mote_real by[3] = {m.by.x, m.by.y, m.by.z}, v[3] = {m.v.x, m.v.y, m.v.z};
        for (int c = 0; c < (work->step->flat ? 2 : 3); ++c) r.x[c][i] += by[c], r.v[c][i] = v[c];
        kind[i] = (mote_real)place.kind;
        depth[i] += work->deeper * ((place.depth > 0 ? place.depth : 0) - depth[i]);
        if (place.kind == MOTE_FOAM_FOAM) age(work, first + i, &left[i]);
    }
}

static void move_body(void *context, size_t begin, size_t end, int worker)
{
    const MoveWork *work = context;
    for (size_t block = begin; block < end; ++block) {
        const size_t first = block * BLOCK_ROWS, rest = work->rows - first;
        move_block(work, first, rest < BLOCK_ROWS ? rest : BLOCK_ROWS, worker);
    }
}

void foam_move(SphStep *step, const Foam *foam)
{
    const double dt = (double)step->dt, tau = (double)foam->params.rise_time;
    const double g = sph_gravity(step->outer), kept = math_exp(-dt / tau);
    MoveWork work = {.step = step,
                     .foam = foam,
                     .kernels = foam_kernels(step->outer->isa),
                     .around = {.cells = &step->cells,
                                .kernel = step->kernel,
                                .volume = step->mass / step->rest_density,
                                .v = {step->v[0], step->v[1], step->v[2]},
                                .pressure = step->pressure},
                     .rows = step->outer->rows[foam->number],
                     .kept = (mote_real)kept,
                     .coast = (mote_real)(tau * (1 - kept)),
                     .deeper = (mote_real)(1 - math_exp(-dt / DEPTH_TIME)),
                     .to_depth = (mote_real)(g > 0 ? 1 / (g * (double)step->rest_density) : 0)};
    const size_t blocks = (work.rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    mote_parallel_for(step->outer->tasks, blocks, BLOCKS_PER_TASK, move_body, &work);
}

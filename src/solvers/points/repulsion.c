/* Repulsion as a force of the slot: integrators evaluate it at every stage, and implicit ones know
 * how it changes. A kick after the step, as bounces are, would throw back whatever fell deep in one
 * step: with K = 1e6 N/m, a kilogram from half a metre to 438 m. */
#include "solvers/points/slot.h"

#include "collide/row_case.h"
#include "collide/wall.h"

/* What a wall does to a row. */
typedef struct WallPush {
    size_t row;        /* of the range */
    Repulsion law;     /* at its gap */
    mote_real gap;     /* m */
    mote_real inverse; /* 1/kg: of its mass */
    mote_Vec3 normal;
} WallPush;

typedef void PushBody(void *context, const WallPush *push);

static mote_real share_at(const SlotWalls *walls, double t)
{
    return walls->dt > 0 ? (mote_real)((t - walls->start) / walls->dt) : 0;
}

/* Calls the body for every wall within `far` of a row, and what it does to the row at time t. */
static void for_walls(const SlotWalls *walls, const Range *r, double t, mote_real far,
                      PushBody *body, void *context)
{
    const mote_CollideDef *def = walls->def;
    const mote_real *radius = column_real(&r->system->columns[COLUMN_RADIUS], 0) + r->first;
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    const mote_real time = share_at(walls, t);
    for (size_t i = 0; i < r->count; ++i) {
        const mote_Vec3 x = vec3(r->x[0][i], r->x[1][i], r->x[2][i]);
        const mote_Vec3 v = vec3(r->v[0][i], r->v[1][i], r->v[2][i]);
        const mote_real own = def->as_points ? 0 : radius[i];
        const Aabb box = {x, x};
        BroadWalk walk;
        broad_walk(&walk, walls->broad, aabb_grown(&box, own + far));
        for (const Collider *c; (c = broad_next(&walk)) != NULL;) {
            WallPoint at = wall_point(c, time, x);
            mote_Vec3 wall = wall_velocity(c, time, x, at.normal);
            mote_real gap = at.distance - own, speed = vec3_dot(vec3_sub(v, wall), at.normal);
            WallPush push = {i, repulsion_at(def, gap, speed), gap, 1 / mass[i], at.normal};
            body(context, &push);
        }
    }
}

static void add_acceleration(void *context, const WallPush *push)
{
    mote_real *const *a = context;
    const mote_real size = push->law.force * push->inverse;
    a[0][push->row] += size * push->normal.x, a[1][push->row] += size * push->normal.y;
    a[2][push->row] += size * push->normal.z;
}

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const SlotWalls *walls = force->object.params;
    for_walls(walls, r, t, repulsion_reach(walls->def), add_acceleration, (void *)a);
}

static void add_energy(void *context, const WallPush *push)
{
    mote_real *energy = context;
    energy[push->row] += push->law.energy;
}

static void potential(const Force *force, const Range *r, double t, mote_real *energy)
{
    const SlotWalls *walls = force->object.params;
    for_walls(walls, r, t, repulsion_reach(walls->def), add_energy, energy);
}

typedef struct PushMatrix {
    const mote_real *by;
    mote_real *const *d;
} PushMatrix;

/* (by[0] K + by[1] D) n n^T / m; how the normal turns is left out: it makes the matrix indefinite.
 */
static void add_matrix(void *context, const WallPush *push)
{
    const PushMatrix *to = context;
    const mote_Vec3 n = push->normal;
    const size_t i = push->row;
    mote_real k = push->inverse * (to->by[0] * push->law.stiffness + to->by[1] * push->law.damping);
    to->d[0][i] += k * n.x * n.x, to->d[1][i] += k * n.y * n.y, to->d[2][i] += k * n.z * n.z;
    to->d[3][i] += k * n.y * n.z, to->d[4][i] += k * n.x * n.z, to->d[5][i] += k * n.x * n.y;
}

static void derivative(const Force *force, const Range *r, double t, const mote_real by[2],
                       mote_real *const d[FORCE_DERIVATIVE_PLANES])
{
    const SlotWalls *walls = force->object.params;
    PushMatrix to = {by, d};
    for_walls(walls, r, t, repulsion_reach(walls->def), add_matrix, &to);
}

typedef struct PushLimit {
    mote_real *const *way;
    mote_real share;
} PushLimit;

/* A tenth of the gap is left. */
static void cut_way(void *context, const WallPush *push)
{
    PushLimit *limit = context;
    const mote_Vec3 n = push->normal;
    const size_t i = push->row;
    mote_real inward = -(n.x * limit->way[0][i] + n.y * limit->way[1][i] + n.z * limit->way[2][i]);
    mote_real most = (mote_real)0.9 * push->gap;
    if (most > 0 && limit->share * inward > most) limit->share = most / inward;
}

/* The inverse law is infinite at the surface: no Newton step goes there. */
static mote_real limit(const Force *force, const Range *r, mote_real *const way[3])
{
    const SlotWalls *walls = force->object.params;
    PushLimit to = {way, 1};
    mote_real far = 0;
    if (walls->def->law != MOTE_REPULSION_INVERSE) return 1;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < r->count; ++i) far = real_max(far, REAL_ABS(way[c][i]));
    for_walls(walls, r, r->t + r->dt, 2 * far, cut_way, &to);
    return to.share;
}

static const ForceRow repulsion_row = {
    .head = {.name = "repulsion", .doc = "forces near surfaces instead of collisions"},
    .uses_velocity = true,
    .accelerate = accelerate,
    .potential = potential,
    .derivative = derivative,
    .limit = limit,
};

const Force *slot_repulsion(SystemSlot *slot)
{
    static char name[] = "repulsion";
    if (slot->collide == NULL || !slot->collide->is_force) return NULL;
    slot->walls.broad = &slot->broad, slot->walls.def = &slot->collide_def;
    slot->repulsion = (Force){.object = {.name = name, .params = &slot->walls},
                              .row = &repulsion_row,
                              .systems = UINT64_MAX};
    return &slot->repulsion;
}

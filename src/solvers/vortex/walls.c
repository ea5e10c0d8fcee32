/* Tracers bounce off bodies: P + r n is where they go, the velocity into the body turns into a
 * little of it outward, and with coupling `tracers` the body takes the momentum, at the arm of the
 * contact.
 *
 * A piece of rows meets one body after another while it is in the cache. Sums of fixed pieces,
 * added in their order: same bits for any number of threads. Thin bodies and fast tracers: the way
 * through is looked at too (polytope_sweep). */
#include "solvers/vortex/walls.h"

#include "base/loop.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/solver.h"

ISA_KERNELS(vortex_wall_kernels, VortexWallKernels, vortex_wall_kernels_of)

/* A hole's corner has three faces, and each push goes out of one. */
enum { PIECE_ROWS = 16 * BLOCK_ROWS, HOLE_PUSHES = 3 };

/* A wall, or a convex part of one. */
typedef struct Wall {
    const Collider *collider;
    PosedShape shape;
    Polytope polytope; /* its pose and velocity are the whole wall's */
    bool convex;       /* polytope holds */
    bool pushed;       /* by tracers; else by the vorticity that it sheds */
} Wall;

typedef struct TracerMeeting {
    const VortexWallKernels *kernels;
    const Follow *follow;
    WallRows all;
    Wall *walls;
    size_t wall_count;
    TracerShare *shares; /* of each wall, for each piece of rows */
} TracerMeeting;

/* ---- one row ---- */

/* Row i is at the surface's point with that normal: places it and turns its velocity. v' = v - (1 +
 * e) (v_rel . n) n; published is e = 0.01, here the wall's. */
static void bounce(const Wall *wall, const WallRows *w, size_t i, mote_Vec3 point, mote_Vec3 normal,
                   TracerShare *share)
{
    const Polytope *p = &wall->polytope;
    mote_Vec3 old = row_vector(w->v, i), x = vec3_madd(point, w->radius[i], normal);
    set_row(w->x, i, x);
    ++share->hits;
    mote_Vec3 body = pose_point_velocity(&p->pose, &p->velocity, x);
    mote_real into = vec3_dot(vec3_sub(old, body), normal);
    if (!(into < 0)) return;
    mote_Vec3 change = vec3_scale(normal, (1 + w->restitution) * into);
    set_row(w->v, i, vec3_sub(old, change));
    mote_Vec3 impulse = vec3_scale(change, w->mass[i]);
    mote_Vec3 angular = vec3_cross(vec3_sub(point, p->pose.position), impulse);
    const mote_real given[6] = {impulse.x, impulse.y, impulse.z, angular.x, angular.y, angular.z};
    for (int c = 0; c < 3; ++c) {
        share->impulse[c] += (double)given[c];
        share->angular[c] += (double)given[3 + c];
    }
}

static void meet_hole(const Wall *wall, const WallRows *w, size_t i, TracerShare *share)
{
    for (int push = 0; push < HOLE_PUSHES; ++push) {
        PolytopeVisitor visitor = {row_vector(w->x, i), row_vector(w->v, i), w->radius[i], w->dt};
        PolytopeContact contact;
        mote_Vec3 normal;
        if (!polytope_collision(&wall->polytope, &visitor, &contact)) return;
        mote_Vec3 point = polytope_point(&wall->polytope, visitor.x, &contact, &normal);
        bounce(wall, w, i, point, normal, share);
    }
}

/* A tracer that is out again may have gone through a thin body. */
static void sweep_convex(const Wall *wall, const WallRows *w, size_t i, TracerShare *share)
{
    const Polytope *p = &wall->polytope;
    mote_Vec3 x = row_vector(w->x, i), v = row_vector(w->v, i), body = polytope_velocity(p, x);
    mote_Vec3 along = vec3_scale(vec3_sub(v, body), w->dt);
    ShapeCast way = {vec3_sub(x, along), along, w->radius[i]};
    mote_real fraction;
    size_t plane;
    if (!polytope_is_clear(p, x, w->radius[i]) || !polytope_sweep(p, &way, &fraction, &plane))
        return;
    mote_Vec3 touch = vec3_madd(way.from, fraction, along);
    mote_Vec3 normal = polytope_normal(p, touch, plane);
    bounce(wall, w, i, vec3_madd(touch, -w->radius[i], normal), normal, share);
}

/* ---- a piece of rows ---- */

static void meet_convex(const TracerMeeting *m, const Wall *wall, const WallRows *w,
                        TracerShare *share)
{
    const Polytope *p = &wall->polytope;
    uint32_t rows[PIECE_ROWS];
    size_t fast = p->hole || p->count == 0 ? 0 : m->kernels->fast(w, 2 * p->inner, rows);
    for (size_t k = 0; k < fast; ++k) sweep_convex(wall, w, rows[k], share);
    size_t touching = m->kernels->touching(p, w, rows);
    if (!p->hole) m->kernels->meet(p, w, rows, touching, share);
    for (size_t k = 0; k < touching && p->hole; ++k) meet_hole(wall, w, rows[k], share);
}

static void meet_block(const Wall *wall, const WallRows *w, size_t first, size_t count,
                       TracerShare *share)
{
    mote_real distance[BLOCK_ROWS], normals[3][BLOCK_ROWS];
    mote_real *x[3] = {w->x[0] + first, w->x[1] + first, w->x[2] + first};
    mote_real *normal[3] = {normals[0], normals[1], normals[2]}, widest = 0;
    for (size_t i = 0; i < count; ++i)
        widest = w->radius[first + i] > widest ? w->radius[first + i] : widest;
    if (!posed_near(&wall->shape, count, x, widest)) return;
    posed_surface(&wall->shape, count, x, distance, normal);
    for (size_t i = 0; i < count; ++i) {
        if (!(distance[i] < w->radius[first + i])) continue;
        mote_Vec3 n = row_vector(normal, i), place = row_vector(w->x, first + i);
        bounce(wall, w, first + i, vec3_madd(place, -distance[i], n), n, share);
    }
}

static void meet_other(const Wall *wall, const WallRows *w, TracerShare *share)
{
    for (size_t first = 0; first < w->count; first += BLOCK_ROWS) {
        size_t left = w->count - first;
        meet_block(wall, w, first, left < BLOCK_ROWS ? left : BLOCK_ROWS, share);
    }
}

static void piece_body(void *context, size_t begin, size_t end, int worker)
{
    const TracerMeeting *m = context;
    WallRows w = m->all;
    (void)worker;
    share_mass(m->follow, begin, end);
    w.count = end - begin;
    for (int c = 0; c < 3; ++c) w.x[c] += begin, w.v[c] += begin;
    w.radius += begin, w.mass += begin;
    for (size_t k = 0; k < m->wall_count; ++k) {
        const Wall *wall = &m->walls[k];
        TracerShare *share = &m->shares[begin / PIECE_ROWS * m->wall_count + k];
        *share = (TracerShare){.hits = 0};
        w.restitution = wall->collider->def.restitution;
        if (wall->convex)
            meet_convex(m, wall, &w, share);
        else
            meet_other(wall, &w, share);
    }
}

/* ---- all ---- */

static void take_shares(const TracerMeeting *m, const SolverStep *step, uint64_t *hits)
{
    for (size_t k = 0; k < m->wall_count; ++k) {
        mote_ColliderLoad *load = &step->loads[m->walls[k].collider->number];
        for (size_t piece = 0; piece * PIECE_ROWS < m->all.count; ++piece) {
            const TracerShare *share = &m->shares[piece * m->wall_count + k];
            for (int c = 0; c < 3 && m->walls[k].pushed; ++c) {
                load->impulse[c] += share->impulse[c];
                load->angular[c] += share->angular[c];
            }
            load->particles += share->hits;
            *hits += share->hits;
        }
    }
}

static PosedShape end_shape(const Collider *collider)
{
    return (PosedShape){collider->shape, collider->object.params,
                        pose_advance(&collider->pose, &collider->change, 1)};
}

static void place_walls(const Broad *broad, const mote_VortexSolver *params, Wall *walls)
{
    for (size_t k = 0; k < broad->count; ++k) {
        const Collider *collider = broad->colliders[k];
        const PosedShape whole = end_shape(collider);
        PoseVelocity velocity = {collider->linear, collider->angular};
        for (size_t part = 0; part < polytope_parts(&whole); ++part, ++walls) {
            walls->collider = collider, walls->pushed = !sheds_impulse(params, collider);
            walls->shape = polytope_part(&whole, part);
            walls->convex = polytope_place(&walls->shape, &velocity, &walls->polytope);
            walls->polytope.pose = whole.pose, walls->polytope.velocity = velocity;
        }
    }
}

/* Those of system s. */
static TracerMeeting meeting_of(const SolverStep *step, size_t s, const Follow *follow)
{
    const mote_System *system = step->solver->systems[s];
    const Broad *broad = step->walls[s];
    TracerMeeting m = {.kernels = vortex_wall_kernels(step->isa),
                       .follow = follow,
                       .all = {.radius = column_real(&system->columns[COLUMN_RADIUS], 0),
                               .mass = column_real(&system->columns[COLUMN_MASS], 0),
                               .count = step->rows[s],
                               .dt = (mote_real)step->dt}};
    for (int c = 0; c < 3; ++c) {
        m.all.x[c] = column_real(&system->columns[COLUMN_POSITION], c);
        m.all.v[c] = column_real(&system->columns[COLUMN_VELOCITY], c);
    }
    for (size_t k = 0; broad != NULL && k < broad->count; ++k) {
        const PosedShape whole = end_shape(broad->colliders[k]);
        m.wall_count += polytope_parts(&whole);
    }
    return m;
}

bool tracers_meet_walls(const SolverStep *step, size_t s, const Follow *follow, uint64_t *hits)
{
    const size_t rows = step->rows[s], pieces = rows / PIECE_ROWS + 1;
    if (rows == 0) return true;
    TracerMeeting m = meeting_of(step, s, follow);
    if (m.wall_count > 0) {
        m.walls = arena_take(step->arena, m.wall_count * sizeof *m.walls);
        m.shares = arena_take(step->arena, pieces * m.wall_count * sizeof *m.shares);
        if (m.walls == NULL || m.shares == NULL) return false;
        place_walls(step->walls[s], step->solver->object.params, m.walls);
    }
    mote_parallel_for(step->tasks, rows, PIECE_ROWS, piece_body, &m);
    take_shares(&m, step, hits);
    return true;
}

/* At most a block of rows. True when any was dropped. */
static bool drop_block(const Broad *walls, size_t count, mote_real *const x[3], mote_real *lifetime)
{
    mote_real distance[BLOCK_ROWS];
    bool any = false;
    for (size_t k = 0; k < walls->count; ++k) {
        const Collider *collider = walls->colliders[k];
        PosedShape shape = {collider->shape, collider->object.params, collider->pose};
        posed_distance(&shape, count, x, distance);
        for (size_t i = 0; i < count; ++i)
            if (distance[i] < 0) lifetime[i] = 0, any = true;
    }
    return any;
}

void drop_embedded(const SolverStep *step, size_t s, size_t first)
{
    const Broad *walls = step->walls[s];
    mote_System *system = step->solver->systems[s];
    mote_real *x[3], *lifetime = column_real(&system->columns[COLUMN_LIFETIME], 0);
    if (walls == NULL || walls->count == 0) return;
    for (; first < step->rows[s]; first += BLOCK_ROWS) {
        const size_t left = step->rows[s] - first;
        for (int c = 0; c < 3; ++c)
            x[c] = column_real(&system->columns[COLUMN_POSITION], c) + first;
        if (drop_block(walls, left < BLOCK_ROWS ? left : BLOCK_ROWS, x, lifetime + first))
            system->notes_valid = false;
    }
}

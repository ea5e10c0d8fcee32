/* Tracers bounce off bodies: P + r n is where they go, the velocity into the body turns into a
 * little of it outward, and with coupling `tracers` the body takes the momentum, at the arm of the
 * contact.
 *
 * Bodies one after another, each with all tracers. Sums of fixed pieces of rows, added in their
 * order: same bits for any number of threads. Thin bodies and fast tracers: the way through is
 * looked at too (polytope_sweep). */
#include "solvers/vortex/walls.h"

#include "base/loop.h"
#include "solvers/vortex/shed.h"

ISA_KERNELS(vortex_wall_kernels, VortexWallKernels, vortex_wall_kernels_of)

enum { PIECE_ROWS = 16 * BLOCK_ROWS, HOLE_PUSHES = 3 };

typedef struct Share {
    double impulse[3], angular[3];
    uint64_t hits;
} Share;

typedef struct Wall {
    const SolverStep *step;
    const VortexWallKernels *kernels;
    const Collider *collider;
    PosedShape shape;
    Polytope polytope;
    bool convex; /* polytope holds */
    bool pushes; /* tracers push it */
    mote_real *x[3], *v[3];
    const mote_real *radius, *mass;
    mote_real dt;
    Share *shares; /* of each piece of rows */
} Wall;

/* Row i is at the surface's point with that normal: places it and turns its velocity. */
static void bounce(const Wall *w, size_t i, mote_Vec3 point, mote_Vec3 normal, Share *share)
{
    mote_Vec3 old = row_vector(w->v, i), x = vec3_madd(point, w->radius[i], normal);
    set_row(w->x, i, x);
    ++share->hits;
    mote_Vec3 body = pose_point_velocity(&w->polytope.pose, &w->polytope.velocity, x);
    mote_real into = vec3_dot(vec3_sub(old, body), normal);
    if (!(into < 0)) return;
    mote_Vec3 change = vec3_scale(normal, (1 + w->collider->def.restitution) * into);
    set_row(w->v, i, vec3_sub(old, change));
    if (!w->pushes) return;
    mote_Vec3 impulse = vec3_scale(change, w->mass[i]);
    mote_Vec3 angular = vec3_cross(vec3_sub(point, w->polytope.pose.position), impulse);
    const mote_real given[6] = {impulse.x, impulse.y, impulse.z, angular.x, angular.y, angular.z};
    for (int c = 0; c < 3; ++c) {
        share->impulse[c] += (double)given[c];
        share->angular[c] += (double)given[3 + c];
    }
}

static void meet_convex(const Wall *w, size_t i, Share *share)
{
    for (int push = 0; push < (w->polytope.hole ? HOLE_PUSHES : 1); ++push) {
        PolytopeVisitor visitor = {row_vector(w->x, i), row_vector(w->v, i), w->radius[i], w->dt};
        PolytopeContact contact;
        mote_Vec3 normal;
        if (!polytope_collision(&w->polytope, &visitor, &contact)) return;
        mote_Vec3 point = polytope_point(&w->polytope, visitor.x, &contact, &normal);
        bounce(w, i, point, normal, share);
    }
}

/* A tracer that is out again may have gone through a thin body. */
static void sweep_convex(const Wall *w, size_t i, Share *share)
{
    const Polytope *p = &w->polytope;
    mote_Vec3 x = row_vector(w->x, i), v = row_vector(w->v, i), body = polytope_velocity(p, x);
    mote_Vec3 along = vec3_scale(vec3_sub(v, body), w->dt);
    ShapeCast way = {vec3_sub(x, along), along, w->radius[i]};
    mote_real fraction;
    size_t plane;
    if (p->count == 0 || !polytope_sweep(p, &way, &fraction, &plane)) return;
    mote_Vec3 touch = vec3_madd(way.from, fraction, along);
    mote_Vec3 normal = polytope_normal(p, touch, plane);
    bounce(w, i, vec3_madd(touch, -w->radius[i], normal), normal, share);
}

static bool runs_through(const Wall *w, size_t first, size_t count)
{
    mote_real most = 0, thin = 2 * w->polytope.inner;
    for (size_t i = first; i < first + count; ++i) {
        mote_Vec3 v = row_vector(w->v, i);
        mote_real speed2 = vec3_dot(v, v);
        most = speed2 > most ? speed2 : most;
    }
    return most * w->dt * w->dt > thin * thin;
}

static void convex_block(const Wall *w, size_t first, size_t count, Share *share)
{
    uint32_t rows[BLOCK_ROWS];
    TouchJob job = {.x = {w->x[0] + first, w->x[1] + first, w->x[2] + first},
                    .radius = w->radius + first,
                    .count = count};
    if (!w->polytope.hole && w->polytope.count > 0 && runs_through(w, first, count))
        for (size_t i = 0; i < count; ++i)
            if (polytope_is_clear(&w->polytope, row_vector(w->x, first + i), w->radius[first + i]))
                sweep_convex(w, first + i, share);
    size_t touching = w->kernels->touching(&w->polytope, &job, rows);
    for (size_t k = 0; k < touching; ++k) meet_convex(w, first + rows[k], share);
}

static void other_block(const Wall *w, size_t first, size_t count, Share *share)
{
    mote_real distance[BLOCK_ROWS], normals[3][BLOCK_ROWS];
    mote_real *x[3] = {w->x[0] + first, w->x[1] + first, w->x[2] + first};
    mote_real *normal[3] = {normals[0], normals[1], normals[2]}, widest = 0;
    for (size_t i = 0; i < count; ++i)
        widest = w->radius[first + i] > widest ? w->radius[first + i] : widest;
    if (!posed_near(&w->shape, count, x, widest)) return;
    posed_surface(&w->shape, count, x, distance, normal);
    for (size_t i = 0; i < count; ++i) {
        if (!(distance[i] < w->radius[first + i])) continue;
        mote_Vec3 n = row_vector(normal, i), place = row_vector(w->x, first + i);
        bounce(w, first + i, vec3_madd(place, -distance[i], n), n, share);
    }
}

static void piece_body(void *context, size_t begin, size_t end, int worker)
{
    const Wall *w = context;
    Share *share = &w->shares[begin / PIECE_ROWS];
    (void)worker;
    *share = (Share){.hits = 0};
    for (size_t first = begin; first < end; first += BLOCK_ROWS) {
        size_t count = end - first < BLOCK_ROWS ? end - first : BLOCK_ROWS;
        (w->convex ? convex_block : other_block)(w, first, count, share);
    }
}

static void meet_part(Wall *w, size_t rows, uint64_t *hits)
{
    PoseVelocity velocity = {w->collider->linear, w->collider->angular};
    mote_Pose body = pose_advance(&w->collider->pose, &w->collider->change, 1);
    w->convex = polytope_place(&w->shape, &velocity, &w->polytope);
    w->polytope.pose = body, w->polytope.velocity = velocity;
    mote_parallel_for(w->step->tasks, rows, PIECE_ROWS, piece_body, w);
    mote_ColliderLoad *load = &w->step->loads[w->collider->number];
    for (size_t k = 0; k * PIECE_ROWS < rows; ++k) {
        for (int c = 0; c < 3; ++c) {
            load->impulse[c] += w->shares[k].impulse[c];
            load->angular[c] += w->shares[k].angular[c];
        }
        load->particles += w->shares[k].hits;
        *hits += w->shares[k].hits;
    }
}

bool tracers_meet_walls(const SolverStep *step, size_t s, uint64_t *hits)
{
    const Broad *walls = step->walls[s];
    const mote_System *system = step->solver->systems[s];
    size_t rows = step->rows[s];
    if (walls == NULL || walls->count == 0 || rows == 0) return true;
    Wall w = {.step = step,
              .kernels = vortex_wall_kernels(step->isa),
              .radius = column_real(&system->columns[COLUMN_RADIUS], 0),
              .mass = column_real(&system->columns[COLUMN_MASS], 0),
              .dt = (mote_real)step->dt,
              .shares = arena_take(step->arena, (rows / PIECE_ROWS + 1) * sizeof *w.shares)};
    if (w.shares == NULL) return false;
    for (int c = 0; c < 3; ++c) {
        w.x[c] = column_real(&system->columns[COLUMN_POSITION], c);
        w.v[c] = column_real(&system->columns[COLUMN_VELOCITY], c);
    }
    for (size_t k = 0; k < walls->count; ++k) {
        w.collider = walls->colliders[k];
        w.pushes = !sheds_impulse(step->solver->object.params, w.collider);
        mote_Pose pose = pose_advance(&w.collider->pose, &w.collider->change, 1);
        PosedShape whole = {w.collider->shape, w.collider->object.params, pose};
        for (size_t part = 0; part < polytope_parts(&whole); ++part) {
            w.shape = polytope_part(&whole, part);
            meet_part(&w, rows, hits);
        }
    }
    return true;
}

static bool is_inside(const Broad *walls, mote_Vec3 x)
{
    for (size_t k = 0; k < walls->count; ++k) {
        const Collider *collider = walls->colliders[k];
        PosedShape shape = {collider->shape, collider->object.params, collider->pose};
        mote_real distance, *place[3] = {&x.x, &x.y, &x.z};
        posed_distance(&shape, 1, place, &distance);
        if (distance < 0) return true;
    }
    return false;
}

void drop_embedded(const SolverStep *step, size_t s, size_t first)
{
    const Broad *walls = step->walls[s];
    mote_System *system = step->solver->systems[s];
    mote_real *x[3], *lifetime = column_real(&system->columns[COLUMN_LIFETIME], 0);
    if (walls == NULL || walls->count == 0) return;
    for (int c = 0; c < 3; ++c) x[c] = column_real(&system->columns[COLUMN_POSITION], c);
    for (size_t i = first; i < step->rows[s]; ++i)
        if (is_inside(walls, row_vector(x, i))) lifetime[i] = 0, system->notes_valid = false;
}

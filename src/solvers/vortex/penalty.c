/* What a body does to the flow at nodes.
 *
 * A node's cell is solid by the share chi, and its velocity is u = chi U + (1 - chi) u_f: as the
 * body gets faster, the solid part follows at once, chi dU, and the rest of the slip, U - u, falls
 * by viscosity, as (1 - chi)^(t / T) with T = VISCOUS_STEP h^2 / nu. So the force does not depend
 * on how many sub-steps there are, and a layer that is thinner than a cell still has about its own:
 * beside a plane that gets faster it is 0.95 to 1.07 of Stokes' down to layers of 0.4 of a cell,
 * wherever the plane is between nodes.
 *
 * Within the body there is no fluid. What stands there takes momentum when the body gets faster,
 * rho V dU, and that is given back: what is left is the force of the fluid around it. */
#include "solvers/vortex/penalty.h"

#include "base/math.h"
#include "bodies/body.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/solver.h"

#include <string.h>

/* In cells, half the width of a body's edge. */
#define EDGE 1.0
/* What flows across a surface is stopped at its edge while it passes such a part of a cell: bodies
 * that are thinner than two cells have no place that is all solid. */
#define THROUGH 1.0

enum { NODE_PLANES = 7 }; /* of a node's numbers: place, distance, normal */

/* What is kept of each in Sheets.kept. */
enum { KEPT_FORESEEN = WITHIN_NUMBERS, KEPT_LINEAR = 13, KEPT_TURN = 16, KEPT_NUMBERS = 19 };

static void add_sums(PenaltySums *sum, const PenaltySums *more)
{
    for (int a = 0; a < 3; ++a) {
        sum->load.impulse[a] += more->load.impulse[a];
        sum->load.angular[a] += more->load.angular[a];
    }
    for (int k = 0; k < WITHIN_NUMBERS; ++k) sum->within[k] += more->within[k];
}

/* 1 inside, 0 outside, the share of a cell in between; distance in cells. Heaviside's step made
 * smooth over two cells, 1/2 (1 - s - sin(pi s) / pi): its integral is that of the step, so that
 * volumes are right. */
static double solid_share(double distance)
{
    const double s = distance / EDGE;
    if (s >= 1 || s <= -1) return s < 0 ? 1 : 0;
    return 0.5 * (1 - s - math_sin(3.14159265358979324 * s) / 3.14159265358979324);
}

static void add_cross(const double r[3], const double j[3], double sum[3])
{
    for (int a = 0; a < 3; ++a)
        sum[a] += r[(a + 1) % 3] * j[(a + 2) % 3] - r[(a + 2) % 3] * j[(a + 1) % 3];
}

/* Of the flow at a node that is `solid` by a share, what is taken in a round: all of it within. */
static double share_taken(double solid, double part)
{
    return solid < 1 ? 1 - math_exp(part * math_log(1 - solid)) : 1;
}

static void velocity_at(const Penalty *p, const PoseVelocity *velocity, mote_Vec3 x, double u[3])
{
    const mote_Vec3 at = pose_point_velocity(&p->collider->pose, velocity, x);
    u[0] = (double)at.x, u[1] = (double)at.y, u[2] = p->flow->lattice.flat ? 0 : (double)at.z;
}

/* A node near the surface, and what is next to it there. */
typedef struct EdgeNode {
    size_t node;
    mote_Vec3 x, normal;
    double distance; /* cells */
} EdgeNode;

/* What the flow gets of a slip: along the surface by viscosity, and across it at least as fast as
 * it would pass a part of a cell. */
static void taken_of(const Penalty *p, const EdgeNode *e, double solid, double slip[3])
{
    const double n[3] = {(double)e->normal.x, (double)e->normal.y, (double)e->normal.z};
    const double through = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2];
    const double part = p->part + p->passed * (through < 0 ? -through : through);
    const double along = share_taken(solid, p->part), across = share_taken(solid, part);
    for (int a = 0; a < 3; ++a) slip[a] = along * slip[a] + (across - along) * through * n[a];
}

/* d(rho u) = rho (chi dU + s (U - u)) per volume; the body gets the opposite, with its arm. */
static void push_node(const Penalty *p, const EdgeNode *e, PenaltySums *sum)
{
    const MeshFlow *f = p->flow;
    const PoseVelocity velocity = {p->collider->linear, p->collider->angular};
    const double mass = (double)f->work->params->density * lattice_volume(&f->lattice);
    const double solid = solid_share(e->distance);
    const mote_Vec3 arm = vec3_sub(e->x, p->collider->pose.position), w = f->work->params->wind;
    const double r[3] = {(double)arm.x, (double)arm.y, (double)arm.z};
    const double wind[3] = {(double)w.x, (double)w.y, f->lattice.flat ? 0 : (double)w.z};
    double body[3], faster[3], more[3], j[3], within[3];
    velocity_at(p, &velocity, e->x, body);
    velocity_at(p, &p->faster, e->x, faster);
    for (int a = 0; a < 3; ++a)
        more[a] = body[a] - f->seen[a][e->node] - f->push[a][e->node] - solid * faster[a];
    taken_of(p, e, solid, more);
    for (int a = 0; a < 3; ++a) {
        more[a] += solid * faster[a];
        f->push[a][e->node] += more[a];
        j[a] = -mass * more[a], within[a] = mass * solid * (body[a] - wind[a]);
        sum->load.impulse[a] += j[a];
        sum->within[WITHIN_MOMENTUM + a] += within[a];
    }
    sum->within[WITHIN_VOLUME] += solid;
    add_cross(r, j, sum->load.angular);
    add_cross(r, within, sum->within + WITHIN_ANGULAR);
}

static size_t plane_nodes(const Penalty *p)
{
    return (p->to[1] - p->from[1]) * (p->to[2] - p->from[2]);
}

/* Where the nodes of planes are, and how far from the surface. */
static void place_body(void *context, size_t begin, size_t end, int worker)
{
    const Penalty *p = context;
    const Lattice *l = &p->flow->lattice;
    const size_t depth = p->to[2] - p->from[2], count = plane_nodes(p);
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        mote_real *at = p->planes + i * NODE_PLANES * count;
        mote_real *const x[3] = {at, at + count, at + 2 * count};
        mote_real *const normal[3] = {at + 4 * count, at + 5 * count, at + 6 * count};
        for (size_t n = 0; n < count; ++n) {
            x[0][n] = (mote_real)lattice_place(l, 0, p->from[0] + i);
            x[1][n] = (mote_real)lattice_place(l, 1, p->from[1] + n / depth);
            x[2][n] = (mote_real)lattice_place(l, 2, p->from[2] + n % depth);
        }
        posed_surface(&p->shape, count, x, at + 3 * count, normal);
    }
}

static void push_plane(const Penalty *p, size_t i)
{
    const Lattice *l = &p->flow->lattice;
    const size_t depth = p->to[2] - p->from[2], count = plane_nodes(p);
    const mote_real *at = p->planes + i * NODE_PLANES * count;
    memset(&p->sums[i], 0, sizeof p->sums[i]);
    for (size_t n = 0; n < count; ++n, ++at) {
        const size_t line = (p->from[0] + i) * l->nodes[1] + p->from[1] + n / depth;
        const EdgeNode e = {.node = line * l->nodes[2] + p->from[2] + n % depth,
                            .x = vec3(at[0], at[count], at[2 * count]),
                            .normal = vec3(at[4 * count], at[5 * count], at[6 * count]),
                            .distance = (double)at[3 * count] / l->side};
        if (e.distance < EDGE) push_node(p, &e, &p->sums[i]);
    }
}

static void push_body(void *context, size_t begin, size_t end, int worker)
{
    const Penalty *p = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) push_plane(p, i);
}

/* The nodes that its box covers. */
static void find_nodes(Penalty *p)
{
    const Lattice *l = &p->flow->lattice;
    const Aabb *box = &p->collider->bounds;
    const double low[3] = {(double)box->low.x, (double)box->low.y, (double)box->low.z};
    const double high[3] = {(double)box->high.x, (double)box->high.y, (double)box->high.z};
    for (int c = 0; c < 3; ++c) {
        const double last = (double)l->nodes[c];
        double from = low[c] / l->side - (double)l->low[c] - EDGE;
        double to = high[c] / l->side - (double)l->low[c] + EDGE + 2;
        from = from > 0 ? from : 0, to = to > 0 ? to : 0;
        p->from[c] = (size_t)(from < last ? from : last);
        p->to[c] = (size_t)(to < last ? to : last);
        if (l->flat && c == 2) p->from[c] = 0, p->to[c] = 1;
    }
}

/* Of a free body's mass over what is left without that of the fluid in its place, no more than 2:
 * the rest is given back a sub-step later. At m = rho V nothing would be left to divide by, and a
 * lighter body would go the wrong way. */
static double yield_share(const Penalty *p)
{
    const Body *body = p->collider->body;
    ShapeMeasure measure;
    if (body == NULL || !body->def.free || p->collider->shape->measure == NULL) return 1;
    p->collider->shape->measure(p->collider->object.params, &measure);
    const double mass = body->mass.mass;
    const double fluid = (double)p->flow->work->params->density * measure.volume;
    return mass / (mass - fluid > mass / 2 ? mass - fluid : mass / 2);
}

/* Room for what is kept of bodies. False when out of memory. */
bool penalty_keep(const SolverStep *step)
{
    Vortex *vortex = step->solver->state;
    Sheets *s = &vortex->sheets;
    const size_t wanted = step->load_count * KEPT_NUMBERS;
    if (s->kept_count == wanted) return true;
    memory_free(vortex->memory, s->kept, s->kept_count * sizeof *s->kept);
    s->kept = memory_zeroed(vortex->memory, wanted * sizeof *s->kept);
    s->kept_count = s->kept != NULL ? wanted : 0;
    return s->kept != NULL;
}

static double *kept_of(const Collider *collider, const SolverStep *step)
{
    const Vortex *vortex = step->solver->state;
    return vortex->sheets.kept + collider->number * KEPT_NUMBERS;
}

static mote_Vec3 vector_of(const double a[3])
{
    return vec3((mote_real)a[0], (mote_real)a[1], (mote_real)a[2]);
}

/* How much faster it is than a sub-step ago; than the wind, at first. */
static PoseVelocity gained(const Collider *c, const double *kept, mote_Vec3 wind)
{
    const bool known = kept[WITHIN_VOLUME] > 0;
    const mote_Vec3 before = known ? vector_of(kept + KEPT_LINEAR) : wind;
    return (PoseVelocity){vec3_sub(c->linear, before),
                          vec3_sub(c->angular, vector_of(kept + KEPT_TURN))};
}

/* What is within has changed its momentum with the body's velocity, and that is given back. How
 * many cells it has changes as the body goes on, and says nothing. At first it went with the wind,
 * as all fluid does. */
static void give_back_within(PenaltySums *sum, double *kept)
{
    const double same =
        kept[WITHIN_VOLUME] > 0 ? sum->within[WITHIN_VOLUME] / kept[WITHIN_VOLUME] : 0;
    double *const load[2] = {sum->load.impulse, sum->load.angular};
    for (int k = 0; k < 6; ++k)
        load[k / 3][k % 3] += sum->within[WITHIN_MOMENTUM + k] - same * kept[WITHIN_MOMENTUM + k] -
                              kept[KEPT_FORESEEN + k];
    memcpy(kept, sum->within, sizeof sum->within);
}

/* A free body yields, and what is within goes with it: of its mass that is left out. */
static void give_load(const Penalty *p, const PenaltySums *sum, double *foreseen,
                      mote_ColliderLoad *load)
{
    const double share = yield_share(p);
    for (int a = 0; a < 3; ++a) {
        load->impulse[a] += share * sum->load.impulse[a];
        load->angular[a] += share * sum->load.angular[a];
        foreseen[a] = (share - 1) * sum->load.impulse[a];
        foreseen[3 + a] = (share - 1) * sum->load.angular[a];
    }
}

/* False when out of memory; `all` stays empty where no node is near. */
bool penalty_begin(Penalty *p, MeshFlow *flow, const Collider *collider, const SolverStep *step)
{
    *p = (Penalty){.flow = flow,
                   .collider = collider,
                   .shape = {collider->shape, collider->object.params, collider->pose}};
    find_nodes(p);
    const size_t planes = p->to[0] > p->from[0] ? p->to[0] - p->from[0] : 0;
    if (planes * plane_nodes(p) == 0) {
        p->to[0] = p->from[0];
        return true;
    }
    p->sums = arena_take(step->arena, planes * sizeof *p->sums);
    p->planes = arena_take(step->arena, NODE_PLANES * planes * plane_nodes(p) * sizeof *p->planes);
    if (p->sums == NULL || p->planes == NULL) return false;
    p->faster = gained(collider, kept_of(collider, step), flow->work->params->wind);
    mote_parallel_for(step->tasks, planes, 1, place_body, p);
    return true;
}

/* One round: what is within is that of the last. */
void penalty_push(Penalty *p, double part, double time, mote_Tasks *tasks)
{
    const size_t planes = p->to[0] - p->from[0];
    p->part = part, p->passed = time / (THROUGH * p->flow->lattice.side);
    memset(p->all.within, 0, sizeof p->all.within);
    mote_parallel_for(tasks, planes, 1, push_body, p);
    for (size_t i = 0; i < planes; ++i) add_sums(&p->all, &p->sums[i]);
    p->faster = (PoseVelocity){vec3(0, 0, 0), vec3(0, 0, 0)};
}

void penalty_finish(Penalty *p, const SolverStep *step)
{
    double *kept = kept_of(p->collider, step);
    const Collider *c = p->collider;
    const mote_Vec3 now[2] = {c->linear, c->angular};
    if (p->to[0] == p->from[0]) return;
    give_back_within(&p->all, kept);
    give_load(p, &p->all, kept + KEPT_FORESEEN, &step->loads[c->number]);
    for (int k = 0; k < 2; ++k) {
        double *velocity = kept + (k == 0 ? KEPT_LINEAR : KEPT_TURN);
        velocity[0] = (double)now[k].x, velocity[1] = (double)now[k].y;
        velocity[2] = (double)now[k].z;
    }
}

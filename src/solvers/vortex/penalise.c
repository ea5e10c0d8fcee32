/* Brinkman's penalisation: a body is a place where the fluid takes the body's velocity.
 *
 *     u <- u + chi (U - u),    omega <- omega + curl(chi (U - u))
 *
 * once a sub-step, chi being about the share of a node's cell that is solid: the limit of Angot,
 * Bruneau and Fabrie (Numer. Math. 81, 1999) for a penalty that acts within a sub-step, where the
 * published 1 + lambda dt chi would make a body wider by the width of its edge. What the fluid
 * loses of momentum by it is the force on the body. Vortons carry the vorticity between meshes
 * (Coquerelle and Cottet, JCP 227, 2008), by the velocity that it induces; what bodies add stays
 * where it was made until the next sub-step, so that the impulse of all vorticity changes by that
 * force alone.
 */
#include "solvers/vortex/penalise.h"

#include "base/math.h"
#include "bodies/body.h"
#include "geometry/posed.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/solver.h"

#include <string.h>

/* In cells: half the width of a body's edge, and how far its middle is inside. A share that is
 * taken in every sub-step stops the flow long before it is a half; this way it does so at the
 * surface. */
#define EDGE  1.0
#define SHIFT 0.5

/* ---- rows ---- */

/* What was shed becomes rows, which are remeshed with all others. */
mote_Status penalise_begin(const SolverStep *step, mote_Error *error)
{
    Vortex *vortex = step->solver->state;
    const mote_System *system = step->solver->systems[0];
    const bool all_seen = vortex_first_new(vortex, system, 0, system->count) == system->count;
    mote_Status status = sheets_give_birth(step, error);
    if (all_seen) vortex->saved[SAVED_IDS] = (double)system->next_id;
    return status;
}

/* ---- bodies ---- */

/* A body at work on planes of nodes. */
typedef struct Penalty {
    MeshFlow *flow;
    const Collider *collider;
    PosedShape shape;
    size_t from[3], to[3];   /* nodes */
    mote_ColliderLoad *sums; /* of each plane */
    mote_real *planes;       /* room for four numbers of each node */
} Penalty;

/* 1 inside, 0 outside, the share of a cell in between. */
static double solid_share(double distance, double side)
{
    const double s = (distance / side + SHIFT) / EDGE;
    if (s >= 1 || s <= -1) return s < 0 ? 1 : 0;
    return 0.5 * (1 - s - math_sin(3.14159265358979324 * s) / 3.14159265358979324);
}

static void push_node(const Penalty *p, size_t node, mote_Vec3 x, double share,
                      mote_ColliderLoad *sum)
{
    const Collider *c = p->collider;
    const MeshFlow *f = p->flow;
    const PoseVelocity velocity = {c->linear, c->angular};
    const mote_Vec3 u = pose_point_velocity(&c->pose, &velocity, x);
    const double body[3] = {(double)u.x, (double)u.y, f->lattice.flat ? 0 : (double)u.z};
    const double mass = (double)f->work->params->density * lattice_volume(&f->lattice);
    const mote_Vec3 arm = vec3_sub(x, c->pose.position);
    const double r[3] = {(double)arm.x, (double)arm.y, (double)arm.z};
    double j[3];
    for (int a = 0; a < 3; ++a) {
        const double more = share * (body[a] - f->velocity[a][node] - f->push[a][node]);
        f->push[a][node] += more;
        j[a] = -mass * more;
        sum->impulse[a] += j[a];
    }
    for (int a = 0; a < 3; ++a)
        sum->angular[a] += r[(a + 1) % 3] * j[(a + 2) % 3] - r[(a + 2) % 3] * j[(a + 1) % 3];
}

/* The nodes of one plane. */
static void push_plane(const Penalty *p, size_t i)
{
    const Lattice *l = &p->flow->lattice;
    const size_t lines = p->to[1] - p->from[1], depth = p->to[2] - p->from[2];
    const size_t count = lines * depth;
    mote_real *at = p->planes + (i - p->from[0]) * 4 * count;
    mote_real *const x[3] = {at, at + count, at + 2 * count};
    for (size_t n = 0; n < count; ++n) {
        x[0][n] = (mote_real)lattice_place(l, 0, i);
        x[1][n] = (mote_real)lattice_place(l, 1, p->from[1] + n / depth);
        x[2][n] = (mote_real)lattice_place(l, 2, p->from[2] + n % depth);
    }
    posed_distance(&p->shape, count, x, at + 3 * count);
    for (size_t n = 0; n < count; ++n) {
        const double share = solid_share((double)at[3 * count + n], l->side);
        const size_t node =
            (i * l->nodes[1] + p->from[1] + n / depth) * l->nodes[2] + p->from[2] + n % depth;
        if (share > 0)
            push_node(p, node, vec3(x[0][n], x[1][n], x[2][n]), share, &p->sums[i - p->from[0]]);
    }
}

static void push_body(void *context, size_t begin, size_t end, int worker)
{
    const Penalty *p = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) push_plane(p, p->from[0] + i);
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

/* Fluid that stands in a body's place goes with it and needs no push of the body's own: of a free
 * body's mass it is left out, down to half. */
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

static bool penalise(MeshFlow *flow, const Collider *collider, const SolverStep *step)
{
    Penalty p = {.flow = flow,
                 .collider = collider,
                 .shape = {collider->shape, collider->object.params, collider->pose}};
    find_nodes(&p);
    const size_t planes = p.to[0] > p.from[0] ? p.to[0] - p.from[0] : 0;
    const size_t nodes = (p.to[1] - p.from[1]) * (p.to[2] - p.from[2]);
    if (planes * nodes == 0) return true;
    p.sums = arena_take(step->arena, planes * sizeof *p.sums);
    p.planes = arena_take(step->arena, 4 * planes * nodes * sizeof *p.planes);
    if (p.sums == NULL || p.planes == NULL) return false;
    memset(p.sums, 0, planes * sizeof *p.sums);
    mote_parallel_for(step->tasks, planes, 1, push_body, &p);
    const double share = yield_share(&p);
    mote_ColliderLoad *load = &step->loads[collider->number];
    for (size_t i = 0; i < planes; ++i)
        for (int a = 0; a < 3; ++a) {
            load->impulse[a] += share * p.sums[i].impulse[a];
            load->angular[a] += share * p.sums[i].angular[a];
        }
    return true;
}

/* ---- the sub-step ---- */

/* The box of all bodies with an end. */
static void find_bodies(const Broad *walls, double low[3], double high[3])
{
    bool any = false;
    for (int c = 0; c < 3; ++c) low[c] = high[c] = 0;
    for (size_t k = 0; k < walls->count; ++k) {
        const Aabb *b = &walls->colliders[k]->bounds;
        const double from[3] = {(double)b->low.x, (double)b->low.y, (double)b->low.z};
        const double to[3] = {(double)b->high.x, (double)b->high.y, (double)b->high.z};
        if (!aabb_is_finite(b)) continue;
        for (int c = 0; c < 3; ++c) {
            low[c] = !any || from[c] < low[c] ? from[c] : low[c];
            high[c] = !any || to[c] > high[c] ? to[c] : high[c];
        }
        any = true;
    }
}

bool penalise_place(const SolverStep *step, VortexWork *work)
{
    const Broad *walls = step->walls[0];
    VortonRows rows = vortex_rows(step->solver->systems[0], step->rows[0]);
    double low[3] = {0}, high[3] = {0};
    work->sheets = NULL;
    if (walls != NULL) find_bodies(walls, low, high);
    if (rows.count > 0 && (walls == NULL || walls->count == 0))
        for (int c = 0; c < 3; ++c) low[c] = high[c] = (double)rows.x[c][0];
    work->mesh = mesh_flow_make(work, &rows, (double)work->params->remesh_spacing, low, high);
    if (work->mesh == NULL || !mesh_flow_induce(work->mesh)) return false;
    for (uint32_t number = 0; number < step->load_count; ++number) /* not in the tree's order */
        for (size_t k = 0; walls != NULL && k < walls->count; ++k)
            if (walls->colliders[k]->number == number &&
                !penalise(work->mesh, walls->colliders[k], step))
                return false;
    return mesh_flow_diffuse(work->mesh) && mesh_flow_stretch(work->mesh) &&
           mesh_flow_curl_push(work->mesh);
}

/* Loads were given when bodies were placed. */
bool penalise_finish(const VortexWork *work, const VortonRows *rows, const SolverStep *step)
{
    (void)work, (void)rows, (void)step;
    return true;
}

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
 *
 * Within the body there is no fluid. What stands there takes momentum when the body gets faster,
 * rho V dU, and that is given back: what is left is the force of the fluid around it.
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

/* What stands in a body's place: volume in cells, momentum and angular momentum about the body's
 * place, both beyond the wind's; kept from one sub-step to the next in Sheets.kept, and what a free
 * body's last push will change of it, which was foreseen. */
enum { WITHIN_VOLUME, WITHIN_MOMENTUM, WITHIN_ANGULAR = 4, WITHIN_NUMBERS = 7, WITHIN_KEPT = 13 };

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

/* Of one plane of nodes: what the body gets, and what stands in its place. */
typedef struct PenaltySums {
    mote_ColliderLoad load;
    double within[WITHIN_NUMBERS];
} PenaltySums;

static void add_sums(PenaltySums *sum, const PenaltySums *more)
{
    for (int a = 0; a < 3; ++a) {
        sum->load.impulse[a] += more->load.impulse[a];
        sum->load.angular[a] += more->load.angular[a];
    }
    for (int k = 0; k < WITHIN_NUMBERS; ++k) sum->within[k] += more->within[k];
}

/* A body at work on planes of nodes. */
typedef struct Penalty {
    MeshFlow *flow;
    const Collider *collider;
    PosedShape shape;
    size_t from[3], to[3]; /* nodes */
    PenaltySums *sums;     /* of each plane */
    mote_real *planes;     /* room for four numbers of each node */
} Penalty;

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

/* A node at `distance` cells from the surface. d(rho u) = rho chi (U - u) per volume; the body gets
 * the opposite, with its arm. */
static void push_node(const Penalty *p, size_t node, mote_Vec3 x, double distance, PenaltySums *sum)
{
    const Collider *c = p->collider;
    const MeshFlow *f = p->flow;
    const PoseVelocity velocity = {c->linear, c->angular};
    const mote_Vec3 u = pose_point_velocity(&c->pose, &velocity, x);
    const double body[3] = {(double)u.x, (double)u.y, f->lattice.flat ? 0 : (double)u.z};
    const double mass = (double)f->work->params->density * lattice_volume(&f->lattice);
    const double share = solid_share(distance + SHIFT), whole = solid_share(distance);
    const mote_Vec3 arm = vec3_sub(x, c->pose.position);
    const double r[3] = {(double)arm.x, (double)arm.y, (double)arm.z};
    const mote_Vec3 w = f->work->params->wind;
    const double wind[3] = {(double)w.x, (double)w.y, f->lattice.flat ? 0 : (double)w.z};
    double j[3], within[3];
    for (int a = 0; a < 3; ++a) {
        const double more = share * (body[a] - f->velocity[a][node] - f->push[a][node]);
        f->push[a][node] += more;
        j[a] = -mass * more, within[a] = mass * whole * (body[a] - wind[a]);
        sum->load.impulse[a] += j[a];
        sum->within[WITHIN_MOMENTUM + a] += within[a];
    }
    sum->within[WITHIN_VOLUME] += whole;
    add_cross(r, j, sum->load.angular);
    add_cross(r, within, sum->within + WITHIN_ANGULAR);
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
        const double distance = (double)at[3 * count + n] / l->side;
        const size_t node =
            (i * l->nodes[1] + p->from[1] + n / depth) * l->nodes[2] + p->from[2] + n % depth;
        if (distance < EDGE)
            push_node(p, node, vec3(x[0][n], x[1][n], x[2][n]), distance, &p->sums[i - p->from[0]]);
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

/* What stood in the bodies' places a sub-step ago; NULL when out of memory. */
static double *kept_within(const SolverStep *step)
{
    Vortex *vortex = step->solver->state;
    Sheets *s = &vortex->sheets;
    const size_t wanted = step->load_count * WITHIN_KEPT;
    if (s->kept_count == wanted) return s->kept;
    memory_free(vortex->memory, s->kept, s->kept_count * sizeof *s->kept);
    s->kept = memory_zeroed(vortex->memory, wanted * sizeof *s->kept);
    s->kept_count = s->kept != NULL ? wanted : 0;
    return s->kept;
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
                              kept[WITHIN_NUMBERS + k];
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
    double *kept = kept_within(step);
    PenaltySums all = {.within = {0}};
    if (kept == NULL) return false;
    kept += collider->number * WITHIN_KEPT;
    for (size_t i = 0; i < planes; ++i) add_sums(&all, &p.sums[i]);
    give_back_within(&all, kept);
    give_load(&p, &all, kept + WITHIN_NUMBERS, &step->loads[collider->number]);
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

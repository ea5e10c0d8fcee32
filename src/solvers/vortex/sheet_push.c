/* What pushes bodies of panels: the impulse of the sheet and of what it did to the flow, or the
 * pressure on the panels.
 *
 *     F = - rho d/dt (I_sheet + given to vortons) + rho V dU/dt     impulse
 *     p = - rho (d phi / dt + slip^2 / 2)                             pressure
 * Both are the same force, so that a wake with holes shows in their difference. */
#include "base/loop.h"
#include "bodies/body.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/sheet_flow.h"

#include <string.h>

static void give_load(mote_ColliderLoad *load, D3 impulse, D3 angular)
{
    load->impulse[0] += impulse.x, load->impulse[1] += impulse.y, load->impulse[2] += impulse.z;
    load->angular[0] += angular.x, load->angular[1] += angular.y, load->angular[2] += angular.z;
}

/* The velocity of the body's middle. */
static D3 middle_velocity(const SheetWork *w, size_t k)
{
    PoseVelocity velocity = {w->colliders[k]->linear, w->colliders[k]->angular};
    mote_Vec3 x = pose_apply(&w->end[k], d3_real(w->all->items[k].middle));
    return d3_of(pose_point_velocity(&w->end[k], &velocity, x));
}

/* Over density and area: by the speeds on a side of panel i, and by the stress of its layer. */
static D3 push_on_side(const VortexWork *work, const Panels *p, const SheetFlow *f, size_t i,
                       int side)
{
    const size_t at = i + (size_t)side * p->count;
    const mote_Vec3 now = f->slip[at], was = f->slipped[at];
    const double speed2 = (double)(vec3_dot(now, now) + vec3_dot(was, was)) / 2;
    const double layer = (double)viscous_share(work, p) * p->side / 2;
    const double out = (side == 0 ? 0.5 : -0.5) * speed2 * (double)work->dt;
    return d3_madd(d3_scale(d3_of(f->normal[i]), out), layer, d3_of(was));
}

typedef struct SheetPush {
    D3 impulse, angular;
} SheetPush;

/* p = - rho (d phi / dt + slip^2 / 2) outside, phi being - mu beside what the body's own way makes:
 * the theorem of Bernoulli for flow that changes. Of a thin plate phi differs by - mu from side to
 * side. */
static SheetPush pressure_push(const VortexWork *work, size_t k, const SheetFlow *f,
                               const double *before)
{
    const SheetWork *w = work->sheets;
    const Panels *p = &w->all->items[k].panels;
    double density = (double)work->params->density;
    SheetPush push = {d3(0, 0, 0), d3(0, 0, 0)};
    if (!(before[SHEET_KNOWN] > 0)) return push;
    for (size_t i = 0; i < p->count; ++i) {
        D3 j = d3_scale(d3_of(f->normal[i]), before[SHEET_MU + i] - f->mu[i]);
        for (int side = 0; side < panels_sides(p); ++side)
            j = d3_add(j, push_on_side(work, p, f, i, side));
        j = d3_scale(j, density * p->panels[i].area);
        D3 arm = d3_of(vec3_sub(row_vector(f->x, i), w->end[k].position));
        push.impulse = d3_add(push.impulse, j);
        push.angular = d3_add(push.angular, d3_cross(arm, j));
    }
    const D3 was = d3_from(before + SHEET_VELOCITY);
    push.impulse = d3_madd(push.impulse, density * p->volume, d3_sub(middle_velocity(w, k), was));
    return push;
}

/* A body that takes `push` along the axes of its shape, of which `added` comes back as it yields:
 * what is left, and what the sheet will take of it. Implicit in the added mass: (m + m_a) dU = J,
 * not m dU = J - m_a dU of the sub-step before, which grows where m_a > m. */
static D3 yield_along(const mote_Pose *pose, D3 push, const double inertia[3],
                      const double added[3], D3 *taken)
{
    const D3 own = d3_of(pose_rotate_back(pose, d3_real(push)));
    const D3 left = d3(own.x / (1 + added[0] / inertia[0]), own.y / (1 + added[1] / inertia[1]),
                       own.z / (1 + added[2] / inertia[2]));
    const D3 change = d3(left.x * added[0] / inertia[0], left.y * added[1] / inertia[1],
                         left.z * added[2] / inertia[2]);
    *taken = d3_of(pose_rotate(pose, d3_real(change)));
    return d3_of(pose_rotate(pose, d3_real(left)));
}

/* Moments of inertia about the axes of the shape. */
static void inertia_of(const Body *body, double inertia[3])
{
    for (int c = 0; c < 3; ++c) {
        const D3 axis = d3(c == 0, c == 1, c == 2);
        const D3 own = dquat_rotate_back(body->mass.in_shape.orientation, axis),
                 i = body->mass.inertia;
        inertia[c] = own.x * own.x * i.x + own.y * own.y * i.y + own.z * own.z * i.z;
    }
}

/* A free body yields, and then what goes with it gives some of the push back, in the next sub-step:
 * that is foreseen, so that bodies may be lighter than the air that they move. */
static void yield(const VortexWork *work, size_t k, const double *before, SheetPush *push)
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    const Body *body = w->colliders[k]->body;
    const double density = (double)work->params->density;
    double *kept = sheet->kept, added[3], turned[3], mass[3], inertia[3];
    if (body == NULL || !body->def.free) return;
    inertia_of(body, inertia);
    for (int c = 0; c < 3; ++c) {
        added[c] = density * sheet->added[c], turned[c] = density * sheet->turned[c];
        mass[c] = body->mass.mass;
    }
    D3 taken, spun;
    push->impulse = d3_add(push->impulse, d3_from(before + SHEET_YIELDED));
    push->angular = d3_add(push->angular, d3_from(before + SHEET_TURNED));
    push->impulse = yield_along(&w->end[k], push->impulse, mass, added, &taken);
    push->angular = yield_along(&w->end[k], push->angular, inertia, turned, &spun);
    d3_to(taken, kept + SHEET_YIELDED), d3_to(spun, kept + SHEET_TURNED);
}

/* Of a panel's side, what a body without mass may pass in a sub-step. What it sheds and what pushes
 * it belong to where it was: in longer ones a body that is light beside the air that goes with it
 * gains energy by that. */
#define PASSED_SHARE 0.25

/* The longest sub-step of a free body; 0: any. */
static double longest_step(const VortexWork *work, size_t k, const SheetFlow *f)
{
    const Sheet *sheet = &work->sheets->all->items[k];
    const Body *body = work->sheets->colliders[k]->body;
    double fastest = 0, added = 0;
    if (body == NULL || !body->def.free) return 0;
    for (int c = 0; c < 3; ++c) added = sheet->added[c] > added ? sheet->added[c] : added;
    for (size_t i = 0; i < f->count; ++i) {
        const double speed = (double)vec3_length(vec3_sub(f->moves[i], work->params->wind));
        fastest = speed > fastest ? speed : fastest;
    }
    if (!(fastest > 0 && added > 0)) return 0;
    const double lightness = 1 + body->mass.mass / ((double)work->params->density * added);
    return PASSED_SHARE * sheet->panels.side * lightness / fastest;
}

/* Into what all sheets keep. */
static void note_limit(const VortexWork *work, size_t k, const SheetFlow *f)
{
    double *least = work->sheets->all->kept, own = longest_step(work, k, f);
    if (own > 0 && (!(*least > 0) || own < *least)) *least = own;
}

/* What the sheet gave since the last sub-step, over density: to vortons, and to itself. Notes what
 * it has now. */
static D3 impulse_given(const SheetWork *w, size_t k)
{
    const Sheet *sheet = &w->all->items[k];
    const Sources lines = sheet_lines(w, k);
    double *kept = sheet->kept;
    D3 impulse = d3(0, 0, 0), velocity = middle_velocity(w, k);
    for (size_t e = 0; e < lines.count; ++e) {
        const mote_real *const *p = lines.plane;
        add_impulse(vec3(p[0][e], p[1][e], p[2][e]), vec3(p[3][e], p[4][e], p[5][e]), 1, &impulse);
    }
    const D3 was = d3_from(kept + SHEET_IMPULSE), moved = d3_from(kept + SHEET_VELOCITY);
    D3 gave = d3_add(d3_sub(impulse, was), w->impulse[k]);
    kept[SHEET_KNOWN] = 1;
    d3_to(impulse, kept + SHEET_IMPULSE), d3_to(velocity, kept + SHEET_VELOCITY);
    return d3_madd(gave, -sheet->panels.volume, d3_sub(velocity, moved));
}

/* The torque is that of the pressure in any case: angular impulses of lines that are cut in pieces
 * depend on where the origin is. */
void push_sheet(const VortexWork *work, const SolverStep *step, size_t k, const SheetFlow *f,
                const double *before)
{
    const SheetWork *w = work->sheets;
    const int coupling = work->params->coupling;
    const D3 gave = impulse_given(w, k);
    note_limit(work, k, f);
    SheetPush push = pressure_push(work, k, f, before);
    if (!(before[SHEET_KNOWN] > 0) || coupling == MOTE_COUPLED_BY_TRACERS) return;
    if (coupling == MOTE_COUPLED_BY_IMPULSE)
        push.impulse = d3_scale(gave, -(double)work->params->density);
    yield(work, k, before, &push);
    give_load(&step->loads[w->all->items[k].number], push.impulse, push.angular);
}

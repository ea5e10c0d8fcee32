/* What pushes bodies of panels: the impulse of the sheet and of what it did to the flow, or the
 * pressure on the panels. */
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
    D3 was = d3(before[SHEET_VELOCITY], before[SHEET_VELOCITY + 1], before[SHEET_VELOCITY + 2]);
    push.impulse = d3_madd(push.impulse, density * p->volume, d3_sub(middle_velocity(w, k), was));
    return push;
}

/* A free body yields, and then its added mass gives some of it back: what remains of an impulse,
 * and by how much its velocity changes. */
static D3 yield(const VortexWork *work, size_t k, D3 *impulse)
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    const Body *body = w->colliders[k]->body;
    if (body == NULL || !body->def.free) return d3(0, 0, 0);
    double mass = body->mass.mass, density = (double)work->params->density;
    D3 own = d3_of(pose_rotate_back(&w->end[k], d3_real(*impulse)));
    own.x /= 1 + density * sheet->added[0] / mass;
    own.y /= 1 + density * sheet->added[1] / mass;
    own.z /= 1 + density * sheet->added[2] / mass;
    *impulse = d3_of(pose_rotate(&w->end[k], d3_real(own)));
    return d3_scale(*impulse, 1 / mass);
}

/* The sheet of a body that moves faster by `change`. */
static void predict(const SheetWork *w, size_t k, D3 change)
{
    const Sheet *sheet = &w->all->items[k];
    const double *added = sheet->added;
    double *kept = sheet->kept, volume = sheet->panels.volume;
    D3 own = d3_of(pose_rotate_back(&w->end[k], d3_real(change)));
    own = d3((added[0] + volume) * own.x, (added[1] + volume) * own.y, (added[2] + volume) * own.z);
    D3 more = d3_of(pose_rotate(&w->end[k], d3_real(own)));
    kept[SHEET_IMPULSE] += more.x, kept[SHEET_IMPULSE + 1] += more.y;
    kept[SHEET_IMPULSE + 2] += more.z;
    kept[SHEET_VELOCITY] += change.x, kept[SHEET_VELOCITY + 1] += change.y;
    kept[SHEET_VELOCITY + 2] += change.z;
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
    D3 was = d3(kept[SHEET_IMPULSE], kept[SHEET_IMPULSE + 1], kept[SHEET_IMPULSE + 2]);
    D3 moved = d3(kept[SHEET_VELOCITY], kept[SHEET_VELOCITY + 1], kept[SHEET_VELOCITY + 2]);
    D3 gave = d3_add(d3_sub(impulse, was), w->impulse[k]);
    const double now[SHEET_MU] = {1,          impulse.x,  impulse.y, impulse.z,
                                  velocity.x, velocity.y, velocity.z};
    memcpy(kept, now, sizeof now);
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
    SheetPush push = pressure_push(work, k, f, before);
    if (!(before[SHEET_KNOWN] > 0) || coupling == MOTE_COUPLED_BY_TRACERS) return;
    if (coupling == MOTE_COUPLED_BY_IMPULSE) {
        push.impulse = d3_scale(gave, -(double)work->params->density);
        predict(w, k, yield(work, k, &push.impulse));
    }
    give_load(&step->loads[w->all->items[k].number], push.impulse, push.angular);
}

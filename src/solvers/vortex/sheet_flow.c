/* The end of a sub-step for sheets: circulations, slip, shedding, and what pushes the bodies. */
#include "base/loop.h"
#include "base/math.h"
#include "bodies/body.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/sheets.h"
#include "solvers/vortex/solver.h"
#include "solvers/vortex/spins.h"

#include <string.h>

/* Core radius of new vortons, in sides of panels. */
#define SHED_CORE 0.7

enum { SWEEPS = 3 }; /* of bodies that see each other */

/* One sheet's panels in the world, at the end of the sub-step. */
typedef struct SheetFlow {
    size_t count;
    mote_real *x[3];           /* m, middles of panels */
    mote_real *out[3];         /* m/s: flow there but for the sheets */
    mote_real *all[3];         /* m/s: but for the sheet's own rings */
    mote_Vec3 *normal, *moves; /* of the body */
    mote_Vec3 *slip;           /* m/s, relative to the surface, outside */
    double *mu;                /* right sides, then circulations */
    mote_Vec3 *legs, *way;     /* shed at each corner: strength; m, from it */
} SheetFlow;

static bool take_flow(const VortexWork *work, size_t k, SheetFlow *f)
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    size_t n = f->count = sheet->panels.count;
    mote_real *planes = arena_take(work->arena, 9 * n * sizeof *planes);
    f->normal = arena_take(work->arena, 3 * n * sizeof *f->normal);
    f->mu = arena_take(work->arena, n * sizeof *f->mu);
    f->legs = arena_take(work->arena, 2 * sheet->panels.corner_count * sizeof *f->legs);
    if (planes == NULL || f->normal == NULL || f->mu == NULL || f->legs == NULL) return false;
    f->way = f->legs + sheet->panels.corner_count;
    memset(f->legs, 0, 2 * sheet->panels.corner_count * sizeof *f->legs);
    f->moves = f->normal + n, f->slip = f->moves + n;
    for (size_t c = 0; c < 3; ++c) {
        f->x[c] = planes + c * n, f->out[c] = planes + (3 + c) * n;
        f->all[c] = planes + (6 + c) * n;
    }
    PoseVelocity velocity = {w->colliders[k]->linear, w->colliders[k]->angular};
    for (size_t i = 0; i < n; ++i) {
        mote_Vec3 x = pose_apply(&w->end[k], d3_real(sheet->panels.panels[i].centre));
        set_row(f->x, i, x);
        f->normal[i] = pose_rotate(&w->end[k], d3_real(sheet->panels.panels[i].normal));
        f->moves[i] = pose_point_velocity(&w->end[k], &velocity, x);
    }
    return true;
}

/* The flow of vortons, turning bodies and wind at the panels. */
static bool outer_flow(const VortexWork *work, const VortonRows *rows, const SheetFlow *f)
{
    const mote_VortexSolver *p = work->params;
    mote_real *core2 = arena_take(work->arena, (rows->count + 1) * sizeof *core2);
    InduceRequest r = {.core = work->core,
                       .sources = {.count = rows->count},
                       .count = f->count,
                       .tree = {p->angle, (int)p->order, tree_def().leaf},
                       .tasks = work->tasks,
                       .arena = work->arena};
    if (core2 == NULL) return false;
    for (size_t i = 0; i < rows->count; ++i) core2[i] = rows->radius[i] * rows->radius[i];
    for (int c = 0; c < 3; ++c) {
        r.sources.plane[SOURCE_X + c] = rows->x[c];
        r.sources.plane[SOURCE_ALPHA + c] = rows->strength[c];
        r.x[c] = f->x[c], r.out[c] = f->out[c];
    }
    r.sources.plane[SOURCE_CORE2] = core2;
    if (!induce_row(p->induction)->induce(&r)) return false;
    add_spins(work, r.x, f->count, f->out);
    const mote_real wind[3] = {p->wind.x, p->wind.y, p->wind.z};
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < f->count; ++i) f->out[c][i] += wind[c];
    return true;
}

/* Adds what some sources induce at the panels. */
static void add_sources(const VortexWork *work, const Sources *sources, const SheetFlow *f,
                        mote_real *const out[3])
{
    InduceJob job = {.sources = *sources, .count = f->count};
    for (int c = 0; c < 3; ++c) job.x[c] = f->x[c], job.out[c] = out[c];
    if (sources->count > 0) work->core->velocity(&job);
}

/* Adds the flow of other sheets, and of what the edges of this one hold. */
static void add_sheets_at(const VortexWork *work, size_t k, const SheetFlow *f,
                          mote_real *const u[3])
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    const double *held = sheet_held(sheet);
    for (size_t other = 0; other < w->all->count; ++other) {
        const Sources lines = sheet_lines(w, other);
        if (other != k) add_sources(work, &lines, f, u);
    }
    const DPose at = dpose_of(&w->end[k]);
    for (size_t e = 0; e < sheet->panels.edge_count; ++e) {
        if (!(held[e] != 0)) continue;
        const PanelEdge *edge = &sheet->panels.edges[e];
        for (size_t i = 0; i < f->count; ++i) {
            D3 flow = vortex_line(sheet->panels.corners[edge->from],
                                  sheet->panels.corners[edge->to], sheet->panels.panels[i].centre);
            mote_Vec3 more = d3_real(d3_scale(dquat_rotate(at.orientation, flow), held[e]));
            set_row(u, i, vec3_add(row_vector(u, i), more));
        }
    }
}

/* Circulations of sheet k in the flow of all else; its lines are set to them. */
static void solve_sheet(const VortexWork *work, size_t k, const SheetFlow *f)
{
    const SheetWork *w = work->sheets;
    Sheet *sheet = &w->all->items[k];
    for (int c = 0; c < 3; ++c) memcpy(f->all[c], f->out[c], f->count * sizeof *f->all[c]);
    add_sheets_at(work, k, f, f->all);
    for (size_t i = 0; i < f->count; ++i)
        f->mu[i] = (double)vec3_dot(f->normal[i], vec3_sub(f->moves[i], row_vector(f->all, i)));
    panels_solve(&sheet->panels, f->mu);
    memcpy(sheet->kept + SHEET_MU, f->mu, f->count * sizeof *f->mu);
    sheet_set_lines(w, k, &w->end[k]);
}

static void solve_all(const VortexWork *work, const SheetFlow *flows)
{
    size_t count = work->sheets->all->count;
    for (int sweep = 0; sweep < (count > 1 ? SWEEPS : 1); ++sweep)
        for (size_t k = 0; k < count; ++k) solve_sheet(work, k, &flows[k]);
}

/* ---- slip ---- */

/* The sheet's own flow at panel i, in the shape's frame: the mean of both sides by u_ij, and half
 * of the jump gamma x n, gamma being the strengths of the lines around over the area they share. */
static D3 own_flow(const Sheet *sheet, size_t i, const D3 *strength)
{
    const Panels *p = &sheet->panels;
    const double *mu = sheet->kept + SHEET_MU;
    D3 u = d3(0, 0, 0);
    for (size_t j = 0; j < p->count; ++j) {
        u.x += p->flow[0][i * p->count + j] * mu[j];
        u.y += p->flow[1][i * p->count + j] * mu[j];
        u.z += p->flow[2][i * p->count + j] * mu[j];
    }
    D3 gamma = d3_scale(strength[i], 0.5 / p->panels[i].area);
    return d3_madd(u, 0.5, d3_cross(gamma, p->panels[i].normal));
}

static bool find_slip(const VortexWork *work, size_t k, const SheetFlow *f)
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    const Panels *p = &sheet->panels;
    const double *mu = sheet->kept + SHEET_MU, *held = sheet_held(sheet);
    D3 *strength = arena_take(work->arena, p->count * sizeof *strength);
    if (strength == NULL) return false;
    memset(strength, 0, p->count * sizeof *strength);
    for (size_t e = 0; e < p->edge_count; ++e) {
        const PanelEdge *edge = &p->edges[e];
        D3 line = d3_sub(p->corners[edge->to], p->corners[edge->from]);
        line = d3_scale(line, mu[edge->left] - mu[edge->right] + held[e]);
        strength[edge->left] = d3_add(strength[edge->left], line);
        strength[edge->right] = d3_add(strength[edge->right], line);
    }
    for (size_t i = 0; i < p->count; ++i) {
        mote_Vec3 own = pose_rotate(&w->end[k], d3_real(own_flow(sheet, i, strength)));
        f->slip[i] = vec3_sub(vec3_add(row_vector(f->all, i), own), f->moves[i]);
    }
    return true;
}

/* ---- shedding ---- */

/* The nearest row within `reach` of a place; rows->count: there is none. */
static size_t nearest_row(const VortonRows *rows, mote_Vec3 x, mote_real reach)
{
    mote_real best = reach * reach;
    size_t found = rows->count;
    for (size_t i = 0; i < rows->count; ++i) {
        mote_real dx = rows->x[0][i] - x.x, dy = rows->x[1][i] - x.y, dz = rows->x[2][i] - x.z;
        mote_real d2 = dx * dx + dy * dy + dz * dz;
        if (d2 < best && rows->lifetime[i] > 0) best = d2, found = i;
    }
    return found;
}

/* Adds to a row, in the middle of both by strength: of parallel strengths that keeps the impulse.
 */
static void merge_row(const VortonRows *rows, size_t i, mote_Vec3 x, mote_Vec3 strength)
{
    mote_Vec3 old = row_vector(rows->strength, i), at = row_vector(rows->x, i);
    mote_real more = vec3_length(strength), share = more / (more + vec3_length(old));
    if (vec3_dot(old, strength) > 0) set_row(rows->x, i, vec3_madd(at, share, vec3_sub(x, at)));
    set_row(rows->strength, i, vec3_add(old, strength));
}

static bool note_shed(const SheetWork *w, mote_Vec3 x, mote_Vec3 strength, double radius)
{
    Sheets *s = w->all;
    if (!memory_reserve(w->memory, (void **)&s->shed, &s->shed_capacity, s->shed_count + 1,
                        SHED_NUMBERS * sizeof *s->shed))
        return false;
    const double numbers[SHED_NUMBERS] = {
        (double)x.x,        (double)x.y,        (double)x.z, (double)strength.x,
        (double)strength.y, (double)strength.z, radius};
    memcpy(s->shed + SHED_NUMBERS * s->shed_count++, numbers, sizeof numbers);
    return true;
}

/* Strength that leaves sheet k for a place beside it: to the vorton that is there already, or to a
 * new one. */
static bool shed_to(const VortexWork *work, const VortonRows *rows, size_t k, mote_Vec3 at,
                    mote_Vec3 strength)
{
    const SheetWork *w = work->sheets;
    double side = w->all->items[k].panels.side;
    D3 *impulse = &w->impulse[k], *angular = &w->angular[k];
    if (!(vec3_length(strength) > 0)) return true;
    size_t row = nearest_row(rows, at, (mote_real)side / 4);
    if (row == rows->count) {
        add_impulse(at, strength, 1, impulse, angular);
        return note_shed(w, at, strength, SHED_CORE * side);
    }
    add_impulse(row_vector(rows->x, row), row_vector(rows->strength, row), -1, impulse, angular);
    merge_row(rows, row, at, strength);
    add_impulse(row_vector(rows->x, row), row_vector(rows->strength, row), 1, impulse, angular);
    return true;
}

/* The share of a panel's sheet that viscosity takes to a layer of half a side in a sub-step. */
static mote_real viscous_share(const VortexWork *work, const Panels *p)
{
    double rate = 4 * (double)work->params->viscosity / (p->side * p->side);
    return rate > 0 ? (mote_real)(1 - math_exp(-rate * (double)work->dt)) : 0;
}

/* By viscosity: the slip is a vortex sheet n x slip, of which nu / h^2 a second gets to a layer of
 * thickness h (Lighthill 1963), and that is the stress rho nu slip / h. */
static bool shed_panel(const VortexWork *work, const VortonRows *rows, size_t k, const SheetFlow *f,
                       size_t i)
{
    const Panels *p = &work->sheets->all->items[k].panels;
    mote_real share = viscous_share(work, p) * (mote_real)p->panels[i].area;
    if (!(share > 0)) return true;
    mote_Vec3 at = vec3_madd(row_vector(f->x, i), (mote_real)p->side / 2, f->normal[i]);
    return shed_to(work, rows, k, at, vec3_scale(vec3_cross(f->normal[i], f->slip[i]), share));
}

/* At a sharp edge: flow does not turn round it (Kutta). Of the sheet of strength n x slip on a
 * panel beside it, what moves over the edge with the sheet's own velocity, half of the slip,
 * leaves; the edge holds the opposite, so that nothing is made in sum (Kelvin). In steady flow both
 * sides of a trailing edge shed as much, with opposite signs. */
static bool shed_edge(const VortexWork *work, const VortonRows *rows, size_t k, const SheetFlow *f,
                      size_t e)
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    const PanelEdge *edge = &sheet->panels.edges[e];
    const D3 a = sheet->panels.corners[edge->from], b = sheet->panels.corners[edge->to];
    const mote_Vec3 middle = pose_apply(&w->end[k], d3_real(d3_scale(d3_add(a, b), 0.5)));
    const mote_Vec3 line = pose_rotate(&w->end[k], d3_real(d3_sub(b, a)));
    const mote_real length = vec3_length(line);
    const uint32_t beside[2] = {edge->left, edge->right};
    mote_real circulation = 0, most = 0;
    mote_Vec3 at = middle;
    for (int s = 0; s < 2; ++s) {
        const mote_Vec3 n = f->normal[beside[s]], slip = f->slip[beside[s]];
        mote_Vec3 out = vec3_cross(line, n); /* over the edge: it runs round the left panel */
        out = vec3_scale(out, (s == 0 ? 1 : -1) / length);
        mote_real over = vec3_dot(slip, out) / 2;
        if (!(over > 0)) continue;
        /* along the edge: what is across it goes on round the body */
        circulation += vec3_dot(vec3_cross(n, slip), line) / length * over * work->dt;
        if (over > most) most = over, at = vec3_madd(middle, over * work->dt, out);
    }
    const mote_Vec3 way = vec3_sub(at, middle);
    sheet_held(sheet)[e] -= (double)circulation;
    f->legs[edge->from] = vec3_madd(f->legs[edge->from], circulation, way);
    f->legs[edge->to] = vec3_madd(f->legs[edge->to], -circulation, way);
    f->way[edge->from] = f->way[edge->to] = vec3_scale(way, (mote_real)0.5);
    return shed_to(work, rows, k, at, vec3_scale(line, circulation));
}

static bool shed_legs(const VortexWork *work, const VortonRows *rows, size_t k, const SheetFlow *f)
{
    const SheetWork *w = work->sheets;
    const Panels *p = &w->all->items[k].panels;
    for (size_t c = 0; c < p->corner_count; ++c) {
        mote_Vec3 at = pose_apply(&w->end[k], d3_real(p->corners[c]));
        if (!shed_to(work, rows, k, vec3_add(at, f->way[c]), f->legs[c])) return false;
    }
    return true;
}

static bool is_sharp(const Panels *p, const PanelEdge *edge)
{
    return d3_dot(p->panels[edge->left].normal, p->panels[edge->right].normal) < 0.5;
}

/* What was shed, as sources; those that went to rows are among the rows. */
static bool shed_sources(const VortexWork *work, Sources *out)
{
    const Sheets *s = work->sheets->all;
    mote_real *planes =
        arena_take(work->arena, (s->shed_count + 1) * SOURCE_PLANES * sizeof *planes);
    if (planes == NULL) return false;
    out->count = s->shed_count;
    for (size_t c = 0; c < SOURCE_PLANES; ++c) {
        mote_real *plane = planes + c * (s->shed_count + 1);
        out->plane[c] = plane;
        for (size_t i = 0; i < s->shed_count; ++i) {
            double number = s->shed[i * SHED_NUMBERS + c];
            plane[i] = (mote_real)(c == SOURCE_CORE2 ? number * number : number);
        }
    }
    return true;
}

/* ---- what pushes ---- */

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

/* p = - rho (d phi / dt + slip^2 / 2) outside, phi being - mu beside what the body's own way makes:
 * the theorem of Bernoulli for flow that changes. The sheet of the last sub-step had shed already,
 * that of this one not yet. */
static void push_by_pressure(const VortexWork *work, const SolverStep *step, size_t k,
                             const SheetFlow *f, const double *before)
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    const Panels *p = &sheet->panels;
    double density = (double)work->params->density, dt = (double)work->dt;
    double drag = density * (double)viscous_share(work, p) * p->side / 2; /* the stress above */
    D3 impulse = d3(0, 0, 0), angular = impulse;
    for (size_t i = 0; i < p->count; ++i) {
        double speed2 = (double)vec3_dot(f->slip[i], f->slip[i]);
        double push =
            density * p->panels[i].area * (speed2 / 2 * dt - (f->mu[i] - before[SHEET_MU + i]));
        D3 j = d3_madd(d3_scale(d3_of(f->normal[i]), push), drag * p->panels[i].area,
                       d3_of(f->slip[i]));
        D3 arm = d3_of(vec3_sub(row_vector(f->x, i), w->end[k].position));
        impulse = d3_add(impulse, j), angular = d3_add(angular, d3_cross(arm, j));
    }
    D3 was = d3(before[SHEET_VELOCITY], before[SHEET_VELOCITY + 1], before[SHEET_VELOCITY + 2]);
    impulse = d3_madd(impulse, density * p->volume, d3_sub(middle_velocity(w, k), was));
    give_load(&step->loads[sheet->number], impulse, angular);
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

static void push_by_impulse(const VortexWork *work, const SolverStep *step, size_t k, bool pushes)
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    const Sources lines = sheet_lines(w, k);
    double *kept = sheet->kept, density = (double)work->params->density;
    D3 impulse = d3(0, 0, 0), angular = impulse, velocity = middle_velocity(w, k);
    D3 at = d3_of(w->end[k].position);
    for (size_t e = 0; e < lines.count; ++e) {
        const mote_real *const *p = lines.plane;
        add_impulse(vec3(p[0][e], p[1][e], p[2][e]), vec3(p[3][e], p[4][e], p[5][e]), 1, &impulse,
                    &angular);
    }
    D3 was = d3(kept[SHEET_IMPULSE], kept[SHEET_IMPULSE + 1], kept[SHEET_IMPULSE + 2]);
    D3 spun = d3(kept[SHEET_ANGULAR], kept[SHEET_ANGULAR + 1], kept[SHEET_ANGULAR + 2]);
    D3 moved = d3(kept[SHEET_VELOCITY], kept[SHEET_VELOCITY + 1], kept[SHEET_VELOCITY + 2]);
    D3 gave = d3_add(d3_sub(impulse, was), w->impulse[k]);
    D3 turned = d3_add(d3_sub(angular, spun), w->angular[k]);
    gave = d3_madd(gave, -sheet->panels.volume, d3_sub(velocity, moved));
    turned = d3_madd(turned, -sheet->panels.volume, d3_cross(at, d3_sub(velocity, moved)));
    D3 change = d3(0, 0, 0), push = d3_scale(gave, -density);
    D3 twist = d3_scale(d3_sub(turned, d3_cross(at, gave)), -density);
    const double now[SHEET_MU] = {1,         impulse.x, impulse.y,  impulse.z,  angular.x,
                                  angular.y, angular.z, velocity.x, velocity.y, velocity.z};
    bool known = kept[SHEET_KNOWN] > 0;
    memcpy(kept, now, sizeof now);
    if (!known || !pushes) return;
    change = yield(work, k, &push);
    predict(w, k, change);
    give_load(&step->loads[sheet->number], push, twist);
}

/* ---- all ---- */

static bool shed_all(const VortexWork *work, const VortonRows *rows, const SheetFlow *flows)
{
    for (size_t k = 0; k < work->sheets->all->count; ++k) {
        const Panels *p = &work->sheets->all->items[k].panels;
        for (size_t i = 0; i < p->count; ++i)
            if (!shed_panel(work, rows, k, &flows[k], i)) return false;
        for (size_t e = 0; e < p->edge_count; ++e)
            if (is_sharp(p, &p->edges[e]) && !shed_edge(work, rows, k, &flows[k], e)) return false;
        if (!shed_legs(work, rows, k, &flows[k])) return false;
    }
    return true;
}

bool sheets_finish(const VortexWork *work, const VortonRows *rows, const SolverStep *step)
{
    const SheetWork *w = work->sheets;
    const bool pressure = work->params->coupling == MOTE_COUPLED_BY_PRESSURE;
    Sources shed;
    if (w == NULL || w->all->count == 0) return true;
    SheetFlow *flows = arena_take(work->arena, w->all->count * sizeof *flows);
    double *before = arena_take(work->arena, w->all->kept_count * sizeof *before);
    if (flows == NULL || before == NULL) return false;
    memcpy(before, w->all->kept, w->all->kept_count * sizeof *before);
    for (size_t k = 0; k < w->all->count; ++k)
        if (!take_flow(work, k, &flows[k]) || !outer_flow(work, rows, &flows[k])) return false;
    solve_all(work, flows);
    for (size_t k = 0; k < w->all->count; ++k) {
        if (!find_slip(work, k, &flows[k])) return false;
        const double *was = before + (w->all->items[k].kept - w->all->kept);
        if (pressure && was[SHEET_KNOWN] > 0) push_by_pressure(work, step, k, &flows[k], was);
    }
    if (!shed_all(work, rows, flows) || !shed_sources(work, &shed)) return false;
    for (size_t k = 0; k < w->all->count; ++k) {
        if (!outer_flow(work, rows, &flows[k])) return false;
        add_sources(work, &shed, &flows[k], flows[k].out);
    }
    solve_all(work, flows);
    for (size_t k = 0; k < w->all->count; ++k)
        push_by_impulse(work, step, k, work->params->coupling == MOTE_COUPLED_BY_IMPULSE);
    return true;
}

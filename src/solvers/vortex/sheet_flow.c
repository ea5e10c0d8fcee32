/* The end of a sub-step for sheets: circulations, slip; what leaves and what pushes come from
 * beside. */
#include "solvers/vortex/sheet_flow.h"
#include "base/loop.h"
#include "bodies/body.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/solver.h"
#include "solvers/vortex/spins.h"

#include <string.h>

/* Gauss and Seidel over bodies; one alone needs one. */
enum { SWEEPS = 3 }; /* of bodies that see each other */

static bool take_flow(const VortexWork *work, size_t k, SheetFlow *f)
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    size_t n = f->count = sheet->panels.count, both = n * (size_t)panels_sides(&sheet->panels);
    mote_real *planes = arena_take(work->arena, 9 * n * sizeof *planes);
    f->normal = arena_take(work->arena, 2 * (n + both) * sizeof *f->normal);
    f->mu = arena_take(work->arena, n * sizeof *f->mu);
    if (planes == NULL || f->normal == NULL || f->mu == NULL) return false;
    f->moves = f->normal + n, f->slip = f->moves + n, f->slipped = f->slip + both;
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
    for (size_t i = 0; i < both; ++i)
        f->slipped[i] = pose_rotate(&w->end[k], d3_real(sheet_slip(sheet)[i]));
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
                       .arena = work->arena,
                       .device = work->tasks != NULL ? work->device : NULL};
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

/* Circulations of sheet k in the flow of all else; its lines are set to them. sum_j n_i . u_ij mu_j
 * = n_i . (U - u)_i of panels.h; `moves` is U, `all` u. */
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

/* The sheet's own flow at panel i, in the shape's frame: the mean of both sides by u_ij. */
static D3 own_flow(const Sheet *sheet, size_t i)
{
    const Panels *p = &sheet->panels;
    const double *mu = sheet->kept + SHEET_MU;
    D3 u = d3(0, 0, 0);
    for (size_t j = 0; j < p->count; ++j) {
        u.x += p->flow[0][i * p->count + j] * mu[j];
        u.y += p->flow[1][i * p->count + j] * mu[j];
        u.z += p->flow[2][i * p->count + j] * mu[j];
    }
    return u;
}

/* The strengths of the lines around each panel: two share a line, but a rim. */
static D3 *find_strengths(const VortexWork *work, const Sheet *sheet)
{
    const Panels *p = &sheet->panels;
    const double *mu = sheet->kept + SHEET_MU, *held = sheet_held(sheet);
    D3 *strength = arena_take(work->arena, p->count * sizeof *strength);
    if (strength == NULL) return NULL;
    memset(strength, 0, p->count * sizeof *strength);
    for (size_t e = 0; e < p->edge_count; ++e) {
        const PanelEdge *edge = &p->edges[e];
        D3 line = d3_sub(p->corners[edge->to], p->corners[edge->from]);
        const double share = edge->right != PANEL_NONE ? 0.5 : 1;
        line = d3_scale(line, share * (edge_circulation(edge, mu) + held[e]));
        strength[edge->left] = d3_add(strength[edge->left], line);
        if (edge->right != PANEL_NONE) strength[edge->right] = d3_add(strength[edge->right], line);
    }
    return strength;
}

/* The slope of mu at a panel: weighted least squares of what the panels around it have, in its own
 * plane. `flat` is whether none of its edges is sharp, a rim or holds anything; else mu jumps
 * there. */
typedef struct SlopeFit {
    double xx, xy, yy, bx, by;
    D3 x, y; /* axes in the plane */
    bool flat;
} SlopeFit;

/* Exact for linear mu; nearer panels count more. */
static void fit_neighbour(const Panels *p, size_t i, size_t other, const double *mu, SlopeFit *fit)
{
    const D3 way = d3_sub(p->panels[other].centre, p->panels[i].centre);
    const double weight = 1 / d3_dot(way, way), more = weight * (mu[other] - mu[i]);
    const double x = d3_dot(way, fit->x), y = d3_dot(way, fit->y);
    fit->xx += weight * x * x, fit->xy += weight * x * y, fit->yy += weight * y * y;
    fit->bx += more * x, fit->by += more * y;
}

static SlopeFit *find_slopes(const VortexWork *work, const Sheet *sheet)
{
    const Panels *p = &sheet->panels;
    const double *mu = sheet->kept + SHEET_MU, *held = sheet_held(sheet);
    SlopeFit *fits = arena_take(work->arena, p->count * sizeof *fits);
    if (fits == NULL) return NULL;
    for (size_t i = 0; i < p->count; ++i) {
        const D3 along =
            d3_sub(p->corners[p->panels[i].corner[1]], p->corners[p->panels[i].corner[0]]);
        const D3 n = p->panels[i].normal, x = d3_unit(d3_madd(along, -d3_dot(along, n), n), n);
        fits[i] = (SlopeFit){.x = x, .y = d3_cross(n, x), .flat = true};
    }
    for (size_t e = 0; e < p->edge_count; ++e) {
        const PanelEdge *edge = &p->edges[e];
        const bool jumps = edge_is_sharp(p, edge) || held[e] != 0;
        if (jumps) fits[edge->left].flat = false;
        if (jumps && edge->right != PANEL_NONE) fits[edge->right].flat = false;
        if (jumps) continue;
        fit_neighbour(p, edge->left, edge->right, mu, &fits[edge->left]);
        fit_neighbour(p, edge->right, edge->left, mu, &fits[edge->right]);
    }
    return fits;
}

static D3 slope_of(const SlopeFit *fit)
{
    const double below = fit->xx * fit->yy - fit->xy * fit->xy;
    const double x = (fit->bx * fit->yy - fit->by * fit->xy) / below;
    const double y = (fit->by * fit->xx - fit->bx * fit->xy) / below;
    return d3_madd(d3_scale(fit->x, x), y, fit->y);
}

/* From one side to the other: gamma x n, gamma being strength over area; where the surface is
 * smooth that is less the slope of mu, which does not mind oblique panels. */
static D3 jump_of(const Panels *p, size_t i, const D3 *strength, const SlopeFit *fits)
{
    if (fits[i].flat) return d3_scale(slope_of(&fits[i]), -1);
    return d3_cross(d3_scale(strength[i], 1 / p->panels[i].area), p->panels[i].normal);
}

/* The mean of both sides, and half of the jump. Within a closed surface nothing turns and nothing
 * flows through it, so the flow there is the body's own velocity, unless the turn moves it: the
 * jump is all. */
static bool find_slip(const VortexWork *work, size_t k, const SheetFlow *f)
{
    const SheetWork *w = work->sheets;
    const Sheet *sheet = &w->all->items[k];
    const Panels *p = &sheet->panels;
    const bool rests_within = !p->open && !sheets_feel_turn(work, w->colliders[k]);
    const D3 *strength = find_strengths(work, sheet);
    const SlopeFit *fits = find_slopes(work, sheet);
    if (strength == NULL || fits == NULL) return false;
    for (size_t i = 0; i < p->count; ++i) {
        const D3 jump = jump_of(p, i, strength, fits);
        const D3 mean = rests_within ? d3_scale(jump, 0.5) : own_flow(sheet, i);
        const mote_Vec3 past = vec3_sub(row_vector(f->all, i), f->moves[i]);
        for (int side = 0; side < panels_sides(p); ++side) {
            const mote_Vec3 own =
                pose_rotate(&w->end[k], d3_real(d3_madd(mean, side == 0 ? 0.5 : -0.5, jump)));
            const size_t at = i + (size_t)side * p->count;
            f->slip[at] = rests_within ? own : vec3_add(past, own);
            sheet_slip(sheet)[at] = d3_of(pose_rotate_back(&w->end[k], f->slip[at]));
        }
    }
    return true;
}

/* ---- all ---- */

bool sheets_finish(const VortexWork *work, const VortonRows *rows, const SolverStep *step)
{
    const SheetWork *w = work->sheets;
    Sources shed;
    if (w == NULL || w->all->count == 0) return true;
    SheetFlow *flows = arena_take(work->arena, w->all->count * sizeof *flows);
    double *before = arena_take(work->arena, w->all->kept_count * sizeof *before);
    if (flows == NULL || before == NULL) return false;
    memcpy(before, w->all->kept, w->all->kept_count * sizeof *before);
    for (size_t k = 0; k < w->all->count; ++k)
        if (!take_flow(work, k, &flows[k])) return false;
    if (!shed_all(work, rows, flows) || !shed_sources(work, &shed)) return false;
    for (size_t k = 0; k < w->all->count; ++k) {
        if (!outer_flow(work, rows, &flows[k])) return false;
        add_sources(work, &shed, &flows[k], flows[k].out);
    }
    solve_all(work, flows);
    w->all->kept[0] = 0; /* no limit yet */
    for (size_t k = 0; k < w->all->count; ++k) {
        if (!find_slip(work, k, &flows[k])) return false;
        push_sheet(work, step, k, &flows[k], before + (w->all->items[k].kept - w->all->kept));
    }
    return true;
}

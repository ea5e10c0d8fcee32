/* What leaves sheets for the flow: at sharp edges, and by viscosity. */
#include "base/loop.h"
#include "base/math.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/sheet_flow.h"

#include <string.h>

/* The nearest row within `reach` of a place; rows->count: there is none. Strength goes to a vorton
 * that is there within a quarter of a side: else every sub-step would add a vorton to every panel.
 */
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

bool shed_row(Sheets *s, Memory *memory, mote_Vec3 x, mote_Vec3 strength, double radius)
{
    if (!memory_reserve(memory, (void **)&s->shed, &s->shed_capacity, s->shed_count + 1,
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
    D3 *impulse = &w->impulse[k];
    if (!(vec3_length(strength) > 0)) return true;
    size_t row = nearest_row(rows, at, (mote_real)side / 4);
    if (row == rows->count) {
        add_impulse(at, strength, 1, impulse);
        return shed_row(w->all, w->memory, at, strength, SHED_CORE * side);
    }
    add_impulse(row_vector(rows->x, row), row_vector(rows->strength, row), -1, impulse);
    merge_row(rows, row, at, strength);
    add_impulse(row_vector(rows->x, row), row_vector(rows->strength, row), 1, impulse);
    return true;
}

/* nu / h^2 with h of half a side is 4 nu / side^2; 1 - exp(-rate dt) never takes more than there
 * is. */
mote_real viscous_share(const VortexWork *work, const Panels *p)
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
    const double away = p->side / 2 + p->thick;
    for (int side = 0; side < panels_sides(p) && share > 0; ++side) {
        const mote_Vec3 n = vec3_scale(f->normal[i], side == 0 ? 1 : -1);
        const mote_Vec3 gamma = vec3_cross(n, f->slipped[i + (size_t)side * p->count]);
        mote_Vec3 at = vec3_madd(row_vector(f->x, i), (mote_real)away, n);
        if (!shed_to(work, rows, k, at, vec3_scale(gamma, share))) return false;
    }
    return true;
}

/* A side of an edge: the slip there, which way is over it, and how much of the panel is beside it.
 */
typedef struct EdgeSide {
    mote_Vec3 slip, out;
    double half; /* m, of the panel's width */
} EdgeSide;

static EdgeSide edge_side(const Panels *p, const PanelEdge *edge, const SheetFlow *f,
                          mote_Vec3 line, int s)
{
    const bool rim = edge->right == PANEL_NONE; /* both sides of one panel */
    const uint32_t panel = s == 0 || rim ? edge->left : edge->right;
    const mote_real length = vec3_length(line);
    EdgeSide side = {.slip = f->slipped[panel + (rim && s == 1 ? f->count : 0)],
                     .half = p->panels[panel].area / (double)length / 2};
    side.out = vec3_cross(line, f->normal[panel]); /* the edge runs round the left panel */
    side.out = vec3_scale(side.out, (s == 0 || rim ? 1 : -1) / length);
    return side;
}

typedef struct EdgeLoss {
    mote_real circulation; /* m^2/s, of this sub-step */
    mote_Vec3 way;         /* m: what left moves so far from the edge in it */
} EdgeLoss;

/* At a sharp edge: flow does not turn round it (Kutta). The line there is the sheet of half a panel
 * on each side, which moves with half of the slip; so much of it leaves as moves over the edge. A
 * trailing edge is then left with none, and where flow comes to an edge on one side alone it leaves
 * with that side's speed. Edges beside each other shed alike: what has shed more has less to shed.
 */
static EdgeLoss edge_loss(const VortexWork *work, const Sheet *sheet, size_t e, const SheetFlow *f,
                          mote_Vec3 line)
{
    const PanelEdge *edge = &sheet->panels.edges[e];
    EdgeLoss loss = {0, vec3(0, 0, 0)};
    double shares = 0;
    for (int s = 0; s < 2; ++s) {
        const EdgeSide side = edge_side(&sheet->panels, edge, f, line, s);
        const mote_real over = vec3_dot(side.slip, side.out) / 2, gone = over > 0 ? over : 0;
        mote_Vec3 mean = vec3_scale(side.slip, (mote_real)0.5);
        mean = vec3_madd(mean, gone - over, side.out); /* nothing comes back over it */
        loss.way = vec3_madd(loss.way, work->dt, mean);
        shares += (double)(gone * work->dt) / side.half;
    }
    const double there = edge_circulation(edge, sheet->kept + SHEET_MU) + sheet_held(sheet)[e];
    loss.circulation = (mote_real)(there * (1 - math_exp(-shares)));
    return loss;
}

/* What leaves a sheet's edges in a sub-step. */
typedef struct SheetWake {
    mote_real *circulation; /* m^2/s, of each edge */
    mote_Vec3 *way, *legs;  /* of each corner: m, that it moves by; m^3/s */
} SheetWake;

static bool take_wake(const VortexWork *work, const Panels *p, SheetWake *wake)
{
    wake->circulation = arena_take(work->arena, p->edge_count * sizeof *wake->circulation);
    wake->way = arena_take(work->arena, 2 * p->corner_count * sizeof *wake->way);
    if (wake->circulation == NULL || wake->way == NULL) return false;
    wake->legs = wake->way + p->corner_count;
    memset(wake->way, 0, 2 * p->corner_count * sizeof *wake->way);
    return true;
}

static mote_Vec3 corner_place(const VortexWork *work, size_t k, uint32_t corner)
{
    const SheetWork *w = work->sheets;
    return pose_apply(&w->end[k], d3_real(w->all->items[k].panels.corners[corner]));
}

/* Corners move by the mean of the edges that meet there. */
static bool find_wake(const VortexWork *work, size_t k, const SheetFlow *f, SheetWake *wake)
{
    const Sheet *sheet = &work->sheets->all->items[k];
    const Panels *p = &sheet->panels;
    mote_real *meet = arena_take(work->arena, p->corner_count * sizeof *meet);
    if (meet == NULL) return false;
    for (size_t c = 0; c < p->corner_count; ++c) meet[c] = 0;
    for (size_t e = 0; e < p->edge_count; ++e) {
        const uint32_t ends[2] = {p->edges[e].from, p->edges[e].to};
        if (!edge_is_sharp(p, &p->edges[e])) continue;
        const mote_Vec3 line =
            vec3_sub(corner_place(work, k, ends[1]), corner_place(work, k, ends[0]));
        const EdgeLoss loss = edge_loss(work, sheet, e, f, line);
        wake->circulation[e] = loss.circulation;
        for (int c = 0; c < 2; ++c) {
            wake->way[ends[c]] = vec3_add(wake->way[ends[c]], loss.way);
            meet[ends[c]] += 1;
        }
    }
    for (size_t c = 0; c < p->corner_count; ++c)
        if (meet[c] > 0) wake->way[c] = vec3_scale(wake->way[c], 1 / meet[c]);
    return true;
}

/* What left is a ring, so that nothing is made in sum (Kelvin): the edge holds its near side, for
 * good. As the wake goes on, its legs get longer by `way` in every sub-step, and they are of all
 * the circulation that the edge holds. */
static bool shed_edge(const VortexWork *work, const VortonRows *rows, size_t k, SheetWake *wake,
                      size_t e)
{
    const Sheet *sheet = &work->sheets->all->items[k];
    const PanelEdge *edge = &sheet->panels.edges[e];
    const mote_Vec3 a = vec3_add(corner_place(work, k, edge->from), wake->way[edge->from]);
    const mote_Vec3 b = vec3_add(corner_place(work, k, edge->to), wake->way[edge->to]);
    const mote_real all = (mote_real) - (sheet_held(sheet)[e] -= (double)wake->circulation[e]);
    wake->legs[edge->from] = vec3_madd(wake->legs[edge->from], all, wake->way[edge->from]);
    wake->legs[edge->to] = vec3_madd(wake->legs[edge->to], -all, wake->way[edge->to]);
    return shed_to(work, rows, k, vec3_scale(vec3_add(a, b), (mote_real)0.5),
                   vec3_scale(vec3_sub(b, a), wake->circulation[e]));
}

/* As a wake gets wider, its lines get longer; vortons keep the sum of their strengths. So what is
 * shed and what edges hold are not nothing in sum, and impulses would depend on where the origin
 * is: the vortons make up for it. */
static void widen_wake(const VortexWork *work, const VortonRows *rows, size_t k,
                       const SheetWake *wake)
{
    const SheetWork *w = work->sheets;
    const Panels *p = &w->all->items[k].panels;
    mote_Vec3 more = vec3(0, 0, 0);
    mote_real size = 0;
    for (size_t c = 0; c < p->corner_count; ++c) more = vec3_add(more, wake->legs[c]);
    for (size_t e = 0; e < p->edge_count; ++e) {
        if (!edge_is_sharp(p, &p->edges[e])) continue;
        const mote_Vec3 longer = vec3_sub(wake->way[p->edges[e].to], wake->way[p->edges[e].from]);
        more = vec3_madd(more, wake->circulation[e], longer);
    }
    for (size_t i = 0; i < rows->count; ++i) size += vec3_length(row_vector(rows->strength, i));
    for (size_t i = 0; i < rows->count && size > 0; ++i) {
        const mote_Vec3 x = row_vector(rows->x, i), alpha = row_vector(rows->strength, i);
        const mote_Vec3 change = vec3_scale(more, -vec3_length(alpha) / size);
        set_row(rows->strength, i, vec3_add(alpha, change));
        add_impulse(x, change, 1, &w->impulse[k]);
    }
}

static bool shed_sheet(const VortexWork *work, const VortonRows *rows, size_t k, const SheetFlow *f)
{
    const Panels *p = &work->sheets->all->items[k].panels;
    SheetWake wake;
    if (!take_wake(work, p, &wake) || !find_wake(work, k, f, &wake)) return false;
    for (size_t i = 0; i < p->count; ++i)
        if (!shed_panel(work, rows, k, f, i)) return false;
    for (size_t e = 0; e < p->edge_count; ++e)
        if (edge_is_sharp(p, &p->edges[e]) && !shed_edge(work, rows, k, &wake, e)) return false;
    widen_wake(work, rows, k, &wake);
    for (uint32_t c = 0; c < p->corner_count; ++c) {
        mote_Vec3 at = vec3_madd(corner_place(work, k, c), (mote_real)0.5, wake.way[c]);
        if (!shed_to(work, rows, k, at, wake.legs[c])) return false;
    }
    return true;
}

bool shed_all(const VortexWork *work, const VortonRows *rows, const SheetFlow *flows)
{
    for (size_t k = 0; k < work->sheets->all->count; ++k)
        if (!shed_sheet(work, rows, k, &flows[k])) return false;
    return true;
}

bool shed_sources(const VortexWork *work, Sources *out)
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

/* What leaves sheets for the flow: at sharp edges, and by viscosity. */
#include "base/loop.h"
#include "base/math.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/sheet_flow.h"

#include <string.h>

/* Core radius of new vortons, in sides of panels. */
#define SHED_CORE 0.7

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

bool shed_all(const VortexWork *work, const VortonRows *rows, const SheetFlow *flows)
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

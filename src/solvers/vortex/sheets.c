/* Sheets: the vortex sheets that bodies are to the flow.
 *
 * A sub-step: the sheets of the last one carry vortons and tracers (sheets_carry); then, bodies and
 * vortons being where they are at its end, their circulations are solved for, the slip that is left
 * on the surfaces is shed, and they are solved for again (sheet_flow.c). What a sheet does to the
 * vortons is a step of its own, so that what they get of impulse by it is known, and the body gives
 * it:
 *
 *     F = - rho d/dt (I_sheet + what the sheet gave to vortons) + rho V dU/dt
 *
 * (Saffman, Vortex Dynamics, 1992, ch. 3): within the sheet the fluid moves as the body does, and
 * that is no fluid. Fluid and bodies keep their momentum by that, whatever the flow is computed by.
 */
#include "solvers/vortex/sheets.h"

#include "base/loop.h"
#include "base/status.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/solver.h"

#include <string.h>

void sheets_free(Sheets *s, Memory *memory)
{
    for (size_t k = 0; k < s->count; ++k) panels_free(&s->items[k].panels, memory);
    memory_free(memory, s->items, s->colliders * sizeof *s->items);
    memory_free(memory, s->kept, s->kept_count * sizeof *s->kept);
    memory_free(memory, s->shed, s->shed_capacity * SHED_NUMBERS * sizeof *s->shed);
    *s = (Sheets){.count = 0};
}

/* ---- making ---- */

/* How fast a panel moves along its normal when the body moves with 1 along an axis of its shape, or
 * turns with 1 about it: k < 3 and from 3 on. */
static double moves_along_normal(const Panel *panel, int k)
{
    const D3 axis = d3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    return d3_dot(panel->normal, k < 3 ? axis : d3_cross(axis, panel->centre));
}

/* What goes with the body: the sheet's impulse over density less the body's own volume, and its
 * angular impulse. Added mass is what the sheet's impulse is for a unit velocity: m_k = rho (sum mu
 * A n_k - V), of a ball half its volume. */
static bool find_added(Sheet *sheet, Arena *arena)
{
    const Panels *p = &sheet->panels;
    double *mu = arena_take(arena, p->count * sizeof *mu);
    if (mu == NULL) return false;
    for (int k = 0; k < 6; ++k) {
        double *sum = k < 3 ? &sheet->added[k] : &sheet->turned[k - 3];
        for (size_t i = 0; i < p->count; ++i) mu[i] = moves_along_normal(&p->panels[i], k);
        panels_solve(p, mu);
        *sum = k < 3 ? -p->volume : 0;
        for (size_t i = 0; i < p->count; ++i)
            *sum += mu[i] * p->panels[i].area * moves_along_normal(&p->panels[i], k);
    }
    return true;
}

static bool make_sheet(const SolverStep *step, const Collider *collider, Sheets *s)
{
    Vortex *vortex = step->solver->state;
    const mote_VortexSolver *p = step->solver->object.params;
    PosedShape shape = {collider->shape, collider->object.params, mote_pose_def()};
    Sheet *sheet = &s->items[s->count];
    ShapeMeasure measure;
    *sheet = (Sheet){.number = collider->number};
    if (!panels_make(&sheet->panels, &shape, (size_t)p->panels, vortex->memory)) return false;
    if (sheet->panels.count == 0) return true;
    collider->shape->measure(collider->object.params, &measure);
    sheet->middle = d3(measure.centre[0], measure.centre[1], measure.centre[2]);
    ++s->count;
    return find_added(sheet, step->arena);
}

/* The state of as many numbers as the sheets have: what was loaded, if it fits. */
static bool keep_numbers(Sheets *s, Memory *memory)
{
    size_t wanted = 1;
    for (size_t k = 0; k < s->count; ++k) wanted += sheet_numbers(&s->items[k].panels);
    if (wanted != s->kept_count) {
        memory_free(memory, s->kept, s->kept_count * sizeof *s->kept);
        s->kept = memory_zeroed(memory, wanted * sizeof *s->kept);
        s->kept_count = s->kept != NULL ? wanted : 0;
    }
    if (s->kept_count != wanted) return false;
    for (size_t k = 0, at = 1; k < s->count; ++k) {
        s->items[k].kept = s->kept + at;
        at += sheet_numbers(&s->items[k].panels);
    }
    return true;
}

static bool make_sheets(const SolverStep *step, Sheets *s)
{
    const Broad *walls = step->walls[0];
    Memory *memory = ((Vortex *)step->solver->state)->memory;
    size_t colliders = walls != NULL ? walls->count : 0;
    if (s->made && s->colliders == colliders) return true;
    for (size_t k = 0; k < s->count; ++k) panels_free(&s->items[k].panels, memory);
    memory_free(memory, s->items, s->colliders * sizeof *s->items);
    s->items = memory_zeroed(memory, colliders * sizeof *s->items);
    s->count = 0, s->colliders = s->items != NULL ? colliders : 0;
    if (colliders > 0 && s->items == NULL) return false;
    for (uint32_t number = 0; number < step->load_count; ++number) /* not in the tree's order */
        for (size_t k = 0; k < colliders; ++k)
            if (walls->colliders[k]->number == number && !make_sheet(step, walls->colliders[k], s))
                return false;
    return s->made = keep_numbers(s, memory);
}

/* ---- placing ---- */

Sources sheet_lines(const SheetWork *w, size_t k)
{
    return sources_part(&w->lines, w->first[k], w->first[k + 1] - w->first[k]);
}

/* For all others a line is one vorton in its middle, of strength circulation times length, with a
 * core of half a panel's side. */
void sheet_line(const Panels *p, size_t e, const mote_Pose *at, double circulation,
                mote_real line[SOURCE_PLANES])
{
    const PanelEdge *edge = &p->edges[e];
    const D3 a = p->corners[edge->from], b = p->corners[edge->to];
    const mote_Vec3 x = pose_apply(at, d3_real(d3_scale(d3_add(a, b), 0.5)));
    const mote_Vec3 l = pose_rotate(at, d3_real(d3_sub(b, a)));
    const mote_real size = (mote_real)circulation;
    const mote_real values[SOURCE_PLANES] = {
        x.x, x.y, x.z, l.x * size, l.y * size, l.z * size, (mote_real)(0.25 * p->side * p->side)};
    memcpy(line, values, sizeof values);
}

void sheet_set_lines(const SheetWork *w, size_t k, const mote_Pose *at)
{
    const Sheet *sheet = &w->all->items[k];
    const Panels *p = &sheet->panels;
    const double *mu = sheet->kept + SHEET_MU, *held = sheet_held(sheet);
    for (size_t e = 0; e < p->edge_count; ++e) {
        mote_real line[SOURCE_PLANES];
        sheet_line(p, e, at, edge_circulation(&p->edges[e], mu) + held[e], line);
        for (int c = 0; c < SOURCE_PLANES; ++c)
            ((mote_real *)(uintptr_t)w->lines.plane[c])[w->first[k] + e] = line[c];
    }
}

static bool take_work(const SolverStep *step, SheetWork *w)
{
    size_t count = w->all->count, lines = 0;
    w->first = arena_take(step->arena, (count + 1) * sizeof *w->first);
    w->end = arena_take(step->arena, (count + 1) * sizeof *w->end);
    w->colliders = arena_take(step->arena, (count + 1) * sizeof *w->colliders);
    w->impulse = arena_take(step->arena, (count + 1) * sizeof *w->impulse);
    if (w->first == NULL || w->end == NULL || w->colliders == NULL || w->impulse == NULL)
        return false;
    memset(w->impulse, 0, count * sizeof *w->impulse);
    for (size_t k = 0; k < count; ++k) {
        w->first[k] = lines;
        lines += w->all->items[k].panels.edge_count;
    }
    w->first[count] = w->lines.count = lines;
    mote_real *planes = arena_take(step->arena, (lines + 1) * SOURCE_PLANES * sizeof *planes);
    for (int c = 0; c < SOURCE_PLANES; ++c) w->lines.plane[c] = planes + (size_t)c * (lines + 1);
    return planes != NULL;
}

bool sheets_place(const SolverStep *step, VortexWork *work)
{
    Vortex *vortex = step->solver->state;
    SheetWork *w = arena_take(step->arena, sizeof *w);
    if (w == NULL || !make_sheets(step, &vortex->sheets)) return false;
    *w = (SheetWork){.all = &vortex->sheets, .memory = vortex->memory};
    work->sheets = w;
    if (!take_work(step, w)) return false;
    for (size_t k = 0; k < w->all->count; ++k)
        for (size_t c = 0; c < step->walls[0]->count; ++c) {
            const Collider *collider = step->walls[0]->colliders[c];
            if (collider->number != w->all->items[k].number) continue;
            w->colliders[k] = collider;
            w->end[k] = pose_advance(&collider->pose, &collider->change, 1);
            mote_Pose middle = pose_advance(&collider->pose, &collider->change, (mote_real)0.5);
            sheet_set_lines(w, k, &middle);
        }
    return true;
}

/* How fast the surface moves along its normal when the body turns, over how fast it moves at all.
 */
static double turn_felt(const Panels *p, mote_Vec3 axis)
{
    double normal = 0, all = 0;
    for (size_t i = 0; i < p->count; ++i) {
        D3 moves = d3_cross(d3_of(axis), p->panels[i].centre);
        double along = d3_dot(moves, p->panels[i].normal);
        normal += p->panels[i].area * along * along;
        all += p->panels[i].area * d3_dot(moves, moves);
    }
    return all > 0 ? __builtin_sqrt(normal / all) : 0;
}

/* A twentieth: panels of a ball are flat, so that its turn moves them along their normals a little.
 */
bool sheets_feel_turn(const VortexWork *work, const Collider *collider)
{
    const mote_Vec3 axis = pose_rotate_back(&collider->pose, collider->angular);
    for (size_t k = 0; work->sheets != NULL && k < work->sheets->all->count; ++k)
        if (work->sheets->all->items[k].number == collider->number)
            return turn_felt(&work->sheets->all->items[k].panels, axis) > 0.05;
    return false;
}

bool sheets_have(const VortexWork *work, const Collider *collider)
{
    for (size_t k = 0; work->sheets != NULL && k < work->sheets->all->count; ++k)
        if (work->sheets->all->items[k].number == collider->number) return true;
    return false;
}

void add_sheets(const VortexWork *work, const mote_real *const x[3], size_t count,
                mote_real *const out[3])
{
    if (work->sheets == NULL || work->sheets->lines.count == 0) return;
    InduceJob job = {.sources = work->sheets->lines, .count = count};
    for (int c = 0; c < 3; ++c) job.x[c] = x[c], job.out[c] = out[c];
    work->core->velocity(&job);
}

/* ---- births ---- */

mote_Status sheets_give_birth(const SolverStep *step, mote_Error *error)
{
    Vortex *vortex = step->solver->state;
    Sheets *s = &vortex->sheets;
    const mote_VortexSolver *p = step->solver->object.params;
    mote_System *system = step->solver->systems[0];
    size_t first, count = s->shed_count;
    if (count == 0) return MOTE_OK;
    mote_Status status = mote_system_add_rows(system, count, &first, error);
    if (status != MOTE_OK) return status;
    VortonRows rows = vortex_rows(system, first + count);
    double *birth = (double *)system->columns[COLUMN_BIRTH].data;
    for (size_t i = 0; i < count; ++i) {
        const double *shed = s->shed + i * SHED_NUMBERS;
        for (int c = 0; c < 3; ++c) {
            rows.x[c][first + i] = (mote_real)shed[c];
            rows.strength[c][first + i] = (mote_real)shed[3 + c];
        }
        rows.radius[first + i] = (mote_real)shed[6];
        birth[first + i] = step->t;
        if (p->shed_lifetime > 0) rows.lifetime[first + i] = p->shed_lifetime;
    }
    s->shed_count = 0;
    mote_system_edited(system);
    return MOTE_OK;
}

/* A sub-step of solver `vortex`.
 *
 * When the grid is made, tracers and vortons have nothing to do with each other any more: both go
 * by it, and only what bodies got is added up at the end. So a few vortons are one task beside the
 * many of the tracers; many vortons share their own work out before. */
#include "base/loop.h"
#include "base/machine.h"
#include "base/math.h"
#include "base/status.h"
#include "solvers/points/slot.h"
#include "solvers/vortex/boundary.h"
#include "solvers/vortex/device.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/solver.h"
#include "solvers/vortex/spins.h"
#include "solvers/vortex/walls.h"

/* A vorton takes as long as so many tracers: beside them while the other workers have that much to
 * do. */
enum { TRACERS_A_VORTON = 24 };

/* Time since the last call goes to a part. */
static void note_part(double seconds[VORTEX_PARTS], int part, double *since)
{
    double now = clock_seconds();
    seconds[part] += now - *since;
    *since = now;
}

/* ---- births ---- */

size_t vortex_first_new(const Vortex *vortex, const mote_System *system, size_t s, size_t first)
{
    const uint64_t *id = (const uint64_t *)system->columns[COLUMN_ID].data;
    while (first > 0 && (double)id[first - 1] >= vortex->saved[SAVED_IDS + s]) --first;
    return first;
}

static size_t first_new(const Vortex *vortex, const SolverStep *step, size_t s)
{
    return vortex_first_new(vortex, step->solver->systems[s], s, step->rows[s]);
}

/* New vortons get their random vorticity. A little random vorticity breaks the symmetry of what is
 * emitted evenly; it is drawn by id, so that it does not depend on when rows are looked at. */
static void spin_new_rows(const Vortex *vortex, const SolverStep *step, const VortonRows *rows)
{
    const mote_VortexSolver *p = step->solver->object.params;
    const uint64_t *id = (const uint64_t *)step->solver->systems[0]->columns[COLUMN_ID].data;
    for (size_t i = first_new(vortex, step, 0); i < rows->count; ++i) {
        if (vec3_length(row_vector(rows->strength, i)) > 0) continue; /* shed */
        Random4 draw = random_draw(vortex->key, id[i], 0, 0);
        mote_real size = p->born_spin * vorton_volume(rows, i);
        for (int c = 0; c < 3; ++c) rows->strength[c][i] += size * random_signed(draw.word[c]);
    }
}

/* New rows inside of walls die in this sub-step. What is inside of a solid is no fluid. */
static void look_at_births(const SolverStep *step)
{
    Vortex *vortex = step->solver->state;
    for (size_t s = 0; s < step->solver->system_count; ++s) {
        const mote_System *system = step->solver->systems[s];
        size_t first = first_new(vortex, step, s);
        if (first == step->rows[s]) continue;
        drop_embedded(step, s, first);
        const uint64_t *id = (const uint64_t *)system->columns[COLUMN_ID].data;
        vortex->saved[SAVED_IDS + s] = (double)id[step->rows[s] - 1] + 1;
    }
}

/* ---- the grid ---- */

enum { BOX_ROWS = 32 * BLOCK_ROWS };

/* Boxes of pieces of a system's rows. */
typedef struct Boxes {
    const GridKernels *kernels;
    const mote_System *system;
    GridBox *boxes;
} Boxes;

static void box_body(void *context, size_t begin, size_t end, int worker)
{
    const Boxes *b = context;
    GridBox *box = &b->boxes[begin / BOX_ROWS];
    (void)worker;
    for (int c = 0; c < 3; ++c) {
        const mote_real *x = column_real(&b->system->columns[COLUMN_POSITION], c) + begin;
        box->low[c] = box->high[c] = x[0];
        b->kernels->extend(x, end - begin, &box->low[c], &box->high[c]);
    }
}

static bool extend_box(const SolverStep *step, size_t s, GridBox *box)
{
    const Vortex *vortex = step->solver->state;
    size_t rows = step->rows[s], pieces = (rows + BOX_ROWS - 1) / BOX_ROWS;
    Boxes b = {vortex->kernels, step->solver->systems[s],
               arena_take(step->arena, (pieces + 1) * sizeof *b.boxes)};
    if (b.boxes == NULL) return false;
    mote_parallel_for(step->tasks, rows, BOX_ROWS, box_body, &b);
    for (size_t k = 0; k < pieces; ++k)
        for (int c = 0; c < 3; ++c) {
            box->low[c] = b.boxes[k].low[c] < box->low[c] ? b.boxes[k].low[c] : box->low[c];
            box->high[c] = b.boxes[k].high[c] > box->high[c] ? b.boxes[k].high[c] : box->high[c];
        }
    return true;
}

/* The box of all particles, wider by the largest core. False when out of memory. */
static bool find_box(const SolverStep *step, const VortonRows *rows, GridBox *box)
{
    const Vortex *vortex = step->solver->state;
    mote_real least = 0, widest = 0;
    vortex->kernels->extend(rows->radius, rows->count, &least, &widest);
    for (int c = 0; c < 3; ++c) box->low[c] = box->high[c] = rows->x[c][0];
    for (size_t s = 0; s < step->solver->system_count; ++s)
        if (!extend_box(step, s, box)) return false;
    for (int c = 0; c < 3; ++c) box->low[c] -= widest, box->high[c] += widest;
    if (step->flat) box->low[2] = box->high[2] = 0;
    return true;
}

static bool make_grid(const SolverStep *step, VortexWork *work, const VortonRows *rows)
{
    Vortex *vortex = step->solver->state;
    GridBox box;
    double cells = (double)work->params->resolution * (double)rows->count;
    if (!find_box(step, rows, &box) ||
        !grid_shape(&vortex->grid, &box, cells > 1 ? (size_t)cells : 1, vortex->memory))
        return false;
    if (work->flat) grid_make_flat(&vortex->grid);
    vortex->solved = true;
    return vortex_fill(work, rows, &vortex->grid);
}

/* ---- vortons ---- */

/* In their own flow; with bodies of panels, what one loses of impulse the other has to have got. */
static bool advance_among(const VortexWork *work, const VortonRows *rows)
{
    if (work->sheets == NULL) return advance_vortons(work, rows);
    RowSums before = rows_sum(rows);
    if (!sheets_hold_ends(work, rows, &before.impulse)) return false;
    if (!advance_vortons(work, rows)) return false;
    rows_keep(rows, &before);
    return true;
}

/* All that changes and moves vortons once there is a grid. False when out of memory. Sources first
 * (buoyancy, fire, diffusion), then stretching and the way: their gradients are of the grid that
 * covers the places before the move. */
static bool advance_all(const VortexWork *work, const VortonRows *rows)
{
    const mote_real *slopes = vortex_sources(work, rows, work->quiet, true);
    if (slopes == NULL) return false;
    if (!diffuse(work, rows, work->quiet)) return false;
    if (boundary_meshes(work->params->boundary)) {
        ; /* it carries them */
    } else if (evaluates_at_vortons(work->params, work->flat)) {
        if (!advance_among(work, rows)) return false;
    } else {
        drift_on_grid(work, rows, work->quiet, slopes);
    }
    const BoundaryRow *boundary = boundary_row(work->params->boundary);
    return boundary->carry == NULL || boundary->carry(work, rows);
}

/* And what bodies do to them. */
static bool meet_bodies(const SolverStep *step, const VortexWork *work, const VortonRows *rows,
                        VortonWalls **walls)
{
    *walls = NULL;
    if (work->mesh == NULL) *walls = vortons_meet_walls(work, rows, step);
    return work->mesh != NULL || *walls != NULL;
}

/* What they do to bodies, in the order of the rows. */
static bool leave_bodies(const SolverStep *step, const VortexWork *work, const VortonRows *rows,
                         VortonWalls *walls)
{
    Vortex *vortex = step->solver->state;
    if (walls == NULL) return true;
    return vortons_leave_walls(walls, &vortex->hits) && push_sideways(step, work, rows);
}

/* When all that changes them is done: their masses, and which one is the first to turn too fast. */
static size_t settle_rows(const SolverStep *step, const VortonRows *rows)
{
    const mote_System *system = step->solver->systems[0];
    mote_real *mass = column_real(&system->columns[COLUMN_MASS], 0);
    for (size_t i = 0; i < rows->count; ++i)
        mass[i] = vorton_mass(step->solver->object.params, rows, i);
    return first_too_fast(step, rows);
}

/* ---- vortons and tracers ---- */

/* Pieces of work: all of the vortons is the first where they are few, and else what bodies get from
 * them, which goes row by row and concerns no tracer; pieces of tracers are the others. */
typedef struct Beside {
    const SolverStep *step;
    const VortexWork *work;
    const VortonRows *rows;
    Follow follow[VORTEX_SYSTEMS]; /* from 1 on */
    bool few, failed;              /* vortons; out of memory */
    VortonWalls *walls;
    size_t too_fast;                /* the first vorton that is; their number: none */
    double before[VORTEX_PARTS];    /* s, of the vortons: of all workers */
    double meanwhile[VORTEX_PARTS]; /* of one, beside the tracers */
} Beside;

/* Boundaries that finish have loops of their own to share out. */
static bool advance_and_meet(const SolverStep *step, const VortexWork *work, Beside *beside,
                             double seconds[VORTEX_PARTS])
{
    const BoundaryRow *boundary = boundary_row(work->params->boundary);
    const VortonRows *rows = beside->rows;
    double since = clock_seconds();
    bool room = advance_all(work, rows);
    note_part(seconds, VORTEX_OPERATORS, &since);
    room = room && meet_bodies(step, work, rows, &beside->walls);
    if (room && boundary->finish != NULL) {
        room = leave_bodies(step, work, rows, beside->walls) && boundary->finish(work, rows, step);
        beside->walls = NULL;
    }
    note_part(seconds, VORTEX_WALLS, &since);
    return room;
}

static void advance_beside(Beside *beside)
{
    SolverStep step = *beside->step;
    VortexWork work = *beside->work;
    step.tasks = work.tasks = NULL; /* all others have work */
    if (beside->few && !advance_and_meet(&step, &work, beside, beside->meanwhile)) {
        beside->failed = true;
        return;
    }
    double since = clock_seconds();
    beside->failed = !leave_bodies(&step, &work, beside->rows, beside->walls);
    beside->too_fast = settle_rows(&step, beside->rows);
    note_part(beside->meanwhile, VORTEX_WALLS, &since);
}

static void beside_body(void *context, size_t begin, size_t end, int worker)
{
    Beside *beside = context;
    for (size_t piece = begin; piece < end; ++piece) {
        size_t number = piece - 1, s = 1;
        if (piece == 0) {
            advance_beside(beside);
            continue;
        }
        while (number >= beside->follow[s].pieces) number -= beside->follow[s++].pieces;
        follow_piece(&beside->follow[s], number, worker);
    }
}

/* The same bits either way, so that it may depend on the number of workers. */
static bool few_vortons(const SolverStep *step, const VortexWork *work, size_t tracers)
{
    size_t others = (size_t)mote_tasks_workers(step->tasks) - 1;
    return !evaluates_at_vortons(work->params, work->flat) &&
           step->rows[0] * TRACERS_A_VORTON * others <= tracers;
}

/* What the vortons took; where they were beside, as a share of all workers' time. */
static void note_beside(Vortex *vortex, const Beside *beside, double since)
{
    double all = clock_seconds() - since, workers = mote_tasks_workers(beside->step->tasks);
    for (int k = 0; k < VORTEX_PARTS; ++k) {
        double took = beside->before[k] + beside->meanwhile[k] / workers;
        vortex->seconds[k] += took;
        all -= took;
    }
    vortex->seconds[VORTEX_FOLLOW] += all;
}

static bool move_all(const SolverStep *step, const VortexWork *work, const VortonRows *rows,
                     size_t *too_fast)
{
    Vortex *vortex = step->solver->state;
    Beside beside = {.step = step, .work = work, .rows = rows};
    size_t pieces = 0, tracers = 0;
    double since = clock_seconds();
    for (size_t s = 1; s < step->solver->system_count; ++s) {
        if (!follow_begin(step, s, &beside.follow[s])) return false;
        pieces += beside.follow[s].pieces, tracers += step->rows[s];
    }
    beside.few = few_vortons(step, work, tracers);
    if (!beside.few && !advance_and_meet(step, work, &beside, beside.before)) return false;
    mote_parallel_for(step->tasks, pieces + 1, 1, beside_body, &beside);
    for (size_t s = 1; s < step->solver->system_count; ++s) follow_crowd(step, &beside.follow[s]);
    note_beside(vortex, &beside, since);
    *too_fast = beside.too_fast;
    if (beside.failed) return false;
    since = clock_seconds();
    for (size_t s = 1; s < step->solver->system_count; ++s)
        if (!tracers_meet_walls(step, s, &beside.follow[s], &vortex->tracer_hits)) return false;
    note_part(vortex->seconds, VORTEX_TRACER_WALLS, &since);
    return true;
}

/* A second grid for the middle of the sub-step is the midpoint rule for pairs (x, alpha) and for
 * tracers alike; with sums at the vortons the schemes of advance.c do that. */
static bool solve_rows(const SolverStep *step, const VortexWork *work, const VortonRows *rows,
                       size_t *too_fast)
{
    Vortex *vortex = step->solver->state;
    double since = clock_seconds();
    VortexWork with = *work;
    VortexGrid quiet;
    VortonRows middle;
    if (!make_grid(step, &with, rows)) return false;
    if (!evaluates_at_vortons(work->params, work->flat) && work->params->scheme > 0) {
        if (!drift_half_way(&with, rows, &vortex->grid, &middle)) return false;
        if (!vortex_fill_velocity(&with, &middle, &vortex->grid)) return false;
        with.middle = &middle;
    }
    if (!vortex_stir(&with, &vortex->grid, &quiet)) return false;
    with.quiet = &quiet;
    /* On the grid, a worker may go on with the vortons alone (few_vortons), on some ranks. */
    if (!evaluates_at_vortons(work->params, work->flat)) with.share = NULL;
    note_part(vortex->seconds, VORTEX_GRID, &since);
    return move_all(step, &with, rows, too_fast);
}

/* A world of two dimensions is the plane z = 0, and vorticity is along z. */
static void lay_flat(const VortonRows *rows)
{
    for (size_t i = 0; i < rows->count; ++i) {
        rows->x[2][i] = rows->v[2][i] = 0;
        rows->strength[0][i] = rows->strength[1][i] = 0;
    }
}

static mote_Status move_copies(const SolverStep *step, SumShare *share, SumDevice *device,
                               mote_Error *error)
{
    Vortex *vortex = step->solver->state;
    mote_System *system = step->solver->systems[0];
    VortonRows rows = vortex_rows(system, step->rows[0]);
    VortexWork work = {.params = step->solver->object.params,
                       .core = vortex->core,
                       .gravity = vortex->gravity,
                       .arena = step->arena,
                       .tasks = step->tasks,
                       .dt = (mote_real)step->dt,
                       .flat = step->flat,
                       .isa = step->isa,
                       .vortex = vortex,
                       .share = share,
                       .device = device};
    const BoundaryRow *boundary = boundary_row(work.params->boundary);
    size_t too_fast;
    if (rows.count == 0 && boundary->finish == NULL) return MOTE_OK; /* still air */
    rows.flat = step->flat;
    bool room = boundary->place == NULL || boundary->place(step, &work);
    if (work.mesh == NULL) room = room && find_spins(step, &work);
    if (rows.count == 0 && room && boundary->carry(&work, &rows) &&
        boundary->finish(&work, &rows, step))
        return MOTE_OK;
    spin_new_rows(vortex, step, &rows);
    if (step->flat) lay_flat(&rows);
    look_at_births(step);
    if (!room || !solve_rows(step, &work, &rows, &too_fast))
        return vortex->too_wide
                   ? stand_too_wide(step, error)
                   : status_no_memory(error, system->name, rows.count * sizeof(mote_real));
    return too_fast < rows.count ? turns_too_fast(step, &rows, too_fast, error) : MOTE_OK;
}

/* Ranks all do the same, but for sums that they deal. A rank that fails by itself is waited for by
 * the others where the next sum would be dealt, or here. */
static mote_Status move_rows(const SolverStep *step, SolveResult *result, mote_Error *error)
{
    Vortex *vortex = step->solver->state;
    SumShare share = {.ranks = step->shop->ranks};
    SumDevice *device;
    *result = SOLVE_ACCEPTED;
    mote_Status status = sum_device_of(step, &vortex->device, &device, error);
    if (status == MOTE_OK) status = move_copies(step, &share, device, error);
    if (device != NULL && device->status != MOTE_OK) {
        if (error != NULL) *error = device->error;
        return device->status;
    }
    if (share.status == MOTE_OK) return ranks_agree(share.ranks, status, error);
    if (error != NULL) *error = share.error;
    return share.status;
}

/* Vortons and tracers that are born in a sub-step rest until the next, which looks at them first.
 */
mote_Status vortex_solve(const SolverStep *step, mote_Error *error)
{
    return flow_solve_once(step, move_rows, error);
}

/* The two grids change places: nothing is copied, and both keep their memory. In still air the last
 * one stays. */
void vortex_finish(const SolverStep *step)
{
    Vortex *vortex = step->solver->state;
    const VortexGrid solved = vortex->grid;
    if (!vortex->solved) return;
    vortex->grid = vortex->shown;
    vortex->shown = solved;
    vortex->solved = false;
    vortex->numbers = NODE_SIZE * grid_node_count(&solved);
    for (int c = 0; c < 3; ++c) {
        vortex->saved[c] = (double)solved.low[c];
        vortex->saved[3 + c] = (double)solved.size[c];
        vortex->saved[6 + c] = (double)solved.cells[c];
    }
}

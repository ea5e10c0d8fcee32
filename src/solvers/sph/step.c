/* A sub-step of a liquid: from rows to places and back.
 *
 * The order is that of P24 of GAMES103's notes, with what they leave open: all densities are known
 * before the first force, all forces before the first particle moves, and "t" is dt. */
#include "solvers/sph/sph.h"

#include "solvers/points/slot.h"
#include "solvers/sph/backend.h"
#include "solvers/sph/boundary.h"
#include "solvers/sph/foam.h"
#include "solvers/sph/ghosts.h"
#include "solvers/sph/tension.h"

#include "base/loop.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

enum { PLACES_PER_TASK = 2048 };

mote_Status sph_no_memory(const SphStep *step, mote_Error *error)
{
    return status_no_memory(error, sph_name(step), step->rows * sizeof(mote_real));
}

mote_real *sph_plane(const SphStep *step)
{
    const size_t places = step->rows + CELLS_SPARE + step->lent;
    return arena_take(step->outer->arena, places * sizeof(mote_real));
}

typedef struct PlacesLoop {
    SphStep *step;
    SphBody *body;
} PlacesLoop;

static void places_body(void *context, size_t begin, size_t end, int worker)
{
    const PlacesLoop *loop = context;
    loop->body(loop->step, begin, end, worker);
}

void sph_for_places(SphStep *step, SphBody *body)
{
    PlacesLoop loop = {step, body};
    mote_parallel_for(step->outer->tasks, step->rows, PLACES_PER_TASK, places_body, &loop);
}

double *sph_rod_plane(const SphStep *step)
{
    return arena_take(step->outer->arena, (step->rods.count + 1) * sizeof(double));
}

double sph_sum_rods(const SphStep *step, mote_TaskBody *body, void *context, const double *of_rods)
{
    Limbs sum;
    rods_for(&step->rods, step->outer->tasks, body, context);
    rods_limbs(&step->rods, step->outer->tasks, of_rods, 1, &sum);
    ghosts_sum(step, &sum, 1);
    return limbs_value(&sum);
}

/* ---- from rows to places ---- */

CellSpace sph_space(const SolverStep *outer)
{
    const mote_Vec3 low = outer->box_min;
    return (CellSpace){.low = {low.x, low.y, low.z},
                       .period = {outer->period[0], outer->period[1], outer->period[2]},
                       .flat = outer->flat};
}

static mote_Status find_neighbours(SphStep *step, mote_Error *error)
{
    const SolverStep *outer = step->outer;
    CellSpace space = sph_space(outer);
    CellPoints points;
    if (!sph_points(step, &points) ||
        !cells_make(&step->cells, &space, step->kernel.support, &points, outer->arena,
                    outer->tasks) ||
        !rods_make(&step->rods, &step->cells, outer->arena, outer->tasks))
        return sph_no_memory(step, error);
    for (int c = 0; c < 3; ++c) step->x[c] = step->cells.x[c];
    if (step->ghosts != NULL) step->cells.wanted = step->own_rows;
    return step->backend->find(step, error);
}

static bool take_planes(SphStep *step)
{
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        step->v[c] = sph_plane(step);
        step->a[c] = sph_plane(step);
        room = room && step->v[c] != NULL && step->a[c] != NULL;
    }
    for (int c = 0; c < 3 && step->params->wall_forces; ++c) {
        step->wall_force[c] = sph_plane(step);
        room = room && step->wall_force[c] != NULL;
        if (room) memset(step->wall_force[c], 0, step->rows * sizeof(mote_real));
    }
    step->density = sph_plane(step);
    step->pressure = sph_plane(step);
    step->place = arena_take(step->outer->arena, (step->rows + 1) * sizeof *step->place);
    return room && step->density != NULL && step->pressure != NULL && step->place != NULL;
}

static void number_places(SphStep *step, size_t begin, size_t end, int worker)
{
    const uint32_t *order = step->cells.order;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        step->place[order[i]] = (uint32_t)i;
        step->density[i] = step->mass * step->sums[i];
    }
}

/* Velocities, and accelerations by the world's forces. */
static void gather(SphStep *step, const SphRows *rows, void *context, int worker)
{
    const SolverStep *outer = step->outer;
    Range r = step_accelerated(outer, rows->number, rows->first, rows->count, outer->t, worker);
    (void)context;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < rows->count; ++i) {
            step->v[c][rows->place[i]] = r.v[c][i];
            step->a[c][rows->place[i]] = r.a[c][i];
        }
}

/* ---- and back ---- */

static mote_real *rows_of(const SphRows *rows, size_t column, int c)
{
    return column_real(&rows->member->system->columns[column], c) + rows->first;
}

/* Positions move with the new velocities: x += dt v. */
static void move_rows(const SphStep *step, const SphRows *rows)
{
    const uint32_t *place = rows->place;
    for (int c = 0; c < (step->flat ? 2 : 3); ++c) {
        mote_real *x = rows_of(rows, COLUMN_POSITION, c), *v = rows_of(rows, COLUMN_VELOCITY, c);
        const mote_real *fresh = step->v[c], *excess = step->move[c], dt = step->dt;
        for (size_t i = 0; i < rows->count; ++i) {
            mote_real speed = fresh[place[i]];
            v[i] = speed;
            x[i] += dt * (excess != NULL ? speed + excess[place[i]] : speed);
        }
    }
}

static void commit(SphStep *step, const SphRows *rows, void *context, int worker)
{
    const SphMember *member = rows->member;
    const uint32_t *place = rows->place;
    mote_real *density = rows_of(rows, member->column[SPH_DENSITY], 0);
    mote_real *pressure = rows_of(rows, member->column[SPH_PRESSURE], 0);
    (void)context, (void)worker;
    move_rows(step, rows);
    for (size_t i = 0; i < rows->count; ++i) {
        density[i] = member->weight * step->density[place[i]];
        pressure[i] = step->pressure[place[i]];
    }
    for (int c = 0; c < 3 && step->params->wall_forces; ++c) {
        mote_real *force = rows_of(rows, member->column[SPH_WALL_FORCE], c);
        for (size_t i = 0; i < rows->count; ++i) force[i] = step->wall_force[c][place[i]];
    }
}

/* What commit reads, of rows that others worked on. */
static void fetch_guests(SphStep *step)
{
    mote_real *const found[] = {step->density, step->pressure, step->v[0], step->v[1], step->v[2]};
    guests_return(step, found, sizeof found / sizeof found[0]);
    if (step->move[0] != NULL) guests_return(step, step->move, 3);
    if (step->params->wall_forces) guests_return(step, step->wall_force, 3);
}

/* ---- how dense it is ---- */

typedef struct Crowding {
    const SphStep *step;
    double *sum, *worst; /* by rod */
    double *inner;       /* the worst away from walls */
} Crowding;

/* Compression alone counts: surfaces are thin by nature. */
static void crowding_body(void *context, size_t begin, size_t end, int worker)
{
    const Crowding *crowding = context;
    const SphStep *step = crowding->step;
    const Walls *walls = &step->state->walls;
    const mote_real inverse = 1 / step->rest_density;
    (void)worker;
    for (size_t rod = begin; rod < end; ++rod) {
        double sum = 0;
        mote_real worst = 0, inner = 0;
        for (size_t i = step->rods.first[rod]; i < step->rods.first[rod + 1]; ++i) {
            mote_real over = step->density[i] * inverse - 1;
            over = over > 0 ? over : 0;
            sum += (double)over;
            worst = over > worst ? over : worst;
            if (over > inner && walls_first(walls, i) == walls_end(walls, i)) inner = over;
        }
        crowding->sum[rod] = sum, crowding->worst[rod] = (double)worst;
        crowding->inner[rod] = (double)inner;
    }
}

void sph_tell_crowding(SphStep *step, double sum, double worst, double inner)
{
    SolverTally *tally = &step->outer->solver->tally;
    if (worst > tally->worst_density) tally->worst_density = worst;
    step->state->squeeze = inner;
    tally->density_error = sum / (double)step->particles;
    tally->pairs += ghosts_pairs(step);
}

static mote_Status note_crowding(SphStep *step, mote_Error *error)
{
    Crowding crowding = {step, sph_rod_plane(step), sph_rod_plane(step), sph_rod_plane(step)};
    const bool room = crowding.sum != NULL && crowding.worst != NULL && crowding.inner != NULL;
    mote_Status status = sph_agree(step, room ? MOTE_OK : sph_no_memory(step, error), error);
    if (status != MOTE_OK) return status;
    const double sum = sph_sum_rods(step, crowding_body, &crowding, crowding.sum);
    double worst = 0, inner = 0;
    for (size_t rod = 0; rod < step->rods.count; ++rod) {
        if (crowding.worst[rod] > worst) worst = crowding.worst[rod];
        if (crowding.inner[rod] > inner) inner = crowding.inner[rod];
    }
    ghosts_most(step, &inner, 1);
    sph_tell_crowding(step, sum, worst, inner);
    return MOTE_OK;
}

/* ---- shifting ---- */

/* Densities are sums at first, whatever the pressure row makes of them. */
static void note_fill(SphStep *step, size_t begin, size_t end, int worker)
{
    const mote_real inverse = 1 / step->rest_density;
    (void)worker;
    for (size_t i = begin; i < end; ++i) step->fill[i] = step->density[i] * inverse;
}

static mote_Status begin_shift(SphStep *step, mote_Error *error)
{
    if (!(step->params->shifting > 0)) return MOTE_OK;
    step->fill = sph_plane(step);
    if (step->fill == NULL) return sph_no_memory(step, error);
    sph_for_places(step, note_fill);
    return MOTE_OK;
}

/* ---- the sub-step ---- */

SphStep sph_make_step(const SolverStep *outer)
{
    Solver *solver = outer->solver;
    SphState *state = solver->state;
    SphStep step = {.outer = outer,
                    .state = state,
                    .params = sph_params(solver),
                    .dt = (mote_real)outer->dt,
                    .flat = outer->flat,
                    .kernel = state->kernel,
                    .mass = state->mass,
                    .rest_density = sph_params(solver)->rest_density,
                    .backend = sph_backend(outer),
                    .lists = &state->lists};
    for (int c = 0; c < 3; ++c) {
        step.period[c] = outer->period[c];
        step.periodic = step.periodic || outer->period[c] > 0;
    }
    for (size_t m = 0; m < state->member_count; ++m)
        step.first[m + 1] = step.first[m] + outer->rows[state->members[m].number];
    step.own_rows = step.rows = step.particles = step.first[state->member_count];
    return step;
}

/* Everything by place: what this rank can say of it. */
static mote_Status gather_places(SphStep *step, mote_Error *error)
{
    mote_Status status = find_neighbours(step, error);
    if (status != MOTE_OK) return status;
    if (!take_planes(step)) return sph_no_memory(step, error);
    sph_for_places(step, number_places);
    if (!ghosts_place(step)) return sph_no_memory(step, error);
    sph_for_rows(step, gather, NULL);
    status = sph_set_traits(step, error);
    if (status == MOTE_OK) status = sph_begin_heat(step, error);
    return status == MOTE_OK ? sph_meet_walls(step, error) : status;
}

static mote_Status begin_piece(SphStep *step, mote_Error *error)
{
    mote_Status status = sph_agree(step, gather_places(step, error), error);
    mote_real *const felt[] = {step->density, step->v[0], step->v[1], step->v[2]};
    mote_real *const moved[] = {step->v[0], step->v[1], step->v[2],
                                step->a[0], step->a[1], step->a[2]};
    if (status != MOTE_OK) return status;
    guests_lend(step, moved, sizeof moved / sizeof moved[0]);
    ghosts_share(step, felt, sizeof felt / sizeof felt[0]);
    return sph_agree(step, begin_shift(step, error), error);
}

mote_Status sph_solve_piece(const SolverStep *outer, SolveResult *result, mote_Error *error)
{
    SphStep step = sph_make_step(outer);
    mote_Status status = ghosts_find(&step, error);
    if (status != MOTE_OK || step.particles == 0) return status;
    status = begin_piece(&step, error);
    if (status == MOTE_OK) status = sph_pull(&step, error);
    if (status == MOTE_OK) status = step.state->pressure->solve(&step, result, error);
    status = sph_agree(&step, status, error);
    if (status != MOTE_OK || *result != SOLVE_ACCEPTED) return status;
    sph_load_tension(&step);
    if (step.fill != NULL) status = sph_shift(&step, error);
    if (status == MOTE_OK) status = sph_conduct(&step, error);
    step.state->last = (double)step.dt;
    if (status == MOTE_OK) status = note_crowding(&step, error);
    if (status == MOTE_OK) status = foams_solve(&step, error);
    if (status == MOTE_OK) fetch_guests(&step);
    status = sph_agree(&step, status, error);
    if (status == MOTE_OK) sph_for_rows(&step, commit, NULL);
    return status;
}

mote_Status sph_solve(const SolverStep *outer, mote_Error *error)
{
    bool done = false;
    const mote_Status status = sph_stay_solve(outer, &done, error);
    return status != MOTE_OK || done ? status : whole_solve(outer, sph_solve_piece, error);
}

/* Where a liquid gives birth to spray, foam and bubbles.
 *
 * Of the particles at its surface, with w = 1 - r/H and sums over neighbours,
 *
 *     A = sum max(0, -v_ij.x_ij/r) w / sum w      how fast they come nearer: air is shut in
 *     C = sum (1 - u_i.u_j) w / sum w             over neighbours behind it: how bent a crest is,
 *                                                 where it goes ahead (v.u >= 0.6 |v|)
 *
 * with u the outward normal. Ihmsen et al. 2012 take |v_ij| (1 - v_ij.x_ij/(|v_ij| r)) for A, which
 * a bucket of water that turns has, too. Births go by the area of the surface, d^2 for a particle:
 * by volume there would be half as many at half the spacing. A birth is anywhere in a cylinder of
 * half a spacing around the way of the particle in an interval. Random numbers go by the particle's
 * id and the interval's number. */
#include "solvers/sph/foam.h"

#include "base/math.h"
#include "base/random.h"
#include "base/status.h"
#include "base/vec.h"
#include "collide/wall.h"
#include "solvers/points/slot.h"
#include "solvers/sph/outline.h"

#include <math.h>

enum { PLACES_PER_TASK = 1024, MOST_BIRTHS = 2000 };

enum { PURPOSE_COUNT, PURPOSE_SELF, PURPOSE_BIRTH };

/* d |n| from which on a particle is at the surface: a flat one has 0.4 or so. */
#define AT_SURFACE ((mote_real)0.1)
/* A particle at a wall whose kernel is filled is at no surface, whatever the walls' slopes say. */
#define FILLED ((mote_real)0.9)
/* Cosine between velocity and normal from which on a crest goes ahead. */
#define AHEAD ((mote_real)0.6)
/* m: in two dimensions the liquid is a slice of that width. */
#define SLICE 0.01

typedef struct BirthWork {
    SphStep *step;
    const Foam *foam;
    mote_real *inward[3];  /* gradients of the filled share */
    mote_real *outward[3]; /* unit normals; 0 inside of the liquid */
    uint32_t *counts;      /* births by place */
    size_t first, end;     /* rows of the liquid that gives birth, among all */
    const uint64_t *ids;   /* of those rows */
    RandomKey key;
    uint32_t interval; /* number */
    double span;       /* s */
    double area;       /* cm^2 of a particle at the surface */
} BirthWork;

static mote_Vec3 vector_at(mote_real *const planes[3], size_t i)
{
    return vec3(planes[0][i], planes[1][i], planes[2][i]);
}

/* ---- the surface ---- */

static mote_Vec3 outward_at(const BirthWork *work, size_t i)
{
    const SphStep *step = work->step;
    const Walls *walls = &step->state->walls;
    mote_Vec3 n = vec3_add(vector_at(work->inward, i), walls_gradient(walls, i));
    if (step->flat) n.z = 0;
    const mote_real length = vec3_length(n);
    const bool walled =
        walls_volume(walls, i) > 0 && step->density[i] > FILLED * step->rest_density;
    return !walled && length * step->params->spacing > AT_SURFACE ? vec3_scale(n, -1 / length)
                                                                  : vec3(0, 0, 0);
}

static void surface_body(void *context, size_t begin, size_t end, int worker)
{
    const BirthWork *work = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const mote_Vec3 u = outward_at(work, i);
        work->outward[0][i] = u.x, work->outward[1][i] = u.y, work->outward[2][i] = u.z;
    }
}

/* ---- how many ---- */

typedef struct Churn {
    mote_real air, crest, weight; /* sums */
} Churn;

static void add_neighbour(const BirthWork *work, size_t i, size_t j, Churn *churn)
{
    const SphStep *step = work->step;
    const mote_Vec3 d =
        sph_nearest(step, vec3(step->x[0][i] - step->x[0][j], step->x[1][i] - step->x[1][j],
                               step->flat ? 0 : step->x[2][i] - step->x[2][j]));
    const mote_real r = vec3_length(d), w = 1 - r * step->kernel.inverse;
    if (!(r > 0 && w > 0)) return;
    const mote_Vec3 v = vec3_sub(vector_at(step->v, i), vector_at(step->v, j));
    const mote_real apart = vec3_dot(v, d) / r;
    const mote_Vec3 own = vector_at(work->outward, i), other = vector_at(work->outward, j);
    const bool bends = vec3_dot(other, other) > 0 && vec3_dot(d, own) > 0; /* x_j - x_i is -d */
    churn->weight += w;
    if (apart < 0) churn->air -= w * apart;
    if (bends) churn->crest += w * (1 - vec3_dot(own, other));
}

static Churn churn_at(const BirthWork *work, size_t i)
{
    const Neighbours *lists = work->step->lists;
    const uint32_t *list = neighbours_of(lists, i);
    Churn churn = {0, 0, 0};
    for (size_t k = 0; k < lists->count[i]; ++k) add_neighbour(work, i, list[k], &churn);
    return churn;
}

/* From 0 to 1 between both ends. */
static double ramp(mote_real value, mote_real from, mote_real to)
{
    if (!(value > from)) return 0;
    return value < to ? (double)((value - from) / (to - from)) : 1;
}

/* Births a second.
 *     energy area (trapped ramp(A) + crest ramp(C))
 * a ramp is the paper's Phi(I; tau_min, tau_max), linear from 0 to 1. */
static double rate_at(const BirthWork *work, size_t i)
{
    const mote_FoamSolver *own = &work->foam->params;
    const mote_Vec3 v = vector_at(work->step->v, i), u = vector_at(work->outward, i);
    const mote_real square = vec3_dot(v, v);
    const double energy = ramp(square / 2, own->energy_from, own->energy_to);
    if (!(energy > 0) || !(vec3_dot(u, u) > 0)) return 0;
    const Churn churn = churn_at(work, i);
    if (!(churn.weight > 0)) return 0;
    const bool ahead = vec3_dot(v, u) >= AHEAD * REAL_SQRT(square);
    const double air = ramp(churn.air / churn.weight, own->trapped_from, own->trapped_to);
    const double crest =
        ahead ? ramp(churn.crest / churn.weight, own->crest_from, own->crest_to) : 0;
    return energy * work->area * ((double)own->trapped * air + (double)own->crest * crest);
}

/* The mean is exact: what is left of a whole number is the chance of one more. */
static void count_body(void *context, size_t begin, size_t end, int worker)
{
    const BirthWork *work = context;
    const uint32_t *order = work->step->cells.order;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const size_t row = order[i];
        work->counts[i] = 0;
        if (row < work->first || row >= work->end) continue;
        const double mean = rate_at(work, i) * work->span;
        if (!(mean > 0)) continue;
        const Random4 u =
            random_draw(work->key, work->ids[row - work->first], work->interval, PURPOSE_COUNT);
        const double count = floor(mean + (double)random_unit(u.word[0]));
        work->counts[i] = (uint32_t)(count < MOST_BIRTHS ? count : MOST_BIRTHS);
    }
}

/* ---- births ---- */

/* Across the way: in two dimensions to either side, else all around. */
static mote_Vec3 sideways(const BirthWork *work, mote_Vec3 ahead, const Random4 *u)
{
    if (work->step->flat) {
        const mote_real side = u->word[1] >> 31 != 0 ? 1 : -1;
        return vec3(-side * ahead.y, side * ahead.x, 0);
    }
    const mote_Vec3 one = vec3_across(ahead), two = vec3_cross(ahead, one);
    double sine, cosine;
    math_sincos(6.283185307179586 * (double)random_unit(u->word[1]), &sine, &cosine);
    return vec3_madd(vec3_scale(one, (mote_real)cosine), (mote_real)sine, two);
}

static FoamBirth birth_at(const BirthWork *work, size_t i, uint32_t k)
{
    const SphStep *step = work->step;
    const uint64_t id = work->ids[step->cells.order[i] - work->first];
    const Random4 u = random_draw(work->key, id, work->interval, PURPOSE_BIRTH + k);
    const mote_Vec3 v = vector_at(step->v, i),
                    home = {step->x[0][i] + step->dt * v.x, step->x[1][i] + step->dt * v.y,
                            step->x[2][i] + step->dt * v.z};
    const mote_real speed = vec3_length(v), share = random_unit(u.word[2]);
    const mote_real wide = step->flat ? share : REAL_SQRT(share);
    const mote_Vec3 side = sideways(work, vec3_scale(v, 1 / speed), &u);
    const mote_real along = (random_unit(u.word[0]) - (mote_real)0.5) * (mote_real)work->span;
    mote_Vec3 x = vec3_madd(home, along, v);
    x = vec3_madd(x, wide * step->params->spacing / 2, side);
    return (FoamBirth){home, x, vec3_madd(v, speed / 10, side)};
}

static size_t room_for(const Foam *foam)
{
    const size_t there = foam->system->count + foam->birth_count, most = (size_t)foam->params.most;
    return most > there ? most - there : 0;
}

static mote_Status note_births(const BirthWork *work, Foam *foam, mote_Error *error)
{
    const SphStep *step = work->step;
    size_t room = room_for(foam), wanted = 0;
    for (size_t i = 0; i < step->rows; ++i) wanted += work->counts[i];
    room = wanted < room ? wanted : room;
    if (room == 0) return MOTE_OK;
    if (!memory_reserve(step->outer->memory, (void **)&foam->births, &foam->birth_capacity,
                        foam->birth_count + room, sizeof *foam->births))
        return status_no_memory(error, foam->system->name, room * sizeof *foam->births);
    for (size_t i = 0; i < step->rows; ++i)
        for (uint32_t k = 0; k < work->counts[i] && room > 0; ++k, --room)
            foam->births[foam->birth_count++] = birth_at(work, i, k);
    return system_reserve(foam->system, foam->system->count + foam->birth_count, error);
}

/* ---- when ---- */

/* Intervals that end in this piece of the sub-step; those of a world that went on without foam have
 * none. */
static double intervals_due(const SphStep *step, const Foam *foam, double *clock)
{
    const double rounding = 1e-6, t = step->outer->t;
    if (*clock < 0) *clock = floor(t / foam->interval + rounding);
    const double now = floor((t + step->outer->dt) / foam->interval + rounding);
    return now - *clock;
}

static bool is_fast(const BirthWork *work)
{
    const SphStep *step = work->step;
    const mote_real least = 2 * work->foam->params.energy_from;
    for (size_t i = 0; i < step->rows; ++i) {
        const mote_Vec3 v = vector_at(step->v, i);
        if (vec3_dot(v, v) > least) return true;
    }
    return false;
}

static bool take_planes(BirthWork *work)
{
    const SphStep *step = work->step;
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        work->outward[c] = sph_plane(step);
        room = room && work->outward[c] != NULL;
    }
    work->counts = arena_take(step->outer->arena, (step->rows + 1) * sizeof *work->counts);
    return room && work->counts != NULL && sph_outline(step, work->inward);
}

static BirthWork make_work(SphStep *step, const Foam *foam)
{
    const double d = (double)step->params->spacing;
    BirthWork work = {.step = step,
                      .foam = foam,
                      .ids = foam->liquid->columns[COLUMN_ID].data,
                      .key = random_key(step->outer->seed, foam->system->name),
                      .area = 1e4 * d * (step->flat ? SLICE : d)};
    for (size_t m = 0; m < step->state->member_count; ++m)
        if (step->state->members[m].system == foam->liquid)
            work.first = step->first[m], work.end = step->first[m + 1];
    return work;
}

mote_Status foam_give_birth(SphStep *step, Foam *foam, double *clock, mote_Error *error)
{
    mote_Tasks *tasks = step->outer->tasks;
    BirthWork work = make_work(step, foam);
    const double due = intervals_due(step, foam, clock);
    if (!(due > 0)) return MOTE_OK;
    *clock += due;
    work.interval = (uint32_t)fmod(*clock, 4294967296.0), work.span = due * foam->interval;
    if (room_for(foam) == 0 || !is_fast(&work)) return MOTE_OK;
    if (!take_planes(&work)) return sph_no_memory(step, error);
    mote_parallel_for(tasks, step->rows, PLACES_PER_TASK, surface_body, &work);
    mote_parallel_for(tasks, step->rows, PLACES_PER_TASK, count_body, &work);
    return note_births(&work, foam, error);
}

/* ---- rows ---- */

typedef struct Bearing {
    const SolverStep *outer;
    const Foam *foam;
    RandomKey key;
    mote_real density; /* kg/m^3 */
} Bearing;

static bool is_in_wall(const Broad *walls, mote_Vec3 x, mote_real radius)
{
    for (size_t k = 0; walls != NULL && k < walls->count; ++k)
        if (wall_distance(walls->colliders[k], 1, x) < radius) return true;
    return false;
}

static void set_vector(mote_System *system, int column, size_t row, mote_Vec3 value)
{
    const mote_real of[3] = {value.x, value.y, value.z};
    for (int c = 0; c < 3; ++c) column_real(&system->columns[column], c)[row] = of[c];
}

static mote_Vec3 wrapped(const SolverStep *outer, mote_Vec3 x)
{
    const mote_real low[3] = {outer->box_min.x, outer->box_min.y, outer->box_min.z};
    mote_real of[3] = {x.x, x.y, x.z};
    for (int c = 0; c < 3; ++c) {
        const mote_real period = outer->period[c];
        if (of[c] < low[c]) of[c] += period;
        if (period > 0 && of[c] >= low[c] + period) of[c] -= period;
    }
    return vec3(of[0], of[1], of[2]);
}

/* Where a wall is, the birth is at the liquid's particle. Masses are those of drops. */
static void write_row(const Bearing *b, const FoamBirth *birth, size_t row)
{
    const Foam *foam = b->foam;
    mote_System *system = foam->system;
    const uint64_t id = ((const uint64_t *)system->columns[COLUMN_ID].data)[row];
    const Random4 u = random_draw(b->key, id, 0, PURPOSE_SELF);
    const mote_FoamSolver *own = &foam->params;
    const mote_real radius = own->size * ((mote_real)0.5 + random_unit(u.word[1]));
    const double r = (double)radius, disc = 3.141592653589793 * r * r;
    const bool walled = is_in_wall(b->outer->walls[foam->number], birth->x, radius);
    set_vector(system, COLUMN_POSITION, row, wrapped(b->outer, walled ? birth->home : birth->x));
    set_vector(system, COLUMN_VELOCITY, row, birth->v);
    column_real(&system->columns[COLUMN_RADIUS], 0)[row] = radius;
    column_real(&system->columns[COLUMN_MASS], 0)[row] =
        b->density * (mote_real)(b->outer->flat ? disc : 4 * disc * r / 3);
    column_real(&system->columns[foam->column[FOAM_LEFT]], 0)[row] =
        own->life_least + (own->life_most - own->life_least) * random_unit(u.word[2]);
    ((double *)system->columns[COLUMN_BIRTH].data)[row] = b->outer->t + b->outer->dt;
}

static void bear(const SolverStep *outer, Foam *foam)
{
    const Bearing bearing = {outer, foam, random_key(outer->seed, foam->system->name),
                             foam->liquid != NULL ? foam->liquid->rest_density : 0};
    const size_t count = foam->birth_count;
    size_t first;
    mote_Error error;
    foam->birth_count = 0;
    if (count == 0 || system_append(foam->system, count, &first, &error) != MOTE_OK) return;
    for (size_t k = 0; k < count; ++k) write_row(&bearing, &foam->births[k], first + k);
    if (!system_note_new_rows(foam->system, first)) foam->system->notes_valid = false;
    rates_bear(outer->slots[foam->number]->rates, foam->system, first, count, &error);
}

void foams_bear(const SolverStep *outer)
{
    SphState *state = outer->solver->state;
    for (size_t k = 0; k < state->foam_count; ++k) bear(outer, &state->foams[k]);
}

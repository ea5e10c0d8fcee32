/* Walls in a liquid's sub-step: densities, pressure, friction, and what the colliders get of it.
 *
 * With the share's volume l and gradient G of a wall that moves with w,
 *     rho_i += rho0 l        a_i -= push_i G        a_i -= k (v_i' - w),  k = nu drag
 * with the velocity v' at the end of the sub-step, and push is rho0 P_i/rho_i^2, what the
 * particle's own pressure does to a density that the wall has a share in: walls and liquid have one
 * potential energy together, and nothing heats. (A pressure of the wall's own, be it the particle's
 * or a mean, pushes on what the density does not see; the share's kernel makes up for it,
 * wall_table.h.) The collider gets -m dt a at the particle's place, so that momentum and angular
 * momentum of both together stay. */
#include "solvers/sph/boundary.h"
#include "solvers/sph/ghosts.h"

#include <string.h>

#include "solvers/sph/formulas/explicit.h"

enum { LOAD_HEAT = 6, LOAD_SUMS = 7 }; /* impulse, angular impulse, heat */

/* What a worker has for a collider. */
typedef struct WallLoad {
    bool used;             /* else nothing else here is set */
    bool touched;          /* by the rod that the worker is at: */
    double rod[LOAD_SUMS]; /* by how much */
    Limbs all[LOAD_SUMS];
} WallLoad;

typedef struct WorkerLoads {
    WallLoad *of;      /* by collider */
    uint32_t *touched; /* the colliders of the present rod */
    size_t touched_count;
} WorkerLoads;

static mote_Status gather_analytic(SphStep *step, mote_Error *error)
{
    mote_real *const x[3] = {(mote_real *)step->x[0], (mote_real *)step->x[1],
                             (mote_real *)step->x[2]};
    WallsInput input = {.memory = step->outer->memory,
                        .tasks = step->outer->tasks,
                        .broad = step->outer->walls[0],
                        .rows = step->rows,
                        .x = x,
                        .support = step->kernel.support};
    return walls_integrate(&step->state->walls, &input, error);
}

static const BoundaryRow boundary_analytic = {
    .head = {.name = "analytic",
             .doc = "integrals of the kernel over the colliders' forms, made on the fly"},
    .by_forms = true,
    .gather = gather_analytic,
};

ROW_TABLE(boundary_rows, BOUNDARY_ROWS(ROW_ADDRESS_ONLY))

/* ---- densities ---- */

static void thicken(SphStep *step, size_t begin, size_t end, int worker)
{
    const Walls *walls = &step->state->walls;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        step->density[i] += step->rest_density * walls_volume(walls, i);
}

static mote_Status take_loads(SphStep *step, mote_Error *error)
{
    const size_t workers = (size_t)mote_tasks_workers(step->outer->tasks);
    const size_t colliders = step->outer->load_count;
    Arena *arena = step->outer->arena;
    step->load_sums = arena_take(arena, (colliders + 1) * LOAD_SUMS * sizeof *step->load_sums);
    step->loads = arena_take(arena, workers * sizeof *step->loads);
    for (size_t w = 0; w < workers && step->loads != NULL; ++w) {
        WorkerLoads *loads = &step->loads[w];
        *loads = (WorkerLoads){.of = arena_take(arena, colliders * sizeof *loads->of),
                               .touched = arena_take(arena, colliders * sizeof *loads->touched)};
        if (loads->of == NULL || loads->touched == NULL) return sph_no_memory(step, error);
    }
    const bool room = step->loads != NULL && step->load_sums != NULL;
    return room ? MOTE_OK : sph_no_memory(step, error);
}

mote_Status sph_meet_walls(SphStep *step, mote_Error *error)
{
    Walls *walls = &step->state->walls;
    walls->rows = 0;
    if (step->outer->walls[0] == NULL || step->outer->walls[0]->count == 0) return MOTE_OK;
    mote_Status status = take_loads(step, error);
    if (status == MOTE_OK) status = step->state->boundary->gather(step, error);
    if (status != MOTE_OK) return status;
    walls->rows = step->rows;
    sph_for_places(step, thicken);
    return MOTE_OK;
}

/* ---- what colliders get ---- */

/* Loads are sums over the places of a rod in their order, and over rods as integers (space/rods.h),
 * for each worker by itself. Bricks have no sums of their own: few rods are at walls, and each
 * meets few of the colliders. */
typedef struct LoadWork {
    SphStep *step;
    WallPush *push;           /* or NULL: there is no pressure to be found */
    bool rub;                 /* there is friction */
    mote_real *const *rubbed; /* velocities that friction with walls left; NULL: to be found */
    bool load;                /* colliders get the pressure */
    WallHeat *heat;           /* or NULL: what they get of it */
    const Walls *drawing;     /* or NULL: walls that draw the liquid */
    WallDraw *draw;           /* and how strongly */
    SphBody *then;            /* or NULL */
} LoadWork;

static WallLoad *touched_load(WorkerLoads *loads, uint32_t collider)
{
    WallLoad *load = &loads->of[collider];
    if (load->touched) return load;
    if (!load->used) *load = (WallLoad){.used = true};
    load->touched = true;
    loads->touched[loads->touched_count++] = collider;
    return load;
}

/* The host's mass times a change of its velocity at a place, taken from the collider. */
static void add_load(const SphStep *step, size_t i, const WallShare *share, mote_Vec3 change,
                     WorkerLoads *loads)
{
    WallLoad *load = touched_load(loads, share->collider);
    const double m = -(double)step->mass;
    const double p[3] = {m * (double)change.x, m * (double)change.y, m * (double)change.z};
    const double arm[3] = {(double)step->x[0][i] - (double)share->centre.x,
                           (double)step->x[1][i] - (double)share->centre.y,
                           (double)step->x[2][i] - (double)share->centre.z};
    for (int c = 0; c < 3; ++c) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        load->rod[c] += p[c];
        load->rod[3 + c] += arm[d] * p[e] - arm[e] * p[d];
        if (step->wall_force[c] != NULL) step->wall_force[c][i] -= (mote_real)p[c] / step->dt;
    }
}

/* ---- friction ---- */

mote_real sph_wall_viscosity(const SphStep *step, size_t i)
{
    const SphMember *host = &step->state->members[0];
    if (step->traits != NULL) return step->traits[i].walls;
    return host->wall_viscosity >= 0 ? host->wall_viscosity : host->viscosity;
}

static bool rubs_walls(const SphStep *step)
{
    return step->traits != NULL || sph_wall_viscosity(step, 0) > 0;
}

static mote_Vec3 velocity_along(const SphStep *step, size_t i)
{
    return wall_rubbed_on(vec3(step->v[0][i], step->v[1][i], step->v[2][i]),
                          vec3(step->a[0][i], step->a[1][i], step->a[2][i]), step->dt,
                          walls_gradient(&step->state->walls, i));
}

/* The velocity at the end of the sub-step, all walls together. */
static mote_Vec3 rubbed(const SphStep *step, size_t i)
{
    const Walls *walls = &step->state->walls;
    const mote_real nu = sph_wall_viscosity(step, i);
    mote_Vec3 v = velocity_along(step, i);
    mote_real sum = 1;
    FOR_WALL_SHARES (s, walls, i) {
        mote_real k = nu * s->drag * step->dt;
        v = vec3_madd(v, k, s->velocity), sum += k;
    }
    return vec3_scale(v, 1 / sum);
}

static mote_Vec3 end_velocity(const LoadWork *work, size_t i)
{
    mote_real *const *u = work->rubbed;
    return u != NULL ? vec3(u[0][i], u[1][i], u[2][i]) : rubbed(work->step, i);
}

/* What walls do at a velocity v at the end of the sub-step; added to step->a unless it is there. */
static void rub_place(const LoadWork *work, size_t i, mote_Vec3 v, WorkerLoads *loads)
{
    const SphStep *step = work->step;
    const Walls *walls = &step->state->walls;
    const mote_real nu = sph_wall_viscosity(step, i), added = work->rubbed == NULL ? 1 : 0;
    if (!(nu > 0)) return;
    FOR_WALL_SHARES (s, walls, i) {
        mote_Vec3 a = vec3_scale(vec3_sub(v, s->velocity), -nu * s->drag);
        step->a[0][i] += added * a.x, step->a[1][i] += added * a.y, step->a[2][i] += added * a.z;
        add_load(step, i, s, vec3_scale(a, step->dt / sph_light(step, i)), loads);
    }
}

/* ---- pressure ---- */

static void push_place(SphStep *step, size_t i, WallPush *push)
{
    step->wall_push[i] = push(step, i);
    const mote_real push_own = step->wall_push[i] * sph_light(step, i);
    mote_Vec3 a = vec3_scale(walls_gradient(&step->state->walls, i), -push_own);
    step->a[0][i] += a.x, step->a[1][i] += a.y, step->a[2][i] += a.z;
}

static void load_place(const SphStep *step, size_t i, WorkerLoads *loads)
{
    const Walls *walls = &step->state->walls;
    const mote_real by = -step->wall_push[i] * step->dt;
    if (by == 0) return;
    FOR_WALL_SHARES (s, walls, i) add_load(step, i, s, vec3_scale(s->gradient, by), loads);
}

static void heat_place(const LoadWork *work, size_t i, WorkerLoads *loads)
{
    const Walls *walls = &work->step->state->walls;
    FOR_WALL_SHARES (s, walls, i) {
        const double heat = work->heat(work->step, i, s);
        if (heat != 0) touched_load(loads, s->collider)->rod[LOAD_HEAT] += heat;
    }
}

typedef struct DrawWork {
    SphStep *step;
    const Walls *walls;
    WallDraw *draw;
} DrawWork;

static void draw_body(void *context, size_t begin, size_t end, int worker)
{
    const DrawWork *work = context;
    SphStep *step = work->step;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        FOR_WALL_SHARES (s, work->walls, i) {
            const mote_real by = work->draw(step, s) * sph_light(step, i);
            step->a[0][i] += by * s->gradient.x, step->a[1][i] += by * s->gradient.y;
            step->a[2][i] += by * s->gradient.z;
        }
}

void sph_draw_walls(SphStep *step, const Walls *walls, WallDraw *draw)
{
    enum { ROWS_PER_TASK = 256 };
    DrawWork work = {step, walls, draw};
    mote_parallel_for(step->outer->tasks, walls->rows, ROWS_PER_TASK, draw_body, &work);
}

static void load_drawn(const LoadWork *work, size_t i, WorkerLoads *loads)
{
    const SphStep *step = work->step;
    FOR_WALL_SHARES (s, work->drawing, i) {
        const mote_real by = work->draw(step, s) * step->dt;
        add_load(step, i, s, vec3_scale(s->gradient, by), loads);
    }
}

/* ---- all of it ---- */

static void meet_place(const LoadWork *work, size_t i, WorkerLoads *loads)
{
    SphStep *step = work->step;
    if (work->drawing != NULL) load_drawn(work, i, loads);
    if (step->state->walls.spans[i].count == 0) return;
    if (work->push != NULL) push_place(step, i, work->push);
    if (work->rub) rub_place(work, i, end_velocity(work, i), loads);
    if (work->load) load_place(step, i, loads);
    if (work->heat != NULL) heat_place(work, i, loads);
}

static void end_rod(WorkerLoads *loads)
{
    for (size_t i = 0; i < loads->touched_count; ++i) {
        WallLoad *load = &loads->of[loads->touched[i]];
        load->touched = false;
        for (int k = 0; k < LOAD_SUMS; ++k) {
            limbs_add(&load->all[k], load->rod[k]);
            load->rod[k] = 0;
        }
    }
    loads->touched_count = 0;
}

static void walls_body(void *context, size_t begin, size_t end, int worker)
{
    const LoadWork *work = context;
    SphStep *step = work->step;
    const uint32_t *first = step->rods.first;
    for (size_t rod = begin; rod < end; ++rod) {
        if (step->rods.kept != NULL && !step->rods.kept[rod]) continue; /* of ghosts */
        for (size_t i = first[rod]; i < first[rod + 1]; ++i)
            meet_place(work, i, &step->loads[worker]);
        end_rod(&step->loads[worker]);
    }
    if (work->then != NULL) work->then(step, first[begin], first[end], worker);
}

/* The workers' loads of a collider together. */
static void merge_loads(const SphStep *step, size_t workers, size_t collider)
{
    Limbs *all = step->load_sums + collider * LOAD_SUMS;
    for (int k = 0; k < LOAD_SUMS; ++k) all[k] = (Limbs){.odd = 0};
    for (size_t w = 0; w < workers; ++w) {
        const WallLoad *part = &step->loads[w].of[collider];
        for (int k = 0; k < LOAD_SUMS && part->used; ++k) limbs_merge(&all[k], &part->all[k]);
    }
}

void sph_add_load(mote_ColliderLoad *load, const Limbs sums[6])
{
    for (int c = 0; c < 3; ++c) {
        load->impulse[c] += limbs_value(&sums[c]);
        load->angular[c] += limbs_value(&sums[3 + c]);
    }
}

/* Those of all ranks, added to what the collider has of this sub-step. */
static void add_all(const SphStep *step, size_t collider)
{
    mote_ColliderLoad *load = &step->outer->loads[collider];
    const Limbs *all = step->load_sums + collider * LOAD_SUMS;
    sph_add_load(load, all);
    load->heat += limbs_value(&all[LOAD_HEAT]);
}

static void for_loads(SphStep *step, LoadWork *work)
{
    const size_t workers = (size_t)mote_tasks_workers(step->outer->tasks);
    const size_t colliders = step->outer->load_count;
    if (step->loads == NULL) return;
    for (size_t w = 0; w < workers; ++w)
        for (size_t k = 0; k < colliders; ++k)
            step->loads[w].of[k].used = step->loads[w].of[k].touched = false;
    rods_for(&step->rods, step->outer->tasks, walls_body, work);
    for (size_t k = 0; k < colliders; ++k) merge_loads(step, workers, k);
    ghosts_sum(step, step->load_sums, colliders * LOAD_SUMS);
    for (size_t k = 0; k < colliders; ++k) add_all(step, k);
}

static mote_Status take_push(SphStep *step, mote_Error *error)
{
    step->wall_push = sph_plane(step);
    return sph_agree(step, step->wall_push != NULL ? MOTE_OK : sph_no_memory(step, error), error);
}

mote_Status sph_push_walls(SphStep *step, WallPush *push, mote_Error *error)
{
    LoadWork work = {.step = step, .push = push};
    mote_Status status = take_push(step, error);
    if (status == MOTE_OK) for_loads(step, &work);
    return status;
}

void sph_rub_walls(SphStep *step)
{
    LoadWork work = {.step = step, .rub = rubs_walls(step)};
    if (work.rub) for_loads(step, &work);
}

void sph_load_friction(SphStep *step, mote_real *const v[3])
{
    LoadWork work = {.step = step, .rub = rubs_walls(step), .rubbed = v};
    if (work.rub) for_loads(step, &work);
}

void sph_load_walls(SphStep *step)
{
    LoadWork work = {.step = step, .load = true};
    for_loads(step, &work);
}

void sph_load_drawn(SphStep *step, const Walls *walls, WallDraw *draw)
{
    LoadWork work = {.step = step, .drawing = walls, .draw = draw};
    for_loads(step, &work);
}

void sph_heat_walls(SphStep *step, WallHeat *heat)
{
    LoadWork work = {.step = step, .heat = heat};
    for_loads(step, &work);
}

mote_Status sph_press_walls(SphStep *step, WallPush *push, SphBody *then, mote_Error *error)
{
    LoadWork work = {
        .step = step, .push = push, .rub = rubs_walls(step), .load = true, .then = then};
    mote_Status status = take_push(step, error);
    if (status != MOTE_OK) return status;
    if (step->loads != NULL)
        for_loads(step, &work);
    else
        sph_for_places(step, then);
    return MOTE_OK;
}

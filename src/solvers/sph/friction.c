/* Friction within liquids as thick as honey.
 *
 * Explicit friction is stable for sub-steps of h^2 / (8 nu) alone. Beyond that, velocities at the
 * end of the sub-step are looked for (Weiler et al. 2018):
 *
 *     (1 - dt L) v = v*,   L v_i = sum_j m nu_ij (v_j - v_i) - nu_w sum_w drag_w (v_i - w)
 *
 * with the pair terms of kernels/forces.c, which are symmetric, so that conjugate gradients do it.
 * v* has all other accelerations. They are taken without a preconditioner: L of a rigid motion is 0
 * for terms along pairs, so every residual is free of momentum and angular momentum, drop by drop,
 * and what comes out has that of v* to rounding, however early the iterations end. (Blocks of
 * Jacobi's would save some iterations, and give that away.) Where liquids differ in mass, m L is
 * what is symmetric: products are weighted with it. */
#include "solvers/sph/backend.h"
#include "solvers/sph/boundary.h"
#include "solvers/sph/ghosts.h"
#include "solvers/sph/gradients.h"

/* Planes by place: velocities u, residual r, way p, and A p, or before that L u. */
typedef struct Friction {
    SphStep *step;
    ForceInput input;
    Packet *packets;
    mote_Status status; /* of going over pairs */
    mote_Error *error;
    mote_real *u[3], *r[3], *p[3], *ap[3];
    mote_real *const *of; /* what L is taken of */
    mote_real *walls;     /* nu_w drag dt, of all walls together */
    Gradients gradients;
} Friction;

static bool take_planes(Friction *f)
{
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        f->u[c] = sph_plane(f->step), f->r[c] = sph_plane(f->step);
        f->p[c] = sph_plane(f->step), f->ap[c] = sph_plane(f->step);
        room = room && f->u[c] != NULL && f->r[c] != NULL && f->p[c] != NULL && f->ap[c] != NULL;
    }
    Arena *arena = f->step->outer->arena;
    f->walls = sph_plane(f->step);
    f->packets = arena_take(arena, (f->step->rows + 1) * sizeof *f->packets);
    f->gradients.sums = sph_rod_plane(f->step);
    return room && f->walls != NULL && f->packets != NULL && f->gradients.sums != NULL;
}

static double product(const Friction *f, size_t i, mote_real a, mote_real b)
{
    const Trait *traits = f->step->traits;
    return traits == NULL ? (double)a * (double)b : (double)a * (double)b / (double)traits[i].light;
}

/* v* into u and the packets, and the sum of its squares; drag of walls. */
static double start(void *context, size_t begin, size_t end)
{
    Friction *f = context;
    const SphStep *step = f->step;
    const Walls *walls = &step->state->walls;
    double sum = 0;
    for (size_t i = begin; i < end; ++i) {
        Packet *packet = &f->packets[i];
        *packet = (Packet){.inverse = 1 / step->density[i]};
        for (int c = 0; c < 3; ++c) {
            const bool used = !(step->flat && c == 2);
            packet->x[c] = used ? step->x[c][i] : 0;
            f->u[c][i] = used ? step->v[c][i] + step->dt * step->a[c][i] : 0;
            sum += product(f, i, f->u[c][i], f->u[c][i]);
        }
        f->walls[i] = walls_drag(walls, i) * sph_wall_viscosity(step, i) * step->dt;
    }
    return sum;
}

static void pack_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        for (int c = 0; c < 3; ++c) f->packets[i].v[c] = f->of[c][i], f->ap[c][i] = 0;
}

/* L of these planes without walls, into ap. */
static void apply(Friction *f, mote_real *const of[3])
{
    f->of = of;
    ghosts_share(f->step, of, 3);
    gradients_for_places(&f->gradients, pack_body);
    if (f->status == MOTE_OK) f->status = f->step->backend->forces(f->step, &f->input, f->error);
}

/* v* - A v* = dt (L v* + walls): the first residual and way. CG starts from v*, so that its
 * residual is b - A v* = dt L v* alone. */
static double first_residual(void *context, size_t begin, size_t end)
{
    Friction *f = context;
    const SphStep *step = f->step;
    double sum = 0;
    for (size_t i = begin; i < end; ++i) {
        const mote_Vec3 pull = walls_pull(&step->state->walls, i);
        const mote_real by_walls[3] = {pull.x, pull.y, step->flat ? 0 : pull.z};
        const mote_real nu = sph_wall_viscosity(step, i);
        for (int c = 0; c < 3; ++c) {
            const mote_real wall = step->dt * nu * by_walls[c] - f->walls[i] * f->u[c][i];
            f->p[c][i] = f->r[c][i] = step->dt * f->ap[c][i] + wall;
            sum += product(f, i, f->r[c][i], f->r[c][i]);
        }
    }
    return sum;
}

/* A p = p - dt L p, and p.A p. */
static double answer(void *context, size_t begin, size_t end)
{
    Friction *f = context;
    double sum = 0;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) {
            const mote_real p = f->p[c][i];
            f->ap[c][i] = p + f->walls[i] * p - f->step->dt * f->ap[c][i];
            sum += product(f, i, p, f->ap[c][i]);
        }
    return sum;
}

static double advance(void *context, size_t begin, size_t end)
{
    Friction *f = context;
    const mote_real along = f->gradients.along;
    double sum = 0;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) {
            f->u[c][i] += along * f->p[c][i];
            const mote_real r = f->r[c][i] -= along * f->ap[c][i];
            sum += product(f, i, r, r);
        }
    return sum;
}

static void turn_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    const mote_real forward = f->gradients.forward;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) f->p[c][i] = f->r[c][i] + forward * f->p[c][i];
}

static void apply_to_way(void *context)
{
    Friction *f = context;
    apply(f, f->p);
}

/* Velocities with friction, into u. */
static void find_velocities(Friction *f)
{
    const mote_LaminarViscosity *laminar = sph_laminar(f->step->state);
    Gradients *g = &f->gradients;
    const double error = (double)laminar->viscosity_error;
    const double goal = error * error * gradients_sum(g, start);
    apply(f, f->u);
    const double left = gradients_sum(g, first_residual);
    gradients_solve(g, left, goal, laminar->viscosity_iterations);
}

static void finish_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    const SphStep *step = f->step;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i)
            step->a[c][i] = (f->u[c][i] - step->v[c][i]) / step->dt;
}

mote_Status sph_rub(SphStep *step, mote_Error *error)
{
    if (!sph_friction_is_implicit(step)) {
        sph_rub_walls(step);
        return MOTE_OK;
    }
    PairTerms terms = {.sound = 0};
    sph_add_laminar(step, &terms);
    Friction f = {.step = step, .error = error};
    f.gradients = (Gradients){.step = step,
                              .context = &f,
                              .apply = apply_to_way,
                              .answer = answer,
                              .advance = advance,
                              .turn = turn_body};
    const mote_Status status =
        sph_agree(step, take_planes(&f) ? MOTE_OK : sph_no_memory(step, error), error);
    if (status != MOTE_OK) return status;
    f.input = sph_force_input(step, &terms, f.packets);
    for (int c = 0; c < 3; ++c) f.input.a[c] = f.ap[c];
    find_velocities(&f);
    gradients_for_places(&f.gradients, finish_body);
    sph_load_friction(step, f.u);
    return f.status;
}

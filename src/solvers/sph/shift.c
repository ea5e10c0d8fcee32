/* Particle shifting: particles drift from where they are crowded to where they are not, so that
 * they do not line up and clump where a flow stretches them. With C the share of the kernel that is
 * filled, H the support and U the largest speed of now,
 *
 *     drift = -2 s H U grad C, at most U / 2, and 2 s H U at most H^2 / (16 dt),
 *
 * so that it stays calm in long sub-steps; near a surface or a wall along it alone, so that the
 * liquid keeps its form and its layers, and in spray not at all. Positions move by it, velocities
 * do not change.
 *
 * References: Lind, Xu, Stansby and Rogers 2012; Sun, Colagrossi, Marrone and Zhang 2017. */
#include "solvers/sph/sph.h"

#include "base/loop.h"
#include "base/vec.h"
#include "solvers/sph/backend.h"
#include "solvers/sph/ghosts.h"
#include "solvers/sph/kernels.h"

ISA_KERNELS(shift_kernels, ShiftKernels, shift_table)

/* Filled shares: below the first a particle is spray, above the second in the liquid. */
#define IN_SPRAY  ((mote_real)0.4)
#define IN_LIQUID ((mote_real)0.97)

typedef struct ShiftWork {
    SphStep *step;
    const ShiftKernels *kernels; /* NULL: the sums are there */
    ShiftInput input;
    ShiftPacket *packets;
    mote_real strength; /* 2 s H U, m^2/s */
    mote_real most;     /* m/s */
    mote_real *drift[3];
} ShiftWork;

static void pack_body(void *context, size_t begin, size_t end, int worker)
{
    const ShiftWork *work = context;
    const SphStep *step = work->step;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        work->packets[i] =
            (ShiftPacket){.x = {step->x[0][i], step->x[1][i], step->flat ? 0 : step->x[2][i]},
                          .fill = step->fill[i]};
}

/* Along a wall alone: across it densities say where layers are. */
static mote_Vec3 beside_wall(mote_Vec3 drift, mote_Vec3 wall)
{
    mote_Vec3 n = vec3_unit(wall, vec3(0, 0, 0));
    return vec3_madd(drift, -vec3_dot(drift, n), n);
}

/* Near the surface along it alone. */
static mote_Vec3 beside_surface(mote_Vec3 drift, mote_Vec3 outward, mote_real fill)
{
    if (fill >= IN_LIQUID) return drift;
    if (fill <= IN_SPRAY) return vec3(0, 0, 0);
    mote_Vec3 n = vec3_unit(outward, vec3(0, 0, 0));
    return vec3_madd(drift, -vec3_dot(drift, n), n);
}

/* Fick's law: a flux down the gradient of the filled share (Lind et al. 2012). */
static void drift_body(void *context, size_t begin, size_t end, int worker)
{
    const ShiftWork *work = context;
    const SphStep *step = work->step;
    mote_real *const *crowd = work->input.crowd, *const *outward = work->input.outward;
    (void)worker;
    if (work->kernels != NULL) work->kernels->crowd(&work->input, begin, end);
    for (size_t i = begin; i < end; ++i) {
        mote_Vec3 g = vec3(crowd[0][i], crowd[1][i], crowd[2][i]);
        mote_Vec3 drift =
            beside_wall(vec3_scale(g, -work->strength), walls_gradient(&step->state->walls, i));
        mote_real speed = vec3_length(drift);
        if (speed > work->most) drift = vec3_scale(drift, work->most / speed);
        drift =
            beside_surface(drift, vec3(outward[0][i], outward[1][i], outward[2][i]), step->fill[i]);
        const mote_real by[3] = {drift.x, drift.y, drift.z};
        for (int c = 0; c < 3; ++c) work->drift[c][i] += by[c];
    }
}

static mote_real largest_speed(const SphStep *step)
{
    mote_real most = 0;
    for (size_t i = 0; i < step->rows; ++i) {
        mote_real square = 0;
        if (!ghosts_own(step, i)) continue;
        for (int c = 0; c < 3; ++c) square += step->v[c][i] * step->v[c][i];
        most = square > most ? square : most;
    }
    double all = (double)most;
    ghosts_most(step, &all, 1);
    return REAL_SQRT((mote_real)all);
}

static ShiftInput make_input(const SphStep *step, const ShiftPacket *packets)
{
    double d = (double)step->params->spacing;
    double usual = smoothing_value(step->state->smoothing, step->flat ? 2 : 3,
                                   (double)step->kernel.support, d);
    ShiftInput input = {.packets = packets,
                        .lists = step->lists,
                        .law = {.inverse = step->kernel.inverse,
                                .value_scale = step->kernel.value_scale,
                                .slope_scale = step->kernel.slope_scale,
                                .volume = step->mass / step->rest_density,
                                .usual = (mote_real)(usual > 0 ? 1 / usual : 0),
                                .value_kind = (uint32_t)step->kernel.kind,
                                .slope_kind = (uint32_t)step->kernel.gradient_kind}};
    for (int c = 0; c < 3; ++c) input.law.period[c] = step->period[c];
    return input;
}

/* Planes for the sums, and the drift, which starts as what there is. */
static bool take_planes(ShiftWork *work)
{
    SphStep *step = work->step;
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        work->input.crowd[c] = sph_plane(step);
        work->input.outward[c] = sph_plane(step);
        work->drift[c] = step->move[c] != NULL ? step->move[c] : sph_plane(step);
        room = room && work->input.crowd[c] != NULL && work->input.outward[c] != NULL &&
               work->drift[c] != NULL;
        for (size_t i = 0; room && step->move[c] == NULL && i < step->rows; ++i)
            work->drift[c][i] = 0;
    }
    for (int c = 0; c < 3 && room; ++c) step->move[c] = work->drift[c];
    return room;
}

mote_Status sph_shift(SphStep *step, mote_Error *error)
{
    ShiftWork work = {.step = step, .kernels = shift_kernels(step->outer->isa)};
    mote_real speed = largest_speed(step);
    work.packets = arena_take(step->outer->arena, (step->rows + 1) * sizeof *work.packets);
    work.input = make_input(step, work.packets);
    const bool room = work.packets != NULL && take_planes(&work);
    mote_Status status = sph_agree(step, room ? MOTE_OK : sph_no_memory(step, error), error);
    if (status != MOTE_OK) return status;
    mote_real support = step->kernel.support, calm = support * support / (16 * step->dt);
    work.strength = 2 * step->params->shifting * support * speed;
    if (work.strength > calm) work.strength = calm;
    work.most = speed / 2;
    mote_parallel_for(step->outer->tasks, step->rows, 4096, pack_body, &work);
    if (step->backend->crowd != NULL) {
        bool done = false;
        status = step->backend->crowd(step, &work.input, &done, error);
        if (status != MOTE_OK) return status;
        if (done) work.kernels = NULL;
    }
    ghosts_for_own(step, drift_body, &work);
    return MOTE_OK;
}

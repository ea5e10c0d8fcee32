/* Turning bodies: the flow they drag along, and the side force on them when they move.
 *
 * A ball of radius R that turns with W drags the fluid along when viscosity has had time: u = W x r
 * inside and W x r (R / r)^3 outside (Stokes 1851), which is what a linear core of radius R and
 * strength 4 pi R^3 W induces. Other bodies do as a ball of their turning radius. In two dimensions
 * it is a cylinder, u = W x r (R / r)^2 outside, by a disc of strength 2 pi R^2 W. */
#include "solvers/vortex/spins.h"

#include "geometry/posed.h"
#include "solvers/vortex/sheets.h"

/* Radius of the ball that has the body's radius of gyration about the axis of its turning: the ball
 * itself for a ball, about what is swept over for a plate. Of a ball k^2 = 2/5 R^2. */
static double turning_radius(const Collider *collider, const ShapeMeasure *measure)
{
    mote_Vec3 axis = pose_rotate_back(&collider->pose, vec3_unit(collider->angular, vec3(0, 1, 0)));
    const double n[3] = {(double)axis.x, (double)axis.y, (double)axis.z};
    double inertia = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) inertia += n[i] * measure->inertia[i][j] * n[j];
    return __builtin_sqrt(2.5 * inertia / measure->volume);
}

static bool spin_of(const Collider *collider, bool flat, mote_real source[SOURCE_PLANES])
{
    mote_Vec3 w = flat ? vec3(0, 0, collider->angular.z) : collider->angular;
    ShapeMeasure measure;
    if (!(vec3_length(w) > 0) || collider->shape->measure == NULL) return false;
    collider->shape->measure(collider->object.params, &measure);
    if (!(measure.volume > 0)) return false;
    mote_Vec3 centre = vec3((mote_real)measure.centre[0], (mote_real)measure.centre[1],
                            (mote_real)measure.centre[2]);
    double radius = turning_radius(collider, &measure), square = radius * radius;
    double volume = flat ? 6.283185307179586 * square : 12.566370614359172 * radius * square;
    mote_Vec3 x = pose_apply(&collider->pose, centre), strength = vec3_scale(w, (mote_real)volume);
    if (flat) x.z = 0;
    const mote_real values[SOURCE_PLANES] = {
        x.x, x.y, x.z, strength.x, strength.y, strength.z, (mote_real)square};
    for (int p = 0; p < SOURCE_PLANES; ++p) source[p] = values[p];
    return true;
}

/* The vortons beyond two radii of turning body `own`, into planes: nearer ones are its layer, which
 * goes with it. Its layer moves with the body: with it u would be U, and no force be left. */
static Sources far_vortons(const VortexWork *work, const VortonRows *rows, size_t own,
                           mote_real *const planes[SOURCE_PLANES])
{
    const mote_real *const *spin = work->spins.plane;
    Sources far = {.count = 0};
    for (size_t i = 0; i < rows->count; ++i) {
        mote_real d2 = 0;
        for (int c = 0; c < 3; ++c) {
            mote_real d = rows->x[c][i] - spin[SOURCE_X + c][own];
            d2 += d * d;
            planes[SOURCE_X + c][far.count] = rows->x[c][i];
            planes[SOURCE_ALPHA + c][far.count] = rows->strength[c][i];
        }
        planes[SOURCE_CORE2][far.count] = rows->radius[i] * rows->radius[i];
        far.count += d2 > 4 * spin[SOURCE_CORE2][own];
    }
    for (int k = 0; k < SOURCE_PLANES; ++k) far.plane[k] = planes[k];
    return far;
}

static const CoreRow *turning_core(const VortexWork *work)
{
    return core_row_of(work->isa, CORE_LINEAR, work->flat);
}

/* Adds what some of the turning bodies induce. */
static void add_bodies(const VortexWork *work, Sources bodies, const mote_real *const x[3],
                       size_t count, mote_real *const out[3])
{
    InduceJob job = velocity_job(bodies, x, count, out);
    turning_core(work)->velocity(&job);
}

/* The velocity of the fluid that turning body `own` is in: the sum itself, since a body is about as
 * large as a cell of the grid. */
static mote_Vec3 velocity_around(const VortexWork *work, const Sources *far, size_t own)
{
    const Sources *spins = &work->spins;
    const mote_real *const *x = &spins->plane[SOURCE_X];
    const mote_real *const at[3] = {x[0] + own, x[1] + own, x[2] + own};
    mote_real u[3] = {0}, *const out[3] = {&u[0], &u[1], &u[2]};
    InduceJob job = velocity_job(*far, at, 1, out);
    work->core->velocity(&job);
    for (size_t k = 0; k < spins->count; ++k)
        if (k != own) add_bodies(work, sources_part(spins, k, 1), at, 1, out);
    return vec3_add(vec3(u[0], u[1], u[2]), work->params->wind);
}

/* The side force on a body of bound strength a that moves with U through fluid that moves with u:
 * rho a x (U - u) / 4, which for a ball is pi rho R^3 W x U (Rubinow and Keller, JFM 11, 1961). Of
 * the vorticity that it sheds the turn itself is no part, and tracers' impacts would push the other
 * way, as in rarefied gas. */
bool push_sideways(const SolverStep *step, const VortexWork *work, const VortonRows *rows)
{
    const Sources *spins = &work->spins;
    mote_real *planes[SOURCE_PLANES];
    if (spins->count == 0) return true;
    for (int k = 0; k < SOURCE_PLANES; ++k) {
        planes[k] = arena_take(step->arena, (rows->count + 1) * sizeof *planes[k]);
        if (planes[k] == NULL) return false;
    }
    for (size_t k = 0; k < spins->count; ++k) {
        const Collider *collider = work->turning[k];
        const mote_real *const *a = &spins->plane[SOURCE_ALPHA];
        Sources far = far_vortons(work, rows, k, planes);
        mote_Vec3 through = vec3_sub(collider->linear, velocity_around(work, &far, k));
        mote_real share = work->flat ? 1 : (mote_real)0.25; /* flat: Kutta's and Joukowski's */
        mote_real scale = work->params->magnus * work->params->density * share * work->dt;
        mote_Vec3 impulse = vec3_scale(vec3_cross(vec3(a[0][k], a[1][k], a[2][k]), through), scale);
        mote_ColliderLoad *load = &step->loads[collider->number];
        load->impulse[0] += (double)impulse.x;
        load->impulse[1] += (double)impulse.y;
        load->impulse[2] += (double)impulse.z;
    }
    return true;
}

bool find_spins(const SolverStep *step, VortexWork *work)
{
    const Broad *walls = step->walls[0];
    size_t most = walls != NULL ? walls->count : 0;
    mote_real *planes = arena_take(step->arena, (most + 1) * SOURCE_PLANES * sizeof *planes);
    mote_real source[SOURCE_PLANES];
    Sources *spins = &work->spins;
    *spins = (Sources){.count = 0};
    work->turning = arena_take(step->arena, (most + 1) * sizeof *work->turning);
    if (planes == NULL || work->turning == NULL) return false;
    for (int p = 0; p < SOURCE_PLANES; ++p) spins->plane[p] = planes + (size_t)p * (most + 1);
    for (size_t k = 0; k < most; ++k) {
        if (sheets_feel_turn(work, walls->colliders[k])) continue;
        if (!spin_of(walls->colliders[k], work->flat, source)) continue;
        for (int p = 0; p < SOURCE_PLANES; ++p)
            planes[(size_t)p * (most + 1) + spins->count] = source[p];
        work->turning[spins->count++] = walls->colliders[k];
    }
    return true;
}

void add_spins(const VortexWork *work, const mote_real *const x[3], size_t count,
               mote_real *const out[3])
{
    if (work->spins.count > 0) add_bodies(work, work->spins, x, count, out);
}

/* The force of the turn is push_sideways', as a whole: a body's layer is not carried. */
void carry_vortons(const VortexWork *work, const mote_real *const x[3], size_t count,
                   mote_real *const out[3])
{
    if (work->spins.count == 0) return;
    InduceJob job = velocity_job(work->spins, x, count, out);
    turning_core(work)->carry(&job);
}

mote_Vec3 spins_between(const VortexWork *work, mote_Vec3 x, mote_Vec3 point)
{
    mote_Vec3 carried = vec3(0, 0, 0), u;
    carry_vortons(work, (const mote_real *[]){&x.x, &x.y, &x.z}, 1,
                  (mote_real *[]){&carried.x, &carried.y, &carried.z});
    u = vec3_scale(carried, -1);
    for (size_t k = 0; k < work->spins.count; ++k) {
        mote_Vec3 before = vec3_sub(point, work->turning[k]->change.linear), v = vec3(0, 0, 0);
        add_bodies(work, sources_part(&work->spins, k, 1),
                   (const mote_real *[]){&before.x, &before.y, &before.z}, 1,
                   (mote_real *[]){&v.x, &v.y, &v.z});
        u = vec3_add(u, v);
    }
    return u;
}

/* A spring with a damper towards a point, which may be carried by a collider or a body: m a = -k
 * (|d|
 * - L) n - c (v - u), d = x - point, n = d / |d|, u the point's velocity; energy k (|d| - L)^2 / 2.
 *
 * The damper acts in all directions, not along the spring alone: so a particle that passes through
 * the point, where a spring of no length has no direction, is damped all the way. */
#include "base/loop.h"
#include "base/row.h"
#include "forces/force.h"

static const char *const collider_kind[] = {"collider", NULL};

static const mote_Param params[] = {
    PARAM_REAL(mote_SpringToForce, stiffness, "N/m", "of the spring", 1, 0, PARAM_LARGEST),
    PARAM_REAL(mote_SpringToForce, damping, "kg/s",
               "force per speed against motion relative to the point", 0, 0, PARAM_LARGEST),
    PARAM_REAL(mote_SpringToForce, rest, "m", "length at which the spring does not pull", 0, 0,
               PARAM_LARGEST),
    PARAM_VEC3(mote_SpringToForce, point, "m",
               "the other end of the spring; with `to`, in the frame of its shape", 0, 0, 0),
    PARAM_NAME(mote_SpringToForce, to, "collider or body that carries the point", collider_kind),
};

/* |d|, never zero: at the very point, the spring has no direction and does not pull. */
static inline mote_real spring_length(mote_real dx, mote_real dy, mote_real dz)
{
    const mote_real least = (mote_real)1e-18, square = dx * dx + dy * dy + dz * dz;
    return REAL_SQRT(square > least * least ? square : least * least);
}

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const mote_SpringToForce *p = force->object.params;
    const ForcePoint to = force_point(force, p->point, t);
    const mote_Vec3 c = to.at, u = to.velocity;
    const mote_real stiffness = p->stiffness, damping = p->damping, rest = p->rest;
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    const mote_real *vx = r->v[0], *vy = r->v[1], *vz = r->v[2];
    mote_real *ax = a[0], *ay = a[1], *az = a[2];
    FOR_ROWS (i, r->count) {
        mote_real dx = x[i] - c.x, dy = y[i] - c.y, dz = z[i] - c.z, share = 1 / mass[i];
        mote_real pull = share * stiffness * (1 - rest / spring_length(dx, dy, dz));
        mote_real slow = share * damping;
        ax[i] -= pull * dx + slow * (vx[i] - u.x);
        ay[i] -= pull * dy + slow * (vy[i] - u.y);
        az[i] -= pull * dz + slow * (vz[i] - u.z);
    }
}

static void potential(const Force *force, const Range *r, double t, mote_real *energy)
{
    const mote_SpringToForce *p = force->object.params;
    const mote_Vec3 c = force_point(force, p->point, t).at;
    const mote_real half = p->stiffness / 2, rest = p->rest;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    FOR_ROWS (i, r->count) {
        mote_real stretch = spring_length(x[i] - c.x, y[i] - c.y, z[i] - c.z) - rest;
        energy[i] += half * stretch * stretch;
    }
}

/* m -da/dx = k [(1 - L / |d|) I + (L / |d|) n n^T], m -da/dv = c I. What a compressed spring does
 * across its direction is left out, as for links: it makes the matrix indefinite. */
static void derivative(const Force *force, const Range *r, double t, const mote_real by[2],
                       mote_real *const j[FORCE_DERIVATIVE_PLANES])
{
    const mote_SpringToForce *p = force->object.params;
    const mote_Vec3 c = force_point(force, p->point, t).at;
    const mote_real k = by[0] * p->stiffness, damping = by[1] * p->damping, rest = p->rest;
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    mote_real *xx = j[0], *yy = j[1], *zz = j[2], *yz = j[3], *xz = j[4], *xy = j[5];
    FOR_ROWS (i, r->count) {
        mote_real nx = x[i] - c.x, ny = y[i] - c.y, nz = z[i] - c.z, share = 1 / mass[i];
        mote_real length = spring_length(nx, ny, nz), across = 1 - rest / length;
        nx /= length, ny /= length, nz /= length;
        across = real_pick(across > 0, across, 0);
        mote_real along = share * k * (1 - across), all = share * (k * across + damping);
        xx[i] += all + along * nx * nx, yy[i] += all + along * ny * ny;
        zz[i] += all + along * nz * nz;
        yz[i] += along * ny * nz, xz[i] += along * nx * nz, xy[i] += along * nx * ny;
    }
}

const ForceRow ISA(force_spring_to) = {
    .head = ROW_HEAD("spring-to", "a damped spring towards a point that may move", params,
                     mote_SpringToForce),
    .uses_velocity = true,
    FORCE_CALLBACKS,
};

/* The loops over links and triangles: see links/kernel.h. */
#include "links/kernel.h"

/* ---- the formula of one link ---- */

/* From one end to the other. */
typedef struct Stretch {
    mote_real dx, dy, dz; /* m */
    mote_real length, inverse;
} Stretch;

/* The nearest image along a periodic axis; positions lie inside the box. */
INLINE mote_real nearest(mote_real d, mote_real period, mote_real half)
{
    d -= d > half ? period : 0;
    return d + (d < -half ? period : 0);
}

/* The length is never zero: ends at the same place then have d = 0 times something finite. 1e-36 is
 * a square that a float still holds. */
INLINE Stretch stretch_of(const LinkView *view, const LinkSegment *s, size_t k, bool periodic)
{
    const mote_real least = (mote_real)1e-36;
    mote_real dx = view->x[0][s->other + k] - view->x[0][s->own + k];
    mote_real dy = view->x[1][s->other + k] - view->x[1][s->own + k];
    mote_real dz = view->x[2][s->other + k] - view->x[2][s->own + k];
    if (periodic) {
        dx = nearest(dx, view->period[0], view->half[0]);
        dy = nearest(dy, view->period[1], view->half[1]);
        dz = nearest(dz, view->period[2], view->half[2]);
    }
    mote_real square = dx * dx + dy * dy + dz * dz;
    mote_real length = REAL_SQRT(square > least ? square : least);
    return (Stretch){dx, dy, dz, length, 1 / length};
}

/* ---- forces, energy and breaking ---- */

/* f += [k (l - r) + c (w . d) / l] factor d / l. d from this end to the other, l its length, r the
 * length at rest, w the relative velocity. */
INLINE void pull_segment(const LinkView *view, const LinkSegment *s, size_t first,
                         mote_real *const f[3], bool damped, bool periodic)
{
    const mote_real stiffness = view->stiffness, damping = view->damping;
    const mote_real *factor = view->factor + s->link, *rest = view->rest + s->link;
    const mote_real *vx = view->v[0], *vy = view->v[1], *vz = view->v[2];
    mote_real *fx = f[0] + (s->own - first), *fy = f[1] + (s->own - first);
    mote_real *fz = f[2] + (s->own - first);
    const size_t a = s->own, b = s->other;
    FOR_ROWS (k, s->count) {
        Stretch d = stretch_of(view, s, k, periodic);
        mote_real tension = stiffness * (d.length - rest[k]);
        if (damped) {
            mote_real rate = (vx[b + k] - vx[a + k]) * d.dx + (vy[b + k] - vy[a + k]) * d.dy +
                             (vz[b + k] - vz[a + k]) * d.dz;
            tension += damping * (rate * d.inverse);
        }
        mote_real pull = tension * d.inverse * factor[k];
        fx[k] += pull * d.dx, fy[k] += pull * d.dy, fz[k] += pull * d.dz;
    }
}

static void link_pull(const LinkView *view, const LinkSegment *segments, size_t count, size_t first,
                      mote_real *const f[3])
{
    const bool damped = view->damping != 0;
    for (const LinkSegment *s = segments; s < segments + count; ++s) {
        if (view->periodic)
            pull_segment(view, s, first, f, true, true);
        else if (damped)
            pull_segment(view, s, first, f, true, false);
        else
            pull_segment(view, s, first, f, false, false);
    }
}

/* k factor (l - r)^2 / 2, in eight sums. */
static double link_energy(const LinkView *view, const LinkSegment *segments, size_t count)
{
    double lanes[8] = {0};
    for (const LinkSegment *s = segments; s < segments + count; ++s)
        for (size_t k = 0; k < s->count; ++k) {
            Stretch d = stretch_of(view, s, k, view->periodic);
            double longer = (double)(d.length - view->rest[s->link + k]);
            lanes[k % 8] +=
                0.5 * (double)(view->stiffness * view->factor[s->link + k]) * longer * longer;
        }
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
           ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/* l > (1 + limit) r; links without a rest length have no strain. */
static size_t link_snap(const LinkView *view, mote_real limit, const LinkSegment *segments,
                        size_t count, uint8_t *broken)
{
    size_t found = 0;
    for (const LinkSegment *s = segments; s < segments + count; ++s)
        for (size_t k = 0; k < s->count; ++k) {
            mote_real rest = view->rest[s->link + k];
            Stretch d = stretch_of(view, s, k, view->periodic);
            bool breaks =
                rest > 0 && d.length > (1 + limit) * rest && broken[s->link + k] == LINK_WHOLE;
            if (breaks) broken[s->link + k] = LINK_BREAKS;
            found += breaks;
        }
    return found;
}

/* The derivative of the links' forces. With u = d / l, a spring's is k [u u^T + (1 - r / l)(I - u
 * u^T)]: its second part turns negative when the spring is compressed, and then conjugate gradients
 * fail; clamping it at zero keeps the matrix definite (Choi and Ko, "Stable but responsive cloth",
 * SIGGRAPH 2002). Damping adds c u u^T. Per link this is g I + b b^T. */

/* by[0] = by_x, by[1] = by_v. */
INLINE void linearise_segment(const LinkView *view, const mote_real by[2], const LinkSegment *s,
                              mote_real *const derivative[LINK_DERIVATIVE_PLANES], bool periodic)
{
    const mote_real stiffness = by[0] * view->stiffness, damping = by[1] * view->damping;
    const mote_real *factor = view->factor + s->link, *rest = view->rest + s->link;
    mote_real *g = derivative[0] + s->link, *bx = derivative[1] + s->link;
    mote_real *by_ = derivative[2] + s->link, *bz = derivative[3] + s->link;
    FOR_ROWS (k, s->count) {
        Stretch d = stretch_of(view, s, k, periodic);
        mote_real across = 1 - rest[k] * d.inverse;
        across = across > 0 ? across : 0;
        mote_real along = REAL_SQRT((stiffness * (1 - across) + damping) * factor[k]) * d.inverse;
        g[k] = stiffness * across * factor[k];
        bx[k] = along * d.dx, by_[k] = along * d.dy, bz[k] = along * d.dz;
    }
}

static void link_linearise(const LinkView *view, const mote_real by[2], const LinkSegment *segments,
                           size_t count, mote_real *const derivative[LINK_DERIVATIVE_PLANES])
{
    for (const LinkSegment *s = segments; s < segments + count; ++s) {
        if (view->periodic)
            linearise_segment(view, by, s, derivative, true);
        else
            linearise_segment(view, by, s, derivative, false);
    }
}

static void link_diagonal(mote_real *const derivative[LINK_DERIVATIVE_PLANES],
                          const LinkSegment *segments, size_t count, size_t first,
                          mote_real *const d[SYMMETRIC_PLANES])
{
    for (const LinkSegment *s = segments; s < segments + count; ++s) {
        const mote_real *g = derivative[0] + s->link, *bx = derivative[1] + s->link;
        const mote_real *by = derivative[2] + s->link, *bz = derivative[3] + s->link;
        const size_t at = s->own - first;
        mote_real *xx = d[0] + at, *yy = d[1] + at, *zz = d[2] + at;
        mote_real *yz = d[3] + at, *xz = d[4] + at, *xy = d[5] + at;
        FOR_ROWS (k, s->count) {
            xx[k] += g[k] + bx[k] * bx[k], yy[k] += g[k] + by[k] * by[k];
            zz[k] += g[k] + bz[k] * bz[k], yz[k] += by[k] * bz[k];
            xz[k] += bx[k] * bz[k], xy[k] += bx[k] * by[k];
        }
    }
}

/* q += g (p_own - p_other) + b (b . (p_own - p_other)). A p of conjugate gradients without a
 * matrix: 3 x 3 blocks of a link are g I + b b', of the other sign between its ends. */
static void link_times(mote_real *const derivative[LINK_DERIVATIVE_PLANES],
                       const LinkSegment *segments, size_t count, size_t first,
                       mote_real *const p[3], mote_real *const q[3])
{
    const mote_real *px = p[0], *py = p[1], *pz = p[2];
    for (const LinkSegment *s = segments; s < segments + count; ++s) {
        const mote_real *g = derivative[0] + s->link, *bx = derivative[1] + s->link;
        const mote_real *by = derivative[2] + s->link, *bz = derivative[3] + s->link;
        const size_t a = s->own, b = s->other;
        mote_real *qx = q[0] + (a - first), *qy = q[1] + (a - first), *qz = q[2] + (a - first);
        FOR_ROWS (k, s->count) {
            mote_real dx = px[a + k] - px[b + k], dy = py[a + k] - py[b + k];
            mote_real dz = pz[a + k] - pz[b + k];
            mote_real along = bx[k] * dx + by[k] * dy + bz[k] * dz;
            qx[k] += g[k] * dx + bx[k] * along;
            qy[k] += g[k] * dy + by[k] * along;
            qz[k] += g[k] * dz + bz[k] * along;
        }
    }
}

/* Wind on triangles: with the area vector N = (b - a) x (c - a) / 2 and the mean wind u relative to
 * the corners, the force is air |u . N| (u . N) N / |N|^2, a third of it on each corner. Turning
 * the triangle over changes nothing. */

typedef struct Gust {
    mote_real nx, ny, nz; /* N, m^2 */
    mote_real flow;       /* u . N, m^3/s */
    mote_real strength;   /* air |u . N| / |N|^2 */
} Gust;

/* Newton's law of resistance, air |u_n| u_n A along the normal. */
INLINE Gust gust_of(const AirView *view, const TriangleSegment *s, size_t k)
{
    const mote_real least = (mote_real)1e-36, half = (mote_real)0.5, third = (mote_real)(1.0 / 3);
    const mote_real *x = view->x[0], *y = view->x[1], *z = view->x[2];
    const mote_real *ux = view->u[0], *uy = view->u[1], *uz = view->u[2];
    const size_t a = s->own + k, b = s->next + k, c = s->last + k;
    mote_real px = x[b] - x[a], py = y[b] - y[a], pz = z[b] - z[a];
    mote_real qx = x[c] - x[a], qy = y[c] - y[a], qz = z[c] - z[a];
    mote_real nx = half * (py * qz - pz * qy), ny = half * (pz * qx - px * qz);
    mote_real nz = half * (px * qy - py * qx);
    mote_real square = nx * nx + ny * ny + nz * nz;
    mote_real flow = third * ((ux[a] + ux[b] + ux[c]) * nx + (uy[a] + uy[b] + uy[c]) * ny +
                              (uz[a] + uz[b] + uz[c]) * nz);
    mote_real strength = view->air * REAL_ABS(flow) / (square > least ? square : least);
    return (Gust){nx, ny, nz, flow, strength};
}

static void link_press(const AirView *view, const TriangleSegment *segments, size_t count,
                       size_t first, mote_real *const f[3])
{
    const mote_real third = (mote_real)(1.0 / 3);
    for (size_t i = 0; i < count; ++i) {
        const TriangleSegment *s = &segments[i];
        mote_real *fx = f[0] + (s->own - first), *fy = f[1] + (s->own - first);
        mote_real *fz = f[2] + (s->own - first);
        FOR_ROWS (k, s->count) {
            Gust g = gust_of(view, s, k);
            mote_real push = third * (g.strength * g.flow);
            fx[k] += push * g.nx, fy[k] += push * g.ny, fz[k] += push * g.nz;
        }
    }
}

/* -dF/dv = 2 air |u . N| N N^T / |N|^2, a third on each corner. */
static void link_press_diagonal(const AirView *view, mote_real by, const TriangleSegment *segments,
                                size_t count, size_t first, mote_real *const d[SYMMETRIC_PLANES])
{
    const mote_real share = by * (mote_real)(2.0 / 3);
    for (size_t i = 0; i < count; ++i) {
        const TriangleSegment *s = &segments[i];
        const size_t at = s->own - first;
        mote_real *xx = d[0] + at, *yy = d[1] + at, *zz = d[2] + at;
        mote_real *yz = d[3] + at, *xz = d[4] + at, *xy = d[5] + at;
        FOR_ROWS (k, s->count) {
            Gust g = gust_of(view, s, k);
            mote_real w = share * g.strength;
            xx[k] += w * g.nx * g.nx, yy[k] += w * g.ny * g.ny, zz[k] += w * g.nz * g.nz;
            yz[k] += w * g.ny * g.nz, xz[k] += w * g.nx * g.nz, xy[k] += w * g.nx * g.ny;
        }
    }
}

const LinkKernels ISA(links_table) = {
    .pull = link_pull,
    .energy = link_energy,
    .snap = link_snap,
    .linearise = link_linearise,
    .diagonal = link_diagonal,
    .times = link_times,
    .press = link_press,
    .press_diagonal = link_press_diagonal,
};

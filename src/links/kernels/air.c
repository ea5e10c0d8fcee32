/* Wind on triangles: with the area vector N = (b - a) x (c - a) / 2 and the mean wind u relative to
 * the corners, the force is air |u . N| (u . N) N / |N|^2, a third of it on each corner. Turning
 * the triangle over changes nothing. */
#include "links/kernels/spring.h"
#include "links/kernels/table.h"

typedef struct Gust {
    mote_real nx, ny, nz; /* N, m^2 */
    mote_real flow;       /* u . N, m^3/s */
    mote_real strength;   /* air |u . N| / |N|^2 */
} Gust;

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

void ISA(link_press)(const AirView *view, const TriangleSegment *segments, size_t count,
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
void ISA(link_press_diagonal)(const AirView *view, mote_real by, const TriangleSegment *segments,
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

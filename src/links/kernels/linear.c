/* The derivative of the links' forces. With u = d / l, a spring's is k [u u^T + (1 - r / l)(I - u
 * u^T)]: its second part turns negative when the spring is compressed, and then conjugate gradients
 * fail; clamping it at zero keeps the matrix definite (Choi and Ko, "Stable but responsive cloth",
 * SIGGRAPH 2002). Damping adds c u u^T. Per link this is g I + b b^T. */
#include "links/kernels/spring.h"
#include "links/kernels/table.h"

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

void ISA(link_linearise)(const LinkView *view, const mote_real by[2], const LinkSegment *segments,
                         size_t count, mote_real *const derivative[LINK_DERIVATIVE_PLANES])
{
    for (const LinkSegment *s = segments; s < segments + count; ++s) {
        if (view->periodic)
            linearise_segment(view, by, s, derivative, true);
        else
            linearise_segment(view, by, s, derivative, false);
    }
}

void ISA(link_diagonal)(mote_real *const derivative[LINK_DERIVATIVE_PLANES],
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

/* q += g (p_own - p_other) + b (b . (p_own - p_other)) */
void ISA(link_times)(mote_real *const derivative[LINK_DERIVATIVE_PLANES],
                     const LinkSegment *segments, size_t count, size_t first, mote_real *const p[3],
                     mote_real *const q[3])
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

/* Forces, energy and breaking of links. */
#include "links/kernels/spring.h"
#include "links/kernels/table.h"

/* f += [k (l - r) + c (w . d) / l] factor d / l */
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

void ISA(link_pull)(const LinkView *view, const LinkSegment *segments, size_t count, size_t first,
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
double ISA(link_energy)(const LinkView *view, const LinkSegment *segments, size_t count)
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
size_t ISA(link_snap)(const LinkView *view, mote_real limit, const LinkSegment *segments,
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

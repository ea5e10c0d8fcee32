/* The formula of one link. */
#ifndef LINKS_KERNELS_SPRING_H
#define LINKS_KERNELS_SPRING_H

#include "links/kernel.h"

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

/* The length is never zero: ends at the same place then have d = 0 times something finite. */
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

#endif

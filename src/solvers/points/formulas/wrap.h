/* Positions that left a periodic axis. A formula: it includes nothing, and is compiled for the
 * processor (kernels/range.c) and for devices. */
#ifndef SOLVERS_POINTS_FORMULAS_WRAP_H
#define SOLVERS_POINTS_FORMULAS_WRAP_H

/* Into [min, max), from not too far away. */
static inline mote_real wrap_into(mote_real at, mote_real min, mote_real max)
{
    const mote_real size = max - min, rate = 1 / size;
    mote_real boxes = (at - min) * rate;
    int near = REAL_ABS(boxes) < (mote_real)1e6, inside = (at >= min) & (at < max);
    mote_real bounded = real_pick(near, boxes, 0);
    int whole = (int)bounded;
    whole -= bounded < (mote_real)whole;
    mote_real back = at - size * (mote_real)whole;
    back += real_pick(back < min, size, 0);  /* `boxes` was rounded up */
    back = real_pick(back < max, back, min); /* or down, or the sum was */
    return real_pick(near > inside, back, at);
}

#endif

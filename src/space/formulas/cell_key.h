/* Which cell a place is in. A formula: it includes nothing, and is compiled for the processor
 * (space/cells.h) and for devices, to the same bits. */
#ifndef SPACE_FORMULAS_CELL_KEY_H
#define SPACE_FORMULAS_CELL_KEY_H

/* Along an axis, a whole number, from the anchor. Rounding keeps the order of places. Three halves
 * of 2^23 (2^52) and more have no fraction: that is how it is taken off. */
static inline mote_real cell_of_axis(mote_real x, mote_real anchor, mote_real inverse)
{
    const mote_real whole = 3 / (2 * REAL_EPSILON);
    const mote_real at = (x - anchor) * inverse, near = (at + whole) - whole;
    return near - (mote_real)(near > at);
}

/* The same from the first cell of a window to its last one, where all is that lies beyond:
 * neighbours stay neighbours. */
static inline mote_real cell_in_window(mote_real cell, mote_real low, mote_real last)
{
    mote_real at = cell - low;
    at = at > 0 ? at : 0;
    return at < last ? at : last;
}

#endif

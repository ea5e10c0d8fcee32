/* Places on periodic axes. A formula: it includes nothing, and is compiled for the processor
 * (cells_sort.c) and for devices. */
#ifndef SPACE_FORMULAS_PLACE_H
#define SPACE_FORMULAS_PLACE_H

/* Into [low, low + period); where there is no period as it is. */
static inline mote_real placed_in(mote_real x, mote_real low, mote_real period)
{
    if (!(period > 0) || (x >= low && x < low + period)) return x;
    mote_real turns = (mote_real)floor((double)((x - low) / period));
    mote_real inside = turns != 0 ? x - turns * period : x;
    return inside >= low && inside < low + period ? inside : low;
}

#endif

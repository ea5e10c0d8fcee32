/* Smoothing kernels for eight pairs at a time, on the processor. */
#ifndef SPACE_SMOOTHING_LANES_H
#define SPACE_SMOOTHING_LANES_H

#include "base/lanes.h"
#include "space/smoothing.h"

#include "space/formulas/smoothing.h"

/* W and W' / r of eight distances. */
EIGHT_INLINE Eight smoothing_values(const Smoothing *k, Eight r)
{
    return k->value_scale * smoothing_shape(k->kind, r * k->inverse);
}

EIGHT_INLINE Eight smoothing_slopes(const Smoothing *k, Eight r)
{
    return k->slope_scale * smoothing_shape_slope(k->gradient_kind, r * k->inverse);
}

#endif

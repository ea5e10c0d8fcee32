/* How deep two convex cores overlap, by an expanding polytope: for cores without separating axes.
 */
#ifndef BODIES_EPA_H
#define BODIES_EPA_H

#include "bodies/axes.h"

/* The direction in which the least way takes b out of a, and the separation along it. False when
 * the cores together have no volume. */
bool epa_find(const Placed *a, const Placed *b, Axis *out);

#endif

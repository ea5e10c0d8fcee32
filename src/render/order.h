/* The order of the splats of a tile. */
#ifndef RENDER_ORDER_H
#define RENDER_ORDER_H

#include "render/splat.h"

/* Sorts keys (depth in the high half, slot in the low one) by depth, then id, then all that a splat
 * holds, so that the order does not depend on that of the input. `spare` has room for count. */
void splat_order(const Splat *const *splats, size_t count, uint64_t *keys, uint64_t *spare);

#endif

/* The order of splats in a tile. */
#ifndef RENDER_ORDER_H
#define RENDER_ORDER_H

#include "render/splat.h"

/* Writes into `order` the indices of the splats, nearest first, equal depths by id, in the low
 * halves. `spare` has room for as many. */
void splat_order(const Splat *splats, size_t count, uint64_t *order, uint64_t *spare);

#endif

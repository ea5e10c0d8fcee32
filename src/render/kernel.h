/* The kernels: profiles across a particle, as a family of rows. */
#ifndef RENDER_KERNEL_H
#define RENDER_KERNEL_H

#include "base/isa.h"

const mote_Row *const *kernel_family(Isa isa, size_t *count);

/* How many of them, the first ones, a particle alone can have: not that of a whole liquid. */
size_t kernel_sprites(void);

#endif

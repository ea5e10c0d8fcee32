/* The kernels: profiles across a particle, as a family of rows. */
#ifndef RENDER_KERNEL_H
#define RENDER_KERNEL_H

#include "base/isa.h"

const mote_Row *const *kernel_family(Isa isa, size_t *count);

#endif

/* The names of the kernels: profiles across a particle. */
#ifndef RENDER_KERNEL_H
#define RENDER_KERNEL_H

#include <stddef.h>

/* NULL after the last. */
const char *kernel_name(size_t i);
const char *kernel_doc(size_t i);

#endif

/* The links' kernels per instruction set. */
#include "links/kernel.h"

ISA_KERNELS(link_kernels, LinkKernels, links_table)

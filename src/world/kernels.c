/* The world's kernels per instruction set. */
#include "world/kernels.h"

ISA_KERNELS(world_kernels, WorldKernels, world_range)

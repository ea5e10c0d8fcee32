/* The world's kernels per instruction set. */
#include "world/kernels.h"

#define WORLD_KERNELS(X)  X(world_range, range)
#define DECLARE(row, ...) ISA_EXTERN(WorldKernels, row)
WORLD_KERNELS(DECLARE)
ISA_ROW_TABLE(world_kernels, WORLD_KERNELS)

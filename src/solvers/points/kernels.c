/* Kernels over ranges per instruction set. */
#include "solvers/points/kernels.h"

ISA_KERNELS(row_kernels, RowKernels, points_range)

/* The tables of kernels, by instruction set. */
#include "space/neighbours.h"
#include "space/smoothing_kernels.h"

ISA_KERNELS(smoothing_kernels, SmoothingKernels, smoothing_table)
ISA_KERNELS(neighbour_kernels, NeighbourKernels, neighbour_table)

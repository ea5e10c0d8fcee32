/* The tables of kernels, by instruction set. */
#include "space/smoothing_kernels.h"

ISA_KERNELS(smoothing_kernels, SmoothingKernels, smoothing_table)

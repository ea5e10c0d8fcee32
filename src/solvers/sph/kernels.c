/* The tables of kernels, by instruction set. */
#include "solvers/sph/kernels.h"

ISA_KERNELS(sph_kernels, SphKernels, sph_table)

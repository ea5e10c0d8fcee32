/* The kernels of this machine. */
#include "surface/kernels.h"

ISA_KERNELS(surface_kernels, SurfaceKernels, surface_kernel_table)

/* The divergence-free solver's loops per instruction set. */
#include "solvers/sph/dfsph_kernels.h"

ISA_KERNELS(flow_kernels, FlowKernels, flow_table)

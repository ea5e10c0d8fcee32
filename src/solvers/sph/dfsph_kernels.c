/* The divergence-free solver's loops per instruction set. */
#include "solvers/sph/dfsph_kernels.h"

ISA_KERNELS(flow_kernels, FlowKernels, flow_table)
ISA_KERNELS(flow_sum_operators, FlowOperators, flow_sum_table)
ISA_KERNELS(flow_linear_operators, FlowOperators, flow_linear_table)

/* The kernels of one instruction set. */
#include "render/kernels/kernels.h"

extern const RenderKernels ISA(render_table);

const RenderKernels ISA(render_table) = {
    .project = ISA(splat_project),
    .blend = ISA(splat_blend),
    .encode = ISA(srgb_encode),
};

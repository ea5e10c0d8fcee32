/* The kernels of one instruction set. */
#include "render/kernels/kernels.h"

extern const RenderKernels ISA(render_table);

const RenderKernels ISA(render_table) = {
    .project = ISA(splat_project),
    .solid = ISA(splat_solid),
    .blend = ISA(splat_blend),
    .store = ISA(tile_store),
    .ground = ISA(ground_row),
    .encode = ISA(srgb_encode),
};

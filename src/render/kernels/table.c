/* The kernels of one instruction set. */
#include "render/kernels/kernels.h"

extern const RenderKernels ISA(render_table);

const RenderKernels ISA(render_table) = {
    .project = ISA(splat_project),
    .solid = ISA(splat_solid),
    .blend = ISA(splat_blend),
    .store = ISA(tile_store),
    .ground = ISA(ground_row),
    .ahead = ISA(rays_ahead),
    .average = ISA(average_layers),
    .guide = ISA(guide_layers),
    .weigh = ISA(weigh_layers),
    .start = ISA(paths_start),
    .turn = ISA(paths_turn),
    .lit = ISA(paths_lit),
    .encode_row = ISA(row_encode),
    .filter_row = ISA(filter_row),
    .adler = ISA(adler),
    .put_literals = ISA(put_literals),
    .shrink_row = ISA(shrink_row),
    .mix_row = ISA(mix_row),
    .scale_row = ISA(scale_row),
    .film_row = ISA(film_row),
    .natural_row = ISA(natural_row),
};

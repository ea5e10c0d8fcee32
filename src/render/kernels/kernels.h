/* Names of the kernels in the instruction set that is being compiled. */
#ifndef RENDER_KERNELS_KERNELS_H
#define RENDER_KERNELS_KERNELS_H

#include "base/isa.h"
#include "render/splat.h"

size_t ISA(splat_project)(const ProjectJob *job, size_t first, size_t count, Splat *out);
void ISA(splat_blend)(Tile *tile, const Splat *splats, const uint64_t *order, size_t count);
void ISA(srgb_encode)(const float *linear, float *code, size_t count);

#endif

/* Names of the kernels in the instruction set that is being compiled. */
#ifndef RENDER_KERNELS_KERNELS_H
#define RENDER_KERNELS_KERNELS_H

#include "base/isa.h"
#include "base/loop.h"
#include "render/ground.h"
#include "render/splat.h"

size_t ISA(splat_project)(const ProjectJob *job, size_t first, size_t count, Splat *out,
                          uint32_t *cells);
void ISA(splat_solid)(Tile *tile, const Splat *const *splats, const uint64_t *order, size_t count);
void ISA(splat_blend)(Tile *tile, const Splat *const *splats, const uint64_t *order, size_t count);
void ISA(tile_store)(const StoreJob *job, float *out);
void ISA(ground_row)(GroundRow *row);
void ISA(rays_ahead)(const struct AheadScene *scene, struct Ahead *rays);
void ISA(average_layers)(const struct AverageJob *job, struct LayerSums *out);
void ISA(guide_layers)(const struct AverageJob *job, struct GuideSums *out);
void ISA(weigh_layers)(const struct AverageJob *job, struct LayerWeights *out);
void ISA(paths_start)(const struct StartJob *job);
void ISA(paths_turn)(struct TurnJob *job);
void ISA(paths_lit)(struct LitJob *job);
void ISA(row_encode)(const float *values, size_t count, const Coding *coding, uint8_t *out);
uint32_t ISA(adler)(const uint8_t *bytes, size_t size);
BitWriter ISA(put_literals)(BitWriter to, const ByteCodes *codes, const uint8_t *bytes,
                            size_t size);
void ISA(filter_row)(const uint8_t *row, const uint8_t *above, size_t n, size_t step, uint8_t *out);
void ISA(shrink_row)(const float *const rows[4], int width, float *spare, float *out);
void ISA(mix_row)(const MixJob *job, float *spare, float *out);
void ISA(scale_row)(float *rgba, size_t values, float factor);
void ISA(film_row)(float *rgba, size_t values);
void ISA(natural_row)(float *rgba, size_t values);

/* Planar values of a block of rows on their way from columns to splats. */
typedef struct PixelBlock {
    float x[BLOCK_ROWS], y[BLOCK_ROWS], depth[BLOCK_ROWS]; /* px, px, m */
    float radius[BLOCK_ROWS];                              /* px */
    float blur[2][BLOCK_ROWS];                             /* px during the shutter */
    float alpha[BLOCK_ROWS];
    float color[3][BLOCK_ROWS];
    /* by the footprint; the last five are those of Streak. Of sprites scale and sharp come before
     * it */
    float reach[BLOCK_ROWS], extent[2][BLOCK_ROWS];
    uint32_t kind[BLOCK_ROWS];
    float u[2][BLOCK_ROWS], half[BLOCK_ROWS], scale[BLOCK_ROWS], sharp[2][BLOCK_ROWS];
} PixelBlock;

/* Reach, extent, kind and what is needed of streaks, from radius and blur; scales alpha. */
void ISA(splat_footprint)(const SplatSource *source, size_t count, PixelBlock *block);

#endif

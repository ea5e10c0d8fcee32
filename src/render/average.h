/* Averages over layers that are much the same, as the denoiser's kernels take them. */
#ifndef RENDER_AVERAGE_H
#define RENDER_AVERAGE_H

#include "base/lanes.h"
#include "render/trace_film.h"

#define UNKNOWN 1e30f /* variance of what no path has found */
#define OTHER   20.0f /* unlike: counts for nothing */
enum { AROUND_MOST = 25 * TRACE_LAYERS_MOST + 8 };

/* What is known of a layer's light: of each kind red, green, blue, and the luminance's variance. */
typedef V4 LayerLight[TRACE_KINDS];

/* What layers are told apart by, close together. The fourth lanes: paths of direct light, paths of
 * the rest, and the square of the distance that counts as none. */
typedef struct LayerForm {
    V4 normal, albedo, place;
} LayerForm;

/* Layers around one, which is not among them, by their numbers; how much each counts by where it
 * is. Behind the last there is room to fill up eight. */
typedef struct LayersAround {
    size_t at, count;
    uint32_t others[AROUND_MOST];
    int rows[AROUND_MOST]; /* px below it */
    float bells[AROUND_MOST];
} LayersAround;

typedef struct AverageJob {
    const LayerForm *forms;
    const LayerLight *lights;
    const V4 *guides;
    LayersAround around; /* filled up, by bells of 0 */
} AverageJob;

/* Sums over the layers around, each as much as it is alike. */
typedef struct LayerSums {
    V4 light[TRACE_KINDS]; /* the last: the variance, by the squares of the weights */
    float weights[TRACE_KINDS];
} LayerSums;

/* How unlike each layer around is; and how much it counts by that, 0: it is another surface. */
typedef struct LayerWeights {
    float unlike[AROUND_MOST], alike[AROUND_MOST];
} LayerWeights;

/* Of light from all around: its luminance, and the variance that the sum has where all are
 * independent, and where they all are the same. */
typedef struct GuideSums {
    float luminance, independent, same, weight;
} GuideSums;

#endif

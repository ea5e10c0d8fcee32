/* From a tile's planes to the pixels of the image: the light of the splats, and of what comes
 * through from behind them. */
#include "render/kernels/kernels.h"

/* What is behind: spheres over the backdrop, and how much of it hides all else. */
static void behind(const StoreJob *job, float out[4][BLOCK_ROWS], int first, int n)
{
    const float(*backdrop)[4] = job->backdrop;
    const float *solid = job->solid;
    const int stride = job->stride;
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < n; ++i) out[k][i] = backdrop[first + i][k];
    if (solid == NULL) return;
    for (int i = 0; i < n; ++i) {
        bool ball = solid[3 * stride + first + i] > 0;
        for (int k = 0; k < 3; ++k) out[k][i] = ball ? solid[k * stride + first + i] : out[k][i];
        out[3][i] = ball ? 1 : out[3][i];
    }
}

void ISA(tile_store)(const StoreJob *job, float *out)
{
    const int stride = job->stride;
    const float *red = job->planes, *green = red + stride, *blue = green + stride;
    const float *through = blue + stride, *closed = job->closed;
    float back[4][BLOCK_ROWS];
    for (int first = 0; first < job->count; first += BLOCK_ROWS) {
        const size_t left = (size_t)(job->count - first);
        const size_t n = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        behind(job, back, first, (int)n);
        FOR_ROWS (i, n) {
            size_t x = (size_t)first + i;
            float t = through[x] + closed[x];
            out[4 * x] = red[x] + t * back[0][i];
            out[4 * x + 1] = green[x] + t * back[1][i];
            out[4 * x + 2] = blue[x] + t * back[2][i];
            out[4 * x + 3] = 1 - t * (1 - back[3][i]);
        }
    }
}

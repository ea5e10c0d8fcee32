/* The wholly covered pixels of opaque spheres, into the tile's depth and solid colour. */
#include "render/kernels/kernels.h"
#include "render/kernels/sphere.h"

INLINE void solid_run(const Ball *ball, Tile *tile, SplatBounds b, int x, int y)
{
    const size_t row = (size_t)(y - tile->box.y0), stride = (size_t)tile->stride;
    const size_t column = (size_t)(x - tile->box.x0);
    float *nearest = tile->z + row * stride + column;
    float *solid = tile->solid + row * 4 * stride + column;
    V8 dx = pixel_offsets(x, ball->x), color[3], before = load8(nearest);
    float dy = (float)y + 0.5f - ball->y;
    V8 height = ball_height(ball, dx, dy), z = ball->depth - height * ball->world;
    I8 wins = (ball_cover(ball, b, dx, y) >= WHOLE) & (z < before);
    ball_shade(ball, tile->shading, dx, dy, height, color);
    store8(nearest, choose8(wins, z, before));
    for (size_t k = 0; k < 3; ++k)
        store8(solid + k * stride, choose8(wins, color[k], load8(solid + k * stride)));
    store8(solid + 3 * stride, choose8(wins, all8(1), load8(solid + 3 * stride)));
}

void ISA(splat_solid)(Tile *tile, const Splat *const *splats, const uint64_t *order, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const Splat *s = splats[(uint32_t)order[i]];
        SplatBounds b = splat_bounds(s, &tile->limits);
        if (!sphere_is_solid(s) || bounds_empty(b)) continue;
        const Ball ball = ball_make(s, tile, b);
        for (int y = b.y0; y < b.y1; ++y)
            for (int x = ball_first(&ball, tile, b); x < b.x1; x += RUN)
                solid_run(&ball, tile, b, x, y);
    }
}

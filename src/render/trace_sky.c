/* A table of the sky's light over cells of one solid angle: even steps around, and even steps of
 * height. Paths that leave a dull surface or smoke choose between its own law and this table, and
 * are weighted by the mean of both densities (E. Veach and L. Guibas, Optimally Combining Sampling
 * Techniques for Monte Carlo Rendering, 1995). */
#include "render/trace_sky.h"

#include "base/math.h"
#include "render/float3.h"
#include "render/trace_optics.h"

#define FULL_TURN 6.283185307179586
/* Cells of a computed sky, and of a photographed one, where a sun is a few pixels wide. */
enum { ACROSS = 256, FINE_ACROSS = 1024, LOOKS = 2 };

/* 4 pi over the cells: even steps of height cut a sphere into zones of one area (Archimedes). */
static float cell_angle(const TraceSky *sky)
{
    return (float)(2 * FULL_TURN) / (float)(sky->across * sky->rows);
}

/* A place of the table, in cells, as a direction. */
static void direction_at(const TraceSky *sky, float x, float y, float out[3])
{
    const float height = 2 * y / (float)sky->rows - 1;
    const float flat = __builtin_sqrtf(height * height < 1 ? 1 - height * height : 0);
    const double turn = FULL_TURN * (double)x / (double)sky->across;
    const float part[3] = {flat * (float)math_cos(turn), flat * (float)math_sin(turn), height};
    for (int k = 0; k < 3; ++k)
        out[k] = part[0] * sky->axis[0][k] + part[1] * sky->axis[1][k] + part[2] * sky->axis[2][k];
}

/* The light of a cell, from a few places in it; < 0: it is below the ground. */
static float light_of(const TraceSky *sky, const Backdrop *backdrop, size_t cell)
{
    const float x = (float)(cell % sky->across), y = (float)(cell / sky->across);
    float sum = 0;
    for (int i = 0; i < LOOKS * LOOKS; ++i) {
        float direction[3], light[3];
        direction_at(sky, x + ((float)(i % LOOKS) + 0.5f) / LOOKS,
                     y + ((float)(i / LOOKS) + 0.5f) / LOOKS, direction);
        if (backdrop->plane_count > 0 && dot3(direction, backdrop->planes[0].normal) < 0) return -1;
        backdrop_sky(backdrop, direction, 1, light);
        sum += luminance3(light) / (LOOKS * LOOKS);
    }
    return sum;
}

/* How often the table leads: hardly where the sky is even, for it would only get in the way, and
 * mostly where all light comes from one side. `uneven` is the mean square of the light over the
 * square of its mean, less 1. */
static float odds_of(double uneven)
{
    const double least = 0.5, most = 0.8, odds = uneven / (1 + uneven);
    return uneven < least ? 0 : (float)(odds < most ? odds : most);
}

bool trace_sky_make(const Backdrop *backdrop, Arena *arena, TraceSky *sky)
{
    const size_t across = backdrop->panorama.image != NULL ? FINE_ACROSS : ACROSS;
    const size_t rows = across / 2, cells = across * rows;
    double sum = 0, squares = 0, above = 0;
    *sky = (TraceSky){.across = across, .rows = rows};
    const bool plain = backdrop->view->orthographic && backdrop->panorama.image == NULL;
    if (backdrop->def->backdrop.transparent || plain) return true;
    sky->sums = arena_take(arena, (cells + 1) * sizeof *sky->sums);
    if (sky->sums == NULL) return false;
    for (int k = 0; k < 3; ++k) sky->axis[2][k] = backdrop->view->up[k];
    across3(sky->axis[2], sky->axis[0], sky->axis[1]);
    for (size_t i = 0; i < cells; ++i) {
        const double light = (double)light_of(sky, backdrop, i);
        sky->sums[i] = light > 0 ? (float)light : 0;
        if (light >= 0) sum += light, squares += light * light, above += 1;
    }
    if (!(sum > 0) || !(squares < 1e30)) return true;
    sky->odds = odds_of(squares * above / (sum * sum) - 1);
    double before = 0;
    for (size_t i = 0; i <= cells; ++i) {
        const double light = i < cells ? (double)sky->sums[i] : 0;
        sky->sums[i] = (float)(before / sum);
        before += light;
    }
    sky->sums[cells] = 1;
    return true;
}

/* Inverts the cumulative distribution by halving; what is left of the number within the cell is as
 * even as the number was, and is used again. */
void trace_sky_choose(const TraceSky *sky, const float u[2], float direction[3])
{
    size_t low = 0, high = sky->across * sky->rows; /* sums[low] <= u < sums[high] */
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(u[0] < sky->sums[middle] ? &high : &low) = middle;
    }
    const float wide = sky->sums[high] - sky->sums[low];
    const float part = wide > 0 ? (u[0] - sky->sums[low]) / wide : 0.5f;
    direction_at(sky, (float)(low % sky->across) + clamp01(part), (float)(low / sky->across) + u[1],
                 direction);
}

float trace_sky_density(const TraceSky *sky, const float direction[3])
{
    const float x = dot3(direction, sky->axis[0]), y = dot3(direction, sky->axis[1]);
    const double turn = math_atan2((double)y, (double)x) / FULL_TURN;
    const float around = (float)(turn < 0 ? turn + 1 : turn) * (float)sky->across;
    const float above = 0.5f * (1 + dot3(direction, sky->axis[2])) * (float)sky->rows;
    const size_t column = around < (float)(sky->across - 1) ? (size_t)around : sky->across - 1;
    const size_t row = above < 0                        ? 0
                       : above < (float)(sky->rows - 1) ? (size_t)above
                                                        : sky->rows - 1;
    const float *sums = sky->sums + row * sky->across + column;
    return (sums[1] - sums[0]) / cell_angle(sky);
}

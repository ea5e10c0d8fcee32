/* Glowing particles as lights: sparks, flames and stars that a dull place looks for.
 *
 * A glow of radius r at the distance D is a soft disc whose light falls off with b, how far a ray
 * passes its middle. Choosing b as often as it is bright there gives directions with the density
 * w(b) D^2 cos / (pi r^2 m) around the middle, m being the profile's mean over the disc; all glows
 * together are chosen among by their power. Rays that scatter by their own law find the same light,
 * and both ways are weighed by how densely they go there (E. Veach and L. Guibas, Optimally
 * Combining Sampling Techniques for Monte Carlo Rendering, 1995). */
#include "render/trace.h"

#if MOTE_WITH_EMBREE
#include "render/trace_tree.h"

#include "base/math.h"
#include "render/float3.h"
#include "render/trace_optics.h"

#include <string.h>

#define PI 3.14159265f

/* What is left of a Gaussian at its end. */
static float gauss_rest(void)
{
    return math_expf(-2 * WISP_GAUSS_END * WISP_GAUSS_END);
}

/* The profile's sum over the squares of b / r: its mean over the disc. */
static float profile_mean(Profile form)
{
    if (form == PROFILE_GAUSSIAN) return 0.5f * (1 - gauss_rest());
    if (form == PROFILE_SOFT) return 1.0f / 3;
    return form == PROFILE_SPRITE ? 2 : 1; /* the disc around it */
}

/* The square of b / r below which a part u of that sum lies. */
static float profile_place(Profile form, float u)
{
    if (form == PROFILE_GAUSSIAN) return -0.5f * math_logf(1 - u * (1 - gauss_rest()));
    if (form == PROFILE_SPRITE) return 2 * u;
    return form == PROFILE_SOFT ? 1 - math_powf(1 - u, 1.0f / 3) : u;
}

/* Lines are met by chance alone. To choose among them as often as they send light: area times mean
 * brightness. Sprites are looked for as the discs around them. */
static float power_of(const Wisps *glow, size_t i)
{
    const Wisp *w = &glow->items[i];
    float color[3];
    if (dot3(w->way, w->way) > 0) return 0;
    memcpy(color, w->color, sizeof color);
    if (trace_is_sprite(glow, (uint32_t)i)) trace_sprite_mean(glow, (uint32_t)i, color);
    return w->alpha * luminance3(color) * w->radius * w->radius * profile_mean(w->form);
}

bool trace_glow_prepare(Wisps *glow, Arena *arena)
{
    double all = 0, before = 0;
    for (size_t i = 0; i < glow->count; ++i) all += (double)power_of(glow, i);
    if (!(all > 0) || !(all < 1e30)) return true;
    glow->sums = arena_take(arena, (glow->count + 1) * sizeof *glow->sums);
    if (glow->sums == NULL) return false;
    for (size_t i = 0; i < glow->count; ++i) {
        glow->sums[i] = (float)(before / all);
        before += (double)power_of(glow, i);
    }
    glow->sums[glow->count] = 1;
    return true;
}

float trace_glow_density(const Wisps *glow, uint32_t wisp, float part, float away, float along)
{
    const Wisp *w = &glow->items[wisp];
    const float odds = glow->sums[wisp + 1] - glow->sums[wisp];
    return odds * part * away * along / (PI * w->radius * w->radius * profile_mean(w->form));
}

/* Near a glow's middle some of b lie beyond any direction: then none is chosen. */
bool trace_glow_choose(const Wisps *glow, const TraceRay *from, const float u[4],
                       float direction[3])
{
    size_t low = 0, high = glow->count; /* sums[low] <= u < sums[high] */
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(u[0] < glow->sums[middle] ? &high : &low) = middle;
    }
    const Wisp *w = &glow->items[low];
    float axis[3];
    for (int k = 0; k < 3; ++k)
        axis[k] = w->at[k] + (from->moment - 0.5f) * w->drift[k] - from->origin[k];
    const float away2 = dot3(axis, axis);
    const float sine2 = w->radius * w->radius * profile_place(w->form, u[2]) / away2;
    if (!(sine2 < 1)) return false;
    unit3(axis);
    around3(axis, __builtin_sqrtf(1 - sine2), u[3], direction);
    return true;
}

#endif

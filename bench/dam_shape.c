/* Particles that lie like a dam break: a collapsed column in a tank of 4 x 2 x 2 m with ripples, a
 * run-up at the far wall and spray, on a jittered lattice. */
#include "bench/dam_shape.h"

#include <math.h>

/* Splitmix64. */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Height of the liquid: what is left of the column, ripples, and the run-up at x = 4. */
static double height(double x, double z)
{
    double column = 0.28 + 0.62 * exp(-1.1 * x);
    double ripples = 0.02 * sin(9 * x + 2 * z) + 0.015 * sin(14 * z - 5 * x);
    double run_up = 1.1 * exp(-14 * (4 - x)) * (1 + 0.25 * sin(7 * z));
    return column + ripples + run_up;
}

static bool inside(double x, double y, double z)
{
    return x > 0 && x < 4 && z > 0 && z < 2 && y > 0 && y < height(x, z);
}

static bool add(DamBreak *dam, const double x[3])
{
    if (dam->count == dam->room) return false;
    for (int k = 0; k < 3; ++k) dam->x[k][dam->count] = (mote_real)x[k];
    ++dam->count;
    return true;
}

/* One particle in 500 is spray above the surface. */
static void fill(DamBreak *dam, size_t count)
{
    uint64_t state = 5;
    double d = dam->spacing;
    size_t spray = count / 500;
    for (double y = d / 2; y < 2; y += d)
        for (double z = d / 2; z < 2; z += d)
            for (double x = d / 2; x < 4; x += d) {
                double at[3] = {x, y, z};
                if (!inside(x, y, z)) continue;
                for (int k = 0; k < 3; ++k) at[k] += 0.4 * d * (uniform(&state) - 0.5);
                if (!add(dam, at)) return;
            }
    for (size_t i = 0; i < spray; ++i) {
        double x = 4 * uniform(&state), z = 2 * uniform(&state);
        if (!add(dam, (double[3]){x, height(x, z) + 0.5 * uniform(&state), z})) return;
    }
}

bool dam_make(DamBreak *dam, size_t count)
{
    double volume = 0;
    for (int i = 0; i < 400; ++i)
        for (int j = 0; j < 200; ++j) volume += 1e-4 * height(0.01 * (i + 0.5), 0.01 * (j + 0.5));
    *dam = (DamBreak){.memory = memory_make(mote_default_allocator())};
    dam->spacing = cbrt(volume / (double)count * 1.002);
    dam->room = count + count / 50;
    for (int k = 0; k < 3; ++k) {
        dam->x[k] = memory_take(&dam->memory, dam->room * sizeof(mote_real));
        if (dam->x[k] == NULL) return false;
    }
    fill(dam, count);
    return true;
}

void dam_free(DamBreak *dam)
{
    for (int k = 0; k < 3; ++k) memory_free(&dam->memory, dam->x[k], dam->room * sizeof(mote_real));
}

/* Box filters over a cube of values, one axis after another.
 *
 * A box is the same along each axis, so three filters of a line do the work of one over a cube
 * (separable): 3 (2 r + 1) values for (2 r + 1)^3. */
#include "surface/kernels.h"

#include <string.h>

/* to[i] = sum of from[i + j * stride], |j| <= radius, for all i that are far enough from both ends.
 * `restrict` on arguments lets the compiler vectorise these loops. */
#define FILTER(name, Type, OP)                                                                     \
    static void name(SurfaceCube cube, size_t stride, const Type *restrict from,                   \
                     Type *restrict to)                                                            \
    {                                                                                              \
        size_t margin = cube.radius * stride, count = cube.side * cube.side * cube.side;           \
        if (count <= 2 * margin) return;                                                           \
        memcpy(to + margin, from, (count - 2 * margin) * sizeof *to);                              \
        for (size_t j = 1; j <= 2 * cube.radius; ++j)                                              \
            for (size_t i = margin; i < count - margin; ++i)                                       \
                to[i] = (Type)(to[i] OP from[i - margin + j * stride]);                            \
    }                                                                                              \
    static void name##_axes(SurfaceCube cube, Type *values, Type *scratch)                         \
    {                                                                                              \
        size_t side = cube.side;                                                                   \
        name(cube, 1, values, scratch);                                                            \
        name(cube, side, scratch, values);                                                         \
        name(cube, side *side, values, scratch);                                                   \
        memcpy(values, scratch, side *side *side * sizeof *values);                                \
    }

FILTER(sum, float, +)
FILTER(all, uint8_t, &)
FILTER(any, uint8_t, |)

void ISA(box_sums)(SurfaceCube cube, float *values, float *scratch);
void ISA(all_of)(SurfaceCube cube, uint8_t *bytes, uint8_t *scratch);
void ISA(any_of)(SurfaceCube cube, uint8_t *bytes, uint8_t *scratch);
void ISA(at_least)(SurfaceCube cube, const float *values, float least, uint8_t *bytes);

void ISA(box_sums)(SurfaceCube cube, float *values, float *scratch)
{
    sum_axes(cube, values, scratch);
}

void ISA(all_of)(SurfaceCube cube, uint8_t *bytes, uint8_t *scratch)
{
    all_axes(cube, bytes, scratch);
}

void ISA(any_of)(SurfaceCube cube, uint8_t *bytes, uint8_t *scratch)
{
    any_axes(cube, bytes, scratch);
}

void ISA(at_least)(SurfaceCube cube, const float *values, float least, uint8_t *bytes)
{
    FOR_ROWS (i, cube.side * cube.side * cube.side) bytes[i] = values[i] >= least;
}

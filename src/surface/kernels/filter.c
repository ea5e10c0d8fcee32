/* Box filters over a cube of values, one axis after another. */
#include "surface/kernels.h"

/* to[i] = sum of from[i + j * stride], |j| <= radius, for all i that are far enough from both ends.
 */
#define FILTER_AXIS(name, Type, OP)                                                                \
    static void name(Cube cube, size_t stride, const Type *from, Type *to)                         \
    {                                                                                              \
        size_t margin = cube.radius * stride, count = cube.side * cube.side * cube.side;           \
        if (count <= 2 * margin) return;                                                           \
        FOR_ROWS (i, count - 2 * margin) to[i + margin] = from[i];                                 \
        for (size_t j = 1; j <= 2 * cube.radius; ++j) {                                            \
            const Type *other = from + j * stride;                                                 \
            FOR_ROWS (i, count - 2 * margin) to[i + margin] = (Type)(to[i + margin] OP other[i]);  \
        }                                                                                          \
    }                                                                                              \
    static void name##_axes(Cube cube, Type *values, Type *scratch)                                \
    {                                                                                              \
        size_t side = cube.side, count = side * side * side;                                       \
        name(cube, 1, values, scratch);                                                            \
        name(cube, side, scratch, values);                                                         \
        name(cube, side *side, values, scratch);                                                   \
        FOR_ROWS (i, count) values[i] = scratch[i];                                                \
    }

FILTER_AXIS(sum, float, +)
FILTER_AXIS(all, uint8_t, &)
FILTER_AXIS(any, uint8_t, |)

void ISA(box_sums)(Cube cube, float *values, float *scratch);
void ISA(all_of)(Cube cube, uint8_t *bytes, uint8_t *scratch);
void ISA(any_of)(Cube cube, uint8_t *bytes, uint8_t *scratch);
void ISA(at_least)(Cube cube, const float *values, float least, uint8_t *bytes);

void ISA(box_sums)(Cube cube, float *values, float *scratch)
{
    sum_axes(cube, values, scratch);
}

void ISA(all_of)(Cube cube, uint8_t *bytes, uint8_t *scratch)
{
    all_axes(cube, bytes, scratch);
}

void ISA(any_of)(Cube cube, uint8_t *bytes, uint8_t *scratch)
{
    any_axes(cube, bytes, scratch);
}

void ISA(at_least)(Cube cube, const float *values, float least, uint8_t *bytes)
{
    FOR_ROWS (i, cube.side * cube.side * cube.side) bytes[i] = values[i] >= least;
}

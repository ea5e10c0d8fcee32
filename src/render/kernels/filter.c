/* PNG's filters (W3C Portable Network Graphics, 9.2): each byte less a guess from its neighbours.
 * The filter with the least sum of magnitudes is taken. */
#include "render/kernels/kernels.h"

enum { SUB = 1, UP = 2, AVERAGE = 3 };

static inline uint32_t size_of(uint8_t rest)
{
    return rest < 128 ? rest : 256u - rest;
}

static int best_filter(const uint8_t *row, const uint8_t *left, const uint8_t *above, size_t n)
{
    uint32_t sub = 0, up = 0, average = 0;
    FOR_ROWS (i, n) {
        sub += size_of((uint8_t)(row[i] - left[i]));
        up += size_of((uint8_t)(row[i] - above[i]));
        average += size_of((uint8_t)(row[i] - (uint8_t)((left[i] + above[i]) / 2)));
    }
    if (sub <= up && sub <= average) return SUB;
    return up <= average ? UP : AVERAGE;
}

void ISA(filter_row)(const uint8_t *row, const uint8_t *above, size_t n, size_t step, uint8_t *out)
{
    const uint8_t *left = row - step;
    const int filter = above == NULL ? SUB : best_filter(row, left, above, n);
    uint8_t *rest = out + 1;
    out[0] = (uint8_t)filter;
    if (filter == SUB)
        FOR_ROWS (i, n) rest[i] = (uint8_t)(row[i] - left[i]);
    else if (filter == UP)
        FOR_ROWS (i, n) rest[i] = (uint8_t)(row[i] - above[i]);
    else
        FOR_ROWS (i, n) rest[i] = (uint8_t)(row[i] - (uint8_t)((left[i] + above[i]) / 2));
}

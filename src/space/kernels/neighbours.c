/* Neighbours of all points of a cell: the points of the cubes around are copied side by side once,
 * then each point of the cell is compared with all of them, eight at a time, and those within reach
 * are moved together. */
#include "space/neighbours.h"

#include "space/smoothing_lanes.h"

#include <string.h>

typedef uint32_t Places __attribute__((vector_size(32)));

EIGHT_INLINE Places places_load(const uint32_t *from)
{
    Places a;
    __builtin_memcpy(&a, from, sizeof a);
    return a;
}

EIGHT_INLINE void places_store(uint32_t *to, Places a)
{
    __builtin_memcpy(to, &a, sizeof a);
}

EIGHT_INLINE Places places_all(uint32_t a)
{
    return (Places){a, a, a, a, a, a, a, a};
}

/* ---- moving chosen lanes together ---- */

#if defined(__AVX2__) && !defined(MOTE_DOUBLE)

/* Byte l of entry m: the number of the l-th set bit of m. */
#define LANE(m, b)                                                                                 \
    (((uint64_t)((m) >> (b)&1) * (b)) << (8 * __builtin_popcount((m) & ((1u << (b)) - 1))))
#define ENTRY(m)                                                                                   \
    (LANE(m, 1) | LANE(m, 2) | LANE(m, 3) | LANE(m, 4) | LANE(m, 5) | LANE(m, 6) | LANE(m, 7))
#define ENTRIES_4(m)  ENTRY(m), ENTRY((m) + 1), ENTRY((m) + 2), ENTRY((m) + 3)
#define ENTRIES_16(m) ENTRIES_4(m), ENTRIES_4((m) + 4), ENTRIES_4((m) + 8), ENTRIES_4((m) + 12)
#define ENTRIES_64(m)                                                                              \
    ENTRIES_16(m), ENTRIES_16((m) + 16), ENTRIES_16((m) + 32), ENTRIES_16((m) + 48)

static const uint64_t packing[256] = {ENTRIES_64(0u), ENTRIES_64(64u), ENTRIES_64(128u),
                                      ENTRIES_64(192u)};

EIGHT_INLINE unsigned bits_of(EightBits chosen)
{
    return (unsigned)_mm256_movemask_ps((__m256)chosen);
}

/* Writes the lanes whose bits are set to *squares and *found, and rubbish up to eight. */
EIGHT_INLINE void pack(unsigned bits, Eight r2, Places index, mote_real *squares, uint32_t *found)
{
    __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&packing[bits]));
    _mm256_storeu_ps(squares, _mm256_permutevar8x32_ps((__m256)r2, lanes));
    _mm256_storeu_si256((__m256i *)(void *)found,
                        _mm256_permutevar8x32_epi32((__m256i)index, lanes));
}

#else

EIGHT_INLINE unsigned bits_of(EightBits chosen)
{
    unsigned bits = 0;
    for (int l = 0; l < 8; ++l) bits |= (unsigned)(chosen[l] & 1) << l;
    return bits;
}

EIGHT_INLINE void pack(unsigned bits, Eight r2, Places index, mote_real *squares, uint32_t *found)
{
    for (int l = 0, at = 0; l < 8; ++l)
        if ((bits >> l & 1) != 0) squares[at] = r2[l], found[at++] = index[l];
}

#endif

/* ---- the points around a cell ---- */

typedef struct Around {
    size_t count; /* of points, filled up to a multiple of eight with one far away */
    size_t self;  /* where the cell's own first point is */
} Around;

static void copy_run(const NeighbourTask *task, const CellRun *run, size_t at)
{
    const Cells *cells = task->cells;
    const Places steps = {0, 1, 2, 3, 4, 5, 6, 7};
    for (uint32_t i = run->begin; i < run->end; i += 8, at += 8) {
        for (int c = 0; c < 3; ++c)
            eight_store(task->near[c] + at, eight_load(cells->x[c] + i) + run->shift[c]);
        places_store(task->near_index + at, places_all(i) + steps);
    }
}

static Around gather(const NeighbourTask *task, size_t cell, CellCursor *cursor)
{
    CellRun runs[CELLS_MOST_RUNS];
    const uint32_t own = task->cells->first[cell];
    Around around = {0, 0};
    int count = cells_runs(task->cells, cell, cursor, runs);
    for (int k = 0; k < count; ++k) {
        const CellRun *run = &runs[k];
        bool moved = run->shift[0] != 0 || run->shift[1] != 0 || run->shift[2] != 0;
        if (!moved && run->begin <= own && own < run->end)
            around.self = around.count + (own - run->begin);
        copy_run(task, run, around.count);
        around.count += run->end - run->begin;
    }
    eight_store(task->near[0] + around.count, eight_all((mote_real)1e30));
    around.count = (around.count + 7) / 8 * 8;
    return around;
}

/* ---- one point ---- */

/* Those nearer than reach go to task->squares and task->found; returns how many. The pointers are
 * copied, because the compiler cannot know that the stores leave *task alone. */
EIGHT_INLINE size_t compare(const NeighbourTask *task, size_t around, const mote_real at[3],
                            size_t self, bool flat)
{
    const mote_real limit = task->cells->reach * task->cells->reach;
    const mote_real *x = task->near[0], *y = task->near[1], *z = task->near[2];
    const uint32_t *index = task->near_index;
    mote_real *squares = task->squares;
    uint32_t *places = task->found;
    const Eight at_x = eight_all(at[0]), at_y = eight_all(at[1]), at_z = eight_all(at[2]);
    size_t found = 0;
    for (size_t k = 0; k < around; k += 8) {
        Eight dx = eight_load(x + k) - at_x, dy = eight_load(y + k) - at_y;
        Eight r2 = dx * dx + dy * dy;
        if (!flat) {
            Eight dz = eight_load(z + k) - at_z;
            r2 = r2 + dz * dz;
        }
        unsigned bits = bits_of((EightBits)(r2 < limit));
        if (self - k < 8) bits &= ~(1u << (self - k));
        pack(bits, r2, places_load(index + k), squares + found, places + found);
        found += (size_t)__builtin_popcount(bits);
    }
    return found;
}

/* The kernel's sum over the point itself and its neighbours. */
EIGHT_INLINE mote_real sum_kernel(const Smoothing *k, SmoothingKind kind, mote_real *squares,
                                  size_t found)
{
    const Eight inverse = eight_all(k->inverse);
    Eight sum = {0};
    eight_store(squares + found, eight_all(4 * k->square));
    for (size_t i = 0; i < found; i += 8) {
        Eight q = eight_sqrt(eight_load(squares + i)) * inverse;
        sum = sum + smoothing_shape(kind, q);
    }
    return k->middle + k->value_scale * eight_sum(sum);
}

EIGHT_INLINE bool keep(NeighbourTask *task, uint32_t point, size_t found)
{
    Neighbours *lists = task->lists;
    if (task->used + found + 8 > task->end) return false;
    uint32_t *places = task->found, *list = lists->index + task->used;
    lists->start[point] = (uint32_t)(task->used / 8);
    lists->count[point] = (uint32_t)found;
    places_store(places + found, places_all(point));
    for (size_t i = 0; i < found; i += 8) places_store(list + i, places_load(places + i));
    task->used += (found + 7) / 8 * 8;
    task->pairs += found;
    return true;
}

/* For a kernel that the compiler knows. */
EIGHT_INLINE void find_with(NeighbourTask *task, size_t first_cell, size_t last_cell, bool flat,
                            SmoothingKind kind)
{
    const Cells *cells = task->cells;
    mote_real *sum = task->lists->sum;
    CellCursor cursor = {0};
    for (size_t cell = first_cell; cell < last_cell; ++cell) {
        Around around = gather(task, cell, &cursor);
        const uint32_t first = cells->first[cell], end = cells->first[cell + 1];
        for (uint32_t i = first; i < end; ++i) {
            const mote_real at[3] = {cells->x[0][i], cells->x[1][i], cells->x[2][i]};
            size_t found = compare(task, around.count, at, around.self + (i - first), flat);
            sum[i] =
                task->kernel != NULL ? sum_kernel(task->kernel, kind, task->squares, found) : 0;
            if (!keep(task, i, found)) {
                task->full = true;
                return;
            }
        }
    }
}

static void find(NeighbourTask *task, size_t first_cell, size_t last_cell)
{
    const bool flat = task->cells->space.flat;
    SmoothingKind kind = task->kernel != NULL ? task->kernel->kind : SMOOTHING_CUBIC;
    if (!flat && kind == SMOOTHING_CUBIC)
        find_with(task, first_cell, last_cell, false, SMOOTHING_CUBIC);
    else if (!flat && kind == SMOOTHING_WENDLAND_C2)
        find_with(task, first_cell, last_cell, false, SMOOTHING_WENDLAND_C2);
    else
        find_with(task, first_cell, last_cell, flat, kind);
}

const NeighbourKernels ISA(neighbour_table) = {find};

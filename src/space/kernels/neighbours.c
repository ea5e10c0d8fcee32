/* Neighbours of all points of a cell: the points of the cubes around are copied side by side once,
 * then each point of the cell is compared with all of them, eight at a time, and those within reach
 * are moved together. */
#include "space/neighbours.h"

#include "space/smoothing.h"
#include "space/smoothing_lanes.h"

#include <string.h>

#if defined(__AVX2__) && !defined(MOTE_DOUBLE)
#include <immintrin.h>
#endif

/* ---- moving chosen lanes together ----
 *
 * A Packing says which of eight lanes; pack_... writes them side by side, with rubbish behind them:
 * eight numbers at most. */

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

typedef __m256i Packing;

EIGHT_INLINE Packing packing_of(unsigned bits)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&packing[bits]));
}

EIGHT_INLINE void pack_places(Packing lanes, U8 a, uint32_t *to)
{
    words_store(to, (U8)_mm256_permutevar8x32_epi32((__m256i)a, lanes));
}

#elif defined(__wasm_simd128__) && !defined(MOTE_DOUBLE)

/* Bytes of the lanes whose bits are set in m; behind them the last lane. */
#define BYTES(lane) 4 * (lane), 4 * (lane) + 1, 4 * (lane) + 2, 4 * (lane) + 3
#define LANES4(a, b, c)                                                                            \
    {                                                                                              \
        BYTES(a), BYTES(b), BYTES(c), BYTES(3)                                                     \
    }

static const uint8_t packing[16][16] __attribute__((aligned(16))) = {
    LANES4(3, 3, 3), LANES4(0, 3, 3), LANES4(1, 3, 3), LANES4(0, 1, 3),
    LANES4(2, 3, 3), LANES4(0, 2, 3), LANES4(1, 2, 3), LANES4(0, 1, 2),
    LANES4(3, 3, 3), LANES4(0, 3, 3), LANES4(1, 3, 3), LANES4(0, 1, 3),
    LANES4(2, 3, 3), LANES4(0, 2, 3), LANES4(1, 2, 3), LANES4(0, 1, 2)};

/* Half by half: the second is written where the first one's lanes end. */
typedef struct Packing {
    v128_t half[2];
    int first; /* lanes of the first half */
} Packing;

EIGHT_INLINE Packing packing_of(unsigned bits)
{
    return (Packing){{wasm_v128_load(packing[bits & 15]), wasm_v128_load(packing[bits >> 4])},
                     __builtin_popcount(bits & 15)};
}

EIGHT_INLINE void pack_places(Packing p, U8 a, uint32_t *to)
{
    const Halves8 x = {(V8)a};
    wasm_v128_store(to, wasm_i8x16_swizzle(x.half[0], p.half[0]));
    wasm_v128_store(to + p.first, wasm_i8x16_swizzle(x.half[1], p.half[1]));
}

#else

#define PACK_BY_LANES

typedef unsigned Packing;

EIGHT_INLINE Packing packing_of(unsigned bits)
{
    return bits;
}

EIGHT_INLINE void pack_places(Packing bits, U8 a, uint32_t *to)
{
    for (unsigned l = 0; l < 8; ++l) *to = a[l], to += bits >> l & 1;
}

EIGHT_INLINE void pack_eight(Packing bits, Eight a, mote_real *to)
{
    for (unsigned l = 0; l < 8; ++l) *to = a[l], to += bits >> l & 1;
}

#endif

#ifndef PACK_BY_LANES
EIGHT_INLINE void pack_eight(Packing lanes, Eight a, mote_real *to)
{
    pack_places(lanes, (U8)a, (uint32_t *)to); /* by stores that may alias */
}
#endif

/* ---- the points around a cell ---- */

typedef struct Around {
    size_t count; /* of points, filled up to a multiple of eight with one far away */
    size_t self;  /* where the cell's own first point is */
} Around;

/* What the cell's own points take up: as a rule much less than the cell. */
typedef struct OwnBox {
    Eight low[3], high[3];
    mote_real limit; /* squared reach */
    bool flat;
} OwnBox;

static OwnBox own_box(const Cells *cells, uint32_t first, uint32_t end)
{
    OwnBox box = {.limit = cells->reach * cells->reach, .flat = cells->space.flat};
    for (int c = 0; c < 3; ++c) {
        mote_real low = cells->x[c][first], high = low;
        for (uint32_t i = first + 1; i < end; ++i) {
            const mote_real x = cells->x[c][i];
            low = x < low ? x : low, high = x > high ? x : high;
        }
        box.low[c] = eight_all(low), box.high[c] = eight_all(high);
    }
    return box;
}

/* Those of eight that may be within reach of a point in the box. Rounding is monotonic, so what is
 * left out here would not be nearer than reach to any of the points. */
EIGHT_INLINE EightBits near_box(const OwnBox *box, const Eight x[3])
{
    Eight r2 = {0};
    for (int c = 0; c < (box->flat ? 2 : 3); ++c) {
        Eight d = eight_most(box->low[c] - x[c], x[c] - box->high[c]);
        d = eight_most(d, (Eight){0});
        r2 = r2 + d * d;
    }
    return (EightBits)(r2 < box->limit);
}

/* Copies the places [begin, end) of a run, without those too far from the box; returns how many
 * there are now. */
static size_t copy_part(const NeighbourTask *task, const CellRun *run, uint32_t begin, uint32_t end,
                        const OwnBox *box, size_t at)
{
    const Cells *cells = task->cells;
    const U8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
    mote_real *const near[3] = {task->near[0], task->near[1], task->near[2]};
    uint32_t *index = task->near_index;
    for (uint32_t i = begin; i < end; i += 8) {
        Eight x[3];
        for (int c = 0; c < 3; ++c) x[c] = eight_load(cells->x[c] + i) + run->shift[c];
        unsigned bits = eight_bits(near_box(box, x));
        if (end - i < 8) bits &= (1u << (end - i)) - 1;
        const Packing lanes = packing_of(bits);
        for (int c = 0; c < 3; ++c) pack_eight(lanes, x[c], near[c] + at);
        pack_places(lanes, words_all(i) + steps, index + at);
        at += (size_t)__builtin_popcount(bits);
    }
    return at;
}

/* The run with the cell itself, whose own points stay together. */
static void copy_own_run(const NeighbourTask *task, const CellRun *run, size_t cell,
                         const OwnBox *box, Around *around)
{
    const uint32_t own = task->cells->first[cell], end = task->cells->first[cell + 1];
    around->self = copy_part(task, run, run->begin, own, box, around->count);
    around->count = copy_part(task, run, own, end, box, around->self);
    around->count = copy_part(task, run, end, run->end, box, around->count);
}

static Around gather(const NeighbourTask *task, size_t cell, CellCursor *cursor)
{
    CellRun runs[CELLS_MOST_RUNS];
    const Cells *cells = task->cells;
    const uint32_t own = cells->first[cell];
    const OwnBox box = own_box(cells, own, cells->first[cell + 1]);
    Around around = {0, 0};
    int count = cells_runs(cells, cell, cursor, runs);
    for (int k = 0; k < count; ++k) {
        const CellRun *run = &runs[k];
        bool moved = run->shift[0] != 0 || run->shift[1] != 0 || run->shift[2] != 0;
        if (!moved && run->begin <= own && own < run->end)
            copy_own_run(task, run, cell, &box, &around);
        else
            around.count = copy_part(task, run, run->begin, run->end, &box, around.count);
    }
    for (int c = 0; c < 3; ++c)
        eight_store(task->near[c] + around.count, eight_all((mote_real)1e30));
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
        unsigned bits = eight_bits((EightBits)(r2 < limit));
        if (self - k < 8) bits &= ~(1u << (self - k));
        const Packing lanes = packing_of(bits);
        pack_eight(lanes, r2, squares + found);
        pack_places(lanes, words_load(index + k), places + found);
        found += (size_t)__builtin_popcount(bits);
    }
    return found;
}

/* The kernel's sum over the point itself and its neighbours. */
EIGHT_INLINE mote_real sum_kernel(const Smoothing *k, SmoothingKind kind, mote_real *squares,
                                  size_t found)
{
    Eight sum = {0};
    eight_store(squares + found, eight_all(4 * k->square));
    for (size_t i = 0; i < found; i += 8)
        sum = sum + smoothing_shape_of_square(kind, eight_load(squares + i), k->inverse);
    return k->middle + k->value_scale * eight_sum(sum);
}

/* A chunk for the lists to come; false when there is none left. */
static bool take_chunk(NeighbourTask *task)
{
    task->used = atomic_fetch_add(task->taken, task->chunk);
    task->end = task->used + task->chunk;
    if (task->end <= task->lists->capacity) return true;
    task->used = task->end = 0;
    return false;
}

/* What does not fit is counted, so that the next search has room. */
EIGHT_INLINE void keep(NeighbourTask *task, uint32_t point, size_t found)
{
    Neighbours *lists = task->lists;
    task->pairs += found;
    task->entries += (found + 7) / 8 * 8;
    if (task->used + found + 8 > task->end && !take_chunk(task)) return;
    uint32_t *places = task->found, *list = lists->index + task->used;
    lists->start[point] = (uint32_t)(task->used / 8);
    lists->count[point] = (uint32_t)found;
    words_store(places + found, words_all(point));
    for (size_t i = 0; i < found; i += 8) words_store(list + i, words_load(places + i));
    task->used += (found + 7) / 8 * 8;
}

/* Is there a point in a cell that wants a list? */
static bool is_wanted(const Cells *cells, size_t cell)
{
    for (uint32_t i = cells->first[cell]; i < cells->first[cell + 1]; ++i)
        if (cells->order[i] < cells->wanted) return true;
    return false;
}

static void leave_out(const NeighbourTask *task, size_t cell)
{
    for (uint32_t i = task->cells->first[cell]; i < task->cells->first[cell + 1]; ++i) {
        task->lists->start[i] = task->lists->count[i] = 0;
        task->lists->sum[i] = 0;
    }
}

/* For a kernel that the compiler knows. */
EIGHT_INLINE void find_with(NeighbourTask *task, size_t first_cell, size_t last_cell, bool flat,
                            SmoothingKind kind)
{
    const Cells *cells = task->cells;
    mote_real *sum = task->lists->sum;
    CellCursor cursor = {0};
    for (size_t cell = first_cell; cell < last_cell; ++cell) {
        if (!is_wanted(cells, cell)) {
            leave_out(task, cell);
            continue;
        }
        Around around = gather(task, cell, &cursor);
        const uint32_t first = cells->first[cell], end = cells->first[cell + 1];
        for (uint32_t i = first; i < end; ++i) {
            const mote_real at[3] = {cells->x[0][i], cells->x[1][i], cells->x[2][i]};
            size_t found = compare(task, around.count, at, around.self + (i - first), flat);
            sum[i] =
                task->kernel != NULL ? sum_kernel(task->kernel, kind, task->squares, found) : 0;
            keep(task, i, found);
        }
    }
}

static void find(NeighbourTask *task, size_t first_cell, size_t last_cell)
{
    const bool flat = task->cells->space.flat;
    SmoothingKind kind = task->kernel != NULL ? task->kernel->kind : SMOOTHING_CUBIC;
    if (!flat && kind == SMOOTHING_CUBIC)
        find_with(task, first_cell, last_cell, false, SMOOTHING_CUBIC);
    else if (!flat && kind == SMOOTHING_EVEN)
        find_with(task, first_cell, last_cell, false, SMOOTHING_EVEN);
    else if (!flat && kind == SMOOTHING_WENDLAND_C2)
        find_with(task, first_cell, last_cell, false, SMOOTHING_WENDLAND_C2);
    else
        find_with(task, first_cell, last_cell, flat, kind);
}

const NeighbourKernels ISA(neighbour_table) = {find};

/* W and W' / r of many distances. */

static void values(const Smoothing *k, size_t count, const mote_real *r, mote_real *w)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) eight_store(w + i, smoothing_values(k, eight_load(r + i)));
    for (; i < count; ++i) w[i] = smoothing_values(k, eight_all(r[i]))[0];
}

static void slopes(const Smoothing *k, size_t count, const mote_real *r, mote_real *g)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) eight_store(g + i, smoothing_slopes(k, eight_load(r + i)));
    for (; i < count; ++i) g[i] = smoothing_slopes(k, eight_all(r[i]))[0];
}

const SmoothingKernels ISA(smoothing_table) = {values, slopes};

/* What walls are felt with: directions of rays, and the lists of shares, filled block by block. */
#include "solvers/sph/walls.h"

#include "base/math.h"
#include "base/status.h"

#include <string.h>

/* ---- directions of rays: squares of equal angles on the faces of a cube, or a circle ---- */

ISA_KERNELS(wall_kernels, WallKernels, wall_kernels_table)

enum { SQUARES = 6, CIRCLE = 64 };

static void add_direction(WallDirections *d, const double v[3], double weight)
{
    double length = __builtin_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    d->x[d->count] = (mote_real)(v[0] / length);
    d->y[d->count] = (mote_real)(v[1] / length);
    d->z[d->count] = (mote_real)(v[2] / length);
    d->weight[d->count++] = (mote_real)weight;
}

/* Solid angle of the rectangle from 0 to u, 0 to v on the face at distance 1. */
static double corner_angle(double u, double v)
{
    return math_atan2(u * v, __builtin_sqrt(1 + u * u + v * v));
}

/* Lines at equal angles, not at equal distances: squares at the corners of a face are seen under
 * 0.8 of the angle of those in its middle, where it would be 0.3. */
static double grid_at(double i)
{
    return math_tan((i / SQUARES * 2 - 1) * 0.7853981633974483);
}

/* Weighed by the angle under which it is seen, so that all weights are 1 together and a point far
 * inside a wall feels the whole kernel. */
static void add_square(WallDirections *d, int face, int i, int k)
{
    const double sphere = 12.566370614359172;
    double a0 = grid_at(i), a1 = grid_at(i + 1), b0 = grid_at(k), b1 = grid_at(k + 1);
    double angle =
        corner_angle(a1, b1) - corner_angle(a0, b1) - corner_angle(a1, b0) + corner_angle(a0, b0);
    double v[3];
    v[face / 2] = face % 2 == 0 ? 1 : -1;
    v[(face / 2 + 1) % 3] = grid_at(i + 0.5);
    v[(face / 2 + 2) % 3] = grid_at(k + 0.5);
    add_direction(d, v, angle / sphere);
}

void wall_directions_make(int dimension, WallDirections *directions)
{
    directions->count = 0;
    for (int i = 0; dimension == 2 && i < CIRCLE; ++i) {
        double angle = (i + 0.5) / CIRCLE * 6.283185307179586;
        const double v[3] = {math_cos(angle), math_sin(angle), 0};
        add_direction(directions, v, 1.0 / CIRCLE);
    }
    for (int i = 0; dimension == 3 && i < 6 * SQUARES * SQUARES; ++i)
        add_square(directions, i / (SQUARES * SQUARES), i / SQUARES % SQUARES, i % SQUARES);
}

/* ---- shares ---- */

static void make_empty(Walls *walls, int dimension, Isa isa)
{
    memset(walls, 0, sizeof *walls);
    wall_directions_make(dimension, &walls->directions);
    walls->kernels = wall_kernels(isa);
    atomic_init(&walls->used, 0);
}

void walls_make(Walls *walls, const SmoothingRow *kernel, int dimension, double spacing, Isa isa)
{
    make_empty(walls, dimension, isa);
    wall_table_make(kernel, dimension, spacing, &walls->table);
}

void walls_make_full(Walls *walls, const SmoothingRow *kernel, int dimension, double spacing,
                     Isa isa)
{
    make_empty(walls, dimension, isa);
    wall_table_make_full(kernel, dimension, spacing, &walls->table);
}

void walls_scale(Walls *walls, mote_real slope)
{
    for (int i = 0; i < WALL_CELLS + 2; ++i)
        walls->table.plane[i].slope *= slope, walls->table.ray[i].pull *= slope;
}

void walls_calibrate(Walls *walls, mote_real slope)
{
    for (int i = 0; i < WALL_CELLS + 2; ++i) {
        WallPlaneEntry *p = &walls->table.plane[i];
        p->drag *= slope, p->depth_drag *= slope;
    }
}

void walls_free(Walls *walls, Memory *memory)
{
    wall_scene_free(&walls->scene, memory);
    memory_free(memory, walls->spans, walls->span_capacity * sizeof *walls->spans);
    memory_free(memory, walls->shares, walls->share_capacity * sizeof *walls->shares);
    walls->spans = NULL, walls->shares = NULL;
    walls->span_capacity = walls->share_capacity = 0;
}

typedef struct Fill {
    Walls *walls;
    size_t rows;
    WallBlockBody *body;
    void *context;
} Fill;

/* The block's shares one after another, at a place of their own. Which place depends on the
 * threads; nobody reads shares but through the spans, in the order of one row, so no bit depends on
 * it. */
static void store_block(Walls *walls, const WallBlock *block)
{
    size_t count = 0;
    for (size_t i = 0; i < block->count; ++i) count += block->counts[i];
    size_t at = count == 0 ? 0 : atomic_fetch_add(&walls->used, count);
    bool fits = at + count <= walls->share_capacity;
    for (size_t i = 0; i < block->count; ++i) {
        size_t own = fits ? block->counts[i] : 0;
        walls->spans[block->begin + i] = (WallSpan){(uint32_t)at, (uint32_t)own};
        if (own > 0) memcpy(&walls->shares[at], block->shares[i], own * sizeof(WallShare));
        at += own;
    }
}

static void fill_blocks(void *raw, size_t begin, size_t end, int worker)
{
    const Fill *fill = raw;
    WallBlock block;
    (void)worker;
    for (size_t first = begin; first < end; first += BLOCK_ROWS) {
        block.begin = first;
        block.count = end - first < BLOCK_ROWS ? end - first : BLOCK_ROWS;
        memset(block.counts, 0, sizeof block.counts);
        fill->body(fill->context, &block);
        store_block(fill->walls, &block);
    }
}

mote_Status walls_fill(Walls *walls, const WallsInput *input, WallBlockBody *body, void *context,
                       mote_Error *error)
{
    Fill fill = {walls, input->rows, body, context};
    if (!memory_reserve(input->memory, (void **)&walls->spans, &walls->span_capacity, input->rows,
                        sizeof *walls->spans))
        return status_no_memory(error, "walls of a liquid", input->rows * sizeof *walls->spans);
    for (;;) { /* shares that do not fit are counted all the same: a second pass has room */
        atomic_store(&walls->used, 0);
        mote_parallel_for(input->tasks, input->rows, BLOCK_ROWS, fill_blocks, &fill);
        size_t wanted = atomic_load(&walls->used);
        if (wanted <= walls->share_capacity) return MOTE_OK;
        if (!memory_reserve(input->memory, (void **)&walls->shares, &walls->share_capacity, wanted,
                            sizeof *walls->shares))
            return status_no_memory(error, "walls of a liquid", wanted * sizeof *walls->shares);
    }
}

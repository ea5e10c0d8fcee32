/* The lists of shares: memory, and filling them block by block. */
#include "solvers/sph/walls.h"

#include "base/status.h"

#include <string.h>

void walls_make(Walls *walls, const SmoothingRow *kernel, int dimension, double spacing, Isa isa)
{
    memset(walls, 0, sizeof *walls);
    wall_table_make(kernel, dimension, spacing, &walls->table);
    wall_directions_make(dimension, &walls->directions);
    walls->kernels = wall_kernels(isa);
    atomic_init(&walls->used, 0);
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

/* The block's shares one after another, at a place of their own. */
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
    for (;;) {
        atomic_store(&walls->used, 0);
        mote_parallel_for(input->tasks, input->rows, BLOCK_ROWS, fill_blocks, &fill);
        size_t wanted = atomic_load(&walls->used);
        if (wanted <= walls->share_capacity) return MOTE_OK;
        if (!memory_reserve(input->memory, (void **)&walls->shares, &walls->share_capacity, wanted,
                            sizeof *walls->shares))
            return status_no_memory(error, "walls of a liquid", wanted * sizeof *walls->shares);
    }
}

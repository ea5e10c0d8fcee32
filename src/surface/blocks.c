/* Making the sparse grid: sort particles by (block, row of bins), list the blocks that they reach,
 * and link neighbours. */
#include "surface/blocks.h"

#include "base/math.h"
#include "base/sort.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/* Blocks along an axis: three times this many bits and a bin's number are a key of 64 bits. */
enum { AXIS_BITS = 17, GRAIN = 1 << 14 };

/* ---- keys ---- */

static uint64_t block_key(const Blocks *b, const int32_t at[3])
{
    uint64_t key = 0;
    for (int k = 0; k < 3; ++k) key |= sort_spread((uint64_t)(at[k] - b->low[k])) << k;
    return key;
}

typedef struct BlockPlace {
    int32_t block[3];
    float at[3]; /* in the block, cells */
} BlockPlace;

static BlockPlace place_at(const Blocks *b, const double x[3])
{
    const float last = 31.999998f; /* below BLOCK_CELLS: as a float a place may round up to it */
    BlockPlace place;
    for (int k = 0; k < 3; ++k) {
        double cells = x[k] * b->per_cell;
        double block = floor(cells * (1.0 / BLOCK_CELLS));
        float at = (float)(cells - block * BLOCK_CELLS);
        place.block[k] = (int32_t)block;
        place.at[k] = at > last ? last : at > 0 ? at : 0;
    }
    return place;
}

static BlockPlace place_of(const Blocks *b, const Cloud *cloud, size_t i)
{
    return place_at(b, (const double[3]){(double)cloud->x[0][i], (double)cloud->x[1][i],
                                         (double)cloud->x[2][i]});
}

static uint64_t bin_of(const Blocks *b, const float at[3])
{
    int x = (int)at[0] / b->bin, y = (int)at[1] / b->bin, z = (int)at[2] / b->bin;
    return (uint64_t)((z * b->bins + y) * b->bins + x);
}

typedef struct BlockSorting {
    Blocks *blocks;
    const BlocksDef *def;
    SortItem *items, *spare;
    uint64_t bins; /* per block */
} BlockSorting;

static void make_keys(void *context, size_t begin, size_t end, int worker)
{
    const BlockSorting *s = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        BlockPlace place = place_of(s->blocks, s->def->cloud, i);
        uint64_t key = block_key(s->blocks, place.block);
        s->items[i] = (SortItem){key * s->bins + bin_of(s->blocks, place.at), i};
    }
}

static float weight_of(const BlocksDef *def, size_t i)
{
    const Cloud *cloud = def->cloud;
    if (cloud->radius == NULL && cloud->volume == NULL) return def->weight;
    double d = cloud->spacing, volume = cloud_volume(cloud, i) / (d * d * d);
    return def->weight * (float)(def->weighs == WEIGHT_VOLUME ? volume : math_pow(volume, 1.0 / 3));
}

static void make_particles(void *context, size_t begin, size_t end, int worker)
{
    const BlockSorting *s = context;
    (void)worker;
    for (size_t n = begin; n < end; ++n) {
        size_t i = (size_t)s->items[n].value;
        BlockPlace place = place_of(s->blocks, s->def->cloud, i);
        SurfaceParticle *p = &s->blocks->particles[n];
        memcpy(p->at, place.at, sizeof p->at);
        p->weight = weight_of(s->def, i);
        if (s->blocks->rows != NULL) s->blocks->rows[n] = (uint32_t)i;
    }
}

/* ---- blocks ---- */

static void set_place(const BlockSorting *s, SurfaceBlock *block, size_t first, size_t count)
{
    BlockPlace place = place_of(s->blocks, s->def->cloud, (size_t)s->items[first].value);
    memcpy(block->at, place.block, sizeof block->at);
    block->key = s->items[first].key / s->bins;
    block->first = first, block->count = (uint32_t)count;
}

/* From one block's particles to the next; returns how many blocks there are. */
static size_t list_occupied(const BlockSorting *s, SurfaceBlock *blocks)
{
    size_t count = 0, total = s->def->cloud->count;
    for (size_t first = 0, end; first < total; first = end) {
        uint64_t key = s->items[first].key / s->bins;
        for (end = first + 1; end < total && s->items[end].key / s->bins == key;) ++end;
        if (blocks != NULL) set_place(s, &blocks[count], first, end - first);
        ++count;
    }
    return count;
}

/* Bits of the neighbours (of 27) whose grids the bounds of the block's particles reach. Along each
 * axis three bits tell whether the one before, the block itself and the one behind are reached. */
static uint32_t reached(const Blocks *b, const SurfaceBlock *block)
{
    float low[3] = {32, 32, 32}, high[3] = {0, 0, 0};
    uint32_t axis[3], bits = 0;
    for (size_t i = 0; i < block->count; ++i)
        for (int k = 0; k < 3; ++k) {
            float at = b->particles[block->first + i].at[k];
            low[k] = at < low[k] ? at : low[k], high[k] = at > high[k] ? at : high[k];
        }
    for (int k = 0; k < 3; ++k)
        axis[k] = 2u | (low[k] < b->reach ? 1u : 0) | (high[k] + b->reach > 32 ? 4u : 0);
    for (uint32_t n = 0; n < 27; ++n)
        bits |= (axis[0] >> n % 3 & axis[1] >> n / 3 % 3 & axis[2] >> n / 9 & 1) << n;
    return bits;
}

static void neighbour_at(const SurfaceBlock *block, int n, int32_t at[3])
{
    at[0] = block->at[0] + n % 3 - 1;
    at[1] = block->at[1] + n / 3 % 3 - 1;
    at[2] = block->at[2] + n / 9 - 1;
}

typedef struct Reaching {
    const Blocks *blocks;
    const SurfaceBlock *occupied;
    uint32_t *bits;
} Reaching;

static void find_reached(void *context, size_t begin, size_t end, int worker)
{
    const Reaching *r = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) r->bits[i] = reached(r->blocks, &r->occupied[i]);
}

static mote_Status no_memory(size_t bytes, mote_Error *error)
{
    return status_no_memory(error, "a surface's grid", bytes);
}

/* A block that is reached, by key; its number is 27 times that of an occupied one, plus which of
 * its neighbours it is. */
static SortItem *list_neighbours(const Blocks *b, const SurfaceBlock *occupied, uint32_t bits,
                                 size_t number, SortItem *next)
{
    for (int n = 0; n < 27; ++n) {
        int32_t at[3];
        if ((bits >> n & 1) == 0) continue;
        neighbour_at(&occupied[number], n, at);
        *next++ = (SortItem){block_key(b, at), number * 27 + (size_t)n};
    }
    return next;
}

/* Each block of the sorted items once. */
static mote_Status take_unique(Blocks *b, const SurfaceBlock *occupied, const SortItem *items,
                               size_t total, mote_Error *error)
{
    size_t unique = 0, n = 0;
    for (size_t i = 0; i < total; ++i) unique += i == 0 || items[i].key != items[i - 1].key;
    if (unique < BLOCK_NONE) b->blocks = memory_zeroed(b->memory, unique * sizeof *b->blocks);
    if (b->blocks == NULL) return no_memory(unique * sizeof *b->blocks, error);
    b->count = unique;
    for (size_t i = 0; i < total; ++i) {
        if (i > 0 && items[i].key == items[i - 1].key) continue;
        b->blocks[n].key = items[i].key;
        neighbour_at(&occupied[items[i].value / 27], (int)(items[i].value % 27), b->blocks[n++].at);
    }
    return MOTE_OK;
}

/* All blocks that are reached, by key. */
static mote_Status list_reached(BlockSorting *s, const SurfaceBlock *occupied, const uint32_t *bits,
                                size_t count, mote_Error *error)
{
    Memory *memory = s->blocks->memory;
    size_t total = 0;
    for (size_t i = 0; i < count; ++i) total += (size_t)__builtin_popcount(bits[i]);
    SortItem *items = memory_take(memory, 2 * total * sizeof *items), *next = items;
    if (items == NULL) return no_memory(2 * total * sizeof *items, error);
    for (size_t i = 0; i < count; ++i)
        next = list_neighbours(s->blocks, occupied, bits[i], i, next);
    sort_items(items, items + total, total);
    mote_Status status = take_unique(s->blocks, occupied, items, total, error);
    memory_free(memory, items, 2 * total * sizeof *items);
    return status;
}

/* Hands the particles of the occupied blocks to the list of all blocks. */
static void adopt_particles(Blocks *b, const SurfaceBlock *occupied, size_t count)
{
    size_t rows = 0, at = 0;
    for (size_t i = 0; i < count; ++i) {
        while (b->blocks[at].key != occupied[i].key) ++at;
        b->blocks[at].first = occupied[i].first;
        b->blocks[at].count = occupied[i].count;
        b->blocks[at].rows = rows;
        rows += (size_t)(b->bins * b->bins + 1);
    }
}

static uint32_t find_block(const Blocks *b, uint64_t key)
{
    size_t low = 0, high = b->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->blocks[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->count && b->blocks[low].key == key ? (uint32_t)low : BLOCK_NONE;
}

static bool inside_keys(const Blocks *b, const int32_t at[3])
{
    bool inside = true;
    for (int k = 0; k < 3; ++k)
        inside = inside && at[k] >= b->low[k] && at[k] - b->low[k] < 1 << AXIS_BITS;
    return inside;
}

static void link_blocks(void *context, size_t begin, size_t end, int worker)
{
    Blocks *b = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        for (int n = 0; n < 27; ++n) {
            int32_t at[3];
            neighbour_at(&b->blocks[i], n, at);
            b->blocks[i].neighbour[n] =
                inside_keys(b, at) ? find_block(b, block_key(b, at)) : BLOCK_NONE;
        }
}

static void start_rows(void *context, size_t begin, size_t end, int worker)
{
    Blocks *b = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const SurfaceBlock *block = &b->blocks[i];
        uint32_t *starts = b->row_starts + block->rows, n = 0;
        for (int row = 0; block->count > 0 && row <= b->bins * b->bins; ++row) {
            const SurfaceParticle *p = b->particles + block->first;
            while (n < block->count && bin_of(b, p[n].at) / (uint64_t)b->bins < (uint64_t)row) ++n;
            starts[row] = n;
        }
    }
}

/* ---- all of it ---- */

static mote_Status check_bounds(Blocks *b, const Cloud *cloud, mote_Error *error)
{
    for (int k = 0; k < 3; ++k) {
        double low = floor(cloud->low[k] * b->per_cell / BLOCK_CELLS) - 1;
        double high = floor(cloud->high[k] * b->per_cell / BLOCK_CELLS) + 1;
        if (!(high - low < (1 << AXIS_BITS) - 1) || !(fabs(low) < 1e9) || !(fabs(high) < 1e9))
            return status_fail(error, MOTE_BAD_VALUE,
                               "surface: the particles lie between %g and %g along %c, too far "
                               "for cells of %g m; leave far particles out, or take larger cells",
                               cloud->low[k], cloud->high[k], "xyz"[k], b -> cell);
        b->low[k] = (int32_t)low;
    }
    return MOTE_OK;
}

static mote_Status sort_particles(BlockSorting *s, mote_Error *error)
{
    Blocks *b = s->blocks;
    size_t count = s->def->cloud->count;
    s->items = memory_take(b->memory, count * sizeof *s->items);
    s->spare = memory_take(b->memory, count * sizeof *s->spare);
    if (s->items == NULL || s->spare == NULL) return no_memory(2 * count * sizeof *s->items, error);
    mote_parallel_for(b->tasks, count, GRAIN, make_keys, s);
    sort_items(s->items, s->spare, count);
    memory_free(b->memory, s->spare, count * sizeof *s->spare), s->spare = NULL;
    b->particles = memory_zeroed(b->memory, (count + PARTICLES_BEYOND) * sizeof *b->particles);
    if (b->particles == NULL) return no_memory(count * sizeof *b->particles, error);
    b->particle_count = count;
    if (s->def->rows) {
        b->rows = memory_take(b->memory, count * sizeof *b->rows);
        if (b->rows == NULL) return no_memory(count * sizeof *b->rows, error);
    }
    mote_parallel_for(b->tasks, count, GRAIN, make_particles, s);
    return MOTE_OK;
}

static mote_Status list_blocks(BlockSorting *s, SurfaceBlock *occupied, uint32_t *bits,
                               size_t count, mote_Error *error)
{
    Blocks *b = s->blocks;
    if (occupied == NULL || bits == NULL) return no_memory(count * sizeof *occupied, error);
    list_occupied(s, occupied);
    mote_parallel_for(b->tasks, count, 1, find_reached, &(Reaching){b, occupied, bits});
    mote_Status status = list_reached(s, occupied, bits, count, error);
    if (status != MOTE_OK) return status;
    adopt_particles(b, occupied, count);
    b->row_start_count = count * (size_t)(b->bins * b->bins + 1);
    b->row_starts = memory_take(b->memory, b->row_start_count * sizeof *b->row_starts);
    if (b->row_starts == NULL) return no_memory(b->row_start_count * sizeof *b->row_starts, error);
    mote_parallel_for(b->tasks, b->count, 16, start_rows, b);
    mote_parallel_for(b->tasks, b->count, 16, link_blocks, b);
    return MOTE_OK;
}

static mote_Status make_blocks(BlockSorting *s, mote_Error *error)
{
    Memory *memory = s->blocks->memory;
    size_t count = list_occupied(s, NULL);
    SurfaceBlock *occupied = memory_take(memory, count * sizeof *occupied);
    uint32_t *bits = memory_take(memory, count * sizeof *bits);
    mote_Status status = list_blocks(s, occupied, bits, count, error);
    memory_free(memory, bits, count * sizeof *bits);
    memory_free(memory, occupied, count * sizeof *occupied);
    return status;
}

static int bin_width(double spacing)
{
    int bin = 1;
    while (bin < 8 && 2 * bin <= spacing * 1.001) bin *= 2;
    return bin;
}

mote_Status blocks_make(Blocks *b, const BlocksDef *def, mote_Error *error)
{
    *b = (Blocks){.memory = def->memory,
                  .tasks = def->tasks,
                  .cell = def->cell,
                  .per_cell = 1 / def->cell,
                  .bin = bin_width(def->cloud->spacing / def->cell),
                  .reach = def->reach,
                  .spacing = (float)(def->cloud->spacing / def->cell)};
    b->bins = BLOCK_CELLS / b->bin;
    BlockSorting s = {.blocks = b, .def = def, .bins = (uint64_t)(b->bins * b->bins * b->bins)};
    mote_Status status = check_bounds(b, def->cloud, error);
    if (status == MOTE_OK) status = sort_particles(&s, error);
    if (status == MOTE_OK) status = make_blocks(&s, error);
    memory_free(b->memory, s.spare, def->cloud->count * sizeof *s.spare);
    memory_free(b->memory, s.items, def->cloud->count * sizeof *s.items);
    return status;
}

const SurfaceBlock *blocks_at(const Blocks *b, const double x[3], float at[3])
{
    const BlockPlace place = place_at(b, x);
    memcpy(at, place.at, sizeof place.at);
    if (!inside_keys(b, place.block)) return NULL;
    const uint32_t number = find_block(b, block_key(b, place.block));
    return number == BLOCK_NONE ? NULL : &b->blocks[number];
}

void blocks_free(Blocks *b)
{
    if (b->rows != NULL) memory_free(b->memory, b->rows, b->particle_count * sizeof *b->rows);
    memory_free(b->memory, b->row_starts, b->row_start_count * sizeof *b->row_starts);
    if (b->particles != NULL)
        memory_free(b->memory, b->particles,
                    (b->particle_count + PARTICLES_BEYOND) * sizeof *b->particles);
    memory_free(b->memory, b->blocks, b->count * sizeof *b->blocks);
}

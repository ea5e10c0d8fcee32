/* Binning in one pass: rows are projected by blocks, and each splat is copied at once to the cells
 * that it touches, into chains of 2 KB that every worker keeps for itself. No counting, no bands;
 * copies beat indices, because a tile then reads memory in order. Which worker took a row does not
 * matter: a tile's splats are sorted by their contents. */
#include "render/bins.h"

#include "base/loop.h"

#include <string.h>

enum { GRAIN = 8 * BLOCK_ROWS, SLAB_BLOCKS = 32, AHEAD = 16 };

_Static_assert(sizeof(SlotBlock) == 2048, "a block is whole cache lines");

void *bins_take(SplatBins *bins, size_t size)
{
    pthread_mutex_lock(&bins->lock);
    void *memory = arena_take(bins->arena, size);
    pthread_mutex_unlock(&bins->lock);
    return memory;
}

/* ---- chains ---- */

static SlotBlock *new_block(SplatBins *bins, Crate *crate)
{
    if (crate->next == crate->end) {
        crate->next = bins_take(bins, SLAB_BLOCKS * sizeof *crate->next);
        crate->failed |= crate->next == NULL;
        crate->end = crate->next != NULL ? crate->next + SLAB_BLOCKS : NULL;
        if (crate->next == NULL) return NULL;
    }
    return crate->next++;
}

/* The newest block of a chain that has one. */
static SlotBlock *chain_block(const Chain *chain)
{
    return (SlotBlock *)(void *)((char *)chain->end - sizeof(SlotBlock));
}

static bool chain_grow(SplatBins *bins, Crate *crate, Chain *chain)
{
    SlotBlock *block = new_block(bins, crate);
    if (block == NULL) return false;
    block->older = chain->end != NULL ? chain_block(chain) : NULL;
    block->older_used = chain->end != NULL ? (uint32_t)(chain->next - block->older->slots) : 0;
    block->count = chain->end != NULL ? block->older->count + 1 : 1;
    *chain = (Chain){block->slots, block->slots + BLOCK_SLOTS};
    return true;
}

static inline void chain_add(SplatBins *bins, Crate *crate, size_t cell, const Splat *splat)
{
    Chain *chain = &crate->chains[cell];
    const bool streak = splat->kind & KIND_STREAK;
    if (chain->end - chain->next <= streak && !chain_grow(bins, crate, chain)) return;
    *chain->next++ = splat[0];
    if (streak) *chain->next++ = splat[1];
}

/* ---- from rows to cells ---- */

/* Copies to the cells that the bounds touch; false when they are more than 2 x 2. */
static inline bool bin_level(SplatBins *bins, Crate *crate, const BinLevel *level, SplatBounds b,
                             const Splat *splat)
{
    const int column = b.x0 >> level->shift, row = b.y0 >> level->shift;
    const int wide = ((b.x1 - 1) >> level->shift) - column;
    const int high = ((b.y1 - 1) >> level->shift) - row;
    const size_t cell = level->first + (size_t)(row * level->columns + column);
    if ((wide | high) > 1) return false;
    chain_add(bins, crate, cell, splat);
    if (wide) chain_add(bins, crate, cell + 1, splat);
    if (!high) return true;
    chain_add(bins, crate, cell + (size_t)level->columns, splat);
    if (wide) chain_add(bins, crate, cell + (size_t)level->columns + 1, splat);
    return true;
}

static void bin_anywhere(SplatBins *bins, Crate *crate, const Splat *splat)
{
    const Limits picture = limits_make((SplatBounds){0, 0, bins->view->width, bins->view->height});
    SplatBounds b = splat_bounds(splat, &picture);
    if (bounds_empty(b)) return;
    const BinLevel *level = bins->levels;
    while (!bin_level(bins, crate, level, b, splat)) ++level;
}

static inline void bin_splat(SplatBins *bins, Crate *crate, uint32_t place, const Splat *splat)
{
    const size_t cell = place / 4, below = cell + (size_t)bins->levels[0].columns;
    if (place == CELL_ASK) {
        bin_anywhere(bins, crate, splat);
        return;
    }
    chain_add(bins, crate, cell, splat);
    if (place & 1) chain_add(bins, crate, cell + 1, splat);
    if (place & 2) chain_add(bins, crate, below, splat);
    if ((place & 3) == 3) chain_add(bins, crate, below + 1, splat);
}

/* Chains are at random places of the memory: those of the next splats are fetched before they are
 * needed, first the chain and then its end. */
static inline void fetch_ahead(const Crate *crate, const uint32_t *cells)
{
    const uint32_t far = cells[AHEAD], near = cells[AHEAD / 2];
    if (far != CELL_ASK) __builtin_prefetch(&crate->chains[far / 4]);
    if (near != CELL_ASK) __builtin_prefetch(crate->chains[near / 4].next, 1);
}

static void bin_rows(SplatBins *bins, Crate *crate, const SplatSource *source, size_t first,
                     size_t count)
{
    const ProjectJob job = {.view = bins->view,
                            .source = source,
                            .planes = bins->planes,
                            .plane_count = bins->plane_count,
                            .shift = bins->levels[0].shift,
                            .columns = bins->levels[0].columns};
    size_t (*project)(const ProjectJob *, size_t, size_t, Splat *, uint32_t *) =
        source->project != NULL ? source->project : bins->kernels->project;
    for (size_t done = 0; done < count; done += BLOCK_ROWS) {
        size_t n = count - done < BLOCK_ROWS ? count - done : BLOCK_ROWS;
        size_t slots = project(&job, first + done, n, crate->splats, crate->cells);
        memset(crate->cells + slots, 0, AHEAD * sizeof *crate->cells);
        for (size_t i = 0; i < slots; i += splat_slots(&crate->splats[i])) {
            fetch_ahead(crate, crate->cells + i);
            bin_splat(bins, crate, crate->cells[i], &crate->splats[i]);
        }
    }
}

/* Rows begin <= i < end of all sources one after the other. */
static void bin_range(void *context, size_t begin, size_t end, int worker)
{
    SplatBins *bins = context;
    size_t before = 0;
    for (size_t s = 0; s < bins->source_count; before += bins->sources[s++].count) {
        const SplatSource *source = &bins->sources[s];
        size_t first = begin > before ? begin - before : 0;
        size_t last = end > before ? end - before : 0;
        if (last > source->count) last = source->count;
        if (first < last) bin_rows(bins, &bins->crates[worker], source, first, last - first);
    }
}

/* ---- memory ---- */

static void make_levels(SplatBins *bins)
{
    int shift = __builtin_ctz((unsigned)bins->tile);
    size_t first = 0;
    for (int i = 0; i < LEVELS; ++i, shift += LEVEL_SHIFT) {
        if (i == LEVELS - 1) shift = 16; /* above the largest side */
        const int columns = ((bins->view->width - 1) >> shift) + 1;
        const int rows = ((bins->view->height - 1) >> shift) + 1;
        bins->levels[i] = (BinLevel){.shift = shift,
                                     .columns = columns,
                                     .first = first,
                                     .count = (size_t)columns * (size_t)rows};
        first += bins->levels[i].count;
    }
}

static bool take_crates(SplatBins *bins, size_t count)
{
    const size_t cells = bins->levels[LEVELS - 1].first + bins->levels[LEVELS - 1].count;
    bins->crates = arena_take(bins->arena, count * sizeof *bins->crates);
    if (bins->crates == NULL) return false;
    bins->crate_count = count;
    for (size_t i = 0; i < count; ++i) {
        Crate *crate = &bins->crates[i];
        *crate = (Crate){.chains = arena_take(bins->arena, cells * sizeof *crate->chains)};
        crate->splats = arena_take(bins->arena, project_slots(BLOCK_ROWS) * sizeof *crate->splats);
        crate->cells =
            arena_take(bins->arena, (project_slots(BLOCK_ROWS) + AHEAD) * sizeof *crate->cells);
        if (crate->chains == NULL || crate->splats == NULL || crate->cells == NULL) return false;
        memset(crate->chains, 0, cells * sizeof *crate->chains);
    }
    return true;
}

bool bins_fill(SplatBins *bins, const SplatSource *sources, size_t count, mote_Tasks *tasks)
{
    size_t rows = 0;
    bins->sources = sources, bins->source_count = count;
    pthread_mutex_init(&bins->lock, NULL);
    make_levels(bins);
    if (!take_crates(bins, (size_t)mote_tasks_workers(tasks))) return false;
    for (size_t s = 0; s < count; ++s) rows += sources[s].count;
    mote_parallel_for(tasks, rows, GRAIN, bin_range, bins);
    bool good = true;
    for (size_t i = 0; i < bins->crate_count; ++i) good = good && !bins->crates[i].failed;
    return good;
}

void bins_end(SplatBins *bins)
{
    pthread_mutex_destroy(&bins->lock);
}

/* ---- one tile ---- */

/* The cell of a level that a tile is in. */
static size_t cell_of(const SplatBins *bins, const BinLevel *level, size_t tile)
{
    const size_t columns = (size_t)bins->levels[0].columns;
    const int coarser = level->shift - bins->levels[0].shift;
    return level->first + (tile / columns >> coarser) * (size_t)level->columns +
           (tile % columns >> coarser);
}

/* What a worker has for a tile at a level. */
static const Chain *chain_of(const SplatBins *bins, int level, size_t worker, size_t tile)
{
    return &bins->crates[worker].chains[cell_of(bins, &bins->levels[level], tile)];
}

size_t bins_most(const SplatBins *bins, size_t tile)
{
    size_t blocks = 0;
    for (int i = 0; i < LEVELS; ++i) {
        for (size_t w = 0; w < bins->crate_count; ++w) {
            const Chain *chain = chain_of(bins, i, w, tile);
            blocks += chain->end != NULL ? chain_block(chain)->count : 0;
        }
    }
    return blocks * BLOCK_SLOTS;
}

typedef struct Gather {
    Limits limits;
    bool all; /* every splat touches the tile */
    const Splat **splats;
    uint64_t *keys;
    size_t count;
} Gather;

static bool touches(const Splat *s, const Limits *limits)
{
    SplatBounds b = splat_bounds(s, limits);
    if (bounds_empty(b)) return false;
    if (!(s->kind & KIND_STREAK)) return true;
    const Slant slant = slant_make(s);
    Span top = slant_span(&slant, (float)b.y0 + 0.5f - s->y, (float)b.x0, (float)b.x1);
    Span bottom = slant_span(&slant, (float)b.y1 - 0.5f - s->y, (float)b.x0, (float)b.x1);
    return (top.begin < bottom.begin ? top.begin : bottom.begin) <
           (top.end > bottom.end ? top.end : bottom.end);
}

/* The next block comes from memory while this one is read. */
static void gather_block(Gather *g, const SlotBlock *block, uint32_t used)
{
    const Splat *end = block->slots + used;
    const char *next = (const char *)block->older;
    for (const Splat *s = block->slots; s < end; s += splat_slots(s)) {
        if (next != NULL) __builtin_prefetch(next + ((const char *)s - (const char *)block));
        if (!g->all && !touches(s, &g->limits)) continue;
        uint32_t depth;
        memcpy(&depth, &s->depth, sizeof depth);
        g->keys[g->count] = (uint64_t)depth << 32 | g->count;
        g->splats[g->count++] = s;
    }
}

static void gather_chain(Gather *g, const Chain *chain)
{
    if (chain->end == NULL) return;
    const SlotBlock *block = chain_block(chain);
    uint32_t used = (uint32_t)(chain->next - block->slots);
    for (; block != NULL; used = block->older_used, block = block->older)
        gather_block(g, block, used);
}

size_t bins_gather(const SplatBins *bins, size_t tile, const Splat **splats, uint64_t *keys)
{
    Gather g = {.limits = limits_make(bins_box(bins, tile)), .splats = splats, .keys = keys};
    for (int i = 0; i < LEVELS; ++i) {
        g.all = i == 0;
        for (size_t w = 0; w < bins->crate_count; ++w) gather_chain(&g, chain_of(bins, i, w, tile));
    }
    return g.count;
}

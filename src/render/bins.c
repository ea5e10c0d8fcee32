/* Binning: pass 1 projects and counts entries per chunk and tile; prefix sums; pass 2 copies whole
 * splats into the slice of each tile. Copies beat indices, because a tile then reads memory in
 * order. */
#include "render/bins.h"

#include <string.h>

enum { CHUNK_ROWS = 16384, MOST_CHUNKS = 128, BAND_LEAST = 1 << 20 };

/* ---- pass 1 ---- */

static Bounds whole(const Bins *bins)
{
    return (Bounds){0, 0, bins->view->width, bins->view->height};
}

/* Tile columns [columns[0], columns[1]) of tile row `row` that a splat within `box` may touch. */
static inline void tile_columns(const Bins *bins, const Splat *splat, Bounds box, int row,
                                int columns[2])
{
    int x[2] = {box.x0, box.x1};
    streak_span(splat, (float)(row * bins->tile), (float)((row + 1) * bins->tile), x);
    columns[0] = x[0] >> bins->shift;
    columns[1] = x[0] < x[1] ? ((x[1] - 1) >> bins->shift) + 1 : columns[0];
}

static void count_splat(const Bins *bins, const Splat *splat, uint32_t *counts)
{
    Bounds box = splat_bounds(splat, whole(bins));
    if (box.x0 >= box.x1 || box.y0 >= box.y1) return;
    int last = (box.y1 - 1) >> bins->shift, span[2];
    for (int row = box.y0 >> bins->shift; row <= last; ++row) {
        tile_columns(bins, splat, box, row, span);
        for (int c = span[0]; c < span[1]; ++c) ++counts[row * bins->columns + c];
    }
}

static void project_chunks(void *context, size_t begin, size_t end, int worker)
{
    Bins *bins = context;
    (void)worker;
    for (size_t c = begin; c < end; ++c) {
        Chunk *chunk = &bins->chunks[c];
        ProjectJob job = {.view = bins->view,
                          .source = chunk->source,
                          .planes = bins->planes,
                          .plane_count = bins->plane_count};
        chunk->visible =
            (chunk->source->project != NULL ? chunk->source->project : render_kernels()->project)(
                &job, chunk->first, chunk->count, chunk->splats);
        memset(chunk->counts, 0, bins_tiles(bins) * sizeof *chunk->counts);
        for (size_t i = 0; i < chunk->visible; ++i)
            count_splat(bins, &chunk->splats[i], chunk->counts);
    }
}

static void sum_counts(Bins *bins)
{
    const size_t tiles = bins_tiles(bins);
    memset(bins->totals, 0, tiles * sizeof *bins->totals);
    bins->most = 0;
    for (size_t c = 0; c < bins->chunk_count; ++c) {
        uint32_t *counts = bins->chunks[c].counts;
        for (size_t t = 0; t < tiles; ++t) {
            size_t before = bins->totals[t];
            bins->totals[t] += counts[t];
            counts[t] = (uint32_t)before;
        }
    }
    for (size_t t = 0; t < tiles; ++t)
        if (bins->totals[t] > bins->most) bins->most = bins->totals[t];
}

/* ---- memory ---- */

static size_t chunks_of(const Source *sources, size_t count, size_t rows)
{
    size_t chunks = 0;
    for (size_t s = 0; s < count; ++s) chunks += (sources[s].count + rows - 1) / rows;
    return chunks;
}

static size_t rows_of(const Source *sources, size_t count)
{
    size_t rows = 0;
    for (size_t s = 0; s < count; ++s) rows += sources[s].count;
    return rows;
}

static bool chunk_take(Bins *bins, Chunk *chunk, Arena *arena)
{
    chunk->splats = arena_take(arena, chunk->count * sizeof *chunk->splats);
    chunk->counts = arena_take(arena, bins_tiles(bins) * sizeof *chunk->counts);
    return chunk->splats != NULL && chunk->counts != NULL;
}

static bool make_chunks(Bins *bins, const Source *sources, size_t count, Arena *arena)
{
    size_t rows = rows_of(sources, count) / MOST_CHUNKS;
    rows = rows > CHUNK_ROWS ? rows : CHUNK_ROWS;
    size_t total = chunks_of(sources, count, rows);
    bins->chunks = arena_take(arena, (total + 1) * sizeof *bins->chunks);
    if (bins->chunks == NULL) return false;
    bins->chunk_count = 0;
    for (size_t s = 0; s < count; ++s) {
        for (size_t first = 0; first < sources[s].count; first += rows) {
            size_t left = sources[s].count - first;
            Chunk *chunk = &bins->chunks[bins->chunk_count++];
            *chunk = (Chunk){.source = &sources[s], .first = first};
            chunk->count = left < rows ? left : rows;
            if (!chunk_take(bins, chunk, arena)) return false;
        }
    }
    return true;
}

/* Room for a picture whose splats each touch two tiles, and for the fullest tile. */
static bool take_entries(Bins *bins, Arena *arena)
{
    size_t visible = 0, total = 0;
    for (size_t c = 0; c < bins->chunk_count; ++c) visible += bins->chunks[c].visible;
    for (size_t t = 0; t < bins_tiles(bins); ++t) total += bins->totals[t];
    bins->capacity = 2 * visible > BAND_LEAST ? 2 * visible : BAND_LEAST;
    if (bins->capacity > total) bins->capacity = total;
    if (bins->capacity < bins->most) bins->capacity = bins->most;
    bins->entries = arena_take(arena, (bins->capacity + 1) * sizeof *bins->entries);
    return bins->entries != NULL;
}

bool bins_fill(Bins *bins, const Source *sources, size_t count, Arena *arena, mote_Tasks *tasks)
{
    bins->shift = __builtin_ctz((unsigned)bins->tile);
    bins->columns = (bins->view->width + bins->tile - 1) / bins->tile;
    bins->rows = (bins->view->height + bins->tile - 1) / bins->tile;
    bins->first = bins->last = 0;
    bins->totals = arena_take(arena, bins_tiles(bins) * sizeof *bins->totals);
    bins->starts = arena_take(arena, bins_tiles(bins) * sizeof *bins->starts);
    if (bins->totals == NULL || bins->starts == NULL) return false;
    if (!make_chunks(bins, sources, count, arena)) return false;
    mote_parallel_for(tasks, bins->chunk_count, 1, project_chunks, bins);
    sum_counts(bins);
    return take_entries(bins, arena);
}

/* ---- pass 2 ---- */

static void copy_splat(Bins *bins, const Splat *splat, uint32_t *counts)
{
    Bounds box = splat_bounds(splat, whole(bins));
    if (box.x0 >= box.x1 || box.y0 >= box.y1) return;
    int last = (box.y1 - 1) >> bins->shift, span[2];
    for (int row = box.y0 >> bins->shift; row <= last; ++row) {
        tile_columns(bins, splat, box, row, span);
        for (int c = span[0]; c < span[1]; ++c) {
            size_t tile = (size_t)row * (size_t)bins->columns + (size_t)c;
            if (tile < bins->first || tile >= bins->last) continue;
            bins->entries[bins->starts[tile] + counts[tile]++] = *splat;
        }
    }
}

static void copy_chunks(void *context, size_t begin, size_t end, int worker)
{
    Bins *bins = context;
    (void)worker;
    for (size_t c = begin; c < end; ++c) {
        Chunk *chunk = &bins->chunks[c];
        for (size_t i = 0; i < chunk->visible; ++i)
            copy_splat(bins, &chunk->splats[i], chunk->counts);
    }
}

bool bins_next_band(Bins *bins, mote_Tasks *tasks)
{
    const size_t tiles = bins_tiles(bins);
    size_t used = 0;
    bins->first = bins->last;
    if (bins->first >= tiles) return false;
    for (size_t t = bins->first; t < tiles && used + bins->totals[t] <= bins->capacity; ++t) {
        bins->starts[t] = used;
        used += bins->totals[t];
        bins->last = t + 1;
    }
    mote_parallel_for(tasks, bins->chunk_count, 1, copy_chunks, bins);
    return true;
}

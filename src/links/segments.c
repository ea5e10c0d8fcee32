/* From links between ids to segments of rows: rows are looked up, runs of links whose ends both go
 * up by one are found, and cut where the row that they act on goes to another block. */
#include "links/links.h"

#include "base/sort.h"

#include <string.h>

/* ---- factors ---- */

static bool same_factors(const Links *links, const mote_real wanted[LINK_KINDS + 1])
{
    for (int i = 0; i <= LINK_KINDS; ++i)
        if (links->factors[i] != wanted[i]) return false;
    return true;
}

static mote_real link_share(const Links *links, size_t link)
{
    return links->share != NULL ? links->share[link] : 1;
}

/* The strain form's 1 / r is in the factor, so that kernels know one law. */
static void set_factors(Links *links)
{
    const mote_LinksDef *def = links_def(links);
    const mote_real wanted[LINK_KINDS + 1] = {1, def->shear, def->bend, (mote_real)def->form};
    if (links->valid && same_factors(links, wanted)) return;
    memcpy(links->factors, wanted, sizeof wanted);
    for (size_t i = 0; i < links->count; ++i) {
        mote_real share = def->form == MOTE_LINKS_STRAIN ? 1 / links->rest[i] : 1;
        links->factor[i] = links->broken[i] == LINK_WHOLE
                               ? wanted[links->kind[i]] * share * link_share(links, i)
                               : 0;
    }
}

/* ---- segments ---- */

/* Cells (links or triangles) with the rows of their corners; GONE in a cell that is gone. */
typedef struct SegmentCells {
    size_t count;
    int corners;
    uint32_t *rows[3];
} SegmentCells;

#define GONE UINT32_MAX

/* Sheets and lattices lay out links so that whole rows of them follow each other: then loops read
 * memory in order and need no index. */
static bool follows(const SegmentCells *cells, size_t i)
{
    bool next = cells->rows[0][i - 1] != GONE;
    for (int c = 0; c < cells->corners; ++c)
        next = next && cells->rows[c][i] == cells->rows[c][i - 1] + 1;
    return next;
}

typedef void SegmentVisit(void *context, const SegmentCells *cells, size_t first, size_t count,
                          int own);

/* Calls `visit` for every piece of a run whose own rows lie in one block, for one corner. */
static void visit_pieces(const SegmentCells *cells, int own, SegmentVisit *visit, void *context)
{
    for (size_t i = 0, end; i < cells->count; i = end) {
        size_t row = cells->rows[own][i];
        end = i + 1;
        if (cells->rows[0][i] == GONE) continue;
        size_t most = BLOCK_ROWS - row % BLOCK_ROWS;
        while (end < cells->count && end - i < most && follows(cells, end)) ++end;
        visit(context, cells, i, end - i, own);
    }
}

static void count_piece(void *context, const SegmentCells *cells, size_t first, size_t count,
                        int own)
{
    size_t *counts = context;
    (void)count;
    ++counts[cells->rows[own][first] / BLOCK_ROWS];
}

/* Counts become places: of corner 0 in all blocks' order, block by block, then corner 1, ... */
typedef struct Filling {
    size_t *next; /* place of the next piece of each block */
    void *segments;
} Filling;

static void fill_link(void *context, const SegmentCells *cells, size_t first, size_t count, int own)
{
    Filling *filling = context;
    uint32_t row = cells->rows[own][first];
    LinkSegment *segments = filling->segments;
    segments[filling->next[row / BLOCK_ROWS]++] =
        (LinkSegment){row, cells->rows[1 - own][first], (uint32_t)first, (uint32_t)count};
}

static void fill_triangle(void *context, const SegmentCells *cells, size_t first, size_t count,
                          int own)
{
    Filling *filling = context;
    uint32_t row = cells->rows[own][first];
    TriangleSegment *segments = filling->segments;
    segments[filling->next[row / BLOCK_ROWS]++] = (TriangleSegment){
        row, cells->rows[(own + 1) % 3][first], cells->rows[(own + 2) % 3][first], (uint32_t)count};
}

/* Pieces of corner 0 stand first in their block, then those of the others. */
static bool build_list(Links *links, const SegmentCells *cells, SegmentList *list, size_t item,
                       SegmentVisit *fill, Arena *arena)
{
    size_t blocks = links->blocks, total = 0;
    size_t *counts = arena_take(arena, (blocks + 1) * 3 * sizeof *counts);
    size_t *next = arena_take(arena, (blocks + 1) * sizeof *next);
    if (counts == NULL || next == NULL) return false;
    memset(counts, 0, (blocks + 1) * 3 * sizeof *counts);
    for (int c = 0; c < cells->corners; ++c)
        visit_pieces(cells, c, count_piece, counts + (size_t)c * (blocks + 1));
    for (size_t b = 0; b < blocks; ++b) {
        list->starts[b] = total;
        list->splits[b] = total + counts[b];
        for (int c = 0; c < cells->corners; ++c) total += counts[(size_t)c * (blocks + 1) + b];
    }
    list->starts[blocks] = list->splits[blocks] = total;
    if (!memory_reserve(links->memory, &list->segments, &list->capacity, total, item)) return false;
    memcpy(next, list->starts, blocks * sizeof *next);
    Filling filling = {next, list->segments};
    for (int c = 0; c < cells->corners; ++c) visit_pieces(cells, c, fill, &filling);
    return true;
}

/* ---- rows ---- */

/* The rows of planar ids; a cell with a corner that does not live is gone. */
static bool find_rows(mote_System *system, const uint64_t *ids, SegmentCells *cells, Arena *arena)
{
    for (int c = 0; c < cells->corners; ++c) {
        cells->rows[c] = arena_take(arena, (cells->count + 1) * sizeof *cells->rows[c]);
        if (cells->rows[c] == NULL) return false;
    }
    for (size_t i = 0; i < cells->count; ++i) {
        bool whole = true;
        for (int c = 0; c < cells->corners; ++c) {
            size_t row = mote_system_find(system, ids[(size_t)c * cells->count + i]);
            whole = whole && row < GONE;
            cells->rows[c][i] = (uint32_t)row;
        }
        if (!whole) cells->rows[0][i] = GONE;
    }
    return true;
}

static bool reserve_blocks(Links *links, size_t blocks)
{
    size_t **const arrays[] = {&links->links.starts, &links->links.splits, &links->triangles.starts,
                               &links->triangles.splits};
    if (blocks + 1 <= links->block_capacity) return true;
    size_t wanted = blocks + 1 + blocks / 2;
    size_t *fresh[4];
    for (int i = 0; i < 4; ++i) {
        fresh[i] = memory_take(links->memory, wanted * sizeof **arrays[i]);
        if (fresh[i] != NULL) continue;
        while (i-- > 0) memory_free(links->memory, fresh[i], wanted * sizeof **arrays[i]);
        return false;
    }
    for (int i = 0; i < 4; ++i) {
        memory_free(links->memory, *arrays[i], links->block_capacity * sizeof **arrays[i]);
        *arrays[i] = fresh[i];
    }
    links->block_capacity = wanted;
    return true;
}

static bool place(Links *links, mote_System *system, Arena *arena)
{
    SegmentCells cells = {.count = links->count, .corners = 2};
    SegmentCells triangles = {.count = links->triangle_count, .corners = 3};
    if (!find_rows(system, links->ends, &cells, arena) ||
        !find_rows(system, links->corners, &triangles, arena))
        return false;
    for (size_t i = 0; i < links->count; ++i)
        if (cells.rows[0][i] == GONE) links->broken[i] = LINK_BROKEN;
    return build_list(links, &cells, &links->links, sizeof(LinkSegment), fill_link, arena) &&
           build_list(links, &triangles, &links->triangles, sizeof(TriangleSegment), fill_triangle,
                      arena);
}

bool links_refresh(Links *links, mote_System *system)
{
    if (!links->valid || links->layout != system->layout) {
        Arena arena = arena_make(links->memory);
        links->valid = links->view_valid = false;
        links->blocks = system_blocks(system);
        bool room = reserve_blocks(links, links->blocks) && place(links, system, &arena);
        arena_free(&arena);
        if (!room) return false;
        links->layout = system->layout;
    }
    set_factors(links);
    links->valid = true;
    return true;
}

void links_changed(Links *links)
{
    links->view_valid = false;
    if (!links->valid) return;
    for (size_t i = 0; i < links->count; ++i)
        if (links->broken[i] != LINK_WHOLE) links->factor[i] = 0;
}

/* Rows added since then have no links. Where there may be no array one segment stands for it, since
 * loops run up to the pointer plus the count. */
const LinkSegment *links_segments(const Links *links, size_t block, size_t *count)
{
    static const LinkSegment none;
    bool inside = block < links->blocks;
    *count = inside ? links->links.starts[block + 1] - links->links.starts[block] : 0;
    if (*count == 0) return &none;
    return (const LinkSegment *)links->links.segments + links->links.starts[block];
}

const LinkSegment *links_first_ends(const Links *links, size_t block, size_t *count)
{
    const LinkSegment *segments = links_segments(links, block, count);
    if (block < links->blocks) *count = links->links.splits[block] - links->links.starts[block];
    return segments;
}

const TriangleSegment *links_triangles(const Links *links, size_t block, size_t *count)
{
    bool inside = block < links->blocks;
    *count = inside ? links->triangles.starts[block + 1] - links->triangles.starts[block] : 0;
    if (*count == 0) return NULL; /* there may be no array to point into */
    return (const TriangleSegment *)links->triangles.segments + links->triangles.starts[block];
}

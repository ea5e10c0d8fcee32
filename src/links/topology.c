/* What a frame shows of links: those that are whole, and triangles none of whose edges is a broken
 * link. As long as nothing is broken, that is what was laid out. */
#include "links/links.h"

#include "base/sort.h"

#include <string.h>

/* Broken links by their lower id. */
typedef struct Torn {
    SortItem *items;
    size_t count;
} Torn;

static uint64_t lower(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t higher(uint64_t a, uint64_t b)
{
    return a < b ? b : a;
}

static size_t count_broken(const Links *links)
{
    size_t count = 0;
    for (size_t i = 0; i < links->count; ++i) count += links->broken[i] != LINK_WHOLE;
    return count;
}

static void collect_torn(const Links *links, Torn *torn)
{
    size_t n = links->count;
    torn->count = 0;
    for (size_t i = 0; i < n; ++i)
        if (links->broken[i] != LINK_WHOLE)
            torn->items[torn->count++] = (SortItem){lower(links->ends[i], links->ends[n + i]), i};
    sort_items(torn->items, torn->items + torn->count, torn->count);
}

static bool is_torn(const Links *links, const Torn *torn, uint64_t a, uint64_t b)
{
    uint64_t key = lower(a, b), other = higher(a, b);
    const size_t n = links->count;
    for (size_t at = sort_find(torn->items, torn->count, key);
         at < torn->count && torn->items[at].key == key; ++at) {
        size_t i = (size_t)torn->items[at].value;
        if (higher(links->ends[i], links->ends[n + i]) == other) return true;
    }
    return false;
}

static bool shows(const Links *links, mote_System *system, const Torn *torn, size_t triangle)
{
    size_t t = links->triangle_count;
    for (size_t c = 0; c < 3; ++c) {
        uint64_t a = links->corners[c * t + triangle];
        uint64_t b = links->corners[(c + 1) % 3 * t + triangle];
        if (mote_system_find(system, a) == SIZE_MAX || is_torn(links, torn, a, b)) return false;
    }
    return true;
}

/* Copies the cells that `kept` marks, plane after plane. */
static size_t pack(const uint64_t *from, size_t count, int corners, const uint8_t *kept,
                   uint64_t *to)
{
    size_t left = 0, at = 0;
    for (size_t i = 0; i < count; ++i) left += kept[i];
    for (int c = 0; c < corners; ++c)
        for (size_t i = 0; i < count; ++i)
            if (kept[i]) to[at++] = from[(size_t)c * count + i];
    return left;
}

static bool build_view(Links *links, mote_System *system, Arena *arena)
{
    size_t n = links->count, t = links->triangle_count, broken = count_broken(links);
    Torn torn = {arena_take(arena, (2 * broken + 1) * sizeof *torn.items), 0};
    uint8_t *kept = arena_take(arena, n + t + 1);
    if (torn.items == NULL || kept == NULL) return false;
    collect_torn(links, &torn);
    for (size_t i = 0; i < n; ++i) kept[i] = links->broken[i] == LINK_WHOLE;
    for (size_t i = 0; i < t; ++i) kept[n + i] = shows(links, system, &torn, i);
    links->view_links = pack(links->ends, n, 2, kept, links->view);
    links->view_triangles = pack(links->corners, t, 3, kept + n, links->view + 2 * n);
    return true;
}

static bool refresh_view(Links *links, mote_System *system)
{
    size_t n = links->count, t = links->triangle_count;
    if (links->view_valid) return true;
    if (links->view == NULL && n + t > 0)
        links->view = memory_take(links->memory, (2 * n + 3 * t) * sizeof *links->view);
    if (links->view == NULL && n + t > 0) return false;
    Arena arena = arena_make(links->memory);
    links->view_valid = n + t == 0 || build_view(links, system, &arena);
    arena_free(&arena);
    return links->view_valid;
}

bool links_topology(Links *links, mote_System *system, LinksTopology *topology)
{
    if (!links_refresh(links, system)) return false;
    *topology = (LinksTopology){links->ends, links->corners, links->count, links->triangle_count};
    if (count_broken(links) == 0) return true;
    if (!refresh_view(links, system)) return false;
    *topology = (LinksTopology){links->view, links->view + 2 * links->count, links->view_links,
                                links->view_triangles};
    return true;
}

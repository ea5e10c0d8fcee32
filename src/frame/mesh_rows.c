/* Rows by id: direct where ids stand in order, otherwise by a sorted list. */
#include "frame/mesh_rows.h"

#include "base/sort.h"

#include <string.h>

typedef struct IdIndex {
    SortItem *items; /* (id, row) by id */
    size_t count;
} IdIndex;

static bool ascend(const SortItem *items, size_t count)
{
    for (size_t i = 1; i < count; ++i)
        if (items[i].key < items[i - 1].key) return false;
    return true;
}

/* A frame from a file may lack ids: then nothing is found. */
static bool index_ids(const mote_FrameSystem *system, Arena *arena, IdIndex *index)
{
    const mote_Column *column = mote_frame_column(system, "id");
    *index = (IdIndex){NULL, 0};
    if (column == NULL || column->type != MOTE_COLUMN_U64 || system->count == 0) return true;
    const uint64_t *ids = column->data;
    index->items = arena_take(arena, 2 * system->count * sizeof *index->items);
    if (index->items == NULL) return false;
    for (size_t i = 0; i < system->count; ++i) index->items[i] = (SortItem){ids[i], i};
    index->count = system->count;
    if (!ascend(index->items, index->count))
        sort_items(index->items, index->items + index->count, index->count);
    return true;
}

/* Ids count from 0, so in a system that has lost no row the id is the place itself. */
static size_t find_row(const IdIndex *index, uint64_t id)
{
    if (id < index->count && index->items[id].key == id) return (size_t)index->items[id].value;
    size_t at = sort_find(index->items, index->count, id);
    return at < index->count && index->items[at].key == id ? (size_t)index->items[at].value
                                                           : SIZE_MAX;
}

/* Appends the rows of `count` cells of `corners` ids each; returns how many were whole. */
static size_t add_cells(const IdIndex *index, const uint64_t *ids, size_t count, size_t corners,
                        size_t *rows)
{
    size_t added = 0;
    for (size_t i = 0; i < count; ++i) {
        size_t *cell = rows + added * corners;
        bool whole = true;
        for (size_t c = 0; c < corners; ++c) {
            cell[c] = find_row(index, ids[c * count + i]);
            whole = whole && cell[c] != SIZE_MAX;
        }
        added += whole;
    }
    return added;
}

/* Meshes hold ids, which stay when rows are sorted or die; whoever draws or writes wants rows. A
 * link or triangle with an end that is gone is left out. */
bool frame_mesh_rows(const mote_Frame *frame, size_t system, const mote_FrameMesh *meshes,
                     size_t count, Arena *arena, MeshRows *rows)
{
    size_t links = 0, triangles = 0;
    IdIndex index;
    *rows = (MeshRows){NULL, 0, NULL, 0};
    for (size_t i = 0; i < count; ++i) {
        if (meshes[i].system != system) continue;
        links += meshes[i].link_count, triangles += meshes[i].triangle_count;
    }
    if (links + triangles == 0) return true;
    rows->links = arena_take(arena, (2 * links + 1) * sizeof *rows->links);
    rows->triangles = arena_take(arena, (3 * triangles + 1) * sizeof *rows->triangles);
    if (rows->links == NULL || rows->triangles == NULL ||
        !index_ids(&frame->systems[system], arena, &index))
        return false;
    for (size_t i = 0; i < count; ++i) {
        const mote_FrameMesh *mesh = &meshes[i];
        if (mesh->system != system) continue;
        rows->link_count +=
            add_cells(&index, mesh->links, mesh->link_count, 2, rows->links + 2 * rows->link_count);
        rows->triangle_count += add_cells(&index, mesh->triangles, mesh->triangle_count, 3,
                                          rows->triangles + 3 * rows->triangle_count);
    }
    return true;
}

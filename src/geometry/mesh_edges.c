/* Edges of meshes: neighbours, holes, crowded and flipped edges, parts; and the order of triangles.
 */
#include "geometry/mesh.h"

#include "base/sort.h"
#include "base/status.h"

#include <string.h>

/* ---- the order of the tree ---- */

static Aabb triangle_bounds(const mote_Mesh *mesh, size_t i)
{
    Aabb box = aabb_empty();
    for (int k = 0; k < 3; ++k) box = aabb_add_point(&box, mesh->vertices[mesh->triangles[i][k]]);
    return box;
}

/* Triangles into the order of the leaves; the neighbours' memory serves as a second place. */
static void apply_order(mote_Mesh *mesh)
{
    uint32_t(*old)[3] = mesh->neighbours;
    memcpy(old, mesh->triangles, mesh->triangle_count * sizeof *old);
    for (size_t i = 0; i < mesh->triangle_count; ++i) {
        memcpy(mesh->triangles[i], old[mesh->tree.order[i]], sizeof *old);
        mesh->tree.order[i] = (uint32_t)i;
    }
}

/* The same of their places on a texture, before the order is forgotten. */
static bool order_uvs(mote_Mesh *mesh)
{
    const size_t bytes = mesh->triangle_count * sizeof *mesh->uvs;
    if (mesh->uvs == NULL) return true;
    float(*old)[3][2] = memory_take(&mesh->memory, bytes);
    if (old == NULL) return false;
    memcpy(old, mesh->uvs, bytes);
    for (size_t i = 0; i < mesh->triangle_count; ++i)
        memcpy(mesh->uvs[i], old[mesh->tree.order[i]], sizeof *old);
    memory_free(&mesh->memory, old, bytes);
    return true;
}

mote_Status mesh_sort_triangles(mote_Mesh *mesh, mote_Error *error)
{
    size_t bytes = mesh->triangle_count * sizeof(Aabb);
    Aabb *boxes = memory_take(&mesh->memory, bytes);
    if (boxes == NULL) return status_no_memory(error, "a mesh", bytes);
    for (size_t i = 0; i < mesh->triangle_count; ++i) boxes[i] = triangle_bounds(mesh, i);
    mote_Status status =
        bounds_tree_build(&mesh->tree, boxes, mesh->triangle_count, MESH_LEAF, error);
    memory_free(&mesh->memory, boxes, bytes);
    if (status == MOTE_OK && !order_uvs(mesh)) return status_no_memory(error, "a mesh", bytes);
    if (status == MOTE_OK) apply_order(mesh);
    return status;
}

/* ---- neighbours ---- */

/* An edge's two vertices as a key, smaller first; the value says whose edge it is. */
static SortItem edge_item(const mote_Mesh *mesh, size_t triangle, int edge)
{
    uint64_t a = mesh->triangles[triangle][edge], b = mesh->triangles[triangle][(edge + 1) % 3];
    return (SortItem){a < b ? a << 32 | b : b << 32 | a, triangle * 4 + (size_t)edge};
}

static uint32_t *neighbour_at(mote_Mesh *mesh, const SortItem *item)
{
    return &mesh->neighbours[item->value / 4][item->value % 4];
}

static uint32_t edge_start(const mote_Mesh *mesh, const SortItem *item)
{
    return mesh->triangles[item->value / 4][item->value % 4];
}

static void note(const mote_Mesh *mesh, const SortItem *item, size_t *count, double at[3])
{
    mote_Vec3 a = mesh->vertices[item->key >> 32], b = mesh->vertices[item->key & UINT32_MAX];
    mote_Vec3 middle = vec3_scale(vec3_add(a, b), (mote_real)0.5);
    if ((*count)++ > 0) return;
    at[0] = (double)middle.x, at[1] = (double)middle.y, at[2] = (double)middle.z;
}

/* One edge, with all its triangles. */
static void judge_edge(mote_Mesh *mesh, const SortItem *items, size_t count)
{
    mote_MeshFacts *facts = &mesh->facts;
    for (size_t i = 0; i < count; ++i) *neighbour_at(mesh, &items[i]) = MESH_NO_NEIGHBOUR;
    if (count == 1) {
        note(mesh, items, &facts->open_edges, facts->open_at);
    } else if (count > 2) {
        note(mesh, items, &facts->crowded_edges, facts->crowded_at);
    } else {
        *neighbour_at(mesh, &items[0]) = (uint32_t)(items[1].value / 4);
        *neighbour_at(mesh, &items[1]) = (uint32_t)(items[0].value / 4);
        if (edge_start(mesh, &items[0]) == edge_start(mesh, &items[1]))
            note(mesh, items, &facts->flipped_edges, facts->flipped_at);
    }
}

static void judge_edges(mote_Mesh *mesh, const SortItem *items, size_t count)
{
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && items[end].key == items[first].key;) ++end;
        judge_edge(mesh, items + first, end - first);
    }
}

/* ---- parts: disjoint sets by path halving ---- */

static uint32_t find_root(uint32_t *parent, uint32_t i)
{
    for (; parent[i] != i; i = parent[i]) parent[i] = parent[parent[i]];
    return i;
}

static void count_parts(mote_Mesh *mesh, uint32_t *parent)
{
    uint32_t count = (uint32_t)mesh->triangle_count;
    for (uint32_t i = 0; i < count; ++i) parent[i] = i;
    for (uint32_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            uint32_t other = mesh->neighbours[i][k];
            if (other == MESH_NO_NEIGHBOUR) continue;
            uint32_t a = find_root(parent, i), b = find_root(parent, other);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    for (uint32_t i = 0; i < count; ++i) mesh->facts.parts += parent[i] == i;
}

mote_Status mesh_find_neighbours(mote_Mesh *mesh, mote_Error *error)
{
    size_t count = 3 * mesh->triangle_count, bytes = count * sizeof(SortItem);
    SortItem *items = memory_take(&mesh->memory, bytes), *spare = NULL;
    if (items != NULL) spare = memory_take(&mesh->memory, bytes);
    if (spare != NULL) {
        for (size_t i = 0; i < count; ++i) items[i] = edge_item(mesh, i / 3, (int)(i % 3));
        sort_items(items, spare, count);
        judge_edges(mesh, items, count);
        count_parts(mesh, (uint32_t *)spare);
    }
    bool good = spare != NULL;
    memory_free(&mesh->memory, spare, bytes);
    memory_free(&mesh->memory, items, bytes);
    if (!good) return status_no_memory(error, "a mesh", bytes);
    const mote_MeshFacts *f = &mesh->facts;
    mesh->facts.closed = f->open_edges == 0 && f->crowded_edges == 0 && f->flipped_edges == 0;
    return MOTE_OK;
}

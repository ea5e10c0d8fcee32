/* Which side of a closed mesh the cells of a coarse grid lie on.
 *
 * Cells that no triangle comes near are joined to regions; a region lies on one side as a whole,
 * and one question for the nearest triangle settles which. A point in such a cell then knows its
 * side without a search, however far away the surface is. */
#include "base/status.h"
#include "geometry/mesh_query.h"

#include <math.h>
#include <string.h>

enum {
    CELLS_PER_TRIANGLE = 8,
    MOST_CELLS = 1 << 23,
    LEAST_CELLS = 64,
    MARKS_PER_CELL = 8 /* beyond, triangles are too long for a grid to help */
};

static int clamp_cell(mote_real at, int count)
{
    return at > 0 ? at < (mote_real)count ? (int)at : count - 1 : 0;
}

/* Cubes of the size that gives about as many cells as wanted. */
static size_t set_cells(MeshSides *sides, const Aabb *box, size_t triangles)
{
    const mote_Vec3 d = vec3_sub(box->high, box->low);
    const double size[3] = {(double)d.x, (double)d.y, (double)d.z};
    double wanted = (double)triangles * CELLS_PER_TRIANGLE;
    wanted = wanted < LEAST_CELLS ? LEAST_CELLS : wanted > MOST_CELLS ? MOST_CELLS : wanted;
    double longest = (double)real_max(real_max(d.x, d.y), d.z), edge = longest, total = 0;
    while (total < wanted / 2) { /* at most 8 times as many with half the edge */
        edge *= 0.7937005;       /* twice as many cubes */
        total = 1;
        for (int c = 0; c < 3; ++c) total *= floor(size[c] / edge) + 1;
    }
    for (int c = 0; c < 3; ++c) sides->count[c] = (int)(size[c] / edge) + 1;
    sides->low = box->low;
    sides->scale = (mote_real)(1 / edge);
    return (size_t)sides->count[0] * (size_t)sides->count[1] * (size_t)sides->count[2];
}

/* ---- triangles ---- */

typedef struct CellBox {
    int low[3], high[3];
} CellBox;

/* The cells that a triangle's box comes near. */
static CellBox cells_of(const MeshSides *sides, const MeshFace *face)
{
    CellBox cells;
    Aabb box = {face->corner[0], face->corner[0]};
    box = aabb_add_point(&box, face->corner[1]);
    box = aabb_add_point(&box, face->corner[2]);
    const mote_Vec3 a = vec3_sub(box.low, sides->low), b = vec3_sub(box.high, sides->low);
    const mote_real low[3] = {a.x, a.y, a.z}, high[3] = {b.x, b.y, b.z};
    const mote_real margin = (mote_real)0.01; /* of a cell */
    for (int c = 0; c < 3; ++c) {
        cells.low[c] = clamp_cell(low[c] * sides->scale - margin, sides->count[c]);
        cells.high[c] = clamp_cell(high[c] * sides->scale + margin, sides->count[c]);
    }
    return cells;
}

static size_t size_of(const CellBox *b)
{
    return (size_t)(b->high[0] - b->low[0] + 1) * (size_t)(b->high[1] - b->low[1] + 1) *
           (size_t)(b->high[2] - b->low[2] + 1);
}

static size_t cell_number(const MeshSides *sides, int x, int y, int z)
{
    return ((size_t)z * (size_t)sides->count[1] + (size_t)y) * (size_t)sides->count[0] + (size_t)x;
}

static void mark(MeshSides *sides, const CellBox *b)
{
    for (int z = b->low[2]; z <= b->high[2]; ++z)
        for (int y = b->low[1]; y <= b->high[1]; ++y)
            for (int x = b->low[0]; x <= b->high[0]; ++x)
                sides->cells[cell_number(sides, x, y, z)] = SIDE_SURFACE;
}

static bool mark_all(const mote_Mesh *mesh, MeshSides *sides, size_t cells)
{
    size_t marks = 0;
    for (size_t i = 0; i < mesh->triangle_count; ++i) {
        CellBox box = cells_of(sides, &mesh->faces[i]);
        marks += size_of(&box);
        if (marks > MARKS_PER_CELL * cells + 64 * mesh->triangle_count) return false;
        mark(sides, &box);
    }
    return true;
}

/* ---- regions ---- */

enum { UNKNOWN = 255 };

static uint8_t side_of_cell(const mote_Mesh *mesh, const MeshSides *sides, const int at[3])
{
    const mote_real edge = 1 / sides->scale, half = (mote_real)0.5;
    const mote_Vec3 middle =
        vec3(((mote_real)at[0] + half) * edge, ((mote_real)at[1] + half) * edge,
             ((mote_real)at[2] + half) * edge);
    mote_Vec3 p = vec3_add(sides->low, middle);
    MeshNearest near = mesh_nearest(mesh, p, (mote_real)__builtin_huge_val());
    return mesh_surface_by_normals(mesh, &near, p).distance < 0 ? SIDE_INSIDE : SIDE_OUTSIDE;
}

/* Gives a cell's side to all cells that can be reached from it. */
static void flood(MeshSides *sides, const int start[3], uint8_t side, uint32_t *stack)
{
    const int *n = sides->count;
    const size_t first = cell_number(sides, start[0], start[1], start[2]);
    size_t depth = 0;
    sides->cells[first] = side;
    stack[depth++] = (uint32_t)first;
    while (depth > 0) {
        const size_t number = stack[--depth];
        const int at[3] = {(int)(number % (size_t)n[0]),
                           (int)(number / (size_t)n[0] % (size_t)n[1]),
                           (int)(number / (size_t)n[0] / (size_t)n[1])};
        for (int k = 0; k < 6; ++k) {
            int next[3] = {at[0], at[1], at[2]};
            next[k / 2] += k % 2 == 0 ? -1 : 1;
            if (next[k / 2] < 0 || next[k / 2] >= n[k / 2]) continue;
            size_t to = cell_number(sides, next[0], next[1], next[2]);
            if (sides->cells[to] != UNKNOWN) continue;
            sides->cells[to] = side;
            stack[depth++] = (uint32_t)to;
        }
    }
}

static void settle_all(const mote_Mesh *mesh, MeshSides *sides, uint32_t *stack)
{
    int at[3];
    for (at[2] = 0; at[2] < sides->count[2]; ++at[2])
        for (at[1] = 0; at[1] < sides->count[1]; ++at[1])
            for (at[0] = 0; at[0] < sides->count[0]; ++at[0])
                if (sides->cells[cell_number(sides, at[0], at[1], at[2])] == UNKNOWN)
                    flood(sides, at, side_of_cell(mesh, sides, at), stack);
}

mote_Status mesh_set_sides(mote_Mesh *mesh, mote_Error *error)
{
    MeshSides *sides = &mesh->sides;
    const Aabb *box = &mesh->tree.bounds;
    const mote_Vec3 d = vec3_sub(box->high, box->low);
    if (!(real_min(real_min(d.x, d.y), d.z) > 0)) return MOTE_OK; /* flat: it has no inside */
    const size_t cells = set_cells(sides, box, mesh->triangle_count);
    sides->bytes = cells;
    sides->cells = memory_take(&mesh->memory, cells);
    uint32_t *stack = memory_take(&mesh->memory, cells * sizeof *stack);
    bool room = sides->cells != NULL && stack != NULL;
    if (room) {
        memset(sides->cells, UNKNOWN, cells);
        if (mark_all(mesh, sides, cells))
            settle_all(mesh, sides, stack);
        else
            memset(sides->cells, SIDE_SURFACE, cells);
    }
    memory_free(&mesh->memory, stack, cells * sizeof *stack);
    return room ? MOTE_OK : status_no_memory(error, "a mesh", cells * sizeof *stack);
}

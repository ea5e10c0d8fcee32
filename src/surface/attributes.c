/* What particles carry, at the vertices of a mesh: the value there of the linear function that fits
 * the particles around best, by weights w = (1 - r^2 / R^2)^2. A vertex stands half a spacing
 * outside of its outermost particles, where a plain mean would be that of a place half a spacing
 * and more inside.
 *
 * With u = (1, (x_j - x) / R) and M = sum w u u^T the value is sum_j w_j (u_j . c) f_j, M c = e_1.
 * What the particles do not say (across a sheet, beside a drop of one) is taken as flat: M gets a
 * little of the identity on its slopes, and the weights are made to sum to 1.
 *
 * This is a moving least squares fit of first order (Lancaster and Salkauskas 1981), taken at the
 * vertex itself, where the linear function is its constant term. */
#include "surface/attributes.h"

#include "base/sort.h"
#include "base/status.h"
#include "particles/system.h"
#include "surface/kernels.h"

#include <string.h>

#define REACH   2.0f /* spacings */
#define FARTHER 6    /* times that the reach is doubled where there is no particle */

ISA_KERNELS(carry_kernels, CarryKernels, carry_table)

enum {
    GRAIN = 2048,
    TILE = 4, /* cells: vertices of a tile are asked for together */
    TILES = BLOCK_CELLS / TILE
};

typedef struct Carrying {
    CarryAsked ask; /* of no vertices */
    const SurfaceMesh *mesh;
    const CarryKernels *kernels;
    float reach; /* cells */
} Carrying;

/* Vertices one by one. One may be farther away than that from every particle (large spheres, much
 * smoothing): then a wider look finds some. */
static void carry_alone(const Carrying *c, CarryAsked ask)
{
    const size_t count = ask.count;
    ask.count = 1;
    for (size_t v = 0; v < count; ++v, ++ask.vertices) {
        float reach = c->reach;
        for (int i = 0; i < FARTHER && !c->kernels->carry(&ask, reach); ++i) reach *= 2;
    }
}

static uint64_t tile_of(const Blocks *blocks, const SurfaceBlock *block, const float at[3])
{
    uint64_t key = (uint64_t)(block - blocks->blocks);
    for (int k = 0; k < 3; ++k) {
        const int tile = (int)at[k] / TILE;
        key = key * TILES + (uint64_t)(tile < TILES ? tile : TILES - 1);
    }
    return key;
}

/* The vertices of a piece of the mesh, by tile; returns how many have any particle near. */
static size_t sort_vertices(const Carrying *c, size_t begin, size_t end, SortItem *items,
                            CarryVertex *sorted)
{
    SortItem spare[GRAIN];
    CarryVertex vertices[GRAIN];
    size_t count = 0;
    for (size_t v = begin; v < end; ++v) {
        const mote_Vec3 x = c->mesh->vertices[v];
        CarryVertex *to = &vertices[count];
        const SurfaceBlock *block =
            blocks_at(c->ask.blocks, (double[3]){(double)x.x, (double)x.y, (double)x.z}, to->at);
        if (block == NULL) continue;
        to->number = (uint32_t)v;
        items[count] = (SortItem){tile_of(c->ask.blocks, block, to->at), count};
        ++count;
    }
    sort_items(items, spare, count);
    for (size_t i = 0; i < count; ++i) sorted[i] = vertices[items[i].value];
    return count;
}

static void carry_rows(void *context, size_t begin, size_t end, int worker)
{
    const Carrying *c = context;
    CarryAsked ask = c->ask;
    SortItem items[GRAIN];
    CarryVertex vertices[GRAIN];
    const size_t count = sort_vertices(c, begin, end, items, vertices);
    (void)worker;
    for (size_t i = 0; i < count; i += ask.count) {
        ask.block = &ask.blocks->blocks[items[i].key / (TILES * TILES * TILES)];
        ask.vertices = vertices + i;
        for (ask.count = 1; i + ask.count < count; ++ask.count)
            if (items[i + ask.count].key != items[i].key) break;
        if (!c->kernels->carry(&ask, c->reach)) carry_alone(c, ask);
    }
}

void attributes_free(SurfaceColumns *columns, Memory *memory)
{
    memory_free(memory, columns->columns, columns->room * sizeof *columns->columns);
    memory_free(memory, columns->values, columns->value_room * sizeof *columns->values);
}

static mote_Status make_columns(SurfaceColumns *columns, const mote_SurfacePoints *points,
                                const SurfaceMesh *mesh, mote_Error *error)
{
    Memory *memory = mesh->memory;
    size_t values = 0, used = 0;
    for (size_t i = 0; i < points->column_count; ++i)
        values += (size_t)points->columns[i].components * mesh->vertex_count;
    if (!memory_reserve(memory, (void **)&columns->columns, &columns->room, points->column_count,
                        sizeof *columns->columns) ||
        !memory_reserve(memory, (void **)&columns->values, &columns->value_room, values,
                        sizeof *columns->values))
        return status_no_memory(error, "a surface's columns", values * sizeof *columns->values);
    for (size_t i = 0; i < points->column_count; ++i) {
        mote_Column *to = &columns->columns[i];
        *to = points->columns[i];
        to->type = MOTE_COLUMN_REAL, to->stride = mesh->vertex_count;
        to->data = columns->values + used;
        used += (size_t)to->components * mesh->vertex_count;
    }
    return MOTE_OK;
}

mote_Status attributes_carry(SurfaceColumns *columns, const mote_SurfacePoints *points,
                             const Blocks *blocks, const SurfaceMesh *mesh, mote_Error *error)
{
    mote_Status status = make_columns(columns, points, mesh, error);
    if (status != MOTE_OK) return status;
    memset(columns->values, 0, columns->value_room * sizeof *columns->values);
    Carrying carrying = {.ask = {.blocks = blocks,
                                 .from = points->columns,
                                 .to = columns->columns,
                                 .column_count = points->column_count},
                         .mesh = mesh,
                         .kernels = columns->kernels,
                         .reach = REACH * blocks->spacing};
    mote_parallel_for(blocks->tasks, mesh->vertex_count, GRAIN, carry_rows, &carrying);
    return MOTE_OK;
}

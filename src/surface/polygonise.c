/* Vertices and triangles of all blocks. Each block's field lives only as long as a worker looks at
 * it; what stays is signs, ranks and vertices. Then numbers are added up in the order of blocks,
 * and vertices and triangles are written to their places.
 *
 * So memory grows with the surface, not with the volume, and the mesh has the same numbers whoever
 * made which block. */
#include "surface/polygonise.h"

#include "base/status.h"

#include <string.h>

static mote_Status surface_mesh_reserve(SurfaceMesh *mesh, size_t vertices, size_t triangles,
                                        mote_Error *error)
{
    Memory *m = mesh->memory;
    bool good = memory_reserve(m, (void **)&mesh->vertices, &mesh->vertex_room[0], vertices,
                               sizeof *mesh->vertices) &&
                memory_reserve(m, (void **)&mesh->normals, &mesh->vertex_room[1], vertices,
                               sizeof *mesh->normals) &&
                memory_reserve(m, (void **)&mesh->bulk, &mesh->vertex_room[2], vertices,
                               sizeof *mesh->bulk) &&
                memory_reserve(m, (void **)&mesh->triangles, &mesh->triangle_room, triangles,
                               sizeof *mesh->triangles);
    size_t bytes = vertices * (2 * sizeof *mesh->vertices + sizeof *mesh->bulk) +
                   triangles * sizeof *mesh->triangles;
    return good ? MOTE_OK : status_no_memory(error, "a surface's mesh", bytes);
}

void surface_mesh_free(SurfaceMesh *mesh)
{
    Memory *m = mesh->memory;
    memory_free(m, mesh->vertices, mesh->vertex_room[0] * sizeof *mesh->vertices);
    memory_free(m, mesh->normals, mesh->vertex_room[1] * sizeof *mesh->normals);
    memory_free(m, mesh->bulk, mesh->vertex_room[2] * sizeof *mesh->bulk);
    memory_free(m, mesh->triangles, mesh->triangle_room * sizeof *mesh->triangles);
}

/* ---- workers ---- */

static mote_Status worker_make(Polygoniser *p, SurfaceWorker **made, mote_Error *error)
{
    size_t planes = (size_t)p->row->planes * GRID_POINTS * sizeof(float);
    SurfaceWorker *worker = memory_zeroed(p->memory, sizeof *worker);
    *made = worker;
    if (worker == NULL) return status_no_memory(error, "a surface's grid", sizeof *worker);
    worker->planes = memory_zeroed(p->memory, planes);
    if (worker->planes == NULL) return status_no_memory(error, "a surface's grid", planes);
    for (int i = 0; i < p->row->planes; ++i)
        worker->grid.plane[i] = worker->planes + (size_t)i * GRID_POINTS;
    WindowDef def = {p->blocks,      p->kernels,         p->scale.weight,
                     p->row->weighs, (double)p->spacing, p->uniform};
    return window_make(&worker->window, &def, error);
}

mote_Status polygoniser_open(Polygoniser *p, mote_Error *error)
{
    size_t count = p->blocks->count;
    p->worker_count = p->tasks != NULL ? mote_tasks_workers(p->tasks) : 1;
    if (!pool_make(&p->pool, p->memory))
        return status_fail(error, MOTE_NO_MEMORY, "surface: a lock could not be made");
    p->workers = memory_zeroed(p->memory, (size_t)p->worker_count * sizeof *p->workers);
    p->shells = memory_zeroed(p->memory, count * sizeof *p->shells);
    if (p->workers == NULL || p->shells == NULL)
        return status_no_memory(error, "a surface's blocks", count * sizeof *p->shells);
    mote_Status status = MOTE_OK;
    for (int i = 0; i < p->worker_count && status == MOTE_OK; ++i)
        status = worker_make(p, &p->workers[i], error);
    return status;
}

void polygoniser_close(Polygoniser *p)
{
    for (int i = 0; p->workers != NULL && i < p->worker_count; ++i) {
        SurfaceWorker *worker = p->workers[i];
        if (worker == NULL) continue;
        window_free(&worker->window);
        memory_free(p->memory, worker->planes,
                    (size_t)p->row->planes * GRID_POINTS * sizeof(float));
        memory_free(p->memory, worker, sizeof *worker);
    }
    memory_free(p->memory, p->workers, (size_t)p->worker_count * sizeof *p->workers);
    if (p->shapes != NULL)
        memory_free(p->memory, p->shapes, p->blocks->particle_count * sizeof *p->shapes);
    memory_free(p->memory, p->shells, p->blocks->count * sizeof *p->shells);
    pool_free(&p->pool);
}

/* ---- the field of a block ---- */

typedef struct Summing {
    const SurfaceFieldRow *row;
    FieldGrid *grid;
    size_t own; /* particles of the block itself that counted */
} Summing;

/* Rows of points within reach of a run of particles. */
static void widen(void *context, const SurfaceParticle *particles, size_t count, const int shift[3])
{
    FieldGrid *grid = ((Summing *)context)->grid;
    float reach = grid->scale.reach;
    for (size_t i = 0; i < count; ++i) {
        float x = particles[i].at[0] + (float)shift[0];
        if (x + reach < GRID_LOW || x - reach > GRID_HIGH) continue;
        for (int k = 1; k < 3; ++k) {
            /* 64 more and less: the cast would cut towards 0, and this is the floor. */
            int low = (int)(particles[i].at[k] - reach + 64) - 64 + shift[k];
            int high = (int)(particles[i].at[k] + reach) + 1 + shift[k];
            grid->low[k] = low < grid->low[k] ? low : grid->low[k];
            grid->high[k] = high > grid->high[k] ? high : grid->high[k];
        }
    }
}

static void add_run(void *context, const SurfaceParticle *particles, size_t count,
                    const int shift[3])
{
    Summing *summing = context;
    if (shift[0] == 0 && shift[1] == 0 && shift[2] == 0) summing->own += count;
    summing->row->add(summing->grid, particles, count, shift);
}

/* The rows that matter: all of them beside deep liquid, else those that are reached and two more,
 * so that rows at the ends are outside. */
static bool find_rows(const Window *window, const SurfaceBlock *block, Summing *summing)
{
    FieldGrid *grid = summing->grid;
    for (int k = 0; k < 3; ++k) grid->low[k] = GRID_LOW, grid->high[k] = GRID_HIGH;
    if (window->has_deep) return true;
    for (int k = 1; k < 3; ++k) grid->low[k] = GRID_HIGH + 3, grid->high[k] = GRID_LOW - 3;
    window_visit(window, block, &(WindowVisit){widen, summing});
    for (int k = 1; k < 3; ++k) {
        grid->low[k] = grid->low[k] - 2 > GRID_LOW ? grid->low[k] - 2 : GRID_LOW;
        grid->high[k] = grid->high[k] + 2 < GRID_HIGH ? grid->high[k] + 2 : GRID_HIGH;
        if (grid->low[k] > grid->high[k]) return false;
    }
    return true;
}

/* Points may be one cell before the block, whose bin is -1; the division alone would give 0. */
static int bin_of_point(int point, int bin)
{
    return point < 0 ? -1 : point / bin;
}

static void fill_row(const uint8_t *deep, int bin, float inside, float *row)
{
    if (deep[-1]) row[-1] = inside;
    for (int b = 0; b * bin <= GRID_HIGH; ++b)
        for (int x = b * bin; deep[b] && x < (b + 1) * bin && x <= GRID_HIGH; ++x) row[x] = inside;
}

/* Deep points are inside. */
static void fill_deep(const Window *window, const FieldGrid *grid)
{
    int bin = window->blocks->bin;
    float inside = grid->scale.full - grid->scale.isovalue;
    for (int z = GRID_LOW; z <= GRID_HIGH; ++z)
        for (int y = GRID_LOW; y <= GRID_HIGH; ++y) {
            int bin_y = bin_of_point(y, bin), bin_z = bin_of_point(z, bin);
            fill_row(window->deep + bins_at(&window->near, 0, bin_y, bin_z), bin, inside,
                     grid->plane[0] + grid_at(0, y, z));
        }
}

bool polygoniser_field(const Polygoniser *p, SurfaceWorker *worker, const SurfaceBlock *block)
{
    FieldGrid *grid = &worker->grid;
    Summing summing = {p->row, grid, 0};
    grid->particles = p->blocks->particles, grid->shapes = p->shapes;
    grid->params = p->params, grid->scale = p->scale, grid->spacing = p->spacing;
    if (!window_look(&worker->window, block, p->bulk, p->whole)) {
        worker->deep += block->count;
        return false;
    }
    if (!find_rows(&worker->window, block, &summing)) return false;
    p->row->clear(grid);
    window_visit(&worker->window, block, &(WindowVisit){add_run, &summing});
    p->row->finish(grid);
    worker->deep += block->count - summing.own;
    if (worker->window.has_deep) fill_deep(&worker->window, grid);
    return true;
}

/* ---- vertices ---- */

/* Bulk: 1 where at least 45 % of the boxes around are liquid, by a smooth step to 0. A flat surface
 * has its boxes half full, so it counts as bulk with a little to spare. The step is 6 t^5 - 15 t^4
 * + 10 t^3, without a bend at either end (Perlin 2002). */
static float bulk_of(const Window *window, const float at[3])
{
    float t = window_fill_at(window, at) / 0.45f;
    t = t < 1 ? t : 1;
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static void set_bulk(const Window *window, const Shell *shell, EdgeVertex *vertices)
{
    EdgeVertex *v = vertices;
    for (int z = shell->low[1]; z <= shell->high[1] && z < BLOCK_CELLS; ++z)
        for (int y = shell->low[0]; y <= shell->high[0] && y < BLOCK_CELLS; ++y)
            for (int axis = 0; axis < 3; ++axis)
                for (uint32_t cut = shell_edges(shell, axis, y, z); cut != 0; cut &= cut - 1) {
                    float at[3] = {(float)__builtin_ctz(cut), (float)y, (float)z};
                    at[axis] += v->t;
                    v->bulk = bulk_of(window, at);
                    ++v;
                }
}

/* Moves what the worker found into memory that stays. */
static void keep_shell(Polygoniser *p, const SurfaceWorker *worker, Shell *shell)
{
    size_t rows = shell_rows(shell), sign_bytes = rows * sizeof *shell->signs;
    size_t rank_bytes = rows * sizeof *shell->ranks;
    size_t vertex_bytes = shell->vertex_count * sizeof *shell->vertices;
    char *kept = pool_take(&p->pool, sign_bytes + rank_bytes + vertex_bytes);
    shell->signs = NULL;
    if (kept == NULL) return;
    shell->signs = memcpy(kept, worker->signs, sign_bytes);
    shell->ranks = memcpy(kept + sign_bytes, worker->ranks, rank_bytes);
    shell->vertices = memcpy(kept + sign_bytes + rank_bytes, worker->vertices, vertex_bytes);
}

/* Field, signs, and what of the marching cubes does not need the neighbours' numbers. */
static void find_shell(Polygoniser *p, SurfaceWorker *worker, size_t number)
{
    const SurfaceBlock *block = &p->blocks->blocks[number];
    Shell *shell = &p->shells[number];
    const FieldGrid *grid = &worker->grid;
    if (!polygoniser_field(p, worker, block)) return;
    for (int k = 0; k < 2; ++k) {
        shell->low[k] = grid->low[k + 1] > 0 ? grid->low[k + 1] : 0;
        shell->high[k] = grid->high[k + 1] < BLOCK_CELLS ? grid->high[k + 1] : BLOCK_CELLS;
        if (shell->low[k] > shell->high[k]) return;
    }
    shell->signs = worker->signs, shell->ranks = worker->ranks;
    bool cut = p->kernels->find_signs(grid->plane[0], shell);
    shell->triangle_count = p->kernels->count_triangles(p->cases, shell);
    if (cut) {
        p->kernels->find_vertices(grid->plane[0], shell, worker->vertices);
        if (p->bulk) set_bulk(&worker->window, shell, worker->vertices);
    }
    if (cut || shell->triangle_count > 0)
        keep_shell(p, worker, shell);
    else
        shell->signs = NULL;
}

static void find_shells(void *context, size_t begin, size_t end, int worker)
{
    Polygoniser *p = context;
    for (size_t i = begin; i < end; ++i) find_shell(p, p->workers[worker], i);
}

/* ---- the mesh ---- */

typedef struct Writing {
    const Polygoniser *p;
    MarchOutput output;
} Writing;

static void write_blocks(void *context, size_t begin, size_t end, int worker)
{
    const Writing *w = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        if (w->output.shells[i].signs == NULL) continue;
        w->p->kernels->write_vertices(&w->output, i);
        w->p->kernels->write_triangles(&w->output, i);
    }
}

mote_Status polygoniser_run(Polygoniser *p, SurfaceMesh *mesh, mote_Error *error)
{
    size_t vertices = 0, triangles = 0, count = p->blocks->count;
    pool_reset(&p->pool);
    memset(p->shells, 0, count * sizeof *p->shells);
    for (int i = 0; i < p->worker_count; ++i) p->workers[i]->deep = 0;
    mote_parallel_for(p->tasks, count, 1, find_shells, p);
    if (p->pool.exhausted)
        return status_fail(error, MOTE_NO_MEMORY,
                           "surface: out of memory after %zu bytes for %zu blocks; take larger "
                           "cells",
                           p->memory->bytes, count);
    for (size_t i = 0; i < count; ++i) {
        p->shells[i].first_vertex = vertices, p->shells[i].first_triangle = triangles;
        vertices += p->shells[i].vertex_count, triangles += p->shells[i].triangle_count;
    }
    if (vertices >= UINT32_MAX)
        return status_fail(error, MOTE_BAD_VALUE,
                           "surface: it has %zu vertices, more than fit; take larger cells",
                           vertices);
    mote_Status status = surface_mesh_reserve(mesh, vertices, triangles, error);
    if (status != MOTE_OK) return status;
    mesh->vertex_count = vertices, mesh->triangle_count = triangles;
    Writing writing = {p,
                       {p->blocks, p->shells, p->cases, mesh->vertices, mesh->normals, mesh->bulk,
                        mesh->triangles}};
    mote_parallel_for(p->tasks, count, 1, write_blocks, &writing);
    return MOTE_OK;
}

/* Making surfaces: the steps from particles to a mesh, in order. */
#include "surface/surface.h"

#include "base/definition.h"
#include "base/machine.h"
#include "base/math.h"
#include "base/row.h"
#include "base/status.h"
#include "surface/field.h"
#include "surface/lumps.h"
#include "surface/sheets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

ISA_KERNELS(surface_kernels, SurfaceKernels, surface_kernel_table)

/* ---- memory with a limit ---- */

static void *limited_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    LimitedMemory *limit = context;
    size_t held = limit->held - old_size;
    if (new_size > old_size && new_size > limit->most - held) return NULL;
    void *fresh = limit->inner.resize(limit->inner.context, block, old_size, new_size);
    if (fresh != NULL || new_size == 0) limit->held = held + new_size;
    return fresh;
}

/* ---- creating ---- */

static const mote_Param surface_params[] = {
    PARAM_DOUBLE(mote_SurfaceDef, radius, "m", "half the distance of particles; 0: their radius", 0,
                 0, PARAM_LARGEST),
    PARAM_DOUBLE(
        mote_SurfaceDef, cell, "spacings",
        "edge of a grid cell; half of it is half of the bumps and four times the triangles", 0.5,
        PARAM_POSITIVE, 1),
    PARAM_COUNT(mote_SurfaceDef, smoothing, "passes that take the bumps out of bulk liquid", 15, 0,
                1000),
    PARAM_DOUBLE(mote_SurfaceDef, specks, "particles", "pieces of less volume are left out", 0, 0,
                 PARAM_LARGEST),
};
const mote_Row surface_row =
    ROW_DEFINITION("surface", "a closed mesh around a system's particles, made for every frame",
                   surface_params, mote_SurfaceDef, mote_SurfaceDef);

static mote_SurfaceDef surface_defaults(void)
{
    size_t count;
    mote_SurfaceDef def;
    mote_row_defaults(&surface_row, &def);
    def.field = surface_field_rows(ISA_V1, &count)[0]->name;
    return def;
}

DEFINITION_MAKER(mote_SurfaceDef, mote_surface_def, surface_defaults)

static mote_Status copy_params(mote_Surface *surface, mote_Error *error)
{
    const mote_Row *head = &surface->row->head;
    surface->params = memory_take(&surface->memory, head->params_size);
    if (surface->params == NULL) return status_no_memory(error, "a surface", head->params_size);
    if (surface->def.params != NULL)
        memcpy(surface->params, surface->def.params, head->params_size);
    else
        mote_row_defaults(head, surface->params);
    return mote_row_check(head, "surface", surface->params, error);
}

static mote_Status open_surface(mote_Surface *surface, mote_Error *error)
{
    size_t count;
    Isa isa = isa_pick();
    const mote_Row *const *rows = surface_field_rows(isa, &count);
    mote_Status status = mote_row_check(&surface_row, "surface", &surface->def, error);
    if (!(surface->def.most_memory >= 0))
        return status_fail(error, MOTE_BAD_VALUE, "surface: most_memory must not be negative");
    if (status != MOTE_OK) return status;
    surface->row = (const SurfaceFieldRow *)row_find(rows, count, "surface", "field",
                                                     surface->def.field, error);
    if (surface->row == NULL) return MOTE_BAD_VALUE;
    surface->kernels = surface_kernels(isa);
    surface->carried.kernels = carry_kernels(isa);
    surface->mesh.memory = &surface->memory;
    cases_make(&surface->cases);
    return copy_params(surface, error);
}

mote_Status mote_surface_create(const mote_SurfaceDef *given, mote_Surface **out, mote_Error *error)
{
    *out = NULL;
    DEFINITION_TAKE(mote_SurfaceDef, mote_surface_def);
    Memory outer = memory_make(def->allocator);
    mote_Surface *surface = memory_zeroed(&outer, sizeof *surface);
    if (surface == NULL) return status_no_memory(error, "a surface", sizeof *surface);
    surface->outer = outer;
    surface->def = *def;
    const uint64_t machine = machine_memory();
    const size_t all = machine < SIZE_MAX ? (size_t)machine : SIZE_MAX;
    const bool limited = def->most_memory > 0 && def->most_memory < (double)(SIZE_MAX / 2);
    surface->limit =
        (LimitedMemory){.inner = outer.allocator, .most = limited ? (size_t)def->most_memory : all};
    surface->memory = memory_make((mote_Allocator){limited_resize, &surface->limit});
    mote_Status status = open_surface(surface, error);
    if (status == MOTE_OK)
        *out = surface;
    else
        mote_surface_destroy(surface);
    return status;
}

void mote_surface_destroy(mote_Surface *surface)
{
    if (surface == NULL) return;
    for (int i = 0; i < 5; ++i)
        memory_free(&surface->memory, surface->columns[i],
                    surface->column_room[i] * sizeof(mote_real));
    if (surface->row != NULL)
        memory_free(&surface->memory, surface->params, surface->row->head.params_size);
    if (surface->mesh.memory != NULL) surface_mesh_free(&surface->mesh);
    attributes_free(&surface->carried, &surface->memory);
    memory_free(&surface->memory, surface->wanted,
                surface->def.attribute_count * sizeof *surface->wanted);
    Memory outer = surface->outer;
    memory_free(&outer, surface, sizeof *surface);
}

/* ---- one mesh ---- */

/* At least this much: the blocks of the particles' volume, and the vertices and triangles of a ball
 * that holds it. */
static double least_bytes(const Cloud *cloud, double cell)
{
    double cells = cloud->total / (cell * cell * cell);
    /* (36 pi)^(1/3): the area of a ball of volume 1. A surface of unit area cuts 1.5 edges of the
     * grid in the mean (half of one along each axis), and a closed mesh has two triangles a vertex
     * (Euler). */
    double area = 4.836 * math_pow(cells, 2.0 / 3);
    double vertex = sizeof(EdgeVertex) + 2 * sizeof(mote_Vec3) + sizeof(float);
    double block = BLOCK_CELLS * BLOCK_CELLS * (double)BLOCK_CELLS;
    return cells / block * (sizeof(SurfaceBlock) + sizeof(Shell)) +
           area * (1.5 * vertex + 3 * sizeof(uint32_t[3])) +
           (double)cloud->count * (sizeof(SurfaceParticle) + 32);
}

static void size_text(double bytes, char text[32])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 6; ++unit) bytes /= 1000;
    snprintf(text, 32, "%.3g %s", bytes, units[unit]);
}

static mote_Status check_size(const mote_Surface *surface, const Cloud *cloud, double cell,
                              mote_Error *error)
{
    char needed[32], there[32];
    double bytes = least_bytes(cloud, cell);
    size_text(bytes, needed), size_text((double)surface->limit.most, there);
    if (bytes > (double)surface->limit.most)
        return status_fail(error, MOTE_NO_MEMORY,
                           "surface: cells of %g m would need %s or more, and there are %s; take "
                           "larger cells",
                           cell, needed, there);
    double far = 0;
    for (int k = 0; k < 3; ++k)
        far = fmax(far, fmax(fabs(cloud->low[k]), fabs(cloud->high[k])) / cell);
    /* A hundredth of a cell is what a place may be off by. */
    if (far * (double)REAL_EPSILON > 1e-2)
        return status_fail(error, MOTE_BAD_VALUE,
                           "surface: the particles are %g cells away from the origin, too far for "
                           "numbers of this precision; move them nearer or use mote-double",
                           far);
    return MOTE_OK;
}

static mote_Status check_reach(const FieldScale *scale, double cell, mote_Error *error)
{
    if (scale->reach <= BLOCK_CELLS - 1) return MOTE_OK;
    return status_fail(
        error, MOTE_BAD_VALUE,
        "surface: a particle reaches %.3g cells of %g m, but at most %d can be; take "
        "larger cells",
        (double)scale->reach, cell, BLOCK_CELLS - 1);
}

static mote_Status polygonise(mote_Surface *surface, Polygoniser *p, mote_SurfaceReport *report,
                              mote_Error *error)
{
    mote_Status status = polygoniser_open(p, error);
    if (status == MOTE_OK && !polygoniser_find_spray(p))
        status = status_no_memory(error, "a surface", p->blocks->particle_count * sizeof(float));
    if (status == MOTE_OK) status = polygoniser_find_shapes(p, error);
    if (status == MOTE_OK) status = polygoniser_make(p, &surface->mesh, error);
    for (int i = 0; p->workers != NULL && i < p->worker_count; ++i)
        if (p->workers[i] != NULL) report->deep += p->workers[i]->deep;
    report->isovalue = (double)p->scale.isovalue;
    report->blocks = p->blocks->count;
    polygoniser_close(p);
    return status;
}

/* A mesh of the blocks, or where there are thin sheets, of others with these filled; vertices get
 * what the particles of the first carry. */
static mote_Status make_filled(mote_Surface *surface, const BlocksDef *def, Polygoniser *p,
                               mote_SurfaceReport *report, mote_Error *error)
{
    SurfaceSheets sheets = {.memory = &surface->memory};
    Blocks filled = {.memory = &surface->memory};
    mote_Status status = MOTE_OK;
    if (p->row->sheet != NULL) {
        Polygoniser scout = *p;
        status = polygoniser_open(&scout, error);
        if (status == MOTE_OK) status = surface_sheets_find(&sheets, &scout, def->cloud, error);
        polygoniser_close(&scout);
    }
    if (status == MOTE_OK && sheets.volume != NULL) {
        BlocksDef other = *def;
        other.cloud = &sheets.cloud, other.rows = false;
        p->blocks = &filled, p->uniform = false;
        status = blocks_make(&filled, &other, error);
    }
    if (status == MOTE_OK) status = polygonise(surface, p, report, error);
    blocks_free(&filled);
    surface_sheets_free(&sheets);
    return status;
}

static mote_Status make_mesh(mote_Surface *surface, const Cloud *cloud, Blocks *blocks,
                             mote_SurfaceReport *report, mote_Error *error)
{
    double cell = surface->def.cell * cloud->spacing, spacing = 1 / surface->def.cell;
    FieldScale scale = surface->row->scale(surface->params, (float)spacing, (float)cloud->largest);
    mote_Status status = check_size(surface, cloud, cell, error);
    if (status == MOTE_OK) status = check_reach(&scale, cell, error);
    if (status != MOTE_OK) return status;
    BlocksDef def = {.cloud = cloud,
                     .cell = cell,
                     .reach = scale.reach,
                     .weight = scale.weight,
                     .weighs = surface->row->weighs,
                     .rows = surface->carried.wanted,
                     .tasks = surface->def.tasks,
                     .memory = &surface->memory};
    Polygoniser p = {.blocks = blocks,
                     .row = surface->row,
                     .kernels = surface->kernels,
                     .cases = &surface->cases,
                     .params = surface->params,
                     .scale = scale,
                     .spacing = (float)spacing,
                     .volume = cloud->total / (cell * cell * cell),
                     .bulk = surface->def.smoothing > 0,
                     .whole = surface->def.whole,
                     .uniform = cloud->radius == NULL && cloud->volume == NULL,
                     .tasks = surface->def.tasks,
                     .memory = &surface->memory};
    status = blocks_make(blocks, &def, error);
    if (status == MOTE_OK) status = make_filled(surface, &def, &p, report, error);
    report->cell = cell;
    return status;
}

/* Specks and smoothing. */
static mote_Status refine(mote_Surface *surface, const Cloud *cloud, mote_SurfaceReport *report,
                          mote_Error *error)
{
    const mote_SurfaceDef *def = &surface->def;
    Lumps lumps;
    double volume = cloud->spacing * cloud->spacing * cloud->spacing, begun = clock_seconds();
    if (def->smoothing == 0 && def->specks <= 0) return MOTE_OK;
    mote_Status status = lumps_find(&lumps, &surface->mesh, error);
    if (status == MOTE_OK && def->specks > 0) {
        report->specks = lumps_drop(&lumps, &surface->mesh, def->specks * volume);
        if (report->specks == SIZE_MAX)
            status = status_no_memory(error, "a surface's lumps", lumps.vertices * 8);
    }
    SmoothDef smooth = {(int)def->smoothing, 64 * volume, 0.5 * cloud->spacing, def->tasks};
    if (status == MOTE_OK && def->smoothing > 0)
        status = surface_smooth(&surface->mesh, &lumps, &smooth, error);
    lumps_free(&lumps);
    report->smoothing_seconds = clock_seconds() - begun;
    return status;
}

mote_Status mote_surface_points(mote_Surface *surface, const mote_SurfacePoints *points,
                                mote_FrameSurface *mesh, mote_SurfaceReport *report,
                                mote_Error *error)
{
    Cloud cloud;
    Blocks blocks = {.memory = &surface->memory};
    mote_SurfaceReport found = {0};
    double begun = clock_seconds();
    *mesh = (mote_FrameSurface){.name = "surface"};
    surface->mesh.vertex_count = surface->mesh.triangle_count = 0;
    surface->memory.peak_bytes = surface->memory.bytes;
    mote_Status status = cloud_open(&cloud, points, surface->def.radius, error);
    surface->carried.wanted = points->column_count > 0;
    if (status == MOTE_OK && cloud.count > 0)
        status = make_mesh(surface, &cloud, &blocks, &found, error);
    found.field_seconds = clock_seconds() - begun;
    if (status == MOTE_OK && cloud.count > 0) status = refine(surface, &cloud, &found, error);
    if (status == MOTE_OK && points->column_count > 0)
        status = attributes_carry(&surface->carried, points, &blocks, &surface->mesh, error);
    blocks_free(&blocks);
    if (status != MOTE_OK) return status;
    found.spacing = cloud.spacing, found.volume = cloud.total, found.guessed = cloud.guessed;
    found.peak_bytes = surface->memory.peak_bytes;
    mesh->vertices = surface->mesh.vertices, mesh->normals = surface->mesh.normals;
    mesh->vertex_count = surface->mesh.vertex_count;
    mesh->triangles = surface->mesh.triangles != NULL ? surface->mesh.triangles[0] : NULL;
    mesh->triangle_count = surface->mesh.triangle_count;
    mesh->carried = (mote_FrameSystem){mesh->name, mesh->vertex_count, surface->carried.columns,
                                       points->column_count};
    if (report != NULL) *report = found;
    return MOTE_OK;
}

/* ---- the table of fields ---- */

#define DECLARE(row, ...) ISA_EXTERN(SurfaceFieldRow, row)
SURFACE_FIELD_ROWS(DECLARE)
ISA_ROW_TABLE(surface_field_rows, SURFACE_FIELD_ROWS)
ROW_DEFAULTS_FUNCTIONS(SURFACE_FIELD_ROWS)

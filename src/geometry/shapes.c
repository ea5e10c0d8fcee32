/* Making and sharing lists of posed shapes; owners of what parameters point to. */
#include "geometry/shapes.h"

#include "base/row.h"
#include "base/shared.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* ---- references among parameters ---- */

static const void *reference(const mote_Param *param, const void *params)
{
    return *(const void *const *)((const char *)params + param->offset);
}

void params_keep(const mote_Row *row, const void *params)
{
    for (size_t i = 0; i < row->param_count; ++i) {
        const mote_Param *param = &row->params[i];
        if (param->type == MOTE_PARAM_MESH) mote_mesh_keep(reference(param, params));
        if (param->type == MOTE_PARAM_SHAPES) mote_shapes_keep(reference(param, params));
    }
}

void params_release(const mote_Row *row, const void *params)
{
    for (size_t i = 0; i < row->param_count; ++i) {
        const mote_Param *param = &row->params[i];
        if (param->type == MOTE_PARAM_MESH) mote_mesh_release(reference(param, params));
        if (param->type == MOTE_PARAM_SHAPES) mote_shapes_release(reference(param, params));
    }
}

/* ---- memory ---- */

static void free_shapes(mote_Shapes *shapes)
{
    Memory *memory = &shapes->memory;
    for (size_t i = 0; i < shapes->count && shapes->parts != NULL; ++i) {
        const PosedShape *part = &shapes->parts[i];
        if (part->params == NULL) continue;
        params_release(&part->row->head, part->params);
        memory_free(memory, (void *)part->params, part->row->head.params_size);
    }
    memory_free(memory, shapes->parts, shapes->count * sizeof *shapes->parts);
    memory_free(memory, shapes->boxes, shapes->count * sizeof *shapes->boxes);
    memory_free(memory, shapes->measures, shapes->count * sizeof *shapes->measures);
    Memory last = *memory;
    memory_free(&last, shapes, sizeof *shapes);
}

SHARED_OBJECT(mote_Shapes, mote_shapes_keep, mote_shapes_release, free_shapes)

/* ---- measures ---- */

/* To the frame that the pose is given in: R I R^T. */
static void pose_measure(const mote_Pose *pose, ShapeMeasure *m)
{
    const PoseAxes e = pose_axes(pose);
    const double r[3][3] = {{(double)e.x.x, (double)e.y.x, (double)e.z.x},
                            {(double)e.x.y, (double)e.y.y, (double)e.z.y},
                            {(double)e.x.z, (double)e.y.z, (double)e.z.z}};
    const double at[3] = {(double)pose->position.x, (double)pose->position.y,
                          (double)pose->position.z};
    ShapeMeasure own = *m;
    for (int i = 0; i < 3; ++i) {
        m->centre[i] = at[i];
        for (int j = 0; j < 3; ++j) {
            m->centre[i] += r[i][j] * own.centre[j];
            m->inertia[i][j] = 0;
            for (int k = 0; k < 9; ++k)
                m->inertia[i][j] += r[i][k / 3] * own.inertia[k / 3][k % 3] * r[j][k % 3];
        }
    }
}

static void measure_parts(mote_Shapes *shapes)
{
    shapes->bounds = aabb_empty();
    shapes->sampled = true;
    for (size_t i = 0; i < shapes->count; ++i) {
        const PosedShape *part = &shapes->parts[i];
        Aabb own = part->row->bounds(part->params);
        shapes->boxes[i] = posed_bounds(part);
        shapes->bounds = aabb_join(&shapes->bounds, &shapes->boxes[i]);
        bool has = part->row->measure != NULL && part->row->volume != NULL && aabb_is_finite(&own);
        shapes->sampled = shapes->sampled && has;
        if (!has) continue;
        part->row->measure(part->params, &shapes->measures[i]);
        pose_measure(&part->pose, &shapes->measures[i]);
    }
}

/* ---- making ---- */

static int depth_within(const mote_Row *row, const void *params)
{
    int depth = 0;
    for (size_t i = 0; i < row->param_count; ++i) {
        if (row->params[i].type != MOTE_PARAM_SHAPES) continue;
        const mote_Shapes *inner = reference(&row->params[i], params);
        if (inner != NULL && inner->depth > depth) depth = inner->depth;
    }
    return depth;
}

static mote_Status check_part(const ShapeRow *row, const mote_ShapeDef *def, const char *where,
                              const void *params, mote_Error *error)
{
    const mote_Quat q = def->pose.orientation;
    mote_real off = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1;
    mote_Status status = mote_row_check(&row->head, where, params, error);
    if (status == MOTE_OK && row->check != NULL) status = row->check(params, where, error);
    if (status == MOTE_OK && !(REAL_ABS(off) < (mote_real)1e-3))
        status =
            status_fail(error, MOTE_BAD_VALUE, "%s: its orientation is no unit quaternion", where);
    if (status == MOTE_OK && depth_within(&row->head, params) >= SHAPES_DEEPEST)
        status = status_fail(error, MOTE_BAD_VALUE, "%s: shapes lie more than %d deep in shapes",
                             where, (int)SHAPES_DEEPEST);
    return status;
}

static mote_Status make_part(mote_Shapes *shapes, size_t i, const mote_ShapeDef *def,
                             mote_Error *error)
{
    char where[48];
    size_t count;
    const mote_Row *const *rows = shape_rows(isa_pick(), &count);
    snprintf(where, sizeof where, "shape %zu", i);
    const ShapeRow *row = (const ShapeRow *)row_find(rows, count, where, "shape", def->type, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    void *params = memory_take(&shapes->memory, row->head.params_size);
    if (params == NULL) return status_no_memory(error, where, row->head.params_size);
    if (def->params != NULL)
        memcpy(params, def->params, row->head.params_size);
    else
        mote_row_defaults(&row->head, params);
    params_keep(&row->head, params);
    shapes->parts[i] = (PosedShape){row, params, def->pose};
    mote_Status status = check_part(row, def, where, params, error);
    if (status != MOTE_OK) return status;
    if (row->prepare != NULL) row->prepare(params);
    int depth = depth_within(&row->head, params) + 1;
    if (depth > shapes->depth) shapes->depth = depth;
    return MOTE_OK;
}

mote_Status mote_shapes_create(const mote_ShapeDef *defs, size_t count, mote_Allocator allocator,
                               mote_Shapes **out, mote_Error *error)
{
    Memory memory = memory_make(allocator);
    mote_Shapes *shapes = memory_zeroed(&memory, sizeof *shapes);
    *out = NULL;
    if (shapes == NULL) return status_no_memory(error, "shapes", sizeof *shapes);
    shapes->memory = memory;
    atomic_init(&shapes->owners, 1);
    shapes->count = count;
    shapes->parts = memory_zeroed(&shapes->memory, count * sizeof *shapes->parts);
    shapes->boxes = memory_take(&shapes->memory, count * sizeof *shapes->boxes);
    shapes->measures = memory_zeroed(&shapes->memory, count * sizeof *shapes->measures);
    mote_Status status = MOTE_OK;
    if (count == 0)
        status = status_fail(error, MOTE_BAD_VALUE, "shapes: at least one is needed");
    else if (shapes->parts == NULL || shapes->boxes == NULL || shapes->measures == NULL)
        status = status_no_memory(error, "shapes", count * sizeof *shapes->parts);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i)
        status = make_part(shapes, i, &defs[i], error);
    if (status == MOTE_OK) {
        measure_parts(shapes);
        *out = shapes;
        return MOTE_OK;
    }
    free_shapes(shapes);
    return status;
}

size_t mote_shapes_count(const mote_Shapes *shapes)
{
    return shapes->count;
}

mote_ShapeDef mote_shapes_get(const mote_Shapes *shapes, size_t i)
{
    const PosedShape *part = &shapes->parts[i];
    return (mote_ShapeDef){part->row->head.name, part->params, part->pose};
}

const mote_Row *shapes_row(const mote_Shapes *shapes, size_t i)
{
    return &shapes->parts[i].row->head;
}

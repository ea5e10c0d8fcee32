/* frame.json: everything of a frame that is not a column's data. */
#include "base/row.h"
#include "geometry/shape.h"
#include "io/frame_file.h"

const char *const frame_axes[FRAME_AXES] = {"x", "y", "z"};
const char *const frame_types[FRAME_TYPES] = {[MOTE_COLUMN_REAL] = "real",
                                              [MOTE_COLUMN_DOUBLE] = "double",
                                              [MOTE_COLUMN_U32] = "u32",
                                              [MOTE_COLUMN_U64] = "u64"};

static void write_column(JsonWriter *writer, const mote_Column *column)
{
    json_begin(writer, NULL, '{');
    json_put_text(writer, "name", column->name);
    json_put_text(writer, "unit", column->unit != NULL ? column->unit : "");
    json_put_text(writer, "stage", column->stage != NULL ? column->stage : "");
    json_put_text(writer, "type", frame_types[column->type]);
    json_put_u64(writer, "components", (uint64_t)column->components);
    json_put_double(writer, "fallback", column->fallback);
    json_finish(writer, '}');
}

static void write_columns(JsonWriter *writer, const mote_FrameSystem *system)
{
    json_begin(writer, "columns", '[');
    for (size_t i = 0; i < system->column_count; ++i) write_column(writer, &system->columns[i]);
    json_finish(writer, ']');
}

static void write_system(JsonWriter *writer, const mote_FrameSystem *system)
{
    json_begin(writer, NULL, '{');
    json_put_text(writer, "name", system->name);
    json_put_u64(writer, "count", system->count);
    write_columns(writer, system);
    json_finish(writer, '}');
}

static void write_numbers(JsonWriter *writer, const char *key, const double *values, int count)
{
    json_begin(writer, key, '[');
    for (int i = 0; i < count; ++i) json_put_double(writer, NULL, values[i]);
    json_finish(writer, ']');
}

static void write_param(JsonWriter *writer, const mote_Param *param, const char *params)
{
    double value[3];
    const char *name =
        param->type == MOTE_PARAM_NAME ? *(char *const *)(params + param->offset) : NULL;
    param_read(param, params, value);
    if (name != NULL)
        json_put_text(writer, param->name, name);
    else if (param->type == MOTE_PARAM_COUNT) /* exact above 2^53 too */
        json_put_u64(writer, param->name, *(const uint64_t *)(params + param->offset));
    else if (param->type == MOTE_PARAM_MESH || param->type == MOTE_PARAM_SHAPES)
        frame_write_reference(writer, param, params);
    else if (param->type != MOTE_PARAM_NAME)
        write_numbers(writer, param->name, value, param_components(param));
}

/* What stands still says nothing. */
static void write_motion(JsonWriter *writer, const char *key, const double *values)
{
    if (values[0] != 0 || values[1] != 0 || values[2] != 0) write_numbers(writer, key, values, 3);
}

void frame_head_write_shape(JsonWriter *writer, const mote_FrameShape *shape)
{
    json_begin(writer, NULL, '{');
    json_put_text(writer, "name", shape->name);
    json_put_text(writer, "type", shape->type);
    write_numbers(writer, "position", shape->position, 3);
    write_numbers(writer, "orientation", shape->orientation, 4);
    write_motion(writer, "velocity", shape->velocity);
    write_motion(writer, "spin", shape->spin);
    if (shape->body) json_put_bool(writer, "body", true);
    if (shape->row != NULL && shape->params != NULL) {
        json_begin(writer, "params", '{');
        for (size_t i = 0; i < shape->row->param_count; ++i)
            write_param(writer, &shape->row->params[i], shape->params);
        json_finish(writer, '}');
    }
    json_finish(writer, '}');
}

/* A mesh or a surface: its name, the system it belongs to, and two counts. */
static void begin_parts(JsonWriter *writer, const char *name, const char *system,
                        const char *const keys[2], const uint64_t counts[2])
{
    json_begin(writer, NULL, '{');
    json_put_text(writer, "name", name);
    json_put_text(writer, "system", system);
    for (int i = 0; i < 2; ++i) json_put_u64(writer, keys[i], counts[i]);
}

static void write_mesh(JsonWriter *writer, const mote_Frame *frame, const mote_FrameMesh *mesh)
{
    static const char *const keys[] = {"links", "triangles"};
    begin_parts(writer, mesh->name, frame->systems[mesh->system].name, keys,
                (const uint64_t[]){mesh->link_count, mesh->triangle_count});
    json_finish(writer, '}');
}

static void write_surface(JsonWriter *writer, const mote_Frame *frame,
                          const mote_FrameSurface *surface)
{
    static const char *const keys[] = {"vertices", "triangles"};
    begin_parts(writer, surface->name, frame->systems[surface->system].name, keys,
                (const uint64_t[]){surface->vertex_count, surface->triangle_count});
    if (surface->carried.column_count > 0) write_columns(writer, &surface->carried);
    json_finish(writer, '}');
}

static void write_surfaces(JsonWriter *writer, const mote_Frame *frame,
                           const mote_FrameSystem *only)
{
    if (frame->surface_count == 0) return;
    json_begin(writer, "surfaces", '[');
    for (size_t i = 0; i < frame->surface_count; ++i)
        if (only == NULL || only == &frame->systems[frame->surfaces[i].system])
            write_surface(writer, frame, &frame->surfaces[i]);
    json_finish(writer, ']');
}

void frame_head_write(JsonWriter *writer, const mote_Frame *frame, const mote_FrameSystem *only)
{
    json_begin(writer, NULL, '{');
    head_write(writer, FRAME_FORMAT);
    json_put_u64(writer, "index", frame->index);
    json_put_double(writer, "time", frame->time);
    json_put_double(writer, "dt", frame->dt);
    json_put_u64(writer, "dimension", (uint64_t)frame->dimension);
    json_put_text(writer, "up_axis", frame_axes[frame->up_axis]);
    json_begin(writer, "systems", '[');
    for (size_t i = 0; i < frame->system_count; ++i)
        if (only == NULL || only == &frame->systems[i]) write_system(writer, &frame->systems[i]);
    json_finish(writer, ']');
    json_begin(writer, "shapes", '[');
    for (size_t i = 0; i < frame->shape_count; ++i)
        frame_head_write_shape(writer, &frame->shapes[i]);
    json_finish(writer, ']');
    json_begin(writer, "meshes", '[');
    for (size_t i = 0; i < frame->mesh_count; ++i)
        if (only == NULL || only == &frame->systems[frame->meshes[i].system])
            write_mesh(writer, frame, &frame->meshes[i]);
    json_finish(writer, ']');
    write_surfaces(writer, frame, only);
    json_finish(writer, '}');
}

/* frame.json: everything of a frame that is not a column's data. */
#include "base/row.h"
#include "base/status.h"
#include "geometry/shape.h"
#include "io/frame_file.h"

#include <string.h>

static const char *const axes[] = {"x", "y", "z"};
static const char *const types[] = {[MOTE_COLUMN_REAL] = "real",
                                    [MOTE_COLUMN_DOUBLE] = "double",
                                    [MOTE_COLUMN_U32] = "u32",
                                    [MOTE_COLUMN_U64] = "u64"};
enum { AXIS_COUNT = 3, TYPE_COUNT = sizeof types / sizeof types[0] };

/* ---- writing ---- */

static void write_column(JsonWriter *writer, const mote_Column *column)
{
    json_begin(writer, NULL, '{');
    json_put_text(writer, "name", column->name);
    json_put_text(writer, "unit", column->unit != NULL ? column->unit : "");
    json_put_text(writer, "stage", column->stage != NULL ? column->stage : "");
    json_put_text(writer, "type", types[column->type]);
    json_put_u64(writer, "components", (uint64_t)column->components);
    json_put_double(writer, "fallback", column->fallback);
    json_finish(writer, '}');
}

static void write_system(JsonWriter *writer, const mote_FrameSystem *system)
{
    json_begin(writer, NULL, '{');
    json_put_text(writer, "name", system->name);
    json_put_u64(writer, "count", system->count);
    json_begin(writer, "columns", '[');
    for (size_t i = 0; i < system->column_count; ++i) write_column(writer, &system->columns[i]);
    json_finish(writer, ']');
    json_finish(writer, '}');
}

static void write_numbers(JsonWriter *writer, const char *key, const double *values, int count)
{
    json_begin(writer, key, '[');
    for (int i = 0; i < count; ++i) json_put_double(writer, NULL, values[i]);
    json_finish(writer, ']');
}

static int param_components(const mote_Param *param)
{
    return param->type == MOTE_PARAM_VEC3 || param->type == MOTE_PARAM_COLOR ? 3 : 1;
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
static void write_parts(JsonWriter *writer, const char *name, const char *system,
                        const char *const keys[2], const uint64_t counts[2])
{
    json_begin(writer, NULL, '{');
    json_put_text(writer, "name", name);
    json_put_text(writer, "system", system);
    for (int i = 0; i < 2; ++i) json_put_u64(writer, keys[i], counts[i]);
    json_finish(writer, '}');
}

static void write_mesh(JsonWriter *writer, const mote_Frame *frame, const mote_FrameMesh *mesh)
{
    static const char *const keys[] = {"links", "triangles"};
    write_parts(writer, mesh->name, frame->systems[mesh->system].name, keys,
                (const uint64_t[]){mesh->link_count, mesh->triangle_count});
}

static void write_surface(JsonWriter *writer, const mote_Frame *frame,
                          const mote_FrameSurface *surface)
{
    static const char *const keys[] = {"vertices", "triangles"};
    write_parts(writer, surface->name, frame->systems[surface->system].name, keys,
                (const uint64_t[]){surface->vertex_count, surface->triangle_count});
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
    json_put_text(writer, "up_axis", axes[frame->up_axis]);
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

/* ---- reading ---- */

/* The value's place in a list of texts; fails when it is none of them. */
static int read_choice(JsonReader *reader, const Node *object, const char *key,
                       const char *const *choices, int count)
{
    const char *text = json_text(reader, object, key);
    for (int i = 0; i < count; ++i)
        if (strcmp(text, choices[i]) == 0) return i;
    json_fail(reader, key, "one of the known names");
    return 0;
}

static const char *own_text(JsonReader *reader, const Node *object, const char *key,
                            OwnedFrame *owned)
{
    const char *text = json_text(reader, object, key), *copy = "";
    if (reader->status == MOTE_OK)
        reader->status = owned_frame_text(owned, text, &copy, reader->error);
    return copy;
}

static void *own_array(JsonReader *reader, size_t count, size_t item, OwnedFrame *owned)
{
    void *block = NULL;
    if (reader->status == MOTE_OK)
        reader->status = owned_frame_take(owned, count, item, &block, reader->error);
    return block;
}

static void read_column(JsonReader *reader, const Node *node, OwnedFrame *owned,
                        mote_Column *column)
{
    column->name = own_text(reader, node, "name", owned);
    column->unit = own_text(reader, node, "unit", owned);
    column->stage = own_text(reader, node, "stage", owned);
    column->type = (mote_ColumnType)read_choice(reader, node, "type", types, TYPE_COUNT);
    column->components = (int)json_u64(reader, node, "components", MOTE_MOST_COMPONENTS);
    column->fallback = json_double(reader, node, "fallback");
    if (column->components < 1) json_fail(reader, "components", "at least 1");
}

static void read_system(JsonReader *reader, const Node *node, OwnedFrame *owned,
                        mote_FrameSystem *system)
{
    system->name = own_text(reader, node, "name", owned);
    system->count = json_u64(reader, node, "count", SIZE_MAX / 2);
    const Node *array = json_array(reader, node, "columns");
    mote_Column *columns = own_array(reader, array->count, sizeof *columns, owned);
    system->columns = columns;
    if (reader->status != MOTE_OK) return;
    system->column_count = array->count;
    const Node *child = node_child(array, 0);
    for (; child != NULL && reader->status == MOTE_OK; child = child->next)
        read_column(reader, child, owned, columns++);
}

static void read_numbers(JsonReader *reader, const Node *object, const char *key, double *values,
                         size_t count)
{
    const Node *array = json_array(reader, object, key);
    if (array->count != count) {
        json_fail(reader, key, "an array with the right number of numbers");
        return;
    }
    const Node *child = node_child(array, 0);
    for (; child != NULL; child = child->next) *values++ = json_double(reader, child, NULL);
}

/* Frames of earlier versions, and shapes that stand still, have none. */
static void read_motion(JsonReader *reader, const Node *object, const char *key, double *values)
{
    values[0] = values[1] = values[2] = 0;
    if (reader->status == MOTE_OK && node_find(object, key) != NULL)
        read_numbers(reader, object, key, values, 3);
}

static void read_param(JsonReader *reader, const Node *node, const mote_Param *param,
                       OwnedFrame *owned, char *params)
{
    double value[3] = {0};
    if (param->type == MOTE_PARAM_NAME) {
        *(const char **)(params + param->offset) = own_text(reader, node, NULL, owned);
    } else if (param->type == MOTE_PARAM_COUNT) {
        *(uint64_t *)(params + param->offset) = json_u64(reader, node, NULL, UINT64_MAX);
    } else {
        read_numbers(reader, node, NULL, value, (size_t)param_components(param));
        if (reader->status == MOTE_OK)
            reader->status =
                param_check(param, file_label(reader->json->where), value, reader->error);
        if (reader->status == MOTE_OK) param_write(param, value, params);
    }
}

static bool is_shared(const mote_Param *param)
{
    return param->type == MOTE_PARAM_MESH || param->type == MOTE_PARAM_SHAPES;
}

/* Parameters that the file lacks keep their defaults; without its meshes and shapes a shape is
 * nothing. */
static void read_params(JsonReader *reader, const Node *node, const mote_FrameReadDef *def,
                        OwnedFrame *owned, mote_FrameShape *shape)
{
    bool whole = true;
    char *params = own_array(reader, shape->row->params_size, 1, owned);
    if (params == NULL) return;
    mote_row_defaults(shape->row, params);
    shape->params = params;
    for (size_t i = 0; i < shape->row->param_count && reader->status == MOTE_OK; ++i) {
        const mote_Param *param = &shape->row->params[i];
        const Node *value = node_find(node, param->name);
        if (is_shared(param))
            whole = value != NULL &&
                    frame_read_reference(reader, value, param, def, owned, params) && whole;
        else if (value != NULL)
            read_param(reader, value, param, owned, params);
    }
    if (whole) return;
    params_release(shape->row, params);
    shape->params = NULL;
}

void frame_head_read_shape(JsonReader *reader, const Node *node, const mote_FrameReadDef *def,
                           OwnedFrame *owned, mote_FrameShape *shape)
{
    shape->name = own_text(reader, node, "name", owned);
    shape->type = own_text(reader, node, "type", owned);
    read_numbers(reader, node, "position", shape->position, 3);
    read_numbers(reader, node, "orientation", shape->orientation, 4);
    read_motion(reader, node, "velocity", shape->velocity);
    read_motion(reader, node, "spin", shape->spin);
    shape->body = node_find(node, "body") != NULL;
    const Node *params = node_find(node, "params");
    if (reader->status != MOTE_OK || params == NULL || def->shape_row == NULL) return;
    shape->row = def->shape_row(def->context, shape->type);
    if (shape->row != NULL) read_params(reader, params, def, owned, shape);
}

/* The number of the system that a mesh or a surface belongs to. */
static size_t read_owner(JsonReader *reader, const Node *node, const mote_Frame *frame)
{
    const char *name = json_text(reader, node, "system");
    size_t system = 0;
    if (reader->status != MOTE_OK) return 0;
    while (system < frame->system_count && strcmp(frame->systems[system].name, name) != 0) ++system;
    if (system == frame->system_count) json_fail(reader, "system", "a system of the frame");
    return system;
}

static void read_mesh(JsonReader *reader, const Node *node, OwnedFrame *owned, mote_FrameMesh *mesh)
{
    mesh->name = own_text(reader, node, "name", owned);
    mesh->link_count = json_u64(reader, node, "links", SIZE_MAX / 64);
    mesh->triangle_count = json_u64(reader, node, "triangles", SIZE_MAX / 64);
    mesh->system = read_owner(reader, node, &owned->frame);
}

static void read_surface(JsonReader *reader, const Node *node, OwnedFrame *owned,
                         mote_FrameSurface *surface)
{
    surface->name = own_text(reader, node, "name", owned);
    surface->vertex_count = json_u64(reader, node, "vertices", SIZE_MAX / 64);
    surface->triangle_count = json_u64(reader, node, "triangles", SIZE_MAX / 64);
    surface->system = read_owner(reader, node, &owned->frame);
}

static void read_surfaces(JsonReader *reader, const Node *root, OwnedFrame *owned)
{
    if (reader->status != MOTE_OK || node_find(root, "surfaces") == NULL) return;
    const Node *surfaces = json_array(reader, root, "surfaces");
    if (reader->status == MOTE_OK)
        reader->status = owned_frame_surfaces(owned, surfaces->count, reader->error);
    if (reader->status != MOTE_OK) return;
    mote_FrameSurface *surface = owned->surfaces;
    const Node *n = node_child(surfaces, 0);
    for (; n != NULL && reader->status == MOTE_OK; n = n->next)
        read_surface(reader, n, owned, surface++);
}

/* Frames of earlier versions have no such list. */
static void read_meshes(JsonReader *reader, const Node *root, OwnedFrame *owned)
{
    if (reader->status != MOTE_OK || node_find(root, "meshes") == NULL) return;
    const Node *meshes = json_array(reader, root, "meshes");
    if (reader->status == MOTE_OK)
        reader->status = owned_frame_meshes(owned, meshes->count, reader->error);
    if (reader->status != MOTE_OK) return;
    mote_FrameMesh *mesh = owned->meshes;
    const Node *n = node_child(meshes, 0);
    for (; n != NULL && reader->status == MOTE_OK; n = n->next) read_mesh(reader, n, owned, mesh++);
}

static void read_lists(JsonReader *reader, const Node *root, const mote_FrameReadDef *def,
                       OwnedFrame *owned)
{
    const Node *systems = json_array(reader, root, "systems");
    const Node *shapes = json_array(reader, root, "shapes");
    if (reader->status == MOTE_OK)
        reader->status = owned_frame_size(owned, systems->count, shapes->count, reader->error);
    if (reader->status != MOTE_OK) return;
    mote_FrameSystem *system = owned->systems;
    for (const Node *n = node_child(systems, 0); n != NULL; n = n->next)
        read_system(reader, n, owned, system++);
    mote_FrameShape *shape = owned->shapes;
    for (const Node *n = node_child(shapes, 0); n != NULL; n = n->next)
        frame_head_read_shape(reader, n, def, owned, shape++);
}

int frame_head_read(JsonReader *reader, const mote_FrameReadDef *def, OwnedFrame *owned)
{
    const Node *root = reader->json->root;
    mote_Frame *frame = &owned->frame;
    int real_bytes = head_read(reader, root, FRAME_FORMAT);
    if (real_bytes != (int)sizeof(mote_real) && !def->any_precision)
        head_refuse_precision(reader, root, real_bytes);
    frame->index = json_u64(reader, root, "index", UINT64_MAX);
    frame->time = json_double(reader, root, "time");
    frame->dt = json_double(reader, root, "dt");
    frame->dimension = (int)json_u64(reader, root, "dimension", 3);
    frame->up_axis = read_choice(reader, root, "up_axis", axes, AXIS_COUNT);
    if (frame->dimension < 2) json_fail(reader, "dimension", "2 or 3");
    read_lists(reader, root, def, owned);
    read_meshes(reader, root, owned);
    read_surfaces(reader, root, owned);
    return real_bytes;
}

/* Reading frame.json; frame_head_write.c has its form. */
#include "base/row.h"
#include "base/status.h"
#include "geometry/shape.h"
#include "io/frame_file.h"

#include <string.h>

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
    column->type = (mote_ColumnType)read_choice(reader, node, "type", frame_types, FRAME_TYPES);
    column->components = (int)json_u64(reader, node, "components", MOTE_MOST_COMPONENTS);
    column->fallback = json_double(reader, node, "fallback");
    if (column->components < 1) json_fail(reader, "components", "at least 1");
}

static void list_columns(JsonReader *reader, const Node *node, OwnedFrame *owned,
                         mote_FrameSystem *system)
{
    const Node *array = json_array(reader, node, "columns");
    mote_Column *columns = own_array(reader, array->count, sizeof *columns, owned);
    system->columns = columns;
    if (reader->status != MOTE_OK) return;
    system->column_count = array->count;
    const Node *child = node_child(array, 0);
    for (; child != NULL && reader->status == MOTE_OK; child = child->next)
        read_column(reader, child, owned, columns++);
}

static void read_system(JsonReader *reader, const Node *node, OwnedFrame *owned,
                        mote_FrameSystem *system)
{
    system->name = own_text(reader, node, "name", owned);
    system->count = (size_t)json_u64(reader, node, "count", SIZE_MAX / 2);
    list_columns(reader, node, owned, system);
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
    mesh->link_count = (size_t)json_u64(reader, node, "links", SIZE_MAX / 64);
    mesh->triangle_count = (size_t)json_u64(reader, node, "triangles", SIZE_MAX / 64);
    mesh->system = read_owner(reader, node, &owned->frame);
}

static void read_surface(JsonReader *reader, const Node *node, OwnedFrame *owned,
                         mote_FrameSurface *surface)
{
    surface->name = own_text(reader, node, "name", owned);
    surface->vertex_count = (size_t)json_u64(reader, node, "vertices", SIZE_MAX / 64);
    surface->triangle_count = (size_t)json_u64(reader, node, "triangles", SIZE_MAX / 64);
    surface->system = read_owner(reader, node, &owned->frame);
    surface->carried = (mote_FrameSystem){.name = surface->name, .count = surface->vertex_count};
    if (reader->status == MOTE_OK && node_find(node, "columns") != NULL)
        list_columns(reader, node, owned, &surface->carried);
}

/* The first of a list that room is made for; NULL: frames of earlier versions have none. */
static const Node *begin_list(JsonReader *reader, const Node *root, const char *key,
                              mote_Status (*make)(OwnedFrame *, size_t, mote_Error *),
                              OwnedFrame *owned)
{
    if (reader->status != MOTE_OK || node_find(root, key) == NULL) return NULL;
    const Node *list = json_array(reader, root, key);
    if (reader->status == MOTE_OK) reader->status = make(owned, list->count, reader->error);
    return reader->status == MOTE_OK ? node_child(list, 0) : NULL;
}

static void read_surfaces(JsonReader *reader, const Node *root, OwnedFrame *owned)
{
    const Node *n = begin_list(reader, root, "surfaces", owned_frame_surfaces, owned);
    mote_FrameSurface *surface = owned->surfaces;
    for (; n != NULL && reader->status == MOTE_OK; n = n->next)
        read_surface(reader, n, owned, surface++);
}

static void read_meshes(JsonReader *reader, const Node *root, OwnedFrame *owned)
{
    const Node *n = begin_list(reader, root, "meshes", owned_frame_meshes, owned);
    mote_FrameMesh *mesh = owned->meshes;
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
    frame->up_axis = read_choice(reader, root, "up_axis", frame_axes, FRAME_AXES);
    if (frame->dimension < 2) json_fail(reader, "dimension", "2 or 3");
    read_lists(reader, root, def, owned);
    read_meshes(reader, root, owned);
    read_surfaces(reader, root, owned);
    return real_bytes;
}

/* ---- the keys that the heads of frames and checkpoints share ---- */

void head_write(JsonWriter *writer, int format)
{
    json_put_u64(writer, "format", (uint64_t)format);
    json_put_text(writer, "mote", mote_version());
    json_put_u64(writer, "real_bytes", sizeof(mote_real));
}

int head_read(JsonReader *reader, const Node *root, int format)
{
    uint64_t found = json_u64(reader, root, "format", UINT64_MAX);
    const char *version = json_text(reader, root, "mote");
    uint64_t real_bytes = json_u64(reader, root, "real_bytes", 8);
    if (reader->status != MOTE_OK) return 0;
    if (found != (uint64_t)format)
        reader->status =
            status_fail(reader->error, MOTE_BAD_VALUE,
                        "%s: has format %llu, written by mote %.32s, but mote %s reads format %d",
                        file_label(reader->json->where), (unsigned long long)found, version,
                        mote_version(), format);
    else if (real_bytes != 4 && real_bytes != 8)
        json_fail(reader, "real_bytes", "4 or 8");
    return (int)real_bytes;
}

void head_refuse_precision(JsonReader *reader, const Node *root, int real_bytes)
{
    static const char *const programs[] = {"mote (float)", "mote-double (double)"};
    const char *version = json_text(reader, root, "mote");
    if (reader->status != MOTE_OK) return;
    reader->status = status_fail(
        reader->error, MOTE_BAD_VALUE,
        "%s: was written by %s, version %.32s, but this is %s; continue with the program that "
        "wrote it",
        file_label(reader->json->where), programs[real_bytes == 8], version,
        programs[sizeof(mote_real) == 8]);
}

mote_Status head_parse(const Npz *npz, const char *member, Json *json, mote_Error *error)
{
    char *text;
    size_t size;
    mote_Status status = npz_read_text(npz, member, &text, &size, error);
    if (status != MOTE_OK) return status;
    status = json_parse(json, file_label(npz->source.path), text, size, npz->memory, error);
    memory_free(npz->memory, text, size + 1);
    return status;
}

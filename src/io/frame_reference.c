/* Meshes and shapes among the parameters of a frame's shapes.
 *
 * A mesh is stored once beside the frames, in mesh-HASH.npz with its arrays `vertices` and
 * `triangles`, and the frame's head names the hash; shapes within shapes stand in the head. */
#include "base/status.h"
#include "geometry/shape.h"
#include "io/frame_file.h"

#include <mote/shapes.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static const void *reference(const mote_Param *param, const void *params)
{
    return *(const void *const *)((const char *)params + param->offset);
}

/* "FOLDER/mesh-HASH.npz" beside the file at `path`; false when it is too long. */
static bool mesh_path(const char *path, uint64_t hash, char out[PATH_SIZE])
{
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    int length = snprintf(out, PATH_SIZE, "%.*smesh-%016" PRIx64 ".npz", folder, path, hash);
    return length > 0 && length < PATH_SIZE;
}

/* ---- writing ---- */

void frame_write_reference(JsonWriter *writer, const mote_Param *param, const void *params)
{
    const void *pointer = reference(param, params);
    if (pointer == NULL) return;
    if (param->type == MOTE_PARAM_MESH) {
        json_put_hash(writer, param->name, mote_mesh_hash(pointer));
        return;
    }
    json_begin(writer, param->name, '[');
    for (size_t i = 0; i < mote_shapes_count(pointer); ++i) {
        mote_ShapeDef def = mote_shapes_get(pointer, i);
        const mote_Vec3 p = def.pose.position;
        const mote_Quat q = def.pose.orientation;
        mote_FrameShape shape = {
            .name = def.type,
            .type = def.type,
            .params = def.params,
            .position = {(double)p.x, (double)p.y, (double)p.z},
            .orientation = {(double)q.x, (double)q.y, (double)q.z, (double)q.w},
            .row = shapes_row(pointer, i)};
        frame_head_write_shape(writer, &shape);
    }
    json_finish(writer, ']');
}

static mote_Status write_arrays(const mote_Mesh *mesh, const char *path, Memory *memory,
                                mote_Error *error)
{
    size_t n, m;
    const mote_Vec3 *v = mote_mesh_vertices(mesh, &n);
    const uint32_t *t = mote_mesh_triangles(mesh, &m);
    mote_real *places = memory_take(memory, 3 * n * sizeof *places);
    uint32_t *corners = memory_take(memory, 3 * m * sizeof *corners);
    mote_Status status = places != NULL && corners != NULL
                             ? MOTE_OK
                             : status_no_memory(error, "writing a mesh", 3 * n * sizeof *places);
    for (size_t i = 0; i < n && status == MOTE_OK; ++i)
        places[i] = v[i].x, places[n + i] = v[i].y, places[2 * n + i] = v[i].z;
    for (size_t i = 0; i < 3 * m && status == MOTE_OK; ++i) corners[i % 3 * m + i / 3] = t[i];
    const mote_StateArray arrays[] = {{"vertices", MOTE_ARRAY_REAL, n, 3, n, places},
                                      {"triangles", MOTE_ARRAY_U32, m, 3, m, corners}};
    NpzOptions options = {.memory = memory};
    if (status == MOTE_OK) status = state_file_write(path, arrays, 2, &options, error);
    memory_free(memory, places, 3 * n * sizeof *places);
    memory_free(memory, corners, 3 * m * sizeof *corners);
    return status;
}

/* By its hash in the name, a mesh that is there already is the same one. */
static mote_Status write_meshes(const mote_Row *row, const void *params, const char *path,
                                Memory *memory, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < row->param_count && status == MOTE_OK; ++i) {
        const mote_Param *param = &row->params[i];
        const void *pointer = param_is_reference(param) ? reference(param, params) : NULL;
        char file[PATH_SIZE];
        if (pointer == NULL || param->type == MOTE_PARAM_NAME) continue;
        if (param->type == MOTE_PARAM_MESH && mesh_path(path, mote_mesh_hash(pointer), file) &&
            access(file, F_OK) != 0)
            status = write_arrays(pointer, file, memory, error);
        for (size_t k = 0; param->type == MOTE_PARAM_SHAPES && k < mote_shapes_count(pointer) &&
                           status == MOTE_OK;
             ++k)
            status = write_meshes(shapes_row(pointer, k), mote_shapes_get(pointer, k).params, path,
                                  memory, error);
    }
    return status;
}

mote_Status frame_write_meshes(const mote_Frame *frame, const char *path, Memory *memory,
                               mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < frame->shape_count && status == MOTE_OK; ++i) {
        const mote_FrameShape *shape = &frame->shapes[i];
        if (shape->row != NULL && shape->params != NULL)
            status = write_meshes(shape->row, shape->params, path, memory, error);
    }
    return status;
}

/* ---- reading ---- */

static bool is_of(const mote_StateArray *array, mote_ArrayType type)
{
    return array != NULL && array->type == type && array->components == 3 && array->rows > 0;
}

static mote_Status make_mesh(const mote_State *state, mote_Mesh **mesh, mote_Error *error)
{
    const mote_StateArray *v = mote_state_array(state, "vertices"),
                          *t = mote_state_array(state, "triangles");
    if (!is_of(v, MOTE_ARRAY_REAL) || !is_of(t, MOTE_ARRAY_U32)) return MOTE_BAD_VALUE;
    Memory memory = memory_make((mote_Allocator){0});
    size_t n = v->rows, m = t->rows;
    double *places = memory_take(&memory, 3 * n * sizeof *places);
    uint32_t *corners = memory_take(&memory, 3 * m * sizeof *corners);
    bool room = places != NULL && corners != NULL;
    for (size_t i = 0; i < 3 * n && room; ++i)
        places[i] = (double)((const mote_real *)v->data)[i % 3 * v->stride + i / 3];
    for (size_t i = 0; i < 3 * m && room; ++i)
        corners[i] = ((const uint32_t *)t->data)[i % 3 * t->stride + i / 3];
    mote_MeshDef def = mote_mesh_def();
    def.vertices = places, def.vertex_count = n, def.triangles = corners, def.triangle_count = m;
    mote_Status status =
        room ? mote_mesh_create(&def, mesh, error) : status_no_memory(error, "a mesh", n);
    memory_free(&memory, places, 3 * n * sizeof *places);
    memory_free(&memory, corners, 3 * m * sizeof *corners);
    return status;
}

/* The mesh of that hash among the parameters of a shape and its parts; NULL: none. */
static const mote_Mesh *find_mesh(const mote_Row *row, const void *params, uint64_t hash)
{
    const mote_Mesh *found = NULL;
    for (size_t i = 0; i < row->param_count && found == NULL; ++i) {
        const mote_Param *param = &row->params[i];
        if (param->type != MOTE_PARAM_MESH && param->type != MOTE_PARAM_SHAPES) continue;
        const void *pointer = reference(param, params);
        if (pointer == NULL) continue;
        if (param->type == MOTE_PARAM_MESH && mote_mesh_hash(pointer) == hash) found = pointer;
        for (size_t k = 0;
             param->type == MOTE_PARAM_SHAPES && k < mote_shapes_count(pointer) && found == NULL;
             ++k)
            found = find_mesh(shapes_row(pointer, k), mote_shapes_get(pointer, k).params, hash);
    }
    return found;
}

/* From the frame that was read before. */
static const mote_Mesh *known_mesh(const mote_Frame *earlier, uint64_t hash)
{
    const mote_Mesh *found = NULL;
    for (size_t i = 0; earlier != NULL && i < earlier->shape_count && found == NULL; ++i) {
        const mote_FrameShape *shape = &earlier->shapes[i];
        if (shape->row != NULL && shape->params != NULL)
            found = find_mesh(shape->row, shape->params, hash);
    }
    return found != NULL ? mote_mesh_keep(found) : NULL;
}

/* NULL when the file is not there or not readable: the shape then comes without parameters. */
static const mote_Mesh *read_mesh(JsonReader *reader, const Node *node, const mote_Frame *earlier)
{
    char path[PATH_SIZE];
    mote_State *state = NULL;
    mote_Mesh *mesh = NULL;
    mote_Error ignored;
    uint64_t hash = json_hash(reader, node, NULL);
    if (reader->status != MOTE_OK || reader->json->where == NULL) return NULL;
    const mote_Mesh *known = known_mesh(earlier, hash);
    if (known != NULL) return known;
    if (!mesh_path(reader->json->where, hash, path)) return NULL;
    if (mote_state_read(path, &state, &ignored) == MOTE_OK &&
        make_mesh(state, &mesh, &ignored) != MOTE_OK)
        mesh = NULL;
    mote_state_destroy(state);
    return mesh;
}

static mote_ShapeDef read_def(JsonReader *reader, const Node *node, const mote_FrameReadDef *def,
                              OwnedFrame *owned, mote_FrameShape *shape)
{
    frame_head_read_shape(reader, node, def, owned, shape);
    const double *p = shape->position, *q = shape->orientation;
    return (mote_ShapeDef){
        .type = shape->type,
        .params = shape->params,
        .pose = {{(mote_real)p[0], (mote_real)p[1], (mote_real)p[2]},
                 {(mote_real)q[0], (mote_real)q[1], (mote_real)q[2], (mote_real)q[3]}}};
}

/* NULL when a part could not be read. */
static const mote_Shapes *read_shapes(JsonReader *reader, const Node *node,
                                      const mote_FrameReadDef *def, OwnedFrame *owned)
{
    const Node *array = json_array(reader, node, NULL);
    mote_ShapeDef *defs = NULL;
    mote_FrameShape *parts = NULL;
    mote_Shapes *shapes = NULL;
    mote_Error ignored;
    bool whole = true;
    size_t count = 0;
    if (reader->status == MOTE_OK)
        reader->status =
            owned_frame_take(owned, array->count, sizeof *defs, (void **)&defs, reader->error);
    if (reader->status == MOTE_OK)
        reader->status =
            owned_frame_take(owned, array->count, sizeof *parts, (void **)&parts, reader->error);
    if (reader->status != MOTE_OK) return NULL;
    for (const Node *n = node_child(array, 0); n != NULL && reader->status == MOTE_OK;
         n = n->next, ++count) {
        defs[count] = read_def(reader, n, def, owned, &parts[count]);
        whole = whole && parts[count].params != NULL;
    }
    if (reader->status == MOTE_OK && whole)
        mote_shapes_create(defs, count, def->allocator, &shapes, &ignored);
    for (size_t i = 0; i < array->count; ++i)
        if (parts[i].params != NULL) params_release(parts[i].row, parts[i].params);
    return shapes;
}

bool frame_read_reference(JsonReader *reader, const Node *node, const mote_Param *param,
                          const mote_FrameReadDef *def, OwnedFrame *owned, void *params)
{
    const void *pointer = param->type == MOTE_PARAM_MESH
                              ? (const void *)read_mesh(reader, node, def->earlier)
                              : (const void *)read_shapes(reader, node, def, owned);
    memcpy((char *)params + param->offset, &pointer, sizeof pointer);
    return pointer != NULL;
}

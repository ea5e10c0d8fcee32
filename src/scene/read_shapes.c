/* Shapes within shapes: an object or a list of objects, each a shape with its place. */
#include "scene/read.h"

#include "base/vec.h"
#include "geometry/shape.h"

#include <string.h>

static RowTable *const table = shape_rows;

/* [x, y, z] times `unit`; what is missing is 0. */
static bool read_vector(const Reader *reader, const Node *object, const char *key, double unit,
                        mote_Vec3 *vector)
{
    double v[3] = {0, 0, 0};
    size_t count, least = reader->dimension == 2 ? 2 : 3;
    const Node *node = node_find(object, key);
    *vector = vec3(0, 0, 0);
    if (node == NULL) return true;
    if (!node_numbers(reader, node, "", least, 3, v, &count)) return false;
    *vector = vec3((mote_real)(v[0] * unit), (mote_real)(v[1] * unit), (mote_real)(v[2] * unit));
    return true;
}

static bool read_shape(const Reader *reader, const Node *object, mote_ShapeDef *def)
{
    static const char *const others[] = {"type", "at", "rotate", NULL};
    const double degree = 0.017453292519943295;
    size_t index;
    mote_Vec3 at, turn;
    if (!node_expect(reader, object, NODE_OBJECT)) return false;
    const Node *type = node_require(reader, object, "type");
    if (type == NULL) diagnose_allowed(reader->diagnostics, "types", scene_table_names(&table));
    if (type == NULL || !node_choice(reader, type, "shape", scene_table_names(&table), &index))
        return false;
    const mote_Row *row = scene_table_row(table, index);
    void *params = store_take(reader->store, row->params_size);
    if (params == NULL) return false;
    bool good = params_from_node(reader, row, object, others, params, NULL);
    good = read_vector(reader, object, "at", 1, &at) && good;
    good = read_vector(reader, object, "rotate", degree, &turn) && good;
    *def = (mote_ShapeDef){row->name, params, mote_pose_turned(at, turn)};
    return good;
}

static bool read_list(const Reader *reader, const Node *node, mote_ShapeDef *defs)
{
    bool good = true;
    size_t i = 0;
    if (node->type != NODE_ARRAY) return read_shape(reader, node, defs);
    NODE_EACH(child, node) good = read_shape(reader, child, &defs[i++]) && good;
    return good;
}

bool node_shapes(const Reader *reader, const Node *node, const mote_Param *param,
                 const mote_Shapes **shapes)
{
    size_t count = node->type == NODE_ARRAY ? node->count : 1;
    bool one = param->max == 1;
    mote_Shapes *made;
    mote_Error error;
    if (one && !node_expect(reader, node, NODE_OBJECT)) return false;
    if (!((double)count >= param->min && (double)count <= param->max)) {
        diagnose(reader->diagnostics, node_place(node), "%s is a list of %zu shapes, but needs %g",
                 param->name, count, param->min);
        return false;
    }
    mote_ShapeDef *defs = store_take(reader->store, count * sizeof *defs);
    if (defs == NULL || !read_list(reader, node, defs)) return false;
    mote_Status status =
        mote_shapes_create(defs, count, reader->shares->memory->allocator, &made, &error);
    if (status == MOTE_NO_MEMORY) reader->store->failed = true;
    if (status == MOTE_BAD_VALUE)
        diagnose(reader->diagnostics, node_place(node), "%s", error.message);
    if (status != MOTE_OK || !reader_keep_shapes(reader, made)) return false;
    *shapes = made;
    return true;
}

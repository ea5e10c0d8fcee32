/* Shapes within shapes: an object or a list of objects, each a shape with its place. */
#include "scene/read.h"

#include "base/vec.h"
#include "geometry/shape.h"

#include <stdio.h>
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

/* ---- copies of bodies ---- */

/* Copies of bodies: `copies: { count: [n, m, k], step: [x, y, z] }` makes a lattice of bodies from
 * one, each with its number behind the name. */

#define MOST_BODIES 1e5

static size_t count_of(const SceneCopies *copies)
{
    const mote_Vec3 n = copies->count;
    return (size_t)n.x * (size_t)n.y * (size_t)n.z;
}

static mote_Vec3 place_of(const SceneCopies *copies, size_t i)
{
    size_t n = (size_t)copies->count.x, m = (size_t)copies->count.y;
    mote_Vec3 s = copies->step;
    return vec3((mote_real)(i % n) * s.x, (mote_real)(i / n % m) * s.y,
                (mote_real)(i / n / m) * s.z);
}

static const char *numbered(const mote_Scene *scene, const char *name, size_t i)
{
    char text[160];
    int length = snprintf(text, sizeof text, "%.120s-%zu", name, i);
    const char *kept = store_text(scene->document->reader.store, text, (size_t)length);
    return kept != NULL ? kept : name;
}

static const mote_ShapeLook *look_of(const mote_Scene *scene, const char *name)
{
    const mote_ShapeLook *looks = scene->shape_looks.items;
    for (size_t i = 0; i < scene->shape_looks.count; ++i)
        if (looks[i].shape != NULL && strcmp(looks[i].shape, name) == 0) return &looks[i];
    return NULL;
}

/* Bodies and their looks, one by one. */
typedef struct Lists {
    mote_BodyDef *bodies;
    mote_ShapeLook *looks;
    size_t body_count, look_count;
} Lists;

static void add_copies(const mote_Scene *scene, const mote_BodyDef *def, const SceneCopies *copies,
                       Lists *lists)
{
    const mote_ShapeLook *look = look_of(scene, def->name);
    size_t count = count_of(copies);
    for (size_t i = 0; i < count; ++i) {
        mote_BodyDef *body = &lists->bodies[lists->body_count++];
        *body = *def;
        body->motion.at = vec3_add(def->motion.at, place_of(copies, i));
        if (count > 1) body->name = numbered(scene, def->name, i);
        if (look == NULL || count == 1) continue;
        lists->looks[lists->look_count] = *look;
        lists->looks[lists->look_count++].shape = body->name;
    }
}

/* What each body of the list says; fractions are cut off. Returns how many there will be. */
static double read_copies(mote_Scene *scene, const Node *list, SceneCopies *copies)
{
    double total = 0;
    NODE_EACH(child, list)
    {
        if (child->type != NODE_OBJECT) continue;
        scene_read_struct(scene, &scene_copies_row, scene_object_at(scene, child, "copies"), NULL,
                          copies, NULL);
        const mote_Vec3 n = copies->count;
        total += (double)n.x * (double)n.y * (double)n.z;
        ++copies;
    }
    return total;
}

void scene_copy_bodies(mote_Scene *scene)
{
    const Node *list = node_find(scene->document->root, "bodies");
    const mote_BodyDef *defs = scene->bodies.items;
    size_t count = scene->bodies.count;
    if (count == 0) return;
    SceneCopies *copies = scene_take(scene, count * sizeof *copies);
    if (copies == NULL) return;
    double total = read_copies(scene, list, copies);
    if (!(total <= MOST_BODIES)) {
        diagnose(scene->document->reader.diagnostics, node_place(list),
                 "copies make %.3g bodies, but a scene has at most %g", total, MOST_BODIES);
        return;
    }
    size_t looks = scene->shape_looks.count + (size_t)total;
    Lists lists = {.bodies = scene_take(scene, (size_t)total * sizeof *lists.bodies),
                   .looks = scene_take(scene, looks * sizeof *lists.looks)};
    if (lists.bodies == NULL || lists.looks == NULL) return;
    memcpy(lists.looks, scene->shape_looks.items, scene->shape_looks.count * sizeof *lists.looks);
    lists.look_count = scene->shape_looks.count;
    for (size_t i = 0; i < count; ++i) add_copies(scene, &defs[i], &copies[i], &lists);
    scene->bodies.items = lists.bodies, scene->bodies.count = lists.body_count;
    scene->shape_looks.items = lists.looks, scene->shape_looks.count = lists.look_count;
}

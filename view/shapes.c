/* Colliders and bodies in a message: each form once, by its table of parameters, with the poses of
 * all shapes that have it. */
#include "view/message.h"

#include "base/row.h"

#include <mote/scene.h>

#include <string.h>

static const mote_Row *shape_row(const char *type)
{
    size_t count = 0;
    const mote_Row *const *rows = mote_family_rows("shapes", &count);
    return row_named(rows, count, type);
}

/* ---- parameters ---- */

static void put_form(JsonWriter *json, const char *key, const char *type, const void *params,
                     const mote_Pose *pose);

static void put_parts(JsonWriter *json, const char *key, const mote_Shapes *shapes)
{
    json_begin(json, key, '[');
    for (size_t i = 0; shapes != NULL && i < mote_shapes_count(shapes); ++i) {
        const mote_ShapeDef def = mote_shapes_get(shapes, i);
        put_form(json, NULL, def.type, def.params, &def.pose);
    }
    json_finish(json, ']');
}

static void put_mesh_hash(JsonWriter *json, const char *key, const mote_Mesh *mesh)
{
    json_put_hash(json, key, mesh != NULL ? mote_mesh_hash(mesh) : 0);
}

/* Shapes have numbers, choices, meshes and other shapes; further kinds would be left out. */
static void put_param(JsonWriter *json, const mote_Param *param, const void *params)
{
    const void *at = (const char *)params + param->offset;
    if (param->type == MOTE_PARAM_REAL)
        json_put_double(json, param->name, (double)*(const mote_real *)at);
    else if (param->type == MOTE_PARAM_VEC3)
        view_put_vec(json, param->name, *(const mote_Vec3 *)at);
    else if (param->type == MOTE_PARAM_CHOICE)
        json_put_text(json, param->name, param->choices[*(const int *)at]);
    else if (param->type == MOTE_PARAM_MESH)
        put_mesh_hash(json, param->name, *(const mote_Mesh *const *)at);
    else if (param->type == MOTE_PARAM_SHAPES)
        put_parts(json, param->name, *(const mote_Shapes *const *)at);
}

static void put_pose(JsonWriter *json, const mote_Pose *pose)
{
    const mote_Quat q = pose->orientation;
    view_put_vec(json, "position", pose->position);
    view_put_numbers(json, "orientation",
                     (double[]){(double)q.x, (double)q.y, (double)q.z, (double)q.w}, 4);
}

/* pose NULL: said elsewhere. */
static void put_form(JsonWriter *json, const char *key, const char *type, const void *params,
                     const mote_Pose *pose)
{
    const mote_Row *row = shape_row(type);
    json_begin(json, key, '{');
    json_put_text(json, "type", type);
    if (pose != NULL) put_pose(json, pose);
    for (size_t i = 0; row != NULL && params != NULL && i < row->param_count; ++i)
        put_param(json, &row->params[i], params);
    json_finish(json, '}');
}

/* ---- forms ---- */

/* As the renderer takes it: without a look, like the ground but lighter. */
static mote_ShapeLook look_of(const mote_RenderDef *def, const char *name)
{
    mote_ShapeLook look = mote_shape_look_def();
    for (size_t i = 0; i < def->shape_count; ++i)
        if (strcmp(def->shapes[i].shape, name) == 0) look = def->shapes[i];
    look.shape = NULL;
    if (look.color.x >= 0 && look.color.y >= 0 && look.color.z >= 0) return look;
    const mote_Vec3 *ground = def->ground.colors;
    const mote_real sum[3] = {ground[0].x + ground[1].x, ground[0].y + ground[1].y,
                              ground[0].z + ground[1].z};
    const mote_real most = (mote_real)0.8;
    look.color = (mote_Vec3){sum[0] < most ? sum[0] : most, sum[1] < most ? sum[1] : most,
                             sum[2] < most ? sum[2] : most};
    return look;
}

typedef struct Form {
    const mote_FrameShape *shape; /* the first that has it */
    const mote_Row *row;
    mote_ShapeLook look;
    size_t count;
} Form;

static bool same_look(const mote_ShapeLook *a, const mote_ShapeLook *b)
{
    return a->color.x == b->color.x && a->color.y == b->color.y && a->color.z == b->color.z &&
           a->roughness == b->roughness && a->gloss == b->gloss && a->visible == b->visible &&
           a->wireframe == b->wireframe && a->glass == b->glass && a->open == b->open;
}

static bool same_form(const Form *a, const Form *b)
{
    return a->row == b->row && a->shape->body == b->shape->body && same_look(&a->look, &b->look) &&
           (a->shape->params == b->shape->params ||
            memcmp(a->shape->params, b->shape->params, a->row->params_size) == 0);
}

/* The forms of a frame, and each shape's; shapes without parameters have none (SIZE_MAX). */
static size_t find_forms(const ViewFrame *input, Form *forms, size_t *form_of)
{
    size_t count = 0;
    for (size_t i = 0; i < input->frame->shape_count; ++i) {
        const mote_FrameShape *shape = &input->frame->shapes[i];
        Form form = {shape, shape_row(shape->type), look_of(input->def, shape->name), 1};
        form_of[i] = SIZE_MAX;
        if (form.row == NULL || shape->params == NULL) continue;
        size_t f = 0;
        while (f < count && !same_form(&forms[f], &form)) ++f;
        if (f == count)
            forms[count++] = form;
        else
            ++forms[f].count;
        form_of[i] = f;
    }
    return count;
}

static void put_look(JsonWriter *json, const mote_ShapeLook *look)
{
    json_begin(json, "look", '{');
    view_put_vec(json, "color", look->color);
    json_put_double(json, "roughness", (double)look->roughness);
    json_put_double(json, "gloss", (double)look->gloss);
    json_put_bool(json, "visible", look->visible);
    json_put_bool(json, "wireframe", look->wireframe);
    json_put_bool(json, "glass", look->glass);
    json_finish(json, '}');
}

static void put_poses(ViewMessage *message, const mote_Frame *frame, const size_t *form_of,
                      size_t form, size_t count)
{
    size_t at, n = 0;
    float(*out)[7] = view_block(message, count * sizeof *out, &at);
    if (out == NULL) return;
    for (size_t i = 0; i < frame->shape_count; ++i) {
        const mote_FrameShape *shape = &frame->shapes[i];
        if (form_of[i] != form) continue;
        for (int k = 0; k < 3; ++k) out[n][k] = (float)shape->position[k];
        for (int k = 0; k < 4; ++k) out[n][3 + k] = (float)shape->orientation[k];
        ++n;
    }
    view_block_begin(message, "poses", at, "f32", 7 * count);
    json_finish(&message->json, '}');
}

static void put_shape(ViewMessage *message, const mote_Frame *frame, const Form *form,
                      const size_t *form_of, size_t number)
{
    JsonWriter *json = &message->json;
    json_begin(json, NULL, '{');
    put_form(json, "form", form->shape->type, form->shape->params, NULL);
    put_look(json, &form->look);
    json_put_bool(json, "body", form->shape->body);
    json_begin(json, "names", '[');
    for (size_t i = 0; i < frame->shape_count; ++i)
        if (form_of[i] == number) json_put_text(json, NULL, frame->shapes[i].name);
    json_finish(json, ']');
    put_poses(message, frame, form_of, number, form->count);
    json_finish(json, '}');
}

/* ---- meshes that forms name by their hashes ---- */

static void put_mesh(ViewMessage *message, const mote_Mesh *mesh)
{
    size_t vertices, triangles;
    const mote_Vec3 *v = mote_mesh_vertices(mesh, &vertices);
    const uint32_t *corners = mote_mesh_triangles(mesh, &triangles);
    const ViewPoints points = {
        .planes = {&v->x, &v->y, &v->z}, .count = vertices, .stride = 3, .planar = false};
    json_begin(&message->json, NULL, '{');
    json_put_hash(&message->json, "hash", mote_mesh_hash(mesh));
    view_put_points(message, "vertices", &points);
    view_put_block(message, "triangles", "u32", corners, 3 * triangles);
    json_finish(&message->json, '}');
}

static void put_meshes_of(ViewMessage *message, const char *type, const void *params)
{
    const mote_Row *row = shape_row(type);
    for (size_t i = 0; row != NULL && params != NULL && i < row->param_count; ++i) {
        const void *at = (const char *)params + row->params[i].offset;
        if (row->params[i].type == MOTE_PARAM_MESH && *(const mote_Mesh *const *)at != NULL)
            put_mesh(message, *(const mote_Mesh *const *)at);
        if (row->params[i].type != MOTE_PARAM_SHAPES) continue;
        const mote_Shapes *shapes = *(const mote_Shapes *const *)at;
        for (size_t s = 0; shapes != NULL && s < mote_shapes_count(shapes); ++s) {
            const mote_ShapeDef def = mote_shapes_get(shapes, s);
            put_meshes_of(message, def.type, def.params);
        }
    }
}

void view_put_shapes(ViewMessage *message, const ViewFrame *input)
{
    const mote_Frame *frame = input->frame;
    const size_t room = frame->shape_count + 1;
    Form *forms = arena_take(&message->scratch, room * sizeof *forms);
    size_t *form_of = arena_take(&message->scratch, room * sizeof *form_of);
    if (forms == NULL || form_of == NULL) {
        message->data.failed = true;
        return;
    }
    const size_t count = find_forms(input, forms, form_of);
    json_begin(&message->json, "shapes", '[');
    for (size_t i = 0; i < count; ++i) put_shape(message, frame, &forms[i], form_of, i);
    json_finish(&message->json, ']');
    if (!input->meshes) return;
    json_begin(&message->json, "solids", '[');
    for (size_t i = 0; i < count; ++i)
        put_meshes_of(message, forms[i].shape->type, forms[i].shape->params);
    json_finish(&message->json, ']');
}

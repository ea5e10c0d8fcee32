/* Reading how a scene looks: looks of systems and shapes, lights, sky, camera. */
#include "scene/preset.h"
#include "scene/read.h"

#include "base/row.h"
#include "base/vec.h"
#include "render/colormap.h"
#include "render/sheet.h"
#include "render/tables.h"

#include <string.h>

static const char *light_name(const void *context, size_t i)
{
    size_t count;
    const mote_Row *const *rows = light_rows(ISA_V1, &count);
    (void)context;
    return i < count ? rows[i]->name : NULL;
}

static const char *map_name(const void *context, size_t i)
{
    size_t count;
    const mote_Row *const *rows = colormap_family(ISA_V1, &count);
    (void)context;
    return i < count ? rows[i]->name : NULL;
}

/* ---- looks of systems ---- */

static void refuse_both(const Reader *reader, const Node *texture)
{
    diagnose(reader->diagnostics, node_place(texture),
             "`texture` and `checker` are both given, but only one can be worn");
}

static bool read_expression(const Reader *reader, const Node *object, const char *key,
                            const char *unit, Expression *expression)
{
    const Node *node = node_find(object, key);
    return node != NULL && node_expression(reader, node, unit, expression);
}

/* `by`: a name that expressions know, an expression, or the name of a column. */
static void read_by(const Reader *reader, const Node *object, LookColors *by)
{
    const Node *node = node_require(reader, object, "by");
    const char *text;
    if (node == NULL) return;
    if (node_is_expression(node)) {
        by->present = node_expression(reader, node, "", &by->value);
        by->title = node->text + 1;
        return;
    }
    if (!node_text(reader, node, &text)) return;
    const ExpressionName *known = expression_name(reader->scope, text, strlen(text));
    ExpressionError ignored;
    by->title = text;
    if (known != NULL)
        by->present =
            expression_compile(reader->store, text, reader->scope, &by->value, &ignored) == MOTE_OK;
    else
        by->present = true, by->column = text;
}

static void read_color_by(const Reader *reader, const Node *object, LookColors *by)
{
    static const char *const keys[] = {"by", "map", "range", "legend", "title", NULL};
    static const char *const none[] = {NULL};
    const Node *map = node_find(object, "map"), *range = node_find(object, "range");
    const Node *legend = node_find(object, "legend"), *title = node_find(object, "title");
    size_t index = 0, count;
    node_check_keys(reader, object, "color", name_list(keys), name_list(none));
    read_by(reader, object, by);
    by->legend = true;
    if (map != NULL) node_choice(reader, map, "colour map", (NameList){map_name, NULL}, &index);
    by->map = map_name(NULL, index);
    if (range != NULL) by->has_range = node_numbers(reader, range, "", 2, 2, by->range, &count);
    if (by->has_range && !(by->range[0] < by->range[1]))
        diagnose(reader->diagnostics, node_place(range),
                 "range must be [lowest, highest] with lowest < highest");
    if (legend != NULL) node_bool(reader, legend, &by->legend);
    if (title != NULL) node_text(reader, title, &by->title);
}

static void read_color(const Reader *reader, const Node *object, Look *look)
{
    const Node *node = node_find(object, "color");
    double constant[3];
    if (node == NULL) return;
    if (node->type == NODE_OBJECT) {
        read_color_by(reader, node, &look->by);
        return;
    }
    if (node->type != NODE_ARRAY) {
        look->has_color = node_color(reader, node, constant);
        for (int c = 0; c < 3 && look->has_color; ++c)
            look->color[c] = (Expression){.value = constant[c], .constant = true};
        return;
    }
    look->has_color = node->count == 3;
    for (size_t c = 0; c < 3 && look->has_color; ++c)
        look->has_color = node_expression(reader, node_child(node, c), "", &look->color[c]);
    if (node->count != 3)
        diagnose(reader->diagnostics, node_place(node), "color needs three numbers: [r, g, b]");
}

/* Emitters that give their particles a colour mean it to be seen. */
static bool is_coloured(const mote_Scene *scene, const Node *system)
{
    const Node *emitters = node_find(scene->document->root, "emitters");
    const Node *name = node_find(system, "name");
    if (emitters == NULL || emitters->type != NODE_ARRAY || name == NULL) return false;
    NODE_EACH(emitter, emitters)
    {
        const Node *own = node_find(emitter, "system");
        const bool same = own != NULL && own->type == NODE_TEXT && name->type == NODE_TEXT &&
                          strcmp(own->text, name->text) == 0;
        if (same && node_find(emitter, "color") != NULL) return true;
    }
    return false;
}

/* What is said of an image's cells, where there is no image. */
static void check_no_image(const Reader *reader, const Node *object)
{
    static const char *const keys[] = {"columns", "rows", "cell", "turn"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        const Node *node = node_find(object, keys[i]);
        if (node == NULL) continue;
        diagnose(reader->diagnostics, node_place(node),
                 "`%s` is of sprites, which need an `image`: an OpenEXR file", keys[i]);
    }
}

static void read_image(const Reader *reader, const Node *object, Look *look)
{
    const Node *node = node_find(object, "image");
    mote_Error error;
    int axis;
    if (node == NULL) {
        check_no_image(reader, object);
        return;
    }
    if (look->has_sprite)
        diagnose(reader->diagnostics, node_place(node_find(object, "sprite")),
                 "`sprite` chooses a profile, but an `image` is drawn instead of them; `cell` "
                 "chooses among its cells");
    look->has_cell = read_expression(reader, object, "cell", "", &look->cell);
    look->has_turn = read_expression(reader, object, "turn", "degrees", &look->turn);
    if (!node_image(reader, node, &look->def.image)) return;
    if (sheet_check(&look->def, "look", &axis, &error) == MOTE_OK) return;
    const Node *wrong = node_find(object, axis == 0 ? "columns" : "rows");
    diagnose(reader->diagnostics, node_place(wrong != NULL ? wrong : node), "%s", error.message);
}

/* What its triangles wear. */
static void read_worn(const Reader *reader, const Node *object, Look *look)
{
    const Node *texture = node_find(object, "texture"), *uv = node_find(object, "uv");
    if (texture != NULL) node_image(reader, texture, &look->def.texture);
    if (texture != NULL && look->def.checker > 0) refuse_both(reader, texture);
    if (uv == NULL || !node_expect(reader, uv, NODE_ARRAY)) return;
    if (texture == NULL && look->def.checker == 0)
        diagnose(reader->diagnostics, node_place(uv),
                 "`uv` says where a `texture` or a `checker` lies, and there is none");
    look->has_uv = uv->count == 2;
    for (size_t c = 0; c < 2 && look->has_uv; ++c)
        look->has_uv = node_expression(reader, node_child(uv, c), "", &look->uv[c]);
    if (uv->count != 2)
        diagnose(reader->diagnostics, node_place(uv), "uv needs two numbers: [u, v]");
}

void scene_read_look(mote_Scene *scene, const Node *system, const char *usual, Look *look)
{
    static const char *const others[] = {"preset",  "size",    "color", "temperature",
                                         "opacity", "sprite",  "image", "cell",
                                         "turn",    "texture", "uv",    NULL};
    const mote_Row *preset;
    const Node *given = node_find(system, "look");
    const Node *object = given == NULL ? preset_look(scene, usual)
                                       : preset_object(scene, given, look_presets, "look", &preset);
    Reader reader = *scene_reader(scene);
    ExpressionScope scope = *look_scope();
    scope.outer = reader.scope;
    scene_read_struct(scene, &look_row, object, others, &look->def, NULL);
    if (look->def.profile == NULL) look->def.profile = mote_look_def().profile;
    reader.scope = &scope;
    look->has_size = read_expression(&reader, object, "size", "m", &look->size);
    look->has_sprite = read_expression(&reader, object, "sprite", "", &look->sprite);
    look->has_opacity = read_expression(&reader, object, "opacity", "", &look->opacity);
    look->has_temperature =
        read_expression(&reader, object, "temperature", "K", &look->temperature);
    read_image(&reader, object, look);
    read_worn(&reader, object, look);
    if (given != NULL || !is_coloured(scene, system)) read_color(&reader, object, look);
}

/* ---- looks of shapes ---- */

void scene_read_shape_look(mote_Scene *scene, const Node *collider, const char *name)
{
    const Node *object = node_find(collider, "look");
    mote_ShapeLook *looks = scene->shape_looks.items;
    if (object == NULL || looks == NULL || !node_expect(scene_reader(scene), object, NODE_OBJECT))
        return;
    mote_ShapeLook *look = &looks[scene->shape_looks.count++];
    static const char *const parts[] = {"texture", NULL};
    const Node *texture = node_find(object, "texture");
    scene_read_struct(scene, &shape_look_row, object, parts, look, NULL);
    if (texture != NULL) node_image(scene_reader(scene), texture, &look->texture);
    if (texture != NULL && look->checker > 0) refuse_both(scene_reader(scene), texture);
    look->shape = name;
}

/* ---- lights ---- */

static void read_light(mote_Scene *scene, const Node *object, SceneLight *light)
{
    static const char *const others[] = {"type", "name", NULL};
    size_t index, count;
    const Node *type = node_require(scene_reader(scene), object, "type");
    SceneBinding binding = {.name = NULL};
    if (type == NULL ||
        !node_choice(scene_reader(scene), type, "light type", (NameList){light_name, NULL}, &index))
        return;
    scene_read_struct(scene, light_rows(ISA_V1, &count)[index], object, others, &light->def,
                      &binding);
    light->def.type = (mote_LightType)index;
    light->bindings = binding.bindings;
}

static void read_lights(mote_Scene *scene, const Node *list)
{
    if (list == NULL || !node_expect(scene_reader(scene), list, NODE_ARRAY)) return;
    if (list->count > MOTE_LIGHTS_MOST) {
        diagnose(scene_reader(scene)->diagnostics, node_place(list),
                 "there are %u lights, but must be at most %d", (unsigned)list->count,
                 MOTE_LIGHTS_MOST);
        return;
    }
    NODE_EACH(child, list)
    if (node_expect(scene_reader(scene), child, NODE_OBJECT))
        read_light(scene, child, &scene->lights[scene->light_count++]);
}

static void read_ambient(mote_Scene *scene, const Node *node)
{
    double color[3];
    size_t count;
    if (!node_numbers(scene_reader(scene), node, "", 3, 3, color, &count)) return;
    scene->picture.def.ambient =
        (mote_Vec3){(mote_real)color[0], (mote_real)color[1], (mote_real)color[2]};
}

/* ---- what to show besides ---- */

static void read_shown(mote_Scene *scene, const Node *node)
{
    static const char *const names[] = {"wireframe", "bounds", "links", "axes", NULL};
    size_t index;
    if (node_choice(scene_reader(scene), node, "thing to show", name_list(names), &index))
        scene->show |= 1u << index;
}

static void read_show(mote_Scene *scene, const Node *node)
{
    if (node == NULL) return;
    if (node->type != NODE_ARRAY) {
        read_shown(scene, node);
        return;
    }
    NODE_EACH(child, node) read_shown(scene, child);
}

/* ---- all of it ---- */

/* A camera that cannot look: known before the first picture, where nothing moves it. */
static void check_sight(mote_Scene *scene, const Node *object)
{
    Diagnostics *diagnostics = scene_reader(scene)->diagnostics;
    const Node *node = node_find(object, "from");
    const mote_Vec3 from = scene->camera.from, to = scene->camera.to;
    const mote_Vec3 sight = vec3_sub(to, from), across = vec3_cross(sight, scene->camera.up);
    const bool moves = scene->camera_bindings.first != NULL || scene->camera_keys.count > 0;
    if (!scene->has_camera || moves) return;
    if (node == NULL) node = node_find(object, "to");
    if (!(vec3_length(sight) > 0)) {
        diagnose(diagnostics, node_place(node),
                 "the camera's `from` is its `to`: it looks nowhere");
        diagnose_hint(diagnostics, "from: [%g, %g, %g] would look at it from 5 m away",
                      (double)to.x, (double)to.y, (double)to.z + 5);
    } else if (!(vec3_length(across) >
                 (mote_real)1e-4 * vec3_length(sight) * vec3_length(scene->camera.up))) {
        diagnose(diagnostics, node_place(node), "the camera looks along its `up`");
        diagnose_hint(diagnostics, "move `from` to the side, or give another direction as `up`");
    }
}

static void read_camera(mote_Scene *scene, const Node *root)
{
    SceneBinding binding = {.name = NULL};
    static const char *const others[] = {"keys", NULL};
    const Node *object = scene_object_at(scene, root, "camera");
    scene_read_struct(scene, &camera_row, object, others, &scene->camera, &binding);
    scene->camera_bindings = binding.bindings;
    scene_read_camera_keys(scene, node_find(object, "keys"));
    scene->has_camera = node_find(object, "from") != NULL || node_find(object, "to") != NULL ||
                        scene->camera_keys.count > 0;
    if (node_find(object, "up") == NULL)
        scene->camera.up = (mote_Vec3){scene->world.def.up == 0, scene->world.def.up == 1,
                                       scene->world.def.up == 2};
    scene_finish_camera_keys(scene);
    check_sight(scene, object);
}

void scene_read_pictures(mote_Scene *scene)
{
    static const char *const parts[] = {"sky", "ground", "lights", "show", "trace", NULL};
    static const char *const named[] = {"preset", "file", NULL};
    const Node *root = scene->document->root, *render = scene_object_at(scene, root, "render");
    const mote_Row *preset;
    const Node *sky = preset_object(scene, node_find(render, "sky"), sky_presets, "sky", &preset);
    const Node *brought = preset_render(scene, preset), *lights = node_find(render, "lights");
    const Node *ambient = node_find(brought, "ambient");
    scene_read_struct(scene, &scene_picture_row, render, parts, &scene->picture, NULL);
    if (ambient != NULL && node_find(render, "ambient") == NULL) read_ambient(scene, ambient);
    scene_read_struct(scene, &sky_row, sky, named, &scene->sky, NULL);
    const Node *file = node_find(sky, "file");
    if (file != NULL) node_image(scene_reader(scene), file, &scene->sky.panorama);
    scene_read_struct(scene, &ground_row, scene_object_at(scene, render, "ground"), NULL,
                      &scene->ground, NULL);
    scene_read_struct(scene, &trace_row, scene_object_at(scene, render, "trace"), NULL,
                      &scene->trace, NULL);
    read_lights(scene, lights != NULL ? lights : node_find(brought, "lights"));
    read_show(scene, node_find(render, "show"));
    read_camera(scene, root);
    scene_read_struct(scene, &scene_output_row, scene_object_at(scene, root, "output"), NULL,
                      &scene->output, NULL);
}

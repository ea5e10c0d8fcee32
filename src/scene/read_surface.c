/* Reading the surfaces of systems, and handing them out. */
#include "scene/read.h"

#include "surface/field.h"
#include "text/store.h"

static const char *field_name(const void *context, size_t i)
{
    size_t count;
    const mote_Row *const *rows = surface_field_rows(ISA_V1, &count);
    (void)context;
    return i < count ? rows[i]->name : NULL;
}

/* Without a type, the first field is meant. */
static void read_field(mote_Scene *scene, const Node *object, SceneSurface *surface)
{
    static const char *const others[] = {"type", NULL};
    const Reader *reader = &scene->document->reader;
    const Node *type = node_find(object, "type");
    size_t index = 0, count;
    if (type != NULL &&
        !node_choice(reader, type, "field of a surface", (NameList){field_name, NULL}, &index))
        return;
    const mote_Row *row = surface_field_rows(ISA_V1, &count)[index];
    surface->def.field = row->name;
    void *params = store_take(reader->store, row->params_size);
    if (params != NULL) scene_read_struct(scene, row, object, others, params, NULL);
    surface->def.params = params;
}

/* Columns that the mesh shall carry; which there are is known when the solver has made its own. */
static void read_attributes(mote_Scene *scene, const Node *list, mote_SurfaceDef *def)
{
    const Reader *reader = &scene->document->reader;
    if (list == NULL || !node_expect(reader, list, NODE_ARRAY)) return;
    const char **names = store_take(reader->store, ((size_t)list->count + 1) * sizeof *names);
    size_t count = 0;
    for (const Node *n = node_child(list, 0); names != NULL && n != NULL; n = n->next)
        count += node_text(reader, n, &names[count]);
    def->attributes = names, def->attribute_count = names != NULL ? count : 0;
}

void scene_read_surface(mote_Scene *scene, const Node *system, SceneSurface *surface)
{
    static const char *const others[] = {"field", "attributes", NULL};
    const Node *object = node_find(system, "surface");
    *surface = (SceneSurface){.def = mote_surface_def()};
    if (object == NULL || !node_expect(&scene->document->reader, object, NODE_OBJECT)) return;
    scene_read_struct(scene, &surface_row, object, others, &surface->def, NULL);
    surface->present = true;
    read_attributes(scene, node_find(object, "attributes"), &surface->def);
    read_field(scene, scene_object_at(scene, object, "field"), surface);
}

bool mote_scene_surface(const mote_Scene *scene, size_t i, const char **system,
                        mote_SurfaceDef *def)
{
    const SceneSystem *systems = scene->systems.items;
    for (size_t s = 0; s < scene->systems.count; ++s) {
        const SceneSurface *surface = &systems[s].surface;
        if (!surface->present || i-- > 0) continue;
        *system = systems[s].def.name;
        *def = surface->def;
        return true;
    }
    return false;
}

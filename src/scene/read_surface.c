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

void scene_read_surface(mote_Scene *scene, const Node *system, SceneSurface *surface)
{
    static const char *const others[] = {"field", NULL};
    const Node *object = node_find(system, "surface");
    *surface = (SceneSurface){.def = mote_surface_def()};
    if (object == NULL || !node_expect(&scene->document->reader, object, NODE_OBJECT)) return;
    scene_read_struct(scene, &surface_row, object, others, &surface->def, NULL);
    surface->present = true;
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

/* The names that a scene may say: rows of families, and its own fields, systems and colliders. */
#include "scene/read.h"

#include "collide/collide.h"
#include "render/tables.h"
#include "world/solvers.h"

#include <string.h>

bool scene_can_say(const mote_Row *row)
{
    return row->param_count > 0 || row->params_size == 0;
}

const mote_Row *scene_table_row(RowTable *table, size_t i)
{
    size_t count;
    const mote_Row *const *rows = table(ISA_V1, &count);
    for (size_t k = 0; k < count; ++k)
        if (scene_can_say(rows[k]) && i-- == 0) return rows[k];
    return NULL;
}

static const char *table_name(const void *context, size_t i)
{
    const mote_Row *row = scene_table_row(*(RowTable *const *)context, i);
    return row != NULL ? row->name : NULL;
}

NameList scene_table_names(RowTable *const *table)
{
    return (NameList){table_name, table};
}

/* The i-th field that a solver of the scene publishes, or NULL. */
static const char *published_name(const mote_Scene *scene, size_t i)
{
    const SceneSystem *systems = scene->systems.items;
    for (size_t s = 0; s < scene->systems.count; ++s) {
        if (i < systems[s].published_count) return systems[s].published[i];
        i -= systems[s].published_count;
    }
    return NULL;
}

static const char *field_name(const void *context, size_t i)
{
    const mote_Scene *scene = context;
    const mote_FieldDef *fields = scene->fields.items;
    return i < scene->fields.count ? fields[i].name
                                   : published_name(scene, i - scene->fields.count);
}

static const char *collider_name(const void *context, size_t i)
{
    const mote_Scene *scene = context;
    const mote_ColliderDef *colliders = scene->colliders.items;
    const mote_BodyDef *bodies = scene->bodies.items;
    size_t count = scene->colliders.count;
    if (i < count) return colliders[i].name;
    return i - count < scene->bodies.count ? bodies[i - count].name : NULL;
}

static const char *system_name(const void *context, size_t i)
{
    const mote_Scene *scene = context;
    const SceneSystem *systems = scene->systems.items;
    return i < scene->systems.count ? systems[i].def.name : NULL;
}

NameList scene_system_names(const mote_Scene *scene)
{
    return (NameList){system_name, scene};
}

NameList scene_collider_names(const mote_Scene *scene)
{
    return (NameList){collider_name, scene};
}

/* Known to the solver alone. */
static NameList column_names(const mote_Scene *scene)
{
    (void)scene;
    return (NameList){NULL, NULL};
}

static NameList field_names(const mote_Scene *scene)
{
    return (NameList){field_name, scene};
}

NameList scene_names_of_kind(const mote_Scene *scene, const char *kind)
{
    static const struct {
        const char *kind;
        NameList (*names)(const mote_Scene *scene); /* of a scene's own objects */
        RowTable *table;                            /* or of rows */
    } kinds[] = {
        {"field", field_names, NULL},
        {"system", scene_system_names, NULL},
        {"collider", scene_collider_names, NULL},
        {"column", column_names, NULL},
        {"integrator", NULL, integrator_rows},
        {"pressure", NULL, pressure_rows},
        {"viscosity", NULL, viscosity_rows},
        {"smoothing", NULL, smoothing_rows},
        {"boundary", NULL, boundary_rows},
        {"heat", NULL, heat_rows},
        {"tension", NULL, tension_rows},
        {"profile", NULL, profile_family},
        {"collide algorithm", NULL, collide_rows},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (strcmp(kinds[i].kind, kind) != 0) continue;
        return kinds[i].names != NULL ? kinds[i].names(scene) : scene_table_names(&kinds[i].table);
    }
    return (NameList){NULL, NULL};
}

void scene_check_references(const mote_Scene *scene, const mote_Row *row, const Node *object)
{
    for (size_t i = 0; i < row->param_count; ++i) {
        const mote_Param *param = &row->params[i];
        const bool named = param->type == MOTE_PARAM_NAME || param->type == MOTE_PARAM_METHOD;
        const Node *node = named ? node_find(object, param->name) : NULL;
        size_t index;
        if (node == NULL || node->type != NODE_TEXT) continue; /* what is no name was told of */
        NameList names = scene_names_of_kind(scene, param->choices[0]);
        bool early = names.name == system_name && scene->systems.items == NULL;
        if (names.name == NULL || early) continue;
        node_choice(scene_reader(scene), node, param->choices[0], names, &index);
    }
}

/* Textures on cloth: where its particles are on them, as the patterns of links laid them out. */
#include "scene/cloth.h"

#include "base/row.h"
#include "base/status.h"
#include "links/pattern.h"
#include "particles/system.h"
#include "scene/read.h"

#include <string.h>

static bool is_worn(const Look *look)
{
    return look->def.texture != NULL || look->def.checker > 0;
}

static const PatternRow *pattern_of(const mote_LinksDef *links)
{
    size_t count;
    const mote_Row *const *rows = pattern_rows(ISA_V1, &count);
    const mote_Row *row = links->pattern != NULL ? row_named(rows, count, links->pattern) : NULL;
    return (const PatternRow *)(const void *)row; /* its head is first */
}

static bool is_of(const mote_LinksDef *links, const char *system)
{
    return links->system != NULL && system != NULL && strcmp(links->system, system) == 0;
}

/* What a pattern laid out: particles of these ids. Patterns take them in their order, before
 * anything else is born. */
typedef struct Cloth {
    const PatternRow *row;
    const void *params;
    uint64_t first, end;
} Cloth;

static size_t list_cloths(const mote_Scene *scene, const char *system, Cloth *cloths)
{
    const mote_LinksDef *links = scene->links.items;
    size_t count = 0;
    uint64_t first = 0;
    for (size_t i = 0; i < scene->links.count; ++i) {
        const PatternRow *row = pattern_of(&links[i]);
        Pattern all = {.particles = 0};
        if (row == NULL || row->lay == NULL || !is_of(&links[i], system)) continue;
        row->lay(links[i].pattern_params, &all);
        cloths[count++] = (Cloth){row, links[i].pattern_params, first, first + all.particles};
        first += all.particles;
    }
    return count;
}

static void spread_row(const Cloth *cloths, size_t count, uint64_t id, double uv[2])
{
    for (size_t c = 0; c < count; ++c)
        if (id >= cloths[c].first && id < cloths[c].end && cloths[c].row->spread != NULL)
            cloths[c].row->spread(cloths[c].params, (size_t)(id - cloths[c].first), uv);
}

bool scene_spread_cloth(mote_Scene *scene, const SceneSystem *said, mote_FrameSystem *system)
{
    const mote_Column *ids = mote_frame_column(system, "id");
    const size_t rows = system->count, old = system->column_count;
    if (!is_worn(&said->look) || said->look.has_uv || ids == NULL) return true;
    Arena *arena = &scene->drawing;
    Cloth *cloths = arena_take(arena, (scene->links.count + 1) * sizeof *cloths);
    mote_Column *columns = arena_take(arena, (old + 1) * sizeof *columns);
    mote_real *uvs = arena_take(arena, (2 * rows + 1) * sizeof *uvs);
    if (cloths == NULL || columns == NULL || uvs == NULL) return false;
    const size_t count = list_cloths(scene, said->def.name, cloths);
    for (size_t i = 0; i < rows; ++i) {
        double uv[2] = {0, 0};
        spread_row(cloths, count, ((const uint64_t *)ids->data)[i], uv);
        uvs[i] = (mote_real)uv[0], uvs[rows + i] = (mote_real)uv[1];
    }
    memcpy(columns, system->columns, old * sizeof *columns);
    columns[old] = (mote_Column){
        .name = "uv", .unit = "", .stage = "", .components = 2, .stride = rows, .data = uvs};
    system->columns = columns, system->column_count = old + 1;
    return true;
}

/* ---- what is missing ---- */

static bool has_spread(const mote_Scene *scene, const char *system)
{
    const mote_LinksDef *links = scene->links.items;
    for (size_t i = 0; i < scene->links.count; ++i) {
        const PatternRow *row = pattern_of(&links[i]);
        if (is_of(&links[i], system) && row != NULL && row->spread != NULL) return true;
    }
    return false;
}

void scene_check_cloth(mote_Scene *scene)
{
    const Node *list = node_find(scene->document->root, "systems");
    const SceneSystem *systems = scene->systems.items;
    size_t i = 0;
    if (list == NULL || list->type != NODE_ARRAY) return;
    NODE_EACH(child, list)
    {
        if (child->type != NODE_OBJECT || i == scene->systems.count) continue;
        const SceneSystem *system = &systems[i++];
        if (!is_worn(&system->look) || system->look.has_uv || has_spread(scene, system->def.name))
            continue;
        diagnose(scene_reader(scene)->diagnostics, node_place(node_find(child, "look")),
                 "a texture needs to know where particles are on it: `links` of a `sheet`, or "
                 "`uv: [u, v]`, expressions of a particle's columns");
    }
}

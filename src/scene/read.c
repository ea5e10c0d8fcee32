/* From the document's tree to definitions: every key comes from a parameter table or is one of the
 * few that give an object its place: name, type, system, systems, group, and nested objects. */
#include "scene/read.h"

#include "base/name_index.h"
#include "bodies/body.h"
#include "collide/collide.h"
#include "emit/emitter.h"
#include "fields/field.h"
#include "forces/force.h"
#include "probes/probe.h"
#include "render/kernel.h"
#include "world/solvers.h"

#include <stdio.h>
#include <string.h>

static const Reader *reader_of(const mote_Scene *scene)
{
    return &scene->document->reader;
}

static void *take(mote_Scene *scene, size_t size)
{
    void *block = store_take(scene->document->reader.store, size > 0 ? size : 1);
    if (block != NULL) memset(block, 0, size);
    return block;
}

/* ---- tables and names ---- */

typedef const mote_Row *const *RowTable(Isa isa, size_t *count);

bool scene_can_say(const mote_Row *row)
{
    return row->param_count > 0 || row->params_size == 0;
}

/* The i-th row that a scene can ask for, or NULL. */
static const mote_Row *table_row(RowTable *table, size_t i)
{
    size_t count;
    const mote_Row *const *rows = table(ISA_V1, &count);
    for (size_t k = 0; k < count; ++k)
        if (scene_can_say(rows[k]) && i-- == 0) return rows[k];
    return NULL;
}

static const char *table_name(const void *context, size_t i)
{
    const mote_Row *row = table_row(*(RowTable *const *)context, i);
    return row != NULL ? row->name : NULL;
}

static NameList table_names(RowTable *const *table)
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

NameList scene_names_of_kind(const mote_Scene *scene, const char *kind)
{
    static RowTable *const integrators = integrator_rows;
    static RowTable *const kernels = kernel_family;
    static RowTable *const algorithms = collide_rows;
    static RowTable *const pressures = pressure_rows;
    static RowTable *const viscosities = viscosity_rows;
    static RowTable *const smoothings = smoothing_rows;
    static RowTable *const boundaries = boundary_rows;
    if (strcmp(kind, "field") == 0) return (NameList){field_name, scene};
    if (strcmp(kind, "system") == 0) return (NameList){system_name, scene};
    if (strcmp(kind, "collider") == 0) return (NameList){collider_name, scene};
    if (strcmp(kind, "column") == 0) return (NameList){NULL, NULL}; /* known to the solver alone */
    if (strcmp(kind, "integrator") == 0) return table_names(&integrators);
    if (strcmp(kind, "pressure") == 0) return table_names(&pressures);
    if (strcmp(kind, "viscosity") == 0) return table_names(&viscosities);
    if (strcmp(kind, "smoothing") == 0) return table_names(&smoothings);
    if (strcmp(kind, "boundary") == 0) return table_names(&boundaries);
    if (strcmp(kind, "kernel") == 0) return table_names(&kernels);
    return table_names(&algorithms);
}

static void check_references(const mote_Scene *scene, const mote_Row *row, const Node *object)
{
    for (size_t i = 0; i < row->param_count; ++i) {
        const mote_Param *param = &row->params[i];
        const Node *node = param->type == MOTE_PARAM_NAME ? node_find(object, param->name) : NULL;
        size_t index;
        if (node == NULL || node->type == NODE_NULL) continue;
        NameList names = scene_names_of_kind(scene, param->choices[0]);
        bool early = names.name == system_name && scene->systems.items == NULL;
        if (names.name == NULL || early) continue;
        node_choice(reader_of(scene), node, param->choices[0], names, &index);
    }
}

/* ---- one object ---- */

static const Node *no_members(void)
{
    static const Node empty = {.type = NODE_OBJECT};
    return &empty;
}

/* The object under this key; an empty one when it is missing. */
static const Node *object_at(const mote_Scene *scene, const Node *parent, const char *key)
{
    const Node *node = node_find(parent, key);
    if (node == NULL || !node_expect(reader_of(scene), node, NODE_OBJECT)) return no_members();
    return node;
}

/* Fills a struct from an object by its table; what varies with time is bound to (kind, name). */
static void read_struct(mote_Scene *scene, const mote_Row *row, const Node *object,
                        const char *const *others, void *params, SceneBinding *binding)
{
    params_from_node(reader_of(scene), row, object, others, params,
                     binding != NULL ? &binding->bindings : NULL);
    check_references(scene, row, object);
}

static void keep_binding(mote_Scene *scene, const SceneBinding *binding)
{
    SceneBinding *all = scene->bindings.items;
    if (binding->bindings.count > 0 && all != NULL) all[scene->bindings.count++] = *binding;
}

/* The row that `type` names in the object; NULL when there is none, which is reported. */
static const mote_Row *read_type(mote_Scene *scene, const Node *object, RowTable *const *table,
                                 const char *what)
{
    size_t index;
    const Node *type = node_require(reader_of(scene), object, "type");
    if (type == NULL || !node_choice(reader_of(scene), type, what, table_names(table), &index))
        return NULL;
    return table_row(*table, index);
}

/* The object's name, or what it is and its number. */
static const char *read_name(mote_Scene *scene, const Node *object, const char *what, size_t number)
{
    const char *name = NULL;
    const Node *node = node_find(object, "name");
    if (node != NULL && node_text(reader_of(scene), node, &name)) return name;
    char made[64];
    int length = snprintf(made, sizeof made, "%s-%zu", what, number);
    name = store_text(reader_of(scene)->store, made, (size_t)length);
    return name != NULL ? name : "";
}

static const char *read_choice_name(mote_Scene *scene, const Node *node, const char *what,
                                    NameList names)
{
    size_t index;
    if (!node_choice(reader_of(scene), node, what, names, &index)) return NULL;
    return names.name(names.context, index);
}

/* A list of names, as `systems: ["a", "b"]`, or one name; NULL when the key is missing. */
static const char *const *read_names(mote_Scene *scene, const Node *node, const char *what,
                                     NameList names, size_t *count)
{
    *count = 0;
    if (node == NULL) return NULL;
    bool list = node->type == NODE_ARRAY;
    const char **all = take(scene, (list ? node->count + 1 : 1) * sizeof *all);
    if (all == NULL) return NULL;
    const char *name = list ? NULL : read_choice_name(scene, node, what, names);
    if (name != NULL) all[(*count)++] = name;
    if (!list) return all;
    NODE_EACH(child, node)
    {
        name = read_choice_name(scene, child, what, names);
        if (name != NULL) all[(*count)++] = name;
    }
    return all;
}

/* The systems that an object acts on; NULL for all. */
static const char *const *read_systems(mote_Scene *scene, const Node *object, size_t *count)
{
    return read_names(scene, node_find(object, "systems"), "system", (NameList){system_name, scene},
                      count);
}

/* ---- the kinds of objects ---- */

static void read_field(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = field_rows;
    static const char *const others[] = {"name", "type", "obstacles", NULL};
    mote_FieldDef *def = item;
    const mote_Row *row = read_type(scene, object, &table, "field type");
    if (row == NULL) return;
    void *params = take(scene, row->params_size);
    def->name = read_name(scene, object, row->name, number);
    def->type = row->name;
    def->params = params;
    SceneBinding binding = {.kind = "field", .name = def->name};
    if (params != NULL) read_struct(scene, row, object, others, params, &binding);
    keep_binding(scene, &binding);
}

static void read_force(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = force_rows;
    static const char *const others[] = {"name", "type", "systems", "group", NULL};
    mote_ForceDef *def = item;
    const mote_Row *row = read_type(scene, object, &table, "force type");
    if (row == NULL) return;
    void *params = take(scene, row->params_size);
    uint64_t group = 0;
    const Node *group_node = node_find(object, "group");
    if (group_node != NULL) node_count(reader_of(scene), group_node, &group);
    def->name = read_name(scene, object, row->name, number);
    def->type = row->name;
    def->params = params;
    def->systems = read_systems(scene, object, &def->system_count);
    def->group = (uint32_t)group;
    SceneBinding binding = {.kind = "force", .name = def->name};
    if (params != NULL) read_struct(scene, row, object, others, params, &binding);
    keep_binding(scene, &binding);
}

/* A nested object with a type of its own: `from` of an emitter, `shape` of a collider. */
static const mote_Row *read_part(mote_Scene *scene, const Node *object, const char *key,
                                 RowTable *const *table, SceneBinding *binding, void **params)
{
    static const char *const others[] = {"type", NULL};
    const Node *part = node_find(object, key);
    if (part == NULL || !node_expect(reader_of(scene), part, NODE_OBJECT)) return NULL;
    const mote_Row *row = read_type(scene, part, table, binding->kind);
    if (row == NULL) return NULL;
    *params = take(scene, row->params_size);
    if (*params != NULL) read_struct(scene, row, part, others, *params, binding);
    return row;
}

static void read_emitter(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = source_rows;
    static const char *const others[] = {"name", "system", "from", NULL};
    mote_EmitterDef *def = item;
    const char *name = read_name(scene, object, "emitter", number);
    const Node *system = node_require(reader_of(scene), object, "system");
    SceneBinding own = {.kind = "emitter", .name = name};
    SceneBinding from = {.kind = "source", .name = name};
    void *params = NULL;
    read_struct(scene, &emitter_row, object, others, def, &own);
    const mote_Row *source = read_part(scene, object, "from", &table, &from, &params);
    def->name = name;
    def->system = system != NULL
                      ? read_choice_name(scene, system, "system", (NameList){system_name, scene})
                      : NULL;
    def->source = source != NULL ? source->name : "point";
    def->source_params = params;
    keep_binding(scene, &own);
    keep_binding(scene, &from);
}

/* `friction: 0.4`, or an object whose type names a law. */
static void read_law(mote_Scene *scene, const Node *object, mote_ColliderDef *def,
                     SceneBinding *binding)
{
    static RowTable *const table = friction_rows;
    void *params = NULL;
    const mote_Row *row = read_part(scene, object, "friction", &table, binding, &params);
    if (row == NULL) return;
    def->friction_law = row->name;
    def->friction_params = params;
}

/* Where a collider or a body is: constant, or a function of time, which is returned. */
static SceneMotion *read_motion(mote_Scene *scene, const Node *object, mote_Motion *constant)
{
    SceneBinding binding = {.kind = "motion"};
    SceneMotion *motion = take(scene, sizeof *motion);
    read_struct(scene, &motion_row, object_at(scene, object, "motion"), NULL, constant, &binding);
    if (binding.bindings.count == 0 || motion == NULL) return NULL;
    *motion = (SceneMotion){scene, binding.bindings};
    return motion;
}

static void read_collider(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = shape_rows;
    static const char *const others[] = {"name",     "systems", "shape", "motion",
                                         "friction", "look",    NULL};
    mote_ColliderDef *def = item;
    const char *name = read_name(scene, object, "collider", number);
    SceneBinding own = {.kind = "collider", .name = name};
    SceneBinding shape = {.kind = "shape", .name = name};
    SceneBinding law = {.kind = "friction", .name = name};
    const Node *friction = node_find(object, "friction");
    bool is_law = friction != NULL && friction->type == NODE_OBJECT;
    void *params = NULL;
    read_struct(scene, is_law ? &collider_keys_row : &collider_row, object, others, def, &own);
    if (is_law) read_law(scene, object, def, &law);
    def->path_context = read_motion(scene, object, &def->motion);
    if (def->path_context != NULL) def->path = scene_motion_at;
    if (node_require(reader_of(scene), object, "shape") == NULL) return;
    const mote_Row *row = read_part(scene, object, "shape", &table, &shape, &params);
    def->name = name;
    def->shape = row != NULL ? row->name : NULL;
    def->shape_params = params;
    def->systems = read_systems(scene, object, &def->system_count);
    scene_read_shape_look(scene, object, name);
    keep_binding(scene, &own);
    keep_binding(scene, &shape);
    keep_binding(scene, &law);
}

/* Mass is measured once, so neither a body nor its shape may change with time. */
static void read_body(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = shape_rows;
    static const char *const others[] = {"name", "systems", "shape", "motion",
                                         "look", "copies",  NULL};
    static const char *const type[] = {"type", NULL};
    mote_BodyDef *def = item;
    read_struct(scene, &body_row, object, others, def, NULL);
    def->name = read_name(scene, object, "body", number);
    def->path_context = read_motion(scene, object, &def->motion);
    if (def->path_context != NULL) def->path = scene_motion_at;
    def->systems = read_systems(scene, object, &def->system_count);
    scene_read_shape_look(scene, object, def->name);
    const Node *part = node_require(reader_of(scene), object, "shape");
    if (part == NULL || !node_expect(reader_of(scene), part, NODE_OBJECT)) return;
    const mote_Row *row = read_type(scene, part, &table, "shape");
    void *params = row != NULL ? take(scene, row->params_size) : NULL;
    if (params == NULL) return;
    read_struct(scene, row, part, type, params, NULL);
    def->shape = row->name;
    def->shape_params = params;
}

/* A pattern makes particles once, so nothing in it may change with time. */
static void read_links(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = pattern_rows;
    static const char *const others[] = {"name", "system", "pattern", NULL};
    static const char *const type[] = {"type", NULL};
    mote_LinksDef *def = item;
    const char *name = read_name(scene, object, "links", number);
    const Node *system = node_require(reader_of(scene), object, "system");
    const Node *part = node_require(reader_of(scene), object, "pattern");
    SceneBinding own = {.kind = "links", .name = name};
    read_struct(scene, &links_row, object, others, def, &own);
    keep_binding(scene, &own);
    def->name = name;
    def->system = system != NULL
                      ? read_choice_name(scene, system, "system", (NameList){system_name, scene})
                      : NULL;
    if (part == NULL || !node_expect(reader_of(scene), part, NODE_OBJECT)) return;
    const mote_Row *row = read_type(scene, part, &table, "pattern");
    void *params = row != NULL ? take(scene, row->params_size) : NULL;
    if (params == NULL) return;
    read_struct(scene, row, part, type, params, NULL);
    def->pattern = row->name;
    def->pattern_params = params;
}

/* What a probe looks at must be named; `interval` is a key of every probe. */
static void read_probe(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = probe_rows;
    static const char *const others[] = {"name", "type", "interval", NULL};
    mote_ProbeDef *def = item;
    const mote_Row *row = read_type(scene, object, &table, "probe type");
    *def = mote_probe_def();
    if (row == NULL) return;
    void *params = take(scene, row->params_size);
    def->name = read_name(scene, object, row->name, number);
    def->type = row->name;
    def->params = params;
    const Node *interval = node_find(object, "interval");
    if (interval != NULL && node_number(reader_of(scene), interval, "s", &def->interval) &&
        !(def->interval >= 0))
        diagnose(reader_of(scene)->diagnostics, node_place(interval),
                 "interval must be at least 0 s; 0: every frame");
    for (size_t i = 0; i < row->param_count; ++i)
        if (row->params[i].type == MOTE_PARAM_NAME)
            node_require(reader_of(scene), object, row->params[i].name);
    SceneBinding binding = {.kind = "probe", .name = def->name};
    if (params != NULL) read_struct(scene, row, object, others, params, &binding);
    keep_binding(scene, &binding);
}

/* ---- systems ---- */

/* SYSTEM.FIELD, as the world will name them. */
static void name_published(mote_Scene *scene, const SolverRow *row, SceneSystem *system)
{
    if (row->field_count == 0) return;
    system->published = take(scene, row->field_count * sizeof *system->published);
    for (size_t i = 0; system->published != NULL && i < row->field_count; ++i) {
        char made[160];
        int length = snprintf(made, sizeof made, "%s.%s", system->def.name, row->fields[i].name);
        const char *name = store_text(reader_of(scene)->store, made, (size_t)length);
        if (name != NULL) system->published[system->published_count++] = name;
    }
}

/* Without a type, `points` is meant. */
static void read_solver(mote_Scene *scene, const Node *object, SceneSystem *system)
{
    static RowTable *const table = solver_rows;
    static const char *const others[] = {"type", NULL};
    const Node *type = node_find(object, "type");
    size_t index = 0;
    if (type != NULL) node_choice(reader_of(scene), type, "solver", table_names(&table), &index);
    const mote_Row *row = table_row(table, index);
    mote_row_defaults(&points_solver_row.head, &system->solver);
    system->def.solver = row->name;
    name_published(scene, (const SolverRow *)row, system);
    void *params = &system->solver;
    if (row != &points_solver_row.head) params = take(scene, row->params_size);
    if (params == NULL) return;
    read_struct(scene, row, object, others, params, NULL);
    if (params != &system->solver) system->def.solver_params = params;
}

static void read_system(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static const char *const keys[] = {"name", "solver", "collide", "look", "surface", NULL};
    static const char *const none[] = {NULL};
    SceneSystem *system = item;
    node_check_keys(reader_of(scene), object, "a system", name_list(keys), name_list(none));
    system->def = mote_system_def();
    system->def.name = read_name(scene, object, "system", number);
    read_solver(scene, object_at(scene, object, "solver"), system);
    read_struct(scene, &scene_collide_row, object_at(scene, object, "collide"), NULL,
                &system->def.collide, NULL);
    scene_read_look(scene, object, &system->look);
    scene_read_surface(scene, object, &system->surface);
}

/* ---- lists ---- */

static const char *item_name(const Node *object)
{
    const Node *name = node_find(object, "name");
    return name != NULL && name->type == NODE_TEXT ? name->text : NULL;
}

/* Two objects of a list with one name. */
static void check_unique(mote_Scene *scene, const Node *list)
{
    NameIndex index = name_index_make(&scene->memory);
    Diagnostics *diagnostics = reader_of(scene)->diagnostics;
    NODE_EACH(child, list)
    {
        const char *name = item_name(child);
        if (name == NULL) continue;
        if (name_index_find(&index, name) != SIZE_MAX)
            diagnose(diagnostics, node_place(node_find(child, "name")),
                     "`%s` is the name of an earlier object too", name);
        else if (!name_index_add(&index, name, 0))
            diagnostics->failed = true;
    }
    name_index_free(&index);
}

static void read_list(mote_Scene *scene, const char *key, SceneList *list, size_t size,
                      void (*read)(mote_Scene *scene, const Node *object, size_t number,
                                   void *item))
{
    const Node *node = node_find(scene->document->root, key);
    if (node == NULL || !node_expect(reader_of(scene), node, NODE_ARRAY)) return;
    list->items = take(scene, (node->count + 1) * size);
    if (list->items == NULL) return;
    NODE_EACH(child, node)
    {
        void *item = (char *)list->items + list->count * size;
        if (!node_expect(reader_of(scene), child, NODE_OBJECT)) continue;
        read(scene, child, list->count, item);
        ++list->count;
    }
    check_unique(scene, node);
}

/* At most three bindings an object: its own table and those of two parts. */
static void make_room_for_bindings(mote_Scene *scene)
{
    static const char *const keys[] = {"fields",    "forces", "emitters",
                                       "colliders", "links",  "probes"};
    size_t most = 1;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        const Node *list = node_find(scene->document->root, keys[i]);
        if (list != NULL && list->type == NODE_ARRAY) most += 3 * (size_t)list->count;
    }
    scene->bindings.items = take(scene, most * sizeof(SceneBinding));
    scene->shape_looks.items = take(scene, most * sizeof(mote_ShapeLook));
}

/* The system that a field is made of, once all systems are known. */
static void check_field_system(const mote_Scene *scene, const Node *object)
{
    const Node *system = node_find(object, "system");
    size_t index;
    if (system != NULL)
        node_choice(reader_of(scene), system, "system", (NameList){system_name, scene}, &index);
}

/* The colliders that fields flow around, once all colliders are known. */
static void read_obstacles(mote_Scene *scene)
{
    const Node *list = node_find(scene->document->root, "fields");
    mote_FieldDef *def = scene->fields.items;
    if (scene->fields.count == 0) return;
    NODE_EACH(child, list)
    {
        if (child->type != NODE_OBJECT) continue;
        check_field_system(scene, child);
        def->obstacles = read_names(scene, node_find(child, "obstacles"), "collider",
                                    (NameList){collider_name, scene}, &def->obstacle_count);
        ++def;
    }
}

/* ---- world and pictures ---- */

/* The world's own table with the scene's duration behind it: one object, one table. */
static mote_Row world_table(mote_Scene *scene)
{
    mote_Row row = world_row;
    size_t count = world_row.param_count + scene_time_row.param_count;
    mote_Param *params = take(scene, count * sizeof *params);
    row.params_size = sizeof(SceneWorld);
    if (params == NULL) return row;
    memcpy(params, world_row.params, world_row.param_count * sizeof *params);
    memcpy(params + world_row.param_count, scene_time_row.params,
           scene_time_row.param_count * sizeof *params);
    row.params = params, row.param_count = count;
    return row;
}

/* First of all, because vectors of a flat world may have two numbers; a wrong value is reported
 * with the rest. */
static void read_dimension(mote_Scene *scene, const Node *world)
{
    const Node *node = node_find(world, "dimension");
    double dimension = 3;
    if (node != NULL && node->type == NODE_NUMBER) dimension = node->number;
    scene->document->reader.dimension = dimension == 2 ? 2 : 3;
}

/* Gravity points down, whichever axis is up, unless the scene says otherwise. */
static void read_world(mote_Scene *scene)
{
    const Node *object = object_at(scene, scene->document->root, "world");
    mote_Row row = world_table(scene);
    mote_WorldDef *def = &scene->world.def;
    read_dimension(scene, object);
    read_struct(scene, &row, object, NULL, &scene->world, NULL);
    if (def->dimension == 2 && def->box_min.z == 0 && def->box_max.z == 0)
        def->box_min.z = -1, def->box_max.z = 1; /* corners of two numbers */
    if (node_find(object, "gravity") != NULL) return;
    mote_real g = -def->gravity.y;
    def->gravity = (mote_Vec3){def->up == 0 ? -g : 0, def->up == 1 ? -g : 0, def->up == 2 ? -g : 0};
}

/* ---- for other files ---- */

const Node *scene_object_at(const mote_Scene *scene, const Node *parent, const char *key)
{
    return object_at(scene, parent, key);
}

void scene_read_struct(mote_Scene *scene, const mote_Row *row, const Node *object,
                       const char *const *others, void *params, SceneBinding *binding)
{
    read_struct(scene, row, object, others, params, binding);
}

void scene_read(mote_Scene *scene)
{
    static const char *const keys[] = {"mote",      "params", "world",  "fields", "systems",
                                       "emitters",  "forces", "camera", "render", "output",
                                       "colliders", "bodies", "links",  "probes", NULL};
    static const char *const none[] = {NULL};
    node_check_keys(reader_of(scene), scene->document->root, "a scene", name_list(keys),
                    name_list(none));
    make_room_for_bindings(scene);
    read_world(scene);
    read_list(scene, "fields", &scene->fields, sizeof(mote_FieldDef), read_field);
    read_list(scene, "systems", &scene->systems, sizeof(SceneSystem), read_system);
    read_list(scene, "emitters", &scene->emitters, sizeof(mote_EmitterDef), read_emitter);
    read_list(scene, "forces", &scene->forces, sizeof(mote_ForceDef), read_force);
    read_list(scene, "colliders", &scene->colliders, sizeof(mote_ColliderDef), read_collider);
    read_list(scene, "bodies", &scene->bodies, sizeof(mote_BodyDef), read_body);
    scene_copy_bodies(scene);
    read_list(scene, "links", &scene->links, sizeof(mote_LinksDef), read_links);
    read_list(scene, "probes", &scene->probes, sizeof(mote_ProbeDef), read_probe);
    read_obstacles(scene);
    scene_read_pictures(scene);
}

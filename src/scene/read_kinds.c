/* The kinds of objects in a scene's lists: every key comes from a parameter table or is one of the
 * few that give an object its place: name, type, system, systems, group, and nested objects. */
#include "scene/read.h"

#include "bodies/body.h"
#include "collide/collide.h"
#include "emit/emitter.h"
#include "fields/field.h"
#include "forces/force.h"
#include "links/pattern.h"
#include "probes/probe.h"
#include "world/solvers.h"

#include <stdio.h>
#include <string.h>

void scene_read_field(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = field_rows;
    static const char *const others[] = {"name", "type", "obstacles", NULL};
    mote_FieldDef *def = item;
    const mote_Row *row = scene_read_type(scene, object, &table, "field type");
    if (row == NULL) return;
    void *params = scene_take(scene, row->params_size);
    *def = mote_field_def();
    def->name = scene_read_name(scene, object, row->name, number);
    def->type = row->name;
    def->params = params;
    SceneBinding binding = {.kind = MOTE_KIND_FIELD, .name = def->name};
    if (params != NULL) scene_read_struct(scene, row, object, others, params, &binding);
    scene_keep_binding(scene, &binding);
}

void scene_read_force(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = force_rows;
    static const char *const others[] = {"name", "type", "systems", "group", NULL};
    mote_ForceDef *def = item;
    const mote_Row *row = scene_read_type(scene, object, &table, "force type");
    if (row == NULL) return;
    void *params = scene_take(scene, row->params_size);
    uint64_t group = 0;
    const Node *group_node = node_find(object, "group");
    if (group_node != NULL) node_count(scene_reader(scene), group_node, &group);
    *def = mote_force_def();
    def->name = scene_read_name(scene, object, row->name, number);
    def->type = row->name;
    def->params = params;
    def->systems = scene_read_systems(scene, object, &def->system_count);
    def->group = (uint32_t)group;
    SceneBinding binding = {.kind = MOTE_KIND_FORCE, .name = def->name};
    if (params != NULL) scene_read_struct(scene, row, object, others, params, &binding);
    scene_keep_binding(scene, &binding);
}

/* The system that an object belongs to; NULL is reported. */
static const char *read_owner(mote_Scene *scene, const Node *object)
{
    const Node *system = node_require(scene_reader(scene), object, "system");
    if (system == NULL)
        diagnose_allowed(scene_reader(scene)->diagnostics, "systems", scene_system_names(scene));
    if (system == NULL) return NULL;
    return scene_read_choice(scene, system, "system", scene_system_names(scene));
}

void scene_read_emitter(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = source_rows;
    static const char *const others[] = {"name", "system", "from", NULL};
    mote_EmitterDef *def = item;
    const char *name = scene_read_name(scene, object, "emitter", number);
    SceneBinding own = {.kind = MOTE_KIND_EMITTER, .name = name};
    SceneBinding from = {.kind = MOTE_KIND_SOURCE, .name = name};
    scene_read_struct(scene, &emitter_row, object, others, def, &own);
    const ScenePart source =
        scene_read_part(scene, node_find(object, "from"), &table, "source", &from);
    def->name = name;
    def->system = read_owner(scene, object);
    def->source = source.type != NULL ? source.type : "point";
    def->source_params = source.params;
    scene_keep_binding(scene, &own);
    scene_keep_binding(scene, &from);
}

/* `friction: 0.4`, or an object whose type names a law. */
static void read_law(mote_Scene *scene, const Node *object, mote_ColliderDef *def,
                     SceneBinding *binding)
{
    static RowTable *const table = friction_rows;
    const ScenePart law =
        scene_read_part(scene, node_find(object, "friction"), &table, "friction", binding);
    if (law.type == NULL) return;
    def->friction_law = law.type;
    def->friction_params = law.params;
}

/* Where a collider or a body is: constant, or a function of time, which is returned. */
static SceneMotion *read_motion(mote_Scene *scene, const Node *object, mote_Motion *constant)
{
    SceneBinding binding = {.name = NULL};
    SceneMotion *motion = scene_take(scene, sizeof *motion);
    scene_read_struct(scene, &motion_row, scene_object_at(scene, object, "motion"), NULL, constant,
                      &binding);
    if (binding.bindings.count == 0 || motion == NULL) return NULL;
    *motion = (SceneMotion){scene, binding.bindings};
    return motion;
}

void scene_read_collider(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = shape_rows;
    static const char *const others[] = {"friction", "name", "systems", "shape",
                                         "motion",   "look", NULL};
    mote_ColliderDef *def = item;
    const char *name = scene_read_name(scene, object, "collider", number);
    SceneBinding own = {.kind = MOTE_KIND_COLLIDER, .name = name};
    SceneBinding shape = {.kind = MOTE_KIND_SHAPE, .name = name};
    SceneBinding law = {.kind = MOTE_KIND_FRICTION, .name = name};
    const Node *friction = node_find(object, "friction");
    bool is_law = friction != NULL && friction->type == NODE_OBJECT;
    if (is_law)
        scene_read_struct(scene, &collider_keys_row, object, others, def, &own);
    else /* friction is one of its own numbers */
        scene_read_struct(scene, &collider_row, object, others + 1, def, &own);
    if (is_law) read_law(scene, object, def, &law);
    def->path_context = read_motion(scene, object, &def->motion);
    if (def->path_context != NULL) def->path = scene_motion_at;
    const Node *part = node_require(scene_reader(scene), object, "shape");
    if (part == NULL) return;
    const ScenePart form = scene_read_part(scene, part, &table, "shape", &shape);
    def->name = name;
    def->shape = form.type, def->shape_params = form.params;
    def->systems = scene_read_systems(scene, object, &def->system_count);
    scene_read_shape_look(scene, object, name);
    scene_keep_binding(scene, &own);
    scene_keep_binding(scene, &shape);
    scene_keep_binding(scene, &law);
}

/* Mass is measured once, so neither a body nor its shape may change with time. */
void scene_read_body(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = shape_rows;
    static const char *const others[] = {"name", "systems", "shape", "motion",
                                         "look", "copies",  NULL};
    mote_BodyDef *def = item;
    const Node *mass = node_find(object, "mass");
    scene_read_struct(scene, &body_row, object, others, def, NULL);
    if (mass != NULL && def->mass == 0 && !reader_failed(scene_reader(scene)))
        diagnose(
            scene_reader(scene)->diagnostics, node_place(mass),
            "mass is 0, but must be above 0 kg; without it a body weighs density times volume");
    def->name = scene_read_name(scene, object, "body", number);
    def->path_context = read_motion(scene, object, &def->motion);
    if (def->path_context != NULL) def->path = scene_motion_at;
    def->systems = scene_read_systems(scene, object, &def->system_count);
    scene_read_shape_look(scene, object, def->name);
    const Node *part = node_require(scene_reader(scene), object, "shape");
    const ScenePart form = scene_read_part(scene, part, &table, "shape", NULL);
    def->shape = form.type, def->shape_params = form.params;
}

/* Patterns that lay nothing out join particles that the scene names. */
static ScenePart read_pattern(mote_Scene *scene, const Node *part, RowTable *const *table)
{
    static const char *const others[] = {"type", NULL};
    static const char *const of_pairs[] = {"type", "links", "rest", "marks", "points", "pin", NULL};
    const ScenePart none = {NULL, NULL};
    if (part == NULL || !node_expect(scene_reader(scene), part, NODE_OBJECT)) return none;
    const mote_Row *row = scene_read_type(scene, part, table, "pattern");
    void *params = row != NULL ? scene_take(scene, row->params_size) : NULL;
    if (params == NULL) return none;
    const bool lays = ((const PatternRow *)(const void *)row)->lay != NULL;
    scene_read_struct(scene, row, part, lays ? others : of_pairs, params, NULL);
    if (!lays) scene_read_pairs(scene, part, params);
    return (ScenePart){row->name, params};
}

/* A pattern makes particles once, so nothing in it may change with time. */
void scene_read_links(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = pattern_rows;
    static const char *const others[] = {"name", "system", "pattern", NULL};
    mote_LinksDef *def = item;
    const char *name = scene_read_name(scene, object, "links", number);
    const Node *part = node_require(scene_reader(scene), object, "pattern");
    SceneBinding own = {.kind = MOTE_KIND_LINKS, .name = name};
    scene_read_struct(scene, &links_row, object, others, def, &own);
    scene_keep_binding(scene, &own);
    def->name = name;
    def->system = read_owner(scene, object);
    const ScenePart pattern = read_pattern(scene, part, &table);
    def->pattern = pattern.type, def->pattern_params = pattern.params;
}

/* What a probe looks at must be named; `interval` is a key of every probe. */
void scene_read_probe(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static RowTable *const table = probe_rows;
    static const char *const others[] = {"name", "type", "interval", NULL};
    mote_ProbeDef *def = item;
    const mote_Row *row = scene_read_type(scene, object, &table, "probe type");
    *def = mote_probe_def();
    if (row == NULL) return;
    void *params = scene_take(scene, row->params_size);
    def->name = scene_read_name(scene, object, row->name, number);
    def->type = row->name;
    def->params = params;
    const Node *interval = node_find(object, "interval");
    if (interval != NULL && node_number(scene_reader(scene), interval, "s", &def->interval) &&
        !(def->interval >= 0))
        diagnose(scene_reader(scene)->diagnostics, node_place(interval),
                 "interval must be at least 0 s; 0: every frame");
    for (size_t i = 0; i < row->param_count; ++i)
        if (row->params[i].type == MOTE_PARAM_NAME &&
            node_require(scene_reader(scene), object, row->params[i].name) == NULL &&
            strcmp(row->params[i].name, "system") == 0)
            diagnose_allowed(scene_reader(scene)->diagnostics, "systems",
                             scene_system_names(scene));
    SceneBinding binding = {.kind = MOTE_KIND_PROBE, .name = def->name};
    if (params != NULL) scene_read_struct(scene, row, object, others, params, &binding);
    scene_keep_binding(scene, &binding);
}

/* SYSTEM.FIELD, as the world will name them. */
static void name_published(mote_Scene *scene, const SolverRow *row, SceneSystem *system)
{
    if (row->field_count == 0) return;
    system->published = scene_take(scene, row->field_count * sizeof *system->published);
    for (size_t i = 0; system->published != NULL && i < row->field_count; ++i) {
        char made[160];
        int length = snprintf(made, sizeof made, "%s.%s", system->def.name, row->fields[i].name);
        const char *name = store_text(scene_reader(scene)->store, made, (size_t)length);
        if (name != NULL) system->published[system->published_count++] = name;
    }
}

/* Without a type, `points` is meant. */
static const SolverRow *read_solver(mote_Scene *scene, const Node *object, SceneSystem *system)
{
    static RowTable *const table = solver_rows;
    static const char *const others[] = {"type", NULL};
    const Node *type = node_find(object, "type");
    size_t index = 0;
    if (type != NULL)
        node_choice(scene_reader(scene), type, "solver", scene_table_names(&table), &index);
    const mote_Row *row = scene_table_row(table, index);
    mote_row_defaults(&points_solver_row.head, &system->solver);
    system->def.solver = row->name;
    name_published(scene, (const SolverRow *)row, system);
    void *params = &system->solver;
    if (row != &points_solver_row.head) params = scene_take(scene, row->params_size);
    if (params != NULL) scene_read_struct(scene, row, object, others, params, NULL);
    if (params != &system->solver) system->def.solver_params = params;
    return (const SolverRow *)row;
}

void scene_read_system(mote_Scene *scene, const Node *object, size_t number, void *item)
{
    static const char *const keys[] = {"name",    "solver",  "collide", "look",
                                       "surface", "columns", NULL};
    static const char *const none[] = {NULL};
    SceneSystem *system = item;
    node_check_keys(scene_reader(scene), object, "a system", name_list(keys), name_list(none));
    system->def = mote_system_def();
    system->def.name = scene_read_name(scene, object, "system", number);
    const SolverRow *solver = read_solver(scene, scene_object_at(scene, object, "solver"), system);
    scene_read_struct(scene, &collide_row, scene_object_at(scene, object, "collide"), NULL,
                      &system->def.collide, NULL);
    scene_read_columns(scene, object, &system->def);
    scene_read_look(scene, object, solver->look, &system->look);
    scene_read_surface(scene, object, &system->surface);
}

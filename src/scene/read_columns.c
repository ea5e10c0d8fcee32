/* Columns that a scene gives its systems. */
#include "scene/read.h"

#include "particles/quantities.h"
#include "solvers/points/rates.h"

#include <string.h>

static bool is_listed(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* What a formula would read as something else. */
static bool is_taken(const char *name)
{
    return is_listed(quantity_names, QUANTITY_COUNT, name) || expression_is_reserved(name);
}

/* The mass is a quantity already; it may be given a rate. */
static void add_name(mote_Scene *scene, const Node *column, const char **names, size_t *count)
{
    const Reader *reader = scene_reader(scene);
    const Node *name = column->type == NODE_OBJECT ? node_find(column, "name") : NULL;
    if (name == NULL || name->type != NODE_TEXT || strcmp(name->text, "mass") == 0) return;
    if (is_listed(names, *count, name->text)) return;
    if (is_taken(name->text))
        diagnose(reader->diagnostics, node_place(name),
                 "a column cannot be called `%s`: expressions know it as something else",
                 name->text);
    else if (*count == FORMULA_MOST_COLUMNS)
        diagnose(reader->diagnostics, node_place(name),
                 "the systems of a scene have at most %d columns of their own",
                 (int)FORMULA_MOST_COLUMNS);
    else
        names[(*count)++] = name->text;
}

void scene_find_columns(mote_Scene *scene)
{
    const Node *systems = node_find(scene->document->root, "systems");
    const char **names = scene_take(scene, (FORMULA_MOST_COLUMNS + 1) * sizeof *names);
    size_t count = 0;
    if (names == NULL || systems == NULL || systems->type != NODE_ARRAY) return;
    NODE_EACH(system, systems)
    {
        const Node *columns = system->type == NODE_OBJECT ? node_find(system, "columns") : NULL;
        if (columns == NULL || columns->type != NODE_ARRAY) continue;
        NODE_EACH(column, columns) add_name(scene, column, names, &count);
    }
    scene->document->reader.columns = names;
}

static void read_column(mote_Scene *scene, const Node *object, mote_ColumnDef *def)
{
    static const char *const others[] = {"name", "unit", NULL};
    const Reader *reader = scene_reader(scene);
    scene_read_struct(scene, &column_row, object, others, def, NULL);
    const Node *name = node_require(reader, object, "name"), *unit = node_find(object, "unit");
    def->name = "";
    if (name != NULL) node_text(reader, name, &def->name);
    if (unit != NULL) node_text(reader, unit, &def->unit);
    if (def->exhaust[0] != NULL && (strcmp(def->name, "mass") != 0 || def->rate == NULL))
        diagnose(reader->diagnostics, node_place(node_find(object, "exhaust")),
                 "exhaust belongs to the column mass, with a rate");
}

void scene_read_columns(mote_Scene *scene, const Node *object, mote_SystemDef *def)
{
    const Node *list = node_find(object, "columns");
    if (list == NULL || !node_expect(scene_reader(scene), list, NODE_ARRAY)) return;
    mote_ColumnDef *columns = scene_take(scene, list->count * sizeof *columns);
    if (columns == NULL) return;
    def->columns = columns;
    NODE_EACH(column, list)
    if (node_expect(scene_reader(scene), column, NODE_OBJECT))
        read_column(scene, column, &columns[def->column_count++]);
}

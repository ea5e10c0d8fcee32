/* Rows as text: the doc, and the table of parameters with unit, default and range. */
#include "cli/row_help.h"

#include "base/number.h"
#include "base/row.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/families.h"
#include "cli/terminal.h"

#include <mote/scene.h>

#include <string.h>

/* ---- parameters ---- */

enum { CELL_SIZE = 160, CELLS = 4 };

typedef struct ParamCells {
    char text[CELLS][CELL_SIZE]; /* name, default, unit, range */
} ParamCells;

static void default_text(const mote_Param *param, char *text)
{
    char numbers[3][NUMBER_SIZE];
    for (int c = 0; c < 3; ++c) number_text(param->fallback[c], numbers[c]);
    switch (param->type) {
    case MOTE_PARAM_BOOL:
        snprintf(text, CELL_SIZE, param->fallback[0] != 0 ? "true" : "false");
        break;
    case MOTE_PARAM_CHOICE:
        snprintf(text, CELL_SIZE, "\"%s\"", param->choices[(int)param->fallback[0]]);
        break;
    case MOTE_PARAM_NAME:
    case MOTE_PARAM_METHOD:
        snprintf(text, CELL_SIZE, param->choices[1] != NULL ? "\"%s\"" : "-", param->choices[1]);
        break;
    case MOTE_PARAM_MESH:
    case MOTE_PARAM_SHAPES:
    case MOTE_PARAM_FORMULA:
    case MOTE_PARAM_TABLE:
        snprintf(text, CELL_SIZE, "-");
        break;
    case MOTE_PARAM_VEC3:
    case MOTE_PARAM_COLOR:
        snprintf(text, CELL_SIZE, "[%s, %s, %s]", numbers[0], numbers[1], numbers[2]);
        break;
    default:
        snprintf(text, CELL_SIZE, "%s", numbers[0]);
    }
}

static void numbers_text(const mote_Param *param, char *text)
{
    bool positive = param->min > 0 && param->min <= 1e-30; /* the least number above zero */
    bool low = param->min > -PARAM_LARGEST, high = param->max < PARAM_LARGEST;
    if (positive && high)
        snprintf(text, CELL_SIZE, "above 0, to %g", param->max);
    else if (positive)
        snprintf(text, CELL_SIZE, "above 0");
    else if (low && high)
        snprintf(text, CELL_SIZE, "%g to %g", param->min, param->max);
    else if (low)
        snprintf(text, CELL_SIZE, "%g or more", param->min);
    else if (high)
        snprintf(text, CELL_SIZE, "%g or less", param->max);
    else
        snprintf(text, CELL_SIZE, "any");
}

static void choices_text(const mote_Param *param, char *text)
{
    size_t used = 0;
    for (size_t i = 0; param->choices[i] != NULL && used < CELL_SIZE; ++i)
        used += (size_t)snprintf(text + used, CELL_SIZE - used, "%s%s", i > 0 ? " | " : "",
                                 param->choices[i]);
}

/* Short lists of names are said; of particles' quantities `help expression` tells more. */
static void formula_text(const mote_Param *param, char *text)
{
    size_t used = (size_t)snprintf(text, CELL_SIZE,
                                   param->max == 1 ? "expression of" : "[x, y, z], expressions of");
    if (param->min > 0) snprintf(text + used, CELL_SIZE - used, " a particle");
    for (size_t i = 0; !(param->min > 0) && param->choices[i] != NULL && used < CELL_SIZE; ++i)
        used += (size_t)snprintf(text + used, CELL_SIZE - used, "%s %s", i > 0 ? "," : "",
                                 param->choices[i]);
}

static void range_text(const mote_Param *param, char *text)
{
    switch (param->type) {
    case MOTE_PARAM_BOOL:
        snprintf(text, CELL_SIZE, "true | false");
        break;
    case MOTE_PARAM_CHOICE:
        choices_text(param, text);
        break;
    case MOTE_PARAM_NAME:
    case MOTE_PARAM_METHOD:
        snprintf(text, CELL_SIZE, "%s %s",
                 strchr("aeiou", param->choices[0][0]) != NULL ? "an" : "a", param->choices[0]);
        break;
    case MOTE_PARAM_MESH:
        snprintf(text, CELL_SIZE, "a file, or points, planes, triangles");
        break;
    case MOTE_PARAM_SHAPES:
        snprintf(text, CELL_SIZE, param->max == 1 ? "a shape" : "a list of shapes");
        break;
    case MOTE_PARAM_FORMULA:
        formula_text(param, text);
        break;
    case MOTE_PARAM_TABLE:
        snprintf(text, CELL_SIZE, "points, [[x, y], ...]");
        break;
    default:
        numbers_text(param, text);
    }
}

static ParamCells cells_of(const mote_Param *param)
{
    ParamCells cells;
    snprintf(cells.text[0], CELL_SIZE, "%s", param->name);
    default_text(param, cells.text[1]);
    snprintf(cells.text[2], CELL_SIZE, "%s", param->unit);
    range_text(param, cells.text[3]);
    return cells;
}

static const ParamCells head_cells = {{"parameter", "default", "unit", "range"}};

static void widen(int widths[CELLS], const ParamCells *cells)
{
    for (int c = 0; c < CELLS; ++c) {
        int columns = terminal_columns(cells->text[c]);
        if (columns > widths[c]) widths[c] = columns;
    }
}

static void print_cells(const Terminal *terminal, const int widths[CELLS], const ParamCells *cells,
                        const char *doc)
{
    enum { DOC_LEAST = 30, BELOW = 6 };
    int column = 2;
    bool head = cells == &head_cells;
    fputs("  ", terminal->file);
    for (int c = 0; c < CELLS; ++c, column += 2) {
        Style style = head ? STYLE_QUIET : c == 0 ? STYLE_NAME : STYLE_PLAIN;
        terminal_put(terminal, style, cells->text[c], widths[c] + 2);
        column += widths[c];
    }
    if (column + DOC_LEAST > terminal->width) {
        if (head)
            doc = "";
        else
            fprintf(terminal->file, "\n%*s", BELOW, "");
        column = BELOW;
    }
    terminal_wrap(terminal, doc, column, column);
}

static void print_params(const Terminal *terminal, const mote_Row *row)
{
    int widths[CELLS] = {0};
    if (row->param_count == 0) {
        fputs("\n  It has no parameters.\n", terminal->file);
        return;
    }
    widen(widths, &head_cells);
    for (size_t i = 0; i < row->param_count; ++i) {
        ParamCells cells = cells_of(&row->params[i]);
        widen(widths, &cells);
    }
    fputc('\n', terminal->file);
    print_cells(terminal, widths, &head_cells, "what it is");
    for (size_t i = 0; i < row->param_count; ++i) {
        ParamCells cells = cells_of(&row->params[i]);
        print_cells(terminal, widths, &cells, row->params[i].doc);
    }
}

/* Keys of methods stand beside those of the row that they belong to. */
static void print_part_rows(const Terminal *terminal, const mote_Row *row)
{
    for (size_t i = 0; i < row->param_count; ++i) {
        size_t count;
        if (row->params[i].type != MOTE_PARAM_METHOD) continue;
        const mote_Row *const *rows = mote_family_rows(row->params[i].choices[2], &count);
        for (size_t k = 0; k < count; ++k) {
            if (rows[k]->param_count == 0) continue;
            fprintf(terminal->file, "\n  beside %s: \"%s\"\n", row->params[i].name, rows[k]->name);
            print_params(terminal, rows[k]);
        }
    }
}

static bool has_param(const mote_Row *row, const char *name)
{
    for (size_t i = 0; i < row->param_count; ++i)
        if (strcmp(row->params[i].name, name) == 0) return true;
    return false;
}

/* Keys of an object that are objects themselves, names, or computed for every particle. */
static void print_keys(const Terminal *terminal, const mote_Row *row)
{
    enum { WIDTH = 14 };
    mote_SceneKey key = mote_scene_object_key(row->name, 0);
    if (key.key != NULL)
        fputs(row->param_count > 0 ? "\n  and the keys\n" : "\n  its keys\n", terminal->file);
    for (size_t i = 0; (key = mote_scene_object_key(row->name, i)).key != NULL; ++i) {
        char doc[160];
        if (has_param(row, key.key)) continue;
        snprintf(doc, sizeof doc, "%s%s", key.doc, key.required ? " (required)" : "");
        fputs("  ", terminal->file);
        terminal_put(terminal, STYLE_NAME, key.key, WIDTH);
        terminal_wrap(terminal, doc, WIDTH + 2, WIDTH + 2);
    }
}

/* ---- rows and families ---- */

static void print_row(const Terminal *terminal, const char *family, const FamilyEntry *entry)
{
    terminal_put(terminal, STYLE_HEADING, entry->name, 0);
    fprintf(terminal->file, " (%s)\n  ", family);
    terminal_wrap(terminal, entry->doc, 2, 2);
    if (entry->row == NULL) return;
    const bool object = strcmp(family, "objects") == 0;
    if (entry->row->param_count > 0 || !object) print_params(terminal, entry->row);
    print_part_rows(terminal, entry->row);
    if (object) print_keys(terminal, entry->row);
}

/* Prints the rows of that name; returns how many. */
static int print_rows(const char *family, const char *name, int before)
{
    Terminal terminal = terminal_of(stdout);
    FamilyEntry entry;
    int found = 0;
    for (size_t i = 0; (entry = family_entry(family, i)).name != NULL; ++i) {
        if (strcmp(entry.name, name) != 0) continue;
        if (before + found++ > 0) fputc('\n', stdout);
        print_row(&terminal, family, &entry);
    }
    return found;
}

static int print_all_rows(const char *name, int before)
{
    const char *family;
    int found = before;
    for (size_t f = 0; (family = family_name(f)) != NULL; ++f)
        found += print_rows(family, name, found);
    return found;
}

bool help_rows(const char *name)
{
    return print_all_rows(name, 0) > 0;
}

void help_rows_after(const char *name)
{
    print_all_rows(name, 1);
}

static const char *entry_name(const void *family, size_t i)
{
    return family_entry(family, i).name;
}

int help_row_of(const char *family, const char *name)
{
    if (print_rows(family, name, 0) > 0) return EXIT_DONE;
    const char *near = text_nearest(name, entry_name, family);
    if (near != NULL)
        return message_usage("%s has no row `%s`; did you mean `%s`?", family, name, near);
    return message_usage("%s has no row `%s`; `" PROGRAM " list %s` shows them", family, name,
                         family);
}

int help_family(const char *family)
{
    Terminal terminal = terminal_of(stdout);
    FamilyEntry entry;
    int width = 0;
    for (size_t i = 0; (entry = family_entry(family, i)).name != NULL; ++i)
        if (terminal_columns(entry.name) > width) width = terminal_columns(entry.name);
    for (size_t i = 0; (entry = family_entry(family, i)).name != NULL; ++i) {
        terminal_put(&terminal, STYLE_NAME, entry.name, width + 2);
        terminal_wrap(&terminal, entry.doc, width + 2, width + 2);
    }
    return EXIT_DONE;
}

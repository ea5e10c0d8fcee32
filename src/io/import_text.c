/* Particles from text: tables with or without a line of names (CSV, also with semicolons, tabs or
 * blanks), and XYZ: a count, a comment, and lines of an element's name and three numbers. */
#include "base/number.h"
#include "io/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 256, LONGEST_CELL = 64 };

typedef struct ImportLines {
    const char *at, *end;
    size_t line; /* from 1 */
} ImportLines;

/* Cells of a line, each cut at LONGEST_CELL. */
typedef struct TextCells {
    char text[MOST_CELLS][LONGEST_CELL];
    size_t count;
} TextCells;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Between commas a cell may hold blanks, as in "position_x [m]". */
static bool separates(char c, bool commas)
{
    return commas ? c == ',' || c == ';' : is_blank(c);
}

static const char *read_cell(const char *at, const char *end, bool commas, char cell[LONGEST_CELL])
{
    size_t length = 0;
    for (; at < end && !separates(*at, commas); ++at)
        if (*at != '"' && *at != '\r' && length + 1 < LONGEST_CELL) cell[length++] = *at;
    while (length > 0 && is_blank(cell[length - 1])) --length;
    cell[length] = '\0';
    return at;
}

/* The next line that is not empty and no comment; false at the end. Between commas cells may be
 * empty, between blanks not. */
static bool next_line(ImportLines *lines, TextCells *cells)
{
    while (lines->at < lines->end) {
        const char *end = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
        const char *at = lines->at, *stop = end != NULL ? end : lines->end;
        bool commas = memchr(at, ',', (size_t)(stop - at)) || memchr(at, ';', (size_t)(stop - at));
        lines->at = end != NULL ? end + 1 : lines->end;
        ++lines->line;
        cells->count = 0;
        while (at < stop && cells->count < MOST_CELLS) {
            while (at < stop && is_blank(*at)) ++at;
            if (at >= stop || *at == '\r' || (*at == '#' && cells->count == 0)) break;
            at = read_cell(at, stop, commas, cells->text[cells->count++]);
            if (at < stop) ++at;
        }
        if (cells->count > 0) return true;
    }
    return false;
}

static bool all_numbers(const TextCells *cells)
{
    double value;
    for (size_t i = 0; i < cells->count; ++i)
        if (!number_parse(cells->text[i], &value)) return false;
    return true;
}

/* Without names: x, y, z and maybe the radius. */
static void default_roles(ImportTable *table, ImportRole roles[MOST_CELLS], size_t count)
{
    for (size_t i = 0; i < MOST_CELLS; ++i) {
        roles[i] = i < count && i <= IMPORT_RADIUS ? (ImportRole)i : IMPORT_NOTHING;
        if (roles[i] != IMPORT_NOTHING) table->has[roles[i]] = true;
    }
}

/* A name may have its unit in brackets behind it. */
static ImportRole named_role(const char *cell)
{
    char name[LONGEST_CELL];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(cell, " \t["), cell);
    return import_role(name);
}

static void named_roles(ImportTable *table, const TextCells *cells, ImportRole roles[MOST_CELLS])
{
    for (size_t i = 0; i < MOST_CELLS; ++i) {
        roles[i] = i < cells->count ? named_role(cells->text[i]) : IMPORT_NOTHING;
        if (roles[i] != IMPORT_NOTHING && table->has[roles[i]]) roles[i] = IMPORT_NOTHING;
        if (roles[i] != IMPORT_NOTHING) table->has[roles[i]] = true;
    }
}

/* Cells from `first` on have the roles. */
static mote_Status add_row(ImportTable *table, const TextCells *cells, size_t first,
                           const ImportRole roles[MOST_CELLS], size_t line, mote_Error *error)
{
    double values[IMPORT_ROLES] = {0};
    bool given[IMPORT_ROLES] = {false};
    for (size_t i = first; i < cells->count; ++i) {
        ImportRole role = roles[i - first];
        if (role == IMPORT_NOTHING) continue;
        if (!number_parse(cells->text[i], &values[role]))
            return import_fail(table, line, error, "expected a number, found `%s`", cells->text[i]);
        given[role] = true;
    }
    for (int role = 0; role < IMPORT_ROLES; ++role)
        if (table->has[role] && !given[role])
            return import_fail(table, line, error, "there are too few numbers");
    return import_add(table, values, error);
}

mote_Status import_csv(ImportBytes bytes, ImportTable *table, mote_Error *error)
{
    ImportLines lines = {bytes.at, bytes.at + bytes.size, 0};
    TextCells *cells = memory_take(table->memory, sizeof *cells);
    ImportRole roles[MOST_CELLS];
    mote_Status status = MOTE_OK;
    bool begun = false;
    if (cells == NULL) return import_fail(table, 0, error, "out of memory");
    while (status == MOTE_OK && next_line(&lines, cells)) {
        bool first = !begun;
        begun = true;
        if (first && !all_numbers(cells)) {
            named_roles(table, cells, roles);
            continue;
        }
        if (first) default_roles(table, roles, cells->count);
        status = add_row(table, cells, 0, roles, lines.line, error);
    }
    memory_free(table->memory, cells, sizeof *cells);
    return status;
}

/* The count is not believed, only passed over: it, and the comment behind it. */
static void skip_head(ImportLines *lines)
{
    const char *start = lines->at;
    TextCells cells;
    double count;
    if (!next_line(lines, &cells)) return;
    if (cells.count != 1 || !number_parse(cells.text[0], &count)) {
        lines->at = start, lines->line = 0;
        return;
    }
    const char *end =
        lines->at < lines->end ? memchr(lines->at, '\n', (size_t)(lines->end - lines->at)) : NULL;
    lines->at = end != NULL ? end + 1 : lines->end;
    ++lines->line;
}

mote_Status import_xyz(ImportBytes bytes, ImportTable *table, mote_Error *error)
{
    ImportLines lines = {bytes.at, bytes.at + bytes.size, 0};
    TextCells *cells = memory_take(table->memory, sizeof *cells);
    ImportRole roles[MOST_CELLS];
    mote_Status status = MOTE_OK;
    if (cells == NULL) return import_fail(table, 0, error, "out of memory");
    default_roles(table, roles, 3);
    skip_head(&lines);
    while (status == MOTE_OK && next_line(&lines, cells)) {
        double value;
        size_t first = number_parse(cells->text[0], &value) ? 0 : 1;
        status = add_row(table, cells, first, roles, lines.line, error);
    }
    memory_free(table->memory, cells, sizeof *cells);
    return status;
}

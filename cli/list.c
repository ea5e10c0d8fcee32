/* mote list: families and their rows. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/families.h"
#include "cli/json_print.h"
#include "cli/row_help.h"
#include "cli/terminal.h"

#include <stdio.h>

typedef struct ListOptions {
    bool json;
} ListOptions;

/* "euler, leapfrog, ..." in one line. */
static void print_names(const Terminal *terminal, const char *family, int indent)
{
    char names[2048] = "";
    size_t used = 0;
    FamilyEntry entry;
    for (size_t i = 0; (entry = family_entry(family, i)).name != NULL && used < sizeof names; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 entry.name);
    terminal_wrap(terminal, names, indent, indent);
}

static int list_families(void)
{
    enum { WIDTH = 14 };
    Terminal terminal = terminal_of(stdout);
    const char *family;
    for (size_t i = 0; (family = family_name(i)) != NULL; ++i) {
        terminal_put(&terminal, STYLE_NAME, family, WIDTH);
        print_names(&terminal, family, WIDTH);
    }
    return EXIT_DONE;
}

static void put_rows(JsonWriter *writer, const char *family)
{
    FamilyEntry entry;
    json_begin(writer, family, '[');
    for (size_t i = 0; (entry = family_entry(family, i)).name != NULL; ++i) {
        json_begin(writer, NULL, '{');
        json_put_text(writer, "name", entry.name);
        json_put_text(writer, "doc", entry.doc);
        json_finish(writer, '}');
    }
    json_finish(writer, ']');
}

/* The family, or all of them. */
static int list_json(const char *only)
{
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    const char *family;
    if (only != NULL) put_rows(writer, only);
    for (size_t i = 0; only == NULL && (family = family_name(i)) != NULL; ++i)
        put_rows(writer, family);
    return json_print_end(&print);
}

static int list_run(const void *values, Given given)
{
    const ListOptions *options = values;
    if (given[0] != NULL && !family_known(given[0]))
        return words_fail(WORDS_FAMILY, "family", given[0]);
    if (options->json) return list_json(given[0]);
    return given[0] != NULL ? help_family(given[0]) : list_families();
}

static const Example examples[] = {{"list", "the families and the names in them"},
                                   {"list integrators", "the rows of a family, with a sentence"},
                                   {"list forces --json", "the same for programs"},
                                   {0}};
static const Argument arguments[] = {{"FAMILY", "a family", WORDS_FAMILY, true}, {0}};
static const Option options[] = {
    {"json", .doc = "print one JSON object", .type = OPTION_FLAG, OPTION_HERE(ListOptions, json)},
    {0}};
static const ListOptions defaults = {0};
const Command command_list = {
    .name = "list", .doc = "List what scenes can be built from.", COMMAND_PARTS, .run = list_run};

/* Help: examples first, then what the tables say. */
#include "cli/help.h"

#include "cli/exit.h"
#include "cli/families.h"
#include "cli/row_help.h"
#include "cli/terminal.h"

#include <string.h>

static const Option help_option = {
    .name = "help", .letter = 'h', .doc = "show this help", .type = OPTION_FLAG};

void help_option_head(const Option *option, char head[OPTION_HEAD_SIZE])
{
    char letter[8] = "    ";
    if (option->letter != '\0') snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(head, OPTION_HEAD_SIZE, "%s--%s%s%s", letter, option->name,
             option->argument != NULL ? " " : "", option->argument != NULL ? option->argument : "");
}

void help_usage(const Command *command, char usage[USAGE_SIZE])
{
    size_t used = (size_t)snprintf(usage, USAGE_SIZE, "%s", command->name);
    for (const Argument *a = command->arguments; a != NULL && a->name != NULL; ++a)
        used += (size_t)snprintf(usage + used, USAGE_SIZE - used, a->optional ? " [%s]" : " %s",
                                 a->name);
    if (command->options != NULL) snprintf(usage + used, USAGE_SIZE - used, " [options]");
}

static void heading(const Terminal *terminal, const char *text)
{
    terminal_put(terminal, STYLE_HEADING, text, 0);
    fputc('\n', terminal->file);
}

/* "  NAME   text", the text in a column of its own. */
static void line(const Terminal *terminal, const char *name, int width, const char *text)
{
    const bool narrow = width + 4 > terminal->width / 2;
    const bool below = narrow || terminal_columns(name) > width;
    const int indent = narrow ? 6 : width + 4;
    fputs("  ", terminal->file);
    terminal_put(terminal, STYLE_NAME, name, narrow ? 0 : width);
    fprintf(terminal->file, below ? "\n%*s" : "  ", indent, "");
    terminal_wrap(terminal, text, indent, indent);
}

static int example_width(const Example *examples)
{
    int width = 0, most = 48;
    for (; examples->words != NULL; ++examples) {
        int columns = (int)strlen(PROGRAM " ") + terminal_columns(examples->words);
        if (columns > width && columns <= most) width = columns;
    }
    return width;
}

static void print_examples(const Terminal *terminal, const Example *examples)
{
    int width = example_width(examples);
    for (; examples->words != NULL; ++examples) {
        char text[160];
        snprintf(text, sizeof text, PROGRAM " %s", examples->words);
        line(terminal, text, width, examples->doc);
    }
}

static void print_options(const Terminal *terminal, const Option *options)
{
    char head[OPTION_HEAD_SIZE];
    enum { WIDTH = 24 };
    heading(terminal, "\nOptions");
    for (; options->name != NULL; ++options) {
        help_option_head(options, head);
        line(terminal, head, WIDTH, options->doc);
    }
    help_option_head(&help_option, head);
    line(terminal, head, WIDTH, help_option.doc);
}

int help_command(const Command *command)
{
    Terminal terminal = terminal_of(stdout);
    char usage[USAGE_SIZE];
    help_usage(command, usage);
    heading(&terminal, "Examples");
    print_examples(&terminal, command->examples);
    heading(&terminal, "\nUsage");
    printf("  " PROGRAM " %s\n  ", usage);
    terminal_wrap(&terminal, command->doc, 2, 2);
    if (command->details != NULL) {
        fputs("\n  ", stdout);
        terminal_wrap(&terminal, command->details, 2, 2);
    }
    print_options(&terminal, command_options(command));
    return EXIT_DONE;
}

int help_welcome(void)
{
    static const Example first[] = {
        {"run", "run the built-in demo: pictures and a video in out/demo"},
        {"new my.json5", "write a scene of your own, to change it and run it"},
        {"help", "everything else"},
        {0}};
    Terminal terminal = terminal_of(stdout);
    puts("mote simulates particles, cloth, liquids, smoke and bodies, and draws them.\n"
         "Three commands to start with:\n");
    print_examples(&terminal, first);
    puts("\n`" PROGRAM " list scenes` shows what else there is to run, as: " PROGRAM " run galaxy");
    return EXIT_DONE;
}

static void print_families(const Terminal *terminal)
{
    const char *family;
    char names[512];
    size_t used = 0;
    for (size_t i = 0; (family = family_name(i)) != NULL && used < sizeof names; ++i)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", family);
    heading(terminal, "\nFamilies of names, for list and help");
    fputs("  ", terminal->file);
    terminal_wrap(terminal, names, 2, 2);
}

int help_program(void)
{
    static const Example examples[] = {
        {"run", "the built-in demo, into out/demo"},
        {"list scenes", "what else there is to run, as: " PROGRAM " run galaxy"},
        {"new my.json5", "a scene of your own, to change"},
        {"run my.json5 --set rate=8000", "and to run, with one value changed"},
        {"help run", "a command, its options and examples"},
        {"help integrators", "a family: what can stand in a scene"},
        {"help drag", "one row of a family and its parameters"},
        {0}};
    Terminal terminal = terminal_of(stdout);
    const Command *command;
    heading(&terminal, "Examples");
    print_examples(&terminal, examples);
    heading(&terminal, "\nCommands");
    for (size_t i = 0; (command = command_at(i)) != NULL; ++i)
        line(&terminal, command->name, 10, command->doc);
    print_families(&terminal);
    return EXIT_DONE;
}

/* ---- the command ---- */

/* Scenes say `bodies` where the topic is `body`, and users `shape` where it is `shapes`. */
static void other_number(const char *word, char other[64])
{
    const size_t length = strlen(word);
    if (length > 3 && strcmp(word + length - 3, "ies") == 0)
        snprintf(other, 64, "%.*sy", (int)length - 3, word);
    else if (length > 1 && word[length - 1] == 's')
        snprintf(other, 64, "%.*s", (int)length - 1, word);
    else
        snprintf(other, 64, "%ss", word);
}

static int help_topic(const char *topic)
{
    char other[64];
    other_number(topic, other);
    if (help_rows(topic) || help_rows(other)) return EXIT_DONE;
    return family_known(other) ? help_family(other) : words_fail(WORDS_TOPIC, "topic", topic);
}

static int help_run(const void *options, Given given)
{
    (void)options;
    if (given[0] == NULL) return help_program();
    const Command *command = command_find(given[0]);
    if (given[1] == NULL && command != NULL) {
        help_command(command);
        help_rows_after(command->name);
        return EXIT_DONE;
    }
    if (family_known(given[0]))
        return given[1] == NULL ? help_family(given[0]) : help_row_of(given[0], given[1]);
    if (given[1] != NULL) return words_fail(WORDS_FAMILY, "family", given[0]);
    return help_topic(given[0]);
}

static const Example examples[] = {{"help run", "a command"},
                                   {"help integrators", "a family of rows"},
                                   {"help drag", "a row and its parameters"},
                                   {"help expression", "what expressions may use where"},
                                   {"help shapes sphere", "a row of just this family"},
                                   {0}};
static const Argument arguments[] = {
    {"TOPIC", "a topic", WORDS_TOPIC, true}, {"ROW", "a row", WORDS_ANY, true}, {0}};
const Command command_help = {.name = "help",
                              .doc = "Explain a command, a family, or a row of a family.",
                              .examples = examples,
                              .arguments = arguments,
                              .run = help_run};

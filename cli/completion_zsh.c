/* Completion for zsh: _arguments with a line per option and argument. */
#include "cli/completion.h"

#include <stdio.h>

static void print_action(Words kind)
{
    if (kind == WORDS_SCENE)
        fputs("_mote_scenes", stdout);
    else if (kind == WORDS_FOLDER)
        fputs("_files -/", stdout);
    else if (words_at(kind, 0) != NULL) {
        putchar('(');
        completion_words(kind);
        putchar(')');
    } else
        putchar(' ');
}

/* Inside '[...]' of a specification. */
static void print_doc(const char *doc)
{
    for (; *doc != '\0'; ++doc) {
        char one[] = {*doc, '\0'};
        if (*doc == '[' || *doc == ']' || *doc == ':' || *doc == '\\') putchar('\\');
        completion_quoted(one);
    }
}

/* '--name=[doc]:argument:action'; a letter is a line of its own. */
static void print_specification(const Option *option, const char *dashes, const char *end)
{
    printf("            '%s%s%s[", option->type == OPTION_LIST ? "*" : "", dashes, end);
    print_doc(option->doc);
    putchar(']');
    if (option->argument != NULL) {
        printf(":%s:", option->argument);
        print_action(option->words);
    }
    puts("' \\");
}

static void print_option(const Option *option)
{
    char name[64], letter[4] = {'-', option->letter, '\0'};
    snprintf(name, sizeof name, "--%s", option->name);
    print_specification(option, name, option->argument != NULL ? "=" : "");
    if (option->letter != '\0')
        print_specification(option, letter, option->argument != NULL ? "+" : "");
}

static void print_command(const Command *command)
{
    const Argument *argument;
    printf("        %s)\n        _arguments -s \\\n", command->name);
    for (const Option *o = command_options(command); o->name != NULL; ++o) print_option(o);
    for (size_t i = 0; (argument = completion_argument(command, i)) != NULL; ++i) {
        printf("            '%zu:%s:", i + 1, argument->what);
        print_action(argument->words);
        puts("' \\");
    }
    puts("            '(- *)--help[show help]' ;;");
}

void completion_zsh(void)
{
    const Command *command;
    fputs("#compdef " PROGRAM "\n_mote_scenes() {\n    _files -g \"*.json5\"\n    compadd -- ",
          stdout);
    completion_words(WORDS_EXAMPLE);
    puts("\n}\n_mote() {\n    local -a commands\n    commands=(");
    for (size_t i = 0; (command = command_at(i)) != NULL; ++i) {
        printf("        '%s:", command->name);
        print_doc(command->doc);
        puts("'");
    }
    puts(
        "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n"
        "    fi\n    shift words; ((--CURRENT))\n    case $words[1] in");
    for (size_t i = 0; (command = command_at(i)) != NULL; ++i) print_command(command);
    puts("    esac\n}\nif [ \"$funcstack[1]\" = \"_" PROGRAM "\" ]; then\n    _mote \"$@\"\nelse\n"
         "    compdef _mote " PROGRAM "\nfi");
}

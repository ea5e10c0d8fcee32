/* Completion for fish: a `complete` line per command, option and list of words. */
#include "cli/completion.h"

#include <stdio.h>

static const char *const start = "complete -c " PROGRAM;

static void print_words(Words kind)
{
    if (kind == WORDS_SCENE) {
        fputs(" -k -a '(__fish_complete_suffix .json5) ", stdout);
        completion_words(WORDS_EXAMPLE);
        putchar('\'');
    } else if (kind == WORDS_FOLDER)
        fputs(" -a '(__fish_complete_directories)'", stdout);
    else if (words_at(kind, 0) != NULL) {
        fputs(" -a '", stdout);
        completion_words(kind);
        putchar('\'');
    }
}

/* fish knows \' inside '...'. */
static void print_doc(const char *doc)
{
    fputs(" -d '", stdout);
    for (; *doc != '\0'; ++doc) {
        if (*doc == '\'' || *doc == '\\') putchar('\\');
        putchar(*doc);
    }
    puts("'");
}

static void print_option(const Command *command, const Option *option)
{
    printf("%s -n '__fish_seen_subcommand_from %s' -l %s", start, command->name, option->name);
    if (option->letter != '\0') printf(" -s %c", option->letter);
    if (option->argument != NULL) {
        fputs(" -x", stdout);
        print_words(option->words);
    }
    print_doc(option->doc);
}

/* All arguments of a command are offered at each place. */
static void print_command(const Command *command)
{
    const Argument *argument;
    printf("%s -n __fish_use_subcommand -a %s", start, command->name);
    print_doc(command->doc);
    for (const Option *o = command_options(command); o->name != NULL; ++o) print_option(command, o);
    for (size_t i = 0; (argument = completion_argument(command, i)) != NULL; ++i) {
        if (argument->words == WORDS_ANY) continue;
        printf("%s -n '__fish_seen_subcommand_from %s'", start, command->name);
        print_words(argument->words);
        putchar('\n');
    }
}

void completion_fish(void)
{
    const Command *command;
    printf("# fish completion for " PROGRAM "\n%s -f\n%s -l help -s h -d 'show help'\n", start,
           start);
    printf("%s -n __fish_use_subcommand -l version -d 'show the version'\n", start);
    for (size_t i = 0; (command = command_at(i)) != NULL; ++i) print_command(command);
}

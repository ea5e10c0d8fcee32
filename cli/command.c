/* The list of commands, and how one is read and run. */
#include "cli/command.h"

#include "base/memory.h"
#include "cli/exit.h"
#include "cli/help.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#define COMMAND_ADDRESS(name) &command_##name,
static const Command *const commands[] = {COMMANDS(COMMAND_ADDRESS)};

static const Option options_none[] = {{0}};

const Command *command_at(size_t i)
{
    return i < sizeof commands / sizeof commands[0] ? commands[i] : NULL;
}

const Command *command_find(const char *name)
{
    const Command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; ++i)
        if (strcmp(command->name, name) == 0) return command;
    return NULL;
}

const Option *command_options(const Command *command)
{
    return command->options != NULL ? command->options : options_none;
}

/* Hands out the words that are no options; false after a message. */
static bool take_words(const Command *command, const OptionsRead *read, const char **given)
{
    static const Argument none[] = {{0}};
    const Argument *argument = command->arguments != NULL ? command->arguments : none;
    int taken = 0;
    for (; argument->name != NULL && taken < read->count; ++argument, ++taken)
        given[taken] = read->words[taken];
    if (taken < read->count && options_lost_setting(read)) return false;
    if (taken < read->count) {
        message("%s: `%s` is one word too many; `" PROGRAM " help %s` shows what it takes",
                command->name, read->words[taken], command->name);
        return false;
    }
    if (argument->name == NULL || argument->optional) return true;
    message("%s needs %s, as in: " PROGRAM " %s", command->name, argument->what,
            command->examples[0].words);
    return false;
}

static int run_with(const Command *command, int argc, char **argv, const char **list)
{
    alignas(max_align_t) char values[OPTIONS_SIZE_MOST];
    const char *given[ARGUMENTS_MOST] = {0};
    OptionsRead read = {.command = command->name,
                        .table = command_options(command),
                        .values = values,
                        .list = list,
                        .room = (size_t)argc + 1};
    assert(command->options_size <= sizeof values);
    if (command->options_size > 0) memcpy(values, command->defaults, command->options_size);
    if (!options_read(&read, argc, argv)) return EXIT_USAGE;
    if (read.help) return help_command(command);
    if (!take_words(command, &read, given)) return EXIT_USAGE;
    return command->run(values, given);
}

int command_run_line(const Command *command, int argc, char **argv)
{
    Memory memory = memory_make(mote_default_allocator());
    size_t size = OPTIONS_LISTS * (size_t)(argc + 1) * sizeof(char *);
    const char **list = memory_take(&memory, size);
    int code = EXIT_FAILED;
    if (list != NULL)
        code = run_with(command, argc, argv, list);
    else
        message("out of memory");
    memory_free(&memory, list, size);
    return code;
}

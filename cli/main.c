/* The program: finds the command and runs it. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/help.h"
#include "cli/ranks.h"

#include <mote/base.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int print_version(void)
{
    printf(PROGRAM " %s\n", mote_version());
    return EXIT_DONE;
}

typedef struct MainOption {
    const char *names[2];
    int (*run)(void);
} MainOption;

static const MainOption main_options[] = {{{"--help", "-h"}, help_program},
                                          {{"--version", "-V"}, print_version}};

static const char *main_option_name(const void *context, size_t i)
{
    (void)context;
    return i < sizeof main_options / sizeof main_options[0] ? main_options[i].names[0] : NULL;
}

static int run_option(const char *word)
{
    for (size_t i = 0; main_option_name(NULL, i) != NULL; ++i)
        for (int k = 0; k < 2; ++k)
            if (strcmp(word, main_options[i].names[k]) == 0) return main_options[i].run();
    const char *near = text_nearest(word, main_option_name, NULL);
    if (near != NULL) return message_usage("unknown option %s; did you mean %s?", word, near);
    return message_usage(
        "unknown option %s; options come after a command, as in: " PROGRAM " run --quiet", word);
}

/* A scene where a command should stand is a likely slip. */
static int fail_command(const char *word)
{
    if (access(word, F_OK) == 0 && strpbrk(word, "./") != NULL)
        return message_usage("`%s` is a file, not a command; did you mean `" PROGRAM " run %s`?",
                             word, word);
    return words_fail(WORDS_COMMAND, "command", word);
}

/* `speaks`: not one of the ranks behind the first, who have to do with few commands. */
static int run_line(int argc, char **argv, bool speaks)
{
    if (argc < 2) return help_welcome();
    if (argv[1][0] == '-') return run_option(argv[1]);
    const Command *command = command_find(argv[1]);
    if (command == NULL) return fail_command(argv[1]);
    if (!speaks && !command->ranks) return EXIT_DONE;
    return command_run_line(command, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* `mote list | head` ends quietly: see exit_flushed */
    const bool speaks = ranks_hush();
    return exit_flushed(run_line(argc, argv, speaks));
}

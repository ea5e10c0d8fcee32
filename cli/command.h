/* Commands of the program: one table each, from which reading of the command line, help, man page
 * and completion come. A new command is a file with a `command_<name>` and a line in COMMANDS. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/options.h"

/* Commands by name: X(name). */
#define COMMANDS(X)                                                                                \
    X(run)                                                                                         \
    X(view)                                                                                        \
    X(render)                                                                                      \
    X(check)                                                                                       \
    X(new)                                                                                         \
    X(scene)                                                                                       \
    X(export)                                                                                      \
    X(plot)                                                                                        \
    X(diff)                                                                                        \
    X(surface)                                                                                     \
    X(mesh)                                                                                        \
    X(field)                                                                                       \
    X(list)                                                                                        \
    X(help)                                                                                        \
    X(info)                                                                                        \
    X(bench)                                                                                       \
    X(study)                                                                                       \
    X(completion)                                                                                  \
    X(man)

#ifdef MOTE_DOUBLE
#define PROGRAM "mote-double"
#else
#define PROGRAM "mote"
#endif

typedef struct Example {
    const char *words; /* behind the program's name; NULL ends the list */
    const char *doc;
} Example;

typedef struct Argument {
    const char *name; /* "SCENE"; NULL ends the list */
    const char *what; /* "a scene", for messages */
    Words words;
    bool optional;
} Argument;

/* The words of a command line that are no options; those not given are NULL. */
enum { ARGUMENTS_MOST = 2 };
typedef const char *const Given[ARGUMENTS_MOST];

enum { OPTIONS_SIZE_MOST = 256 };

typedef struct Command {
    const char *name;
    const char *doc;                              /* one line */
    const char *details;                          /* more to read; NULL: none */
    const Example *examples;                      /* at least one */
    const Argument *arguments;                    /* NULL: none */
    const Option *options;                        /* NULL: none but --help */
    const void *defaults;                         /* of its option values; NULL without options */
    size_t options_size;                          /* bytes of `defaults` */
    int (*run)(const void *options, Given given); /* returns the exit code */
    bool ranks; /* shares its work with others that a launcher has started; else one does it */
} Command;

/* What a command with options has, by the names in its file. */
#define COMMAND_PARTS                                                                              \
    .examples = examples, .arguments = arguments, .options = options, .defaults = &defaults,       \
    .options_size = sizeof defaults

#define COMMAND_DECLARE(name) extern const Command command_##name;
COMMANDS(COMMAND_DECLARE)

/* The i-th command; NULL after the last. */
const Command *command_at(size_t i);
const Command *command_find(const char *name); /* NULL when there is none */

const Option *command_options(const Command *command);

/* Reads the command line (argv[0] is the command's name) and runs it. */
int command_run_line(const Command *command, int argc, char **argv);

#endif

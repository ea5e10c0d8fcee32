/* mote new: a scene of one's own, as a copy of one that comes with the program. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/output.h"
#include "cli/scene_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct NewOptions {
    const char *from;
    bool force;
} NewOptions;

/* `w`: over what is there; `wx`: only where nothing is. */
static int write_text(const char *path, const char *text, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL && errno == EEXIST)
        return message_usage("%s is there already; --force writes over it", path);
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL) good = fclose(file) == 0 && good;
    if (good) return EXIT_DONE;
    message("cannot write %s: %s", path, strerror(errno));
    return EXIT_IO;
}

static int new_run(const void *values, Given given)
{
    const NewOptions *options = values;
    const char *text = scene_file_text(options->from);
    if (text == NULL) return words_fail(WORDS_EXAMPLE, "scene", options->from);
    const int code = write_text(given[0], text, options->force ? "w" : "wx");
    if (code != EXIT_DONE) return code;
    printf("%s is a copy of the scene %s. Change it with any editor; then:\n\n"
           "  " PROGRAM " check %s   what is wrong, and what a run will need\n"
           "  " PROGRAM " run %s     pictures and a video\n",
           given[0], options->from, given[0], given[0]);
    return EXIT_DONE;
}

static const Option options[] = {
    {"from", '\0', "SCENE", "the scene to start from: `" PROGRAM " list scenes` shows them",
     OPTION_TEXT, OPTION_HERE(NewOptions, from), .words = WORDS_EXAMPLE},
    OPTION_FORCE(NewOptions),
    {0}};
static const NewOptions defaults = {.from = "first"};
static const Example examples[] = {
    {"new my.json5", "a small scene with a comment on every part"},
    {"new tank.json5 --from dam-break", "another scene to start from"},
    {0}};
static const Argument arguments[] = {{"FILE", "the file to write", WORDS_ANY, false}, {0}};
const Command command_new = {.name = "new",
                             .doc = "Write a scene of your own: a copy of one that comes along.",
                             COMMAND_PARTS,
                             .run = new_run};

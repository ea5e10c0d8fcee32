/* mote export: the frames of a run in other formats. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/shell_text.h"

#include <mote/run.h>

#include <inttypes.h>
#include <stdio.h>

typedef struct ExportOptions {
    const char *format, *system;
} ExportOptions;

static int export_run(const void *values, Given given)
{
    const ExportOptions *options = values;
    char path[MOTE_RUN_TEXT + 8];
    ShellText typed = {.length = 0};
    uint64_t files = 0;
    mote_Error error = {0};
    if (!words_have(WORDS_FORMAT, options->format))
        return words_fail(WORDS_FORMAT, "format", options->format);
    mote_Status status =
        mote_run_export(given[0], options->format, options->system, &files, &error);
    if (status != MOTE_OK) return message_failure(status, &error);
    snprintf(path, sizeof path, "%s/export", given[0]);
    shell_add(&typed, path);
    printf("%" PRIu64 " files in %s\n", files, typed.text);
    return EXIT_DONE;
}

static const Option options[] = {
    {"to", '\0', "FORMAT", "vtp (the default), or what `" PROGRAM " list formats` shows",
     OPTION_TEXT, OPTION_HERE(ExportOptions, format), .words = WORDS_FORMAT},
    {"system", '\0', "NAME", "only this system of particles", OPTION_TEXT,
     OPTION_HERE(ExportOptions, system)},
    {0}};
static const ExportOptions defaults = {.format = "vtp"};
static const Example examples[] = {
    {"export out/demo --to vtp", "for ParaView: files and a collection in out/demo/export"},
    {"export out/demo --to csv --system sparks", "one system as tables"},
    {0}};
static const Argument arguments[] = {{"FOLDER", "the folder of a run", WORDS_FOLDER, false}, {0}};
const Command command_export = {.name = "export",
                                .doc = "Write the frames of a run in another format.",
                                .examples = examples,
                                .arguments = arguments,
                                .options = options,
                                .defaults = &defaults,
                                .options_size = sizeof defaults,
                                .run = export_run};

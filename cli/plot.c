/* mote plot: the probes of a run over time. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/output.h"
#include "plot/probes.h"

#include <stdio.h>

typedef struct PlotOptions {
    TextList probes;
    const char *column, *path;
    bool force;
} PlotOptions;

/* Which probes there are is said by asking for none. */
static int fail_probe(const char *folder)
{
    mote_ProbeSamples *none = NULL;
    mote_Error error = {0};
    mote_Status status = mote_run_probe(folder, "", &none, &error);
    mote_probe_table_destroy(none);
    if (status == MOTE_IO_FAILED) return message_failure(status, &error);
    return message_usage("plot needs --probe NAME; %s", error.message);
}

static int plot_run(const void *values, Given given)
{
    const PlotOptions *options = values;
    char path[MOTE_RUN_TEXT];
    mote_Error error = {0};
    if (options->probes.count == 0) return fail_probe(given[0]);
    int code = output_check(options->path, options->force);
    if (code != EXIT_DONE) return code;
    if (options->path != NULL)
        snprintf(path, sizeof path, "%s", options->path);
    else
        snprintf(path, sizeof path, "%.900s/probes/%.90s.png", given[0], options->probes.items[0]);
    mote_Status status = plot_probes(given[0], options->probes.items, options->probes.count,
                                     options->column, path, &error);
    if (status != MOTE_OK) return message_failure(status, &error);
    printf("%s\n", path);
    return EXIT_DONE;
}

static const Option options[] = {
    {"probe", '\0', "NAME", "a probe of the run; given again, several in one plot", OPTION_LIST,
     OPTION_HERE(PlotOptions, probes)},
    {"column", '\0', "NAME", "only this column of the probes", OPTION_TEXT,
     OPTION_HERE(PlotOptions, column)},
    {"output", 'o', "FILE", "a .png or .svg; without it, probes/NAME.png in the folder",
     OPTION_TEXT, OPTION_HERE(PlotOptions, path)},
    OPTION_FORCE(PlotOptions),
    {0}};
static const PlotOptions defaults = {.path = NULL};
static const Example examples[] = {
    {"plot out/dam-break --probe front -o front.png", "what a probe measured, over time"},
    {"plot out/dam-break --probe water --column kinetic", "one of its columns"},
    {0}};
static const Argument arguments[] = {{"FOLDER", "the folder of a run", WORDS_FOLDER, false}, {0}};
const Command command_plot = {.name = "plot",
                              .doc = "Plot what the probes of a run measured.",
                              COMMAND_PARTS,
                              .run = plot_run};

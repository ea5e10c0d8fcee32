/* mote study: numerical experiments on the library itself. */
#include "study/study.h"

#include "base/status.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/load.h"
#include "cli/row_help.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct StudyCommand {
    const char *output;
    bool quick, json;
    TextList settings;
    const char *only;
} StudyCommand;

#define STUDY_ROW(name, doc)                  {#name, doc, study_##name},
#define STUDY_DASHED_ROW(function, name, doc) {name, doc, study_##function},
static const StudyRow rows[] = {STUDY_ROWS(STUDY_ROW) STUDY_DASHED_ROWS(STUDY_DASHED_ROW)};

/* Text for people then goes nowhere, and lines for programs where it would have gone. */
static FILE *take_standard_output(void)
{
    fflush(stdout);
    const int own = dup(STDOUT_FILENO);
    FILE *lines = own >= 0 ? fdopen(own, "w") : NULL;
    return lines != NULL && freopen("/dev/null", "w", stdout) != NULL ? lines : NULL;
}

static int study_one(const StudyRow *row, const StudyOptions *options)
{
    mote_Error error = {0};
    mote_Status status = row->run(options, &error);
    if (options->json != NULL && fclose(options->json) != 0 && status == MOTE_OK)
        status = status_fail(&error, MOTE_IO_FAILED, "standard output: %s", strerror(errno));
    return status == MOTE_OK ? EXIT_DONE : message_failure(status, &error);
}

static int study_run(const void *values, Given given)
{
    const StudyCommand *command = values;
    StudyOptions options = {.folder = command->output,
                            .quick = command->quick,
                            .settings = command->settings.items,
                            .setting_count = command->settings.count,
                            .only = command->only,
                            .explain = load_explain};
    mote_Error error = {0};
    if (given[0] == NULL) return help_family("studies");
    mote_Status status = mote_isa_check(&error);
    if (status != MOTE_OK) return message_failure(status, &error);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (strcmp(rows[i].name, given[0]) != 0) continue;
        if (command->json) options.json = take_standard_output();
        return study_one(&rows[i], &options);
    }
    return words_fail(WORDS_STUDY, "study", given[0]);
}

static const Option options[] = {{"output", 'o', "FOLDER",
                                  "write numbers (CSV) and plots (PNG, SVG) there", OPTION_TEXT,
                                  OPTION_HERE(StudyCommand, output), .words = WORDS_FOLDER},
                                 {"quick", .doc = "fewer and coarser runs", .type = OPTION_FLAG,
                                  OPTION_HERE(StudyCommand, quick)},
                                 {"json", .doc = "print tables alone, one JSON object per line",
                                  .type = OPTION_FLAG, OPTION_HERE(StudyCommand, json)},
                                 {"case", .argument = "CASE[/SOLVER]",
                                  .doc = "one case of a study of liquids, by one pressure solver",
                                  .type = OPTION_TEXT, OPTION_HERE(StudyCommand, only)},
                                 OPTION_SET(StudyCommand),
                                 {0}};
static const StudyCommand defaults = {0};
static const Example examples[] = {
    {"study", "the studies that there are"},
    {"study convergence", "every integrator's order, cost, stability and energy, as a table"},
    {"study convergence -o study", "the same, with numbers and plots in a folder"},
    {"study convergence --json", "the numbers for programs, an object a line"},
    {"study neighbours --set most=1e7", "what finding neighbours costs, up to ten million"},
    {"study flows --case standing-wave/wcsph", "one case, by one pressure solver"},
    {0}};
static const Argument arguments[] = {{"NAME", "a study", WORDS_STUDY, true}, {0}};
const Command command_study = {.name = "study",
                               .doc = "Experiments: measure how good the methods are.",
                               .examples = examples,
                               .arguments = arguments,
                               .options = options,
                               .defaults = &defaults,
                               .options_size = sizeof defaults,
                               .run = study_run};

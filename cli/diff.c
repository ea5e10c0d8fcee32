/* mote diff: where two runs differ first. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/json_print.h"

#include <mote/run.h>

#include <inttypes.h>
#include <stdio.h>

typedef struct DiffOptions {
    bool json;
} DiffOptions;

static void print_line(const mote_CacheDiff *diff)
{
    if (diff->same) {
        printf("the same: %" PRIu64 " frames\n", diff->frames);
        return;
    }
    printf("different from frame %" PRIu64 " on: %s", diff->frame, diff->what);
    if (diff->rows > 0)
        printf(" in %" PRIu64 " row%s, by %g at most", diff->rows, diff->rows == 1 ? "" : "s",
               diff->largest);
    putchar('\n');
}

static int print_json(const mote_CacheDiff *diff)
{
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    json_put_bool(writer, "same", diff->same);
    json_put_u64(writer, "frames", diff->frames);
    if (!diff->same) {
        json_put_u64(writer, "frame", diff->frame);
        json_put_text(writer, "what", diff->what);
        json_put_u64(writer, "rows", diff->rows);
        json_put_double(writer, "largest", diff->largest);
    }
    return json_print_end(&print);
}

static int diff_run(const void *values, Given given)
{
    const DiffOptions *options = values;
    mote_CacheDiff diff = {0};
    mote_Error error = {0};
    int code = EXIT_DONE;
    mote_Status status = mote_run_diff(given[0], given[1], &diff, &error);
    if (status != MOTE_OK) return message_failure(status, &error);
    if (options->json)
        code = print_json(&diff);
    else
        print_line(&diff);
    return code != EXIT_DONE ? code : diff.same ? EXIT_DONE : EXIT_FAILED;
}

static const Option options[] = {
    {"json", .doc = "print one JSON object", .type = OPTION_FLAG, OPTION_HERE(DiffOptions, json)},
    {0}};
static const DiffOptions defaults = {0};
static const Example examples[] = {
    {"diff out/demo other/demo", "the first frame and column in which two runs differ"}, {0}};
static const Argument arguments[] = {{"A", "the folders of two runs", WORDS_FOLDER, false},
                                     {"B", "the folder of a second run", WORDS_FOLDER, false},
                                     {0}};
const Command command_diff = {.name = "diff",
                              .doc = "Compare the frames of two runs, bit by bit.",
                              .details = "Exits with 0 when they are the same, with 1 when not.",
                              COMMAND_PARTS,
                              .run = diff_run};

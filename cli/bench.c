/* mote bench: figures of this machine. */
#include "bench/bench.h"

#include <mote/ranks.h>

#include "base/number.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/row_help.h"

#include <string.h>

typedef struct BenchCommand {
    bool json, kernels, together;
    int64_t count, frames, after, workers;
    const char *threads, *only, *device;
} BenchCommand;

enum { MOST_RUNS = 32, MOST_THREADS = 1024 };

/* Of what a launcher has started, one measures, and the others only where they are measured. */
static bool has_part(const BenchRow *row)
{
    int own;
    mote_ranks_launched(&own);
    return own == 0 || row->run == bench_ranks;
}

/* "1,2,4": how many threads each run has, one after another; without a list one run, 0. Returns how
 * many runs; 0: the list is wrong, with a message. */
static int read_threads(const char *list, int threads[MOST_RUNS])
{
    int runs = 0;
    threads[0] = 0;
    for (const char *at = list; at != NULL && runs < MOST_RUNS; ++runs) {
        const NumberRead read = number_read(at);
        const char *end = at + read.length;
        const bool whole = read.length > 0 && read.value >= 1 && read.value <= MOST_THREADS &&
                           read.value == (int)read.value;
        if (!whole || (*end != ',' && *end != '\0')) {
            message_usage("--threads: expected whole numbers from 1 to %d with commas between, "
                          "found `%s`",
                          MOST_THREADS, list);
            return 0;
        }
        threads[runs] = (int)read.value;
        at = *end == ',' ? end + 1 : NULL;
    }
    return runs > 0 ? runs : 1;
}

static int run_row(const BenchRow *row, BenchOptions *options, const char *list)
{
    int threads[MOST_RUNS], failed = 0;
    const int runs = read_threads(list, threads);
    if (runs == 0) return EXIT_USAGE;
    if (options->only != NULL && row->cases == NULL)
        return message_usage("--only: benchmark `%s` has no cases; leave it out", row->name);
    options->cases = row->cases;
    for (int k = 0; k < runs && failed == 0; ++k) {
        options->threads = threads[k], options->again = k > 0;
        failed = row->run(options);
    }
    return failed == 0 ? EXIT_DONE : EXIT_FAILED;
}

static int bench_run(const void *values, Given given)
{
    const BenchCommand *command = values;
    BenchOptions options = {.json = command->json,
                            .count = (size_t)command->count,
                            .only = command->only,
                            .device = command->device,
                            .kernels = command->kernels,
                            .frames = (int)command->frames,
                            .after = (int)command->after,
                            .workers = (int)command->workers,
                            .together = command->together};
    mote_Error error = {0};
    if (given[0] == NULL) return help_family("benchmarks");
    mote_Status status = mote_isa_check(&error);
    if (status != MOTE_OK) return message_failure(status, &error);
    for (const BenchRow *row = bench_all; row->name != NULL; ++row)
        if (strcmp(row->name, given[0]) == 0)
            return has_part(row) ? run_row(row, &options, command->threads) : EXIT_DONE;
    return words_fail(WORDS_BENCH, "benchmark", given[0]);
}

static const Option options[] = {
    {"json", .doc = "print one JSON object per line", .type = OPTION_FLAG,
     OPTION_HERE(BenchCommand, json)},
    {"threads", 't', "N[,N...]",
     "numbers of threads (of `ranks`: ranks), one run each; without it, one and then all cores",
     OPTION_TEXT, OPTION_HERE(BenchCommand, threads)},
    {"count", 'n', "N", "particles; without it, several sizes", OPTION_COUNT,
     OPTION_HERE(BenchCommand, count), .min = 1, .max = 1e12},
    {"only", .argument = "CASE",
     .doc =
         "one case of a benchmark that has several, as of trace denoised; another name lists them",
     .type = OPTION_TEXT, OPTION_HERE(BenchCommand, only)},
    {"device", .argument = "NAME",
     .doc = "of dam125k and biot-savart: gpu, or a part of a device's name, as of `mote run`",
     .type = OPTION_TEXT, OPTION_HERE(BenchCommand, device)},
    {"kernels", .doc = "also where the device's time goes, kernel by kernel", .type = OPTION_FLAG,
     OPTION_HERE(BenchCommand, kernels)},
    {"frames", '\0', "N", "of ranks: frames that are timed", OPTION_COUNT,
     OPTION_HERE(BenchCommand, frames), .min = 1, .max = 1e6},
    {"after", '\0', "N", "of ranks: frames before those that are timed; without it, one",
     OPTION_COUNT, OPTION_HERE(BenchCommand, after), .min = 1, .max = 1e6},
    {"workers", '\0', "N", "of ranks: threads of each rank; without it, one", OPTION_COUNT,
     OPTION_HERE(BenchCommand, workers), .min = 1, .max = MOST_THREADS},
    {"together", .doc = "of ranks: do not run one alone first, to compare with",
     .type = OPTION_FLAG, OPTION_HERE(BenchCommand, together)},
    {0}};
static const BenchCommand defaults = {0};
static const Example examples[] = {
    {"bench", "the benchmarks that there are"},
    {"bench points --count 1e6", "particle steps per second, a million particles"},
    {"bench ranks --count 1e6 --threads 4", "how well four ranks share a liquid"},
    {"bench ranks --only messages --threads 4", "what each call between four ranks takes"},
    {"bench plate --threads 1,2,4,8,16", "the table and the figure of Gourlay's part 13"},
    {0}};
static const Argument arguments[] = {{"NAME", "a benchmark", WORDS_BENCH, true}, {0}};
const Command command_bench = {.name = "bench",
                               .doc = "Measure how fast this machine is.",
                               COMMAND_PARTS,
                               .run = bench_run,
                               .ranks = true};

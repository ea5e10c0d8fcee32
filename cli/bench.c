/* mote bench: figures of this machine. */
#include "bench/bench.h"

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/row_help.h"

#include <string.h>

typedef struct BenchCommand {
    bool json;
    int64_t threads, count;
    const char *only;
} BenchCommand;

#define BENCH_ROW(name, doc)                  {#name, doc, bench_##name},
#define BENCH_DASHED_ROW(function, name, doc) {name, doc, bench_##function},
static const BenchRow rows[] = {BENCH_ROWS(BENCH_ROW) BENCH_DASHED_ROWS(BENCH_DASHED_ROW)};

static int bench_run(const void *values, Given given)
{
    const BenchCommand *command = values;
    BenchOptions options = {.json = command->json,
                            .threads = (int)command->threads,
                            .count = (size_t)command->count,
                            .only = command->only};
    mote_Error error = {0};
    if (given[0] == NULL) return help_family("benchmarks");
    mote_Status status = mote_isa_check(&error);
    if (status != MOTE_OK) return message_failure(status, &error);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (strcmp(rows[i].name, given[0]) == 0)
            return rows[i].run(&options) == 0 ? EXIT_DONE : EXIT_FAILED;
    return words_fail(WORDS_BENCH, "benchmark", given[0]);
}

static const Option options[] = {
    {"json", .doc = "print one JSON object per line", .type = OPTION_FLAG,
     OPTION_HERE(BenchCommand, json)},
    {"threads", 't', "N", "number of threads; without it, one and then all cores", OPTION_COUNT,
     OPTION_HERE(BenchCommand, threads), .min = 1, .max = 1024},
    {"count", 'n', "N", "particles; without it, several sizes", OPTION_COUNT,
     OPTION_HERE(BenchCommand, count), .min = 1, .max = 1e12},
    {"only", .argument = "CASE",
     .doc = "one case: of dam125k wcsph, wcsph-wide, dfsph; of noise perlin-3d, ...; of collide "
            "faces, ...",
     .type = OPTION_TEXT, OPTION_HERE(BenchCommand, only)},
    {0}};
static const BenchCommand defaults = {0};
static const Example examples[] = {
    {"bench", "the benchmarks that there are"},
    {"bench points --count 1e6", "particle steps per second, a million particles"},
    {0}};
static const Argument arguments[] = {{"NAME", "a benchmark", WORDS_BENCH, true}, {0}};
const Command command_bench = {
    .name = "bench", .doc = "Measure how fast this machine is.", COMMAND_PARTS, .run = bench_run};

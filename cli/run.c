/* mote run: simulate a scene into a folder. */
#include "cli/command.h"
#include "cli/device.h"
#include "cli/exit.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/result.h"
#include "cli/shell_text.h"
#include "cli/threads.h"
#include "plot/overlay.h"

#include <mote/run.h>

#include <inttypes.h>
#include <stdio.h>

typedef struct RunOptions {
    const char *folder, *device;
    TextList settings;
    int64_t threads, from, checkpoint, check_device;
    FrameRange frames;
    bool resume, force, anyway, no_pictures, quiet, verbose, json;
} RunOptions;

typedef struct Run {
    const RunOptions *options;
    const char *path; /* of the scene; NULL: the demo */
    mote_Scene *scene;
    mote_SceneInfo info;
    mote_Tasks *tasks;
    mote_Device *device;     /* NULL: the processor alone */
    const mote_Ranks *ranks; /* NULL: this program alone */
    const char *folder;
    char own_folder[MOTE_RUN_TEXT]; /* when none is given */
    mote_RunDef def;
    Progress progress;
} Run;

/* What contradicts itself. */
static int check_options(const RunOptions *options)
{
    bool again = options->from >= 0 || options->frames.first > 0;
    if (options->resume && options->force)
        return message_usage("--resume goes on with a folder and --force throws it away; "
                             "give one of them");
    if (options->resume && again && !options->frames.single)
        return message_usage("--resume goes on from the last checkpoint, so it takes no first "
                             "frame; leave one of them out");
    if (options->from >= 0 && options->frames.first > 0 && !options->frames.single)
        return message_usage("--from and the start of --frames both name the first frame; "
                             "give one of them");
    if (options->quiet && options->verbose)
        return message_usage("--quiet and --verbose contradict each other; give one of them");
    return EXIT_DONE;
}

static int64_t first_frame(const RunOptions *options)
{
    bool range = !options->frames.single && options->frames.first > 0;
    return range ? options->frames.first : options->from;
}

static int check_last(const Run *run)
{
    uint64_t last = run->def.last >= 0 ? (uint64_t)run->def.last : run->info.frames;
    if (last > run->info.frames)
        return message_usage("--frames: the scene's last frame is %" PRIu64
                             "; a longer world.duration gives more",
                             run->info.frames);
    if (run->def.from >= 0 && (uint64_t)run->def.from > last)
        return message_usage("--from: the run's last frame is %" PRIu64 "; start at or before it",
                             last);
    return EXIT_DONE;
}

/* The command that makes such a run. */
static void command_text(const Run *run, ShellText *line)
{
    const RunOptions *options = run->options;
    char last[32];
    shell_add(line, PROGRAM);
    shell_add(line, "run");
    if (run->path != NULL) shell_add(line, run->path);
    if (options->folder != NULL) shell_add(line, "-o"), shell_add(line, options->folder);
    for (size_t i = 0; i < options->settings.count; ++i)
        shell_add(line, "--set"), shell_add(line, options->settings.items[i]);
    if (run->def.last >= 0) {
        snprintf(last, sizeof last, ":%" PRId64, run->def.last);
        shell_add(line, "--frames"), shell_add(line, last);
    }
    if (options->no_pictures) shell_add(line, "--no-pictures");
}

/* How the user goes on with a run that was stopped. */
static void print_resume(const Run *run, const mote_RunReport *report)
{
    ShellText line = {.length = 0};
    command_text(run, &line);
    shell_add(&line, "--resume");
    message("stopped after frame %" PRIu64 "; go on with: %s", report->last, line.text);
}

static void print_start(const Run *run)
{
    const mote_SceneInfo *info = &run->info;
    int threads = mote_tasks_workers(run->tasks);
    uint64_t last = run->def.last >= 0 ? (uint64_t)run->def.last : info->frames;
    char ranks[40] = "", device[MOTE_DEVICE_TEXT + 8] = "";
    if (run->device != NULL)
        snprintf(device, sizeof device, " and %s", mote_device_info(run->device)->name);
    if (run->ranks != NULL) snprintf(ranks, sizeof ranks, "%d ranks of ", run->ranks->count);
    message("running %s into %s up to frame %" PRIu64 " on %s%d thread%s%s", info->name,
            run->folder, last, ranks, threads, threads == 1 ? "" : "s", device);
    if (!run->options->verbose) return;
    message("instruction set %s, %d-bit numbers, %g frames per second, pictures %d x %d",
            mote_isa_name(), 8 * mote_real_size(), info->fps, info->width, info->height);
}

/* What may go wrong, before time is spent on it. */
static void print_warnings(const Run *run)
{
    mote_SceneForecast forecast = {0};
    if (mote_scene_forecast(run->scene, &forecast, NULL) != MOTE_OK) return;
    message_lines("warning: ", forecast.warnings);
    if (!run->options->verbose) return;
    message("about %" PRIu64 " particles, %" PRIu64 " MB of memory and %" PRIu64 " MB on disk",
            forecast.particles, forecast.memory >> 20, forecast.disk >> 20);
}

/* Implicit schemes and liquids go on with what they have; the user must know how often. */
static void print_unsolved(const mote_RunReport *report)
{
    if (10 * report->unsolved <= report->solves) return;
    message(
        "warning: %.0f %% of the implicit steps were not solved to the tolerance; try a shorter "
        "world.max_step, or a larger newton_most, cg_most or newton_tolerance of the solver (of a "
        "liquid: most_iterations, divergence_error or density_error)",
        100 * (double)report->unsolved / (double)report->solves);
}

/* What is inside a collider is pushed out, if there is room; the user must know. */
static void print_inside(const mote_RunReport *report)
{
    if (report->inside > 0)
        message("warning: particles were inside a collider %" PRIu64 " times, and were dealt with "
                "by collide.inside; start them outside (log.jsonl tells the frames)",
                report->inside);
    if (report->trapped > 0)
        message("warning: %" PRIu64 " times no place outside was found for a particle: colliders "
                "closed on it (log.jsonl tells the frames); make them slower, or "
                "world.max_step shorter",
                report->trapped);
}

/* Liquids must not overlap; what would is left out. */
static void print_left_out(const mote_RunReport *report)
{
    if (report->left_out > 0)
        message("warning: %" PRIu64 " particles of liquid were left out, because they would start "
                "in a collider, a body or other liquid; `mote check` tells where",
                report->left_out);
}

static int finish(const Run *run, mote_Status status, const mote_RunReport *report,
                  const mote_Error *error)
{
    Result result = {.status = status,
                     .report = report,
                     .folder = run->folder,
                     .cache = run->info.cache,
                     .json = run->options->json,
                     .quiet = run->options->quiet};
    const bool failed = status != MOTE_OK && status != MOTE_CANCELLED;
    const bool full = status == MOTE_IO_FAILED && report->written > 0 && !run->options->quiet;
    if (failed) message_failure(status, error);
    if (full || status == MOTE_CANCELLED) print_resume(run, report);
    return failed ? exit_code_of(status) : result_print(&result);
}

static void show_start(void *context)
{
    const Run *run = context;
    if (!run->options->quiet) print_start(run), print_warnings(run);
}

static void show_notice(void *context, const char *text)
{
    Run *run = context;
    if (run->options->quiet) return;
    progress_end(&run->progress);
    message("%s: %s", run->folder, text);
}

static void show_progress(void *context, const mote_RunProgress *now)
{
    progress_show(&((Run *)context)->progress, now);
}

static int simulate(Run *run)
{
    mote_RunReport report = {0};
    mote_Error error = {0};
    ShellText command = {.length = 0};
    command_text(run, &command);
    run->def.command = command.text;
    run->def.notice = show_notice;
    run->progress = progress_make(run->options->quiet);
    run->def.tasks = run->tasks;
    run->def.overlay = legends_draw;
    run->def.folder = run->folder;
    run->def.started = show_start;
    run->def.progress = show_progress;
    run->def.cancelled = interrupt_seen;
    run->def.context = run;
    run->def.ranks = run->ranks;
    interrupt_catch(run->ranks == NULL
                        ? "finishing the frame before stopping"
                        : "finishing the frame before stopping, if all ranks are there");
    mote_Status status = mote_run(run->scene, &run->def, &report, &error);
    progress_end(&run->progress);
    if (!run->options->quiet)
        print_unsolved(&report), print_inside(&report), print_left_out(&report),
            device_report(run->device);
    return finish(run, status, &report, &error);
}

/* The first rank tells of all that there is to tell. */
static int follow(Run *run)
{
    mote_Error error = {0};
    run->def.tasks = run->tasks;
    run->def.ranks = run->ranks;
    interrupt_ignore();
    mote_run(run->scene, &run->def, NULL, &error);
    return EXIT_DONE;
}

static int prepare(Run *run)
{
    const RunOptions *options = run->options;
    LoadDef load = {.path = run->path, .settings = &options->settings, .quiet = options->quiet};
    int code = load_scene(&load, &run->scene);
    if (code != EXIT_DONE) return code;
    run->info = mote_scene_info(run->scene);
    run->def = mote_run_def();
    run->def.resume = options->resume;
    run->def.force = options->force;
    run->def.anyway = options->anyway;
    run->def.no_pictures = options->no_pictures;
    run->def.from = first_frame(options);
    run->def.last = options->frames.last;
    run->def.checkpoint_seconds = (double)options->checkpoint;
    snprintf(run->own_folder, sizeof run->own_folder, "out/%s", run->info.name);
    run->folder = options->folder != NULL ? options->folder : run->own_folder;
    code = check_last(run);
    if (code == EXIT_DONE)
        code = threads_start(ranks_threads(run->ranks, options->threads), &run->tasks);
    if (code == EXIT_DONE) code = device_start(options->device, run->tasks, &run->device);
    if (run->device != NULL) mote_device_verify(run->device, (uint64_t)options->check_device);
    return code;
}

static int run_run(const void *values, Given given)
{
    Run run = {.options = values, .path = given[0]};
    int code = check_options(run.options);
    if (code == EXIT_DONE) code = ranks_start(&run.ranks);
    if (code == EXIT_DONE) code = ranks_together(run.ranks, prepare(&run));
    if (code == EXIT_DONE)
        code = run.ranks == NULL || run.ranks->own == 0 ? simulate(&run) : follow(&run);
    mote_tasks_destroy(run.tasks);
    mote_device_close(run.device);
    mote_scene_destroy(run.scene);
    ranks_stop();
    return code;
}

/* ---- tables ---- */

#define FLAG(name_, letter_, member, doc_)                                                         \
    {                                                                                              \
        .name = name_, .letter = letter_, .doc = doc_, .type = OPTION_FLAG,                        \
        OPTION_HERE(RunOptions, member)                                                            \
    }
static const Option options[] = {
    {"output", 'o', "FOLDER", "where everything goes; without it, out/ and the scene's name",
     OPTION_TEXT, OPTION_HERE(RunOptions, folder), .words = WORDS_FOLDER},
    OPTION_SET(RunOptions),
    OPTION_THREADS(RunOptions),
    OPTION_DEVICE(RunOptions),
    {"check-device", '\0', "N",
     "do every Nth sub-step on the processor too, and stop where a bit of the device's differs",
     OPTION_COUNT, OPTION_HERE(RunOptions, check_device), .min = 1, .max = 1e9},
    FLAG("resume", '\0', resume,
         "go on with a run that was stopped or killed, to the same bits, and "
         "mend what is damaged"),
    {"from", '\0', "N", "run again from this frame", OPTION_COUNT, OPTION_HERE(RunOptions, from),
     .max = 1e15},
    FLAG("force", '\0', force, "throw away the run that is in the folder, and nothing else"),
    {"frames", '\0', "RANGE",
     "N: stop after frame N; A:B: run frames A to B again, and keep those behind", OPTION_FRAMES,
     OPTION_HERE(RunOptions, frames)},
    {"checkpoint", '\0', "SECONDS",
     "at most so long between checkpoints; without it, 300, or output.checkpoint_seconds; 0: by "
     "frames alone",
     OPTION_COUNT, OPTION_HERE(RunOptions, checkpoint), .max = 1e9},
    FLAG("anyway", '\0', anyway, "also where memory or disk will not do"),
    FLAG("no-pictures", '\0', no_pictures, "write no pictures and no video"),
    FLAG("quiet", 'q', quiet, "no progress and no warnings"),
    FLAG("verbose", 'v', verbose, "say more about the run"),
    FLAG("json", '\0', json, "print the result as one JSON object"),
    {0}};
static const RunOptions defaults = {.from = -1, .checkpoint = -1, .frames = {-1, -1, false}};
static const Example examples[] = {
    {"run", "the built-in demo, into out/demo"},
    {"run galaxy", "a scene that comes with the program; `" PROGRAM " list scenes` shows all"},
    {"run my.json5", "a scene of your own, into out/my"},
    {"run my.json5 -o wild --set rate=8000", "with one value changed, into wild"},
    {"run my.json5 --resume", "go on after Ctrl-C or a crash"},
    {"run my.json5 --frames 30 --force", "only the first frames, over what is there"},
    {0}};
static const Argument arguments[] = {{"SCENE", "a scene", WORDS_SCENE, true}, {0}};
const Command command_run = {
    .name = "run",
    .doc = "Simulate a scene: frames, pictures and video in a folder.",
    .details =
        "Without a scene it runs the built-in demo. Ctrl-C finishes the frame, writes a "
        "checkpoint and says how to go on; a second Ctrl-C stops at once. A folder that "
        "holds other files than those of a run is refused, with --force too. Under mpirun or "
        "srun the ranks share the particles, to the same bits.",
    COMMAND_PARTS,
    .ranks = true,
    .run = run_run};

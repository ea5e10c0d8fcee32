/* mote render: pictures and video from a cache. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/result.h"
#include "cli/threads.h"

#include <mote/run.h>

#include <inttypes.h>

typedef struct RenderOptions {
    TextList settings;
    int64_t threads;
    FrameRange frames;
    bool frame_all, quiet, json;
} RenderOptions;

static mote_RenderRunDef make_def(const RenderOptions *options, const char *folder)
{
    mote_RenderRunDef def = mote_render_run_def();
    def.folder = folder;
    def.first = options->frames.first;
    def.last = options->frames.last;
    def.settings = options->settings.items;
    def.setting_count = options->settings.count;
    def.frame_all = options->frame_all;
    def.progress = progress_show;
    def.cancelled = interrupt_seen;
    return def;
}

static int render_run(const void *values, Given given)
{
    const RenderOptions *options = values;
    Progress progress = progress_make(options->quiet);
    mote_RenderRunDef def = make_def(options, given[0]);
    mote_RunReport report = {0};
    mote_Error error = {0};
    int code = threads_start(options->threads, &def.tasks);
    if (code != EXIT_DONE) return code;
    def.context = &progress;
    interrupt_catch();
    mote_Status status = mote_run_render(&def, &report, &error);
    progress_end(&progress);
    mote_tasks_destroy(def.tasks);
    Result result = {.status = status,
                     .report = &report,
                     .folder = given[0],
                     .json = options->json,
                     .quiet = options->quiet};
    if (status == MOTE_CANCELLED)
        message("stopped after frame %" PRIu64 "; the pictures so far are kept", report.last);
    else if (status != MOTE_OK)
        return message_failure(status, &error);
    return result_print(&result);
}

#define FLAG(name_, letter_, member, doc_)                                                         \
    {                                                                                              \
        .name = name_, .letter = letter_, .doc = doc_, .type = OPTION_FLAG,                        \
        OPTION_HERE(RenderOptions, member)                                                         \
    }
static const Option options[] = {
    {"frames", '\0', "RANGE", "frames to draw: 10:20, 10:, :20, or 20 alone", OPTION_FRAMES,
     OPTION_HERE(RenderOptions, frames)},
    {"set", 's', "KEY=VALUE", "change camera, render or a look; may be given again", OPTION_LIST,
     OPTION_HERE(RenderOptions, settings)},
    FLAG("frame-all", '\0', frame_all, "move the camera so that the particles fill the picture"),
    OPTION_THREADS(RenderOptions),
    FLAG("quiet", 'q', quiet, "no progress and no lines at the end"),
    FLAG("json", '\0', json, "print the result as one JSON object"),
    {0}};
static const RenderOptions defaults = {.frames = {-1, -1, false}};
static const Example examples[] = {
    {"render out/demo", "draw all frames of a run again"},
    {"render out/demo --set camera.fov=30", "through another lens"},
    {"render out/demo --frames 10:20 --frame-all", "a few frames, filling the picture"},
    {0}};
static const Argument arguments[] = {{"FOLDER", "the folder of a run", WORDS_FOLDER, false}, {0}};
const Command command_render = {.name = "render",
                                .doc = "Draw pictures and video from the frames of a run.",
                                .examples = examples,
                                .arguments = arguments,
                                .options = options,
                                .defaults = &defaults,
                                .options_size = sizeof defaults,
                                .run = render_run};

/* mote render: pictures and video from a cache. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/render_slice.h"
#include "cli/result.h"
#include "cli/threads.h"
#include "plot/overlay.h"

#include <mote/run.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct RenderOptions {
    TextList settings;
    int64_t threads;
    FrameRange frames;
    int64_t turntable;
    TextList plots;
    const char *sheet, *beside;
    SliceOptions slice;
    int64_t samples;
    const char *output, *camera, *exposure, *size, *video, *show, *format;
    bool force, frame_all, deep, quiet, json;
} RenderOptions;

/* ---- options that stand for settings ---- */

enum { MOST_SETTINGS = 64, SETTING_LONGEST = 400 };

typedef struct Settings {
    const char *items[MOST_SETTINGS];
    char texts[MOST_SETTINGS][SETTING_LONGEST];
    size_t count, made;
} Settings;

static bool add(Settings *settings, const char *key, const char *value, size_t length)
{
    if (settings->count == MOST_SETTINGS || settings->made == MOST_SETTINGS) return false;
    char *text = settings->texts[settings->made++];
    int size = snprintf(text, SETTING_LONGEST, "%s%.*s", key, (int)length, value);
    settings->items[settings->count++] = text;
    return size > 0 && size < SETTING_LONGEST;
}

/* "from=[1,2,3],fov=30": pieces between commas outside of brackets. */
static bool add_pieces(Settings *settings, const char *key, const char *text)
{
    int depth = 0;
    const char *start = text;
    for (const char *c = text;; ++c) {
        if (*c == '[' || *c == '(') ++depth;
        if (*c == ']' || *c == ')') --depth;
        if (*c != '\0' && (*c != ',' || depth > 0)) continue;
        if (c > start && !add(settings, key, start, (size_t)(c - start))) return false;
        if (*c == '\0') return true;
        start = c + 1;
    }
}

/* "1920x1080": digits alone, neither of them 0; false: it is something else. */
static bool read_sides(const char *text, uint32_t sides[2])
{
    int end = 0;
    char digits[2][10];
    if (sscanf(text, "%9[0-9]x%9[0-9]%n", digits[0], digits[1], &end) != 2) return false;
    for (int k = 0; k < 2; ++k) sides[k] = (uint32_t)strtoul(digits[k], NULL, 10);
    return text[end] == '\0' && sides[0] > 0 && sides[1] > 0;
}

static bool add_number(Settings *settings, const char *key, uint64_t number)
{
    char text[24];
    const int length = snprintf(text, sizeof text, "%" PRIu64, number);
    return add(settings, key, text, (size_t)length);
}

/* False: that was no size, which has been said. */
static bool add_size(Settings *settings, const char *text)
{
    uint32_t sides[2];
    if (read_sides(text, sides))
        return add_number(settings, "--size:render.width=", sides[0]) &&
               add_number(settings, "--size:render.height=", sides[1]);
    message("--size: expected WIDTHxHEIGHT as in 1920x1080, found `%s`", text);
    return false;
}

/* "wireframe,bounds" as a list of texts. */
static bool add_show(Settings *settings, const char *text)
{
    char list[SETTING_LONGEST] = "[";
    size_t at = 1;
    for (const char *c = text; *c != '\0' && at + 4 < sizeof list; ++c) {
        if (c == text) list[at++] = '"';
        if (*c == ',') memcpy(list + at, "\",\"", 3), at += 3;
        if (*c != ',') list[at++] = *c;
        if (c[1] == '\0') list[at++] = '"';
    }
    list[at++] = ']';
    return add(settings, "--show:render.show=", list, at);
}

/* False when something is wrong with the options; that has been said. */
static bool make_settings(const RenderOptions *o, Settings *settings)
{
    bool good = o->settings.count < MOST_SETTINGS / 2;
    for (size_t i = 0; good && i < o->settings.count; ++i)
        settings->items[settings->count++] = o->settings.items[i];
    if (good && o->camera != NULL && strchr(o->camera, '=') != NULL)
        good = add_pieces(settings, "--camera:camera.", o->camera);
    if (good && o->exposure != NULL)
        good = add(settings, "--exposure:render.exposure=", o->exposure, strlen(o->exposure));
    if (good && o->samples >= 0)
        good = add_number(settings, "--samples:render.trace.samples=", (uint64_t)o->samples);
    if (good && o->video != NULL)
        good = add(settings, "--video:output.video=", o->video, strlen(o->video));
    if (good && o->show != NULL) good = add_show(settings, o->show);
    if (good && o->deep) good = add(settings, "--deep:output.frames=", "png16", 5);
    if (good && o->format != NULL)
        good = add(settings, "--format:output.frames=", o->format, strlen(o->format));
    if (!good) message("render: there are too many settings, or one is too long");
    return good && (o->size == NULL || add_size(settings, o->size));
}

/* "4x3"; false: that was something else, which has been said. */
static bool read_sheet(const char *text, uint32_t sheet[2])
{
    if (text == NULL || read_sides(text, sheet)) return true;
    message("--sheet: expected COLUMNSxROWS as in 4x3, found `%s`", text);
    return false;
}

static mote_RenderRunDef make_def(const RenderOptions *options, const Settings *settings,
                                  const char *folder)
{
    bool named = options->camera != NULL && strchr(options->camera, '=') == NULL;
    mote_RenderRunDef def = mote_render_run_def();
    def.folder = folder;
    def.output = options->output;
    def.force = options->force;
    def.first = options->frames.first;
    def.last = options->frames.last;
    def.settings = settings->items;
    def.setting_count = settings->count;
    def.frame_all = options->frame_all || named;
    def.view = named ? options->camera : NULL;
    def.turntable = options->turntable > 0 ? (uint64_t)options->turntable : 0;
    def.beside = options->beside;
    def.plots = options->plots.items;
    def.plot_count = options->plots.count;
    def.overlay = legends_draw;
    def.progress = progress_show;
    def.cancelled = interrupt_seen;
    return def;
}

/* A picture that was not done is not there, nor is a video that lacks frames. */
static void print_stopped(const mote_RunReport *report)
{
    if (report->written == 0)
        message("stopped before a picture was done; nothing was written");
    else if (report->picture[0] == '\0')
        message("stopped after frame %" PRIu64 "; a video that lacks frames is not kept",
                report->last);
    else
        message("stopped after frame %" PRIu64 "; the pictures so far are kept", report->last);
}

static int render_run(const void *values, Given given)
{
    const RenderOptions *options = values;
    Settings settings = {.count = 0};
    if (!make_settings(options, &settings)) return EXIT_USAGE;
    mote_RenderRunDef def = make_def(options, &settings, given[0]);
    Slice slice;
    if (!slice_read(&options->slice, &slice)) return EXIT_USAGE;
    if (options->slice.plane != NULL) def.slice = &slice.def;
    if (def.slice != NULL && def.view != NULL) {
        message("--camera: a slice is seen straight on; to=[0,1,0],height=2 looks at a part of it");
        return EXIT_USAGE;
    }
    if (!read_sheet(options->sheet, def.sheet)) return EXIT_USAGE;
    mote_RunReport report = {0};
    mote_Error error = {0};
    int code = ranks_start(&def.ranks);
    if (code == EXIT_DONE)
        code = ranks_together(
            def.ranks, threads_start(ranks_threads(def.ranks, options->threads), &def.tasks));
    if (code != EXIT_DONE) return code;
    const bool first = def.ranks == NULL || def.ranks->own == 0;
    Progress progress = progress_make(options->quiet || !first);
    def.context = &progress;
    if (first) def.explain = load_explain;
    interrupt_catch("stopping");
    mote_Status status = mote_run_render(&def, &report, &error);
    progress_end(&progress);
    mote_tasks_destroy(def.tasks);
    ranks_stop();
    if (!first) return status == MOTE_OK ? EXIT_DONE : message_failure(status, &error);
    Result result = {.status = status,
                     .report = &report,
                     .folder = given[0],
                     .json = options->json,
                     .quiet = options->quiet};
    if (status == MOTE_CANCELLED)
        print_stopped(&report);
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
    {"output", 'o', "WHERE",
     "a folder, a picture (shot.png), one a frame (shot_%04d.exr) or a video (clip.mp4); without "
     "it, images and video of the run",
     OPTION_TEXT, OPTION_HERE(RenderOptions, output)},
    FLAG("force", '\0', force, "write over pictures and videos that are there"),
    {"frames", '\0', "RANGE", "frames to draw: 10:20, 10:, :20, or 20 alone", OPTION_FRAMES,
     OPTION_HERE(RenderOptions, frames)},
    {"set", 's', "KEY=VALUE", "change camera, render or a look; may be given again", OPTION_LIST,
     OPTION_HERE(RenderOptions, settings), .words = WORDS_SETTING},
    {"camera", 'c', "VIEW",
     "front, back, left, right, top, bottom, corner, or keys: orbit=30,fov=20", OPTION_TEXT,
     OPTION_HERE(RenderOptions, camera)},
    {"turntable", '\0', "COUNT",
     "pictures of one turn of the camera around a frame; the last is the first again", OPTION_COUNT,
     OPTION_HERE(RenderOptions, turntable), 2, 100000},
    {"sheet", '\0', "CxR", "one picture of columns and rows of frames that are evenly apart",
     OPTION_TEXT, OPTION_HERE(RenderOptions, sheet)},
    {"beside", '\0', "FOLDER", "draw the same frames of another run to the right", OPTION_TEXT,
     OPTION_HERE(RenderOptions, beside), .words = WORDS_FOLDER},
    {"plot", '\0', "PROBE",
     "set what a probe measured into the picture: NAME, or NAME.COLUMN; may be given again",
     OPTION_LIST, OPTION_HERE(RenderOptions, plots)},
    {"slice", '\0', "AXIS=M",
     "draw a plane cut through the particles instead, as z=0.5; --camera to=[..],height=1 a part",
     OPTION_TEXT, OPTION_HERE(RenderOptions, slice.plane)},
    {"of", '\0', "QUANTITY",
     "of a slice: what its colours show: pressure, velocity.x, water.density; without it, speed",
     OPTION_TEXT, OPTION_HERE(RenderOptions, slice.of)},
    {"lines", '\0', "COUNT", "of a slice: lines of equal value", OPTION_COUNT,
     OPTION_HERE(RenderOptions, slice.lines), 0, 200},
    {"arrows", '\0', "COUNT", "of a slice: arrows of the velocity, so many across", OPTION_COUNT,
     OPTION_HERE(RenderOptions, slice.arrows), 0, 500},
    {"range", '\0', "LOW:HIGH", "of a slice: values at the ends of its colours", OPTION_TEXT,
     OPTION_HERE(RenderOptions, slice.range)},
    {"map", '\0', "NAME", "of a slice: its colours; see list colormaps", OPTION_TEXT,
     OPTION_HERE(RenderOptions, slice.map), .words = WORDS_MAP},
    FLAG("frame-all", '\0', frame_all, "move the camera so that the particles fill the picture"),
    {"exposure", 'e', "FACTOR", "factor on all light", OPTION_TEXT,
     OPTION_HERE(RenderOptions, exposure)},
    {"samples", '\0', "COUNT", "trace this many paths of light through each pixel; 0: splats",
     OPTION_COUNT, OPTION_HERE(RenderOptions, samples), 0, 65536},
    {"size", '\0', "WxH", "pixels across and down", OPTION_TEXT, OPTION_HERE(RenderOptions, size)},
    {"video", '\0', "FORMAT", "mp4, webm, webp, gif or none", OPTION_TEXT,
     OPTION_HERE(RenderOptions, video)},
    {"show", '\0', "WHAT", "also draw wireframe, bounds, links, axes; separated by commas",
     OPTION_TEXT, OPTION_HERE(RenderOptions, show)},
    {"format", '\0', "FORMAT", "of the pictures: png, png16, or exr (linear light)", OPTION_TEXT,
     OPTION_HERE(RenderOptions, format)},
    FLAG("deep", '\0', deep, "the same as --format png16"),
    OPTION_THREADS(RenderOptions),
    FLAG("quiet", 'q', quiet, "no progress and no lines at the end"),
    FLAG("json", '\0', json, "print the result as one JSON object"),
    {0}};
static const RenderOptions defaults = {.frames = {-1, -1, false}, .samples = -1};
static const Example examples[] = {
    {"render out/demo -o wide --size 1920x1080", "all frames of a run and a video, in a folder"},
    {"render out/demo -o shot.png --frames 20 --camera top", "one picture, from above"},
    {"render out/demo -o clip.gif --frames 10:40", "a video of some frames"},
    {"render out/demo -o comp/f_%04d.exr", "linear light, for grading and compositing"},
    {"render out/dam --frames 40 --samples 64", "one frame of a liquid, ray-traced"},
    {"render out/demo -o turn.mp4 --frames 40 --turntable 121", "once around one frame"},
    {"render out/demo -o sheet.png --sheet 4x3 --size 480x270", "twelve frames on one page"},
    {"render out/soft -o both.mp4 --beside out/stiff", "two runs side by side"},
    {"render out/dam-break -o dam.mp4 --plot front", "with the curve of a probe"},
    {"render out/dam-break -o cut.mp4 --slice z=0 --of pressure --lines 9 --arrows 40",
     "pressure in a plane, with lines of equal pressure and arrows of the velocity"},
    {"render out/demo --camera orbit=40,fov=30 --force", "the run's own pictures, drawn anew"},
    {0}};
static const Argument arguments[] = {{"FOLDER", "the folder of a run", WORDS_FOLDER, false}, {0}};
const Command command_render = {.name = "render",
                                .doc = "Draw pictures and video from the frames of a run.",
                                .details = "Under mpirun or srun each rank draws some of the "
                                           "frames; sheets and runs side by side are one's work.",
                                COMMAND_PARTS,
                                .ranks = true,
                                .run = render_run};

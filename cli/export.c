/* mote export: the frames of a run in other formats. */
#include "base/number.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/interrupt.h"
#include "cli/json_print.h"
#include "cli/progress.h"
#include "cli/shell_text.h"

#include <mote/run.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ExportOptions {
    const char *format, *part, *output, *up, *scale, *cell;
    FrameRange frames;
    bool quiet, json;
} ExportOptions;

/* What is not given leaves the value as it is. */
static bool read_positive(const char *text, double *value)
{
    return text == NULL || (number_parse(text, value) && *value > 0 && isfinite(*value));
}

static int read_options(const ExportOptions *options, mote_ExportDef *def)
{
    if (!words_have(WORDS_FORMAT, options->format))
        return words_fail(WORDS_FORMAT, "format", options->format);
    def->format = options->format;
    def->part = options->part;
    def->output = options->output;
    def->first = options->frames.first, def->last = options->frames.last;
    if (options->up != NULL) {
        const char *axis = strchr("xyz", options->up[0]);
        if (axis == NULL || *axis == '\0' || options->up[1] != '\0')
            return message_usage("--up: `%s` is not x, y or z", options->up);
        def->up = *axis - 'x';
    }
    if (!read_positive(options->scale, &def->scale))
        return message_usage("--scale: `%s` is not a positive number", options->scale);
    if (!read_positive(options->cell, &def->cell))
        return message_usage("--cell: `%s` is not a positive number of metres", options->cell);
    return EXIT_DONE;
}

static int print_json(mote_Status status, const mote_ExportReport *report)
{
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    json_put_text(writer, "status", status == MOTE_OK ? "done" : "interrupted");
    json_put_text(writer, "folder", report->folder);
    json_put_u64(writer, "files", report->files);
    json_put_u64(writer, "first_frame", report->first);
    json_put_u64(writer, "last_frame", report->last);
    json_put_double(writer, "seconds", report->seconds);
    json_put_text(writer, "note", report->note);
    return json_print_end(&print);
}

static int finish(const ExportOptions *options, mote_Status status, const mote_ExportReport *report)
{
    ShellText typed = {.length = 0};
    int code = EXIT_DONE;
    shell_add(&typed, report->folder);
    if (options->json)
        code = print_json(status, report);
    else if (!options->quiet)
        printf("%" PRIu64 " file%s in %s\n", report->files, report->files == 1 ? "" : "s",
               typed.text);
    if (!options->json && report->note[0] != '\0') message("%s", report->note);
    return code == EXIT_DONE ? exit_code_of(status) : code;
}

static int export_run(const void *values, Given given)
{
    const ExportOptions *options = values;
    Progress progress = progress_make(options->quiet);
    mote_ExportDef def = mote_export_def();
    mote_ExportReport report = {0};
    mote_Error error = {0};
    int code = read_options(options, &def);
    if (code != EXIT_DONE) return code;
    def.folder = given[0];
    def.progress = progress_show;
    def.cancelled = interrupt_seen;
    def.context = &progress;
    interrupt_catch("stopping");
    mote_Status status = mote_run_export(&def, &report, &error);
    progress_end(&progress);
    if (status == MOTE_CANCELLED)
        message("stopped after frame %" PRIu64 "; %s", report.last,
                report.files > 0 ? "the files so far are kept" : "nothing was written");
    else if (status != MOTE_OK)
        return message_failure(status, &error);
    return finish(options, status, &report);
}

static const Option options[] = {
    {"to", '\0', "FORMAT", "vtp (the default), or what `" PROGRAM " list formats` shows",
     OPTION_TEXT, OPTION_HERE(ExportOptions, format), .words = WORDS_FORMAT},
    {"output", 'o', "FOLDER", "where the files go; without it, export in the run's folder",
     OPTION_TEXT, OPTION_HERE(ExportOptions, output), .words = WORDS_FOLDER},
    {"part", '\0', "NAME", "only this system, surface, body or collider", OPTION_TEXT,
     OPTION_HERE(ExportOptions, part)},
    {"frames", '\0', "RANGE", "frames to write: 10:20, 10:, :20, or 20 alone", OPTION_FRAMES,
     OPTION_HERE(ExportOptions, frames)},
    {"up", '\0', "AXIS", "x, y or z is up in the files; without it, as in the scene", OPTION_TEXT,
     OPTION_HERE(ExportOptions, up), .words = WORDS_AXIS},
    {"scale", '\0', "FACTOR", "on all lengths: 100 for centimetres", OPTION_TEXT,
     OPTION_HERE(ExportOptions, scale)},
    {"cell", '\0', "METRES",
     "of the grids in vti and vdb files; without it, as particles are large", OPTION_TEXT,
     OPTION_HERE(ExportOptions, cell)},
    {"quiet", 'q', .doc = "no progress and no lines at the end", .type = OPTION_FLAG,
     OPTION_HERE(ExportOptions, quiet)},
    {"json", .doc = "print the result as one JSON object", .type = OPTION_FLAG,
     OPTION_HERE(ExportOptions, json)},
    {0}};
static const ExportOptions defaults = {.format = "vtp", .frames = {-1, -1, false}};
static const Example examples[] = {
    {"export out/demo --to vtp", "for ParaView: files and a collection in out/demo/export"},
    {"export out/stack --to glb -o shots", "bodies with key frames, in one file"},
    {"export out/dam --to ply --up z --part water_surface", "a liquid's mesh, for Blender"},
    {"export out/bonfire --to vdb --up z --part smoke", "smoke as volumes, for Blender"},
    {"export out/demo --to csv --frames 10:20", "tables of some frames"},
    {0}};
static const Argument arguments[] = {{"FOLDER", "the folder of a run", WORDS_FOLDER, false}, {0}};
const Command command_export = {
    .name = "export",
    .doc = "Write the frames of a run in another format.",
    .details = "Parts of a run are its systems of particles, the surfaces around them, its bodies "
               "and its colliders. Shapes are written as triangles; what has no end is cut 10 m "
               "from its middle.",
    COMMAND_PARTS,
    .run = export_run};

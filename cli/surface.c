/* mote surface: meshes around the particles of a run, or of files of other programs. */
#include "base/machine.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/interrupt.h"
#include "cli/json_print.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/surface_files.h"
#include "cli/threads.h"

#include "base/number.h"
#include "base/row.h"
#include "base/status.h"

#include <mote/io.h>
#include <mote/scene.h>
#include <mote/surface.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct SurfaceOptions {
    const char *output, *field, *radius, *cell, *specks, *system;
    TextList settings, attributes;
    int64_t smoothing, threads;
    FrameRange frames;
    bool force, quiet, json;
} SurfaceOptions;

/* ---- options ---- */

static bool read_number(const char *text, const char *option, double *value)
{
    if (text == NULL || (number_parse(text, value) && isfinite(*value))) return true;
    message("--%s: expected a number, found `%s`", option, text);
    return false;
}

static const mote_Param *find_param(const mote_Row *row, const char *name, size_t length)
{
    for (size_t i = 0; i < row->param_count; ++i)
        if (strlen(row->params[i].name) == length && memcmp(row->params[i].name, name, length) == 0)
            return &row->params[i];
    return NULL;
}

static bool read_value(const char *text, double *value)
{
    *value = strcmp(text, "true") == 0;
    return *value > 0 || strcmp(text, "false") == 0 || number_parse(text, value);
}

/* One setting, `KEY=VALUE`. */
static bool set_param(const mote_Row *row, const char *text, void *params)
{
    const char *equals = strchr(text, '=');
    double value[3] = {0};
    const mote_Param *param =
        equals != NULL ? find_param(row, text, (size_t)(equals - text)) : NULL;
    if (param != NULL && read_value(equals + 1, value)) {
        param_write(param, value, params);
        return true;
    }
    message("--set: expected KEY=NUMBER with a parameter of the field `%s`, found `%s`; see "
            "`" PROGRAM " help %s`",
            row->name, text, row->name);
    return false;
}

static void *make_params(const SurfaceOptions *o, const mote_Row *row)
{
    void *params = malloc(row->params_size);
    bool good = params != NULL;
    if (good) mote_row_defaults(row, params);
    for (size_t i = 0; good && i < o->settings.count; ++i)
        good = set_param(row, o->settings.items[i], params);
    if (good) return params;
    free(params);
    return NULL;
}

static const mote_Row *find_row(const char *field)
{
    size_t count;
    const mote_Row *const *rows = mote_family_rows("surfaces", &count);
    mote_Error error;
    const mote_Row *row = row_find(rows, count, "--field", "field", field, &error);
    if (row == NULL) message("%s", error.message);
    return row;
}

/* ---- work ---- */

typedef struct Work {
    const SurfaceOptions *options;
    mote_Surface *maker;
    const mote_Ranks *ranks; /* NULL: this program alone */
    Progress progress;
    SurfaceFiles files;
    mote_SurfaceReport report;
    size_t written, triangles, particles;
    double begun;
    char last[4096];
} Work;

static const char *system_of(const Work *work, const mote_Frame *frame)
{
    if (work->options->system != NULL || frame->system_count != 1) return work->options->system;
    return frame->systems[0].name;
}

static bool wants_band(const char *output)
{
    const char *ending = strrchr(output, '.');
    return ending != NULL && strcmp(ending, ".vti") == 0;
}

static mote_Status write_band(const Work *work, const mote_FrameSurface *mesh, mote_Error *error)
{
    mote_SurfaceBand band;
    mote_Status status = mote_surface_band(mesh, work->report.cell, &band, error);
    if (status == MOTE_OK) status = mote_surface_band_write(&band, work->last, error);
    mote_surface_band_free(&band);
    return status;
}

static mote_Status name_file(const SurfaceFile *file, mote_Status status, mote_Error *error)
{
    const mote_Error said = *error;
    return status_fail(error, status, "%s: %s", file->path, said.message);
}

static mote_Status make_one(Work *work, const SurfaceFile *file, mote_Error *error)
{
    mote_Frame *frame;
    mote_FrameSurface mesh = {0};
    mote_Status status = mote_import(file->path, &frame, error);
    if (status != MOTE_OK) return status;
    status =
        mote_surface_frame(work->maker, frame, system_of(work, frame), &mesh, &work->report, error);
    for (size_t i = 0; i < frame->system_count; ++i) work->particles += frame->systems[i].count;
    surface_file_name(work->options->output, file->number, work->last, sizeof work->last);
    if (status != MOTE_OK)
        status = name_file(file, status, error);
    else if (wants_band(work->options->output))
        status = write_band(work, &mesh, error);
    else
        status = mote_surface_write(&mesh, work->last, error);
    work->triangles += mesh.triangle_count;
    mote_frame_destroy(frame);
    work->written += status == MOTE_OK;
    return status;
}

/* ---- ranks, which deal the files ---- */

static size_t rank_count(const Work *work)
{
    return work->ranks != NULL ? (size_t)work->ranks->count : 1;
}

static size_t rank_own(const Work *work)
{
    return work->ranks != NULL ? (size_t)work->ranks->own : 0;
}

/* Every rank has made one: all go on, or stop with the words of one of them. */
static mote_Status end_round(const Work *work, mote_Status status, mote_Error *error)
{
    const mote_Ranks *ranks = work->ranks;
    if (status == MOTE_OK && interrupt_seen(NULL)) status = MOTE_CANCELLED;
    return ranks != NULL ? ranks->agree(ranks->context, status, error) : status;
}

/* What all have made; of what was found in files that in the last. */
static mote_Status add_up(Work *work, mote_Error *error)
{
    const mote_Ranks *ranks = work->ranks;
    const size_t last = work->files.count - 1;
    const bool own = last % rank_count(work) == rank_own(work);
    int64_t sums[] = {(int64_t)work->written, (int64_t)work->triangles, (int64_t)work->particles};
    double report[] = {own ? work->report.spacing : 0, own && work->report.guessed ? 1 : 0,
                       own ? work->report.cell : 0};
    if (ranks == NULL) return MOTE_OK;
    mote_Status status = ranks->sum(ranks->context, sums, 3, error);
    if (status == MOTE_OK) status = ranks->most(ranks->context, report, 3, error);
    work->written = (size_t)sums[0], work->triangles = (size_t)sums[1];
    work->particles = (size_t)sums[2];
    work->report.spacing = report[0], work->report.guessed = report[1] > 0;
    work->report.cell = report[2];
    surface_file_name(work->options->output, work->files.items[last].number, work->last,
                      sizeof work->last);
    return status;
}

static int make_all(Work *work)
{
    mote_Status status = MOTE_OK;
    mote_Error error = {0};
    const size_t count = work->files.count, ranks = rank_count(work);
    work->begun = clock_seconds();
    for (size_t done = 0; done < count && status == MOTE_OK; done += ranks) {
        const size_t before = work->particles, own = done + rank_own(work);
        if (own < count) status = make_one(work, &work->files.items[own], &error);
        status = end_round(work, status, &error);
        mote_RunProgress progress = {.doing = "surfacing",
                                     .frame = done + ranks < count ? done + ranks - 1 : count - 1,
                                     .last = count - 1,
                                     .particles = work->particles - before,
                                     .seconds = clock_seconds() - work->begun};
        progress_show(&work->progress, &progress);
    }
    progress_end(&work->progress);
    if (status == MOTE_CANCELLED) return interrupt_exit_code();
    if (status == MOTE_OK && count > 0) status = add_up(work, &error);
    if (status != MOTE_OK) return message_failure(status, &error);
    if (work->particles > 0) return EXIT_DONE;
    message("surface: there are no particles in the input, so there is nothing to go around");
    return EXIT_BAD_INPUT;
}

static int print_result(const Work *work)
{
    double seconds = clock_seconds() - work->begun;
    if (work->options->json) {
        JsonPrint print;
        JsonWriter *writer = json_print_begin(&print);
        json_put_u64(writer, "meshes", work->written);
        json_put_u64(writer, "particles", work->particles);
        json_put_u64(writer, "triangles", work->triangles);
        json_put_double(writer, "spacing", work->report.spacing);
        json_put_bool(writer, "guessed", work->report.guessed);
        json_put_double(writer, "cell", work->report.cell);
        json_put_double(writer, "seconds", seconds);
        json_put_text(writer, "last", work->last);
        return json_print_end(&print);
    }
    if (work->options->quiet) return EXIT_DONE;
    printf("%zu mesh%s, %zu triangles in all, from %zu particles in %.3g s\n", work->written,
           work->written == 1 ? "" : "es", work->triangles, work->particles, seconds);
    printf("spacing %g m%s, cells of %g m; the last mesh is %s\n", work->report.spacing,
           work->report.guessed ? " (guessed; --radius is half of it)" : "", work->report.cell,
           work->last);
    return EXIT_DONE;
}

static int open_maker(const SurfaceOptions *o, Work *work, mote_SurfaceDef *def, void *params)
{
    mote_Error error = {0};
    def->field = o->field, def->params = params;
    def->smoothing = (uint64_t)o->smoothing;
    def->attributes = o->attributes.items, def->attribute_count = o->attributes.count;
    if (!read_number(o->radius, "radius", &def->radius) ||
        !read_number(o->cell, "cell", &def->cell) ||
        !read_number(o->specks, "specks", &def->specks))
        return EXIT_USAGE;
    int code = threads_start(ranks_threads(work->ranks, o->threads), &def->tasks);
    if (code != EXIT_DONE) return code;
    mote_Status status = mote_surface_create(def, &work->maker, &error);
    return status == MOTE_OK ? EXIT_DONE : message_failure(status, &error);
}

/* The folder of the meshes, when it is missing. */
static int make_folder(const char *output)
{
    const char *slash = strrchr(output, '/');
    char path[4096];
    if (slash == NULL || slash == output || (size_t)(slash - output) >= sizeof path)
        return EXIT_DONE;
    snprintf(path, sizeof path, "%.*s", (int)(slash - output), output);
    return output_make_folder(path);
}

/* Before anything is made: no name may be one of a file that is there, or that is read. */
static int check_names(const SurfaceOptions *o, const SurfaceFiles *files)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < files->count && code == EXIT_DONE; ++i) {
        char name[4096];
        if (!surface_file_name(o->output, files->items[i].number, name, sizeof name))
            return message_usage("--output: the name is too long");
        code = output_check(name, o->force);
        if (code != EXIT_DONE || access(name, F_OK) != 0) continue;
        for (size_t k = 0; k < files->count && code == EXIT_DONE; ++k)
            code = output_check_beside(name, o->force, files->items[k].path);
    }
    return code;
}

/* What is read and written; of ranks the first looks, before any of them writes. */
static int prepare(Work *work, const char *input)
{
    const SurfaceOptions *o = work->options;
    int code = surface_files_list(input, &o->frames, &work->files);
    if (code == EXIT_DONE && work->files.count > 1 && !surface_pattern_has_number(o->output))
        code = message_usage("--output: %zu meshes need a number in their name, as mesh_%%06d.ply",
                             work->files.count);
    if (rank_own(work) > 0) return code;
    if (code == EXIT_DONE) code = check_names(o, &work->files);
    return code == EXIT_DONE ? make_folder(o->output) : code;
}

static int surface_run(const void *values, Given given)
{
    const SurfaceOptions *o = values;
    Work work = {.options = o};
    mote_SurfaceDef def = mote_surface_def();
    const mote_Row *row = find_row(o->field);
    void *params = row != NULL ? make_params(o, row) : NULL;
    if (params == NULL) return EXIT_USAGE;
    int code = ranks_start(&work.ranks);
    const bool first = rank_own(&work) == 0;
    work.progress = progress_make(o->quiet || o->json || !first);
    if (code == EXIT_DONE) {
        code = prepare(&work, given[0]);
        if (code == EXIT_DONE) code = open_maker(o, &work, &def, params);
        code = ranks_together(work.ranks, code);
    }
    if (code == EXIT_DONE) {
        interrupt_catch("finishing the mesh before stopping");
        code = make_all(&work);
    }
    ranks_stop();
    if (code == EXIT_DONE && first) code = print_result(&work);
    mote_surface_destroy(work.maker);
    mote_tasks_destroy(def.tasks);
    surface_files_free(&work.files);
    free(params);
    return code;
}

#define TEXT(name_, letter_, argument_, member, doc_)                                              \
    {                                                                                              \
        .name = name_, .letter = letter_, .argument = argument_, .doc = doc_, .type = OPTION_TEXT, \
        OPTION_HERE(SurfaceOptions, member)                                                        \
    }
static const Option options[] = {
    TEXT("output", 'o', "NAME", output,
         "meshes, .ply or .obj, or signed distances, .vti; %06d becomes the frame's number"),
    TEXT("radius", 'r', "M", radius,
         "half the particles' distance; else from the file, or guessed"),
    TEXT("cell", 'c', "SPACINGS", cell, "edge of a grid cell, by the particles' distance: 0.5"),
    {"field", 'f', "NAME", "density, anisotropic, zhu-bridson or spheres", OPTION_TEXT,
     OPTION_HERE(SurfaceOptions, field), .words = WORDS_FIELD},
    {"set", 's', "KEY=VALUE", "change a parameter of the field; may be given again", OPTION_LIST,
     OPTION_HERE(SurfaceOptions, settings)},
    {"attribute", 'a', "NAME", "a column that vertices carry, as velocity; may be given again",
     OPTION_LIST, OPTION_HERE(SurfaceOptions, attributes)},
    {"smoothing", '\0', "N", "passes of smoothing: 15; 0 for none", OPTION_COUNT,
     OPTION_HERE(SurfaceOptions, smoothing), .min = 0, .max = 1000},
    TEXT("specks", '\0', "N", specks, "leave out pieces with less than N particles' volume"),
    TEXT("system", '\0', "NAME", system, "system of the run that is a liquid"),
    {"frames", '\0', "RANGE", "frames: 10:20, 10:, :20, or 20 alone", OPTION_FRAMES,
     OPTION_HERE(SurfaceOptions, frames)},
    OPTION_FORCE(SurfaceOptions),
    OPTION_THREADS(SurfaceOptions),
    {"quiet", 'q', .doc = "no progress and no lines at the end", .type = OPTION_FLAG,
     OPTION_HERE(SurfaceOptions, quiet)},
    {"json", .doc = "print the result as one JSON object", .type = OPTION_FLAG,
     OPTION_HERE(SurfaceOptions, json)},
    {0}};
static const SurfaceOptions defaults = {
    .output = "mesh_%06d.ply", .field = "density", .smoothing = 15, .frames = {-1, -1, false}};
static const Example examples[] = {
    {"surface out/dam-break -o meshes/water_%06d.ply", "a mesh of every frame of a run"},
    {"surface particles.csv -o liquid.obj --radius 0.01", "of a file of another program"},
    {"surface frames/ -o mesh_%04d.ply --cell 0.25 --specks 5", "of a folder of files, finer"},
    {0}};
static const Argument arguments[] = {
    {"INPUT", "the folder of a run, a folder of particle files, or one file", WORDS_FOLDER, false},
    {0}};
const Command command_surface = {
    .name = "surface",
    .doc = "Make meshes around particles: liquid surfaces.",
    .details =
        "Reads runs of mote, and PLY, NPZ, CSV and XYZ files of other programs. Under mpirun or "
        "srun the ranks deal the files among them, to the same meshes.",
    COMMAND_PARTS,
    .ranks = true,
    .run = surface_run};

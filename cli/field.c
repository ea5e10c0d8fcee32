/* mote field: what a field of a scene looks like. */
#include "base/number.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/field_slice.h"
#include "cli/json_print.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/threads.h"
#include "text/text_buffer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct FieldOptions {
    TextList settings;
    const char *slice, *time, *show, *at, *width, *most, *output, *spectrum;
    int64_t size, points, threads;
    bool force, json;
} FieldOptions;

/* ---- options ---- */

static int bad(const char *option, const char *text, const char *wanted)
{
    return message_usage("--%s: `%s` is not %s", option, text, wanted);
}

static bool read_number(const char *text, double *value)
{
    return number_parse(text, value) && isfinite(*value);
}

/* "x,y,z" */
static bool read_point(const char *text, double point[3])
{
    char part[NUMBER_SIZE];
    for (int k = 0; k < 3; ++k) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof part || (text[length] == '\0') != (k == 2)) return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (!read_number(part, &point[k])) return false;
        text += length + 1;
    }
    return true;
}

static const char *show_name(const void *context, size_t i)
{
    (void)context;
    return field_show_names[i];
}

static int read_show(const char *text, FieldShow *show)
{
    for (size_t i = 0; field_show_names[i] != NULL; ++i)
        if (strcmp(text, field_show_names[i]) == 0) {
            *show = (FieldShow)i;
            return EXIT_DONE;
        }
    const char *near = text_nearest(text, show_name, NULL);
    if (near != NULL) return message_usage("--show: unknown `%s`; did you mean `%s`?", text, near);
    return bad("show", text, "one of auto, value, x, y, z, magnitude, divergence, streamlines");
}

static int read_options(const FieldOptions *o, FieldSlice *slice, FieldShow *show)
{
    const char *s = o->slice;
    bool axis = s[0] >= 'x' && s[0] <= 'z' && s[1] == '=';
    if (!read_point(o->at, slice->centre)) return bad("at", o->at, "a point: x,y,z in metres");
    if (!axis || !read_number(s + 2, &slice->centre[s[0] - 'x']))
        return bad("slice", s, "an axis and a coordinate, as z=0.5");
    slice->axis = s[0] - 'x';
    if (!read_number(o->time, &slice->t)) return bad("time", o->time, "a number of seconds");
    if (!read_number(o->width, &slice->width) || !(slice->width > 0))
        return bad("width", o->width, "a length in metres");
    if (!read_number(o->most, &slice->most) || !(slice->most >= 0))
        return bad("most", o->most, "a number above 0");
    slice->side = (size_t)o->size;
    return read_show(o->show, show);
}

/* ---- what comes out ---- */

static void print_lines(const FieldSlice *slice, const FieldStatistics *s)
{
    printf("field       %s: %s, %g m wide at t = %g s, %zu x %zu samples\n", slice->field,
           slice->components == 1 ? "scalar" : "vector", slice->width, slice->t, slice->side,
           slice->side);
    if (slice->components == 1)
        printf("mean        %.6g\n", s->mean[0]);
    else
        printf("mean        %.6g %.6g %.6g\n", s->mean[0], s->mean[1], s->mean[2]);
    printf("rms         %.6g\nmin         %.6g\nmax         %.6g\n", s->rms, s->least, s->most);
    printf("gradient    %.6g rms\n", s->gradient);
    if (slice->components == 3)
        printf("divergence  %.6g rms, %.3g of the gradient\n", s->divergence,
               s->gradient > 0 ? s->divergence / s->gradient : 0);
}

static int print_json(const FieldSlice *slice, const FieldStatistics *s)
{
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    json_put_text(writer, "field", slice->field);
    json_put_double(writer, "components", slice->components);
    json_begin(writer, "mean", '[');
    for (int c = 0; c < slice->components; ++c) json_put_double(writer, NULL, s->mean[c]);
    json_finish(writer, ']');
    json_put_double(writer, "rms", s->rms);
    json_put_double(writer, "min", s->least);
    json_put_double(writer, "max", s->most);
    json_put_double(writer, "gradient", s->gradient);
    json_put_double(writer, "divergence", s->divergence);
    return json_print_end(&print);
}

static mote_Status make_outputs(const FieldOptions *o, FieldSlice *slice, FieldShow show,
                                mote_Error *error)
{
    FieldStatistics statistics;
    FieldRange range;
    mote_Status status = field_slice_sample(slice, &statistics, error);
    if (status != MOTE_OK) return status;
    if (o->json)
        print_json(slice, &statistics);
    else
        print_lines(slice, &statistics);
    if (o->output != NULL) status = field_slice_draw(slice, show, o->output, &range, error);
    if (o->output != NULL && status == MOTE_OK && !o->json)
        printf("picture     %s, colours (%s) from %.3g to %.3g\n", o->output, range.map, range.low,
               range.high);
    if (o->spectrum != NULL && status == MOTE_OK)
        status = field_slice_spectrum(slice, (size_t)o->points, o->spectrum, error);
    return status;
}

static const char *field_name(const void *context, size_t i)
{
    return mote_world_name(context, MOTE_KIND_FIELD, i);
}

static int fail_field(const mote_World *world, const char *name)
{
    char names[300];
    name_list_text((NameList){field_name, world}, names, sizeof names);
    return message_usage("the scene has no field `%s`; it has %s", name,
                         names[0] != '\0' ? names : "none");
}

static int check_outputs(const FieldOptions *o, const mote_Scene *scene)
{
    const char *const paths[] = {o->output, o->spectrum};
    for (int i = 0; i < 2; ++i) {
        const int code = output_check(paths[i], o->force);
        if (code != EXIT_DONE) return code;
        if (paths[i] != NULL && mote_scene_reads(scene, paths[i]))
            return message_usage("%s is the scene that is read, so it is not written over",
                                 paths[i]);
    }
    return EXIT_DONE;
}

static int field_run(const void *values, Given given)
{
    const FieldOptions *o = values;
    FieldSlice slice = {.memory = memory_make(mote_default_allocator()), .field = given[1]};
    FieldShow show = SHOW_AUTO;
    mote_Scene *scene;
    mote_Error error = {0};
    int code = read_options(o, &slice, &show);
    if (code == EXIT_DONE) code = threads_start(o->threads, &slice.tasks);
    if (code != EXIT_DONE) return code;
    code = load_scene(&(LoadDef){given[0], &o->settings, true}, &scene);
    if (code == EXIT_DONE) code = check_outputs(o, scene);
    if (code == EXIT_DONE) {
        mote_Status status = mote_scene_world(scene, slice.tasks, &slice.world, &error);
        if (status == MOTE_OK)
            slice.components = mote_world_field_components(slice.world, given[1]);
        if (status == MOTE_OK && slice.components == 0)
            code = fail_field(slice.world, given[1]);
        else if (status == MOTE_OK)
            status = make_outputs(o, &slice, show, &error);
        if (status != MOTE_OK) code = message_failure(status, &error);
    }
    field_slice_free(&slice);
    mote_world_destroy(slice.world);
    mote_scene_destroy(scene);
    mote_tasks_destroy(slice.tasks);
    return code;
}

#define TEXT(name_, letter_, argument_, member, doc_)                                              \
    {                                                                                              \
        .name = name_, .letter = letter_, .argument = argument_, .doc = doc_, .type = OPTION_TEXT, \
        OPTION_HERE(FieldOptions, member)                                                          \
    }
static const Option options[] = {
    TEXT("output", 'o', "FILE", output, "write a picture of the slice, PNG"),
    TEXT("show", '\0', "WHAT", show,
         "value, x, y, z, magnitude, divergence or streamlines; without it, value or magnitude"),
    TEXT("most", '\0', "NUMBER", most,
         "number at the end of the colours; without it, by the samples"),
    TEXT("slice", '\0', "AXIS=M", slice, "the plane to cut through; without it, z=0"),
    TEXT("at", '\0', "X,Y,Z", at, "the middle, in metres; without it, 0,0,0"),
    TEXT("width", '\0', "M", width, "width of the slice in metres; without it, 4"),
    TEXT("time", '\0', "S", time, "moment, in seconds; without it, 0"),
    {"size", '\0', "N", "pixels of a side", OPTION_COUNT, OPTION_HERE(FieldOptions, size), 2, 8192},
    TEXT(
        "spectrum", '\0', "FILE", spectrum,
        "write the energy spectrum of a cube around the middle: a plot (.png, .svg) or CSV of k in "
        "rad/m and E; - for standard output"),
    {"points", '\0', "N", "samples per side of that cube", OPTION_COUNT,
     OPTION_HERE(FieldOptions, points), 8, 512},
    OPTION_FORCE(FieldOptions),
    OPTION_SET(FieldOptions),
    OPTION_THREADS(FieldOptions),
    {"json", .doc = "print the statistics as one JSON object", .type = OPTION_FLAG,
     OPTION_HERE(FieldOptions, json)},
    {0}};
static const FieldOptions defaults = {.slice = "z=0",
                                      .time = "0",
                                      .show = "auto",
                                      .at = "0,0,0",
                                      .width = "4",
                                      .most = "0",
                                      .size = 640,
                                      .points = 64};
static const Example examples[] = {
    {"field scenes/around-sphere.json5 flow --show streamlines -o flow.png",
     "streamlines of a slice"},
    {"field scenes/dust.json5 air --slice y=1 --time 2 --spectrum E.csv",
     "statistics, and the spectrum for a plot"},
    {0}};
static const Argument arguments[] = {{"SCENE", "a scene", WORDS_SCENE, false},
                                     {"FIELD", "the name of a field", WORDS_ANY, false},
                                     {0}};
const Command command_field = {.name = "field",
                               .doc = "Draw a slice of a field; print its statistics and spectrum.",
                               COMMAND_PARTS,
                               .run = field_run};

/* A world like that of the scene, but with a frame a sub-step, is stepped for a moment. Its cost is
 * taken as o + c n of the number of particles n, by the two halves of what was tried, and then as
 * that of the particles that the scene will have on average. */
#include "cli/estimate.h"

#include "base/machine.h"
#include "cli/exit.h"
#include "cli/threads.h"

#include <math.h>
#include <stdio.h>

#define LONGEST_TRY 0.3 /* s */
#define FASTEST_TRY 1e9 /* 1/s: what world.fps can be */
#define WRITING     1.5 /* drawing, a file and the video's frame, in drawings */
enum { LARGEST_TRY = 300000, HALVES = 2, MOST_SETTINGS = 60 };

/* What one half of the steps took. */
typedef struct Half {
    double steps, seconds, particles, time; /* time: s that were simulated */
} Half;

typedef struct Trial {
    mote_Scene *scene;
    mote_Tasks *tasks;
    mote_World *world;
    Half halves[HALVES];
} Trial;

/* The same scene with frames as long as a sub-step. */
static bool load_fine(const LoadDef *load, const mote_SceneInfo *info, mote_Scene **scene)
{
    const char *items[MOST_SETTINGS + 1];
    char fps[64];
    TextList list = {items, load->settings->count + 1};
    LoadDef fine = {.path = load->path, .settings = &list, .quiet = true};
    double rate = info->fps * ceil(1 / (info->fps * info->max_step) * (1 - 1e-12));
    if (load->settings->count > MOST_SETTINGS || !(rate < FASTEST_TRY)) return false;
    for (size_t i = 0; i < load->settings->count; ++i) items[i] = load->settings->items[i];
    snprintf(fps, sizeof fps, "--check:world.fps=%.17g", rate);
    items[load->settings->count] = fps;
    return load_scene(&fine, scene) == EXIT_DONE;
}

/* Steps until `seconds` are over, or the scene is; the first step is no measure. */
static bool try_half(Trial *trial, double duration, double seconds, Half *half)
{
    mote_StepReport report;
    for (double start = clock_seconds(); clock_seconds() - start < seconds || half->steps == 0;) {
        double before = mote_world_time(trial->world), begun = clock_seconds();
        if (before >= duration * (1 - 1e-9)) break;
        if (mote_world_step(trial->world, &report, NULL) != MOTE_OK) return false;
        half->seconds += clock_seconds() - begun;
        half->particles += (double)report.particles;
        half->time += mote_world_time(trial->world) - before;
        ++half->steps;
    }
    return true;
}

/* Seconds for all of the scene's time. */
static double extrapolate(const Half halves[HALVES], double duration, double mean)
{
    const Half *a = &halves[0], *b = &halves[1];
    double done = a->time + b->time, spent = a->seconds + b->seconds;
    if (done >= duration * (1 - 1e-6) || b->steps == 0) return spent;
    double n0 = a->particles / a->steps, n1 = b->particles / b->steps;
    double s0 = a->seconds / a->time, s1 = b->seconds / b->time; /* a second of the scene */
    double each = n1 > 1.2 * n0 ? fmax(0, (s1 - s0) / (n1 - n0)) : s1 / fmax(n1, 1);
    double fixed = fmax(0, s1 - each * n1);
    return spent + (duration - done) * (fixed + each * fmax(mean, n1));
}

static double try_steps(Trial *trial, const mote_SceneInfo *info, double mean)
{
    mote_StepReport report;
    if (mote_scene_world(trial->scene, trial->tasks, &trial->world, NULL) != MOTE_OK) return -1;
    if (mote_world_step(trial->world, &report, NULL) != MOTE_OK) return -1;
    for (int h = 0; h < HALVES; ++h)
        if (!try_half(trial, info->duration, LONGEST_TRY / HALVES, &trial->halves[h])) return -1;
    return extrapolate(trial->halves, info->duration, mean);
}

static double try_picture(const Trial *trial, mote_Scene *scene, const mote_SceneInfo *info)
{
    const mote_Frame *frame = mote_world_frame(trial->world), *drawn;
    mote_RenderDef def;
    mote_Image *image = NULL;
    double begun = clock_seconds(), seconds = -1;
    if (!info->pictures && !info->video) return 0;
    if (frame == NULL || mote_scene_picture(scene, frame, &def, &drawn, NULL) != MOTE_OK) return -1;
    def.tasks = trial->tasks;
    if (def.trace.samples == 0 &&
        mote_image_create(info->width, info->height, &image, NULL) == MOTE_OK &&
        mote_render(&def, drawn, image, NULL) == MOTE_OK)
        seconds = WRITING * (clock_seconds() - begun) * (double)(info->frames + 1);
    mote_image_destroy(image);
    return seconds;
}

Estimate estimate_run(const LoadDef *load, mote_Scene *scene, const mote_SceneForecast *forecast)
{
    Estimate estimate = {-1, -1};
    mote_SceneInfo info = mote_scene_info(scene);
    Trial trial = {.scene = NULL};
    if (forecast->particles > LARGEST_TRY || !load_fine(load, &info, &trial.scene)) return estimate;
    if (threads_start(0, &trial.tasks) == EXIT_DONE)
        estimate.steps = try_steps(&trial, &info, (double)forecast->mean);
    if (estimate.steps >= 0) estimate.pictures = try_picture(&trial, scene, &info);
    mote_world_destroy(trial.world);
    mote_tasks_destroy(trial.tasks);
    mote_scene_destroy(trial.scene);
    return estimate;
}

void duration_text(double seconds, char text[DURATION_TEXT])
{
    static const struct {
        double from, unit;
        const char *name;
    } rows[] = {{2 * 86400, 86400, "days"}, {5400, 3600, "h"}, {90, 60, "min"}, {0, 1, "s"}};
    size_t i = 0;
    while (seconds < rows[i].from) ++i;
    double value = fmax(seconds / rows[i].unit, 1);
    double grain = value < 20 ? 1 : value < 100 ? 5 : 50;
    snprintf(text, DURATION_TEXT, "%.0f %s", grain * floor(value / grain + 0.5), rows[i].name);
}

/* The run: world -> frame -> cache, pictures, video. */
#include "run/cache.h"
#include "run/log.h"
#include "run/pictures.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct Run {
    const mote_RunDef *def;
    mote_Scene *scene;
    mote_World *world;
    Folder folder;
    Cache cache;
    Pictures pictures;
    mote_RunReport *report;
    uint64_t again, last; /* frames to be written */
    uint64_t saved;       /* frame of the last checkpoint */
    double start;         /* s */
} Run;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

mote_RunDef mote_run_def(void)
{
    return (mote_RunDef){.folder = "out", .from = -1, .last = -1};
}

static void tell(const Run *run, const mote_Frame *frame)
{
    mote_RunProgress progress = {.doing = "simulating",
                                 .frame = frame->index,
                                 .first = run->again,
                                 .last = run->last,
                                 .particles = run->report->particles,
                                 .seconds = now() - run->start};
    if (run->def->progress != NULL) run->def->progress(run->def->context, &progress);
}

/* Writes the frame that the world stands at, unless it is there from an earlier run. */
static mote_Status write_frame(Run *run, mote_Error *error)
{
    const mote_Frame *frame = mote_world_frame(run->world);
    if (frame == NULL) return status_no_memory(error, "a frame", 1);
    if (frame->index < run->again) return MOTE_OK;
    mote_Status status = cache_add_frame(&run->cache, frame, error);
    if (status == MOTE_OK) status = pictures_add(&run->pictures, frame, error);
    run->report->last = frame->index;
    tell(run, frame);
    return status;
}

static mote_Status save(Run *run, ManifestState state, mote_Error *error)
{
    run->saved = mote_world_frame_index(run->world);
    return cache_checkpoint(&run->cache, run->world, state, error);
}

static mote_Status step(Run *run, mote_Error *error)
{
    mote_StepReport report;
    uint64_t every = mote_scene_info(run->scene).checkpoint_every;
    mote_Status status = mote_world_step(run->world, &report, error);
    if (status != MOTE_OK) return status;
    run->report->particles = report.particles;
    run->report->substeps += report.substeps;
    if (report.frame >= run->again) status = log_add(&run->folder, &report, error);
    if (status == MOTE_OK) status = write_frame(run, error);
    if (status == MOTE_OK && report.frame % every == 0 && report.frame >= run->again)
        status = save(run, MANIFEST_RUNNING, error);
    return status;
}

static mote_Status run_frames(Run *run, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (mote_world_frame_index(run->world) == 0) status = write_frame(run, error);
    while (status == MOTE_OK && mote_world_frame_index(run->world) < run->last) {
        status = step(run, error);
        if (status == MOTE_OK && run->def->cancelled != NULL &&
            run->def->cancelled(run->def->context)) {
            if (mote_world_frame_index(run->world) >= run->last) break;
            return status_fail(error, MOTE_CANCELLED, "stopped after frame %llu",
                               (unsigned long long)mote_world_frame_index(run->world));
        }
    }
    return status;
}

/* What is left behind tells the next run how to go on. A first failure is not hidden by a second.
 */
static mote_Status finish(Run *run, mote_Status status, mote_Error *error)
{
    mote_Error second;
    mote_Status closing = MOTE_OK;
    bool saved = mote_world_frame_index(run->world) == run->saved;
    if (status == MOTE_OK || status == MOTE_CANCELLED) {
        ManifestState state = status == MOTE_OK ? MANIFEST_FINISHED : MANIFEST_STOPPED;
        closing = saved ? cache_note(&run->cache, state, &second) : save(run, state, &second);
    } else {
        cache_note(&run->cache, MANIFEST_STOPPED, &second);
    }
    mote_Status video = pictures_close(&run->pictures, closing == MOTE_OK ? &second : NULL);
    if (closing == MOTE_OK) closing = video;
    if (status != MOTE_OK || closing == MOTE_OK) return status;
    if (error != NULL) *error = second;
    return closing;
}

static mote_Status open_run(Run *run, mote_Error *error)
{
    const mote_RunDef *def = run->def;
    mote_Status status = folder_open(&run->folder, def->folder, error);
    run->cache = (Cache){.folder = &run->folder, .tasks = def->tasks};
    run->last = def->last >= 0 ? (uint64_t)def->last : mote_scene_info(run->scene).frames;
    if (status == MOTE_OK) status = mote_scene_world(run->scene, def->tasks, &run->world, error);
    if (status == MOTE_OK)
        status = cache_open(&run->cache, run->scene, def, run->world, &run->again, error);
    if (status == MOTE_OK) status = log_open(&run->folder, run->again, error);
    run->report->first = run->again;
    run->saved = run->again > 0 ? mote_world_frame_index(run->world) : UINT64_MAX;
    return status;
}

/* A run that goes on draws the frames before it into its video again; without a cache it cannot. */
static mote_Status open_pictures(Run *run, mote_Error *error)
{
    bool whole = run->again == 0 || run->cache.frames;
    run->pictures = (Pictures){.scene = run->scene,
                               .folder = &run->folder,
                               .tasks = run->def->tasks,
                               .report = run->report};
    if (run->def->no_pictures) return MOTE_OK;
    mote_Status status = pictures_open(&run->pictures, whole, error);
    if (status != MOTE_OK || run->again == 0) return status;
    if (whole) return pictures_replay(&run->pictures, 0, run->again - 1, error);
    snprintf(run->report->note, sizeof run->report->note,
             "no video was made, because frames before %llu are not in a cache",
             (unsigned long long)run->again);
    return MOTE_OK;
}

mote_Status mote_run(mote_Scene *scene, const mote_RunDef *def, mote_RunReport *report,
                     mote_Error *error)
{
    mote_RunReport own;
    Run run = {
        .def = def, .scene = scene, .report = report != NULL ? report : &own, .start = now()};
    memset(run.report, 0, sizeof *run.report);
    mote_Status status = open_run(&run, error);
    if (status == MOTE_OK) {
        status = open_pictures(&run, error);
        if (status == MOTE_OK) status = run_frames(&run, error);
        status = finish(&run, status, error);
    }
    cache_close(&run.cache);
    mote_world_destroy(run.world);
    run.report->seconds = now() - run.start;
    return status;
}

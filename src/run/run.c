/* The run: world -> frame -> cache, pictures, video. */
#include "run/cache.h"
#include "run/clock.h"
#include "run/log.h"
#include "run/pictures.h"
#include "run/probes.h"
#include "run/surfaces.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

typedef struct Run {
    const mote_RunDef *def;
    mote_Scene *scene;
    mote_World *world;
    Folder folder;
    Cache cache;
    Pictures pictures;
    Surfaces surfaces;
    mote_RunReport *report;
    uint64_t again, last; /* frames to be written */
    uint64_t saved;       /* frame of the last checkpoint */
    double start;         /* s */
} Run;

mote_RunDef mote_run_def(void)
{
    return (mote_RunDef){.folder = "out", .from = -1, .last = -1};
}

static uint64_t count_particles(const mote_Frame *frame)
{
    uint64_t particles = 0;
    for (size_t i = 0; i < frame->system_count; ++i) particles += frame->systems[i].count;
    return particles;
}

static void tell(const Run *run, mote_RunProgress progress)
{
    progress.seconds = clock_seconds() - run->start;
    if (run->def->progress != NULL) run->def->progress(run->def->context, &progress);
}

static mote_Status ask_cancelled(const Run *run, uint64_t frame, mote_Error *error)
{
    if (run->def->cancelled == NULL || !run->def->cancelled(run->def->context)) return MOTE_OK;
    return status_fail(error, MOTE_CANCELLED, "stopped after frame %llu",
                       (unsigned long long)frame);
}

/* Writes the frame that the world stands at, unless it is there from an earlier run. */
static mote_Status write_frame(Run *run, mote_Error *error)
{
    const mote_Frame *frame = mote_world_frame(run->world);
    if (frame == NULL) return status_no_memory(error, "a frame", 1);
    run->report->particles = count_particles(frame);
    run->report->last = frame->index;
    if (frame->index < run->again) return MOTE_OK;
    bool kept = run->cache.frames || run->pictures.image != NULL;
    mote_Status status = kept ? surfaces_make(&run->surfaces, frame, &frame, error) : MOTE_OK;
    if (status == MOTE_OK) status = cache_add_frame(&run->cache, frame, error);
    if (status == MOTE_OK) status = pictures_add(&run->pictures, frame, error);
    if (status != MOTE_OK) return status;
    ++run->report->written;
    tell(run, (mote_RunProgress){.doing = "simulating",
                                 .frame = frame->index,
                                 .first = run->again,
                                 .last = run->last,
                                 .particles = run->report->particles});
    return status;
}

static mote_Status save(Run *run, mote_Error *error)
{
    mote_Status status = cache_checkpoint(&run->cache, run->world, error);
    if (status == MOTE_OK) run->saved = mote_world_frame_index(run->world);
    return status;
}

static mote_Status step(Run *run, mote_Error *error)
{
    mote_StepReport report;
    uint64_t every = mote_scene_info(run->scene).checkpoint_every;
    mote_Status status = mote_world_step(run->world, &report, error);
    if (status != MOTE_OK) return status;
    run->report->substeps += report.substeps;
    run->report->solves += report.solves;
    run->report->unsolved += report.unsolved;
    run->report->inside += report.inside;
    run->report->trapped += report.trapped;
    run->report->left_out += report.left_out;
    if (report.frame >= run->again) status = log_add(&run->folder, &report, error);
    if (status == MOTE_OK && report.frame >= run->again)
        status = probes_add(&run->folder, run->world, error);
    if (status == MOTE_OK) status = write_frame(run, error);
    if (status == MOTE_OK && report.frame % every == 0 && report.frame >= run->again)
        status = save(run, error);
    return status;
}

static mote_Status run_frames(Run *run, mote_Error *error)
{
    mote_Status status = mote_world_start(run->world, error);
    if (status == MOTE_OK && run->again == 0)
        status = probes_start(&run->folder, run->world, error);
    if (status == MOTE_OK) status = write_frame(run, error);
    while (status == MOTE_OK && mote_world_frame_index(run->world) < run->last) {
        status = step(run, error);
        uint64_t frame = mote_world_frame_index(run->world);
        if (status == MOTE_OK && frame < run->last) status = ask_cancelled(run, frame, error);
    }
    return status;
}

/* The checkpoint first, then the video, which may take a while, and only then word that all is
 * there. */
static mote_Status close_good(Run *run, ManifestState state, mote_Error *error)
{
    bool saved = mote_world_frame_index(run->world) == run->saved;
    mote_Status status = saved ? MOTE_OK : save(run, error);
    mote_Status video = pictures_close(&run->pictures, status == MOTE_OK ? error : NULL);
    if (status == MOTE_OK) status = video;
    if (status != MOTE_OK) {
        cache_note(&run->cache, MANIFEST_STOPPED, NULL);
        return status;
    }
    return cache_note(&run->cache, state, error);
}

/* What is left behind tells the next run how to go on. A first failure is not hidden by a second.
 */
static mote_Status finish(Run *run, mote_Status status, mote_Error *error)
{
    if (status == MOTE_OK) return close_good(run, MANIFEST_FINISHED, error);
    if (status == MOTE_CANCELLED) {
        mote_Error second;
        mote_Status closing = close_good(run, MANIFEST_STOPPED, &second);
        if (closing == MOTE_OK) return status;
        if (error != NULL) *error = second;
        return closing;
    }
    cache_note(&run->cache, MANIFEST_STOPPED, NULL);
    pictures_close(&run->pictures, NULL);
    return status;
}

/* What the report says of a run that has only been opened. */
static void begin_report(Run *run)
{
    uint64_t at = mote_world_frame_index(run->world);
    run->saved = run->again > 0 ? at : UINT64_MAX;
    run->report->first = run->again;
    run->report->last = at;
    if (run->again > run->last) run->report->first = at; /* nothing is left to do */
}

static mote_Status open_run(Run *run, mote_Error *error)
{
    const mote_RunDef *def = run->def;
    mote_Status status = folder_open(&run->folder, def->folder, error);
    run->cache = (Cache){.folder = &run->folder, .tasks = def->tasks, .lock = -1};
    run->last = def->last >= 0 ? (uint64_t)def->last : mote_scene_info(run->scene).frames;
    if (status == MOTE_OK) status = mote_scene_world(run->scene, def->tasks, &run->world, error);
    if (status == MOTE_OK)
        status = cache_open(&run->cache, run->scene, def, &run->world, &run->again, error);
    if (status == MOTE_OK) status = log_open(&run->folder, run->again, error);
    if (status == MOTE_OK) status = probes_open(&run->cache, run->world, run->again, error);
    if (status == MOTE_OK) begin_report(run);
    return status;
}

/* Draws the frames before this run into its video. */
static mote_Status film_earlier(Run *run, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (uint64_t i = 0; i < run->again && status == MOTE_OK; ++i) {
        mote_Frame *frame;
        status = cache_read_frame(&run->folder, i, NULL, &frame, error);
        if (status != MOTE_OK) break;
        status = pictures_film(&run->pictures, frame, error);
        mote_RunProgress progress = {"rendering", i, 0, run->again - 1, count_particles(frame),
                                     0,           0};
        mote_frame_destroy(frame);
        if (status == MOTE_OK) tell(run, progress);
        if (status == MOTE_OK) status = ask_cancelled(run, i, error);
    }
    run->pictures.abandoned = status != MOTE_OK;
    return status;
}

/* Word of a picture that takes its time; the frame is finished before a run stops. */
static bool tell_picture(void *context, double done)
{
    const Run *run = context;
    tell(run, (mote_RunProgress){.doing = "simulating",
                                 .frame = run->report->last,
                                 .first = run->report->first,
                                 .last = run->last,
                                 .picture = done});
    return true;
}

/* A run that goes on needs the frames before it for its video; without them it makes none. */
static mote_Status open_pictures(Run *run, mote_Error *error)
{
    mote_SceneInfo info = mote_scene_info(run->scene);
    bool whole = cache_has_all(&run->cache, run->again);
    char video[32];
    pictures_video_name(run->scene, video);
    bool done = run->again > run->last && folder_has(&run->folder, video);
    run->pictures = (Pictures){.scene = run->scene,
                               .folder = &run->folder,
                               .tasks = run->def->tasks,
                               .report = run->report,
                               .progress = tell_picture,
                               .context = run};
    if (run->def->no_pictures || done) return MOTE_OK;
    if (info.video && !whole)
        snprintf(run->report->note, sizeof run->report->note,
                 "no video was made, because frames before %llu are not in a cache",
                 (unsigned long long)run->again);
    mote_Status status = pictures_open(&run->pictures, info.pictures, info.video && whole, error);
    if (status != MOTE_OK || run->pictures.video == NULL) return status;
    return film_earlier(run, error);
}

mote_Status mote_run(mote_Scene *scene, const mote_RunDef *def, mote_RunReport *report,
                     mote_Error *error)
{
    mote_RunReport own;
    Run run = {.def = def,
               .scene = scene,
               .report = report != NULL ? report : &own,
               .start = clock_seconds()};
    memset(run.report, 0, sizeof *run.report);
    mote_Status status = open_run(&run, error);
    if (status == MOTE_OK) {
        if (def->started != NULL) def->started(def->context);
        status = open_pictures(&run, error);
        if (status == MOTE_OK) status = surfaces_open(&run.surfaces, scene, def->tasks, error);
        if (status == MOTE_OK) status = run_frames(&run, error);
        status = finish(&run, status, error);
    }
    cache_close(&run.cache);
    surfaces_close(&run.surfaces);
    mote_world_destroy(run.world);
    run.report->seconds = clock_seconds() - run.start;
    return status;
}

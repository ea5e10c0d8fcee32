/* The run: world -> frame -> cache, pictures, video. */
#include "base/machine.h"
#include "run/cache.h"
#include "run/crew.h"
#include "run/folder.h"
#include "run/pictures.h"

#include "base/definition.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

typedef struct Run {
    const mote_RunDef *def;
    mote_Scene *scene;
    Crew crew; /* its world */
    Folder folder;
    Cache cache;
    Pictures pictures;
    Surfaces surfaces;
    mote_RunReport *report;
    Needs needs;
    uint64_t again;  /* the first frame that is needed; UINT64_MAX: none is */
    int64_t at;      /* the frame that the world has come to; -1: it has not begun */
    uint64_t filmed; /* frames that are in the video, from 0 on */
    uint64_t saved;  /* frame of the last checkpoint */
    double saved_at; /* s, when that was */
    bool full;       /* the disk soon will be; there is room to end well */
    double start;    /* s */
} Run;

static mote_RunDef run_defaults(void)
{
    return (mote_RunDef){.folder = "out", .from = -1, .last = -1, .checkpoint_seconds = -1};
}

DEFINITION_MAKER(mote_RunDef, mote_run_def, run_defaults)

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

/* After a frame that is not the last: nobody has asked to stop, and there is room for more. */
static mote_Status may_go_on(Run *run, uint64_t frame, mote_Error *error)
{
    mote_Status status = ask_cancelled(run, frame, error);
    if (status != MOTE_OK) return status;
    const mote_SceneInfo info = mote_scene_info(run->scene);
    const double pixels = (double)info.width * (double)info.height;
    status = room_left(run->def, run->cache.manifest, run->pictures.files ? pixels : 0, error);
    run->full = status != MOTE_OK;
    return status;
}

static mote_Status list_frame(Run *run, uint64_t index, FileSum file, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (run->cache.frames) status = manifest_add_frame(run->cache.manifest, index, file, error);
    if (status != MOTE_OK) return status;
    run->filmed = index + 1;
    ++run->report->written;
    return MOTE_OK;
}

/* Writes the frame that the world stands at. One whose picture fails is not listed, so that the
 * next run draws it. The file first, then its line in the manifest: what is listed is whole. */
static mote_Status write_frame(Run *run, const mote_Frame *frame, mote_Error *error)
{
    bool kept = run->cache.frames || run->pictures.image != NULL;
    mote_Status status = kept ? surfaces_make(&run->surfaces, frame, &frame, error) : MOTE_OK;
    FileSum file = {0};
    if (status == MOTE_OK && run->cache.frames)
        status = cache_write_frame(&run->cache, frame, NULL, &file, error);
    if (status == MOTE_OK) status = pictures_add(&run->pictures, frame, frame->index, error);
    return status == MOTE_OK ? list_frame(run, frame->index, file, error) : status;
}

/* ---- of ranks, where the frame as a whole is wanted by nobody ---- */

static bool writes_parts(const Run *run)
{
    return crew_is_many(&run->crew) && run->pictures.image == NULL && run->surfaces.count == 0;
}

typedef struct FedFrame {
    const Cache *cache;
    FileSum sum;
} FedFrame;

static mote_Status write_fed(void *context, const CrewHeads *heads, mote_Error *error)
{
    FedFrame *file = context;
    return cache_write_frame(file->cache, heads->frame, heads->feed, &file->sum, error);
}

static mote_Status write_parts(Run *run, bool wanted, const mote_Frame **frame, mote_Error *error)
{
    FedFrame file = {.cache = &run->cache};
    const CrewFile fed = {write_fed, &file};
    const bool kept = wanted && run->cache.frames;
    mote_Status status = crew_write_frame(&run->crew, kept ? &fed : NULL, frame, error);
    if (status != MOTE_OK || !wanted) return status;
    return list_frame(run, (*frame)->index, file.sum, error);
}

/* What the world has come to: its frame is written where it is `wanted`. */
static mote_Status arrive(Run *run, bool wanted, mote_Error *error)
{
    const mote_Frame *frame;
    const bool parts = writes_parts(run);
    mote_Status status =
        parts ? write_parts(run, wanted, &frame, error) : crew_frame(&run->crew, &frame, error);
    if (status != MOTE_OK) return status;
    run->report->particles = count_particles(frame);
    run->report->last = frame->index;
    if (wanted && !parts) status = write_frame(run, frame, error);
    if (status == MOTE_OK && frame->index >= run->again)
        tell(run, (mote_RunProgress){.doing = "simulating",
                                     .frame = frame->index,
                                     .first = run->again,
                                     .last = run->needs.last,
                                     .particles = run->report->particles});
    return status;
}

static mote_Status save(Run *run, mote_Error *error)
{
    mote_Status status = cache_checkpoint(&run->cache, &run->crew, error);
    if (status == MOTE_OK) run->saved = mote_world_frame_index(run->crew.world);
    run->saved_at = clock_seconds();
    return status;
}

/* One that is there already is made again only where frames are. By frames, so that checkpoints
 * stand at the same places in every run; and by the clock, so that slow frames do not cost hours.
 */
static bool save_is_due(const Run *run, uint64_t frame)
{
    const mote_SceneInfo info = mote_scene_info(run->scene);
    const double asked = run->def->checkpoint_seconds;
    const double most = asked >= 0 ? asked : info.checkpoint_seconds;
    const bool late = most > 0 && clock_seconds() - run->saved_at >= most && frame >= run->again;
    if (frame % info.checkpoint_every != 0 && !late) return false;
    return needs_again(&run->needs, frame) ||
           manifest_checkpoint(run->cache.manifest, frame) == NULL;
}

static mote_Status step(Run *run, mote_Error *error)
{
    mote_StepReport report;
    const bool wanted = needs_frame(&run->needs, mote_world_frame_index(run->crew.world) + 1);
    mote_Status status = crew_step(&run->crew, &report, error);
    if (status != MOTE_OK) return status;
    run->report->substeps += report.substeps;
    run->report->solves += report.solves;
    run->report->unsolved += report.unsolved;
    run->report->inside += report.inside;
    run->report->trapped += report.trapped;
    run->report->left_out += report.left_out;
    status = tables_add(&run->cache, run->crew.world, &report, error);
    if (status == MOTE_OK) status = arrive(run, wanted, error);
    if (status == MOTE_OK && save_is_due(run, report.frame)) status = save(run, error);
    return status;
}

/* Draws frames of the cache below `end` into the video, those that it lacks. */
static mote_Status film_up_to(Run *run, uint64_t end, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (run->pictures.video == NULL) return MOTE_OK;
    for (; run->filmed < end && status == MOTE_OK; ++run->filmed) {
        mote_Frame *frame;
        status = cache_read_frame(&run->folder, run->filmed, NULL, &frame, error);
        if (status != MOTE_OK) break;
        status = pictures_film(&run->pictures, frame, error);
        mote_RunProgress progress = {.doing = "rendering",
                                     .frame = run->filmed,
                                     .last = end - 1,
                                     .particles = count_particles(frame)};
        mote_frame_destroy(frame);
        if (status == MOTE_OK) tell(run, progress);
        if (status == MOTE_OK) status = ask_cancelled(run, run->filmed, error);
    }
    run->pictures.abandoned = status != MOTE_OK;
    return status;
}

/* Brings the world to the newest checkpoint below `next`, or to its start, where it has not been.
 */
static mote_Status go_near(Run *run, uint64_t next, mote_Error *error)
{
    mote_Status status = start_world(&run->cache, &run->crew, next, &run->at, error);
    if (status != MOTE_OK || run->at >= 0) return status;
    status = crew_start(&run->crew, error);
    if (status != MOTE_OK || mote_world_frame_index(run->crew.world) > 0) return status;
    status = tables_start(&run->cache, &run->crew, error);
    return status == MOTE_OK ? arrive(run, needs_frame(&run->needs, 0), error) : status;
}

/* From one frame that is needed to the next; what lies between two checkpoints and is there already
 * is left out. */
static mote_Status run_frames(Run *run, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    uint64_t next;
    while (status == MOTE_OK &&
           (next = needs_next(&run->needs, (uint64_t)(run->at + 1))) < UINT64_MAX) {
        status = film_up_to(run, next, error);
        if (status == MOTE_OK) status = go_near(run, next, error);
        while (status == MOTE_OK && mote_world_frame_index(run->crew.world) < next) {
            status = step(run, error);
            uint64_t frame = mote_world_frame_index(run->crew.world);
            if (status == MOTE_OK && frame < run->needs.last) status = may_go_on(run, frame, error);
        }
        run->at = (int64_t)mote_world_frame_index(run->crew.world);
    }
    const uint64_t reached = run->cache.reached, last = run->needs.last;
    return status == MOTE_OK ? film_up_to(run, (reached > last ? reached : last) + 1, error)
                             : status;
}

/* The checkpoint first, then the video, which may take a while, and only then word that all is
 * there. */
static mote_Status close_good(Run *run, ManifestState state, mote_Error *error)
{
    const uint64_t at = mote_world_frame_index(run->crew.world);
    const bool saved = run->report->substeps == 0
                           ? run->at < 0 || manifest_checkpoint(run->cache.manifest, at) != NULL
                           : at == run->saved;
    mote_Status status = saved ? MOTE_OK : save(run, error);
    /* A video of more frames is not replaced by one of less. */
    if (run->filmed <= run->cache.reached) run->pictures.abandoned = true;
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
    if (status == MOTE_OK) return close_good(run, run->cache.ended, error);
    if (status == MOTE_CANCELLED || run->full) {
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
    const uint64_t reached = run->cache.reached;
    run->again = needs_next(&run->needs, 0);
    run->report->first = run->again < UINT64_MAX ? run->again : reached;
    run->report->last = reached;
}

static mote_Status open_run(Run *run, mote_Error *error)
{
    const mote_RunDef *def = run->def;
    mote_Status status = folder_open(&run->folder, def->folder, error);
    run->cache = (Cache){
        .def = def, .folder = &run->folder, .tasks = def->tasks, .start = run->start, .lock = -1};
    if (status == MOTE_OK) status = room_check(run->scene, def, error);
    if (status == MOTE_OK) status = crew_make(&run->crew, error);
    if (status == MOTE_OK) status = cache_open(&run->cache, run->scene, run->crew.world, error);
    if (status != MOTE_OK) return status;
    run->needs = (Needs){.cache = &run->cache,
                         .from = def->from,
                         .last = run->cache.last,
                         .reached = run->cache.reached};
    begin_report(run);
    return MOTE_OK;
}

/* Word of a picture that takes its time; the frame is finished before a run stops. */
static bool tell_picture(void *context, double done)
{
    const Run *run = context;
    tell(run, (mote_RunProgress){.doing = "simulating",
                                 .frame = run->report->last,
                                 .first = run->report->first,
                                 .last = run->needs.last,
                                 .picture = done});
    return true;
}

/* A run that goes on needs the frames around it for its video; without them it makes none. */
static mote_Status open_pictures(Run *run, mote_Error *error)
{
    mote_SceneInfo info = mote_scene_info(run->scene);
    const bool idle = run->again == UINT64_MAX;
    const uint64_t last = run->needs.last, reached = run->cache.reached;
    bool whole = cache_has_all(&run->cache, 0, idle ? reached + 1 : run->again) &&
                 cache_has_all(&run->cache, last + 1, reached + 1);
    char video[32];
    pictures_video_name(run->scene, video);
    run->pictures = (Pictures){.scene = run->scene,
                               .folder = &run->folder,
                               .tasks = run->def->tasks,
                               .report = run->report,
                               .progress = tell_picture,
                               .context = run,
                               .overlay = run->def->overlay,
                               .overlay_context = run->def->context};
    if (run->def->no_pictures || (idle && folder_has(&run->folder, video))) return MOTE_OK;
    if (info.video && !whole)
        snprintf(run->report->note, sizeof run->report->note,
                 "no video was made, because frames before %llu are not in a cache",
                 (unsigned long long)(idle ? reached + 1 : run->again));
    mote_Status status = target_read(NULL, &run->folder, &info, &run->pictures.target, error);
    if (status != MOTE_OK) return status;
    return pictures_open(&run->pictures, info.pictures, info.video && whole, error);
}

mote_Status mote_run(mote_Scene *scene, const mote_RunDef *given, mote_RunReport *report,
                     mote_Error *error)
{
    DEFINITION_TAKE(mote_RunDef, mote_run_def);
    mote_RunReport own;
    Run run = {.def = def,
               .scene = scene,
               .report = report != NULL ? report : &own,
               .at = -1,
               .saved = UINT64_MAX,
               .start = clock_seconds()};
    run.saved_at = run.start;
    run.crew = (Crew){.ranks = def->ranks, .scene = scene, .tasks = def->tasks};
    memset(run.report, 0, sizeof *run.report);
    if (def->ranks != NULL && def->ranks->own > 0) return crew_follow(&run.crew, error);
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
    crew_end(&run.crew, status, error);
    run.report->seconds = clock_seconds() - run.start;
    return status;
}

/* A run's folder, frame by frame; also one that is still being written. */
#include "view/session_own.h"

#include "base/row.h"
#include "base/status.h"

#include <mote/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double look_every = 0.5; /* s: for frames that have been added */

typedef struct Listed {
    uint64_t index;
    char *path;
} Listed;

typedef struct Replay {
    Listed *frames;
    size_t count, room;
    size_t at;         /* that is shown */
    mote_Frame *frame; /* it */
    double looked;     /* s by the clock: when the folder was listed */
} Replay;

static const mote_Row *shape_row(void *context, const char *type)
{
    size_t count = 0;
    const mote_Row *const *rows = mote_family_rows("shapes", &count);
    (void)context;
    return row_named(rows, count, type);
}

/* Frames come in their order, and none goes away. */
static bool add_frame(void *context, uint64_t index, const char *path)
{
    Replay *replay = context;
    if (replay->count > 0 && index <= replay->frames[replay->count - 1].index) return true;
    if (replay->count == replay->room) {
        const size_t room = 2 * replay->room + 64;
        Listed *more = realloc(replay->frames, room * sizeof *more);
        if (more == NULL) return false;
        replay->frames = more, replay->room = room;
    }
    char *copy = strdup(path);
    if (copy == NULL) return false;
    replay->frames[replay->count++] = (Listed){index, copy};
    return true;
}

static mote_Status list(ViewSession *session, mote_Error *error)
{
    Replay *replay = session->own;
    replay->looked = clock_seconds();
    mote_Status status = mote_run_frames(session->folder, add_frame, replay, error);
    if (replay->count > 0)
        __atomic_store_n(&session->newest, replay->frames[replay->count - 1].index,
                         __ATOMIC_RELAXED);
    return status;
}

static void look_again(ViewSession *session)
{
    const Replay *replay = session->own;
    if (clock_seconds() - replay->looked > look_every) list(session, NULL);
}

static mote_Status read_at(ViewSession *session, size_t at, mote_Error *error)
{
    Replay *replay = session->own;
    mote_FrameReadDef def = mote_frame_read_def();
    mote_Frame *frame = NULL;
    def.any_precision = true;
    def.shape_row = shape_row;
    def.earlier = replay->frame;
    mote_Status status = mote_frame_read_with(replay->frames[at].path, &def, &frame, error);
    if (status != MOTE_OK) return status;
    if (replay->frame != NULL && replay->at + 1 == at) /* else it is read again */
        status = extras_keep(session, replay->frame, error);
    mote_frame_destroy(replay->frame);
    replay->frame = frame;
    replay->at = at;
    extras_recall(session, frame);
    session_turn(session, frame);
    return status;
}

static void replay_close(ViewSession *session)
{
    Replay *replay = session->own;
    for (size_t i = 0; i < replay->count; ++i) free(replay->frames[i].path);
    free(replay->frames);
    mote_frame_destroy(replay->frame);
}

static mote_Status replay_open(ViewSession *session, mote_Error *error)
{
    Replay *replay = session->own;
    mote_Status status = list(session, error);
    if (status == MOTE_OK && replay->count == 0)
        status = status_fail(error, MOTE_BAD_VALUE, "%s holds no frames yet", session->folder);
    return status == MOTE_OK ? read_at(session, 0, error) : status;
}

static mote_Status replay_next(ViewSession *session, mote_Error *error)
{
    const Replay *replay = session->own;
    if (replay == NULL) return MOTE_OK;
    if (replay->at + 1 >= replay->count) look_again(session);
    if (replay->at + 1 < replay->count) return read_at(session, replay->at + 1, error);
    if (session->shown >= session->info.frames) session->running = false, session->told = 0;
    return MOTE_OK;
}

static mote_Status replay_seek(ViewSession *session, uint64_t index, mote_Error *error)
{
    const Replay *replay = session->own;
    size_t at = 0;
    if (replay == NULL || replay->count == 0) return MOTE_OK;
    look_again(session);
    while (at + 1 < replay->count && replay->frames[at].index < index) ++at;
    return read_at(session, at, error);
}

static void replay_span(const ViewSession *session, uint64_t *first, uint64_t *last)
{
    const Replay *replay = session->own;
    const bool some = replay != NULL && replay->count > 0;
    *first = some ? replay->frames[0].index : 0;
    *last = some ? replay->frames[replay->count - 1].index : 0;
}

/* Probes are files probes/NAME.csv; the scene says which there are. */
static void replay_probes(ViewSession *session, JsonWriter *json)
{
    mote_World *world = NULL;
    const Controls controls = session_controls(session);
    if (session->scene == NULL || !controls_have_probes(&controls)) return;
    if (mote_scene_world(session->scene, NULL, &world, NULL) != MOTE_OK) return;
    const size_t count = mote_world_count(world, MOTE_KIND_PROBE);
    for (size_t i = 0; i < count; ++i) {
        mote_ProbeSamples *table = NULL;
        const char *name = mote_world_name(world, MOTE_KIND_PROBE, i);
        if (mote_run_probe(session->folder, name, &table, NULL) == MOTE_OK)
            put_samples(json, table);
        mote_probe_table_destroy(table);
    }
    mote_world_destroy(world);
}

const ViewSource source_replay = {.name = "run",
                                  .size = sizeof(Replay),
                                  .open = replay_open,
                                  .close = replay_close,
                                  .next = replay_next,
                                  .seek = replay_seek,
                                  .span = replay_span,
                                  .probes = replay_probes};

/* A world that is simulated while it is looked at. Frames that were posted are kept, up to a limit,
 * so that the time line goes back. */
#include "view/session_own.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_BYTES = 256 << 20, PROBES_MOST = 32, SAMPLES_MOST = 400 };

/* What a probe has measured so far. When the table is full every second sample goes. */
typedef struct Track {
    double *times, *values;
    size_t count, columns;
    size_t every, skipped; /* samples between two that are kept */
} Track;

typedef struct Live {
    mote_World *world;
    ViewLetter **kept;
    size_t kept_count, kept_room, kept_bytes;
    Track tracks[PROBES_MOST];
} Live;

/* ---- probes ---- */

static void halve(Track *track)
{
    const size_t half = track->count / 2, c = track->columns;
    for (size_t i = 0; i < half; ++i) {
        track->times[i] = track->times[2 * i];
        memmove(track->values + i * c, track->values + 2 * i * c, c * sizeof *track->values);
    }
    track->count = half;
    track->every *= 2;
}

static void track_add(Track *track, const mote_ProbeSamples *samples)
{
    if (track->times == NULL) {
        track->columns = samples->column_count;
        track->every = 1;
        track->times = calloc(SAMPLES_MOST, sizeof *track->times);
        track->values = calloc(SAMPLES_MOST * (samples->column_count + 1), sizeof *track->values);
    }
    if (track->times == NULL || track->values == NULL) return;
    for (size_t i = 0; i < samples->count; ++i) {
        if (track->skipped++ % track->every != 0) continue;
        if (track->count == SAMPLES_MOST) halve(track);
        track->times[track->count] = samples->times[i];
        memcpy(track->values + track->count * track->columns, samples->values + i * track->columns,
               track->columns * sizeof *track->values);
        ++track->count;
    }
}

static void add_samples(Live *live)
{
    const size_t count = mote_world_count(live->world, MOTE_KIND_PROBE);
    for (size_t i = 0; i < count && i < PROBES_MOST; ++i) {
        const mote_ProbeSamples samples = mote_world_probe(live->world, i);
        track_add(&live->tracks[i], &samples);
    }
}

static void live_probes(ViewSession *session, JsonWriter *json)
{
    const Live *live = session->own;
    const size_t count = live != NULL ? mote_world_count(live->world, MOTE_KIND_PROBE) : 0;
    for (size_t i = 0; i < count && i < PROBES_MOST; ++i) {
        mote_ProbeSamples samples = mote_world_probe(live->world, i);
        const Track *track = &live->tracks[i];
        samples.count = track->count;
        samples.times = track->times;
        samples.values = track->values;
        put_samples(json, &samples);
    }
}

/* ---- the world ---- */

static void live_close(ViewSession *session)
{
    Live *live = session->own;
    mote_world_destroy(live->world);
    for (size_t i = 0; i < live->kept_count; ++i) letter_release(live->kept[i]);
    for (size_t i = 0; i < PROBES_MOST; ++i)
        free(live->tracks[i].times), free(live->tracks[i].values);
    free(live->kept);
}

static mote_Status live_open(ViewSession *session, mote_Error *error)
{
    Live *live = session->own;
    mote_Status status = mote_scene_world(session->scene, session->def.tasks, &live->world, error);
    if (status == MOTE_OK) status = mote_world_start(live->world, error);
    if (status == MOTE_OK) status = mote_world_sample_probes(live->world, error);
    if (status != MOTE_OK) return status;
    add_samples(live);
    mote_world_watch(live->world, session_called, session);
    session_turn(session, mote_world_frame(live->world));
    __atomic_store_n(&session->newest, 0, __ATOMIC_RELAXED);
    return MOTE_OK;
}

static mote_Status show_kept(ViewSession *session, size_t i)
{
    Live *live = session->own;
    ViewLetter *letter = letter_keep(live->kept[i]);
    letter_release(session->letter);
    session->letter = letter;
    session->frame = NULL;
    session->shown = letter->index;
    session->time = (double)letter->index / session->info.fps;
    session->stale = true;
    return MOTE_OK;
}

/* Number of the first kept frame that is not before `index`. */
static size_t find_kept(const Live *live, uint64_t index)
{
    size_t i = 0;
    while (i < live->kept_count && live->kept[i]->index < index) ++i;
    return i;
}

static mote_Status live_next(ViewSession *session, mote_Error *error)
{
    Live *live = session->own;
    mote_StepReport report = {0};
    if (live == NULL) {
        session->running = false;
        return MOTE_OK;
    }
    const uint64_t newest = mote_world_frame_index(live->world);
    const size_t kept = find_kept(live, session->shown + 1);
    if (session->shown < newest && kept < live->kept_count) return show_kept(session, kept);
    if (newest >= session->info.frames) {
        session->running = false;
        session->told = 0;
        return MOTE_OK;
    }
    mote_Status status = extras_keep(session, mote_world_frame(live->world), error);
    if (status != MOTE_OK) return status;
    const double start = clock_seconds();
    session->begun = false;
    status = mote_world_step(live->world, &report, error);
    if (status == MOTE_CANCELLED) return MOTE_OK; /* between sub-steps: somebody asks */
    if (status != MOTE_OK) return status;
    session->step_seconds = clock_seconds() - start;
    add_samples(live);
    session_turn(session, mote_world_frame(live->world));
    __atomic_store_n(&session->newest, session->shown, __ATOMIC_RELAXED);
    return MOTE_OK;
}

static mote_Status live_seek(ViewSession *session, uint64_t index, mote_Error *error)
{
    Live *live = session->own;
    (void)error;
    if (live == NULL) return MOTE_OK;
    session->running = false;
    const size_t after = find_kept(live, index + 1); /* not all were kept: the last one before */
    const bool earlier = live->kept_count > 0 && index < mote_world_frame_index(live->world);
    if (earlier) return show_kept(session, after > 0 ? after - 1 : 0);
    session_turn(session, mote_world_frame(live->world));
    return MOTE_OK;
}

static void live_span(const ViewSession *session, uint64_t *first, uint64_t *last)
{
    const Live *live = session->own;
    *last = live != NULL ? mote_world_frame_index(live->world) : 0;
    *first = live != NULL && live->kept_count > 0 ? live->kept[0]->index : *last;
}

static void live_keep(ViewSession *session, ViewLetter *letter)
{
    Live *live = session->own;
    const size_t n = live != NULL ? live->kept_count : 0;
    if (live == NULL || (n > 0 && live->kept[n - 1]->index >= letter->index)) return;
    while (live->kept_count > 0 && live->kept_bytes + letter->size > KEPT_BYTES) {
        live->kept_bytes -= live->kept[0]->size;
        letter_release(live->kept[0]);
        memmove(live->kept, live->kept + 1, --live->kept_count * sizeof *live->kept);
    }
    if (live->kept_count == live->kept_room) {
        const size_t room = 2 * live->kept_room + 64;
        ViewLetter **more = realloc(live->kept, room * sizeof *more);
        if (more == NULL) return;
        live->kept = more, live->kept_room = room;
    }
    live->kept[live->kept_count++] = letter_keep(letter);
    live->kept_bytes += letter->size;
}

/* ---- values ---- */

static bool live_change(ViewSession *session, const char *key, const char *value)
{
    Live *live = session->own;
    const Controls controls = session_controls(session);
    return live != NULL && controls_change(&controls, live->world, key, value);
}

const ViewSource source_live = {.name = "scene",
                                .size = sizeof(Live),
                                .open = live_open,
                                .close = live_close,
                                .next = live_next,
                                .seek = live_seek,
                                .span = live_span,
                                .keep = live_keep,
                                .probes = live_probes,
                                .change = live_change};

/* What a session does when it is asked: a function for each request. */
#include "view/session_own.h"

#include <stdlib.h>
#include <string.h>

static void do_hello(ViewSession *session, const ViewRequest *request)
{
    tell_scene(session, request->client, NULL);
    if (session->scene == NULL || session->frame == NULL)
        tell_messages(session, request->client, session->note, NULL);
    tell_controls(session, request->client);
    tell_state(session, request->client);
    tell_probes(session, request->client);
    tell_picked(session, request->client);
    session->meshes = true; /* the newcomer has none */
    session->stale = true;
}

static void do_restart(ViewSession *session, const ViewRequest *request)
{
    const bool live = session->source->change != NULL && session->scene != NULL;
    if (!live || text_take(session, NULL, request->client, "set")) session_begin(session);
}

static void do_play(ViewSession *session, const ViewRequest *request)
{
    uint64_t first, last;
    session->source->span(session, &first, &last);
    session->running = request->on && session->scene != NULL;
    session->due = session_clock();
    const bool end = session->shown >= session->info.frames && session->info.frames > 0;
    if (session->running && end && session->source == &source_live) do_restart(session, request);
    if (session->running && end && session->source != &source_live)
        session->source->seek(session, first, NULL);
}

static void do_seek(ViewSession *session, const ViewRequest *request)
{
    mote_Error error = {0};
    const double index = request->number > 0 ? request->number : 0;
    if (session->source->seek(session, (uint64_t)index, &error) != MOTE_OK)
        session_note(session, &error);
}

static void do_step(ViewSession *session, const ViewRequest *request)
{
    ViewRequest to = *request;
    session->running = false;
    if (request->number >= 0) {
        session->whole = true;
        session_advance(session);
        session->whole = false;
        return;
    }
    to.number = (double)session->shown + request->number;
    do_seek(session, &to);
}

static void do_speed(ViewSession *session, const ViewRequest *request)
{
    session->speed = request->number > 0 ? request->number : 0;
    session->due = session_clock();
}

static void do_set(ViewSession *session, const ViewRequest *request)
{
    if (session->source->change == NULL) return;
    const bool live = session->source->change(session, request->key, request->text);
    if (!setting_put(session, request->key, request->text)) return;
    if (!live && text_take(session, NULL, request->client, "set")) session_begin(session);
    tell_controls(session, 0);
}

static void do_unset(ViewSession *session, const ViewRequest *request)
{
    settings_drop(session, session->given);
    if (text_take(session, NULL, request->client, "set")) session_begin(session);
    tell_controls(session, 0);
}

/* The row that was clicked is of the frame that the client sees; another frame may have come since,
 * with its rows in another order: then the nearest place is meant. */
static size_t picked_row(const mote_FrameSystem *system, const ViewRequest *request)
{
    const mote_Column *column = mote_frame_column(system, "position");
    if (column == NULL || column->type != MOTE_COLUMN_REAL) return SIZE_MAX;
    const mote_real *x = column->data, *y = x + column->stride, *z = y + column->stride;
    const mote_Vec3 p = request->place;
    size_t best = SIZE_MAX;
    mote_real nearest = (mote_real)1e30;
    for (size_t i = 0; i < system->count; ++i) {
        const mote_real a = x[i] - p.x, b = y[i] - p.y, c = z[i] - p.z, d = a * a + b * b + c * c;
        if (d < nearest) nearest = d, best = i;
    }
    return best;
}

static void do_pick(ViewSession *session, const ViewRequest *request)
{
    session->picked[0] = '\0';
    char name[VIEW_KEY];
    memcpy(name, request->key, sizeof name);
    const mote_FrameSystem *system =
        session->frame != NULL ? mote_frame_system(session->frame, name) : NULL;
    if (system == NULL && strchr(name, '/') != NULL) { /* a system that is drawn as several */
        *strrchr(name, '/') = '\0';
        system = session->frame != NULL ? mote_frame_system(session->frame, name) : NULL;
    }
    const mote_Column *id = system != NULL ? mote_frame_column(system, "id") : NULL;
    const size_t row = system != NULL ? picked_row(system, request) : SIZE_MAX;
    if (id != NULL && id->type == MOTE_COLUMN_U64 && row != SIZE_MAX &&
        strlen(system->name) < sizeof session->picked) {
        memcpy(session->picked, system->name, strlen(system->name) + 1);
        session->picked_id = ((const uint64_t *)id->data)[row];
    }
    tell_picked(session, 0);
}

static void do_meshes(ViewSession *session, const ViewRequest *request)
{
    (void)request;
    session->meshes = session->stale = true;
}

static void do_check(ViewSession *session, const ViewRequest *request)
{
    text_check(session, request->text, request->client);
}

static void do_use(ViewSession *session, const ViewRequest *request)
{
    if (session->source != &source_live) return;
    if (text_take(session, request->text, request->client, "used")) session_begin(session);
    tell_controls(session, 0);
}

static void do_save(ViewSession *session, const ViewRequest *request)
{
    text_save(session, request->text, request->client);
}

static void do_reload(ViewSession *session, const ViewRequest *request)
{
    if (session->source != &source_live) return;
    free(session->text);
    session->text = NULL;
    if (text_take(session, NULL, request->client, "reloaded")) session_begin(session);
    tell_scene(session, 0, "reloaded");
    tell_controls(session, 0);
}

static void do_picture(ViewSession *session, const ViewRequest *request)
{
    shot_picture(session, request);
}

static void do_video(ViewSession *session, const ViewRequest *request)
{
    shot_video(session, request);
}

static void do_hash(ViewSession *session, const ViewRequest *request)
{
    tell_hash(session, request->client);
}

static void do_ready(ViewSession *session, const ViewRequest *request)
{
    (void)session, (void)request; /* the server has told the post */
}

#define REQUEST_HANDLER(name) do_##name,
static void (*const handlers[])(ViewSession *,
                                const ViewRequest *) = {VIEW_REQUESTS(REQUEST_HANDLER)};

void session_answer(ViewSession *session, const ViewRequest *request)
{
    handlers[request->what](session, request);
}

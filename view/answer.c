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
    session->due = clock_seconds();
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
    session->due = clock_seconds();
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

static void do_pick(ViewSession *session, const ViewRequest *request)
{
    session->picked = session->frame != NULL
                          ? picked_at(session->frame, request->key, request->place)
                          : (Picked){0};
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

/* The session's thread: requests, then a frame, then the post. */
#include "view/session_own.h"

#include "base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double tell_every = 0.1, measure_every = 0.4; /* s */

void session_note(ViewSession *session, const mote_Error *error)
{
    memcpy(session->note, error->message, sizeof session->note);
    session->running = false;
    session->told = 0;
}

/* ---- the queue ---- */

/* Somebody who asks all the time must not keep the world from going on: a sub-step is done before
 * every answer, and a single step is done whole. */
bool session_called(void *context)
{
    ViewSession *session = context;
    const bool first = !session->begun;
    session->begun = true;
    pthread_mutex_lock(&session->lock);
    const bool asked = session->waiting > 0 && !first && !session->whole;
    const bool called = asked || session->stop;
    pthread_mutex_unlock(&session->lock);
    return called;
}

bool session_ask(ViewSession *session, ViewRequest *request)
{
    bool room = false;
    pthread_mutex_lock(&session->lock);
    if (session->waiting < SESSION_REQUESTS && !session->stop) {
        session->queue[(session->first + session->waiting++) % SESSION_REQUESTS] = *request;
        room = true;
        pthread_cond_signal(&session->news);
    }
    pthread_mutex_unlock(&session->lock);
    if (!room) view_request_free(request);
    return room;
}

static bool take_request(ViewSession *session, ViewRequest *request)
{
    bool taken = false;
    pthread_mutex_lock(&session->lock);
    if (session->waiting > 0) {
        *request = session->queue[session->first];
        session->first = (session->first + 1) % SESSION_REQUESTS;
        --session->waiting;
        taken = true;
    }
    pthread_mutex_unlock(&session->lock);
    return taken;
}

/* Until a request comes, or for so many seconds. */
static void rest(ViewSession *session, double seconds)
{
    struct timespec until;
    if (!(seconds > 0)) return;
    const double end = clock_seconds() + seconds;
    until.tv_sec = (time_t)end;
    until.tv_nsec = (long)(1e9 * (end - (double)until.tv_sec));
    pthread_mutex_lock(&session->lock);
    int late = 0;
    while (session->waiting == 0 && !session->stop && late == 0)
        late = pthread_cond_timedwait(&session->news, &session->lock, &until);
    pthread_mutex_unlock(&session->lock);
}

/* ---- frames ---- */

void session_turn(ViewSession *session, const mote_Frame *frame)
{
    session->frame = frame;
    letter_release(session->letter);
    session->letter = NULL;
    session->shown = frame->index;
    session->time = frame->time;
    session->particles = 0;
    for (size_t i = 0; i < frame->system_count; ++i) session->particles += frame->systems[i].count;
    session->stale = true;
}

Controls session_controls(ViewSession *session)
{
    return (Controls){.memory = &session->memory,
                      .scene = session->scene,
                      .settings = (const char *const *)session->settings,
                      .setting_count = session->setting_count};
}

static ViewLetter *make_letter(ViewSession *session)
{
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Error error = {0};
    if (session->letter != NULL) return letter_keep(session->letter);
    if (session->frame == NULL) return NULL;
    mote_Status status = extras_dress(session, false, &def, &drawn, &error);
    const ViewFrame input = {drawn, &def, session->meshes};
    if (status == MOTE_OK) status = view_message_make(&session->message, &input, &error);
    if (status != MOTE_OK) session_note(session, &error);
    session->meshes = false;
    const ViewBytes *bytes = &session->message.bytes;
    ViewLetter *letter = status == MOTE_OK ? letter_make(bytes->bytes, bytes->size, true) : NULL;
    if (letter != NULL) letter->index = session->shown;
    return letter;
}

/* Only what somebody waits for is made into a message. */
static void show(ViewSession *session)
{
    if (!session->stale || !post_wanted(session->def.post)) return;
    ViewLetter *letter = make_letter(session);
    session->stale = false;
    if (letter == NULL) return;
    if (session->source->keep != NULL) session->source->keep(session, letter);
    post_frame(session->def.post, letter);
    tell_picked(session, 0);
}

void session_advance(ViewSession *session)
{
    mote_Error error = {0};
    const double now = clock_seconds(), every = 1 / session->info.fps;
    if (session->source->next(session, &error) != MOTE_OK) session_note(session, &error);
    if (session->video != NULL && session->stale) shot_film(session);
    if (session->video != NULL && !session->running) shot_end(session);
    const double pace = session->speed > 0 ? every / session->speed : 0;
    session->due = session->due + pace > now - 0.2 ? session->due + pace : now;
}

void session_close(ViewSession *session)
{
    if (session->own == NULL) return;
    session->source->close(session);
    extras_close(session);
    free(session->own);
    session->own = NULL;
    session->frame = NULL;
}

static mote_Status open_source(ViewSession *session, mote_Error *error)
{
    session->own = calloc(1, session->source->size);
    if (session->own == NULL) return status_no_memory(error, "a view", session->source->size);
    mote_Status status = extras_open(session, error);
    if (status == MOTE_OK) status = session->source->open(session, error);
    if (status != MOTE_OK) session_close(session);
    return status;
}

bool session_begin(ViewSession *session)
{
    mote_Error error = {0};
    session_close(session);
    session->note[0] = '\0';
    session->meshes = true;
    session->info = mote_scene_info(session->scene);
    session->due = clock_seconds();
    const mote_Status status = open_source(session, &error);
    if (status != MOTE_OK) session_note(session, &error);
    session->told = 0;
    return status == MOTE_OK;
}

static void answer_all(ViewSession *session)
{
    ViewRequest request;
    while (take_request(session, &request)) {
        session_answer(session, &request);
        view_request_free(&request);
        session->told = 0;
    }
}

/* ---- the thread ---- */

static void tell_news(ViewSession *session)
{
    const double now = clock_seconds();
    if (post_clients(session->def.post) == 0) return;
    if (now - session->told >= tell_every) {
        tell_state(session, 0);
        session->told = session->running ? now : now + 1;
    }
    if (session->shown != session->probed && now - session->measured >= measure_every) {
        tell_probes(session, 0);
        session->probed = session->shown;
        session->measured = now;
    }
}

static double time_to_rest(const ViewSession *session)
{
    if (session->running && session->source != NULL) {
        const double left = session->due - clock_seconds();
        return left < 0.02 ? left : 0.02;
    }
    return session->stale ? 0.01 : 0.1;
}

static void *session_main(void *context)
{
    ViewSession *session = context;
    while (true) {
        answer_all(session);
        pthread_mutex_lock(&session->lock);
        const bool stop = session->stop;
        pthread_mutex_unlock(&session->lock);
        if (stop) break;
        if (session->running && clock_seconds() >= session->due) session_advance(session);
        if (!session->running && session->extras.plain) session->stale = true;
        show(session);
        tell_news(session);
        rest(session, time_to_rest(session));
    }
    shot_end(session);
    session_close(session);
    return NULL;
}

/* ---- making ---- */

static bool copy_text(char *to, size_t size, const char *from)
{
    if (from == NULL) return true;
    if (strlen(from) >= size) return false;
    memcpy(to, from, strlen(from) + 1);
    return true;
}

static bool copy_def(ViewSession *session, const ViewSessionDef *def)
{
    session->def = *def;
    bool good = copy_text(session->path, SESSION_PATH, def->path) &&
                copy_text(session->folder, SESSION_PATH, def->folder) &&
                copy_text(session->files, SESSION_PATH, def->files) &&
                copy_text(session->name, sizeof session->name, def->name);
    if (def->text != NULL) good = good && (session->text = strdup(def->text)) != NULL;
    for (size_t i = 0; good && i < def->setting_count && i < SESSION_SETTINGS; ++i) {
        session->settings[i] = strdup(def->settings[i]);
        good = session->settings[i] != NULL;
        session->setting_count = session->given = i + 1;
    }
    return good;
}

static void free_session(ViewSession *session)
{
    mote_scene_destroy(session->scene);
    view_message_free(&session->message);
    letter_release(session->letter);
    settings_drop(session, 0);
    free(session->text);
    free(session->written);
    for (ViewRequest request; take_request(session, &request);) view_request_free(&request);
    pthread_mutex_destroy(&session->lock);
    pthread_cond_destroy(&session->news);
    free(session);
}

static void init_waiting(ViewSession *session)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&session->news, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&session->lock, NULL);
}

mote_Status session_create(const ViewSessionDef *def, ViewSession **out, mote_Error *error)
{
    ViewSession *session = calloc(1, sizeof *session);
    *out = NULL;
    if (session == NULL) return status_no_memory(error, "a session", sizeof *session);
    init_waiting(session);
    view_message_init(&session->message);
    session->memory = memory_make(mote_default_allocator());
    session->source = def->folder != NULL ? &source_replay : &source_live;
    session->speed = def->speed;
    session->running = !def->paused;
    session->meshes = true;
    mote_Status status = MOTE_OK;
    if (!copy_def(session, def))
        status = status_fail(error, MOTE_BAD_VALUE, "view: a path is too long");
    if (status == MOTE_OK && text_take(session, NULL, 0, NULL)) session_begin(session);
    if (status == MOTE_OK && session->note[0] != '\0' && session->text == NULL)
        status = status_fail(error, MOTE_BAD_VALUE, "%s", session->note);
    if (status == MOTE_OK && pthread_create(&session->thread, NULL, session_main, session) != 0)
        status = status_fail(error, MOTE_NO_MEMORY, "view: no thread can be started");
    if (status != MOTE_OK) {
        session_close(session);
        free_session(session);
        return status;
    }
    *out = session;
    return MOTE_OK;
}

void session_destroy(ViewSession *session)
{
    if (session == NULL) return;
    pthread_mutex_lock(&session->lock);
    session->stop = true;
    pthread_cond_signal(&session->news);
    pthread_mutex_unlock(&session->lock);
    pthread_join(session->thread, NULL);
    free_session(session);
}

const char *session_name(const ViewSession *session)
{
    return session->name;
}

uint64_t session_frame(ViewSession *session)
{
    return __atomic_load_n(&session->newest, __ATOMIC_RELAXED);
}

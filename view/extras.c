/* What a picture needs beside the frame: surfaces around liquids, and earlier frames for trails. */
#include "view/session_own.h"

/* Surfaces while the world goes on: in time that would be waited, or a tenth of a step. */
static bool surfaces_pay(const ViewSession *session)
{
    const ViewExtras *extras = &session->extras;
    const double pace = session->speed > 0 ? 1 / (session->info.fps * session->speed) : 0;
    const double idle = 0.5 * (pace - session->step_seconds), part = 0.1 * session->step_seconds;
    return !session->running || extras->surface_seconds <= (idle > part ? idle : part);
}

mote_Status extras_open(ViewSession *session, mote_Error *error)
{
    ViewExtras *extras = &session->extras;
    extras->surface_seconds = 0;
    extras->plain = false;
    mote_Status status = history_open(&extras->history, session->info.history, error);
    if (status == MOTE_OK && session->folder[0] != '\0')
        status = folder_open(&extras->folder, session->folder, error);
    if (status == MOTE_OK && session->folder[0] == '\0') /* frames of a run have theirs */
        status = surfaces_open(&extras->surfaces, session->scene, session->def.tasks, error);
    return status;
}

void extras_close(ViewSession *session)
{
    surfaces_close(&session->extras.surfaces);
    history_close(&session->extras.history);
}

mote_Status extras_keep(ViewSession *session, const mote_Frame *frame, mote_Error *error)
{
    History *history = &session->extras.history;
    const bool there = history->count > 0 && history->frames[0]->index == frame->index;
    return there ? MOTE_OK : history_keep(history, frame, error);
}

void extras_recall(ViewSession *session, const mote_Frame *frame)
{
    history_recall(&session->extras.history, &session->extras.folder, frame);
}

/* The frame with its surfaces, and how long they took. */
static mote_Status surround(ViewSession *session, const mote_Frame **frame, mote_Error *error)
{
    ViewExtras *extras = &session->extras;
    const double start = clock_seconds();
    if (extras->surfaces.count == 0) return MOTE_OK;
    const mote_Status status = surfaces_make(&extras->surfaces, *frame, frame, error);
    extras->surface_seconds = clock_seconds() - start;
    return status;
}

mote_Status extras_dress(ViewSession *session, bool whole, mote_RenderDef *def,
                         const mote_Frame **drawn, mote_Error *error)
{
    ViewExtras *extras = &session->extras;
    const mote_Frame *frame = session->frame;
    const bool surfaces = whole || surfaces_pay(session);
    extras->plain = !surfaces && extras->surfaces.count > 0;
    mote_Status status = surfaces ? surround(session, &frame, error) : MOTE_OK;
    if (status == MOTE_OK) status = mote_scene_picture(session->scene, frame, def, drawn, error);
    def->history = (const mote_Frame *const *)extras->history.frames;
    def->history_count = extras->history.count;
    return status;
}

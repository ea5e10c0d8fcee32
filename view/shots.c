/* Pictures and videos of what is shown, by the renderer, from where the client looks. They go into
 * the session's folder of files, from which the server hands them out. */
#include "view/session_own.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void place_camera(mote_Camera *camera, const ViewRequest *request)
{
    if (!request->has_camera) return;
    camera->from = request->camera.from;
    camera->to = request->camera.to;
    camera->up = request->camera.up;
    camera->fov = request->camera.fov;
    camera->height = request->camera.height;
    camera->orbit = 0;
    camera->dolly = 1;
}

static mote_Status draw(ViewSession *session, const ViewRequest *request, mote_Image *image,
                        mote_Error *error)
{
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Status status = extras_dress(session, true, &def, &drawn, error);
    if (status != MOTE_OK) return status;
    place_camera(&def.camera, request);
    def.tasks = session->def.tasks;
    status = mote_render(&def, drawn, image, error);
    if (status == MOTE_OK && session->def.overlay != NULL)
        status = session->def.overlay(NULL, &def, image, error);
    return status == MOTE_UNAVAILABLE ? MOTE_OK : status;
}

/* False after a sentence to the client. */
static bool can_draw(ViewSession *session, uint64_t client)
{
    if (session->frame != NULL && session->scene != NULL) return true;
    tell_note(
        session, client,
        "an earlier frame of a scene that is simulated cannot be drawn again: restart it, and "
        "pause there");
    return false;
}

void shot_picture(ViewSession *session, const ViewRequest *request)
{
    mote_Image *image = NULL;
    mote_Error error = {0};
    char name[256], path[SESSION_PATH + 260];
    if (!can_draw(session, request->client)) return;
    snprintf(name, sizeof name, "%s-%06" PRIu64 ".png", session->name, session->shown);
    snprintf(path, sizeof path, "%s/%s", session->files, name);
    mote_Status status =
        mote_image_create(session->info.width, session->info.height, &image, &error);
    if (status == MOTE_OK) status = draw(session, request, image, &error);
    if (status == MOTE_OK)
        status = mote_image_write_png_with(image, path, 8, session->def.tasks, &error);
    mote_image_destroy(image);
    if (status == MOTE_OK)
        tell_file(session, request->client, name);
    else
        tell_note(session, request->client, error.message);
}

/* ---- videos: from one press of the button to the next ---- */

static void begin(ViewSession *session, const ViewRequest *request)
{
    mote_Error error = {0};
    char path[SESSION_PATH + 260];
    if (!can_draw(session, request->client)) return;
    session->filming = *request;
    session->filming.text = NULL;
    snprintf(session->film, sizeof session->film, "%s-from-%06" PRIu64 ".mp4", session->name,
             session->shown);
    snprintf(path, sizeof path, "%s/%s", session->files, session->film);
    mote_Status status =
        mote_image_create(session->info.width, session->info.height, &session->image, &error);
    if (status == MOTE_OK)
        status = mote_video_open(path, session->info.width, session->info.height, session->info.fps,
                                 &session->video, &error);
    if (status != MOTE_OK) {
        mote_image_destroy(session->image);
        session->image = NULL;
        session->video = NULL;
        tell_note(session, request->client, error.message);
        return;
    }
    session->film_failed = false;
    session->running = true;
    shot_film(session);
}

void shot_film(ViewSession *session)
{
    mote_Error error = {0};
    if (session->film_failed || session->frame == NULL) return;
    mote_Status status = draw(session, &session->filming, session->image, &error);
    if (status == MOTE_OK) status = mote_video_add(session->video, session->image, &error);
    if (status == MOTE_OK) return;
    session->film_failed = true;
    tell_note(session, session->filming.client, error.message);
}

void shot_end(ViewSession *session)
{
    mote_Error error = {0};
    if (session->video == NULL) return;
    const mote_Status status = mote_video_close(session->video, &error);
    mote_image_destroy(session->image);
    session->video = NULL;
    session->image = NULL;
    if (status == MOTE_OK && !session->film_failed)
        tell_file(session, 0, session->film);
    else
        tell_note(session, 0, error.message);
}

void shot_video(ViewSession *session, const ViewRequest *request)
{
    if (session->video != NULL)
        shot_end(session);
    else
        begin(session, request);
}

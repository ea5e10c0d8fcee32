/* Pictures and video of a run: the same code for a live run and for a cache. */
#include "run/pictures.h"

#include <mote/io.h>

#include "geometry/shape.h"

#include <stdio.h>
#include <string.h>

static mote_Status open_video(Pictures *pictures, const mote_SceneInfo *info, mote_Error *error)
{
    mote_RunReport *report = pictures->report;
    mote_Error reason;
    folder_file(pictures->folder, "video.mp4", report->video);
    mote_Status status = mote_video_open(report->video, info->width, info->height, info->fps,
                                         &pictures->video, &reason);
    if (status == MOTE_OK) return MOTE_OK;
    if (status != MOTE_UNAVAILABLE) {
        if (error != NULL) *error = reason;
        return status;
    }
    char pattern[FOLDER_PATH], command[MOTE_RUN_TEXT - 64];
    folder_file(pictures->folder, "images/frame_%06d.png", pattern);
    mote_video_command(command, sizeof command, pattern, info->fps, report->video);
    snprintf(report->note, sizeof report->note,
             "there is no ffmpeg here, so no video was made; with it: %s", command);
    report->video[0] = '\0';
    return MOTE_OK;
}

mote_Status pictures_open(Pictures *pictures, bool video, mote_Error *error)
{
    mote_SceneInfo info = mote_scene_info(pictures->scene);
    pictures->files = info.pictures;
    if (!info.pictures && !(info.video && video)) return MOTE_OK;
    mote_Status status = mote_image_create(info.width, info.height, &pictures->image, error);
    if (status == MOTE_OK && info.video && video) status = open_video(pictures, &info, error);
    return status;
}

static mote_Status draw(Pictures *pictures, const mote_Frame *frame, mote_Error *error)
{
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Status status = mote_scene_picture(pictures->scene, frame, &def, &drawn, error);
    if (status != MOTE_OK) return status;
    def.tasks = pictures->tasks;
    if (pictures->fit)
        mote_camera_fit(&def.camera, drawn,
                        (double)mote_image_width(pictures->image) /
                            mote_image_height(pictures->image));
    return mote_render(&def, drawn, pictures->image, error);
}

mote_Status pictures_add(Pictures *pictures, const mote_Frame *frame, mote_Error *error)
{
    char path[FOLDER_PATH];
    if (pictures->image == NULL) return MOTE_OK;
    mote_Status status = draw(pictures, frame, error);
    folder_image(pictures->folder, frame->index, path);
    if (status == MOTE_OK && pictures->files) {
        status = mote_image_write_png(pictures->image, path, 8, error);
        if (status == MOTE_OK)
            snprintf(pictures->report->picture, sizeof pictures->report->picture, "%s", path);
    }
    if (status == MOTE_OK && pictures->video != NULL)
        status = mote_video_add(pictures->video, pictures->image, error);
    return status;
}

static const mote_Row *shape_row(void *context, const char *type)
{
    size_t count;
    const mote_Row *const *rows = shape_rows(ISA_V1, &count);
    (void)context;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(rows[i]->name, type) == 0) return rows[i];
    return NULL;
}

mote_Status pictures_read_frame(const Folder *folder, uint64_t index, mote_Frame **frame,
                                mote_Error *error)
{
    char path[FOLDER_PATH];
    mote_FrameReadDef def = mote_frame_read_def();
    def.shape_row = shape_row;
    folder_frame(folder, index, path);
    return mote_frame_read_with(path, &def, frame, error);
}

mote_Status pictures_replay(Pictures *pictures, uint64_t first, uint64_t last, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (pictures->video == NULL) return MOTE_OK;
    for (uint64_t i = first; i <= last && status == MOTE_OK; ++i) {
        mote_Frame *frame;
        status = pictures_read_frame(pictures->folder, i, &frame, error);
        if (status != MOTE_OK) return status;
        status = draw(pictures, frame, error);
        if (status == MOTE_OK) status = mote_video_add(pictures->video, pictures->image, error);
        mote_frame_destroy(frame);
    }
    return status;
}

mote_Status pictures_close(Pictures *pictures, mote_Error *error)
{
    mote_Status status = mote_video_close(pictures->video, error);
    mote_image_destroy(pictures->image);
    pictures->video = NULL;
    pictures->image = NULL;
    if (status != MOTE_OK) pictures->report->video[0] = '\0';
    return status;
}

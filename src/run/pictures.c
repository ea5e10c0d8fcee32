/* Pictures and video of a run: the same code for a live run and for a cache. */
#include "run/pictures.h"

#include <stdio.h>
#include <string.h>

void pictures_video_name(const mote_SceneInfo *info, char name[32])
{
    snprintf(name, 32, "video.%s", info->video_format);
}

static mote_Status open_video(Pictures *pictures, const mote_SceneInfo *info, mote_Error *error)
{
    mote_RunReport *report = pictures->report;
    mote_Error reason;
    char name[32];
    pictures_video_name(info, name);
    folder_file(pictures->folder, name, report->video);
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
    pictures->files = true; /* for that command */
    return MOTE_OK;
}

mote_Status pictures_open(Pictures *pictures, bool files, bool video, mote_Error *error)
{
    mote_SceneInfo info = mote_scene_info(pictures->scene);
    pictures->files = files;
    if (!files && !video) return MOTE_OK;
    mote_Status status = mote_image_create(info.width, info.height, &pictures->image, error);
    if (status == MOTE_OK && video) status = open_video(pictures, &info, error);
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

/* Into the folder, in the scene's format. */
static mote_Status write_picture(Pictures *pictures, uint64_t index, mote_Error *error)
{
    mote_RunReport *report = pictures->report;
    const char *format = mote_scene_info(pictures->scene).picture_format;
    const bool linear = strcmp(format, "exr") == 0;
    char path[FOLDER_PATH];
    folder_image(pictures->folder, index, linear ? "exr" : "png", path);
    mote_Status status = linear
                             ? mote_image_write_exr(pictures->image, path, error)
                             : mote_image_write_png(pictures->image, path,
                                                    strcmp(format, "png16") == 0 ? 16 : 8, error);
    if (status == MOTE_OK) snprintf(report->picture, sizeof report->picture, "%s", path);
    return status;
}

mote_Status pictures_add(Pictures *pictures, const mote_Frame *frame, mote_Error *error)
{
    if (pictures->image == NULL) return MOTE_OK;
    mote_Status status = draw(pictures, frame, error);
    if (status == MOTE_OK && pictures->files) status = write_picture(pictures, frame->index, error);
    if (status == MOTE_OK && pictures->video != NULL)
        status = mote_video_add(pictures->video, pictures->image, error);
    return status;
}

mote_Status pictures_film(Pictures *pictures, const mote_Frame *frame, mote_Error *error)
{
    if (pictures->video == NULL) return MOTE_OK;
    mote_Status status = draw(pictures, frame, error);
    if (status == MOTE_OK) status = mote_video_add(pictures->video, pictures->image, error);
    return status;
}

mote_Status pictures_close(Pictures *pictures, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (pictures->abandoned) {
        mote_video_abandon(pictures->video);
        pictures->report->video[0] = '\0';
    } else {
        status = mote_video_close(pictures->video, error);
    }
    mote_image_destroy(pictures->image);
    pictures->video = NULL;
    pictures->image = NULL;
    if (status != MOTE_OK) pictures->report->video[0] = '\0';
    return status;
}

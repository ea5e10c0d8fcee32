/* Pictures, video and surfaces of a run: the same code for a live run and for a cache. */
#include "run/pictures.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/cache.h"

#include <stdio.h>
#include <string.h>

void pictures_video_name(const mote_Scene *scene, char name[32])
{
    snprintf(name, 32, "video.%s", mote_scene_info(scene).video_format);
}

/* Without ffmpeg a run still makes its pictures, and says by which command they become a video. */
static mote_Status open_video(Pictures *pictures, const mote_SceneInfo *info, mote_Error *error)
{
    mote_RunReport *report = pictures->report;
    mote_Error reason;
    snprintf(report->video, sizeof report->video, "%s", pictures->target.video);
    mote_Image *shown = pictures->page.image != NULL ? pictures->page.image : pictures->image;
    mote_Status status =
        mote_video_open(report->video, mote_image_width(shown), mote_image_height(shown), info->fps,
                        &pictures->video, &reason);
    if (status == MOTE_OK) return MOTE_OK;
    if (status != MOTE_UNAVAILABLE) {
        if (error != NULL) *error = reason;
        return status;
    }
    if (!pictures->target.pictures) /* that is all that was asked for */
        return status_fail(error, MOTE_UNAVAILABLE,
                           "there is no ffmpeg here, which makes videos; install it, or draw "
                           "pictures");
    char pattern[FOLDER_PATH], command[MOTE_RUN_TEXT - 64];
    if (pictures->bits == 32) target_use_png(&pictures->target), pictures->bits = 16;
    target_pattern(&pictures->target, pattern);
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
    pictures->bits = pictures->target.exr ? 32 : info.bits == 32 ? 16 : info.bits;
    if (!files && !video) return MOTE_OK;
    mote_Status status = mote_image_create(info.width, info.height, &pictures->image, error);
    if (status == MOTE_OK) status = history_open(&pictures->history, info.history, error);
    if (status == MOTE_OK && video) status = open_video(pictures, &info, error);
    return status;
}

/* Where there are no means for legends, pictures go without, and that is said once. */
static mote_Status lay_over(Pictures *pictures, const mote_RenderDef *def, mote_Error *error)
{
    mote_Error reason;
    if (pictures->overlay == NULL) return MOTE_OK;
    mote_Status status =
        pictures->overlay(pictures->overlay_context, def, pictures->image, &reason);
    if (status == MOTE_UNAVAILABLE) {
        pictures->overlay = NULL;
        if (pictures->report->note[0] == '\0')
            snprintf(pictures->report->note, sizeof pictures->report->note, "%s", reason.message);
        return MOTE_OK;
    }
    if (status != MOTE_OK && error != NULL) *error = reason;
    return status;
}

/* What is said over the picture beside what the scene wants. */
static void add_words(const Pictures *pictures, mote_RenderDef *def)
{
    def->label = pictures->label;
    def->plots = pictures->insets.plots;
    def->plot_count = pictures->insets.count;
    if (pictures->clock) def->clock = true;
}

mote_Status pictures_draw(Pictures *pictures, const mote_Frame *frame, mote_Error *error)
{
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Status status = mote_scene_picture(pictures->scene, frame, &def, &drawn, error);
    if (status != MOTE_OK) return status;
    history_recall(&pictures->history, pictures->folder, frame);
    def.tasks = pictures->tasks;
    def.progress = pictures->progress;
    def.progress_context = pictures->context;
    def.history = (const mote_Frame *const *)pictures->history.frames;
    def.history_count = pictures->history.count;
    if (pictures->view != NULL)
        status = mote_camera_view(&def.camera, pictures->view, frame->up_axis, error);
    if (status != MOTE_OK) return status;
    PictureSlice words;
    if (pictures->slice != NULL) status = picture_slice(pictures, frame, &words, &def, error);
    if (status != MOTE_OK) return status;
    if (pictures->fit && pictures->slice == NULL)
        mote_camera_fit_box(&def.camera, pictures->low, pictures->high,
                            (double)mote_image_width(pictures->image) /
                                mote_image_height(pictures->image));
    if (pictures->slice == NULL) def.camera.orbit += (mote_real)pictures->orbit;
    add_words(pictures, &def);
    status = mote_render(&def, drawn, pictures->image, error);
    if (status == MOTE_OK) status = lay_over(pictures, &def, error);
    if (status == MOTE_OK) status = history_keep(&pictures->history, frame, error);
    return status;
}

/* PNG of 8 or 16 bits, or EXR of 32. */
static mote_Status write_image(Pictures *pictures, const mote_Image *image, uint64_t index,
                               mote_Error *error)
{
    char path[FOLDER_PATH];
    const bool exr = pictures->bits == 32;
    target_picture(&pictures->target, index, path);
    mote_Status status =
        exr ? mote_image_write_exr(image, path, error)
            : mote_image_write_png_with(image, path, pictures->bits, pictures->tasks, error);
    if (status == MOTE_OK)
        snprintf(pictures->report->picture, sizeof pictures->report->picture, "%s", path);
    return status;
}

mote_Status pictures_show(Pictures *pictures, mote_Image *image, uint64_t number, mote_Error *error)
{
    Page *page = &pictures->page;
    mote_Status status = MOTE_OK;
    if (page->image != NULL) {
        if (page->filled == 0) page_clear(page);
        page_put(page, page->filled++, image);
        if (page->filled < page->cells) return MOTE_OK;
        page->filled = 0, image = page->image;
    }
    if (pictures->files) status = write_image(pictures, image, number, error);
    if (status == MOTE_OK && pictures->video != NULL)
        status = mote_video_add(pictures->video, image, error);
    return status;
}

mote_Status pictures_add(Pictures *pictures, const mote_Frame *frame, uint64_t number,
                         mote_Error *error)
{
    if (pictures->image == NULL) return MOTE_OK;
    mote_Status status = pictures_draw(pictures, frame, error);
    return status == MOTE_OK ? pictures_show(pictures, pictures->image, number, error) : status;
}

mote_Status pictures_film(Pictures *pictures, const mote_Frame *frame, mote_Error *error)
{
    if (pictures->video == NULL) return MOTE_OK;
    mote_Status status = pictures_draw(pictures, frame, error);
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
    page_close(&pictures->page);
    insets_close(&pictures->insets);
    history_close(&pictures->history);
    pictures->video = NULL;
    pictures->image = NULL;
    if (status != MOTE_OK) pictures->report->video[0] = '\0';
    return status;
}

/* ---- history ---- */

mote_Status history_open(History *h, size_t most, mote_Error *error)
{
    *h = (History){.memory = memory_make((mote_Allocator){0}), .most = most};
    if (most == 0) return MOTE_OK;
    h->frames = memory_zeroed(&h->memory, most * sizeof *h->frames);
    return h->frames != NULL ? MOTE_OK : status_no_memory(error, "trails", most * sizeof(void *));
}

static void forget(History *h)
{
    for (size_t i = 0; i < h->count; ++i) mote_frame_destroy(h->frames[i]);
    h->count = 0;
}

void history_close(History *h)
{
    forget(h);
    memory_free(&h->memory, h->frames, h->most * sizeof *h->frames);
    h->frames = NULL;
    h->most = 0;
}

void history_recall(History *h, const Folder *folder, const mote_Frame *frame)
{
    if (h->most == 0) return;
    if (h->count > 0 && h->frames[0]->index == frame->index - 1) return;
    forget(h);
    for (uint64_t i = frame->index; i > 0 && h->count < h->most; --i) {
        mote_Frame *earlier;
        if (cache_read_frame(folder, i - 1, NULL, &earlier, NULL) != MOTE_OK) return;
        h->frames[h->count++] = earlier;
    }
}

mote_Status history_keep(History *h, const mote_Frame *frame, mote_Error *error)
{
    mote_Frame *copy;
    if (h->most == 0) return MOTE_OK;
    mote_Status status = mote_frame_copy(frame, &copy, error);
    if (status != MOTE_OK) return status;
    if (h->count == h->most) mote_frame_destroy(h->frames[--h->count]);
    memmove(h->frames + 1, h->frames, h->count * sizeof *h->frames);
    h->frames[0] = copy;
    ++h->count;
    return MOTE_OK;
}

/* ---- surfaces of a run ---- */

typedef struct RunSurface {
    const char *system;
    mote_Surface *maker;
} RunSurface;

static size_t count_surfaces(const mote_Scene *scene)
{
    const char *system;
    mote_SurfaceDef def;
    size_t count = 0;
    while (mote_scene_surface(scene, count, &system, &def)) ++count;
    return count;
}

mote_Status surfaces_open(Surfaces *s, const mote_Scene *scene, mote_Tasks *tasks,
                          mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    size_t count = count_surfaces(scene), bytes = count * sizeof *s->items;
    mote_Status status = MOTE_OK;
    if (count == 0) return MOTE_OK;
    s->count = count;
    s->items = memory_zeroed(&memory, bytes);
    s->meshes = memory_zeroed(&memory, count * sizeof *s->meshes);
    if (s->items == NULL || s->meshes == NULL) return status_no_memory(error, "surfaces", bytes);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i) {
        mote_SurfaceDef def;
        mote_scene_surface(scene, i, &s->items[i].system, &def);
        def.tasks = tasks;
        status = mote_surface_create(&def, &s->items[i].maker, error);
    }
    return status;
}

void surfaces_close(Surfaces *s)
{
    Memory memory = memory_make(mote_default_allocator());
    for (size_t i = 0; s->items != NULL && i < s->count; ++i)
        mote_surface_destroy(s->items[i].maker);
    memory_free(&memory, s->items, s->count * sizeof *s->items);
    memory_free(&memory, s->meshes, s->count * sizeof *s->meshes);
    *s = (Surfaces){.count = 0};
}

mote_Status surfaces_make(Surfaces *s, const mote_Frame *frame, const mote_Frame **out,
                          mote_Error *error)
{
    *out = frame;
    for (size_t i = 0; i < s->count; ++i) {
        mote_Error reason;
        mote_Status status = mote_surface_frame(s->items[i].maker, frame, s->items[i].system,
                                                &s->meshes[i], NULL, &reason);
        if (status != MOTE_OK)
            return status_fail(error, status, "frame %llu, system %.60s: %.380s",
                               (unsigned long long)frame->index, s->items[i].system,
                               reason.message);
    }
    if (s->count == 0) return MOTE_OK;
    s->frame = *frame;
    s->frame.surfaces = s->meshes, s->frame.surface_count = s->count;
    *out = &s->frame;
    return MOTE_OK;
}

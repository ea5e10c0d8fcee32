/* Pictures and video from a cache. */
#include "base/machine.h"
#include "run/cache.h"
#include "run/drawing.h"

#include "base/definition.h"
#include "base/status.h"
#include "ranks/ranks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TURNTABLE_MOST = 100000 };

static mote_RenderRunDef render_run_defaults(void)
{
    return (mote_RenderRunDef){.folder = "out", .first = -1, .last = -1};
}

DEFINITION_MAKER(mote_RenderRunDef, mote_render_run_def, render_run_defaults)

/* A scene's hash differs between the precisions: they come first. */
static mote_Status check_simulation(const RunDrawing *drawing, mote_Error *error)
{
    const Manifest *manifest = drawing->manifest;
    if (manifest->real_bytes != (int)sizeof(mote_real))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s was made by %s, which computes with other numbers; use that program",
                           file_label(drawing->folder.path),
                           manifest->real_bytes == 4 ? "mote" : "mote-double");
    if (mote_scene_info(drawing->scene).hash == manifest->scene_hash) return MOTE_OK;
    return status_fail(
        error, MOTE_BAD_VALUE,
        "the settings change the simulation; frames that are there can be drawn with "
        "another camera, render, output or look only: run the scene again");
}

mote_Status drawing_open_scene(RunDrawing *drawing, mote_Error *error)
{
    char path[FOLDER_PATH];
    mote_SceneDef def = mote_scene_def();
    folder_file(&drawing->folder, "scene.json5", path);
    def.path = path;
    def.settings = drawing->def->settings;
    def.setting_count = drawing->def->setting_count;
    mote_Status status = mote_scene_load(&def, &drawing->scene, error);
    if (status == MOTE_BAD_VALUE && drawing->scene != NULL && drawing->def->explain != NULL)
        drawing->def->explain(drawing->def->context, drawing->scene, error);
    return status == MOTE_OK ? check_simulation(drawing, error) : status;
}

/* A turntable stands under one frame: the last of those that are chosen. */
static mote_Status find_frames(RunDrawing *drawing, mote_Error *error)
{
    mote_Status status = cache_choose(drawing->manifest, drawing->def->first, drawing->def->last,
                                      &drawing->first, &drawing->count, error);
    drawing->pieces = drawing->count;
    if (status == MOTE_OK && drawing_is_sheet(drawing)) return drawing_find_sheet(drawing, error);
    if (status != MOTE_OK || drawing->def->turntable == 0) return status;
    if (drawing->def->slice != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "slice: it is seen straight on; leave out --turntable");
    drawing->first += drawing->count - 1, drawing->count = 1;
    drawing->pieces = (size_t)drawing->def->turntable;
    if (drawing->pieces >= 2 && drawing->pieces <= TURNTABLE_MOST) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "turntable: a turn has from 2 to %d pictures",
                       TURNTABLE_MOST);
}

uint64_t drawing_frame(const RunDrawing *drawing, size_t i)
{
    if (drawing_is_sheet(drawing)) i = drawing_sheet_frame(drawing, i);
    return drawing->manifest->frames[drawing->first + (drawing->count > 1 ? i : 0)].index;
}

uint64_t drawing_number(const RunDrawing *drawing, size_t i)
{
    return drawing->def->turntable > 0 ? i : drawing_frame(drawing, i);
}

/* A run's video shows all frames, so a part of them gives pictures alone, unless one is asked for
 * by its name. */
static bool wants_video(const RunDrawing *drawing, const mote_SceneInfo *info)
{
    const RunTarget *target = &drawing->pictures.target;
    mote_RunReport *report = drawing->pictures.report;
    bool all = drawing->count == drawing->manifest->frame_count, one = drawing->pieces == 1;
    if (drawing->def->turntable > 0) all = true;
    if (drawing_is_sheet(drawing)) return false;
    if (target->chosen) return !target->pictures;
    if (!info->video || (all && !one)) return info->video;
    snprintf(report->no_video, sizeof report->no_video,
             one ? "one frame makes none"
                 : "these are not all frames; -o clip.%s makes one of them",
             info->video_format);
    return false;
}

static mote_Status refuse(const char *path, mote_Error *error)
{
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s is there already; -o writes elsewhere, --force writes over it",
                       file_label(path));
}

static mote_Status check_pictures(const RunDrawing *drawing, const RunTarget *target,
                                  mote_Error *error)
{
    char path[FOLDER_PATH];
    for (size_t i = 0; i < drawing->pieces; ++i) {
        target_picture(target, drawing_number(drawing, i), path);
        if (access(path, F_OK) == 0) return refuse(path, error);
    }
    return MOTE_OK;
}

/* Nothing is written over without being asked, and that is known before time is spent. */
static mote_Status check_free(const RunDrawing *drawing, bool files, bool video, mote_Error *error)
{
    const RunTarget *target = &drawing->pictures.target;
    if (drawing_is_sheet(drawing) && (!target->pictures || target->digits > 0))
        return status_fail(error, MOTE_BAD_VALUE, "sheet: it is one picture, as in -o sheet.png");
    if (files && target->digits == 0 && drawing->pieces > 1 && !drawing_is_sheet(drawing))
        return status_fail(
            error, MOTE_BAD_VALUE,
            "--output: %s is one picture, but %zu frames are drawn; --frames chooses "
            "one, and a name such as shot_%%06d.png has a place for their numbers",
            file_label(target->before), drawing->pieces);
    if (drawing->def->force) return MOTE_OK;
    if (video && access(target->video, F_OK) == 0) return refuse(target->video, error);
    RunTarget drafts = *target; /* what a video is made of where ffmpeg is missing */
    if (target->pictures) target_use_png(&drafts);
    mote_Status status = files ? check_pictures(drawing, target, error) : MOTE_OK;
    if (status == MOTE_OK && video && target->pictures)
        status = check_pictures(drawing, &drafts, error);
    return status;
}

static mote_Status open_target(RunDrawing *drawing, const mote_SceneInfo *info, mote_Error *error)
{
    Pictures *pictures = &drawing->pictures;
    const bool video = wants_video(drawing, info);
    const bool files =
        pictures->target.pictures && (info->pictures || !video || drawing->def->output != NULL);
    mote_Status status = check_free(drawing, files, video, error);
    if (status == MOTE_OK) status = target_make(&pictures->target, error);
    if (status == MOTE_OK) status = drawing_open_page(drawing, info, error);
    return status == MOTE_OK ? pictures_open(pictures, files, video, error) : status;
}

static mote_Status open_pictures(RunDrawing *drawing, mote_Error *error)
{
    mote_SceneInfo info = mote_scene_info(drawing->scene);
    mote_Status status = target_read(drawing->def->output, &drawing->folder, &info,
                                     &drawing->pictures.target, error);
    if (status == MOTE_OK && drawing_is_first(drawing)) status = open_target(drawing, &info, error);
    return drawing_join(drawing, status, error);
}

/* The box around all frames that are drawn, so that the camera does not follow them about. */
static mote_Status find_box(RunDrawing *drawing, mote_Error *error)
{
    Pictures *pictures = &drawing->pictures;
    mote_Status status = MOTE_OK;
    pictures->low = (mote_Vec3){1, 1, 1}, pictures->high = (mote_Vec3){-1, -1, -1};
    const size_t looked = drawing_is_sheet(drawing) ? drawing->pieces : drawing->count;
    for (size_t i = 0; i < looked && status == MOTE_OK && pictures->fit; ++i) {
        mote_Frame *frame;
        uint64_t index = drawing_frame(drawing, i);
        status = cache_read_frame(&drawing->folder, index, NULL, &frame, error);
        if (status != MOTE_OK) return status;
        mote_frame_enclose(frame, &pictures->low, &pictures->high);
        mote_frame_destroy(frame);
    }
    if (pictures->low.x > pictures->high.x) pictures->fit = false;
    if (drawing->beside != NULL) { /* both are seen from one place */
        Pictures *other = &drawing->beside->pictures;
        other->fit = pictures->fit, other->low = pictures->low, other->high = pictures->high;
    }
    return status;
}

/* Word of a picture that takes its time. */
static bool tell_picture(void *context, double done)
{
    const RunDrawing *drawing = context;
    const mote_RenderRunDef *def = drawing->def;
    const ManifestFrame *frames = drawing->manifest->frames + drawing->first;
    const mote_RunReport *report = drawing->pictures.report;
    mote_RunProgress progress = {.doing = "rendering",
                                 .frame = report->written > 0 ? report->last : frames[0].index,
                                 .first = frames[0].index,
                                 .last = frames[drawing->count - 1].index,
                                 .seconds = clock_seconds() - drawing->start,
                                 .picture = done};
    if (def->progress != NULL) def->progress(def->context, &progress);
    return def->cancelled == NULL || !def->cancelled(def->context);
}

mote_Status drawing_draw_frame(RunDrawing *drawing, uint64_t index, mote_Error *error)
{
    mote_Frame *frame;
    mote_Status status = cache_read_frame(&drawing->folder, index, drawing->last, &frame, error);
    if (status != MOTE_OK) return status;
    mote_frame_destroy(drawing->last);
    drawing->last = frame;
    return pictures_draw(&drawing->pictures, frame, error);
}

/* One frame, and then word of it. */
static mote_Status render_frame(RunDrawing *drawing, size_t piece, mote_Error *error)
{
    const uint64_t index = drawing_frame(drawing, piece);
    const mote_RenderRunDef *def = drawing->def;
    mote_RunReport *report = drawing->pictures.report;
    const ManifestFrame *frames = drawing->manifest->frames + drawing->first;
    mote_Status status = drawing_draw_frame(drawing, index, error);
    if (status == MOTE_OK)
        status = pictures_show(&drawing->pictures, drawing->pictures.image,
                               drawing_number(drawing, piece), error);
    if (status == MOTE_OK && drawing->beside != NULL)
        status = drawing_draw_beside(drawing, index, piece, error);
    if (status != MOTE_OK) return status;
    report->first = frames[0].index;
    report->last = index, ++report->written;
    report->particles = 0;
    for (size_t i = 0; i < drawing->last->system_count; ++i)
        report->particles += drawing->last->systems[i].count;
    mote_RunProgress progress = {"rendering",
                                 index,
                                 report->first,
                                 frames[drawing->count - 1].index,
                                 report->particles,
                                 clock_seconds() - drawing->start,
                                 0};
    if (def->progress != NULL) def->progress(def->context, &progress);
    return status;
}

static mote_Status render_piece(RunDrawing *drawing, size_t i, mote_Error *error)
{
    const mote_RenderRunDef *def = drawing->def;
    if (def->turntable > 0) /* the last picture is the first again, to the bit */
        drawing->pictures.orbit =
            360.0 * (double)(i % (drawing->pieces - 1)) / (double)(drawing->pieces - 1);
    mote_Status status = render_frame(drawing, i, error);
    const bool more = status == MOTE_OK && i + 1 < drawing->pieces;
    if (more && def->cancelled != NULL && def->cancelled(def->context))
        status = status_fail(error, MOTE_CANCELLED, "stopped after frame %llu",
                             (unsigned long long)drawing_frame(drawing, i));
    return status;
}

static mote_Status render_frames(RunDrawing *drawing, mote_Error *error)
{
    const mote_Ranks *ranks = drawing->ranks != NULL ? drawing->ranks : &ranks_single;
    mote_Status status = MOTE_OK;
    for (size_t done = 0; done < drawing->pieces && status == MOTE_OK;
         done += (size_t)ranks->count) {
        const size_t piece = done + (size_t)ranks->own;
        if (piece < drawing->pieces) status = render_piece(drawing, piece, error);
        status = drawing_end_round(drawing, piece, status, error);
    }
    drawing->pictures.abandoned = status != MOTE_OK;
    return status;
}

static mote_Status render_all(RunDrawing *drawing, mote_Error *error)
{
    mote_Error second;
    mote_Status status = drawing_open_scene(drawing, error);
    drawing->pictures.scene = drawing->scene;
    if (status == MOTE_OK) status = find_frames(drawing, error);
    if (status == MOTE_OK)
        status = insets_open(&drawing->pictures.insets, drawing->def->folder, drawing->def->plots,
                             drawing->def->plot_count, error);
    if (status == MOTE_OK) status = drawing_open_beside(drawing, error);
    status = drawing_agree(drawing, status, error);
    if (status == MOTE_OK) status = open_pictures(drawing, error);
    if (status == MOTE_OK) status = drawing_agree(drawing, find_box(drawing, error), error);
    if (status == MOTE_OK) status = render_frames(drawing, error);
    if (drawing->beside != NULL) pictures_close(&drawing->beside->pictures, NULL);
    mote_Status closing = pictures_close(&drawing->pictures, &second);
    if (status != MOTE_OK || closing == MOTE_OK) return status;
    if (error != NULL) *error = second;
    return closing;
}

static void drawing_begin(RunDrawing *drawing, const mote_RenderRunDef *def, mote_RunReport *report)
{
    *drawing = (RunDrawing){.def = def,
                            .ranks = drawing_ranks(def),
                            .pictures = {.tasks = def->tasks,
                                         .fit = def->frame_all || def->slice != NULL,
                                         .slice = def->slice,
                                         .view = def->view,
                                         .overlay = def->overlay,
                                         .overlay_context = def->context,
                                         .report = report},
                            .start = clock_seconds()};
    drawing->pictures.folder = &drawing->folder;
    drawing->pictures.progress = tell_picture;
    drawing->pictures.context = drawing;
}

static void drawing_end(RunDrawing *drawing)
{
    mote_frame_destroy(drawing->last);
    mote_scene_destroy(drawing->scene);
    manifest_destroy(drawing->manifest);
}

mote_Status mote_run_render(const mote_RenderRunDef *given, mote_RunReport *report,
                            mote_Error *error)
{
    DEFINITION_TAKE(mote_RenderRunDef, mote_render_run_def);
    mote_RunReport own;
    if (report == NULL) report = &own;
    memset(report, 0, sizeof *report);
    RunDrawing drawing, beside;
    drawing_begin(&drawing, def, report);
    drawing_begin(&beside, def, report);
    beside.pictures.context = &drawing; /* whose frames are told of */
    if (def->beside != NULL) drawing.beside = &beside;
    if (drawing.ranks == NULL && def->ranks != NULL && def->ranks->own > 0) return MOTE_OK;
    mote_Status status = cache_look(def->folder, &drawing.folder, &drawing.manifest, error);
    status = drawing_agree(&drawing, status, error);
    if (status == MOTE_OK) status = render_all(&drawing, error);
    drawing_end(&drawing);
    drawing_end(&beside);
    report->seconds = clock_seconds() - drawing.start;
    return status;
}

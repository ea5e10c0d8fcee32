/* From a cache again: pictures, exports, comparison. */
#include "run/cache.h"
#include "run/pictures.h"

#include "base/status.h"
#include "particles/system.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static mote_Status open_cache(Folder *folder, const char *path, Manifest **manifest,
                              mote_Error *error)
{
    char file[FOLDER_PATH];
    mote_Status status = folder_open(folder, path, error);
    if (status != MOTE_OK) return status;
    folder_file(folder, MANIFEST_NAME, file);
    if (!folder_has(folder, MANIFEST_NAME))
        return status_fail(error, MOTE_IO_FAILED,
                           "%s holds no run: there is no manifest.json in it", file_label(path));
    status = manifest_open(file, manifest, error);
    if (status == MOTE_OK && (*manifest)->frame_count == 0) {
        manifest_destroy(*manifest);
        status = status_fail(error, MOTE_BAD_VALUE,
                             "%s holds no frames; run the scene with output.cache = true",
                             file_label(path));
    }
    return status;
}

/* ---- pictures ---- */

mote_RenderRunDef mote_render_run_def(void)
{
    return (mote_RenderRunDef){.folder = "out", .first = -1, .last = -1};
}

static mote_Status open_scene(const Folder *folder, const mote_RenderRunDef *def,
                              mote_Scene **scene, mote_Error *error)
{
    char path[FOLDER_PATH];
    mote_SceneDef scene_def = mote_scene_def();
    folder_file(folder, "scene.json5", path);
    scene_def.path = path;
    scene_def.settings = def->settings;
    scene_def.setting_count = def->setting_count;
    return mote_scene_load(&scene_def, scene, error);
}

static bool wanted(const mote_RenderRunDef *def, uint64_t index)
{
    return (def->first < 0 || index >= (uint64_t)def->first) &&
           (def->last < 0 || index <= (uint64_t)def->last);
}

static double seconds_since(const struct timespec *start)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)(time.tv_sec - start->tv_sec) + 1e-9 * (double)(time.tv_nsec - start->tv_nsec);
}

/* One frame, and then word of it. */
static mote_Status render_frame(const mote_RenderRunDef *def, Pictures *pictures, uint64_t index,
                                const struct timespec *start, mote_Error *error)
{
    mote_Frame *frame;
    mote_Status status = pictures_read_frame(pictures->folder, index, &frame, error);
    if (status != MOTE_OK) return status;
    mote_RunReport *report = pictures->report;
    status = pictures_add(pictures, frame, error);
    report->last = index;
    report->particles = 0;
    for (size_t i = 0; i < frame->system_count; ++i) report->particles += frame->systems[i].count;
    mote_frame_destroy(frame);
    mote_RunProgress progress = {"rendering",       index,
                                 report->first,     (uint64_t)def->last,
                                 report->particles, seconds_since(start)};
    if (def->progress != NULL) def->progress(def->context, &progress);
    if (status == MOTE_OK && def->cancelled != NULL && def->cancelled(def->context))
        status = status_fail(error, MOTE_CANCELLED, "stopped after frame %llu",
                             (unsigned long long)index);
    return status;
}

static mote_Status render_frames(const mote_RenderRunDef *asked, const Manifest *manifest,
                                 Pictures *pictures, mote_Error *error)
{
    struct timespec start;
    mote_RenderRunDef def = *asked;
    size_t drawn = 0;
    mote_Status status = MOTE_OK;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (def.last < 0) def.last = (int64_t)manifest->frames[manifest->frame_count - 1].index;
    for (size_t i = 0; i < manifest->frame_count && status == MOTE_OK; ++i) {
        uint64_t index = manifest->frames[i].index;
        if (!wanted(&def, index)) continue;
        if (drawn++ == 0) pictures->report->first = index;
        status = render_frame(&def, pictures, index, &start, error);
    }
    if (status == MOTE_OK && drawn == 0)
        status = status_fail(error, MOTE_BAD_VALUE,
                             "none of the frames asked for is in the cache: it has %llu to %llu",
                             (unsigned long long)manifest->frames[0].index,
                             (unsigned long long)manifest->frames[manifest->frame_count - 1].index);
    pictures->report->seconds = seconds_since(&start);
    return status;
}

mote_Status mote_run_render(const mote_RenderRunDef *def, mote_RunReport *report, mote_Error *error)
{
    Folder folder;
    Manifest *manifest;
    mote_Scene *scene = NULL;
    mote_RunReport own;
    if (report == NULL) report = &own;
    memset(report, 0, sizeof *report);
    mote_Status status = open_cache(&folder, def->folder, &manifest, error);
    if (status != MOTE_OK) return status;
    status = open_scene(&folder, def, &scene, error);
    if (status == MOTE_OK) {
        mote_Error second;
        Pictures pictures = {.scene = scene,
                             .folder = &folder,
                             .tasks = def->tasks,
                             .fit = def->frame_all,
                             .report = report};
        status = folder_make(&folder, error);
        if (status == MOTE_OK) status = pictures_open(&pictures, true, error);
        if (status == MOTE_OK) status = render_frames(def, manifest, &pictures, error);
        mote_Status closing = pictures_close(&pictures, &second);
        if (status == MOTE_OK && closing != MOTE_OK) {
            if (error != NULL) *error = second;
            status = closing;
        }
    }
    mote_scene_destroy(scene);
    manifest_destroy(manifest);
    return status;
}

/* ---- exports ---- */

static const char *extension_of(const char *format)
{
    const mote_ExportFormat *f;
    for (size_t i = 0; (f = mote_export_format(i)) != NULL; ++i)
        if (strcmp(f->name, format) == 0) return f->extension;
    return "";
}

typedef struct Export {
    Folder folder;
    const char *format, *system;
    char (*names)[256]; /* for the collection */
    double *times;
    size_t count;
    uint64_t files;
} Export;

static mote_Status export_system(Export *export, const mote_Frame *frame, const char *system,
                                 mote_Error *error)
{
    char path[FOLDER_PATH], name[100];
    snprintf(name, sizeof name, "%.60s_%06llu%.10s", system, (unsigned long long)frame->index,
             extension_of(export->format));
    snprintf(path, sizeof path, "%.880s/export/%s", export->folder.path, name);
    mote_Status status = mote_export(export->format, frame, system, path, error);
    if (status != MOTE_OK) return status;
    ++export->files;
    if (export->names == NULL) return MOTE_OK;
    snprintf(export->names[export->count], sizeof export->names[0], "%s", name);
    export->times[export->count++] = frame->time;
    return MOTE_OK;
}

static mote_Status export_frame(Export *export, uint64_t index, mote_Error *error)
{
    mote_Frame *frame;
    bool found = false;
    mote_Status status = pictures_read_frame(&export->folder, index, &frame, error);
    if (status != MOTE_OK) return status;
    for (size_t i = 0; i < frame->system_count && status == MOTE_OK; ++i) {
        const char *name = frame->systems[i].name;
        if (export->system != NULL && strcmp(export->system, name) != 0) continue;
        found = true;
        status = export_system(export, frame, name, error);
    }
    if (status == MOTE_OK && !found && export->system != NULL)
        status = status_fail(error, MOTE_BAD_VALUE, "frame %llu has no system `%.100s`",
                             (unsigned long long)index, export->system);
    mote_frame_destroy(frame);
    return status;
}

static mote_Status make_export_folder(const Folder *folder, mote_Error *error)
{
    char path[FOLDER_PATH];
    folder_file(folder, "export", path);
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return MOTE_OK;
    return file_failed(path, "make the folder", errno, error);
}

static mote_Status write_collection(const Export *export, Arena *arena, mote_Error *error)
{
    char path[FOLDER_PATH];
    const char **names = arena_take(arena, (export->count + 1) * sizeof *names);
    if (names == NULL) return status_no_memory(error, "the collection", export->count);
    for (size_t i = 0; i < export->count; ++i) names[i] = export->names[i];
    folder_file(&export->folder, "export/collection.pvd", path);
    return mote_export_pvd(path, names, export->times, export->count, error);
}

static mote_Status check_format(const char *format, mote_Error *error)
{
    if (extension_of(format)[0] != '\0') return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "unknown format `%.40s`; there are ply, vtp, csv and npz", format);
}

mote_Status mote_run_export(const char *path, const char *format, const char *system,
                            uint64_t *files, mote_Error *error)
{
    enum { MOST_SYSTEMS_A_FRAME = 64 };
    Export export = {.format = format, .system = system};
    Manifest *manifest;
    *files = 0;
    mote_Status status = check_format(format, error);
    if (status == MOTE_OK) status = open_cache(&export.folder, path, &manifest, error);
    if (status != MOTE_OK) return status;
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    size_t most = manifest->frame_count * MOST_SYSTEMS_A_FRAME;
    bool collection = strcmp(format, "vtp") == 0;
    if (collection) {
        export.names = arena_take(&arena, most * sizeof *export.names);
        export.times = arena_take(&arena, most * sizeof *export.times);
        if (export.names == NULL || export.times == NULL)
            status = status_no_memory(error, "the collection", most);
    }
    if (status == MOTE_OK) status = make_export_folder(&export.folder, error);
    for (size_t i = 0; i < manifest->frame_count && status == MOTE_OK; ++i)
        status = export_frame(&export, manifest->frames[i].index, error);
    if (status == MOTE_OK && collection) status = write_collection(&export, &arena, error);
    *files = export.files;
    arena_free(&arena);
    manifest_destroy(manifest);
    return status;
}

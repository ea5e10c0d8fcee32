/* What a folder holds: how far its run is, and what of it is whole, by the sums of the manifest. */
#include "base/definition.h"
#include "base/machine.h"
#include "run/cache.h"
#include "run/folder.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct InfoLook {
    Folder folder;
    Manifest *manifest;
    mote_RunInfo *info;
    const mote_RunInfoDef *def;
    double start; /* s */
} InfoLook;

__attribute__((format(printf, 2, 3))) static void note_damage(InfoLook *look, const char *format,
                                                              ...)
{
    char *text = look->info->damage;
    const size_t used = strlen(text), room = sizeof look->info->damage - used;
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text + used, room, format, values);
    va_end(values);
    if (length < 0 || (size_t)length >= room) text[used] = '\0'; /* no half of a line */
}

static void note_list(InfoLook *look, const char *what, FrameList *list, const char *how)
{
    const uint64_t count = list->count;
    if (count == 0) return;
    note_damage(look, "%s%s %s %s %s\n", what, count > 1 ? "s" : "", frame_list_text(list),
                count > 1 ? "are" : "is", how);
}

/* ---- parts ---- */

/* The manifest says "running" until it says something else; the lock tells whether that is true. */
static const char *state_of(const InfoLook *look)
{
    if (look->manifest->state == MANIFEST_FINISHED) return "finished";
    if (look->manifest->state == MANIFEST_STOPPED) return "stopped";
    return folder_is_locked(&look->folder) ? "running" : "killed";
}

static void tell_progress(const InfoLook *look, uint64_t done)
{
    const mote_RunInfoDef *def = look->def;
    mote_RunProgress progress = {.doing = "checking",
                                 .frame = done,
                                 .last = look->manifest->frame_count - 1,
                                 .seconds = clock_seconds() - look->start};
    if (def->progress != NULL) def->progress(def->context, &progress);
}

/* Frames between the first and the last that are neither listed nor there are missing as well. */
static void look_at_frames(InfoLook *look)
{
    const Manifest *m = look->manifest;
    FrameList lists[FILE_DAMAGED + 1] = {0};
    mote_RunInfo *info = look->info;
    for (size_t i = 0; i < m->frame_count; ++i) {
        char path[FOLDER_PATH];
        const uint64_t index = m->frames[i].index;
        if (i > 0 && index > m->frames[i - 1].index + 1)
            frame_list_add_range(&lists[FILE_MISSING], m->frames[i - 1].index + 1, index - 1);
        folder_frame(&look->folder, index, path);
        const bool listed = m->frames[i].file.bytes > 0;
        FileHealth health = listed ? file_health(path, m->frames[i].file, true) : FILE_WHOLE;
        if (health == FILE_WHOLE) ++info->frames;
        if (health != FILE_WHOLE) frame_list_add(&lists[health], index);
        tell_progress(look, i);
    }
    info->first = m->frame_count > 0 ? m->frames[0].index : 0;
    info->last = m->frame_count > 0 ? m->frames[m->frame_count - 1].index : 0;
    info->damaged += lists[FILE_MISSING].count + lists[FILE_DAMAGED].count;
    note_list(look, "frame", &lists[FILE_MISSING], "missing");
    note_list(look, "frame", &lists[FILE_DAMAGED], "damaged");
}

static void look_at_checkpoints(InfoLook *look)
{
    const Manifest *m = look->manifest;
    FrameList lists[FILE_DAMAGED + 1] = {0};
    for (size_t i = 0; i < m->checkpoint_count; ++i) {
        char path[FOLDER_PATH];
        const ManifestCheckpoint *checkpoint = &m->checkpoints[i];
        folder_file(&look->folder, checkpoint->file, path);
        const FileHealth health = file_health(path, checkpoint->sum, true);
        if (health != FILE_WHOLE) {
            frame_list_add(&lists[health], checkpoint->frame);
            ++look->info->damaged;
            continue;
        }
        ++look->info->checkpoints;
        if (checkpoint->frame > look->info->newest) look->info->newest = checkpoint->frame;
    }
    note_list(look, "checkpoint", &lists[FILE_MISSING], "missing");
    note_list(look, "checkpoint", &lists[FILE_DAMAGED], "damaged");
}

static void look_at_tables(InfoLook *look)
{
    for (size_t i = 0; i < look->manifest->table_count; ++i) {
        char path[FOLDER_PATH];
        const ManifestTable *table = &look->manifest->tables[i];
        folder_file(&look->folder, table->file, path);
        const FileHealth health =
            table->sum.bytes > 0 ? file_health(path, table->sum, false) : FILE_WHOLE;
        look->info->tables += health == FILE_WHOLE;
        if (health == FILE_WHOLE) continue;
        ++look->info->damaged;
        note_damage(look, "%s is %s\n", table->file,
                    health == FILE_MISSING ? "missing" : "damaged");
    }
}

/* ---- files ---- */

/* Bytes of all files in a folder and those inside; pictures are counted. */
static void add_files(InfoLook *look, const char *folder, int depth)
{
    char path[FOLDER_PATH + 300];
    uint64_t size;
    DIR *list = depth < 4 ? opendir(folder) : NULL;
    if (list == NULL) return;
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        const char *name = entry->d_name, *dot = strrchr(name, '.');
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
        if (length >= (int)sizeof path) continue;
        const SystemKind kind = system_kind(path, &size);
        if (kind == SYSTEM_FOLDER) add_files(look, path, depth + 1);
        if (kind != SYSTEM_FILE) continue;
        look->info->bytes += size;
        const bool picture = dot != NULL && (strcmp(dot, ".png") == 0 || strcmp(dot, ".exr") == 0);
        look->info->pictures += depth == 1 && picture && strncmp(name, "frame_", 6) == 0;
    }
    closedir(list);
}

static void find_video(InfoLook *look)
{
    static const char *const names[] = {"video.mp4", "video.webm", "video.webp", "video.gif"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (folder_has(&look->folder, names[i]))
            snprintf(look->info->video, sizeof look->info->video, "%s", names[i]);
}

static void describe(InfoLook *look)
{
    const Manifest *m = look->manifest;
    mote_RunInfo *info = look->info;
    snprintf(info->scene, sizeof info->scene, "%s", m->scene);
    snprintf(info->version, sizeof info->version, "%s", m->mote);
    snprintf(info->command, sizeof info->command, "%s", m->command);
    info->state = state_of(look);
    info->real_size = m->real_bytes;
    info->fps = m->fps;
    info->planned = m->frames_planned;
}

static mote_RunInfoDef run_info_defaults(void)
{
    return (mote_RunInfoDef){.folder = "out"};
}

DEFINITION_MAKER(mote_RunInfoDef, mote_run_info_def, run_info_defaults)

mote_Status mote_run_info(const mote_RunInfoDef *given, mote_RunInfo *info, mote_Error *error)
{
    DEFINITION_TAKE(mote_RunInfoDef, mote_run_info_def);
    InfoLook look = {.info = info, .def = def, .start = clock_seconds()};
    *info = (mote_RunInfo){.state = ""};
    mote_Status status = cache_find(def->folder, &look.folder, &look.manifest, error);
    if (status == MOTE_OK) status = cache_list_new(&look.folder, look.manifest, error);
    if (status == MOTE_OK) {
        describe(&look);
        look_at_frames(&look);
        look_at_checkpoints(&look);
        look_at_tables(&look);
        add_files(&look, look.folder.path, 0);
        find_video(&look);
    }
    manifest_destroy(look.manifest);
    return status;
}

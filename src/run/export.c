/* The frames of a cache in other formats: a file for each system and frame, and for
 * formats whose viewers want it, a collection over time for each system. */
#include "run/cache.h"

#include "base/status.h"
#include "io/export.h"

#include <stdio.h>
#include <string.h>

typedef struct Export {
    Folder folder;
    const Manifest *manifest;
    const char *format, *system;
    const ExportRow *row;
    double *times; /* s, of the manifest's frames */
    uint64_t files;
} Export;

static mote_Status find_format(Export *export, mote_Error *error)
{
    char names[200] = "";
    size_t used = 0;
    const mote_ExportFormat *format;
    export->row = export_named(export->format);
    if (export->row != NULL) return MOTE_OK;
    for (size_t i = 0; (format = mote_export_format(i)) != NULL && used < sizeof names; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 format->name);
    return status_fail(error, MOTE_BAD_VALUE, "unknown format `%.40s`; there are %s",
                       export->format, names);
}

/* The system's part of a file name: one part of a path. */
static void system_part(const char *system, char part[100])
{
    snprintf(part, 100, "%.95s", system);
    for (char *c = part; *c != '\0'; ++c)
        if (*c == '/') *c = '_';
}

static void file_name(const Export *export, const char *system, uint64_t index, char name[140])
{
    char part[100];
    system_part(system, part);
    snprintf(name, 140, "%s_%06llu%.16s", part, (unsigned long long)index,
             export->row->head.extension);
}

static mote_Status export_system(Export *export, const mote_Frame *frame, const char *system,
                                 mote_Error *error)
{
    char path[FOLDER_PATH], name[140], inner[150];
    file_name(export, system, frame->index, name);
    snprintf(inner, sizeof inner, "export/%s", name);
    folder_file(&export->folder, inner, path);
    mote_Status status = mote_export(export->format, frame, system, path, error);
    if (status == MOTE_OK) ++export->files;
    return status;
}

static bool wanted(const Export *export, const mote_FrameSystem *system)
{
    return export->system == NULL || strcmp(export->system, system->name) == 0;
}

static mote_Status export_frame(Export *export, size_t number, mote_Error *error)
{
    mote_Frame *frame;
    uint64_t index = export->manifest->frames[number].index;
    bool found = export->system == NULL;
    mote_Status status = cache_read_frame(&export->folder, index, NULL, &frame, error);
    if (status != MOTE_OK) return status;
    export->times[number] = frame->time;
    for (size_t i = 0; i < frame->system_count && status == MOTE_OK; ++i) {
        if (!wanted(export, &frame->systems[i])) continue;
        found = true;
        status = export_system(export, frame, frame->systems[i].name, error);
    }
    if (status == MOTE_OK && !found)
        status = status_fail(error, MOTE_BAD_VALUE, "frame %llu has no system `%.100s`",
                             (unsigned long long)index, export->system);
    mote_frame_destroy(frame);
    return status;
}

/* ---- collections ---- */

static mote_Status write_collection(const Export *export, const char *system, Arena *arena,
                                    mote_Error *error)
{
    char path[FOLDER_PATH], part[100], inner[140];
    size_t count = export->manifest->frame_count;
    const char **names = arena_take(arena, count * sizeof *names);
    char(*texts)[140] = arena_take(arena, count * sizeof *texts);
    if (names == NULL || texts == NULL) return status_no_memory(error, "the collection", count);
    for (size_t i = 0; i < count; ++i) {
        file_name(export, system, export->manifest->frames[i].index, texts[i]);
        names[i] = texts[i];
    }
    system_part(system, part);
    snprintf(inner, sizeof inner, "export/%s_collection.pvd", part);
    folder_file(&export->folder, inner, path);
    return mote_export_pvd(path, names, export->times, count, error);
}

/* Systems are the same in all frames of a run. */
static mote_Status write_collections(const Export *export, Memory *memory, mote_Error *error)
{
    mote_Frame *frame;
    mote_Status status =
        cache_read_frame(&export->folder, export->manifest->frames[0].index, NULL, &frame, error);
    if (status != MOTE_OK) return status;
    for (size_t i = 0; i < frame->system_count && status == MOTE_OK; ++i) {
        Arena arena = arena_make(memory);
        if (wanted(export, &frame->systems[i]))
            status = write_collection(export, frame->systems[i].name, &arena, error);
        arena_free(&arena);
    }
    mote_frame_destroy(frame);
    return status;
}

static mote_Status export_all(Export *export, mote_Error *error)
{
    size_t count = export->manifest->frame_count;
    Memory memory = memory_make(mote_default_allocator());
    export->times = memory_take(&memory, count * sizeof *export->times);
    if (export->times == NULL) return status_no_memory(error, "an export", count);
    mote_Status status = folder_make_inner(&export->folder, "export", error);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i) status = export_frame(export, i, error);
    if (status == MOTE_OK && export->row->collected)
        status = write_collections(export, &memory, error);
    memory_free(&memory, export->times, count * sizeof *export->times);
    return status;
}

mote_Status mote_run_export(const char *path, const char *format, const char *system,
                            uint64_t *files, mote_Error *error)
{
    Export export = {.format = format, .system = system};
    Manifest *manifest = NULL;
    mote_Status status = find_format(&export, error);
    if (status == MOTE_OK) status = cache_look(path, &export.folder, &manifest, error);
    export.manifest = manifest;
    if (status == MOTE_OK) status = export_all(&export, error);
    if (files != NULL) *files = export.files;
    manifest_destroy(manifest);
    return status;
}

/* Files of an export: their names, films of all frames, and collections over time. */
#include "run/export.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

/* A part's name as part of a file's. */
static void name_part(const char *name, char part[100])
{
    snprintf(part, 100, "%.95s", name);
    for (char *c = part; *c != '\0'; ++c)
        if (*c == '/') *c = '_';
}

void export_name_file(const RunExport *export, const char *name, uint64_t index, char file[140])
{
    char part[100];
    name_part(name, part);
    snprintf(file, 140, "%s_%06llu%.16s", part, (unsigned long long)index,
             export->row->head.extension);
}

void export_file_in(const RunExport *export, const char *file, char path[FOLDER_PATH])
{
    char inner[160];
    snprintf(inner, sizeof inner, "%s%s", export->inner, file);
    folder_file(&export->output, inner, path);
}

void export_file_at(const RunExport *export, const char *name, const char *ending,
                    char path[FOLDER_PATH])
{
    char part[100], file[140];
    name_part(name, part);
    snprintf(file, sizeof file, "%s_%.30s", part, ending);
    export_file_in(export, file, path);
}

/* ---- films ---- */

static mote_Status open_film(RunExport *export, const char *name, const mote_Frame *frame,
                             mote_Error *error)
{
    const mote_ExportDef *def = export->def;
    char ending[32], *path = arena_take(&export->arena, FOLDER_PATH);
    Film *film = &export->films[export->film_count++];
    if (path == NULL) return status_no_memory(error, "an export", FOLDER_PATH);
    snprintf(ending, sizeof ending, "frames%.16s", export->row->head.extension);
    export_file_at(export, name, ending, path);
    *film = (Film){.path = path,
                   .memory = &export->memory,
                   .frames = export->count,
                   .scale = def->scale,
                   .up = export->row->up > 0 ? export->row->up - 1
                         : def->up >= 0      ? def->up
                                             : frame->up_axis};
    return film_open(export->row, frame, film, error);
}

/* One of all parts is called as the scene. */
mote_Status export_open_films(RunExport *export, const mote_Frame *frame, mote_Error *error)
{
    const ExportRow *row = export->row;
    mote_Status status = MOTE_OK;
    if (row->film == NULL) return MOTE_OK;
    export->films = arena_take(&export->arena, export->part_count * sizeof *export->films);
    if (export->films == NULL) return status_no_memory(error, "an export", export->part_count);
    if (!row->film->one_part)
        return open_film(export,
                         export->def->part != NULL ? export->def->part : export->manifest->scene,
                         frame, error);
    for (size_t i = 0; i < export->part_count && status == MOTE_OK; ++i)
        status = open_film(export, export->parts[i], frame, error);
    return status;
}

mote_Status export_film_part(RunExport *export, const mote_Frame *frame, const PartView *view,
                             const Part *part, mote_Error *error)
{
    size_t which = 0;
    if (export->row->film->one_part)
        while (which < export->part_count && strcmp(export->parts[which], part->name) != 0) ++which;
    if (which == export->part_count && export->row->film->one_part) return MOTE_OK;
    return film_add(export->row, &export->films[which], frame, view, part, error);
}

mote_Status export_end_films(RunExport *export, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < export->film_count && status == MOTE_OK; ++i) {
        status = export->row->film->end(&export->films[i], error);
        if (status == MOTE_OK) ++export->report->files;
    }
    return status;
}

/* ---- collections ---- */

static mote_Status write_collection(RunExport *export, const char *part, mote_Error *error)
{
    char path[FOLDER_PATH];
    const size_t count = export->count;
    const char **names = arena_take(&export->arena, count * sizeof *names);
    char(*texts)[140] = arena_take(&export->arena, count * sizeof *texts);
    if (names == NULL || texts == NULL) return status_no_memory(error, "the collection", count);
    for (size_t i = 0; i < count; ++i) {
        export_name_file(export, part, export->manifest->frames[export->first + i].index, texts[i]);
        names[i] = texts[i];
    }
    export_file_at(export, part, export->row->collection, path);
    return mote_export_pvd(path, names, export->times, count, error);
}

mote_Status export_write_collections(RunExport *export, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (export->row->collection == NULL) return MOTE_OK;
    for (size_t i = 0; i < export->part_count && status == MOTE_OK; ++i)
        status = write_collection(export, export->parts[i], error);
    return status;
}

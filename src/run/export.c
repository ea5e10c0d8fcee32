/* The frames of a cache in other formats: a file for each part and frame (and where viewers want
 * it, a collection over time for each part), or a file of all frames. */
#include "run/export.h"

#include "base/definition.h"
#include "base/machine.h"
#include "base/status.h"
#include "text/text_buffer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static mote_ExportDef export_defaults(void)
{
    return (mote_ExportDef){
        .folder = "out", .format = "vtp", .first = -1, .last = -1, .up = -1, .scale = 1};
}

DEFINITION_MAKER(mote_ExportDef, mote_export_def, export_defaults)

static mote_Status find_format(RunExport *export, mote_Error *error)
{
    char names[200] = "";
    size_t used = 0;
    const mote_ExportFormat *format;
    export->row = export_named(export->def->format);
    for (size_t i = 0; (format = mote_export_format(i)) != NULL && used < sizeof names; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 format->name);
    if (export->row == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "unknown format `%.40s`; there are %s",
                           export->def->format, names);
    const int own = export->row->up - 1;
    if (own >= 0 && export->def->up >= 0 && export->def->up != own)
        return status_fail(error, MOTE_BAD_VALUE,
                           "in %s files %c is up, and programs that read them know it; leave --up "
                           "out",
                           export->row->head.name, "xyz"[own]);
    return MOTE_OK;
}

static mote_Status check_view(const mote_ExportDef *def, const ExportRow *row, mote_Error *error)
{
    if (def->up > 2)
        return status_fail(error, MOTE_BAD_VALUE,
                           "export: there is no axis %d; 0, 1 and 2 are x, y "
                           "and z",
                           def->up);
    if (!(def->scale > 0) || !isfinite(def->scale))
        return status_fail(error, MOTE_BAD_VALUE, "export: the scale is %g, but must be positive",
                           def->scale);
    if (!(def->cell >= 0) || !isfinite(def->cell))
        return status_fail(error, MOTE_BAD_VALUE, "export: the cell is %g m, but must be positive",
                           def->cell);
    if (def->cell > 0 && !row->volumes)
        return status_fail(error, MOTE_BAD_VALUE,
                           "export: %s files have no cells; those of vti and vdb do",
                           row->head.name);
    return MOTE_OK;
}

/* ---- which parts ---- */

static bool wanted(const RunExport *export, const Part *part)
{
    if (export->def->part != NULL) return strcmp(export->def->part, part->name) == 0;
    return (part->kind & export->row->holds) != 0;
}

typedef struct PartNames {
    const Part *parts;
    size_t count;
} PartNames;

static const char *part_name(const void *context, size_t i)
{
    const PartNames *names = context;
    return i < names->count ? names->parts[i].name : NULL;
}

static mote_Status nothing_wanted(const RunExport *export, uint64_t frame, const Part *parts,
                                  size_t count, mote_Error *error)
{
    char names[200];
    name_list_text((NameList){part_name, &(PartNames){parts, count}}, names, sizeof names);
    if (export->def->part != NULL)
        return status_fail(error, MOTE_BAD_VALUE, "frame %llu has no part `%.100s`; there are %s",
                           (unsigned long long)frame, export->def->part, names);
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s cannot hold anything of this run, which has %s; use ply, vtp, obj, glb "
                       "or usda",
                       export->row->head.name, count > 0 ? names : "nothing");
}

/* What the first frame has of what is wanted. */
static mote_Status choose_parts(RunExport *export, const mote_Frame *frame, mote_Error *error)
{
    Part *parts;
    size_t count;
    if (!parts_list(frame, &export->arena, &parts, &count))
        return status_no_memory(error, "an export", frame->system_count);
    export->parts = arena_take(&export->arena, (count + 1) * sizeof *export->parts);
    if (export->parts == NULL) return status_no_memory(error, "an export", count);
    for (size_t i = 0; i < count; ++i) {
        if (!wanted(export, &parts[i])) continue;
        const size_t size = strlen(parts[i].name) + 1;
        char *name = arena_take(&export->arena, size); /* the frame goes */
        if (name == NULL) return status_no_memory(error, "an export", size);
        export->parts[export->part_count++] = memcpy(name, parts[i].name, size);
    }
    if (export->part_count > 0) return MOTE_OK;
    return nothing_wanted(export, frame->index, parts, count, error);
}

/* ---- frames ---- */

static mote_Status write_part(RunExport *export, const mote_Frame *frame, const PartView *view,
                              const Part *part, mote_Error *error)
{
    char path[FOLDER_PATH], file[140];
    if (export->row->film != NULL) return export_film_part(export, frame, view, part, error);
    export_name_file(export, part->name, frame->index, file);
    export_file_in(export, file, path);
    mote_Status status = export_part(export->row, frame, view, part, path, &export->memory, error);
    if (status == MOTE_OK) ++export->report->files;
    return status;
}

static mote_Status write_parts(RunExport *export, const mote_Frame *frame, const PartView *view,
                               mote_Error *error)
{
    Arena arena = arena_make(&export->memory);
    Part *parts = NULL;
    size_t count = 0, found = 0;
    mote_Status status = parts_list(frame, &arena, &parts, &count)
                             ? MOTE_OK
                             : status_no_memory(error, "an export", frame->system_count);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i) {
        if (!wanted(export, &parts[i])) continue;
        ++found;
        status = write_part(export, frame, view, &parts[i], error);
    }
    if (status == MOTE_OK && found == 0)
        status = nothing_wanted(export, frame->index, parts, count, error);
    arena_free(&arena);
    return status;
}

/* The first frame tells what there is; nothing is made before that is good. */
static mote_Status begin(RunExport *export, const mote_Frame *frame, mote_Error *error)
{
    mote_Status status = choose_parts(export, frame, error);
    if (status == MOTE_OK)
        status = export->def->output == NULL ? folder_make_inner(&export->output, "export", error)
                                             : folder_make_path(&export->output, error);
    return status == MOTE_OK ? export_open_films(export, frame, error) : status;
}

static mote_Status write_frame(RunExport *export, size_t i, mote_Error *error)
{
    const mote_ExportDef *def = export->def;
    const ManifestFrame *frames = export->manifest->frames + export->first;
    PartView view = {.up = def->up, .scale = def->scale, .cell = def->cell};
    const mote_Frame *frame;
    mote_Status status =
        dress_frame(&export->dress, &export->folder, frames[i].index, &frame, &view, error);
    if (status == MOTE_OK && i == 0) status = begin(export, frame, error);
    if (status == MOTE_OK) status = write_parts(export, frame, &view, error);
    if (status != MOTE_OK) return status;
    export->times[i] = frame->time;
    export->report->last = frames[i].index;
    ++export->report->written;
    mote_RunProgress progress = {.doing = "exporting",
                                 .frame = frames[i].index,
                                 .first = frames[0].index,
                                 .last = frames[export->count - 1].index,
                                 .seconds = clock_seconds() - export->start};
    for (size_t s = 0; s < frame->system_count; ++s) progress.particles += frame->systems[s].count;
    if (def->progress != NULL) def->progress(def->context, &progress);
    return MOTE_OK;
}

static mote_Status write_frames(RunExport *export, mote_Error *error)
{
    const mote_ExportDef *def = export->def;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < export->count && status == MOTE_OK; ++i) {
        status = write_frame(export, i, error);
        const bool more = status == MOTE_OK && i + 1 < export->count;
        if (more && def->cancelled != NULL && def->cancelled(def->context))
            status = status_fail(error, MOTE_CANCELLED, "stopped after frame %llu",
                                 (unsigned long long)export->report->last);
    }
    return status;
}

/* ---- all of it ---- */

static mote_Status find_output(RunExport *export, mote_Error *error)
{
    const char *given = export->def->output;
    mote_ExportReport *report = export->report;
    export->inner = given != NULL ? "" : "export/";
    export->output = export->folder;
    mote_Status status = given != NULL ? folder_open(&export->output, given, error) : MOTE_OK;
    snprintf(report->folder, sizeof report->folder, "%s%s", export->output.path,
             given != NULL ? "" : "/export");
    return status;
}

static mote_Status export_all(RunExport *export, mote_Error *error)
{
    const mote_ExportDef *def = export->def;
    mote_Status status = cache_choose(export->manifest, def->first, def->last, &export->first,
                                      &export->count, error);
    if (status == MOTE_OK) status = find_output(export, error);
    if (status != MOTE_OK) return status;
    export->times = arena_take(&export->arena, export->count * sizeof *export->times);
    if (export->times == NULL) return status_no_memory(error, "an export", export->count);
    export->report->first = export->manifest->frames[export->first].index;
    dress_open(&export->dress, &export->folder, &export->memory, export->report->note);
    export->dress.spread = export->row->volumes;
    status = write_frames(export, error);
    if (status == MOTE_OK) status = export_end_films(export, error);
    if (status == MOTE_OK) status = export_write_collections(export, error);
    for (size_t i = 0; i < export->film_count; ++i) film_close(export->row, &export->films[i]);
    dress_close(&export->dress);
    return status;
}

mote_Status mote_run_export(const mote_ExportDef *given, mote_ExportReport *report,
                            mote_Error *error)
{
    DEFINITION_TAKE(mote_ExportDef, mote_export_def);
    mote_ExportReport own;
    if (report == NULL) report = &own;
    memset(report, 0, sizeof *report);
    RunExport export = {.def = def,
                        .report = report,
                        .memory = memory_make(mote_default_allocator()),
                        .start = clock_seconds()};
    export.arena = arena_make(&export.memory);
    mote_Status status = find_format(&export, error);
    if (status == MOTE_OK) status = check_view(def, export.row, error);
    if (status == MOTE_OK)
        status = cache_look(def->folder, &export.folder, &export.manifest, error);
    if (status == MOTE_OK) status = export_all(&export, error);
    manifest_destroy(export.manifest);
    arena_free(&export.arena);
    report->seconds = clock_seconds() - export.start;
    return status;
}

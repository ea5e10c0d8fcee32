/* Tables of a run: the log first, then one for each probe, in the order of the world's. */
#include "io/file.h"
#include "run/cache.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- opening ---- */

/* A table in the folder; probe NULL: the log. */
typedef struct OpenTable {
    Cache *cache;
    const mote_ProbeSamples *probe;
    ManifestTable *table;
    char path[FOLDER_PATH];
} OpenTable;

/* The lines that are left of a table that is cut or not listed. */
static void scan(OpenTable *open)
{
    long bytes = 0;
    ManifestTable *table = open->table;
    table->frames = open->probe == NULL
                        ? log_scan(open->path, &bytes)
                        : probe_scan(open->path, open->cache->manifest->fps, &bytes);
    table->sum.bytes = (uint64_t)bytes;
}

/* What is whole of a table that an earlier run has left. Where lines were changed none can be
 * trusted, so all are made again. */
static void keep(OpenTable *open, const ManifestTable *listed)
{
    ManifestTable *table = open->table;
    if (listed == NULL) {
        scan(open);
        return;
    }
    const FileHealth health =
        listed->sum.bytes > 0 ? file_health(open->path, listed->sum, false) : FILE_WHOLE;
    if (health == FILE_WHOLE) {
        table->frames = listed->frames, table->sum = listed->sum;
        return;
    }
    if (folder_file_size(open->path) < listed->sum.bytes) scan(open);
    cache_tell(open->cache, "%s is %s; it is made again from frame %llu on", table->file,
               health == FILE_MISSING ? "missing" : "damaged", (unsigned long long)table->frames);
}

static mote_Status cut(const char *path, uint64_t bytes, mote_Error *error)
{
    if (folder_file_size(path) == bytes || system_truncate(path, bytes)) return MOTE_OK;
    return file_failed(path, "shorten it", errno, error);
}

static mote_Status open_table(Cache *cache, size_t number, const mote_ProbeSamples *probe,
                              const Manifest *old, mote_Error *error)
{
    OpenTable open = {.cache = cache, .probe = probe, .table = &cache->manifest->tables[number]};
    ManifestTable *table = open.table;
    folder_file(cache->folder, table->file, open.path);
    table->frames = probe == NULL; /* frame 0 has no line in the log */
    if (old != NULL) keep(&open, manifest_table(old, table->file));
    mote_Status status = cut(open.path, table->sum.bytes, error);
    if (status == MOTE_OK && probe != NULL && table->sum.bytes == 0)
        status = probe_begin(probe, open.path, error);
    if (table->sum.sum == 0) table->sum = (FileSum){0};
    file_sum(open.path, &table->sum);
    return status;
}

static mote_Status list_columns(Cache *cache, const mote_ProbeSamples *probe, const char *file,
                                mote_Error *error)
{
    ManifestColumn time = {probe->name, file, "time", "s"};
    mote_Status status = manifest_add_column(cache->manifest, &time, error);
    for (size_t c = 0; c < probe->column_count && status == MOTE_OK; ++c) {
        const mote_ProbeColumn *column = &probe->columns[c];
        ManifestColumn listed = {probe->name, file, column->name, column->unit};
        status = manifest_add_column(cache->manifest, &listed, error);
    }
    return status;
}

static mote_Status open_probe(Cache *cache, const mote_ProbeSamples *probe, const Manifest *old,
                              mote_Error *error)
{
    char file[FOLDER_LONGEST_NAME + 1];
    probe_file(probe, file);
    mote_Status status = manifest_add_table(cache->manifest, &(ManifestTable){.file = file}, error);
    if (status == MOTE_OK)
        status = open_table(cache, cache->manifest->table_count - 1, probe, old, error);
    return status == MOTE_OK ? list_columns(cache, probe, file, error) : status;
}

mote_Status tables_open(Cache *cache, const mote_World *world, const Manifest *old,
                        mote_Error *error)
{
    mote_ProbeSamples probe = mote_world_probe(world, 0);
    mote_Status status = MOTE_OK;
    if (probe.name != NULL) status = folder_make_inner(cache->folder, "probes", error);
    if (status == MOTE_OK)
        status = manifest_add_table(cache->manifest, &(ManifestTable){.file = LOG_NAME}, error);
    if (status == MOTE_OK) status = open_table(cache, 0, NULL, old, error);
    for (size_t i = 0; status == MOTE_OK; ++i) {
        probe = mote_world_probe(world, i);
        if (probe.name == NULL) break;
        status = open_probe(cache, &probe, old, error);
    }
    return status;
}

/* ---- adding ---- */

/* The samples of the probes up to `frame`, and what of them is complete. */
static mote_Status add_probes(Cache *cache, const mote_World *world, uint64_t frame,
                              mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 1; i < cache->manifest->table_count && status == MOTE_OK; ++i) {
        char path[FOLDER_PATH];
        ManifestTable *table = &cache->manifest->tables[i];
        mote_ProbeSamples probe = mote_world_probe(world, i - 1);
        if (probe.name == NULL || table->frames > frame) continue;
        folder_file(cache->folder, table->file, path);
        if (probe.count > 0) status = probe_add(&probe, path, error);
        if (status != MOTE_OK) break;
        if (probe.count > 0) file_sum(path, &table->sum);
        table->frames = frame + 1;
    }
    return status;
}

mote_Status tables_start(Cache *cache, Crew *crew, mote_Error *error)
{
    mote_Status status = crew_sample_probes(crew, error);
    return status == MOTE_OK ? add_probes(cache, crew->world, 0, error) : status;
}

mote_Status tables_add(Cache *cache, const mote_World *world, const mote_StepReport *report,
                       mote_Error *error)
{
    ManifestTable *log = &cache->manifest->tables[0];
    if (log->frames <= report->frame) {
        char path[FOLDER_PATH];
        folder_file(cache->folder, LOG_NAME, path);
        mote_Status status = log_add(path, report, error);
        if (status != MOTE_OK) return status;
        file_sum(path, &log->sum);
        log->frames = report->frame + 1;
    }
    return add_probes(cache, world, report->frame, error);
}

/* ---- log.jsonl: appended line by line ---- */

uint64_t log_scan(const char *path, long *bytes)
{
    char line[1024];
    uint64_t frames = 1;
    FILE *file = fopen(path, "r");
    *bytes = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long long frame;
        if (strchr(line, '\n') == NULL || sscanf(line, "{\"frame\": %llu", &frame) != 1) break;
        if (frame != frames) break;
        ++frames;
        *bytes = ftell(file);
    }
    if (file != NULL) fclose(file);
    return frames;
}

/* What liquids say, and other solvers of whole systems. */
static int print_solvers(FILE *file, const mote_StepReport *r)
{
    return fprintf(file,
                   "\"shortest\": %.4g, \"retries\": %llu, \"iterations\": %llu, \"pairs\": %llu, "
                   "\"left_out\": %llu, \"density_error\": %.4g, \"density_error_max\": %.4g, ",
                   r->shortest, (unsigned long long)r->retries, (unsigned long long)r->iterations,
                   (unsigned long long)r->pairs, (unsigned long long)r->left_out, r->density_error,
                   r->worst_density);
}

mote_Status log_add(const char *path, const mote_StepReport *r, mote_Error *error)
{
    FILE *file = fopen(path, "a");
    if (file == NULL) return file_failed(path, "open it", errno, error);
    int written = fprintf(
        file,
        "{\"frame\": %llu, \"time\": %.9g, \"particles\": %llu, \"substeps\": %llu, \"emitted\": "
        "%llu, \"died\": %llu, \"lost\": %llu, \"not_finite\": %llu, \"hits\": %llu, "
        "\"inside\": %llu, \"trapped\": %llu, \"kinetic\": %.9g, "
        "\"body_kinetic\": %.9g, \"potential\": %.9g, "
        "\"links_broken\": %llu, \"newton\": %llu, \"cg\": %llu, "
        "\"unsolved\": %llu, ",
        (unsigned long long)r->frame, r->time, (unsigned long long)r->particles,
        (unsigned long long)r->substeps, (unsigned long long)r->emitted,
        (unsigned long long)r->died, (unsigned long long)r->lost, (unsigned long long)r->not_finite,
        (unsigned long long)r->hits, (unsigned long long)r->inside, (unsigned long long)r->trapped,
        r->kinetic + r->body_kinetic, r->body_kinetic, r->potential,
        (unsigned long long)r->links_broken, (unsigned long long)r->newton_iterations,
        (unsigned long long)r->cg_iterations, (unsigned long long)r->unsolved);
    bool good = written > 0 && (r->pairs == 0 || print_solvers(file, r) > 0);
    good = fprintf(file, "\"seconds\": %.4g}\n", r->seconds) > 0 && good;
    good = fclose(file) == 0 && good;
    return good ? MOTE_OK : file_failed(path, "write it", errno, error);
}

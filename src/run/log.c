/* log.jsonl: appended line by line; a line cut by a kill is dropped when the run goes on. */
#include "run/log.h"

#include "io/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Bytes of the whole lines whose frame is below `again`. */
static long kept_bytes(FILE *file, uint64_t again)
{
    char line[1024];
    long kept = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned long long frame;
        long end = ftell(file);
        bool whole = end > 0 && line[(size_t)(end - kept) - 1] == '\n';
        if (sscanf(line, "{\"frame\": %llu", &frame) != 1 || frame >= again || !whole) break;
        kept = end;
    }
    return kept;
}

mote_Status log_open(const Folder *folder, uint64_t again, mote_Error *error)
{
    char path[FOLDER_PATH];
    folder_file(folder, "log.jsonl", path);
    FILE *file = fopen(path, "r");
    if (file == NULL) return MOTE_OK;
    long kept = kept_bytes(file, again);
    fclose(file);
    if (truncate(path, kept) == 0) return MOTE_OK;
    return file_failed(path, "shorten it", errno, error);
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

mote_Status log_add(const Folder *folder, const mote_StepReport *r, mote_Error *error)
{
    char path[FOLDER_PATH];
    folder_file(folder, "log.jsonl", path);
    FILE *file = fopen(path, "a");
    if (file == NULL) return file_failed(path, "open it", errno, error);
    int written = fprintf(
        file,
        "{\"frame\": %llu, \"time\": %.9g, \"particles\": %llu, \"substeps\": %llu, \"emitted\": "
        "%llu, \"died\": %llu, \"lost\": %llu, \"not_finite\": %llu, \"hits\": %llu, "
        "\"inside\": %llu, \"trapped\": %llu, \"kinetic\": %.9g, \"potential\": %.9g, "
        "\"links_broken\": %llu, \"newton\": %llu, \"cg\": %llu, "
        "\"unsolved\": %llu, ",
        (unsigned long long)r->frame, r->time, (unsigned long long)r->particles,
        (unsigned long long)r->substeps, (unsigned long long)r->emitted,
        (unsigned long long)r->died, (unsigned long long)r->lost, (unsigned long long)r->not_finite,
        (unsigned long long)r->hits, (unsigned long long)r->inside, (unsigned long long)r->trapped,
        r->kinetic, r->potential, (unsigned long long)r->links_broken,
        (unsigned long long)r->newton_iterations, (unsigned long long)r->cg_iterations,
        (unsigned long long)r->unsolved);
    bool good = written > 0 && (r->pairs == 0 || print_solvers(file, r) > 0);
    good = fprintf(file, "\"seconds\": %.4g}\n", r->seconds) > 0 && good;
    good = fclose(file) == 0 && good;
    return good ? MOTE_OK : file_failed(path, "write it", errno, error);
}

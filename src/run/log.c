/* log.jsonl: appended line by line. */
#include "run/cache.h"

#include "io/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

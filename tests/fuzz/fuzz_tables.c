/* Any bytes as what a run keeps beside its frames: the manifest, the table of a probe and the log,
 * parted by lines "%%", in a folder in memory. They are read as `mote plot` and a run that goes on
 * read them, and `mote info`: a table, or a message. */
#include "run/cache.h"

#include <mote/io.h>
#include <mote/run.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"manifest.json", "probes/a.csv", "log.jsonl"};
static char folder[64];

static void require(bool condition)
{
    if (!condition) abort();
}

static void remove_folder(void)
{
    char path[200];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/probes", folder);
    rmdir(path);
    rmdir(folder);
}

static void make_folder(void)
{
    char inner[200];
    if (folder[0] != '\0') return;
    strcpy(folder, "/dev/shm/fuzz-tables-XXXXXX");
    if (mkdtemp(folder) == NULL) require(mkdtemp(strcpy(folder, "fuzz-tables-XXXXXX")) != NULL);
    snprintf(inner, sizeof inner, "%s/probes", folder);
    require(mkdir(inner, 0700) == 0);
    atexit(remove_folder);
}

static void write_file(const char *name, const uint8_t *data, size_t size)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

/* Writes the parts; what is not there is an empty file. */
static void write_parts(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const uint8_t *end = memmem(data, size, "\n%%\n", 4);
        size_t length = end != NULL ? (size_t)(end - data) : size;
        write_file(names[i], data, length + (end != NULL)); /* with the line's end */
        data += end != NULL ? length + 4 : size;
        size -= end != NULL ? length + 4 : size;
    }
}

static void read_table(void)
{
    mote_ProbeSamples *table;
    mote_Error error = {0};
    if (mote_run_probe(folder, "a", &table, &error) != MOTE_OK) {
        require(table == NULL && error.message[0] != '\0');
        return;
    }
    double sum = 0;
    for (size_t i = 0; i < table->count; ++i) sum += table->times[i];
    for (size_t i = 0; i < table->count * table->column_count; ++i) sum += table->values[i];
    require(sum == sum || sum != sum); /* every number has been read */
    mote_probe_table_destroy(table);
}

/* As a run that goes on does. */
static void scan(void)
{
    char path[200];
    long bytes;
    snprintf(path, sizeof path, "%s/%s", folder, names[1]);
    (void)probe_scan(path, 20, &bytes);
    require(bytes >= 0);
    snprintf(path, sizeof path, "%s/%s", folder, names[2]);
    (void)log_scan(path, &bytes);
    require(bytes >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mote_RunInfoDef def = mote_run_info_def();
    mote_RunInfo info;
    mote_Error error;
    make_folder();
    write_parts(data, size);
    read_table();
    scan();
    def.folder = folder;
    (void)mote_run_info(&def, &info, &error);
    return 0;
}

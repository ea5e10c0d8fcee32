/* What the tests of files share: a frame whose values follow a formula, folders that vanish, and an
 * allocator that fails when it is told to. */
#ifndef TESTS_IO_SAMPLE_H
#define TESTS_IO_SAMPLE_H

#include "check.h"

#include <mote/io.h>

#include "base/memory.h"
#include "particles/system.h"

#include <dirent.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- frames ---- */

enum { SAMPLE_COLUMNS = BUILT_IN_COLUMNS + 1, SAMPLE_SYSTEMS = 2 };

typedef struct Sample {
    mote_Frame frame;
    mote_FrameSystem systems[SAMPLE_SYSTEMS];
    mote_FrameShape shapes[2];
    mote_Column columns[SAMPLE_SYSTEMS][SAMPLE_COLUMNS];
} Sample;

#define SAMPLE_COLUMN(enumerator, name_, unit_, stage_, type_, components_, fallback_)             \
    {.name = name_,                                                                                \
     .unit = unit_,                                                                                \
     .stage = stage_,                                                                              \
     .type = type_,                                                                                \
     .components = components_,                                                                    \
     .fallback = fallback_},

static const mote_Column sample_columns[SAMPLE_COLUMNS] = {SYSTEM_COLUMNS(SAMPLE_COLUMN){
    .name = "stress", .unit = "Pa", .stage = "user", .type = MOTE_COLUMN_DOUBLE, .components = 9}};

/* A small whole number for every place; test scripts use the same formula. */
static inline unsigned sample_number(size_t system, size_t column, int component, size_t row)
{
    return (unsigned)((row * 131 + (size_t)component * 17 + column * 7 + system * 3) % 4093);
}

static inline void sample_fill(const mote_Column *column, size_t system, size_t number, size_t rows)
{
    for (int c = 0; c < column->components; ++c)
        for (size_t i = 0; i < rows; ++i) {
            unsigned value = sample_number(system, number, c, i);
            char *at = column_plane(column, c) + i * column_item_size(column->type);
            if (column->type == MOTE_COLUMN_REAL) *(mote_real *)at = (mote_real)(value / 8.0 - 200);
            if (column->type == MOTE_COLUMN_DOUBLE) *(double *)at = value / 8.0 - 200;
            if (column->type == MOTE_COLUMN_U32) *(uint32_t *)at = value;
            if (column->type == MOTE_COLUMN_U64) *(uint64_t *)at = value + ((uint64_t)1 << 40);
        }
}

static inline void sample_system(Sample *sample, size_t s, const char *name, size_t rows)
{
    sample->systems[s] = (mote_FrameSystem){
        .name = name, .count = rows, .columns = sample->columns[s], .column_count = SAMPLE_COLUMNS};
    for (size_t k = 0; k < SAMPLE_COLUMNS; ++k) {
        mote_Column *column = &sample->columns[s][k];
        *column = sample_columns[k];
        column->stride = rows + 3 + k; /* planes do not touch */
        column->data = malloc(column->stride * 9 * 8);
        if (rows > 0) sample_fill(column, s, k, rows);
    }
}

static inline Sample *sample_make(size_t rows)
{
    Sample *sample = calloc(1, sizeof *sample);
    sample->frame = (mote_Frame){.index = 3,
                                 .time = 0.1,
                                 .dt = 1.0 / 30,
                                 .dimension = 3,
                                 .up_axis = 1,
                                 .systems = sample->systems,
                                 .system_count = SAMPLE_SYSTEMS,
                                 .shapes = sample->shapes};
    sample_system(sample, 0, "water", rows);
    sample_system(sample, 1, "dust \xc3\xa9", rows / 2);
    return sample;
}

static inline void sample_free(Sample *sample)
{
    for (size_t s = 0; s < SAMPLE_SYSTEMS; ++s)
        for (size_t k = 0; k < SAMPLE_COLUMNS; ++k) free(sample->columns[s][k].data);
    free(sample);
}

static inline bool same_text(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static inline bool same_column(const mote_Column *a, const mote_Column *b, size_t rows)
{
    bool same = same_text(a->name, b->name) && same_text(a->unit, b->unit) &&
                same_text(a->stage, b->stage) && a->type == b->type &&
                a->components == b->components &&
                memcmp(&a->fallback, &b->fallback, sizeof(double)) == 0;
    for (int c = 0; c < a->components && same; ++c)
        same =
            memcmp(column_plane(a, c), column_plane(b, c), rows * column_item_size(a->type)) == 0;
    return same;
}

/* Bit for bit, all but the shapes. */
static inline bool same_frame(const mote_Frame *a, const mote_Frame *b)
{
    bool same = a->index == b->index && memcmp(&a->time, &b->time, 8) == 0 &&
                memcmp(&a->dt, &b->dt, 8) == 0 && a->dimension == b->dimension &&
                a->up_axis == b->up_axis && a->system_count == b->system_count &&
                a->shape_count == b->shape_count;
    for (size_t s = 0; same && s < a->system_count; ++s) {
        const mote_FrameSystem *x = &a->systems[s], *y = &b->systems[s];
        same = same_text(x->name, y->name) && x->count == y->count &&
               x->column_count == y->column_count;
        for (size_t k = 0; same && k < x->column_count; ++k)
            same = same_column(&x->columns[k], &y->columns[k], x->count);
    }
    return same;
}

/* ---- folders and files ---- */

typedef struct Folder {
    char path[64], file[160];
} Folder;

static inline Folder folder_make(void)
{
    Folder folder = {.path = "io-test-XXXXXX"};
    if (mkdtemp(folder.path) == NULL) abort();
    return folder;
}

/* The path of a file in it, valid until the next call. */
static inline const char *folder_file(Folder *folder, const char *name)
{
    snprintf(folder->file, sizeof folder->file, "%s/%s", folder->path, name);
    return folder->file;
}

static inline int folder_count(const Folder *folder)
{
    int count = 0;
    DIR *dir = opendir(folder->path);
    if (dir == NULL) return 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static inline void folder_remove(const Folder *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder->path);
    if (system(command) != 0) abort();
}

static inline char *file_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    *size = 0;
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(1, *size + 1);
    if (fread(bytes, 1, *size, file) != *size) abort();
    fclose(file);
    return bytes;
}

/* Runs a command; 0 when it succeeded, 77 when it says that it skipped. */
static inline int run_command(const char *command)
{
    int status = system(command);
    return status == -1 ? 1 : status >> 8;
}

/* A test script with one argument; says so when NumPy is missing. */
static inline bool python_agrees(const char *script, const char *argument)
{
    char command[512];
    const char *python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
    snprintf(command, sizeof command, "%s %s/tests/io/%s '%s' %d", python, TEST_SOURCE, script,
             argument, (int)sizeof(mote_real));
    int code = run_command(command);
    if (code == 77 || code == 127) printf("skipped: %s: no python3 with numpy\n", script);
    return code == 0 || code == 77 || code == 127;
}

/* A locale that has a decimal comma and nothing else of its own, made in the folder; false, and
 * said, when it cannot be. */
static inline bool use_decimal_comma(Folder *folder)
{
    static const char source[] = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
                                 "grouping 3;3\nEND LC_NUMERIC\n";
    char command[300];
    FILE *input = fopen(folder_file(folder, "source"), "w");
    if (input == NULL || fputs(source, input) < 0 || fclose(input) != 0) abort();
    snprintf(command, sizeof command,
             "cd '%s' && localedef --quiet -c -i ./source -f ANSI_X3.4-1968 ./comma 2> /dev/null",
             folder->path);
    bool there = system(command) != -1 && setenv("LOCPATH", folder->path, 1) == 0 &&
                 setlocale(LC_NUMERIC, "comma") != NULL;
    char text[8];
    snprintf(text, sizeof text, "%.1f", 0.5);
    if (!there || text[1] != ',') printf("skipped: no locale with a decimal comma\n");
    return there;
}

/* ---- memory that runs out ---- */

typedef struct Scarce {
    long left; /* allocations that succeed */
    long held; /* blocks that were not given back */
} Scarce;

static inline void *scarce_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    Scarce *scarce = context;
    if (new_size > 0 && scarce->left-- <= 0) return NULL;
    scarce->held += (new_size > 0) - (old_size > 0);
    mote_Allocator normal = mote_default_allocator();
    return normal.resize(normal.context, block, old_size, new_size);
}

static inline mote_Allocator scarce_allocator(Scarce *scarce)
{
    return (mote_Allocator){.resize = scarce_resize, .context = scarce};
}

#endif

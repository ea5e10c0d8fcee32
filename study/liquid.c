/* Running a liquid for a study. */
#include "study/liquid.h"

#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void liquid_set(LiquidRun *run, const char *format, ...)
{
    va_list arguments;
    if (run->setting_count == LIQUID_SETTINGS) return;
    va_start(arguments, format);
    vsnprintf(run->settings[run->setting_count++], LIQUID_SETTING_SIZE, format, arguments);
    va_end(arguments);
}

static mote_Status load(LiquidRun *run, const char *name, const char *text, mote_Error *error)
{
    const char *settings[LIQUID_SETTINGS];
    mote_SceneDef def = mote_scene_def();
    for (size_t i = 0; i < run->options->setting_count; ++i)
        liquid_set(run, "%s", run->options->settings[i]);
    for (size_t i = 0; i < run->setting_count; ++i) settings[i] = run->settings[i];
    def.text = text, def.name = name;
    def.settings = settings, def.setting_count = run->setting_count;
    mote_Status status = mote_scene_load(&def, &run->scene, error);
    if (status == MOTE_BAD_VALUE && run->scene != NULL && run->options->explain != NULL)
        run->options->explain(NULL, run->scene, error);
    return status;
}

mote_Status liquid_open(LiquidRun *run, const char *name, const char *text, mote_Error *error)
{
    mote_TasksDef tasks = mote_tasks_def();
    mote_Status status = load(run, name, text, error);
    if (status == MOTE_OK) status = mote_tasks_create(&tasks, &run->tasks, error);
    if (status == MOTE_OK) status = mote_scene_world(run->scene, run->tasks, &run->world, error);
    for (size_t i = 0; status == MOTE_OK && i < LIQUID_RECORDS; ++i) {
        mote_ProbeSamples probe = mote_world_probe(run->world, i);
        if (probe.name == NULL) break;
        run->records[run->record_count++] =
            (Record){.name = probe.name, .columns = probe.column_count};
    }
    return status;
}

void liquid_close(LiquidRun *run)
{
    for (size_t i = 0; i < run->record_count; ++i) {
        free(run->records[i].times);
        free(run->records[i].values);
    }
    mote_world_destroy(run->world);
    mote_scene_destroy(run->scene);
    mote_tasks_destroy(run->tasks);
    *run = (LiquidRun){.options = NULL};
}

/* ---- records ---- */

static bool reserve(Record *record, size_t wanted)
{
    if (wanted <= record->capacity) return true;
    size_t capacity = wanted + wanted / 2 + 64;
    double *times = realloc(record->times, capacity * sizeof *times);
    if (times != NULL) record->times = times;
    double *values = realloc(record->values, capacity * record->columns * sizeof *values);
    if (values != NULL) record->values = values;
    if (times == NULL || values == NULL) return false;
    record->capacity = capacity;
    return true;
}

static mote_Status keep_samples(LiquidRun *run, mote_Error *error)
{
    for (size_t i = 0; i < run->record_count; ++i) {
        Record *record = &run->records[i];
        mote_ProbeSamples probe = mote_world_probe(run->world, i);
        if (!reserve(record, record->count + probe.count))
            return status_no_memory(error, record->name, record->count);
        memcpy(record->times + record->count, probe.times, probe.count * sizeof *probe.times);
        memcpy(record->values + record->count * record->columns, probe.values,
               probe.count * record->columns * sizeof *probe.values);
        record->count += probe.count;
    }
    return MOTE_OK;
}

/* A sign of life now and then: some runs take minutes. */
static void tell(LiquidRun *run)
{
    const double every = 20; /* s of wall clock */
    if (run->seconds - run->told < every) return;
    run->told = run->seconds;
    fprintf(stderr, "  %.3g s of the liquid's time, after %.0f s\n", mote_world_time(run->world),
            run->seconds);
}

mote_Status liquid_advance(LiquidRun *run, double until, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    double frame = 1 / mote_scene_info(run->scene).fps;
    while (status == MOTE_OK && mote_world_time(run->world) < until - 1e-3 * frame) {
        status = mote_world_step(run->world, &run->report, error);
        run->seconds += run->report.seconds;
        run->substeps += run->report.substeps;
        if (status == MOTE_OK) status = keep_samples(run, error);
        tell(run);
    }
    return status;
}

const Record *liquid_record(const LiquidRun *run, const char *probe)
{
    for (size_t i = 0; i < run->record_count; ++i)
        if (strcmp(run->records[i].name, probe) == 0) return &run->records[i];
    return NULL;
}

double record_last(const Record *record, size_t column)
{
    if (record->count == 0) return (double)NAN;
    return record->values[(record->count - 1) * record->columns + column];
}

double record_mean(const Record *record, size_t column, size_t last)
{
    size_t first = record->count > last ? record->count - last : 0;
    double sum = 0;
    for (size_t i = first; i < record->count; ++i)
        sum += record->values[i * record->columns + column];
    return sum / (double)(record->count - first);
}

/* ---- particles ---- */

const mote_real *liquid_plane(const LiquidRun *run, const char *system, const char *column,
                              int component, size_t *count)
{
    const mote_System *found = mote_world_system(run->world, system);
    const mote_Column *c = found != NULL ? mote_system_column(found, column) : NULL;
    *count = found != NULL ? mote_system_count(found) : 0;
    if (c == NULL || c->type != MOTE_COLUMN_REAL) return NULL;
    return (const mote_real *)c->data + (size_t)component * c->stride;
}

static void put(mote_System *system, const char *column, int component, size_t row, double value)
{
    const mote_Column *c = mote_system_column(system, column);
    ((mote_real *)c->data)[(size_t)component * c->stride + row] = (mote_real)value;
}

static void place(mote_System *system, const LiquidBlock *block, const int at[3], size_t row)
{
    static const char *const names[] = {"position", "velocity"};
    double x[2][3] = {{0}, {0}}, volume = 1;
    for (int c = 0; c < 3; ++c) {
        bool flat = block->count[c] == 0;
        x[0][c] = flat ? 0 : block->low[c] + (at[c] + 0.5) * block->spacing;
        if (!flat) volume *= block->spacing;
    }
    if (block->velocity != NULL) block->velocity(x[0], x[1]);
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 2; ++k) put(system, names[k], c, row, x[k][c]);
    put(system, "mass", 0, row, block->density * volume);
    put(system, "radius", 0, row, block->spacing / 2);
}

mote_Status liquid_fill(LiquidRun *run, const char *name, const LiquidBlock *block,
                        mote_Error *error)
{
    mote_System *system = mote_world_system(run->world, name);
    int n[3];
    size_t row, all = 1;
    for (int c = 0; c < 3; ++c) {
        n[c] = block->count[c] > 0 ? block->count[c] : 1;
        all *= (size_t)n[c];
    }
    mote_Status status = mote_system_add_rows(system, all, &row, error);
    if (status != MOTE_OK) return status;
    for (int i = 0; i < n[0]; ++i)
        for (int j = 0; j < n[1]; ++j)
            for (int k = 0; k < n[2]; ++k) place(system, block, (const int[]){i, j, k}, row++);
    mote_system_edited(system);
    return MOTE_OK;
}

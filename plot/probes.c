/* Plots of probes over time: a line for each column. */
#include "plot/probes.h"

#include "base/memory.h"
#include "base/status.h"
#include "plot/plot.h"
#include "text/text_buffer.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PROBES = 16, MOST_SERIES = MOST_PROBES * MOTE_PROBE_COLUMNS, NAME_SIZE = 200 };

typedef struct ProbePlot {
    mote_ProbeSamples *tables[MOST_PROBES];
    size_t table_count;
    const char *column; /* NULL: all */
    PlotSeries series[MOST_SERIES];
    char names[MOST_SERIES][NAME_SIZE];
    size_t series_count;
    const char *quantity, *unit; /* of the first series */
    bool mixed;                  /* others have another */
    Memory memory;
    Arena arena;
} ProbePlot;

static mote_Status add_series(ProbePlot *plot, const mote_ProbeSamples *table, size_t column,
                              mote_Error *error)
{
    double *y = arena_take(&plot->arena, (table->count + 1) * sizeof *y);
    const mote_ProbeColumn *shown = &table->columns[column];
    char *name = plot->names[plot->series_count];
    if (y == NULL) return status_no_memory(error, "a plot", table->count);
    for (size_t i = 0; i < table->count; ++i)
        y[i] = table->values[i * table->column_count + column];
    snprintf(name, NAME_SIZE, "%.90s %.90s", table->name, shown->name);
    if (plot->series_count == 0) plot->quantity = shown->name, plot->unit = shown->unit;
    plot->mixed = plot->mixed || strcmp(plot->unit, shown->unit) != 0;
    if (strcmp(plot->quantity, shown->name) != 0) plot->quantity = "value";
    plot->series[plot->series_count++] =
        (PlotSeries){.name = name, .x = table->times, .y = y, .count = table->count};
    return MOTE_OK;
}

static const char *column_name(const void *context, size_t i)
{
    const mote_ProbeSamples *table = context;
    return i < table->column_count ? table->columns[i].name : NULL;
}

static mote_Status add_table(ProbePlot *plot, const mote_ProbeSamples *table, mote_Error *error)
{
    size_t before = plot->series_count;
    mote_Status status = MOTE_OK;
    for (size_t c = 0; c < table->column_count && status == MOTE_OK; ++c)
        if (plot->column == NULL || strcmp(plot->column, table->columns[c].name) == 0)
            status = add_series(plot, table, c, error);
    if (status != MOTE_OK || plot->series_count > before) return status;
    char names[200];
    name_list_text((NameList){column_name, table}, names, sizeof names);
    return status_fail(error, MOTE_BAD_VALUE, "probe %s has no column `%.60s`; it has %s",
                       table->name, plot->column, names);
}

static mote_Status draw(const ProbePlot *probes, const char *path, mote_Error *error)
{
    char label[NAME_SIZE];
    bool unit = !probes->mixed && probes->unit[0] != '\0';
    snprintf(label, sizeof label, "%s%s%s%s", probes->quantity, unit ? " (" : "",
             unit ? probes->unit : "", unit ? ")" : "");
    const Plot plot = {.x = {.label = "time (s)"},
                       .y = {.label = label},
                       .series = probes->series,
                       .series_count = probes->series_count};
    return plot_write(&plot, path, error);
}

mote_Status plot_probes(const char *folder, const char *const *names, size_t count,
                        const char *column, const char *path, mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    ProbePlot *plot = memory_zeroed(&memory, sizeof *plot);
    if (plot == NULL) return status_no_memory(error, "a plot", sizeof *plot);
    plot->column = column;
    plot->memory = memory;
    plot->arena = arena_make(&plot->memory);
    mote_Status status = MOTE_OK;
    if (count == 0 || count > MOST_PROBES)
        status = status_fail(error, MOTE_BAD_VALUE, "a plot shows 1 to %d probes, not %zu",
                             (int)MOST_PROBES, count);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i) {
        status = mote_run_probe(folder, names[i], &plot->tables[i], error);
        if (status == MOTE_OK) status = add_table(plot, plot->tables[i], error);
    }
    if (status == MOTE_OK) status = draw(plot, path, error);
    for (size_t i = 0; i < MOST_PROBES; ++i) mote_probe_table_destroy(plot->tables[i]);
    arena_free(&plot->arena);
    memory = plot->memory;
    memory_free(&memory, plot, sizeof *plot);
    return status;
}

/* Plots in pictures: columns of the probes that a run has measured. */
#include "run/pictures.h"

#include "base/status.h"

#include <mote/run.h>

#include <stdio.h>
#include <string.h>

static mote_Status no_column(const mote_ProbeSamples *table, const char *column, mote_Error *error)
{
    char names[200];
    size_t used = 0;
    for (size_t c = 0; c < table->column_count && used < sizeof names; ++c)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", c > 0 ? ", " : "",
                                 table->columns[c].name);
    return status_fail(error, MOTE_BAD_VALUE, "probe %s has no column `%.60s`; it has %s",
                       table->name, column, names);
}

/* One column of a probe: that behind the point, or its first. */
static mote_Status choose(Insets *insets, size_t i, const char *column, mote_Error *error)
{
    const mote_ProbeSamples *table = insets->tables[i];
    size_t chosen = 0;
    while (column != NULL && chosen < table->column_count &&
           strcmp(table->columns[chosen].name, column) != 0)
        ++chosen;
    if (chosen >= table->column_count) return no_column(table, column, error);
    const mote_ProbeColumn *shown = &table->columns[chosen];
    const bool unit = shown->unit != NULL && shown->unit[0] != '\0';
    snprintf(insets->titles[i], sizeof insets->titles[i], "%.30s: %.30s%s%.16s%s", table->name,
             shown->name, unit ? " (" : "", unit ? shown->unit : "", unit ? ")" : "");
    insets->plots[i] = (mote_PicturePlot){.title = insets->titles[i],
                                          .times = table->times,
                                          .values = table->values + chosen,
                                          .count = table->count,
                                          .stride = table->column_count};
    return MOTE_OK;
}

/* A probe's name may have points itself: the whole text is tried first. */
static mote_Status open_one(Insets *insets, size_t i, const char *folder, const char *text,
                            mote_Error *error)
{
    char name[200];
    const char *point = strrchr(text, '.');
    mote_Status status = mote_run_probe(folder, text, &insets->tables[i], error);
    if (status == MOTE_OK) return choose(insets, i, NULL, error);
    if (point == NULL || status != MOTE_BAD_VALUE) return status;
    snprintf(name, sizeof name, "%.*s", (int)(point - text), text);
    status = mote_run_probe(folder, name, &insets->tables[i], error);
    return status == MOTE_OK ? choose(insets, i, point + 1, error) : status;
}

mote_Status insets_open(Insets *insets, const char *folder, const char *const *names, size_t count,
                        mote_Error *error)
{
    *insets = (Insets){.memory = memory_make((mote_Allocator){0}), .count = count};
    mote_Status status = MOTE_OK;
    if (count == 0) return MOTE_OK;
    insets->tables = memory_zeroed(&insets->memory, count * sizeof *insets->tables);
    insets->plots = memory_zeroed(&insets->memory, count * sizeof *insets->plots);
    insets->titles = memory_zeroed(&insets->memory, count * sizeof *insets->titles);
    if (insets->tables == NULL || insets->plots == NULL || insets->titles == NULL)
        return status_no_memory(error, "plots", count * sizeof *insets->titles);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i)
        status = open_one(insets, i, folder, names[i], error);
    return status;
}

void insets_close(Insets *insets)
{
    const size_t count = insets->count;
    for (size_t i = 0; insets->tables != NULL && i < count; ++i)
        mote_probe_table_destroy(insets->tables[i]);
    memory_free(&insets->memory, insets->tables, count * sizeof *insets->tables);
    memory_free(&insets->memory, insets->plots, count * sizeof *insets->plots);
    memory_free(&insets->memory, insets->titles, count * sizeof *insets->titles);
    *insets = (Insets){.count = 0};
}

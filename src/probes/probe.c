/* The table of probes; when samples are due, and keeping them. */
#include "probes/probe.h"

#include "base/definition.h"
#include "base/status.h"

#include <math.h>

#define DECLARE(row, ...) extern const ProbeRow row;
PROBE_ROWS(DECLARE)

ROW_TABLE(probe_rows, PROBE_ROWS(ROW_ADDRESS))

#define DEFAULTS(row, S, function) ROW_DEFAULTS(row.head, S, function)
PROBE_ROWS(DEFAULTS)

static const mote_Param params[] = {
    PARAM_DOUBLE(mote_ProbeDef, interval, "s",
                 "time between samples, taken when a sub-step ends; 0: every frame", 0, 0, 1e9),
};

const mote_Row probe_row = ROW_DEFINITION("probe", "measures something over time, into a table",
                                          params, mote_ProbeDef, mote_ProbeDef);

static mote_ProbeDef probe_defaults(void)
{
    mote_ProbeDef def;
    mote_row_defaults(&probe_row, &def);
    def.name = def.type = NULL;
    def.params = NULL;
    return def;
}

DEFINITION_MAKER(mote_ProbeDef, mote_probe_def, probe_defaults)

/* Whole intervals until t; a time that is one but for rounding counts. */
static double intervals(const Probe *probe, double t)
{
    return floor(t / probe->interval * (1 + 1e-12));
}

/* When a whole number of intervals lies within the sub-step or at its end: no sample is taken
 * twice, whatever the sub-steps. */
bool probe_is_due(const Probe *probe, double start, double end, bool ends_frame)
{
    if (probe->interval <= 0) return ends_frame;
    return intervals(probe, end) > intervals(probe, start);
}

void probe_sum(const ProbeSite *site, Limbs *sums, size_t count)
{
    ProbeRanks *all = site->all;
    if (all->status == MOTE_OK) all->status = ranks_sum_limbs(all->ranks, sums, count, &all->error);
}

void probe_most(const ProbeSite *site, double *numbers, size_t count)
{
    ProbeRanks *all = site->all;
    if (all->status == MOTE_OK) all->status = ranks_most(all->ranks, numbers, count, &all->error);
}

bool probe_has_room(const ProbeSite *site, bool room)
{
    ProbeRanks *all = site->all;
    mote_Error error;
    return ranks_agree(all->ranks, room ? MOTE_OK : MOTE_NO_MEMORY, &error) == MOTE_OK;
}

mote_Status probe_sample(Probe *probe, const ProbeSite *site, mote_Error *error)
{
    size_t columns = probe->column_count, count = probe->count;
    bool room = memory_reserve(site->memory, (void **)&probe->times, &probe->time_capacity,
                               count + 1, sizeof *probe->times) &&
                memory_reserve(site->memory, (void **)&probe->values, &probe->value_capacity,
                               (count + 1) * columns, sizeof *probe->values);
    room = probe_has_room(site, room);
    if (!room || !probe->row->sample(probe, site, probe->values + count * columns))
        return status_no_memory(error, probe->object.name, (count + 1) * columns);
    probe->times[count] = site->t;
    ++probe->count;
    return MOTE_OK;
}

void probe_release(Memory *memory, void *object)
{
    Probe *probe = object;
    memory_free(memory, probe->times, probe->time_capacity * sizeof *probe->times);
    memory_free(memory, probe->values, probe->value_capacity * sizeof *probe->values);
    memory_free(memory, probe->line, probe->line_capacity * sizeof *probe->line);
    memory_free_text(memory, probe->column_name);
}

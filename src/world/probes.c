/* Probes in a world: what they refer to, and when they are asked. Samples of the last step are kept
 * until the next one. */
#include "world/objects.h"

#include "base/definition.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* ---- what a probe refers to ---- */

static mote_Status refer_to_system(mote_World *world, Probe *probe, const char *where,
                                   const char **name, mote_Error *error)
{
    size_t number;
    mote_Status status = world_find_system(world, where, *name, &number, error);
    if (status != MOTE_OK) return status;
    probe->system = world->slots[number].system;
    *name = probe->system->name;
    return MOTE_OK;
}

static mote_Status refer_to_column(mote_World *world, Probe *probe, const char *where,
                                   const char **name, mote_Error *error)
{
    probe->column_name = memory_text(&world->memory, *name != NULL ? *name : "");
    *name = NULL;
    return probe->column_name != NULL ? MOTE_OK : status_no_memory(error, where, 1);
}

static mote_Status refer_to_field(mote_World *world, Probe *probe, const char *where,
                                  const char **name, mote_Error *error)
{
    void *field;
    mote_Status status = world_find_object(world, where, "field", *name, &field, error);
    if (status != MOTE_OK) return status;
    probe->field = field;
    *name = probe->field->object.name;
    return MOTE_OK;
}

/* A collider with a load probe is measured. */
static mote_Status refer_to_collider(mote_World *world, Probe *probe, const char *where,
                                     const char **name, mote_Error *error)
{
    void *found;
    mote_Status status = world_find_object(world, where, "collider", *name, &found, error);
    if (status != MOTE_OK) return status;
    Collider *collider = found;
    collider->def.measure = true;
    probe->collider = collider;
    *name = collider->object.name;
    return MOTE_OK;
}

static const struct {
    const char *kind;
    mote_Status (*refer)(mote_World *world, Probe *probe, const char *where, const char **name,
                         mote_Error *error);
} kinds[] = {{"system", refer_to_system},
             {"column", refer_to_column},
             {"field", refer_to_field},
             {"collider", refer_to_collider}};

/* What a NAME parameter means; its text belongs to the caller, so the object's own is kept. */
static mote_Status refer(mote_World *world, Probe *probe, const char *where,
                         const mote_Param *param, mote_Error *error)
{
    const char **name = (const char **)((char *)probe->object.params + param->offset);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (strcmp(kinds[i].kind, param->choices[0]) == 0)
            return kinds[i].refer(world, probe, where, name, error);
    return MOTE_OK;
}

static mote_Status open_probe(mote_World *world, Probe *probe, const mote_ProbeDef *def,
                              mote_Error *error)
{
    const mote_Row *row = &probe->row->head;
    char where[160];
    snprintf(where, sizeof where, "probe %s", probe->object.name);
    probe->object.release = probe_release;
    probe->interval = def->interval;
    probe->columns = probe->row->columns;
    probe->column_count = probe->row->column_count;
    probe->saved[6] = world->time;
    mote_Status status = mote_row_check(&probe_row, where, def, error);
    if (status == MOTE_OK && (strchr(probe->object.name, '/') != NULL || where[6] == '.'))
        status =
            status_fail(error, MOTE_BAD_VALUE,
                        "%s: a probe's name is that of its file, without / and no . first", where);
    for (size_t i = 0; i < row->param_count && status == MOTE_OK; ++i) {
        if (row->params[i].type == MOTE_PARAM_NAME)
            status = refer(world, probe, where, &row->params[i], error);
    }
    if (status == MOTE_OK && probe->row->open != NULL)
        status = probe->row->open(probe, where, error);
    return status;
}

mote_Status mote_world_add_probe(mote_World *world, const mote_ProbeDef *given, mote_Error *error)
{
    DEFINITION_TAKE(mote_ProbeDef, mote_probe_def);
    const ProbeRow *row = (const ProbeRow *)world_find_row(
        world, probe_rows, "probe type", def->type != NULL ? def->type : "", error);
    if (row == NULL) return MOTE_BAD_VALUE;
    NewObject fresh = {"probe", def->name, &row->head, def->params, sizeof(Probe), NULL};
    Probe *probe;
    mote_Status status = world_make_object(world, &world->probes, &fresh, (void **)&probe, error);
    if (status != MOTE_OK) return status;
    probe->row = row;
    status = open_probe(world, probe, def, error);
    return world_keep_object(world, &world->probes, probe, sizeof *probe, status);
}

/* ---- sampling ---- */

static ProbeSite probe_site(mote_World *world, double t, ProbeRanks *all)
{
    const mote_WorldDef *def = &world->def;
    const mote_real *period = world->shop.period;
    return (ProbeSite){.t = t,
                       .dimension = (int)def->dimension,
                       .up = def->up,
                       .period = {period[0], period[1], period[2]},
                       .memory = &world->memory,
                       .colliders = world->colliders.items,
                       .collider_count = world->colliders.count,
                       .all = all};
}

/* Those that share the rows of the system that a probe looks at. */
static ProbeRanks probe_ranks(const mote_World *world, const Probe *probe)
{
    const mote_Ranks *ranks = world->shop.ranks;
    for (size_t i = 0; i < world->slot_count; ++i)
        if (world->slots[i].system == probe->system)
            ranks = slot_ranks(&world->shop, &world->slots[i]);
    return (ProbeRanks){.ranks = ranks};
}

static mote_Status told_by(const ProbeRanks *all, mote_Error *error)
{
    if (all->status != MOTE_OK && error != NULL) *error = all->error;
    return all->status;
}

/* Parameters, and for probes of fields these too, as they are at time t: once for all of them. */
static mote_Status prepare(mote_World *world, const Probe *probe, double t, bool *prepared,
                           mote_Error *error)
{
    mote_Status status = world_change_parameters(world, t, error);
    if (status != MOTE_OK || probe->field == NULL || *prepared) return status;
    *prepared = true;
    return world_prepare(world, t, world->def.max_step, error);
}

static mote_Status sample(mote_World *world, Probe *probe, double t, bool *prepared,
                          mote_Error *error)
{
    ProbeRanks all = probe_ranks(world, probe);
    const ProbeSite site = probe_site(world, t, &all);
    mote_Status status = world_bring_home(world, error);
    if (status == MOTE_OK) status = prepare(world, probe, t, prepared, error);
    status = ranks_agree(world->shop.ranks, status, error);
    if (status != MOTE_OK) return status;
    status = probe_sample(probe, &site, error);
    if (status == MOTE_OK) status = told_by(&all, error);
    return all.ranks == world->shop.ranks ? status : ranks_agree(world->shop.ranks, status, error);
}

void world_begin_probes(mote_World *world)
{
    for (size_t i = 0; i < world->probes.count; ++i) {
        Probe *probe = world->probes.items[i];
        probe->count = 0;
        memset(probe->seen, 0, sizeof probe->seen);
    }
}

bool world_probes_rest(const mote_World *world)
{
    for (size_t i = 0; i < world->probes.count; ++i)
        if (((const Probe *)world->probes.items[i])->interval > 0) return false;
    return true;
}

mote_Status world_sample_probes(mote_World *world, double start, double end, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    bool prepared = false;
    for (size_t i = 0; i < world->probes.count && status == MOTE_OK; ++i) {
        Probe *probe = world->probes.items[i];
        ProbeRanks all = probe_ranks(world, probe);
        const ProbeSite site = probe_site(world, end, &all);
        probe_collect(probe);
        if (probe->row->watch != NULL) status = world_bring_home(world, error);
        if (status != MOTE_OK) return status;
        if (probe->row->watch != NULL) probe->row->watch(probe, &site, end - start);
        status = told_by(&all, error);
        if (status == MOTE_OK && probe_is_due(probe, start, end, world->shop.ends_frame))
            status = sample(world, probe, end, &prepared, error);
    }
    return status;
}

mote_Status mote_world_sample_probes(mote_World *world, mote_Error *error)
{
    mote_Status status = world_begin(world, error);
    bool prepared = false;
    for (size_t i = 0; i < world->probes.count && status == MOTE_OK; ++i)
        status = sample(world, world->probes.items[i], world->time, &prepared, error);
    return status;
}

mote_ProbeSamples mote_world_probe(const mote_World *world, size_t i)
{
    if (i >= world->probes.count) return (mote_ProbeSamples){.name = NULL};
    const Probe *probe = world->probes.items[i];
    return (mote_ProbeSamples){.name = probe->object.name,
                               .type = probe->row->head.name,
                               .columns = probe->columns,
                               .column_count = probe->column_count,
                               .count = probe->count,
                               .times = probe->times,
                               .values = probe->values};
}

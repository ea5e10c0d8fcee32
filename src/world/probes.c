/* Probes in a world: what they refer to, and when they are asked. Samples of the last step are kept
 * until the next one. */
#include "world/objects.h"

#include "base/status.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- what a probe refers to ---- */

static const char *system_name(const void *context, size_t i)
{
    const mote_World *world = context;
    return i < world->slot_count ? world->slots[i].system->name : NULL;
}

static const char *object_name(const void *context, size_t i)
{
    const ObjectList *list = context;
    return i < list->count ? ((const Object *)list->items[i])->name : NULL;
}

static mote_Status no_such(const char *where, const char *kind, const char *name, const char *near,
                           mote_Error *error)
{
    if (name == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: it must name a %s", where, kind);
    if (near != NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: there is no %s `%s`; did you mean `%s`?",
                           where, kind, name, near);
    return status_fail(error, MOTE_BAD_VALUE, "%s: there is no %s `%s`", where, kind, name);
}

static void *find(const ObjectList *list, const char *name)
{
    size_t number = name != NULL ? name_index_find(&list->names, name) : SIZE_MAX;
    return number != SIZE_MAX ? list->items[number] : NULL;
}

/* A collider with a load probe is measured. */
static mote_Status refer(mote_World *world, Probe *probe, const char *where, const char *kind,
                         const char **name, mote_Error *error)
{
    const char *near = NULL;
    if (strcmp(kind, "column") == 0) {
        probe->column_name = memory_text(&world->memory, *name != NULL ? *name : "");
        *name = NULL;
        return probe->column_name != NULL ? MOTE_OK : status_no_memory(error, where, 1);
    }
    if (strcmp(kind, "system") == 0) {
        probe->system = *name != NULL ? mote_world_system(world, *name) : NULL;
        if (probe->system != NULL) return *name = probe->system->name, MOTE_OK;
        if (*name != NULL) near = text_nearest(*name, system_name, world);
        return no_such(where, kind, *name, near, error);
    }
    bool field = strcmp(kind, "field") == 0;
    const ObjectList *list = field ? &world->fields : &world->colliders;
    Object *object = find(list, *name);
    if (object == NULL) {
        if (*name != NULL) near = text_nearest(*name, object_name, list);
        return no_such(where, kind, *name, near, error);
    }
    *name = object->name;
    if (field)
        probe->field = (const Field *)object;
    else
        ((Collider *)object)->def.measure = true, probe->collider = (const Collider *)object;
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
        const mote_Param *param = &row->params[i];
        if (param->type != MOTE_PARAM_NAME) continue;
        const char **name = (const char **)((char *)probe->object.params + param->offset);
        status = refer(world, probe, where, param->choices[0], name, error);
    }
    if (status == MOTE_OK && probe->row->open != NULL)
        status = probe->row->open(probe, where, error);
    return status;
}

mote_Status mote_world_add_probe(mote_World *world, const mote_ProbeDef *def, mote_Error *error)
{
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

static ProbeSite probe_site(mote_World *world, double t)
{
    const mote_WorldDef *def = &world->def;
    const mote_real *period = world->shop.period;
    return (ProbeSite){.t = t,
                       .dimension = (int)def->dimension,
                       .up = def->up,
                       .period = {period[0], period[1], period[2]},
                       .memory = &world->memory,
                       .colliders = world->colliders.items,
                       .collider_count = world->colliders.count};
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
    const ProbeSite site = probe_site(world, t);
    mote_Status status = prepare(world, probe, t, prepared, error);
    return status == MOTE_OK ? probe_sample(probe, &site, error) : status;
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
        const ProbeSite site = probe_site(world, end);
        probe_collect(probe);
        if (probe->row->watch != NULL) probe->row->watch(probe, &site, end - start);
        if (probe_is_due(probe, start, end, world->shop.ends_frame))
            status = sample(world, probe, end, &prepared, error);
    }
    return status;
}

mote_Status mote_world_sample_probes(mote_World *world, mote_Error *error)
{
    mote_Status status = world_plan(world, error);
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

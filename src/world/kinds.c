/* Adding fields, forces, colliders, emitters and links: what is particular to each. */
#include "world/objects.h"

#include "base/definition.h"
#include "base/status.h"
#include "world/solvers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void release_field(Memory *memory, void *object)
{
    field_close(memory, object);
}

static mote_Status open_field(mote_World *world, Field *field, const mote_FieldDef *def,
                              mote_Error *error)
{
    char where[NAME_SIZE + 32];
    snprintf(where, sizeof where, "field %s", field->object.name);
    FieldSite site = {.memory = &world->memory,
                      .tasks = world_tasks(world),
                      .isa = world->isa,
                      .seed = world->def.seed,
                      .dimension = (int)world->def.dimension,
                      .where = where};
    field->object.release = release_field;
    return field_open(&site, field, def, error);
}

mote_Status mote_world_add_field(mote_World *world, const mote_FieldDef *given, mote_Error *error)
{
    DEFINITION_TAKE(mote_FieldDef, mote_field_def);
    const FieldRow *row =
        (const FieldRow *)world_find_row(world, field_rows, "field type", def->type, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    NewObject fresh = {"field", def->name, &row->head, def->params, sizeof(Field), row->check};
    Field *field;
    mote_Status status = world_make_object(world, &world->fields, &fresh, (void **)&field, error);
    if (status != MOTE_OK) return status;
    field->row = row;
    status = open_field(world, field, def, error);
    return world_keep_object(world, &world->fields, field, sizeof *field, status);
}

mote_Status world_find_field(const mote_World *world, const char *where, const char *name,
                             int components, const Field **field, mote_Error *error)
{
    static const char *const kinds[] = {[1] = "scalar", [3] = "vector"};
    void *found;
    mote_Status status = world_find_object(world, where, "field", name, &found, error);
    *field = found;
    if (status != MOTE_OK || (*field)->row->components == components) return status;
    return status_fail(error, MOTE_BAD_VALUE, "%s: field %s is a %s field, but a %s is needed",
                       where, name, kinds[(*field)->row->components], kinds[components]);
}

/* What the NAME parameters of a row refer to: a vector field, or a collider; NULL where they name
 * none. The text belongs to the caller, so the object's own is kept instead. */
static mote_Status resolve_names(mote_World *world, const mote_Row *row, Object *object,
                                 const Field **field, Collider **collider, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < row->param_count && status == MOTE_OK; ++i) {
        const mote_Param *param = &row->params[i];
        const char **name = (const char **)((char *)object->params + param->offset);
        void *found;
        if (param->type != MOTE_PARAM_NAME || *name == NULL) continue;
        if (collider != NULL && strcmp(param->choices[0], "collider") == 0) {
            status = world_find_object(world, object->name, "collider", *name, &found, error);
            *collider = found;
        } else {
            status = world_find_field(world, object->name, *name, 3, field, error);
            found = (void *)*field;
        }
        if (status == MOTE_OK) *name = ((const Object *)found)->name;
    }
    return status;
}

static void release_force(Memory *memory, void *object)
{
    Force *force = object;
    if (force->state != NULL) force->row->close(memory, force->state);
}

/* What a force between rows keeps. */
static mote_Status open_force(mote_World *world, Force *force, mote_Error *error)
{
    if (force->row->open == NULL) return MOTE_OK;
    force->object.release = release_force;
    force->state = force->row->open(&world->memory);
    if (force->state != NULL) return MOTE_OK;
    return status_no_memory(error, force->object.name, 1);
}

/* Whether the systems that it acts on have the columns that it needs. */
static mote_Status check_systems(const mote_World *world, const Force *force, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        if (force->row->check_system != NULL && (force->systems >> i & 1) != 0)
            status = force->row->check_system(force, world->slots[i].system, error);
    return status;
}

mote_Status mote_world_add_force(mote_World *world, const mote_ForceDef *given, mote_Error *error)
{
    DEFINITION_TAKE(mote_ForceDef, mote_force_def);
    const ForceRow *row =
        (const ForceRow *)world_find_row(world, force_rows, "force type", def->type, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    NewObject fresh = {"force", def->name, &row->head, def->params, sizeof(Force), row->check};
    Force *force;
    mote_Status status = world_make_object(world, &world->forces, &fresh, (void **)&force, error);
    if (status != MOTE_OK) return status;
    force->row = row;
    force->group = def->group;
    status =
        resolve_names(world, &row->head, &force->object, &force->field, &force->collider, error);
    if (status == MOTE_OK) status = open_force(world, force, error);
    if (status == MOTE_OK)
        status = world_system_bits(world, force->object.name, def->systems, def->system_count,
                                   &force->systems, error);
    if (status == MOTE_OK) status = check_systems(world, force, error);
    const Slots slots = world_slots(world);
    if (status == MOTE_OK) status = company_join(&slots, force, error);
    return world_keep_object(world, &world->forces, force, sizeof *force, status);
}

static mote_Status set_friction(mote_World *world, Collider *collider, mote_Error *error)
{
    const mote_ColliderDef *def = &collider->def;
    const char *law = def->friction_law != NULL ? def->friction_law : "dry";
    const FrictionRow *row =
        (const FrictionRow *)world_find_row(world, friction_rows, "friction law", law, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    collider->friction = row;
    mote_row_defaults(&row->head, &collider->friction_params);
    if (def->friction_law != NULL && def->friction_params != NULL)
        memcpy(&collider->friction_params, def->friction_params, row->head.params_size);
    return mote_row_check(&row->head, collider->object.name, &collider->friction_params, error);
}

mote_Status mote_world_add_collider(mote_World *world, const mote_ColliderDef *given,
                                    mote_Error *error)
{
    DEFINITION_TAKE(mote_ColliderDef, mote_collider_def);
    const ShapeRow *row =
        (const ShapeRow *)world_find_row(world, shape_rows, "shape", def->shape, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    NewObject fresh = {"collider",        def->name,        &row->head,
                       def->shape_params, sizeof(Collider), row->check};
    Collider *collider;
    mote_Status status =
        world_make_object(world, &world->colliders, &fresh, (void **)&collider, error);
    if (status != MOTE_OK) return status;
    collider->shape = row;
    collider->def = *def;
    collider->pose = mote_pose_def();
    status = mote_row_check(&collider_row, collider->object.name, def, error);
    if (status == MOTE_OK)
        status = mote_row_check(&motion_row, collider->object.name, &def->motion, error);
    if (status == MOTE_OK) status = set_friction(world, collider, error);
    if (status == MOTE_OK)
        status = world_system_bits(world, collider->object.name, def->systems, def->system_count,
                                   &collider->systems, error);
    return world_keep_object(world, &world->colliders, collider, sizeof *collider, status);
}

static mote_Status check_temperature(const mote_World *world, const Emitter *emitter,
                                     mote_Error *error)
{
    const mote_System *system = world->slots[emitter->system].system;
    if (!(emitter->def.temperature > 0) || mote_system_column(system, "temperature") != NULL)
        return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "emitter %s: system %s has no temperature; give its liquid solver.heat: "
                       "\"conduction\", or leave `temperature` out",
                       emitter->object.name, system->name);
}

mote_Status mote_world_add_emitter(mote_World *world, const mote_EmitterDef *given,
                                   mote_Error *error)
{
    DEFINITION_TAKE(mote_EmitterDef, mote_emitter_def);
    const SourceRow *row =
        (const SourceRow *)world_find_row(world, source_rows, "source", def->source, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    NewObject fresh = {"emitter",          def->name,       &row->head,
                       def->source_params, sizeof(Emitter), row->check};
    Emitter *emitter;
    mote_Status status =
        world_make_object(world, &world->emitters, &fresh, (void **)&emitter, error);
    if (status != MOTE_OK) return status;
    emitter->source = row;
    emitter->def = *def;
    emitter->key = random_key(world->def.seed, emitter->object.name);
    status = mote_row_check(&emitter_row, emitter->object.name, def, error);
    if (status == MOTE_OK)
        status =
            world_find_system(world, emitter->object.name, def->system, &emitter->system, error);
    if (status == MOTE_OK) {
        char where[100];
        SourceSite site = {&world->memory, where, world->def.dimension == 2, emitter->def.velocity};
        snprintf(where, sizeof where, "emitter %s", emitter->object.name);
        status = emitter_lay(emitter, &site, error);
    }
    if (status == MOTE_OK) status = check_temperature(world, emitter, error);
    if (status == MOTE_OK && def->wind != NULL)
        status = world_find_field(world, emitter->object.name, def->wind, 3, &emitter->wind, error);
    if (status == MOTE_OK && def->density != NULL)
        status = world_find_field(world, emitter->object.name, def->density, 1, &emitter->density,
                                  error);
    return world_keep_object(world, &world->emitters, emitter, sizeof *emitter, status);
}

/* Whether the system can have these links. */
static mote_Status check_links(const mote_World *world, const mote_LinksDef *def,
                               const Links *links, mote_Error *error)
{
    const SystemSlot *slot = &world->slots[links->system];
    const mote_WorldDef *box = &world->def;
    if (!slot->solver->row->fuses)
        return status_fail(error, MOTE_BAD_VALUE,
                           "links %s: system %s has solver %s; links need solver points",
                           links->object.name, slot->system->name, slot->solver->row->head.name);
    if (slot->points.trace != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "links %s: system %s follows a field and feels no force",
                           links->object.name, slot->system->name);
    if (def->air > 0 && (box->periodic_x || box->periodic_y || box->periodic_z))
        return status_fail(error, MOTE_BAD_VALUE,
                           "links %s: air needs a world without periodic axes", links->object.name);
    return MOTE_OK;
}

/* The pattern's parameters are needed only here, and lie on the stack. */
static mote_Status lay_links(mote_World *world, const mote_LinksDef *def, const PatternRow *row,
                             Links *links, mote_Error *error)
{
    _Alignas(16) char params[256];
    const SystemSlot *slot = &world->slots[links->system];
    const NewObject pattern = {.kind = "links",
                               .name = links->object.name,
                               .row = &row->head,
                               .params = def->pattern_params,
                               .check = row->check};
    assert(row->head.params_size <= sizeof params);
    mote_Status status = world_check_params(&pattern, links->object.name, params, error);
    if (status != MOTE_OK) return status;
    const size_t before = slot->system->count;
    status = links_lay(links, slot->system, row, params, error);
    if (status != MOTE_OK) return status;
    return rates_bear(slot->rates, slot->system, before, slot->system->count - before, error);
}

/* What the definition points at belongs to the caller. */
static void forget_names(mote_LinksDef *own)
{
    own->name = own->system = own->pattern = NULL, own->pattern_params = NULL;
}

mote_Status mote_world_add_links(mote_World *world, const mote_LinksDef *given, mote_Error *error)
{
    DEFINITION_TAKE(mote_LinksDef, mote_links_def);
    const PatternRow *row = (const PatternRow *)world_find_row(
        world, pattern_rows, "pattern", def->pattern != NULL ? def->pattern : "chain", error);
    if (row == NULL) return MOTE_BAD_VALUE;
    NewObject fresh = {"links", def->name, &links_row, def, sizeof(Links), NULL};
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s-%zu", row->head.name, world->links.made);
    if (def->name == NULL) fresh.name = name;
    Links *links;
    mote_Status status = world_make_object(world, &world->links, &fresh, (void **)&links, error);
    if (status != MOTE_OK) return status;
    status = world_find_system(world, links->object.name, def->system, &links->system, error);
    if (status == MOTE_OK)
        status = resolve_names(world, &links_row, &links->object, &links->wind, NULL, error);
    forget_names(links->object.params);
    if (status == MOTE_OK) status = check_links(world, def, links, error);
    if (status == MOTE_OK) status = lay_links(world, def, row, links, error);
    return world_keep_object(world, &world->links, links, sizeof *links, status);
}

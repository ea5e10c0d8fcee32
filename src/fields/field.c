/* The table of fields; opening and closing one. */
#include "fields/field.h"

#include "base/definition.h"
#include "base/row.h"
#include "base/status.h"

#define DECLARE(row, ...) ISA_EXTERN(FieldRow, row)
FIELD_ROWS(DECLARE)
ISA_ROW_TABLE(field_rows, FIELD_ROWS)
ROW_DEFAULTS_FUNCTIONS(FIELD_ROWS)

static mote_FieldDef field_defaults(void)
{
    return (mote_FieldDef){.type = "uniform"};
}

DEFINITION_MAKER(mote_FieldDef, mote_field_def, field_defaults)

static mote_Status name_obstacles(const FieldSite *site, Field *field, const mote_FieldDef *def,
                                  mote_Error *error)
{
    size_t bytes = def->obstacle_count * sizeof *field->obstacles;
    if (def->obstacle_count == 0) return MOTE_OK;
    if (!field->row->takes_obstacles)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: a field of type %s flows around nothing; obstacles belong to "
                           "curl-noise",
                           site->where, field->row->head.name);
    field->obstacles = memory_zeroed(site->memory, bytes);
    if (field->obstacles == NULL) return status_no_memory(error, site->where, bytes);
    field->obstacle_count = def->obstacle_count;
    for (size_t i = 0; i < def->obstacle_count; ++i) {
        field->obstacles[i].name = memory_text(site->memory, def->obstacles[i]);
        if (field->obstacles[i].name == NULL) return status_no_memory(error, site->where, 1);
    }
    return MOTE_OK;
}

/* Names belong to the caller, so they are copied, and forgotten in the parameters. */
static mote_Status name_particles(const FieldSite *site, Field *field, mote_Error *error)
{
    if (!field->row->takes_particles) return MOTE_OK;
    mote_SmoothedField *p = field->object.params;
    if (p->system == NULL || p->column == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: it must name a system and a column of it",
                           site->where);
    field->particles.name = memory_text(site->memory, p->system);
    field->particles.column = memory_text(site->memory, p->column);
    p->system = p->column = NULL;
    bool room = field->particles.name != NULL && field->particles.column != NULL;
    return room ? MOTE_OK : status_no_memory(error, site->where, 1);
}

mote_Status field_open(const FieldSite *site, Field *field, const mote_FieldDef *def,
                       mote_Error *error)
{
    mote_Status status = name_obstacles(site, field, def, error);
    if (status == MOTE_OK) status = name_particles(site, field, error);
    if (status == MOTE_OK && field->row->open != NULL)
        status = field->row->open(site, field, error);
    if (status != MOTE_OK) field_close(site->memory, field);
    return status;
}

void field_close(Memory *memory, Field *field)
{
    if (field->state != NULL && field->row->close != NULL) field->row->close(memory, field->state);
    for (size_t i = 0; i < field->obstacle_count; ++i)
        memory_free_text(memory, field->obstacles[i].name);
    memory_free(memory, field->obstacles, field->obstacle_count * sizeof *field->obstacles);
    memory_free_text(memory, field->particles.name);
    memory_free_text(memory, field->particles.column);
    field->particles = (FieldParticles){0};
    field->state = NULL, field->obstacles = NULL, field->obstacle_count = 0;
}

/* ---- a field of the user's ---- */

static void call_sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_CallbackField *p = field->object.params;
    p->sample(p->context, points->count, points->x, points->t, out);
}

static mote_Status check_callback(const void *raw, const char *where, mote_Error *error)
{
    const mote_CallbackField *p = raw;
    return row_check_given(p->sample != NULL, "a callback field needs a sample function", where,
                           error);
}

ISA_ONCE(FieldRow, field_callback) = {
    .head = {.name = "callback",
             .doc = "a field computed by a function of the host program",
             .params_size = sizeof(mote_CallbackField)},
    .components = 3,
    .sample = call_sample,
    .check = check_callback,
};

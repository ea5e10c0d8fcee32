/* Octave sums as the state of a field. */
#include "fields/octaves.h"

#include "base/hash.h"
#include "base/status.h"

#include <string.h>

static void make_sums(const Field *field)
{
    FieldOctaves *octaves = field->state;
    TurbulenceDef def = {.isa = octaves->isa};
    octaves->describe(field->object.params, &def);
    def.seed = hash_mix(octaves->seed + hash_mix(def.seed));
    for (size_t i = 0; i < octaves->count; ++i) turbulence_make(&def, i, &octaves->sum[i]);
    memcpy(octaves->made_for, field->object.params, octaves->params_size);
}

mote_Status octaves_open(const FieldSite *site, Field *field, size_t count, OctavesDef *describe,
                         mote_Error *error)
{
    size_t size = field->object.params_size;
    FieldOctaves *octaves = memory_zeroed(site->memory, sizeof *octaves);
    void *made_for = memory_zeroed(site->memory, size);
    if (octaves == NULL || made_for == NULL) {
        memory_free(site->memory, octaves, sizeof *octaves);
        memory_free(site->memory, made_for, size);
        return status_no_memory(error, site->where, sizeof *octaves + size);
    }
    octaves->isa = site->isa;
    octaves->seed = hash_mix(hash_text(field->object.name) ^ hash_mix(site->seed));
    octaves->count = count, octaves->describe = describe;
    octaves->made_for = made_for, octaves->params_size = size;
    field->state = octaves;
    make_sums(field);
    return MOTE_OK;
}

void octaves_close(Memory *memory, void *state)
{
    FieldOctaves *octaves = state;
    memory_free(memory, octaves->made_for, octaves->params_size);
    memory_free(memory, octaves, sizeof *octaves);
}

mote_Status octaves_prepare(Field *field, double t, double dt, mote_Error *error)
{
    const FieldOctaves *octaves = field->state;
    (void)t, (void)dt, (void)error;
    if (memcmp(octaves->made_for, field->object.params, octaves->params_size) != 0)
        make_sums(field);
    return MOTE_OK;
}

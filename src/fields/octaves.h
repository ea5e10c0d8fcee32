/* Octave sums as the state of a field: `count` sums with the same octaves and different lattices,
 * made again whenever the parameters have changed. */
#ifndef FIELDS_OCTAVES_H
#define FIELDS_OCTAVES_H

#include "fields/field.h"
#include "noise/turbulence.h"

/* What the sums are, from the row's parameters; isa and seed are set by the caller. */
typedef void OctavesDef(const void *params, TurbulenceDef *def);

typedef struct FieldOctaves {
    Isa isa;
    uint64_t seed;  /* of the world, mixed with the field's name */
    size_t count;   /* of sums */
    void *made_for; /* the parameters that the sums were made for */
    size_t params_size;
    OctavesDef *describe;
    Turbulence sum[3];
} FieldOctaves;

mote_Status octaves_open(const FieldSite *site, Field *field, size_t count, OctavesDef *describe,
                         mote_Error *error);
void octaves_close(Memory *memory, void *state);
/* The row's callback: makes the sums again when the parameters have changed. */
mote_Status octaves_prepare(Field *field, double t, double dt, mote_Error *error);

/* What rows of such fields have in common. */
#define OCTAVES_CALLBACKS(sample_, open_)                                                          \
    .sample = sample_, .open = open_, .close = octaves_close, .prepare = octaves_prepare

static inline void octaves_sample(const Turbulence *sum, const FieldPoints *points,
                                  mote_real *value, mote_real *const gradient[3])
{
    TurbulencePoints at = {points->count, {points->x[0], points->x[1], points->x[2]}, points->t};
    sum->kernels->sample(sum, &at, value, gradient);
}

#endif

/* The table of noises, and noise for programs. */
#include "noise/noise.h"

#include "base/definition.h"
#include "base/hash.h"
#include "base/row.h"
#include "base/status.h"

#define DECLARE(row, ...) ISA_EXTERN(NoiseRow, row)
NOISE_ROWS(DECLARE)
ISA_ROW_TABLE(noise_rows, NOISE_ROWS)

const NoiseRow *noise_row(Isa isa, int number)
{
    size_t count;
    return (const NoiseRow *)noise_rows(isa, &count)[number];
}

NoiseSeed noise_seed(uint64_t seed, uint64_t stream)
{
    uint64_t a = hash_mix(hash_mix(seed) + stream), b = hash_mix(a + 0x9e3779b97f4a7c15u);
    return (NoiseSeed){{(uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32)}};
}

static mote_NoiseDef noise_defaults(void)
{
    return (mote_NoiseDef){.type = "perlin"};
}

DEFINITION_MAKER(mote_NoiseDef, mote_noise_def, noise_defaults)

mote_Status mote_noise_sample(const mote_NoiseDef *given, const mote_NoisePoints *points,
                              mote_real *value, mote_real *const *gradient, mote_Error *error)
{
    DEFINITION_TAKE(mote_NoiseDef, mote_noise_def);
    size_t count;
    const mote_Row *const *rows = noise_rows(isa_pick(), &count);
    const NoiseRow *row =
        (const NoiseRow *)row_find(rows, count, "noise", "type", def->type, error);
    int dimensions = points->dimensions;
    if (row == NULL) return MOTE_BAD_VALUE;
    if (dimensions != 3 && dimensions != 4)
        return status_fail(error, MOTE_BAD_VALUE,
                           "noise: it has %d dimensions, but must have 3 or 4", dimensions);
    NoiseJob job = {.count = points->count, .seed = noise_seed(def->seed, 0), .value = value};
    for (int k = 0; k < dimensions; ++k) job.x[k] = points->x[k];
    for (int k = 0; k < dimensions && gradient != NULL; ++k) job.gradient[k] = gradient[k];
    (gradient != NULL ? row->gradient : row->value)[dimensions - 3](&job);
    return MOTE_OK;
}

/* Formulas on a device against the processor's, bit by bit, of numbers of all sizes. Skipped where
 * there is no exact device. */
#include "setup.h"

#include "device/trial.h"
#include "solvers/sph/kernels.h"
#include "space/smoothing_lanes.h"

#include "solvers/sph/formulas/pair_force.h"

#include "device/try_formulas.h"

#include <stdlib.h>

#include "device_sph.inc"

enum { INPUTS = 4096 };

static const char kernels[] =
    "kernel void try_all(global const mote_real *in, uint count, global mote_real *out)\n"
    "{\n"
    "    const uint i = get_global_id(0) * LANES;\n"
    "    Eight a, b, c, to[TRY_NUMBERS];\n"
    "    mote_real *x = (mote_real *)&a, *y = (mote_real *)&b, *z = (mote_real *)&c;\n"
    "    if (i >= count) return;\n"
    "    for (uint l = 0; l < LANES; ++l)\n"
    "        x[l] = in[i + l], y[l] = in[count + i + l], z[l] = in[2 * count + i + l];\n"
    "    try_formulas(a, b, c, to);\n"
    "    for (uint k = 0; k < TRY_NUMBERS; ++k)\n"
    "        for (uint l = 0; l < LANES; ++l)\n"
    "            out[k * count + i + l] = ((const mote_real *)&to[k])[l];\n"
    "    for (uint l = 0; l < LANES; ++l)\n"
    "        out[TRY_NUMBERS * count + i + l] =\n"
    "            try_cell(in[i + l] * 1000, in[count + i + l], in[2 * count + i + l]);\n"
    "}\n";

/* Mostly within the kernels' reach, now and then far out, tiny, or nothing. */
static mote_real number_of(size_t i)
{
    static const mote_real odd[] = {0, 1, (mote_real)0.5, (mote_real)1e-30, (mote_real)1e20, -1};
    const double even = (double)((i * 2654435761u + i * i * 40503u) % 1000003u) / 1000003.0;
    if (i % 37 == 0) return odd[i / 37 % COUNT_OF(odd)];
    return (mote_real)(i % 5 == 0 ? 3 * even - 1.5 : 1.1 * even);
}

static const DeviceTrial trial = {.texts = files,
                                  .count = COUNT_OF(files),
                                  .formulas = TEST_SOURCE "/tests/device/try_formulas.h",
                                  .kernels = kernels,
                                  .inputs = INPUTS,
                                  .taken = 3,
                                  .given = TRY_NUMBERS + 1};

static void try_on(mote_Device *device, const char *lanes)
{
    static mote_real in[3 * INPUTS], out[(TRY_NUMBERS + 1) * INPUTS], expected[TRY_NUMBERS][8];
    const mote_real *cells = out + TRY_NUMBERS * INPUTS;
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT_OF(in); ++i) in[i] = number_of(i);
    if (!trial_run(device, &trial, lanes, in, out)) return;
    for (size_t i = 0; i < INPUTS; i += 8) {
        Eight all[TRY_NUMBERS];
        try_formulas(eight_load(in + i), eight_load(in + INPUTS + i),
                     eight_load(in + 2 * INPUTS + i), all);
        memcpy(expected, all, sizeof all);
        for (size_t k = 0; k < TRY_NUMBERS; ++k)
            for (size_t l = 0; l < 8; ++l) {
                const mote_real a = expected[k][l], b = out[k * INPUTS + i + l];
                const bool same = memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
                if (!same && ++wrong < 5)
                    fprintf(stderr, "number %zu of input %zu: %a, not %a\n", k, i + l, (double)b,
                            (double)a);
            }
    }
    for (size_t i = 0; i < INPUTS; ++i)
        wrong += !(cells[i] == try_cell(in[i] * 1000, in[INPUTS + i], in[2 * INPUTS + i]));
    CHECK(wrong == 0);
}

static void formulas_have_the_same_bits(void)
{
    trial_both(try_on);
}

TESTS({"formulas have the same bits", formulas_have_the_same_bits})

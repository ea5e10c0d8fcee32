/* Cores of vortons on a device against the processor's, bit by bit, of numbers of all sizes.
 * Skipped where there is no exact device. */
#include "setup.h"

#include "base/lanes.h"
#include "device/trial.h"

#include "solvers/vortex/formulas/eight_exp.h"

#include "solvers/vortex/formulas/algebraic.h"
#include "solvers/vortex/formulas/flat.h"
#include "solvers/vortex/formulas/gaussian.h"
#include "solvers/vortex/formulas/induce.h"

#include "device/try_cores.h"

#include "device_vortex.inc"

enum { INPUTS = 4096 };

static const char kernels[] =
    "kernel void try_all(global const mote_real *in, uint count, global mote_real *out)\n"
    "{\n"
    "    const uint i = get_global_id(0) * LANES;\n"
    "    Eight a, b, to[TRY_NUMBERS];\n"
    "    mote_real *x = (mote_real *)&a, *y = (mote_real *)&b;\n"
    "    if (i >= count) return;\n"
    "    for (uint l = 0; l < LANES; ++l) x[l] = in[i + l], y[l] = in[count + i + l];\n"
    "    try_cores(a, b, to);\n"
    "    for (uint k = 0; k < TRY_NUMBERS; ++k)\n"
    "        for (uint l = 0; l < LANES; ++l)\n"
    "            out[k * count + i + l] = ((const mote_real *)&to[k])[l];\n"
    "}\n";

/* From within a core to far outside of it, and what is very small, very large, or nothing. */
static mote_real number_of(size_t i)
{
    static const mote_real odd[] = {0, 1, (mote_real)1e-20, (mote_real)1e-30, (mote_real)1e12, -1};
    const double even = (double)((i * 2654435761u + i * i * 40503u) % 1000003u) / 1000003.0;
    if (i % 37 == 0) return odd[i / 37 % COUNT_OF(odd)];
    return (mote_real)(i % 5 == 0 ? 30 * even - 15 : 1.1 * even);
}

static void check_numbers(const mote_real *in, const mote_real *out)
{
    size_t wrong = 0;
    for (size_t i = 0; i < INPUTS; i += 8) {
        Eight all[TRY_NUMBERS];
        mote_real expected[TRY_NUMBERS][8];
        try_cores(eight_load(in + i), eight_load(in + INPUTS + i), all);
        memcpy(expected, all, sizeof all);
        for (size_t k = 0; k < TRY_NUMBERS; ++k)
            if (!device_same(expected[k], out + k * INPUTS + i, 8) && ++wrong < 5)
                fprintf(stderr, "number %zu of inputs %zu\n", k, i);
    }
    CHECK(wrong == 0);
}

static const DeviceTrial trial = {.texts = files,
                                  .count = COUNT_OF(files),
                                  .formulas = TEST_SOURCE "/tests/device/try_cores.h",
                                  .kernels = kernels,
                                  .inputs = INPUTS,
                                  .taken = 2,
                                  .given = TRY_NUMBERS};

static void try_on(mote_Device *device, const char *lanes)
{
    static mote_real in[2 * INPUTS], out[TRY_NUMBERS * INPUTS];
    for (size_t i = 0; i < COUNT_OF(in); ++i) in[i] = number_of(i);
    if (trial_run(device, &trial, lanes, in, out)) check_numbers(in, out);
}

static void cores_have_the_same_bits(void)
{
    trial_both(try_on);
}

TESTS({"cores have the same bits", cores_have_the_same_bits})

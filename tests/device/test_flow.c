/* Formulas of incompressible liquids on a device against the processor's, bit by bit. Skipped where
 * there is no exact device. */
#include "setup.h"

#include "device/trial.h"
#include "solvers/sph/dfsph_coarse.h"
#include "space/smoothing_lanes.h"

#include "base/formulas/limb_parts.h"

#include "base/formulas/limb_total.h"
#include "solvers/sph/formulas/flow_judge.h"

#include "device/try_flow.h"

#include "device_flow.inc"

enum { INPUTS = 4096, NUMBERS = TRY_JUDGED + TRY_PLACES };

static const char kernels[] =
    "kernel void try_all(global const mote_real *in, uint count, global mote_real *out)\n"
    "{\n"
    "    const uint i = get_global_id(0) * LANES;\n"
    "    if (i >= count) return;\n"
    "    mote_real x[3][LANES], to[TRY_PLACES], lane[LANES];\n"
    "    Eight a[3], judged[TRY_JUDGED];\n"
    "    for (uint c = 0; c < 3; ++c)\n"
    "        for (uint l = 0; l < LANES; ++l) {\n"
    "            x[c][l] = in[c * count + i + l];\n"
    "            ((mote_real *)&a[c])[l] = x[c][l];\n"
    "        }\n"
    "    try_judge(a[0], a[1], a[2], judged);\n"
    "    for (uint k = 0; k < TRY_JUDGED; ++k) {\n"
    "        eight_to(judged[k], lane);\n"
    "        for (uint l = 0; l < LANES; ++l) out[k * count + i + l] = lane[l];\n"
    "    }\n"
    "    for (uint l = 0; l < LANES; ++l) {\n"
    "        try_flow(x[0][l], x[1][l], x[2][l], to);\n"
    "        for (uint k = 0; k < TRY_PLACES; ++k)\n"
    "            out[(TRY_JUDGED + k) * count + i + l] = to[k];\n"
    "    }\n"
    "}\n";

/* Of the size of pressures and errors, now and then nothing, tiny or no number. */
static mote_real number_of(size_t i)
{
    const mote_real odd[] = {0, 1, (mote_real)-0.5, (mote_real)1e-30, (mote_real)NAN, -1};
    const double even = (double)((i * 2654435761u + i * i * 40503u) % 1000003u) / 1000003.0;
    return i % 11 == 0 ? odd[i / 11 % COUNT_OF(odd)] : (mote_real)(2 * even - 0.7);
}

static size_t differ(const mote_real *out, size_t number, size_t i, mote_real expected)
{
    const mote_real b = out[number * INPUTS + i];
    if (memcmp(&expected, &b, sizeof b) == 0 || (expected != expected && b != b)) return 0;
    fprintf(stderr, "number %zu of input %zu: %a, not %a\n", number, i, (double)b,
            (double)expected);
    return 1;
}

static size_t count_wrong(const mote_real *in, const mote_real *out)
{
    size_t wrong = 0;
    for (size_t i = 0; i < INPUTS && wrong < 5; i += 8) {
        Eight all[TRY_JUDGED];
        mote_real lanes[TRY_JUDGED][8], to[TRY_PLACES];
        try_judge(eight_load(in + i), eight_load(in + INPUTS + i), eight_load(in + 2 * INPUTS + i),
                  all);
        memcpy(lanes, all, sizeof lanes);
        for (size_t l = 0; l < 8; ++l) {
            for (size_t k = 0; k < TRY_JUDGED; ++k) wrong += differ(out, k, i + l, lanes[k][l]);
            try_flow(in[i + l], in[INPUTS + i + l], in[2 * INPUTS + i + l], to);
            for (size_t k = 0; k < TRY_PLACES; ++k)
                wrong += differ(out, TRY_JUDGED + k, i + l, to[k]);
        }
    }
    return wrong;
}

static const DeviceTrial trial = {.texts = files,
                                  .count = COUNT_OF(files),
                                  .formulas = TEST_SOURCE "/tests/device/try_flow.h",
                                  .kernels = kernels,
                                  .inputs = INPUTS,
                                  .taken = 3,
                                  .given = NUMBERS};

static void try_on(mote_Device *device, const char *lanes)
{
    static mote_real in[3 * INPUTS], out[NUMBERS * INPUTS];
    for (size_t i = 0; i < COUNT_OF(in); ++i) in[i] = number_of(i);
    if (trial_run(device, &trial, lanes, in, out)) CHECK(count_wrong(in, out) == 0);
}

static void formulas_have_the_same_bits(void)
{
    trial_both(try_on);
}

TESTS({"formulas of incompressible liquids have the same bits", formulas_have_the_same_bits})

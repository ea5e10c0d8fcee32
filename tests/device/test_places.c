/* Formulas of places and walls on a device against the processor's, bit by bit. Skipped where there
 * is no exact device. */
#include "setup.h"

#include "device/trial.h"
#include "geometry/convex_cast.h"
#include "solvers/sph/walls.h"

#include "base/formulas/limb_parts.h"
#include "solvers/points/formulas/wrap.h"
#include "solvers/sph/formulas/explicit.h"
#include "space/formulas/place.h"

#include "device/try_places.h"

#include <math.h>
#include <stdlib.h>

#include "device_stay.inc"

enum { INPUTS = 4096 };

static const char kernels[] =
    "kernel void try_all(global const mote_real *in, global const ulong *bits, uint count,\n"
    "                    global mote_real *out)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n"
    "    mote_real to[TRY_PLACES];\n"
    "    if (i >= count) return;\n"
    "    try_places(in[i], in[count + i], in[2 * count + i], bits[i], to);\n"
    "    for (uint k = 0; k < TRY_PLACES; ++k) out[k * count + i] = to[k];\n"
    "}\n";

/* Within a metre or two, now and then on a surface or in a middle. */
static mote_real number_of(size_t i)
{
    static const mote_real odd[] = {0, 1, (mote_real)0.5, (mote_real)-0.2, (mote_real)1e-30, -1};
    const double even = (double)((i * 2654435761u + i * i * 40503u) % 1000003u) / 1000003.0;
    return i % 7 == 0 ? odd[i / 7 % COUNT_OF(odd)] : (mote_real)(3 * even - 1.5);
}

/* Of all sizes that limbs hold, beyond them, and what is no number. */
static uint64_t bits_of(size_t i)
{
    const double odd[] = {0, HUGE_VAL, -HUGE_VAL, (double)NAN, 1e-300, 1e30};
    const double number = i % 41 == 0 ? odd[i / 41 % COUNT_OF(odd)]
                                      : ldexp((double)number_of(i) / 3, (int)(i % 200) - 130);
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static const DeviceTrial trial = {.texts = files,
                                  .count = COUNT_OF(files),
                                  .formulas = TEST_SOURCE "/tests/device/try_places.h",
                                  .kernels = kernels};

static size_t count_wrong(const mote_real *in, const uint64_t *bits, const mote_real *out)
{
    size_t wrong = 0;
    for (size_t i = 0; i < INPUTS; ++i) {
        mote_real expected[TRY_PLACES];
        try_places(in[i], in[INPUTS + i], in[2 * INPUTS + i], bits[i], expected);
        for (size_t k = 0; k < TRY_PLACES; ++k) {
            const mote_real a = expected[k], b = out[k * INPUTS + i];
            const bool same = memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
            if (!same && ++wrong < 5)
                fprintf(stderr, "number %zu of input %zu: %a, not %a\n", k, i, (double)b,
                        (double)a);
        }
    }
    return wrong;
}

static void formulas_have_the_same_bits(void)
{
    static mote_real in[3 * INPUTS], out[TRY_PLACES * INPUTS];
    static uint64_t bits[INPUTS];
    DeviceBuffer from = {.bytes = 0}, words = {.bytes = 0}, to = {.bytes = 0};
    const uint32_t count = INPUTS;
    mote_Error error;
    mote_Device *device = open_any_device();
    DeviceProgram *program = device != NULL ? trial_build(device, &trial, "") : NULL;
    if (program == NULL) return;
    DeviceKernel *kernel = device_kernel(program, "try_all");
    for (size_t i = 0; i < COUNT_OF(in); ++i) in[i] = number_of(i);
    for (size_t i = 0; i < INPUTS; ++i) bits[i] = bits_of(i);
    device_reserve(device, &from, sizeof in);
    device_reserve(device, &words, sizeof bits);
    device_reserve(device, &to, sizeof out);
    device_put(device, &from, 0, in, sizeof in);
    device_put(device, &words, 0, bits, sizeof bits);
    device_launch(device, kernel, INPUTS, 64,
                  DEVICE_ARGUMENTS(DEVICE_MEMORY(from), DEVICE_MEMORY(words), DEVICE_VALUE(count),
                                   DEVICE_MEMORY(to)));
    device_get(device, &to, 0, out, sizeof out);
    CHECK_OK(device_check(device, "formulas", &error), error);
    CHECK(count_wrong(in, bits, out) == 0);
    device_release(device, &from);
    device_release(device, &words);
    device_release(device, &to);
    device_free_kernel(kernel);
    device_free_program(program);
    mote_device_close(device);
}

TESTS({"formulas of places have the same bits", formulas_have_the_same_bits})

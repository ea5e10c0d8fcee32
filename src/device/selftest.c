/* About 100 000 operations against the processor, when a device is opened: sums, products,
 * divisions and roots of numbers of all sizes, denormal ones among them, and expressions that a
 * compiler would fuse. NaN is NaN, whatever its bits.
 *
 * Where one bit differs the device is not used: results are promised to be the processor's. */
#include "device/own.h"

#include "base/hash.h"
#include "base/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_selftest.inc"

enum { INPUTS = 6000, EACH = 8 };

/* One precision: numbers from bits, what the processor makes of them, and whether it is the same.
 */
typedef struct Precision {
    const char *kernel, *name;
    size_t size;
    void (*draw)(void *numbers, size_t i, uint64_t bits);
    void (*expect)(const void *numbers, size_t i, void *results);
    bool (*same)(const void *a, const void *b, size_t i);
} Precision;

/* Every third near 1, so that sums and products are not all of one part alone. */
#define PRECISION(REAL, Bits, near_one, root)                                                      \
    static void draw_##REAL(void *numbers, size_t i, uint64_t bits)                                \
    {                                                                                              \
        const Bits own = (Bits)bits;                                                               \
        REAL number;                                                                               \
        memcpy(&number, &own, sizeof number);                                                      \
        if (i % 3 != 0) number = (REAL)((double)(int64_t)bits * near_one);                         \
        ((REAL *)numbers)[i] = number;                                                             \
    }                                                                                              \
    static void expect_##REAL(const void *numbers, size_t i, void *results)                        \
    {                                                                                              \
        const REAL *in = numbers, a = in[i], b = in[(i + 1) % INPUTS], c = in[(i + 2) % INPUTS];   \
        const REAL ab = a * b;                                                                     \
        REAL *to = results;                                                                        \
        to[0] = a + b, to[1] = ab, to[2] = ab + c, to[3] = c - ab, to[4] = a / b;                  \
        to[5] = root(a < 0 ? -a : a);                                                              \
        to[6] = (REAL)(int)(a > -1000 && a < 1000 ? a : 0) + a * a * b;                            \
        to[7] = 1 / (a * a + b * b) + 2 * c;                                                       \
    }                                                                                              \
    static bool same_##REAL(const void *a, const void *b, size_t i)                                \
    {                                                                                              \
        const REAL x = ((const REAL *)a)[i], y = ((const REAL *)b)[i];                             \
        return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);                                \
    }

PRECISION(float, uint32_t, 0x1p-63, __builtin_sqrtf)
PRECISION(double, uint64_t, 0x1p-63, __builtin_sqrt)

static const Precision precisions[] = {
    {"try_single", "single", sizeof(float), draw_float, expect_float, same_float},
    {"try_double", "double", sizeof(double), draw_double, expect_double, same_double}};

typedef struct Trial {
    mote_Device *device;
    DeviceProgram *program;
    char *numbers, *results; /* of the host */
    DeviceBuffer in, out;
} Trial;

static const char *const operations[EACH] = {"a + b", "a b",    "a b + c",      "c - a b",
                                             "a / b", "a root", "a conversion", "1 / (a a + b b)"};

static void run(Trial *t, const Precision *p)
{
    const uint32_t count = INPUTS;
    DeviceKernel *kernel = device_kernel(t->program, p->kernel);
    for (size_t i = 0; i < INPUTS; ++i) p->draw(t->numbers, i, hash_mix(i * 977 + p->size));
    device_put(t->device, &t->in, 0, t->numbers, INPUTS * p->size);
    device_launch(
        t->device, kernel, count, 64,
        DEVICE_ARGUMENTS(DEVICE_MEMORY(t->in), DEVICE_MEMORY(t->out), DEVICE_VALUE(count)));
    device_get(t->device, &t->out, 0, t->results, INPUTS * EACH * p->size);
    device_free_kernel(kernel);
}

static bool compare(const Trial *t, const Precision *p, char why[MOTE_DEVICE_TEXT])
{
    double expected[EACH];
    for (size_t i = 0; i < INPUTS; ++i) {
        p->expect(t->numbers, i, expected);
        for (size_t k = 0; k < EACH; ++k) {
            if (p->same(expected, t->results + i * EACH * p->size, k)) continue;
            snprintf(why, MOTE_DEVICE_TEXT, "%s of %s precision has other bits", operations[k],
                     p->name);
            return false;
        }
    }
    return true;
}

static bool try_all(Trial *t, char why[MOTE_DEVICE_TEXT])
{
    snprintf(why, MOTE_DEVICE_TEXT, "it could not be tried");
    device_reserve(t->device, &t->in, INPUTS * sizeof(double));
    device_reserve(t->device, &t->out, INPUTS * EACH * sizeof(double));
    for (size_t i = 0; i < sizeof precisions / sizeof precisions[0]; ++i) {
        run(t, &precisions[i]);
        if (!device_is_well(t->device) || !compare(t, &precisions[i], why)) return false;
    }
    why[0] = '\0';
    return true;
}

bool device_selftest(mote_Device *device, char why[MOTE_DEVICE_TEXT])
{
    Trial t = {.device = device};
    mote_Error error = {.status = MOTE_OK};
    bool good = false;
    snprintf(why, MOTE_DEVICE_TEXT, "it could not be opened");
    if (!device_is_well(device)) return false;
    t.program = device_build(device, files, 1, "", &error);
    t.numbers = malloc(INPUTS * sizeof(double));
    t.results = malloc(INPUTS * EACH * sizeof(double));
    if (t.program == NULL)
        snprintf(why, MOTE_DEVICE_TEXT, "%.100s", error.message);
    else if (t.numbers != NULL && t.results != NULL)
        good = try_all(&t, why);
    device_release(device, &t.in);
    device_release(device, &t.out);
    free(t.numbers);
    free(t.results);
    device_free_program(t.program);
    return good;
}

/* Choice of the instruction set at start. CPU features are listed one by one: clang 14 does not
 * know the level names in __builtin_cpu_supports. */
#include "base/isa.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"baseline", "x86-64-v3", "x86-64-v4"};

#ifdef MOTE_X86_KERNELS
static bool has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

static Isa isa_best(void)
{
    __builtin_cpu_init();
    return has_v4() ? ISA_V4 : has_v3() ? ISA_V3 : ISA_V1;
}
#else
static Isa isa_best(void)
{
    return ISA_V1;
}
#endif

const char *isa_name(Isa isa)
{
    return names[isa];
}

/* The set that MOTE_ISA names; ISA_COUNT when it is unset or unknown. */
static Isa isa_wanted(const char *wanted)
{
    int isa = 0;
    while (wanted != NULL && isa < ISA_COUNT && strcmp(wanted, names[isa]) != 0) ++isa;
    return wanted == NULL ? ISA_COUNT : (Isa)isa;
}

Isa isa_pick(void)
{
    Isa best = isa_best(), wanted = isa_wanted(getenv("MOTE_ISA"));
    return wanted <= best ? wanted : best;
}

const char *mote_isa_name(void)
{
    return isa_name(isa_pick());
}

mote_Status mote_isa_check(mote_Error *error)
{
    const char *text = getenv("MOTE_ISA");
    if (text == NULL || isa_wanted(text) <= isa_best()) return MOTE_OK;
    return status_fail(error, MOTE_UNAVAILABLE,
                       "MOTE_ISA=%.40s: this machine or build lacks it; the best here is %s", text,
                       isa_name(isa_best()));
}

/* Operations of numbers, to be compared with the processor's: selftest.c says which. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define TRY(name, REAL)                                                                            \
    kernel void name(global const REAL *in, global REAL *out, uint count)                          \
    {                                                                                              \
        const uint i = get_global_id(0);                                                           \
        if (i >= count) return;                                                                    \
        const REAL a = in[i], b = in[(i + 1) % count], c = in[(i + 2) % count];                    \
        global REAL *to = out + 8 * i;                                                             \
        to[0] = a + b;                                                                             \
        to[1] = a * b;                                                                             \
        to[2] = a * b + c;                                                                         \
        to[3] = c - a * b;                                                                         \
        to[4] = a / b;                                                                             \
        to[5] = sqrt(a < 0 ? -a : a);                                                              \
        to[6] = (REAL)(int)(a > -1000 && a < 1000 ? a : 0) + a * a * b;                            \
        to[7] = 1 / (a * a + b * b) + 2 * c;                                                       \
    }

TRY(try_single, float)
TRY(try_double, double)

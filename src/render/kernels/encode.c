/* sRGB, IEC 61966-2-1: 12.92 x up to 0.0031308, then 1.055 x^(1/2.4) - 0.055.
 *
 * x^(5/12) = x^(1/2) / x^(1/12), the twelfth root as the cube root of two square roots; the cube
 * root by Newton's method for y^-1/3 from a guess by the exponent. */
#include "render/kernels/kernels.h"

#include "base/loop.h"

#include <string.h>

/* r = x^(-1/3), 1e-4 < x <= 1. */
static inline float inverse_cube_root(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x54a2fa8cu - bits / 3;
    float r;
    memcpy(&r, &bits, sizeof r);
    for (int i = 0; i < 4; ++i) r = r * (4 - x * r * r * r) * (1 / 3.0f);
    return r;
}

void ISA(srgb_encode)(const float *linear, float *code, size_t count)
{
    FOR_ROWS (i, count) {
        float x = linear[i];
        x = x > 0 ? x : 0; /* and NaN */
        x = x < 1 ? x : 1;
        float s = __builtin_sqrtf(x > 0.003f ? x : 0.003f);
        float curved = 1.055f * (s * inverse_cube_root(__builtin_sqrtf(s))) - 0.055f;
        code[i] = x <= 0.0031308f ? 12.92f * x : curved;
    }
}

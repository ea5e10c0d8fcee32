/* Linear light to codes. sRGB, IEC 61966-2-1: 12.92 x up to 0.0031308, then 1.055 x^(1/2.4) -
 * 0.055.
 *
 * x^(5/12) = x^(1/2) / x^(1/12), the twelfth root as the cube root of two square roots; the cube
 * root by Newton's method for y^-1/3 from a guess by the exponent. */
#include "render/kernels/kernels.h"

#include <string.h>

/* r = x^(-1/3), 1e-4 < x <= 1. */
static inline float inverse_cube_root(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x54a2fa8cu - bits / 3;
    float r;
    memcpy(&r, &bits, sizeof r);
    for (int i = 0; i < 3; ++i) r = r * (4 - x * r * r * r) * (1 / 3.0f);
    return r;
}

static inline float unit(float x)
{
    x = x > 0 ? x : 0; /* and NaN */
    return x < 1 ? x : 1;
}

static inline float srgb(float x)
{
    float s = __builtin_sqrtf(x > 0.003f ? x : 0.003f);
    float curved = 1.055f * (s * inverse_cube_root(__builtin_sqrtf(s))) - 0.055f;
    return x <= 0.0031308f ? 12.92f * x : curved;
}

void ISA(srgb_encode)(const float *linear, float *code, size_t count)
{
    FOR_ROWS (i, count) code[i] = srgb(unit(linear[i]));
}

/* Triangular noise in (-1, 1), from two halves of a hash of the place. */
static inline float noise(uint32_t place)
{
    uint32_t h = place * 0x9e3779b1u;
    h = (h ^ h >> 15) * 0x85ebca77u;
    h = (h ^ h >> 13) * 0xc2b2ae3du;
    h ^= h >> 16;
    return (float)(int32_t)((h & 0xffff) + (h >> 16)) * (1 / 65536.0f) - (65535 / 65536.0f);
}

void ISA(row_encode)(const float *rgba, size_t values, const Coding *coding, uint16_t *out)
{
    const float most = coding->most, amount = coding->dither;
    const uint32_t seed = coding->row * 0x27d4eb2fu;
    FOR_ROWS (i, values) {
        bool is_alpha = (i & 3) == 3;
        float x = unit(rgba[i]), steps = (is_alpha ? x : srgb(x)) * most, room = most - steps;
        room = room < steps ? room : steps;
        room = room < 1 ? room : 1;
        float shake = noise((uint32_t)i + seed) * room * amount;
        out[i] = (uint16_t)(int32_t)(steps + (is_alpha ? 0 : shake) + 0.5f);
    }
}

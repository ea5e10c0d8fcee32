/* Linear light to codes. sRGB, IEC 61966-2-1: 12.92 x up to 0.0031308, then 1.055 x^(1/2.4) -
 * 0.055.
 *
 * x^(5/12) = x^(1/2) / x^(1/12), the twelfth root as the cube root of two square roots; the cube
 * root by Newton's method for y^-1/3 from a guess by the exponent. */
#include "render/kernels/kernels.h"
#include "render/kernels/vectors.h"

#include <string.h>

typedef uint32_t U8 __attribute__((vector_size(32)));

/* r = x^(-1/3), 1e-4 < x <= 1; within 1e-5 after two steps, 1e-7 after three. */
INLINE V8 inverse_cube_root(V8 x, int newton)
{
    V8 third = __builtin_convertvector((I8)x, V8) * (1 / 3.0f);
    V8 r = (V8)(0x54a2fa8c - __builtin_convertvector(third, I8));
    for (int i = 0; i < newton; ++i) r = r * (4 - x * r * r * r) * (1 / 3.0f);
    return r;
}

INLINE V8 srgb(V8 x, int newton)
{
    V8 s = root(at_least(x, 0.003f));
    V8 curved = 1.055f * (s * inverse_cube_root(root(s), newton)) - 0.055f;
    return choose(x <= 0.0031308f, 12.92f * x, curved);
}

void ISA(srgb_encode)(const float *linear, float *code, size_t count)
{
    for (size_t i = 0; i < count; i += 8) {
        const size_t n = count - i < 8 ? count - i : 8;
        float values[8] = {0};
        memcpy(values, linear + i, n * sizeof *values);
        store8(values, srgb(clamped(load8(values)), 3));
        memcpy(code + i, values, n * sizeof *values);
    }
}

/* Triangular noise in (-1, 1), from two halves of a hash of the place. */
INLINE V8 noise(U8 place)
{
    U8 h = place * 0x9e3779b1u;
    h = (h ^ h >> 15) * 0x85ebca77u;
    h = (h ^ h >> 13) * 0xc2b2ae3du;
    h ^= h >> 16;
    I8 sum = (I8)((h & 0xffff) + (h >> 16));
    return __builtin_convertvector(sum, V8) * (1 / 65536.0f) - (65535 / 65536.0f);
}

/* Codes of two pixels; the first value is number `first` of its row. */
INLINE I8 encode_8(V8 linear, const Coding *coding, uint32_t first, int newton)
{
    const I8 alpha = {0, 0, 0, -1, 0, 0, 0, -1};
    const U8 places = {0, 1, 2, 3, 4, 5, 6, 7};
    V8 x = clamped(linear), steps = choose(alpha, x, srgb(x, newton)) * coding->most;
    V8 room = at_most(least8(coding->most - steps, steps), 1) * coding->dither;
    V8 shake = noise(places + (first + coding->row * 0x27d4eb2fu)) * room;
    return __builtin_convertvector(steps + where(~alpha, shake) + 0.5f, I8);
}

INLINE void encode_values(const float *rgba, size_t values, const Coding *coding, int newton,
                          uint16_t *out)
{
    typedef uint16_t Codes __attribute__((vector_size(16)));
    const Coding c = *coding; /* which for the compiler `out` could change */
    size_t i = 0;
    for (; i + 8 <= values; i += 8) {
        I8 steps = encode_8(load8(rgba + i), &c, (uint32_t)i, newton);
        Codes codes = __builtin_convertvector(steps, Codes);
        memcpy(out + i, &codes, sizeof codes);
    }
    if (i == values) return;
    float last[8] = {rgba[i], rgba[i + 1], rgba[i + 2], rgba[i + 3]}; /* one pixel */
    I8 steps = encode_8(load8(last), &c, (uint32_t)i, newton);
    for (size_t k = 0; k < 4; ++k) out[i + k] = (uint16_t)steps[k];
}

void ISA(row_encode)(const float *rgba, size_t values, const Coding *coding, uint16_t *out)
{
    if (coding->most > 255)
        encode_values(rgba, values, coding, 3, out);
    else
        encode_values(rgba, values, coding, 2, out);
}

/* Linear light to codes. sRGB, IEC 61966-2-1: 12.92 x up to 0.0031308, then 1.055 x^(1/2.4) -
 * 0.055.
 *
 * x^(5/12) = x^(1/2) / x^(1/12), the twelfth root as the cube root of two square roots; the cube
 * root by Newton's method for y^-1/3 from a guess by the exponent. */
#include "render/kernels/kernels.h"
#include "render/kernels/vectors.h"

#include <string.h>

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
    V8 s = sqrt8(at_least(x, 0.003f));
    V8 curved = 1.055f * (s * inverse_cube_root(sqrt8(s), newton)) - 0.055f;
    return choose8(x <= 0.0031308f, 12.92f * x, curved);
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

/* Codes of eight values; the first one is number `first` of its row. */
INLINE I8 encode_8(V8 linear, const Coding *coding, size_t first, int newton)
{
    const U8 places = {0, 1, 2, 3, 4, 5, 6, 7};
    V8 x = clamped(linear), steps = srgb(x, newton) * coding->most;
    V8 room = at_most(least8(coding->most - steps, steps), 1) * coding->dither;
    V8 shake = noise(places + ((uint32_t)first + coding->row * 0x27d4eb2fu)) * room;
    if (coding->alpha) {
        const I8 alpha = {0, 0, 0, -1, 0, 0, 0, -1};
        steps = choose8(alpha, x * coding->most, steps);
        shake = where(~alpha, shake);
    }
    return __builtin_convertvector(steps + shake + 0.5f, I8);
}

/* ---- 8 bits ---- */

/* 32 codes to bytes. */
INLINE void pack_32(const I8 codes[4], uint8_t *out)
{
#if defined(__SSE2__)
    __m128i part[8];
    memcpy(part, codes, sizeof part);
    for (int i = 0; i < 2; ++i, out += 16) {
        __m128i low = _mm_packs_epi32(part[4 * i], part[4 * i + 1]);
        __m128i high = _mm_packs_epi32(part[4 * i + 2], part[4 * i + 3]);
        _mm_storeu_si128((__m128i *)(void *)out, _mm_packus_epi16(low, high));
    }
#else
    for (int i = 0; i < 4; ++i) {
        Bytes8 bytes = __builtin_convertvector(codes[i], Bytes8);
        memcpy(out + 8 * i, &bytes, sizeof bytes);
    }
#endif
}

INLINE void encode_bytes(const float *values, size_t count, const Coding *coding, uint8_t *out)
{
    size_t i = 0;
    I8 codes[4];
    for (; i + 32 <= count; i += 32) {
        for (size_t k = 0; k < 4; ++k)
            codes[k] = encode_8(load8(values + i + 8 * k), coding, i + 8 * k, 2);
        pack_32(codes, out + i);
    }
    for (; i < count; i += 8) {
        const size_t n = count - i < 8 ? count - i : 8;
        float last[8] = {0};
        memcpy(last, values + i, n * sizeof *last);
        Bytes8 bytes = __builtin_convertvector(encode_8(load8(last), coding, i, 2), Bytes8);
        memcpy(out + i, &bytes, n);
    }
}

/* ---- 16 bits, the high byte first ---- */

INLINE HalfWords8 encode_words_8(V8 values, const Coding *coding, size_t first)
{
    HalfWords8 words = __builtin_convertvector(encode_8(values, coding, first, 3), HalfWords8);
    return words << 8 | words >> 8;
}

INLINE void encode_words(const float *values, size_t count, const Coding *coding, uint8_t *out)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        HalfWords8 words = encode_words_8(load8(values + i), coding, i);
        memcpy(out + 2 * i, &words, sizeof words);
    }
    float last[8] = {0};
    memcpy(last, values + i, (count - i) * sizeof *last);
    HalfWords8 words = encode_words_8(load8(last), coding, i);
    memcpy(out + 2 * i, &words, 2 * (count - i));
}

void ISA(row_encode)(const float *values, size_t count, const Coding *coding, uint8_t *out)
{
    Coding c = *coding; /* which for the compiler `out` could change */
    if (c.most > 255) {
        encode_words(values, count, &c, out);
    } else if (c.alpha) {
        encode_bytes(values, count, &c, out);
    } else {
        c.alpha = false; /* known where it is compiled */
        encode_bytes(values, count, &c, out);
    }
}

/* Vectors of numbers for kernels whose loops need a table lookup: GCC's vector extensions, as wide
 * as the instruction set's registers. Every function works lane by lane, so all widths give the
 * same bits. For files that are compiled per instruction set. */
#ifndef NOISE_LANES_H
#define NOISE_LANES_H

#include "base/lanes.h"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#if defined(__AVX512DQ__)
enum { LANES = 64 / sizeof(mote_real) };
#elif defined(__AVX2__)
enum { LANES = 32 / sizeof(mote_real) };
#else
enum { LANES = 16 / sizeof(mote_real) };
#endif

typedef mote_real Lanes __attribute__((vector_size(LANES * sizeof(mote_real))));
typedef RealBits LaneBits __attribute__((vector_size(LANES * sizeof(mote_real))));
typedef uint32_t Words __attribute__((vector_size(LANES * 4)));
typedef int32_t Ints __attribute__((vector_size(LANES * 4)));

LANES_ACCESS(Lanes, mote_real, lanes_load, lanes_store)

INLINE Lanes lanes_all(mote_real a)
{
    return a - (Lanes){0};
}

/* chosen: lanes of all ones or zeros. */
INLINE Lanes lanes_choose(LaneBits chosen, Lanes a, Lanes b)
{
    return (Lanes)((chosen & (LaneBits)a) | (~chosen & (LaneBits)b));
}

INLINE Lanes lanes_floor(Lanes a)
{
#if defined(__AVX512DQ__) && !defined(MOTE_DOUBLE)
    return (Lanes)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__AVX512DQ__)
    return (Lanes)_mm512_roundscale_pd((__m512d)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__) && !defined(MOTE_DOUBLE)
    return (Lanes)_mm256_floor_ps((__m256)a);
#elif defined(__AVX2__)
    return (Lanes)_mm256_floor_pd((__m256d)a);
#elif defined(__wasm_simd128__) && !defined(MOTE_DOUBLE)
    return (Lanes)wasm_f32x4_floor((v128_t)a);
#else
    /* adding 2^23 (2^52) rounds to a whole number, and from there on all numbers are whole */
    const mote_real whole = (mote_real)(sizeof(mote_real) == 4 ? 0x1p23 : 0x1p52);
    const RealBits sign = (RealBits)1 << (8 * sizeof(mote_real) - 1);
    Lanes size = (Lanes)((LaneBits)a & ~sign), round = (size + whole) - whole;
    round = (Lanes)((LaneBits)round | ((LaneBits)a & sign));
    Lanes down = round - (Lanes)((LaneBits)(round > a) & (LaneBits)lanes_all(1));
    return lanes_choose((LaneBits)(size < whole), down, a);
#endif
}

/* A whole number as 32 bits; without meaning beyond 2^31, but the same everywhere on a CPU. */
INLINE Words lanes_words(Lanes whole)
{
    return (Words) __builtin_convertvector(whole, Ints);
}

/* Products modulo 2^32. SSE2 has no such instruction, and gcc would take a dozen shifts and sums.
 */
INLINE Words lanes_times(Words a, uint32_t factor)
{
#if defined(__SSE2__) && !defined(__SSE4_1__) && !defined(MOTE_DOUBLE)
    const __m128i f = _mm_set1_epi32((int)factor), low = _mm_set_epi32(0, -1, 0, -1);
    __m128i even = _mm_mul_epu32((__m128i)a, f);
    __m128i odd = _mm_mul_epu32(_mm_srli_epi64((__m128i)a, 32), f);
    return (Words)_mm_or_si128(_mm_and_si128(even, low), _mm_slli_epi64(odd, 32));
#else
    return a * factor;
#endif
}

/* a with the sign flipped where the word's top bit is set; its other bits must be 0. */
INLINE Lanes lanes_flip(Lanes a, Words sign)
{
#ifdef MOTE_DOUBLE
    return (Lanes)((LaneBits)a ^ (__builtin_convertvector(sign, LaneBits) << 32));
#else
    return (Lanes)((LaneBits)a ^ sign);
#endif
}

/* Eight vectors of up to four numbers: component by component, twice over for instructions that
 * look at one bit more of the index, and vector by vector. */
typedef struct LaneTable {
    mote_real component[4][16];
    mote_real row[8][4];
} LaneTable;

/* The first `count` components of the vector number (index mod 8). */
INLINE void lanes_pick(const LaneTable *table, Words index, int count, Lanes *out)
{
#if defined(__AVX512DQ__) && !defined(MOTE_DOUBLE)
    for (int k = 0; k < count; ++k)
        out[k] = (Lanes)_mm512_permutexvar_ps((__m512i)index, _mm512_load_ps(table->component[k]));
#elif defined(__AVX2__) && !defined(MOTE_DOUBLE)
    for (int k = 0; k < count; ++k)
        out[k] =
            (Lanes)_mm256_permutevar8x32_ps(_mm256_load_ps(table->component[k]), (__m256i)index);
#elif defined(__AVX512DQ__)
    __m512i wide = _mm512_cvtepu32_epi64((__m256i)index);
    for (int k = 0; k < count; ++k)
        out[k] = (Lanes)_mm512_permutexvar_pd(wide, _mm512_loadu_pd(table->component[k]));
#elif defined(__AVX2__)
    for (int k = 0; k < count; ++k)
        out[k] = (Lanes)_mm256_i32gather_pd(table->component[k], (__m128i)(index & 7), 8);
#elif defined(__SSE2__) && defined(MOTE_DOUBLE)
    const mote_real *a = table->row[index[0] & 7], *b = table->row[index[1] & 7];
    for (int k = 0; k < count; ++k) out[k] = (Lanes){a[k], b[k]};
#elif defined(__SSE2__)
    __m128 a[4];
    for (int i = 0; i < 4; ++i) a[i] = _mm_load_ps(table->row[index[i] & 7]);
    _MM_TRANSPOSE4_PS(a[0], a[1], a[2], a[3]);
    for (int k = 0; k < count; ++k) out[k] = (Lanes)a[k];
#elif defined(__wasm_simd128__) && !defined(MOTE_DOUBLE)
    const v128_t a = wasm_v128_load(table->row[index[0] & 7]);
    const v128_t b = wasm_v128_load(table->row[index[1] & 7]);
    const v128_t c = wasm_v128_load(table->row[index[2] & 7]);
    const v128_t d = wasm_v128_load(table->row[index[3] & 7]);
    const v128_t ab[2] = {wasm_i32x4_shuffle(a, b, 0, 4, 1, 5),
                          wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)};
    const v128_t cd[2] = {wasm_i32x4_shuffle(c, d, 0, 4, 1, 5),
                          wasm_i32x4_shuffle(c, d, 2, 6, 3, 7)};
    const Lanes all[4] = {(Lanes)wasm_i32x4_shuffle(ab[0], cd[0], 0, 1, 4, 5),
                          (Lanes)wasm_i32x4_shuffle(ab[0], cd[0], 2, 3, 6, 7),
                          (Lanes)wasm_i32x4_shuffle(ab[1], cd[1], 0, 1, 4, 5),
                          (Lanes)wasm_i32x4_shuffle(ab[1], cd[1], 2, 3, 6, 7)};
    for (int k = 0; k < count; ++k) out[k] = all[k];
#else
    for (int k = 0; k < count; ++k) {
        Lanes picked = {0};
        for (int i = 0; i < LANES; ++i) picked[i] = table->row[index[i] & 7][k];
        out[k] = picked;
    }
#endif
}

#endif

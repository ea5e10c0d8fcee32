/* Numbers for the choices of a path: the points of Sobol's first two dimensions, shuffled and
 * scrambled anew for each pixel and each pair of choices, so that the samples of a pixel are spread
 * evenly in every pair (Burley, Practical Hash-based Owen Scrambling, 2020). */
#ifndef RENDER_TRACE_SAMPLES_H
#define RENDER_TRACE_SAMPLES_H

#include <stdint.h>

/* C. Wellons's lowbias32: each bit of the result depends on all of the argument, nearly without
 * bias. */
static inline uint32_t mix_bits(uint32_t x)
{
    x ^= x >> 16, x *= 0x7feb352du;
    x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static inline uint32_t reverse_bits(uint32_t x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(x);
}

/* Each bit is flipped by a hash of the lower ones (Laine and Karras). */
static inline uint32_t permute_bits(uint32_t x, uint32_t seed)
{
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    return x ^ x * 0x8d22f6e6u;
}

/* Owen's scrambling of a number whose bits come last first. */
static inline uint32_t scramble_reversed(uint32_t x, uint32_t seed)
{
    return reverse_bits(permute_bits(x, seed));
}

/* The second dimension, of the polynomial x + 1, its bits last first: bit k is the sum of the bits
 * n of the index whose binomial coefficient (n over k) is odd. */
static inline uint32_t sobol_second_reversed(uint32_t x)
{
    x ^= x >> 16;
    x ^= (x & 0xff00ff00u) >> 8;
    x ^= (x & 0xf0f0f0f0u) >> 4;
    x ^= (x & 0xccccccccu) >> 2;
    return x ^ (x & 0xaaaaaaaau) >> 1;
}

/* 24 bits are what a float holds exactly, so 1 itself never comes out. */
static inline float unit_of(uint32_t bits)
{
    return (float)(bits >> 8) * (1.0f / 16777216.0f);
}

/* The first of pair number `pair` of sample `sample` of a pixel, in [0, 1). */
static inline float sample_first(uint32_t pixel, uint32_t sample, uint32_t pair)
{
    const uint32_t seed = mix_bits(pixel ^ mix_bits(pair + 1));
    const uint32_t index = scramble_reversed(reverse_bits(sample), seed);
    return unit_of(scramble_reversed(index, mix_bits(seed ^ 0x9e3779b9u)));
}

/* Both of them. */
static inline void sample_pair(uint32_t pixel, uint32_t sample, uint32_t pair, float u[2])
{
    uint32_t seed = mix_bits(pixel ^ mix_bits(pair + 1));
    uint32_t index = scramble_reversed(reverse_bits(sample), seed);
    u[0] = unit_of(scramble_reversed(index, mix_bits(seed ^ 0x9e3779b9u)));
    u[1] = unit_of(scramble_reversed(sobol_second_reversed(index), mix_bits(seed ^ 0x85ebca6bu)));
}

#endif

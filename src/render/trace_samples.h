/* Numbers for the choices of a path: the points of Sobol's first two dimensions, shuffled (Burley,
 * Practical Hash-based Owen Scrambling, 2020) and scrambled anew for each pixel and each pair of
 * choices, so that the samples of a pixel are spread evenly in every pair. */
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

/* The second dimension from the first, of the polynomial x + 1: bit k from the end of the index
 * goes to all bits n whose binomial coefficient (k over n) is odd. */
static inline uint32_t sobol_second(uint32_t x)
{
    x ^= x << 16;
    x ^= (x & 0x00ff00ffu) << 8;
    x ^= (x & 0x0f0f0f0fu) << 4;
    x ^= (x & 0x33333333u) << 2;
    return x ^ (x & 0x55555555u) << 1;
}

/* 24 bits are what a float holds exactly, so 1 itself never comes out. */
static inline float unit_of(uint32_t bits)
{
    return (float)(bits >> 8) * (1.0f / 16777216.0f);
}

/* Points are scrambled by flipping the same bits of all of a pixel's (A. Kollig and A. Keller,
 * Efficient Multidimensional Sampling, 2002), which takes no reversals: the first dimension is the
 * index with its bits last first, and so is `sample` here. */

/* The first of pair number `pair` of sample `sample` of a pixel, in [0, 1). */
static inline float sample_first(uint32_t pixel, uint32_t sample, uint32_t pair)
{
    const uint32_t seed = mix_bits(pixel ^ pair * 0x9e3779b9u);
    return unit_of(permute_bits(sample, seed) ^ seed * 0x2c1b3c6du);
}

/* Both of them, and as words of 32 bits. */
static inline void sample_words(uint32_t pixel, uint32_t sample, uint32_t pair, uint32_t words[2])
{
    const uint32_t seed = mix_bits(pixel ^ pair * 0x9e3779b9u), x = permute_bits(sample, seed);
    words[0] = x ^ seed * 0x2c1b3c6du;
    words[1] = sobol_second(x) ^ mix_bits(seed);
}

static inline void sample_pair(uint32_t pixel, uint32_t sample, uint32_t pair, float u[2])
{
    uint32_t words[2];
    sample_words(pixel, sample, pair, words);
    u[0] = unit_of(words[0]), u[1] = unit_of(words[1]);
}

#endif

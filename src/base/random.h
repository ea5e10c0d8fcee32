/* Counter-based random numbers: Philox 4x32-10 of Random123 (Salmon et al., SC 2011).
 *
 * A number depends only on (seed, name of the object, particle id, step, purpose), so it does not
 * change with threads, order of work, or other objects in the scene. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <mote/base.h>

/* A stream: the seed of the world mixed with an object's name. */
typedef struct RandomKey {
    uint32_t word[2];
} RandomKey;

typedef struct Random4 {
    uint32_t word[4];
} Random4;

RandomKey random_key(uint64_t seed, const char *object);

/* id < 2^53, step < 2^32, purpose < 2^11. */
Random4 random_draw(RandomKey key, uint64_t id, uint32_t step, uint32_t purpose);

/* In [0, 1): 24 bits, exact in float. */
static inline mote_real random_unit(uint32_t word)
{
    return (mote_real)(word >> 8) * (mote_real)(1.0 / 16777216.0);
}

/* In [-1, 1). */
static inline mote_real random_signed(uint32_t word)
{
    return 2 * random_unit(word) - 1;
}

#endif

/* Counter-based random numbers. */
#include "base/random.h"

#include "base/hash.h"

#include <Random123/philox.h>

RandomKey random_key(uint64_t seed, const char *object)
{
    uint64_t mixed = hash_mix(hash_text(object) ^ hash_mix(seed + 0x9e3779b97f4a7c15u));
    return (RandomKey){{(uint32_t)mixed, (uint32_t)(mixed >> 32)}};
}

Random4 random_draw(RandomKey key, uint64_t id, uint32_t step, uint32_t purpose)
{
    philox4x32_ctr_t counter = {
        {(uint32_t)id, (uint32_t)(id >> 32) | (purpose << 21), step, 0x6d6f7465u}};
    philox4x32_key_t k = {{key.word[0], key.word[1]}};
    philox4x32_ctr_t out = philox4x32(counter, k);
    return (Random4){{out.v[0], out.v[1], out.v[2], out.v[3]}};
}

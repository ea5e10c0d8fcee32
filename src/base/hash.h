/* Hashing: 64-bit, for names, scenes and golden values; not for security. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Continues `hash` (start with 0) over `size` bytes; same value on every machine of our byte
 * order. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);
uint64_t hash_text(const char *text);

/* splitmix64's finaliser: a bijection that spreads every bit. */
static inline uint64_t hash_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

#endif

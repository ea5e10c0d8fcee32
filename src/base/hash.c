/* Hashing: words of 8 bytes, each mixed in with splitmix64's finaliser. */
#include "base/hash.h"

#include <string.h>

/* The length first, so that a text and the same with a zero behind it differ. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    hash ^= hash_mix((uint64_t)size + 0x9e3779b97f4a7c15u);
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = hash_mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, at, size);
        hash = hash_mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    return hash_mix(hash);
}

uint64_t hash_text(const char *text)
{
    return hash_bytes(0, text, strlen(text));
}

/* Memory that nobody may touch: gaps between blocks that are handed out of a larger one, so that
 * the address sanitizer sees a write beyond a block's end. Builds without it have no gaps. */
#ifndef BASE_FORBID_H
#define BASE_FORBID_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define FORBID_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FORBID_WATCHED 1
#endif
#endif

#if defined(FORBID_WATCHED)

#include <sanitizer/asan_interface.h>

enum { FORBID_GAP = 64 };

static inline void forbid(const void *block, size_t size)
{
    __asan_poison_memory_region(block, size);
}

static inline void allow(const void *block, size_t size)
{
    __asan_unpoison_memory_region(block, size);
}

#else

enum { FORBID_GAP = 0 };

static inline void forbid(const void *block, size_t size)
{
    (void)block, (void)size;
}

static inline void allow(const void *block, size_t size)
{
    (void)block, (void)size;
}

#endif
#endif

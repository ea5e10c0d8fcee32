/* An allocator that counts what is held and returns NULL at the n-th request. */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include <mote/base.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Failing {
    uint64_t requests; /* for memory, so far */
    uint64_t fail_at;  /* number of the request that fails; UINT64_MAX: none */
    bool for_good;     /* every later one too */
    size_t bytes;      /* held */
} Failing;

static inline void *failing_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    Failing *failing = context;
    uint64_t number = failing->requests;
    failing->requests += new_size > 0;
    bool fail = number == failing->fail_at || (failing->for_good && number > failing->fail_at);
    if (new_size > 0 && fail) return NULL;
    void *fresh = NULL;
    if (new_size > 0) {
        fresh = aligned_alloc(64, (new_size + 63) / 64 * 64);
        if (fresh == NULL) abort();
        memset(fresh, 0xa5, new_size);
        if (old_size > 0) memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    }
    free(block);
    failing->bytes += new_size - old_size;
    return fresh;
}

static inline mote_Allocator failing_allocator(Failing *failing)
{
    return (mote_Allocator){.resize = failing_resize, .context = failing};
}

#endif

/* Memory that workers take side by side and that goes back all at once. */
#ifndef SURFACE_POOL_H
#define SURFACE_POOL_H

#include "base/memory.h"

#include <pthread.h>

typedef struct Pool {
    Memory *memory;
    pthread_mutex_t lock;
    struct PoolChunk *chunks; /* newest first */
    size_t used, size;        /* bytes of the newest */
    bool exhausted;           /* something was refused */
} Pool;

bool pool_make(Pool *pool, Memory *memory);
/* 64-byte aligned; NULL when there is none. */
void *pool_take(Pool *pool, size_t bytes);
/* Gives everything back; pool_free ends the pool, too. */
void pool_reset(Pool *pool);
void pool_free(Pool *pool);

#endif

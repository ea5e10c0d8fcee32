/* The pool: chunks of a megabyte, handed out under a lock. */
#include "surface/polygonise.h"

enum { CHUNK_BYTES = 1 << 20, LINE = 64 };

typedef struct PoolChunk {
    struct PoolChunk *next;
    size_t bytes; /* all of it */
} PoolChunk;

bool pool_make(Pool *pool, Memory *memory)
{
    *pool = (Pool){.memory = memory};
    return pthread_mutex_init(&pool->lock, NULL) == 0;
}

static bool add_chunk(Pool *pool, size_t bytes)
{
    size_t size = bytes + LINE > CHUNK_BYTES ? bytes + LINE : CHUNK_BYTES;
    PoolChunk *chunk = memory_take(pool->memory, size);
    if (chunk == NULL) return false;
    *chunk = (PoolChunk){pool->chunks, size};
    pool->chunks = chunk;
    pool->used = LINE, pool->size = size;
    return true;
}

void *pool_take(Pool *pool, size_t bytes)
{
    char *block = NULL;
    bytes = (bytes + LINE - 1) / LINE * LINE;
    pthread_mutex_lock(&pool->lock);
    if ((pool->chunks != NULL && pool->size - pool->used >= bytes) || add_chunk(pool, bytes)) {
        block = (char *)pool->chunks + pool->used;
        pool->used += bytes;
    }
    pool->exhausted = pool->exhausted || block == NULL;
    pthread_mutex_unlock(&pool->lock);
    return block;
}

void pool_reset(Pool *pool)
{
    for (PoolChunk *chunk = pool->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        memory_free(pool->memory, chunk, chunk->bytes);
    }
    pool->chunks = NULL;
    pool->used = pool->size = 0;
}

void pool_free(Pool *pool)
{
    pool_reset(pool);
    pthread_mutex_destroy(&pool->lock);
}

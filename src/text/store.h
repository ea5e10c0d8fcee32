/* A store: small blocks that live as long as a scene's document, handed out by bumping through
 * larger pieces of an arena. A failure is remembered, so that callers may check once at the end. */
#ifndef TEXT_STORE_H
#define TEXT_STORE_H

#include "base/memory.h"

typedef struct Store {
    Arena arena;
    char *at;    /* rest of the newest piece */
    size_t left; /* its bytes */
    size_t piece;
    bool failed; /* an allocation returned NULL */
} Store;

Store store_make(Memory *memory);
void store_free(Store *store);

/* 8-byte aligned; NULL, with `failed` set, when out of memory. */
void *store_take(Store *store, size_t size);
/* A copy of `length` bytes with a 0 behind them. */
char *store_text(Store *store, const char *bytes, size_t length);

#endif

/* Objects that several hold: the last one frees. */
#ifndef BASE_SHARED_H
#define BASE_SHARED_H

#include <stdatomic.h>

/* Defines `const T *keep(const T *)` and `void release(const T *)` of a struct with `atomic_uint
 * owners`, 1 at first; NULL is kept and released as nothing. The last release sees what all owners
 * did before theirs, so it acquires; to hold once more orders nothing. */
#define SHARED_OBJECT(T, keep, release, free_object)                                               \
    const T *keep(const T *object)                                                                 \
    {                                                                                              \
        T *own = (T *)object;                                                                      \
        if (own != NULL) atomic_fetch_add_explicit(&own->owners, 1, memory_order_relaxed);         \
        return object;                                                                             \
    }                                                                                              \
                                                                                                   \
    void release(const T *object)                                                                  \
    {                                                                                              \
        T *own = (T *)object;                                                                      \
        if (own == NULL) return;                                                                   \
        if (atomic_fetch_sub_explicit(&own->owners, 1, memory_order_acq_rel) == 1)                 \
            free_object(own);                                                                      \
    }

#endif

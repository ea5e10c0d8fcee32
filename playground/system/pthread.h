/* Threads of a page: there is one. Whoever wants more than itself is told that there are none. */
#ifndef PLAYGROUND_PTHREAD_H
#define PLAYGROUND_PTHREAD_H

#include <errno.h>

typedef int pthread_t;
typedef int pthread_mutex_t;
typedef int pthread_cond_t;

#define PTHREAD_MUTEX_INITIALIZER 0

static inline int pthread_create(pthread_t *thread, const void *attributes,
                                 void *(*start)(void *argument), void *argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result)
{
    (void)thread, (void)result;
    return ESRCH;
}

/* Nobody else is there to wait for. */
#define PLAYGROUND_NOTHING(name, type)                                                             \
    static inline int name(type *unused)                                                           \
    {                                                                                              \
        (void)unused;                                                                              \
        return 0;                                                                                  \
    }
PLAYGROUND_NOTHING(pthread_mutex_lock, pthread_mutex_t)
PLAYGROUND_NOTHING(pthread_mutex_unlock, pthread_mutex_t)
PLAYGROUND_NOTHING(pthread_mutex_destroy, pthread_mutex_t)
PLAYGROUND_NOTHING(pthread_cond_signal, pthread_cond_t)
PLAYGROUND_NOTHING(pthread_cond_broadcast, pthread_cond_t)
PLAYGROUND_NOTHING(pthread_cond_destroy, pthread_cond_t)
#undef PLAYGROUND_NOTHING

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes)
{
    (void)attributes;
    *mutex = 0;
    return 0;
}

static inline int pthread_cond_init(pthread_cond_t *condition, const void *attributes)
{
    (void)attributes;
    *condition = 0;
    return 0;
}

static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    (void)condition, (void)mutex;
    return 0;
}

#endif

/* The floating-point state of a thread: what every block of work runs with.
 *
 * Hosts and their libraries may leave a thread that flushes denormal numbers to 0 or rounds
 * otherwise; then bits would depend on the thread. */
#ifndef TASKS_FLOATING_H
#define TASKS_FLOATING_H

#if defined(__x86_64__)
#include <xmmintrin.h>

typedef unsigned FloatingState;

/* All exceptions masked, round to nearest, denormals neither flushed nor read as zero. */
static inline FloatingState floating_enter(void)
{
    FloatingState old = _mm_getcsr();
    /* The value of MXCSR after a reset. */
    _mm_setcsr(0x1f80u);
    return old;
}

static inline void floating_leave(FloatingState state)
{
    _mm_setcsr(state);
}
#else
#include <fenv.h>

typedef fenv_t FloatingState;

static inline FloatingState floating_enter(void)
{
    FloatingState old;
    fegetenv(&old);
    fesetenv(FE_DFL_ENV);
    return old;
}

static inline void floating_leave(FloatingState state)
{
    fesetenv(&state);
}
#endif

#endif

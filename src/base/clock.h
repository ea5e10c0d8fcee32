/* The one clock, for what takes how long. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

/* s since some moment in the past. */
static inline double clock_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif

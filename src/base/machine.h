/* What this machine gives to a program: memory, disk, time. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdint.h>
#include <time.h>

/* Bytes of memory that this program may use: what the machine has, or less where its control group,
 * one above it, or a limit of the process allows less. */
uint64_t machine_memory(void);

/* The least limit of the control groups that `groups` names, as /proc/self/cgroup does, and of all
 * above them; `root`: where their file systems are. UINT64_MAX: there is none. */
uint64_t machine_group_limit(const char *groups, const char *root);

/* Bytes that can still be written where `path` is, or will be made; UINT64_MAX: not known. */
uint64_t machine_disk_free(const char *path);

/* ---- the one clock, for what takes how long ---- */

/* s since some moment in the past. */
static inline double clock_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The seconds since then, which becomes now. */
static inline double clock_lap(double *since)
{
    const double now = clock_seconds(), passed = now - *since;
    *since = now;
    return passed;
}

#endif

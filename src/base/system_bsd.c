/* macOS and BSD, or any other system with POSIX: processors and memory as sysconf says. */
#include "base/system.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int system_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

uint64_t system_memory(void)
{
    struct rlimit own;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY && own.rlim_cur < memory)
        memory = own.rlim_cur;
    return memory;
}

void *system_take(size_t size)
{
    void *block;
    return posix_memalign(&block, 64, size) == 0 ? block : NULL;
}

void system_push(int file, size_t size, uint64_t offset)
{
    (void)file, (void)size, (void)offset;
}

/* Linux beyond POSIX: processors that this program may use, limits of its control group, huge
 * pages, writing that begins early. */
#include "base/machine.h"
#include "base/system.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

int system_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

uint64_t system_memory(void)
{
    char groups[4096] = "";
    struct rlimit own;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/self/cgroup", "r");
    if (file != NULL) {
        groups[fread(groups, 1, sizeof groups - 1, file)] = '\0';
        fclose(file);
    }
    uint64_t memory = machine_group_limit(groups, "/sys/fs/cgroup");
    const uint64_t all = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    if (all < memory) memory = all;
    if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY && own.rlim_cur < memory)
        memory = own.rlim_cur;
    return memory;
}

/* Large blocks start at a huge page where the system has them: fewer page faults and look-ups. */
void *system_take(size_t size)
{
    enum { LINE = 64, HUGE_PAGE = 2 * 1024 * 1024 };
    const bool large = size >= 4 * (size_t)HUGE_PAGE;
    const size_t alignment = large ? HUGE_PAGE : LINE;
    const size_t whole = (size + alignment - 1) / alignment * alignment;
    void *block = aligned_alloc(alignment, whole);
    if (large && block != NULL) madvise(block, whole, MADV_HUGEPAGE);
    return block;
}

void system_push(int file, size_t size, uint64_t offset)
{
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(file, (off_t)offset, (off_t)size, SYNC_FILE_RANGE_WRITE);
#else
    (void)file, (void)size, (void)offset;
#endif
}

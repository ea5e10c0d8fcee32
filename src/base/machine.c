/* Memory and disk of this machine. Control groups: version 1 has a hierarchy for memory alone,
 * version 2 one for all; a group is limited by those above it too. */
#include "base/machine.h"

#include <mote/base.h>

#include "base/system.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- control groups ---- */

/* The number in a file; UINT64_MAX where there is none, as of "max". */
static uint64_t read_limit(const char *path)
{
    uint64_t limit = UINT64_MAX;
    FILE *file = fopen(path, "r");
    if (file == NULL) return UINT64_MAX;
    if (fscanf(file, "%" SCNu64, &limit) != 1) limit = UINT64_MAX;
    fclose(file);
    return limit;
}

/* The limit of a group, of the one above it, and so on. A container may see its group as the root,
 * under a path that is not there: then the groups above are what it sees. */
static uint64_t walk_up(const char *root, const char *group, size_t length, const char *file)
{
    char path[SYSTEM_PATH];
    uint64_t limit = UINT64_MAX;
    for (;;) {
        while (length > 0 && group[length - 1] == '/') --length;
        snprintf(path, sizeof path, "%s%.*s/%s", root, (int)length, group, file);
        limit = least(limit, read_limit(path));
        if (length == 0) return limit;
        while (length > 0 && group[length - 1] != '/') --length;
    }
}

/* One line: number, controllers, path. */
static uint64_t line_limit(const char *line, const char *root)
{
    char place[SYSTEM_PATH];
    const size_t length = strcspn(line, "\n");
    const char *controllers = memchr(line, ':', length);
    const char *group = controllers != NULL ? memchr(controllers + 1, ':',
                                                     length - (size_t)(controllers + 1 - line))
                                            : NULL;
    if (group == NULL) return UINT64_MAX;
    const size_t names = (size_t)(group - controllers - 1);
    const size_t size = length - (size_t)(group + 1 - line);
    if (names == 0) return walk_up(root, group + 1, size, "memory.max");
    if (names != 6 || memcmp(controllers + 1, "memory", 6) != 0) return UINT64_MAX;
    snprintf(place, sizeof place, "%s/memory", root);
    return walk_up(place, group + 1, size, "memory.limit_in_bytes");
}

uint64_t machine_group_limit(const char *groups, const char *root)
{
    uint64_t limit = UINT64_MAX;
    while (*groups != '\0') {
        limit = least(limit, line_limit(groups, root));
        groups += strcspn(groups, "\n");
        groups += *groups == '\n';
    }
    return limit;
}

/* ---- memory ---- */

uint64_t machine_memory(void)
{
    static _Atomic uint64_t known;
    uint64_t memory = atomic_load_explicit(&known, memory_order_relaxed);
    if (memory != 0) return memory;
    memory = system_memory();
    atomic_store_explicit(&known, memory, memory_order_relaxed);
    return memory;
}

/* ---- disk ---- */

uint64_t machine_disk_free(const char *path)
{
    char place[SYSTEM_PATH];
    uint64_t free;
    snprintf(place, sizeof place, "%s", path);
    while ((free = system_disk_free(place)) == UINT64_MAX) {
        char *slash = strrchr(place, '/');
        if (errno != ENOENT || strcmp(place, ".") == 0 || strcmp(place, "/") == 0)
            return UINT64_MAX;
        if (slash == NULL)
            strcpy(place, ".");
        else
            slash[slash == place] = '\0'; /* of "/x" the root is left */
    }
    return free;
}

/* ---- what this library is ---- */

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

const char *mote_version(void)
{
    return TEXT(MOTE_VERSION_MAJOR) "." TEXT(MOTE_VERSION_MINOR) "." TEXT(MOTE_VERSION_PATCH);
}

int mote_real_size(void)
{
    return (int)sizeof(mote_real);
}

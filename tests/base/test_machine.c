/* Limits of control groups, in trees that the test makes. */
#include "check.h"

#include "base/machine.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/machine-test-XXXXXX";

static void put(const char *folder, const char *file, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s%s", root, folder);
    for (char *c = path + strlen(root) + 1; *c != '\0'; ++c) {
        if (*c != '/') continue;
        *c = '\0';
        mkdir(path, 0777);
        *c = '/';
    }
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s%s/%s", root, folder, file);
    FILE *stream = fopen(path, "w");
    if (stream == NULL || fputs(text, stream) < 0 || fclose(stream) != 0) exit(2);
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *level)
{
    (void)about, (void)type, (void)level;
    return remove(path);
}

static void limits_of_groups(void)
{
    static const struct {
        const char *groups;
        uint64_t limit;
    } cases[] = {
        {"0::/a/b/c\n", 500}, /* of b, which is less than c's */
        {"0::/a/b\n", 500},
        {"0::/a\n", UINT64_MAX}, /* "max" */
        {"0::/\n", UINT64_MAX},
        {"0::/a/b/gone/deeper\n", 500}, /* what is above is seen */
        {"4:memory:/x/y\n", 70},
        {"4:memory:/x\n", 90},
        {"4:memory:/nowhere\n", 9223372036854771712u}, /* version 1 says "none" so */
        {"9:name=systemd:/x/y\n3:cpuset:/x\n4:memory:/x/y\n0::/a/b\n", 70},
        {"3:cpu,cpuacct:/x/y\n", UINT64_MAX},
        {"", UINT64_MAX},
        {"nonsense\n:\n::\n", UINT64_MAX},
        {"0::/a/b", 500}, /* no line end */
    };
    if (mkdtemp(root) == NULL) exit(2);
    put("/a", "memory.max", "max\n");
    put("/a/b", "memory.max", "500\n");
    put("/a/b/c", "memory.max", "700\n");
    put("/memory", "memory.limit_in_bytes", "9223372036854771712\n");
    put("/memory/x", "memory.limit_in_bytes", "90\n");
    put("/memory/x/y", "memory.limit_in_bytes", "70\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint64_t limit = machine_group_limit(cases[i].groups, root);
        if (limit != cases[i].limit)
            fprintf(stderr, "%s: %" PRIu64 "\n", cases[i].groups, limit), ++check_failures;
    }
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void this_machine(void)
{
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    CHECK(machine_memory() > 1 << 20 && machine_memory() <= pages);
    uint64_t here = machine_disk_free(".");
    CHECK(here > 0);
    CHECK(machine_disk_free("no/such/folder") != UINT64_MAX);
    CHECK(machine_disk_free("/no-such/folder") != UINT64_MAX);
}

TESTS({"limits_of_groups", limits_of_groups}, {"this_machine", this_machine})

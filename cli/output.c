/* Files that the user names: one that is there stays, unless --force says that it may go. */
#include "cli/output.h"

#include "cli/exit.h"

#include <sys/stat.h>

int output_check(const char *path, bool force)
{
    struct stat about;
    if (path == NULL || force || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return EXIT_DONE; /* what is no plain file is refused by whoever writes it */
    return message_usage("%s is there already; --force writes over it", path);
}

int output_check_beside(const char *path, bool force, const char *input)
{
    struct stat a, b;
    const bool same = path != NULL && stat(path, &a) == 0 && stat(input, &b) == 0 &&
                      a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (same) return message_usage("%s is what is read, so it is not written over", path);
    return output_check(path, force);
}

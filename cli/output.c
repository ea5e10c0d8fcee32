/* Files that the user names: one that is there stays, unless --force says that it may go. */
#include "cli/output.h"

#include "cli/exit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
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

/* One folder; an existing one is fine. */
static int make_one(const char *path)
{
    struct stat about;
    if (mkdir(path, 0777) == 0) return EXIT_DONE;
    int code = errno;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return EXIT_DONE;
    message("%s: could not make the folder: %s", path, strerror(code == EEXIST ? ENOTDIR : code));
    return EXIT_IO;
}

int output_make_folder(const char *path)
{
    char part[4096];
    int code = EXIT_DONE;
    for (size_t i = 1; path[i] != '\0' && i < sizeof part && code == EXIT_DONE; ++i) {
        if (path[i] != '/') continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        code = make_one(part);
    }
    return code == EXIT_DONE ? make_one(path) : code;
}

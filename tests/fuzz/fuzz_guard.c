/* Lines of a request's head, as strangers send them to the view: path, Host, Origin and the name of
 * a file, one a line. Nobody gets in without the token, and no name leaves the folder. */
#include "view/guard.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char token[] = "0123456789abcdef0123456789abcdef";
    const char *lines[4] = {"", "", "", ""};
    char *text = calloc(size + 1, 1), *at = text;
    if (size > 0) memcpy(text, data, size);
    for (size_t i = 0; i < 4 && at != NULL; ++i) lines[i] = strsep(&at, "\n");
    const char *path = guard_path(token, lines[0]);
    require(path == NULL || (strncmp(lines[0] + 1, token, strlen(token)) == 0 && path[-1] == '/'));
    const bool host = guard_host(lines[1], false);
    require(!host || strlen(lines[1]) <= strlen("127.0.0.1:65535") + 1);
    require(!host || guard_host(lines[1], true));
    if (guard_origin(lines[2], lines[1])) require(strlen(lines[2]) == strlen(lines[1]) + 7);
    if (guard_file(lines[3])) require(strchr(lines[3], '/') == NULL && lines[3][0] != '.');
    free(text);
    return 0;
}

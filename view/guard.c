/* Checks of what a request says about itself. */
#include "view/guard.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool guard_token(char token[VIEW_TOKEN])
{
    unsigned char bytes[(VIEW_TOKEN - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; ++i) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

const char *guard_path(const char *token, const char *path)
{
    const size_t length = strlen(token);
    if (path == NULL || strlen(path) < length + 2) return NULL;
    unsigned different = (unsigned char)path[0] ^ '/';
    for (size_t i = 0; i < length; ++i)
        different |= (unsigned char)path[i + 1] ^ (unsigned char)token[i];
    different |= (unsigned char)path[length + 1] ^ '/';
    return different == 0 ? path + length + 2 : NULL;
}

/* Length of the name before ":PORT"; 0 when the port is none. */
static size_t name_length(const char *host)
{
    const char *bracket = host[0] == '[' ? strchr(host, ']') : NULL;
    const size_t name = bracket != NULL ? (size_t)(bracket + 1 - host) : strcspn(host, ":");
    const char *port = host + name;
    if (*port == '\0') return name;
    if (*port != ':') return 0;
    const size_t digits = strspn(port + 1, "0123456789");
    return digits > 0 && digits <= 5 && port[1 + digits] == '\0' ? name : 0;
}

bool guard_host(const char *host, bool any)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    const size_t length = host != NULL ? name_length(host) : 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && length > 0; ++i)
        if (strlen(names[i]) == length && strncasecmp(names[i], host, length) == 0) return true;
    return any && length > 0 && strspn(host, "0123456789.") == length;
}

bool guard_origin(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    if (origin == NULL) return true;
    if (host == NULL || strncmp(origin, scheme, sizeof scheme - 1) != 0) return false;
    return strcasecmp(origin + sizeof scheme - 1, host) == 0;
}

bool guard_file(const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    const size_t length = strlen(name);
    return length > 0 && length < 200 && name[0] != '.' && strspn(name, allowed) == length;
}

/* Who gets in: the secret of the address, Host and Origin. They are texts of strangers. */
#ifndef VIEW_GUARD_H
#define VIEW_GUARD_H

#include "view/server.h"

/* Random hexadecimal digits; false when the system has none. */
bool guard_token(char token[VIEW_TOKEN]);

/* The path behind "/TOKEN/", or NULL when it does not begin so. Takes as long for every wrong one.
 */
const char *guard_path(const char *token, const char *path);

/* Is it a name of this machine's loopback, or with `any` a plain address? With any port: a port may
 * be forwarded. A site of another name that leads here is turned away. */
bool guard_host(const char *host, bool any);

/* Pages of elsewhere are turned away; programs, which send no Origin, are not. */
bool guard_origin(const char *origin, const char *host);

/* A plain name of a file: letters, digits, ".", "-" and "_", not beginning with a dot. */
bool guard_file(const char *name);

#endif

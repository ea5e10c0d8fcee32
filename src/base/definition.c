/* Definitions of programs that were built against other headers than the library. */
#include "base/definition.h"

#include "base/status.h"

#include <string.h>

void definition_make(Definition kind, const void *defaults, void *def, size_t size)
{
    memset(def, 0, size);
    memcpy(def, defaults, size < kind.size ? size : kind.size);
    memcpy(def, &size, sizeof size);
}

mote_Status definition_take(Definition kind, const void *given, void *whole, mote_Error *error)
{
    size_t size;
    if (given == NULL) return MOTE_OK;
    memcpy(&size, given, sizeof size);
    if (size == 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: its size is 0; begin with what its maker returns, as in "
                           "mote_world_def()",
                           kind.name);
    if (size > kind.size)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: it has %zu bytes, but %zu in this library, which is %s: the "
                           "program was built against a newer header; install the newer library",
                           kind.name, size, kind.size, mote_version());
    if (size < kind.oldest)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: it has %zu bytes, but %zu in this library, which is %s: the "
                           "program was built against an older header; build it again",
                           kind.name, size, kind.size, mote_version());
    memcpy(whole, given, size);
    memcpy(whole, &kind.size, sizeof kind.size);
    return MOTE_OK;
}

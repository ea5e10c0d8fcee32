/* What this library is. */
#include <mote/base.h>

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

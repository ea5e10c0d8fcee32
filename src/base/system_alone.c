/* Where programs stand alone: Windows and the browser. */
#include "base/system.h"

#include <stdio.h>

/* Nobody launches ranks here. */
void *system_plugin(const char *path, char why[SYSTEM_NAME])
{
    (void)path;
    snprintf(why, SYSTEM_NAME, "no plug-ins on this system");
    return NULL;
}

void system_program_folder(char folder[SYSTEM_PATH])
{
    folder[0] = '\0';
}

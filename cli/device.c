/* Devices of commands that simulate. */
#include "cli/device.h"

#include "cli/exit.h"

#include <stdlib.h>

int device_start(const char *name, mote_Tasks *tasks, mote_Device **device)
{
    mote_Error error = {0};
    *device = NULL;
    if (name == NULL) name = getenv("MOTE_DEVICE");
    if (name == NULL || name[0] == '\0') return EXIT_DONE;
    const mote_Status status = mote_device_open(name, device, &error);
    if (status != MOTE_OK) return message_failure(status, &error);
    mote_tasks_use_device(tasks, *device);
    return EXIT_DONE;
}

void device_report(const mote_Device *device)
{
    char why[MOTE_DEVICE_TEXT];
    if (device != NULL && mote_device_is_lost(device, why))
        message("warning: device `%s` was lost: %s; the rest ran on the processor, to the same "
                "bits",
                mote_device_info(device)->name, why);
}

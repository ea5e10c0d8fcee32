/* The --device option of commands that simulate. */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include <mote/device.h>

#define OPTION_DEVICE(S)                                                                           \
    {                                                                                              \
        .name = "device", .letter = '\0', .argument = "NAME",                                      \
        .doc = "cpu; gpu: liquids on a graphics card, to the same bits; auto: on one where there " \
               "is one; or a part of the name of one that `mote info` lists; without it, "         \
               "MOTE_DEVICE or cpu",                                                               \
        .type = OPTION_TEXT, OPTION_HERE(S, device)                                                \
    }

/* Opens the device and lends it to the workers. `name` NULL: MOTE_DEVICE. Returns EXIT_DONE, or
 * another exit code after a message. Without a device *device is NULL. */
int device_start(const char *name, mote_Tasks *tasks, mote_Device **device);

/* Says so where it was lost. */
void device_report(const mote_Device *device);

#endif

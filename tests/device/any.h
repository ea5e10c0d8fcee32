/* The device that tests run on. */
#ifndef TESTS_DEVICE_ANY_H
#define TESTS_DEVICE_ANY_H

#include "check.h"

#include <mote/device.h>

/* The first exact device; NULL: there is none, which is said. */
static inline mote_Device *open_any_device(void)
{
    enum { MOST = 8 };
    mote_DeviceInfo devices[MOST];
    mote_Device *device = NULL;
    mote_Error error;
    const size_t count = mote_devices(devices, MOST);
    for (size_t i = 0; i < count && i < MOST && device == NULL; ++i)
        if (devices[i].exact) CHECK_OK(mote_device_open(devices[i].name, &device, &error), error);
    if (device == NULL) printf("skipped: no exact device (pocl-opencl-icd would be one)\n");
    return device;
}

/* A file of kernels or formulas. */
static inline void read_text(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    const size_t length = file != NULL ? fread(text, 1, room - 1, file) : 0;
    text[length] = '\0';
    if (file != NULL) fclose(file);
}

#endif

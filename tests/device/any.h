/* The device that tests run on. */
#ifndef TESTS_DEVICE_ANY_H
#define TESTS_DEVICE_ANY_H

#include "check.h"

#include <mote/device.h>

#include <stdlib.h>
#include <unistd.h>

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

static inline bool is_long(void)
{
    return getenv("MOTE_LONG") != NULL;
}

/* Where kernels that were built are kept by a user who has no home: here. */
static inline void choose_cache(void)
{
    char here[4000];
    if (getenv("HOME") == NULL && getcwd(here, sizeof here) != NULL)
        (void)setenv("XDG_CACHE_HOME", here, 0);
}

/* Opened once, because that takes a while; NULL: there is none. */
static inline mote_Device *any_device(void)
{
    static mote_Device *device;
    choose_cache();
    if (device == NULL) device = open_any_device();
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

/* Formulas tried on a device: a kernel `try_all` that calls what a file of the tests has, behind
 * the texts of one of the library's programs. */
#ifndef TESTS_DEVICE_TRIAL_H
#define TESTS_DEVICE_TRIAL_H

#include "device/any.h"
#include "device/own.h"

typedef struct DeviceTrial {
    const DeviceText *texts; /* of the library */
    size_t count;
    const char *formulas; /* path */
    const char *kernels;
    uint32_t inputs;     /* numbers of a plane, */
    size_t taken, given; /* and planes of them: that go there, and that come back */
} DeviceTrial;

/* NULL: it cannot be built, and the test has failed. `lanes`: -D MOTE_WIDE, or nothing. */
static inline DeviceProgram *trial_build(mote_Device *device, const DeviceTrial *trial,
                                         const char *lanes)
{
    enum { MOST = 32 };
    static char tried[8000];
    DeviceText texts[MOST + 2];
    mote_Error error;
    char options[100];
    const size_t count = trial->count < MOST ? trial->count : MOST;
    read_text(trial->formulas, tried, sizeof tried);
    memcpy(texts, trial->texts, count * sizeof *texts);
    texts[count] = (DeviceText){"try", tried};
    texts[count + 1] = (DeviceText){"kernels", trial->kernels};
    snprintf(options, sizeof options, "%s %s", lanes,
             sizeof(mote_real) == 8 ? "-D MOTE_DOUBLE" : "");
    DeviceProgram *program = device_build(device, texts, count + 2, options, &error);
    CHECK_OK(program != NULL ? MOTE_OK : MOTE_UNAVAILABLE, error);
    return program;
}

/* try_all(in, inputs, out). False: the test has failed. */
static inline bool trial_run(mote_Device *device, const DeviceTrial *trial, const char *lanes,
                             const mote_real *in, mote_real *out)
{
    const uint32_t inputs = trial->inputs;
    const size_t plane = inputs * sizeof(mote_real);
    DeviceBuffer from = {.bytes = 0}, to = {.bytes = 0};
    mote_Error error;
    DeviceProgram *program = trial_build(device, trial, lanes);
    if (program == NULL) return false;
    DeviceKernel *kernel = device_kernel(program, "try_all");
    device_reserve(device, &from, trial->taken * plane);
    device_reserve(device, &to, trial->given * plane);
    device_put(device, &from, 0, in, trial->taken * plane);
    device_launch(device, kernel, inputs, 64,
                  DEVICE_ARGUMENTS(DEVICE_MEMORY(from), DEVICE_VALUE(inputs), DEVICE_MEMORY(to)));
    device_get(device, &to, 0, out, trial->given * plane);
    const mote_Status status = device_check(device, trial->formulas, &error);
    CHECK_OK(status, error);
    device_release(device, &from);
    device_release(device, &to);
    device_free_kernel(kernel);
    device_free_program(program);
    return status == MOTE_OK;
}

/* With lanes as processors have them, and as graphics cards do. */
static inline void trial_both(void (*try_on)(mote_Device *device, const char *lanes))
{
    mote_Device *device = any_device();
    if (device == NULL) return;
    try_on(device, "-D MOTE_WIDE");
    try_on(device, "");
}

#endif

/* Devices: graphics cards and other machines beside the processor that liquids and vortex fluids
 * may run on. They give the bits of the processor; one that cannot is listed, and refused. */
#ifndef MOTE_DEVICE_H
#define MOTE_DEVICE_H

#include <mote/tasks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The longest text of a device, with its end. */
enum { MOTE_DEVICE_TEXT = 128 };

/* What there is to know of a device. */
typedef struct mote_DeviceInfo {
    char name[MOTE_DEVICE_TEXT];
    char driver[MOTE_DEVICE_TEXT]; /* its version, and whose platform it is */
    char why[MOTE_DEVICE_TEXT];    /* it is not exact; "" where it is */
    uint64_t memory;               /* bytes */
    bool gpu;                      /* else a processor, or something else */
    bool exact;                    /* it computes what the processor computes, to the last bit */
} mote_DeviceInfo;

/* The devices of this machine, at most `room` of them; returns how many there are. Each is tried
 * first, which takes a moment. */
MOTE_API size_t mote_devices(mote_DeviceInfo *devices, size_t room);

/* Opens a device by name: "gpu" is the first graphics card that is exact; "cpu" is none (NULL);
 * "auto" is "gpu" where there is one, else none; any other text is a part of the name that `mote
 * info` shows. MOTE_UNAVAILABLE when there is no such device, or it is not exact. */
MOTE_API mote_Status mote_device_open(const char *name, mote_Device **device, mote_Error *error);
/* Worlds that use it must be gone. NULL is allowed. */
MOTE_API void mote_device_close(mote_Device *device);
MOTE_API const mote_DeviceInfo *mote_device_info(const mote_Device *device);

/* True: it was lost or given up, `why` says at what; worlds went on on the processor, to the same
 * bits. */
MOTE_API bool mote_device_is_lost(const mote_Device *device, char why[MOTE_DEVICE_TEXT]);

/* Bytes that went to it and came from it since it was opened. */
MOTE_API uint64_t mote_device_moved(const mote_Device *device);

/* What one kind of work has taken of a device's time. */
typedef struct mote_DeviceTime {
    char name[64];  /* of a kernel; "read", "write" and "clear" are transfers */
    uint64_t count; /* how often it was done */
    double seconds; /* of the device, all of them together */
} mote_DeviceTime;

/* From now on the device notes how long each kernel takes, or no longer; what was noted before is
 * gone. It is a little slower meanwhile. */
MOTE_API void mote_device_watch(mote_Device *device, bool on);
/* What was noted, at most `room` of it; returns how much there is. */
MOTE_API size_t mote_device_times(const mote_Device *device, mote_DeviceTime *times, size_t room);

/* Every so many sub-steps what the device did is done by the processor too, and worlds stop with
 * MOTE_UNAVAILABLE where a bit differs; 0, as at first: never. */
MOTE_API void mote_device_verify(mote_Device *device, uint64_t every);

#ifdef __cplusplus
}
#endif
#endif

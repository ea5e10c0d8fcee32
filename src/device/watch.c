/* Where a device's time goes: every piece of work that is put into the queue has an event, and what
 * it took is added to its kernel's row when something waits for the queue anyway. */
#include "device/own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What does not fit is not noted. */
static bool make_room(void **items, size_t count, size_t *room, size_t size)
{
    if (count < *room) return true;
    const size_t more = 2 * *room + 64;
    void *grown = realloc(*items, more * size);
    if (grown == NULL) return false;
    *items = grown, *room = more;
    return true;
}

ClHandle *watch_next(mote_Device *device, const char *what, ClHandle kernel)
{
    DeviceWatch *w = &device->watch;
    void *events = w->events;
    if (!w->on || !make_room(&events, w->event_count, &w->event_room, sizeof *w->events))
        return NULL;
    w->events = events;
    w->events[w->event_count] = (DeviceEvent){.what = what, .kernel = kernel};
    return &w->events[w->event_count++].event;
}

static mote_DeviceTime *row_of(DeviceWatch *w, const char *name)
{
    void *times = w->times;
    for (size_t i = 0; i < w->count; ++i)
        if (strcmp(w->times[i].name, name) == 0) return &w->times[i];
    if (!make_room(&times, w->count, &w->room, sizeof *w->times)) return NULL;
    w->times = times;
    mote_DeviceTime *row = &w->times[w->count++];
    *row = (mote_DeviceTime){.count = 0};
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

void watch_take(mote_Device *device)
{
    DeviceWatch *w = &device->watch;
    for (size_t i = 0; i < w->event_count; ++i) {
        const DeviceEvent *e = &w->events[i];
        char name[64];
        if (e->event == NULL) continue; /* it could not be begun */
        if (e->what == NULL) opencl_kernel_name(e->kernel, name, sizeof name);
        mote_DeviceTime *row = row_of(w, e->what != NULL ? e->what : name);
        const double seconds = opencl_event_seconds(e->event);
        if (row != NULL) row->seconds += seconds, ++row->count;
    }
    w->event_count = 0;
}

void watch_free(mote_Device *device)
{
    watch_take(device);
    free(device->watch.events);
    free(device->watch.times);
    device->watch = (DeviceWatch){.on = false};
}

void mote_device_watch(mote_Device *device, bool on)
{
    if (device == NULL || device->failed != 0) return;
    opencl_new_queue(device, on);
    watch_free(device);
    device->watch.on = on;
}

size_t mote_device_times(const mote_Device *device, mote_DeviceTime *times, size_t room)
{
    const DeviceWatch *w = &device->watch;
    for (size_t i = 0; i < w->count && i < room; ++i) times[i] = w->times[i];
    return w->count;
}

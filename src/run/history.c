/* The frames before the one that is drawn: kept as they go by, or read from the cache. */
#include "run/history.h"

#include "base/status.h"
#include "run/cache.h"

#include <string.h>

mote_Status history_open(History *h, size_t most, mote_Error *error)
{
    *h = (History){.memory = memory_make((mote_Allocator){0}), .most = most};
    if (most == 0) return MOTE_OK;
    h->frames = memory_zeroed(&h->memory, most * sizeof *h->frames);
    return h->frames != NULL ? MOTE_OK : status_no_memory(error, "trails", most * sizeof(void *));
}

static void forget(History *h)
{
    for (size_t i = 0; i < h->count; ++i) mote_frame_destroy(h->frames[i]);
    h->count = 0;
}

void history_close(History *h)
{
    forget(h);
    memory_free(&h->memory, h->frames, h->most * sizeof *h->frames);
    h->frames = NULL;
    h->most = 0;
}

void history_recall(History *h, const Folder *folder, const mote_Frame *frame)
{
    if (h->most == 0 || frame->index == 0) return;
    if (h->count > 0 && h->frames[0]->index == frame->index - 1) return;
    forget(h);
    for (uint64_t i = frame->index; i > 0 && h->count < h->most; --i) {
        mote_Frame *earlier;
        if (cache_read_frame(folder, i - 1, NULL, &earlier, NULL) != MOTE_OK) return;
        h->frames[h->count++] = earlier;
    }
}

mote_Status history_keep(History *h, const mote_Frame *frame, mote_Error *error)
{
    mote_Frame *copy;
    if (h->most == 0) return MOTE_OK;
    mote_Status status = mote_frame_copy(frame, &copy, error);
    if (status != MOTE_OK) return status;
    if (h->count == h->most) mote_frame_destroy(h->frames[--h->count]);
    memmove(h->frames + 1, h->frames, h->count * sizeof *h->frames);
    h->frames[0] = copy;
    ++h->count;
    return MOTE_OK;
}

/* Files of all ranks' rows, written by the first: every rank has a part of each column, and sends
 * it when its plane's turn comes, so that nobody needs room for more than a plane of all rows. */
#include "run/crew_parts.h"

#include "base/memory.h"
#include "base/status.h"
#include "io/npz.h"
#include "ranks/ranks.h"
#include "world/parts.h"

#include <string.h>

enum { FIRST = 0 };

/* A plane that the first asks for. */
typedef struct Request {
    int64_t array; /* number; < 0: the file has ended */
    int64_t component;
} Request;

typedef struct Feed {
    const Crew *crew;
    const WorldPart *parts; /* of this rank */
    Arena arena;            /* of one plane */
} Feed;

static mote_Status ask(const Feed *feed, Request *request, mote_Error *error)
{
    return ranks_tell(feed->crew->ranks, FIRST, request, sizeof *request, error);
}

/* NULL: it has no rows. */
static const void *own_plane(const mote_StateArray *array, int component)
{
    const size_t bytes = array->stride * mote_array_item_size(array->type);
    if (array->rows == 0) return NULL;
    return (const char *)array->data + (size_t)component * bytes;
}

/* All ranks together; *plane: all of it, on the first. */
static mote_Status gather(Feed *feed, const Request *request, const void **plane, mote_Error *error)
{
    const mote_StateArray *array = &feed->parts[request->array].array;
    const size_t bytes = array->rows * mote_array_item_size(array->type);
    void *all;
    size_t size;
    arena_reset(&feed->arena);
    mote_Status status =
        ranks_gather(feed->crew->ranks, FIRST, own_plane(array, (int)request->component), bytes,
                     &feed->arena, &all, &size, error);
    *plane = all;
    return status;
}

/* For npz_write, on the first: arrays are those of the parts, behind the head. What only it has is
 * at hand. */
static mote_Status fetch(void *context, size_t item, int component, const void **plane,
                         mote_Error *error)
{
    Feed *feed = context;
    Request request = {(int64_t)item - 1, component};
    const WorldPart *part = &feed->parts[request.array];
    if (!part->shared) {
        *plane = own_plane(&part->array, component);
        return MOTE_OK;
    }
    mote_Status status = ask(feed, &request, error);
    return status == MOTE_OK ? gather(feed, &request, plane, error) : status;
}

/* The others, until the file has ended. */
static mote_Status serve(Feed *feed, mote_Error *error)
{
    Request request;
    mote_Status status;
    while ((status = ask(feed, &request, error)) == MOTE_OK && request.array >= 0) {
        const void *plane;
        gather(feed, &request, &plane, error); /* who fails, all know, and the first ends it */
    }
    return status;
}

/* Without a file the heads are wanted alone. */
static mote_Status feed_file(Feed *feed, const CrewFile *file, CrewHeads *heads, mote_Error *error)
{
    const NpzFeed planes = {fetch, feed};
    Request end = {.array = -1};
    if (feed->crew->ranks->own != FIRST) return serve(feed, error);
    heads->feed = &planes;
    mote_Status status = file != NULL ? file->write(file->context, heads, error) : MOTE_OK;
    const mote_Status told = ask(feed, &end, NULL);
    return status == MOTE_OK ? told : status;
}

mote_Status crew_feed_frame(const Crew *crew, const CrewFile *file, const mote_Frame **frame,
                            mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    Feed feed = {.crew = crew, .arena = arena_make(&memory)};
    *frame = world_frame_parts(crew->world, &feed.parts);
    mote_Status status = *frame != NULL ? MOTE_OK : status_no_memory(error, "a frame", 1);
    status = ranks_agree(crew->ranks, status, error);
    CrewHeads heads = {.frame = *frame};
    if (status == MOTE_OK) status = feed_file(&feed, file, &heads, error);
    arena_free(&feed.arena);
    return status;
}

/* The arrays as one rank would have them, without what is in them. */
static mote_StateArray *heads_of(const WorldPart *parts, size_t count, Arena *arena)
{
    mote_StateArray *heads = arena_take(arena, (count + 1) * sizeof *heads);
    for (size_t i = 0; i < count && heads != NULL; ++i) {
        heads[i] = parts[i].array;
        heads[i].rows = (size_t)parts[i].total, heads[i].stride = 0, heads[i].data = NULL;
    }
    return heads;
}

mote_Status crew_feed_state(const Crew *crew, const CrewFile *file, mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    Feed feed = {.crew = crew, .arena = arena_make(&memory)};
    CrewHeads heads = {.frame = NULL};
    mote_Status status = world_state_parts(crew->world, &feed.parts, &heads.count, error);
    if (status == MOTE_OK) {
        heads.arrays = heads_of(feed.parts, heads.count, &arena);
        if (heads.arrays == NULL) status = status_no_memory(error, "a checkpoint", heads.count);
        status = ranks_agree(crew->ranks, status, error);
    }
    if (status == MOTE_OK) status = feed_file(&feed, file, &heads, error);
    arena_free(&feed.arena);
    arena_free(&arena);
    return status;
}

/* A saved state on its way to all ranks: the first has read it, and every rank gets those rows that
 * it will have, so that none but the first needs room for all of them. */
#include "run/crew_parts.h"

#include "base/memory.h"
#include "base/status.h"
#include "ranks/ranks.h"
#include "world/parts.h"

#include <string.h>

enum { FIRST = 0 };

typedef struct StateDeal {
    const Crew *crew;
    Arena *arena;
    size_t *sizes; /* bytes of a plane, by rank */
} StateDeal;

/* What all must know of an array. */
typedef struct ArrayHead {
    size_t name_size, type, rows, components;
} ArrayHead;

static bool is_first(const StateDeal *deal)
{
    return deal->crew->ranks->own == FIRST;
}

static mote_Status tell(const StateDeal *deal, void *bytes, size_t size, mote_Error *error)
{
    return ranks_tell(deal->crew->ranks, FIRST, bytes, size, error);
}

static mote_Status agree_on_room(const StateDeal *deal, bool room, size_t bytes, mote_Error *error)
{
    return ranks_agree(deal->crew->ranks,
                       room ? MOTE_OK : status_no_memory(error, "a saved state", bytes), error);
}

/* `from`: the array, on the first. The name is the part's own on all ranks. */
static mote_Status send_head(const StateDeal *deal, const mote_StateArray *from, ArrayHead *head,
                             WorldPart *part, mote_Error *error)
{
    if (is_first(deal))
        *head =
            (ArrayHead){strlen(from->name) + 1, from->type, from->rows, (size_t)from->components};
    mote_Status status = tell(deal, head, sizeof *head, error);
    if (status != MOTE_OK) return status;
    char *name = arena_take(deal->arena, head->name_size);
    status = agree_on_room(deal, name != NULL, head->name_size, error);
    if (status != MOTE_OK) return status;
    if (is_first(deal)) memcpy(name, from->name, head->name_size);
    part->array.name = name;
    return tell(deal, name, head->name_size, error);
}

/* How many rows this rank gets, and how many bytes of a plane every rank; room for them. */
static mote_Status take_room(const StateDeal *deal, const ArrayHead *head, WorldPart *part,
                             mote_Error *error)
{
    const mote_Ranks *ranks = deal->crew->ranks;
    const size_t item = mote_array_item_size((mote_ArrayType)head->type);
    part->total = head->rows;
    part->shared = world_cut_state(deal->crew->world, part->array.name, head->rows, deal->sizes);
    const size_t begin = ranks->own > 0 ? deal->sizes[ranks->own - 1] : 0;
    const size_t rows = part->shared ? deal->sizes[ranks->own] - begin : head->rows;
    for (int r = ranks->count; --r >= 0;)
        deal->sizes[r] = (deal->sizes[r] - (r > 0 ? deal->sizes[r - 1] : 0)) * item;
    const size_t bytes = rows * head->components * item;
    part->array = (mote_StateArray){.name = part->array.name,
                                    .type = (mote_ArrayType)head->type,
                                    .rows = rows,
                                    .components = (int)head->components,
                                    .stride = rows,
                                    .data = arena_take(deal->arena, bytes + 1)};
    return agree_on_room(deal, part->array.data != NULL, bytes, error);
}

/* Of the first's array, to all or to whom its rows belong. */
static mote_Status send_plane(const StateDeal *deal, const char *all, char *own,
                              const WorldPart *part, mote_Error *error)
{
    const size_t bytes = part->array.rows * mote_array_item_size(part->array.type);
    if (part->shared)
        return ranks_deal(deal->crew->ranks, FIRST, all, deal->sizes, own, deal->arena, error);
    if (all != NULL && bytes > 0) memcpy(own, all, bytes);
    return tell(deal, own, bytes, error);
}

static mote_Status send_array(const StateDeal *deal, const mote_StateArray *from, WorldPart *part,
                              mote_Error *error)
{
    ArrayHead head = {0};
    mote_Status status = send_head(deal, from, &head, part, error);
    if (status == MOTE_OK) status = take_room(deal, &head, part, error);
    const size_t item = mote_array_item_size((mote_ArrayType)head.type);
    size_t stride = 0;
    if (from != NULL) stride = (from->stride > 0 ? from->stride : from->rows) * item;
    for (size_t c = 0; c < head.components && status == MOTE_OK; ++c) {
        char *own = (char *)part->array.data + c * part->array.rows * item;
        const char *all = from != NULL ? (const char *)from->data + c * stride : NULL;
        status = send_plane(deal, all, own, part, error);
    }
    return status;
}

static mote_Status deal_state(StateDeal *deal, const mote_StateArray *arrays, size_t count,
                              mote_Error *error)
{
    mote_Status status = tell(deal, &count, sizeof count, error);
    if (status != MOTE_OK) return status;
    WorldPart *parts = arena_take(deal->arena, (count + 1) * sizeof *parts);
    deal->sizes = arena_take(deal->arena, (size_t)deal->crew->ranks->count * sizeof *deal->sizes);
    status =
        agree_on_room(deal, parts != NULL && deal->sizes != NULL, count * sizeof *parts, error);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i)
        status = send_array(deal, is_first(deal) ? &arrays[i] : NULL, &parts[i], error);
    return status == MOTE_OK ? world_restore_parts(deal->crew->world, parts, count, error) : status;
}

mote_Status crew_deal_state(const Crew *crew, const mote_StateArray *arrays, size_t count,
                            mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    StateDeal deal = {.crew = crew, .arena = &arena};
    const mote_Status status = deal_state(&deal, arrays, count, error);
    arena_free(&arena);
    return status;
}

/* Numbers, rows and bytes between ranks, by the host's calls. */
#include "ranks/ranks.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

mote_Status ranks_sum(const mote_Ranks *ranks, int64_t *numbers, size_t count, mote_Error *error)
{
    return ranks->sum(ranks->context, numbers, count, error);
}

mote_Status ranks_most(const mote_Ranks *ranks, double *numbers, size_t count, mote_Error *error)
{
    for (size_t i = 0; i < count; ++i) {
        if (isnan(numbers[i])) numbers[i] = (double)INFINITY;
        if (numbers[i] == 0) numbers[i] = 0; /* without a sign */
    }
    return ranks->most(ranks->context, numbers, count, error);
}

mote_Status ranks_sum_limbs(const mote_Ranks *ranks, Limbs *sums, size_t count, mote_Error *error)
{
    enum { WORDS = sizeof(Limbs) / sizeof(int64_t) };
    const Limbs none = {.odd = 0};
    if (!ranks_are_many(ranks)) return MOTE_OK;
    for (size_t i = 0; i < count; ++i) limbs_merge(&sums[i], &none); /* carries: ranks have room */
    mote_Status status = ranks_sum(ranks, sums[0].limb, count * WORDS, error);
    for (size_t i = 0; i < count; ++i) limbs_merge(&sums[i], &none);
    return status;
}

mote_Status ranks_agree(const mote_Ranks *ranks, mote_Status status, mote_Error *error)
{
    return ranks->agree(ranks->context, status, error);
}

mote_Status ranks_share(const mote_Ranks *ranks, uint64_t number, uint64_t *all, mote_Error *error)
{
    memset(all, 0, (size_t)ranks->count * sizeof *all);
    all[ranks->own] = number;
    return ranks_sum(ranks, (int64_t *)all, (size_t)ranks->count, error);
}

/* A sum to which the others add zeroes. */
mote_Status ranks_tell(const mote_Ranks *ranks, int from, void *bytes, size_t size,
                       mote_Error *error)
{
    enum { WORDS = 4096 };
    int64_t words[WORDS];
    mote_Status status = MOTE_OK;
    for (size_t at = 0; at < size && status == MOTE_OK; at += sizeof words) {
        const size_t some = size - at < sizeof words ? size - at : sizeof words;
        memset(words, 0, sizeof words);
        if (ranks->own == from) memcpy(words, (char *)bytes + at, some);
        status = ranks_sum(ranks, words, (some + 7) / 8, error);
        if (ranks->own != from && status == MOTE_OK) memcpy((char *)bytes + at, words, some);
    }
    return status;
}

/* ---- rows ---- */

static mote_Status no_room(mote_Error *error, size_t bytes)
{
    return status_no_memory(error, "messages between ranks", bytes);
}

static mote_Status trade(const mote_Ranks *ranks, const mote_Trade *trade, mote_Error *error)
{
    return ranks->trade(ranks->context, trade, error);
}

static size_t row_bytes(const RankPlane *planes, size_t count)
{
    size_t bytes = 0;
    for (size_t p = 0; p < count; ++p) bytes += planes[p].bytes;
    return bytes;
}

/* Copies of a size that the compiler knows, where there is one. */
#define EACH_SIZE(copy, size)                                                                      \
    switch (size) {                                                                                \
    case 4:                                                                                        \
        copy(4);                                                                                   \
        break;                                                                                     \
    case 8:                                                                                        \
        copy(8);                                                                                   \
        break;                                                                                     \
    case 16:                                                                                       \
        copy(16);                                                                                  \
        break;                                                                                     \
    case 32:                                                                                       \
        copy(32);                                                                                  \
        break;                                                                                     \
    default:                                                                                       \
        copy(size);                                                                                \
        break;                                                                                     \
    }

/* The numbers of a plane at the places of one rank, one after another; and back. */
static char *pack(const RankPlane *plane, const uint32_t *places, size_t count, char *to)
{
    const char *base = plane->base;
    const size_t stride = plane->stride;
#define PACK(bytes)                                                                                \
    for (size_t i = 0; i < count; ++i) memcpy(to + i * (bytes), base + places[i] * stride, bytes)
    EACH_SIZE(PACK, plane->bytes)
    return to + count * plane->bytes;
}

static const char *unpack(const RankPlane *plane, const uint32_t *places, size_t count,
                          const char *from)
{
    char *base = plane->base;
    const size_t stride = plane->stride;
#define UNPACK(bytes)                                                                              \
    for (size_t i = 0; i < count; ++i) memcpy(base + places[i] * stride, from + i * (bytes), bytes)
    EACH_SIZE(UNPACK, plane->bytes)
    return from + count * plane->bytes;
}

/* ---- room for messages ---- */

bool ranks_make_post(const mote_Ranks *ranks, const RankLists *from, const RankLists *to,
                     size_t each, Arena *arena, RankPost *post)
{
    const size_t count = (size_t)ranks->count;
    const RankLists *lists[2] = {from, to};
    for (int side = 0; side < 2; ++side) {
        post->sizes[side] = arena_take(arena, count * sizeof *post->sizes[side]);
        post->bytes[side] = arena_take(arena, lists[side]->first[count] * each + 1);
        if (post->sizes[side] == NULL || post->bytes[side] == NULL) return false;
    }
    return true;
}

mote_Status ranks_send(const mote_Ranks *ranks, const RankPost *post, const RankMove *move,
                       mote_Error *error)
{
    const RankLists *from = move->from, *to = move->to, *lists[2] = {from, to};
    const size_t each = row_bytes(move->out, move->plane_count), count = (size_t)ranks->count;
    for (int side = 0; side < 2; ++side)
        for (size_t r = 0; r < count; ++r)
            post->sizes[side][r] = (lists[side]->first[r + 1] - lists[side]->first[r]) * each;
    char *end = post->bytes[0];
    for (size_t r = 0; r < count; ++r)
        for (size_t p = 0; p < move->plane_count; ++p)
            end = pack(&move->out[p], from->places + from->first[r],
                       from->first[r + 1] - from->first[r], end);
    const mote_Trade message = {post->bytes[0], post->sizes[0], post->bytes[1], post->sizes[1]};
    const mote_Status status = trade(ranks, &message, error);
    const char *at = post->bytes[1];
    for (size_t r = 0; r < count && status == MOTE_OK; ++r)
        for (size_t p = 0; p < move->plane_count; ++p)
            at = unpack(&move->in[p], to->places + to->first[r], to->first[r + 1] - to->first[r],
                        at);
    return status;
}

/* ---- messages that are sent once ---- */

mote_Status ranks_exchange(const mote_Ranks *ranks, const RankLists *from, const RankLists *to,
                           const RankPlane *planes, size_t plane_count, Arena *arena,
                           mote_Error *error)
{
    const RankMove move = {from, to, planes, planes, plane_count};
    return ranks_move(ranks, &move, arena, error);
}

mote_Status ranks_move(const mote_Ranks *ranks, const RankMove *move, Arena *arena,
                       mote_Error *error)
{
    const RankLists *from = move->from, *to = move->to;
    const size_t each = row_bytes(move->out, move->plane_count), count = (size_t)ranks->count;
    RankPost post;
    mote_Status status = MOTE_OK;
    if (!ranks_make_post(ranks, from, to, each, arena, &post))
        status = no_room(error, (from->first[count] + to->first[count]) * each);
    status = ranks_agree(ranks, status, error);
    return status == MOTE_OK ? ranks_send(ranks, &post, move, error) : status;
}

mote_Status ranks_count_arrivals(const mote_Ranks *ranks, mote_Status status, const RankLists *from,
                                 size_t *to, Arena *arena, mote_Error *error)
{
    const size_t count = (size_t)ranks->count;
    uint64_t *numbers = arena_take(arena, 2 * count * sizeof *numbers);
    size_t *sizes = arena_take(arena, count * sizeof *sizes);
    if (status == MOTE_OK && (numbers == NULL || sizes == NULL))
        status = no_room(error, count * 24);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    for (size_t r = 0; r < count; ++r) {
        numbers[r] = from->first[r + 1] - from->first[r];
        sizes[r] = sizeof *numbers;
    }
    const mote_Trade message = {numbers, sizes, numbers + count, sizes};
    status = trade(ranks, &message, error);
    to[0] = 0;
    for (size_t r = 0; r < count && status == MOTE_OK; ++r)
        to[r + 1] = to[r] + (size_t)numbers[count + r];
    return status;
}

/* ---- bytes ---- */

mote_Status ranks_gather(const mote_Ranks *ranks, int to, const void *own, size_t size,
                         Arena *arena, void **all, size_t *all_size, mote_Error *error)
{
    const size_t count = (size_t)ranks->count;
    size_t *sizes = arena_take(arena, 2 * count * sizeof *sizes), total = 0;
    uint64_t *shared = arena_take(arena, count * sizeof *shared);
    mote_Status status = sizes != NULL && shared != NULL ? MOTE_OK : no_room(error, count * 24);
    *all = NULL, *all_size = 0;
    status = ranks_agree(ranks, status, error);
    if (status == MOTE_OK) status = ranks_share(ranks, size, shared, error);
    if (status != MOTE_OK) return status;
    for (size_t r = 0; r < count; ++r) {
        sizes[r] = (int)r == to ? size : 0;
        sizes[count + r] = to == ranks->own ? (size_t)shared[r] : 0;
        total += sizes[count + r];
    }
    char *room = arena_take(arena, total + 1);
    status = ranks_agree(ranks, room != NULL ? MOTE_OK : no_room(error, total), error);
    if (status != MOTE_OK) return status;
    const mote_Trade message = {own, sizes, room, sizes + count};
    status = trade(ranks, &message, error);
    if (status == MOTE_OK && total > 0) *all = room, *all_size = total;
    return status;
}

mote_Status ranks_deal(const mote_Ranks *ranks, int from, const void *all, const size_t *sizes,
                       void *own, Arena *arena, mote_Error *error)
{
    const size_t count = (size_t)ranks->count, bytes = 2 * count * sizeof(size_t);
    size_t *both = arena_take(arena, bytes);
    mote_Status status = ranks_agree(ranks, both != NULL ? MOTE_OK : no_room(error, bytes), error);
    if (status != MOTE_OK) return status;
    memset(both, 0, bytes);
    if (ranks->own == from) memcpy(both, sizes, count * sizeof *sizes);
    both[count + (size_t)from] = sizes[ranks->own];
    const mote_Trade message = {all, both, own, both + count};
    return trade(ranks, &message, error);
}

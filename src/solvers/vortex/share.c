/* Sums at points, dealt among ranks that all have the same sources and points. A sum at a point
 * does not depend on who takes it, so that what all know in the end has the bits of one rank. */
#include "solvers/vortex/induce.h"

#include "base/status.h"

#include <string.h>

/* A message takes as long as some ten thousand pairs of a source and a point. */
static const double least_pairs = 1e5;

bool share_deals(const InduceRequest *request)
{
    const SumShare *share = request->share;
    return share != NULL && ranks_are_many(share->ranks) && share->status == MOTE_OK &&
           (double)request->sources.count * (double)request->count >= least_pairs;
}

size_t *share_bounds(const InduceRequest *request, size_t grain)
{
    const mote_Ranks *ranks = request->share->ranks;
    const size_t count = (size_t)ranks->count;
    size_t *bounds = arena_take(request->arena, (count + 1) * sizeof *bounds);
    for (int r = 0; r <= ranks->count && bounds != NULL; ++r)
        bounds[r] = ranks_slice_begin(ranks, r, request->count, grain);
    return bounds;
}

/* What this rank has, once for every other one, and room for what they have. */
typedef struct Letters {
    char *send, *receive;
    size_t *send_sizes, *receive_sizes;
} Letters;

static bool take_letters(const InduceRequest *request, const size_t *bounds, size_t each,
                         Letters *letters)
{
    const mote_Ranks *ranks = request->share->ranks;
    const size_t count = (size_t)ranks->count, own = (size_t)ranks->own;
    const size_t mine = (bounds[own + 1] - bounds[own]) * each;
    letters->send = arena_take(request->arena, count * mine + 1);
    letters->receive = arena_take(request->arena, request->count * each + 1);
    letters->send_sizes = arena_take(request->arena, 2 * count * sizeof *letters->send_sizes);
    if (letters->send == NULL || letters->receive == NULL || letters->send_sizes == NULL)
        return false;
    letters->receive_sizes = letters->send_sizes + count;
    for (size_t r = 0; r < count; ++r) {
        letters->send_sizes[r] = r == own ? 0 : mine;
        letters->receive_sizes[r] = r == own ? 0 : (bounds[r + 1] - bounds[r]) * each;
    }
    return true;
}

/* The planes of the points [begin, end), one after another. */
static void write_letter(mote_real *const *planes, int count, size_t begin, size_t end, char *to)
{
    const size_t bytes = (end - begin) * sizeof(mote_real);
    for (int p = 0; p < count && bytes > 0; ++p)
        memcpy(to + (size_t)p * bytes, planes[p] + begin, bytes);
}

static void read_letter(mote_real *const *planes, int count, size_t begin, size_t end,
                        const char *from)
{
    const size_t bytes = (end - begin) * sizeof(mote_real);
    for (int p = 0; p < count && bytes > 0; ++p)
        memcpy(planes[p] + begin, from + (size_t)p * bytes, bytes);
}

static mote_Status trade_letters(const InduceRequest *request, mote_real *const *planes,
                                 const size_t *bounds, const Letters *letters)
{
    SumShare *share = request->share;
    const mote_Ranks *ranks = share->ranks;
    const size_t count = (size_t)ranks->count, own = (size_t)ranks->own;
    const int each = induce_planes(request->quantity);
    char *to = letters->send;
    for (size_t r = 0; r < count; ++r) {
        if (r != own) write_letter(planes, each, bounds[own], bounds[own + 1], to);
        to += letters->send_sizes[r];
    }
    const mote_Trade trade = {letters->send, letters->send_sizes, letters->receive,
                              letters->receive_sizes};
    mote_Status status = ranks->trade(ranks->context, &trade, &share->error);
    const char *from = letters->receive;
    for (size_t r = 0; r < count && status == MOTE_OK; ++r) {
        if (r != own) read_letter(planes, each, bounds[r], bounds[r + 1], from);
        from += letters->receive_sizes[r];
    }
    return status;
}

bool share_planes(const InduceRequest *request, mote_real *const *planes, const size_t *bounds)
{
    SumShare *share = request->share;
    const size_t each = (size_t)induce_planes(request->quantity) * sizeof(mote_real);
    Letters letters = {.send = NULL};
    mote_Status status = MOTE_OK;
    if (bounds == NULL || !take_letters(request, bounds, each, &letters))
        status = status_no_memory(&share->error, "sums of vortons", request->count * each);
    share->status = ranks_agree(share->ranks, status, &share->error);
    if (share->status == MOTE_OK) share->status = trade_letters(request, planes, bounds, &letters);
    return share->status == MOTE_OK;
}

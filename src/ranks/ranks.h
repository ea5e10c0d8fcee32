/* Ranks: what is done with the four calls of a host (<mote/ranks.h>).
 *
 * All of these are called by all ranks together, those without a row too. A rank that fails by
 * itself, as when it has no memory, must not stay away: it says so by `agree` before the next call
 * that others would wait in. */
#ifndef RANKS_RANKS_H
#define RANKS_RANKS_H

#include <mote/ranks.h>

#include "base/limbs.h"
#include "base/memory.h"

/* ---- tables ---- */

/* One rank: what every world has that was given none. */
extern const mote_Ranks ranks_single;

/* Ranks as threads of this program, for tests and sanitizers: calls body on `count` threads, each
 * with its table, and returns when all have ended. A rank that ends leaves nobody waiting: calls
 * that it would have had to make fail. The status is that of the rank that failed first. */
typedef mote_Status RankBody(void *context, const mote_Ranks *ranks, mote_Error *error);
mote_Status ranks_run_threads(int count, RankBody *body, void *context, mote_Error *error);

/* A host's table, and how long its calls take: what a rank does beside them is its work. */
typedef struct RankWaits {
    mote_Ranks table; /* for everybody else; it knows where this struct stands */
    const mote_Ranks *host;
    double seconds;
} RankWaits;
void ranks_time(RankWaits *waits, const mote_Ranks *host);

static inline bool ranks_are_many(const mote_Ranks *ranks)
{
    return ranks->count > 1;
}

/* What a rank has of things that are dealt evenly, in whole grains: [begin, end). */
typedef struct RankSlice {
    size_t begin, end;
} RankSlice;

static inline size_t ranks_slice_begin(const mote_Ranks *ranks, int rank, size_t total,
                                       size_t grain)
{
    const size_t grains = (total + grain - 1) / grain;
    const size_t begin = grains * (size_t)rank / (size_t)ranks->count * grain;
    return begin < total ? begin : total;
}

static inline RankSlice ranks_slice(const mote_Ranks *ranks, size_t total, size_t grain)
{
    return (RankSlice){ranks_slice_begin(ranks, ranks->own, total, grain),
                       ranks_slice_begin(ranks, ranks->own + 1, total, grain)};
}

/* ---- numbers ---- */

mote_Status ranks_sum(const mote_Ranks *ranks, int64_t *numbers, size_t count, mote_Error *error);

/* The largest of each number; what is no number counts as infinite. */
mote_Status ranks_most(const mote_Ranks *ranks, double *numbers, size_t count, mote_Error *error);

/* Sums whose order does not count: the exact sum over all ranks. */
mote_Status ranks_sum_limbs(const mote_Ranks *ranks, Limbs *sums, size_t count, mote_Error *error);

/* What came of a piece of work that every rank did by itself. */
mote_Status ranks_agree(const mote_Ranks *ranks, mote_Status status, mote_Error *error);

/* Every rank's number, on all of them: `all` has one for each. */
mote_Status ranks_share(const mote_Ranks *ranks, uint64_t number, uint64_t *all, mote_Error *error);

/* What rank `from` has at `bytes`, on all of them. */
mote_Status ranks_tell(const mote_Ranks *ranks, int from, void *bytes, size_t size,
                       mote_Error *error);

/* ---- rows ---- */

/* A plane of numbers, one for each place: the joint with memory that is not the processor's. */
typedef struct RankPlane {
    void *base;
    size_t stride; /* bytes from place to place */
    size_t bytes;  /* of one */
} RankPlane;

/* Places for each rank: those for rank r are places[first[r]] .. places[first[r + 1]). */
typedef struct RankLists {
    const size_t *first; /* one number a rank, and one more */
    const uint32_t *places;
} RankLists;

/* Copies what stands at the places of `from` to those of `to` on the other side, plane by plane.
 * Both sides know the lists: nothing but numbers travels. Scratch comes from the arena. */
mote_Status ranks_exchange(const mote_Ranks *ranks, const RankLists *from, const RankLists *to,
                           const RankPlane *planes, size_t plane_count, Arena *arena,
                           mote_Error *error);

/* The same from some planes to others, of the same numbers. */
typedef struct RankMove {
    const RankLists *from, *to;
    const RankPlane *out, *in;
    size_t plane_count;
} RankMove;

mote_Status ranks_move(const mote_Ranks *ranks, const RankMove *move, Arena *arena,
                       mote_Error *error);

/* Room for messages along the same lists again and again, `each` bytes a place at most. All agree
 * once that they have it, and never again. False: no memory. */
typedef struct RankPost {
    size_t *sizes[2];
    char *bytes[2];
} RankPost;

bool ranks_make_post(const mote_Ranks *ranks, const RankLists *from, const RankLists *to,
                     size_t each, Arena *arena, RankPost *post);
mote_Status ranks_send(const mote_Ranks *ranks, const RankPost *post, const RankMove *move,
                       mote_Error *error);

/* How many places every rank will send to this one, by what this one sends to them; `to` has room
 * for one number a rank and one more, and becomes the start of each, from 0. Before it all agree on
 * `status`, what came of this rank's lists. */
mote_Status ranks_count_arrivals(const mote_Ranks *ranks, mote_Status status, const RankLists *from,
                                 size_t *to, Arena *arena, mote_Error *error);

/* All bytes of all ranks, one rank after another, on rank `to`; others get none. `all` is from the
 * arena, or NULL where there is nothing. */
mote_Status ranks_gather(const mote_Ranks *ranks, int to, const void *own, size_t size,
                         Arena *arena, void **all, size_t *all_size, mote_Error *error);

/* The opposite: of what rank `from` has at `all`, one rank's after another's, each gets its own.
 * `sizes`: bytes, one number a rank, the same everywhere; `own` has room for this one's. */
mote_Status ranks_deal(const mote_Ranks *ranks, int from, const void *all, const size_t *sizes,
                       void *own, Arena *arena, mote_Error *error);

#endif

/* Ranks: programs, on one machine or many, that step one world together, each with a part of its
 * particles. What they say to each other goes through four calls, which a host gives. */
#ifndef MOTE_RANKS_H
#define MOTE_RANKS_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes from every rank to every rank. Those for rank r begin in `send` where those for the ranks
 * before it end, and likewise in `receive`; both sides know the sizes. */
typedef struct mote_Trade {
    const void *send;            /* may be NULL where nothing is sent */
    const size_t *send_sizes;    /* bytes, one number a rank */
    void *receive;               /* may be NULL where nothing comes */
    const size_t *receive_sizes; /* bytes, one number a rank: what those ranks send to this one */
} mote_Trade;

/* What a host gives: all ranks make the same calls in the same order, and each returns when all
 * have come. A call that fails does so on every rank that is still there. The world makes them on
 * the thread that steps it. */
typedef struct mote_Ranks {
    int count; /* of all; 1 or more */
    int own;   /* this one's number, from 0 */
    void *context;
    /* Each number becomes the sum of that number on all ranks. */
    mote_Status (*sum)(void *context, int64_t *numbers, size_t count, mote_Error *error);
    /* Each number becomes the largest of all ranks; none is NaN, and 0 has no sign. */
    mote_Status (*most)(void *context, double *numbers, size_t count, mote_Error *error);
    /* The largest status of all ranks, with the message of the lowest rank that has it. */
    mote_Status (*agree)(void *context, mote_Status status, mote_Error *error);
    mote_Status (*trade)(void *context, const mote_Trade *trade, mote_Error *error);
} mote_Ranks;

#ifdef __cplusplus
}
#endif
#endif

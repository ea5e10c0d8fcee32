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

/* ---- programs that a launcher of MPI has started ---- */

/* How many programs mpirun or srun has started together, as the environment says; 1: it has not.
 * *own: which of them this is, from 0; may be NULL. */
MOTE_API int mote_ranks_launched(int *own);

/* How many of them are on this machine, as the environment says; 1 where it does not. */
MOTE_API int mote_ranks_here(void);

/* Their table, from the plug-in mote-mpi.so, which this loads: the library itself needs no MPI.
 * *ranks becomes NULL where the program runs alone. Once in a program, on the thread that steps
 * worlds; all ranks call it. */
MOTE_API mote_Status mote_ranks_open(const mote_Ranks **ranks, mote_Error *error);
/* When no world has ranks any more; all ranks call it. */
MOTE_API void mote_ranks_close(void);

/* The MPI that the plug-in would use, "Open MPI v4.1.4", written to `name` of `size` bytes; or
 * MOTE_UNAVAILABLE with what is missing. */
MOTE_API mote_Status mote_ranks_library(char *name, size_t size, mote_Error *error);

#ifdef __cplusplus
}
#endif
#endif

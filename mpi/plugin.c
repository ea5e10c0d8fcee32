/* mote-mpi.so: the four calls of <mote/ranks.h> by MPI. It is loaded when a launcher has started
 * ranks (src/ranks/mpi.c), so that the program itself needs no MPI.
 *
 * Sizes of MPI are ints: what is longer goes in pieces. */
#include "ranks/plugin.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 30, TAG = 25 };

static bool broken; /* a call has failed: others may be waiting, and nothing can be told them */

static mote_Status check(int code, const char *what, mote_Error *error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS) return MOTE_OK;
    broken = true;
    MPI_Error_string(code, text, &length);
    if (error != NULL) {
        error->status = MOTE_IO_FAILED;
        snprintf(error->message, sizeof error->message, "ranks: MPI could not %s: %.300s", what,
                 text);
    }
    return MOTE_IO_FAILED;
}

static mote_Status reduce(void *numbers, size_t count, MPI_Datatype type, MPI_Op how,
                          mote_Error *error)
{
    mote_Status status = MOTE_OK;
    int size;
    MPI_Type_size(type, &size);
    for (size_t at = 0; at < count && status == MOTE_OK; at += PIECE / 8) {
        const size_t some = count - at < PIECE / 8 ? count - at : PIECE / 8;
        status = check(MPI_Allreduce(MPI_IN_PLACE, (char *)numbers + at * (size_t)size, (int)some,
                                     type, how, MPI_COMM_WORLD),
                       "add up numbers", error);
    }
    return status;
}

static mote_Status sum(void *context, int64_t *numbers, size_t count, mote_Error *error)
{
    (void)context;
    return reduce(numbers, count, MPI_INT64_T, MPI_SUM, error);
}

static mote_Status most(void *context, double *numbers, size_t count, mote_Error *error)
{
    (void)context;
    return reduce(numbers, count, MPI_DOUBLE, MPI_MAX, error);
}

/* Of equal ones MPI_MAXLOC takes the lowest rank. */
static mote_Status agree(void *context, mote_Status own, mote_Error *error)
{
    struct {
        int status, rank;
    } worst = {(int)own, ((const mote_Ranks *)context)->own};
    mote_Error said = {.status = own};
    mote_Status status =
        check(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD), "agree",
              error);
    if (status != MOTE_OK || worst.status == (int)MOTE_OK) return status;
    if (error != NULL && own != MOTE_OK)
        said = *error;
    else
        snprintf(said.message, sizeof said.message, "rank %d failed", worst.rank);
    status = check(MPI_Bcast(&said, (int)sizeof said, MPI_BYTE, worst.rank, MPI_COMM_WORLD),
                   "agree", error);
    if (status != MOTE_OK) return status;
    if (error != NULL) *error = said;
    return (mote_Status)worst.status;
}

/* Bytes to one rank while those of another come. Pieces of both sides have the same numbers, so
 * that all go through them in one order and nobody waits in a circle. */
typedef struct Exchange {
    const char *send;
    char *receive;
    size_t send_left, receive_left;
    int to, from;
} Exchange;

static mote_Status exchange(Exchange work, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    while ((work.send_left > 0 || work.receive_left > 0) && status == MOTE_OK) {
        const size_t out = work.send_left < PIECE ? work.send_left : PIECE;
        const size_t in = work.receive_left < PIECE ? work.receive_left : PIECE;
        status = check(MPI_Sendrecv(work.send, (int)out, MPI_BYTE,
                                    out > 0 ? work.to : MPI_PROC_NULL, TAG, work.receive, (int)in,
                                    MPI_BYTE, in > 0 ? work.from : MPI_PROC_NULL, TAG,
                                    MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                       "send rows", error);
        work.send += out, work.send_left -= out;
        work.receive += in, work.receive_left -= in;
    }
    return status;
}

static size_t size_before(const size_t *sizes, int rank)
{
    size_t before = 0;
    for (int r = 0; r < rank; ++r) before += sizes[r];
    return before;
}

static mote_Status trade(void *context, const mote_Trade *trade, mote_Error *error)
{
    const mote_Ranks *ranks = context;
    mote_Status status = MOTE_OK;
    for (int away = 0; away < ranks->count && status == MOTE_OK; ++away) {
        const int to = (ranks->own + away) % ranks->count;
        const int from = (ranks->own - away + ranks->count) % ranks->count;
        Exchange work = {.send_left = trade->send_sizes[to],
                         .receive_left = trade->receive_sizes[from],
                         .to = to,
                         .from = from};
        if (work.send_left > 0)
            work.send = (const char *)trade->send + size_before(trade->send_sizes, to);
        if (work.receive_left > 0)
            work.receive = (char *)trade->receive + size_before(trade->receive_sizes, from);
        if (away > 0)
            status = exchange(work, error);
        else if (work.send_left > 0)
            memcpy(work.receive, work.send, work.send_left);
    }
    return status;
}

/* "Open MPI v4.1.4, package: ..." up to the comma; others write several lines. */
static void name(char *text, size_t size)
{
    char all[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(all, &length);
    snprintf(text, size, "%.*s", (int)strcspn(all, ",\n"), all);
}

static mote_Status start(mote_Ranks *ranks, mote_Error *error)
{
    int given;
    mote_Status status =
        check(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given), "start", error);
    if (status != MOTE_OK) return status;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    *ranks =
        (mote_Ranks){.context = ranks, .sum = sum, .most = most, .agree = agree, .trade = trade};
    status = check(MPI_Comm_size(MPI_COMM_WORLD, &ranks->count), "count ranks", error);
    if (status != MOTE_OK) return status;
    return check(MPI_Comm_rank(MPI_COMM_WORLD, &ranks->own), "count ranks", error);
}

static void stop(void)
{
    if (broken) MPI_Abort(MPI_COMM_WORLD, 1); /* whoever waits is ended by the launcher */
    MPI_Finalize();
}

MOTE_API extern const RankPlugin mote_rank_plugin;
const RankPlugin mote_rank_plugin = {RANK_PLUGIN_VERSION, name, start, stop};

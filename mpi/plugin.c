/* mote-mpi.so: the four calls of <mote/ranks.h> by MPI. It is loaded when a launcher has started
 * ranks (src/ranks/mpi.c), so that the program itself needs no MPI.
 *
 * Sizes of MPI are ints: what is longer goes in pieces. */
#include "ranks/plugin.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- trades ---- */

/* Messages under way: one to and one from every other rank at most. */
static MPI_Request *requests;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Asks for, or sends, piece `round` of what other ranks give or get. */
static mote_Status start_side(const mote_Ranks *ranks, const mote_Trade *trade, bool sends,
                              size_t round, int *under_way, mote_Error *error)
{
    const size_t *sizes = sends ? trade->send_sizes : trade->receive_sizes;
    const size_t skipped = round * (size_t)PIECE;
    size_t at = 0;
    mote_Status status = MOTE_OK;
    for (int r = 0; r < ranks->count && status == MOTE_OK; at += sizes[r++]) {
        if (r == ranks->own || sizes[r] <= skipped) continue;
        const int some = (int)least(sizes[r] - skipped, PIECE);
        MPI_Request *request = &requests[(*under_way)++];
        if (sends)
            status = check(MPI_Isend((const char *)trade->send + at + skipped, some, MPI_BYTE, r,
                                     TAG, MPI_COMM_WORLD, request),
                           "send rows", error);
        else
            status = check(MPI_Irecv((char *)trade->receive + at + skipped, some, MPI_BYTE, r, TAG,
                                     MPI_COMM_WORLD, request),
                           "receive rows", error);
    }
    return status;
}

static void keep_own(const mote_Ranks *ranks, const mote_Trade *trade)
{
    size_t from = 0, to = 0;
    for (int r = 0; r < ranks->own; ++r)
        from += trade->send_sizes[r], to += trade->receive_sizes[r];
    const size_t size = trade->send_sizes[ranks->own];
    if (size > 0) memcpy((char *)trade->receive + to, (const char *)trade->send + from, size);
}

/* Only ranks that have something for each other speak: of a liquid, neighbours. Sizes of MPI are
 * ints, so what is longer goes in several rounds; both sides know the sizes, and messages of two
 * ranks come in the order in which they were sent. */
static mote_Status trade(void *context, const mote_Trade *trade, mote_Error *error)
{
    const mote_Ranks *ranks = context;
    mote_Status status = MOTE_OK;
    keep_own(ranks, trade);
    for (size_t round = 0, left = 1; left > 0 && status == MOTE_OK; ++round) {
        int under_way = 0;
        status = start_side(ranks, trade, false, round, &under_way, error);
        if (status == MOTE_OK) status = start_side(ranks, trade, true, round, &under_way, error);
        if (status == MOTE_OK)
            status = check(MPI_Waitall(under_way, requests, MPI_STATUSES_IGNORE), "send rows",
                           error);
        left = (size_t)under_way;
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
    requests = malloc(2 * (size_t)ranks->count * sizeof *requests);
    if (requests == NULL) {
        if (error != NULL) *error = (mote_Error){MOTE_NO_MEMORY, "ranks: out of memory"};
        return MOTE_NO_MEMORY;
    }
    return check(MPI_Comm_rank(MPI_COMM_WORLD, &ranks->own), "count ranks", error);
}

static void stop(void)
{
    if (broken) MPI_Abort(MPI_COMM_WORLD, 1); /* whoever waits is ended by the launcher */
    free(requests), requests = NULL;
    MPI_Finalize();
}

MOTE_API extern const RankPlugin mote_rank_plugin;
const RankPlugin mote_rank_plugin = {RANK_PLUGIN_VERSION, name, start, stop};

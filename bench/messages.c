/* Calls between ranks, again and again: the smallest that a liquid makes, and large ones. */
#include "bench/messages.h"

#include "bench/bench.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 17, REPEATS = 200, FEW_REPEATS = 20 };

typedef struct MessageRow {
    const char *name;
    enum { SUM, MOST, AGREE, TRADE_ALL, TRADE_BESIDE } call;
    size_t numbers; /* of 8 bytes: in all; of trades, for each rank that gets some */
    int repeats;
} MessageRow;

/* Sums of 72 numbers are those of an iteration's products, 2^17 those of the largest coarse grid.
 */
static const MessageRow rows[] = {{"sum_1", SUM, 1, REPEATS},
                                  {"sum_72", SUM, 72, REPEATS},
                                  {"sum_2^17", SUM, MOST_NUMBERS, FEW_REPEATS},
                                  {"most_1", MOST, 1, REPEATS},
                                  {"agree", AGREE, 0, REPEATS},
                                  {"trade_nothing", TRADE_ALL, 0, REPEATS},
                                  {"trade_8_bytes", TRADE_ALL, 1, REPEATS},
                                  {"trade_64_KiB_beside", TRADE_BESIDE, 1 << 13, REPEATS},
                                  {"trade_1_MiB_beside", TRADE_BESIDE, 1 << 17, FEW_REPEATS}};

typedef struct Messages {
    const mote_Ranks *ranks;
    int64_t *numbers, *others;
    size_t *sizes; /* by rank: what is sent, and what comes */
} Messages;

/* A trade sends to all other ranks, or to the one before and the one behind. */
static mote_Status trade(const Messages *m, const MessageRow *row, mote_Error *error)
{
    const int count = m->ranks->count, own = m->ranks->own;
    for (int r = 0; r < count; ++r) {
        const int away = (r - own + count) % count;
        const bool meant = away != 0 && (row->call == TRADE_ALL || away == 1 || away == count - 1);
        m->sizes[r] = meant ? row->numbers * sizeof *m->numbers : 0;
    }
    const mote_Trade work = {m->numbers, m->sizes, m->others, m->sizes};
    return m->ranks->trade(m->ranks->context, &work, error);
}

static mote_Status call(const Messages *m, const MessageRow *row, mote_Error *error)
{
    switch (row->call) {
    case SUM:
        return ranks_sum(m->ranks, m->numbers, row->numbers, error);
    case MOST:
        return ranks_most(m->ranks, (double *)m->numbers, row->numbers, error);
    case AGREE:
        return ranks_agree(m->ranks, MOTE_OK, error);
    default:
        return trade(m, row, error);
    }
}

static mote_Status measure(const Messages *m, MessageTimes *times, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == MOTE_OK; ++i) {
        status = call(m, &rows[i], error);
        const double before = clock_seconds();
        for (int k = 0; k < rows[i].repeats && status == MOTE_OK; ++k)
            status = call(m, &rows[i], error);
        const double seconds = (clock_seconds() - before) / rows[i].repeats;
        times->of[times->count++] = (MessageTime){rows[i].name, seconds};
    }
    return status;
}

mote_Status messages_measure(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    const size_t count = (size_t)ranks->count + 2 * (size_t)MOST_NUMBERS;
    MessageTimes times = {.count = 0};
    Messages m = {.ranks = ranks, .numbers = calloc(count, 8), .others = calloc(count, 8)};
    m.sizes = calloc((size_t)ranks->count, sizeof *m.sizes);
    const bool room = m.numbers != NULL && m.others != NULL && m.sizes != NULL;
    mote_Status status = room ? MOTE_OK : status_no_memory(error, "messages", 16 * count);
    status = ranks_agree(ranks, status, error);
    if (status == MOTE_OK) status = measure(&m, &times, error);
    free(m.numbers), free(m.others), free(m.sizes);
    if (ranks->own == 0) *(MessageTimes *)context = times;
    return status;
}

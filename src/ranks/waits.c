/* Calls of a host, timed. */
#include "base/machine.h"
#include "ranks/ranks.h"

static mote_Status timed(RankWaits *waits, double begun, mote_Status status)
{
    waits->seconds += clock_seconds() - begun;
    return status;
}

static mote_Status sum(void *context, int64_t *numbers, size_t count, mote_Error *error)
{
    RankWaits *waits = context;
    const double begun = clock_seconds();
    return timed(waits, begun, waits->host->sum(waits->host->context, numbers, count, error));
}

static mote_Status most(void *context, double *numbers, size_t count, mote_Error *error)
{
    RankWaits *waits = context;
    const double begun = clock_seconds();
    return timed(waits, begun, waits->host->most(waits->host->context, numbers, count, error));
}

static mote_Status agree(void *context, mote_Status status, mote_Error *error)
{
    RankWaits *waits = context;
    const double begun = clock_seconds();
    return timed(waits, begun, waits->host->agree(waits->host->context, status, error));
}

static mote_Status trade(void *context, const mote_Trade *what, mote_Error *error)
{
    RankWaits *waits = context;
    const double begun = clock_seconds();
    return timed(waits, begun, waits->host->trade(waits->host->context, what, error));
}

void ranks_time(RankWaits *waits, const mote_Ranks *host)
{
    *waits = (RankWaits){.table = {.count = host->count,
                                   .own = host->own,
                                   .context = waits,
                                   .sum = sum,
                                   .most = most,
                                   .agree = agree,
                                   .trade = trade},
                         .host = host};
}

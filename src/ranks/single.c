/* One rank: everything is here already. */
#include "ranks/ranks.h"

#include <string.h>

static mote_Status sum(void *context, int64_t *numbers, size_t count, mote_Error *error)
{
    (void)context, (void)numbers, (void)count, (void)error;
    return MOTE_OK;
}

static mote_Status most(void *context, double *numbers, size_t count, mote_Error *error)
{
    (void)context, (void)numbers, (void)count, (void)error;
    return MOTE_OK;
}

static mote_Status agree(void *context, mote_Status status, mote_Error *error)
{
    (void)context, (void)error;
    return status;
}

static mote_Status trade(void *context, const mote_Trade *trade, mote_Error *error)
{
    (void)context, (void)error;
    if (trade->send_sizes[0] > 0) memcpy(trade->receive, trade->send, trade->send_sizes[0]);
    return MOTE_OK;
}

const mote_Ranks ranks_single = {
    .count = 1, .own = 0, .sum = sum, .most = most, .agree = agree, .trade = trade};

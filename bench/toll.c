/* Calls to other ranks, counted and timed. */
#include "bench/toll.h"

#include "bench/bench.h"

const char *toll_name(TollKind kind)
{
    static const char *const names[] = {"sum", "most", "agree", "trade"};
    return names[kind];
}

typedef struct TollTime {
    double seconds, processor;
} TollTime;

static TollTime toll_enter(void)
{
    return (TollTime){clock_seconds(), bench_clock_of(1)};
}

static void toll_leave(Toll *toll, TollKind kind, TollTime before, uint64_t bytes)
{
    TollCalls *of = &toll->of[kind];
    of->seconds += clock_seconds() - before.seconds;
    toll->processor += bench_clock_of(1) - before.processor;
    of->bytes += bytes;
    ++of->calls;
}

static uint64_t others(const Toll *toll)
{
    return (uint64_t)toll->host->count - 1;
}

static mote_Status toll_sum(void *context, int64_t *numbers, size_t count, mote_Error *error)
{
    Toll *toll = context;
    const TollTime before = toll_enter();
    mote_Status status = toll->host->sum(toll->host->context, numbers, count, error);
    toll_leave(toll, TOLL_SUM, before, others(toll) * count * sizeof *numbers);
    return status;
}

static mote_Status toll_most(void *context, double *numbers, size_t count, mote_Error *error)
{
    Toll *toll = context;
    const TollTime before = toll_enter();
    mote_Status status = toll->host->most(toll->host->context, numbers, count, error);
    toll_leave(toll, TOLL_MOST, before, others(toll) * count * sizeof *numbers);
    return status;
}

static mote_Status toll_agree(void *context, mote_Status given, mote_Error *error)
{
    Toll *toll = context;
    const TollTime before = toll_enter();
    mote_Status status = toll->host->agree(toll->host->context, given, error);
    toll_leave(toll, TOLL_AGREE, before, others(toll) * sizeof status);
    return status;
}

static mote_Status toll_trade(void *context, const mote_Trade *trade, mote_Error *error)
{
    Toll *toll = context;
    const TollTime before = toll_enter();
    mote_Status status = toll->host->trade(toll->host->context, trade, error);
    uint64_t bytes = 0;
    for (int r = 0; r < toll->host->count; ++r)
        if (r != toll->host->own) bytes += trade->send_sizes[r];
    toll_leave(toll, TOLL_TRADE, before, bytes);
    return status;
}

Toll toll_make(const mote_Ranks *host)
{
    return (Toll){.host = host};
}

mote_Ranks toll_table(Toll *toll)
{
    return (mote_Ranks){.count = toll->host->count,
                        .own = toll->host->own,
                        .context = toll,
                        .sum = toll_sum,
                        .most = toll_most,
                        .agree = toll_agree,
                        .trade = toll_trade};
}

TollCalls toll_all(const Toll *toll)
{
    TollCalls all = {.calls = 0};
    for (int k = 0; k < TOLL_KINDS; ++k) {
        all.calls += toll->of[k].calls, all.bytes += toll->of[k].bytes;
        all.seconds += toll->of[k].seconds;
    }
    return all;
}

/* Ranks as threads: numbers, rows and bytes that travel between them, against what one program
 * computes of all; ranks that fail, end or go astray leave nobody waiting. */
#include "base/limbs.h"
#include "base/status.h"
#include "failing.h"
#include "ranks/ranks.h"
#include "setup.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST_RANKS = 8, PLACES = 200, ROUNDS = 20 };

static const int counts[] = {1, 2, 3, 4, 8};

static void on_ranks(int count, RankBody *body, void *context)
{
    mote_Error error;
    mote_Status status = ranks_run_threads(count, body, context, &error);
    if (status != MOTE_OK) fprintf(stderr, "%d ranks: %s\n", count, error.message);
    CHECK(status == MOTE_OK);
}

static void on_all_counts(RankBody *body, void *context)
{
    for (size_t i = 0; i < COUNT_OF(counts); ++i) on_ranks(counts[i], body, context);
}

/* ---- numbers ---- */

static int64_t whole_number(int rank, size_t i)
{
    uint64_t state = 100 * (uint64_t)rank + i;
    return (int64_t)(setup_bits(&state) >> 8) * (i % 2 == 0 ? 1 : -1);
}

static mote_Status numbers_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    enum { NUMBERS = 150 }; /* more than are read at once */
    int64_t sums[NUMBERS];
    double most[NUMBERS];
    mote_Status status = MOTE_OK;
    (void)context;
    for (size_t i = 0; i < NUMBERS; ++i) {
        sums[i] = whole_number(ranks->own, i);
        most[i] = (double)sums[i];
    }
    status = ranks_sum(ranks, sums, NUMBERS, error);
    if (status == MOTE_OK) status = ranks_most(ranks, most, NUMBERS, error);
    for (size_t i = 0; i < NUMBERS && status == MOTE_OK; ++i) {
        int64_t sum = 0;
        double largest = -(double)INFINITY;
        for (int r = 0; r < ranks->count; ++r) {
            sum += whole_number(r, i);
            largest = fmax(largest, (double)whole_number(r, i));
        }
        CHECK(sums[i] == sum);
        CHECK(most[i] == largest);
    }
    return status;
}

/* NaN and zeroes of either sign are the same for all, whoever has them. */
static mote_Status odd_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    const bool last = ranks->own == ranks->count - 1;
    double most[2] = {last ? (double)NAN : 1, last ? -0.0 : -1};
    (void)context;
    mote_Status status = ranks_most(ranks, most, 2, error);
    CHECK(isinf(most[0]) && most[0] > 0);
    CHECK(most[1] == 0 && !signbit(most[1]));
    return status;
}

static mote_Status share_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    uint64_t all[MOST_RANKS];
    (void)context;
    mote_Status status = ranks_share(ranks, UINT64_MAX - (uint64_t)ranks->own, all, error);
    for (int r = 0; r < ranks->count && status == MOTE_OK; ++r)
        CHECK(all[r] == UINT64_MAX - (uint64_t)r);
    return status;
}

static void numbers_of_all_ranks(void)
{
    on_all_counts(numbers_body, NULL);
    on_all_counts(odd_body, NULL);
    on_all_counts(share_body, NULL);
}

/* ---- sums whose order does not count ---- */

enum { SUMMANDS = 3000, SUMS = 3 };

typedef struct LimbCase {
    double numbers[SUMS][SUMMANDS];
    int owner[SUMS][SUMMANDS]; /* of 840: dealt to any number of ranks */
    double exact[SUMS];
} LimbCase;

static mote_Status limbs_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    const LimbCase *sum = context;
    Limbs own[SUMS] = {{.odd = 0}};
    for (int k = 0; k < SUMS; ++k)
        for (size_t i = 0; i < SUMMANDS; ++i)
            if (sum->owner[k][i] % ranks->count == ranks->own)
                limbs_add(&own[k], sum->numbers[k][i]);
    mote_Status status = ranks_sum_limbs(ranks, own, SUMS, error);
    for (int k = 0; k < SUMS && status == MOTE_OK; ++k) {
        const double value = limbs_value(&own[k]);
        CHECK(memcmp(&value, &sum->exact[k], sizeof value) == 0);
    }
    return status;
}

/* Numbers of all sizes that nearly cancel: plain sums of parts differ from one split to another. */
static void limbs_in_random_splits(void)
{
    static LimbCase sum;
    uint64_t state = 3;
    int differ = 0;
    for (int again = 0; again < 4; ++again) {
        for (int k = 0; k < SUMS; ++k) {
            Limbs all = {.odd = 0};
            double plain[2] = {0, 0};
            for (size_t i = 0; i < SUMMANDS; ++i) {
                sum.owner[k][i] = (int)(setup_bits(&state) % 840);
                const int size = (int)(setup_bits(&state) % 60) - 30;
                sum.numbers[k][i] = ldexp(setup_uniform(&state, -1, 1), size);
                limbs_add(&all, sum.numbers[k][i]);
                plain[sum.owner[k][i] % 2] += sum.numbers[k][i];
            }
            sum.exact[k] = limbs_value(&all);
            differ += plain[0] + plain[1] != sum.exact[k];
        }
        on_all_counts(limbs_body, &sum);
    }
    CHECK(differ > 0); /* or plain sums would pass too */
}

/* ---- rows ---- */

/* What travels from one rank to another in a round: how many places, and which, as both know. */
static size_t list_of(int round, int from, int to, uint32_t *places)
{
    uint64_t state = (uint64_t)(round * 10000 + from * 100 + to);
    const uint64_t some = setup_bits(&state);
    const size_t count = some % 3 == 0 ? 0 : (size_t)(some % 20);
    for (size_t i = 0; i < count; ++i) places[i] = (uint32_t)(setup_bits(&state) % PLACES);
    return count;
}

static double value_at(int rank, size_t place, int plane)
{
    return rank + 1e-3 * (double)place + 1e-7 * plane;
}

typedef struct Cloud {
    double x[PLACES][3]; /* planes with a stride */
    float y[PLACES];
    double got_x[MOST_RANKS * PLACES][3];
    float got_y[MOST_RANKS * PLACES];
} Cloud;

static void fill(Cloud *cloud, int rank)
{
    for (size_t i = 0; i < PLACES; ++i) {
        for (int c = 0; c < 3; ++c) cloud->x[i][c] = value_at(rank, i, c);
        cloud->y[i] = (float)value_at(rank, i, 3);
    }
}

/* Arrivals stand one behind another: by rank, and in each as the sender listed them. */
static void check_arrivals(const Cloud *cloud, int round, const mote_Ranks *ranks)
{
    uint32_t places[PLACES];
    size_t at = 0;
    for (int r = 0; r < ranks->count; ++r) {
        const size_t count = list_of(round, r, ranks->own, places);
        for (size_t i = 0; i < count; ++i, ++at) {
            CHECK(cloud->got_x[at][2] == value_at(r, places[i], 2));
            CHECK(cloud->got_x[at][0] == value_at(r, places[i], 0));
            CHECK(cloud->got_y[at] == (float)value_at(r, places[i], 3));
            CHECK(cloud->got_x[at][1] == -1); /* did not travel */
        }
    }
    CHECK(cloud->got_x[at][2] == -1);
}

static mote_Status one_exchange(Cloud *cloud, int round, const mote_Ranks *ranks, Arena *arena,
                                mote_Error *error)
{
    uint32_t sent[MOST_RANKS * PLACES], got[MOST_RANKS * PLACES];
    size_t from_first[MOST_RANKS + 1] = {0}, to_first[MOST_RANKS + 1];
    for (int r = 0; r < ranks->count; ++r)
        from_first[r + 1] = from_first[r] + list_of(round, ranks->own, r, sent + from_first[r]);
    const RankLists from = {from_first, sent}, to = {to_first, got};
    mote_Status status = ranks_count_arrivals(ranks, MOTE_OK, &from, to_first, arena, error);
    if (status != MOTE_OK) return status;
    /* what is sent and what comes lie in different planes: the same struct, two halves */
    const uint32_t behind = PLACES;
    struct {
        double x[PLACES + MOST_RANKS * PLACES][3];
        float y[PLACES + MOST_RANKS * PLACES];
    } *both = malloc(sizeof *both);
    memcpy(both->x, cloud->x, sizeof cloud->x), memcpy(both->y, cloud->y, sizeof cloud->y);
    for (size_t i = behind; i < COUNT_OF(both->y); ++i)
        both->x[i][0] = both->x[i][1] = both->x[i][2] = -1;
    for (size_t i = 0; i < to_first[ranks->count]; ++i) got[i] = behind + (uint32_t)i;
    const RankPlane planes[] = {{&both->x[0][0], sizeof both->x[0], sizeof(double)},
                                {&both->x[0][2], sizeof both->x[0], sizeof(double)},
                                {both->y, sizeof(float), sizeof(float)}};
    status = ranks_exchange(ranks, &from, &to, planes, COUNT_OF(planes), arena, error);
    memcpy(cloud->got_x, both->x + behind, sizeof cloud->got_x);
    memcpy(cloud->got_y, both->y + behind, sizeof cloud->got_y);
    free(both);
    return status;
}

static mote_Status exchange_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    Cloud *cloud = malloc(sizeof *cloud);
    mote_Status status = MOTE_OK;
    (void)context;
    fill(cloud, ranks->own);
    for (int round = 0; round < ROUNDS && status == MOTE_OK; ++round) {
        arena_reset(&arena);
        status = one_exchange(cloud, round, ranks, &arena, error);
        if (status == MOTE_OK) check_arrivals(cloud, round, ranks);
    }
    free(cloud);
    arena_free(&arena);
    CHECK(memory.bytes == 0);
    return status;
}

static void rows_arrive_where_they_should(void)
{
    on_all_counts(exchange_body, NULL);
}

/* ---- bytes ---- */

/* Rank r has r bytes of its own, rank 0 none. */
static mote_Status gather_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    unsigned char own[MOST_RANKS];
    mote_Status status = MOTE_OK;
    (void)context;
    memset(own, ranks->own, sizeof own);
    for (int to = 0; to < ranks->count && status == MOTE_OK; ++to) {
        void *all;
        size_t size, at = 0;
        status = ranks_gather(ranks, to, own, (size_t)ranks->own, &arena, &all, &size, error);
        for (int r = 0; r < ranks->count && to == ranks->own; ++r)
            for (int i = 0; i < r; ++i, ++at)
                CHECK(at < size && ((const unsigned char *)all)[at] == r);
        CHECK(size == at);
    }
    arena_free(&arena);
    return status;
}

static void bytes_are_gathered(void)
{
    on_all_counts(gather_body, NULL);
}

/* Of every rank's bytes rank r gets r + 1, that many times r. */
static mote_Status deal_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    unsigned char all[MOST_RANKS * (MOST_RANKS + 1) / 2], own[MOST_RANKS + 1];
    size_t sizes[MOST_RANKS], at = 0;
    mote_Status status = MOTE_OK;
    (void)context;
    for (int r = 0; r < ranks->count; ++r) {
        sizes[r] = (size_t)r + 1;
        memset(all + at, r, sizes[r]);
        at += sizes[r];
    }
    for (int from = 0; from < ranks->count && status == MOTE_OK; ++from) {
        memset(own, MOST_RANKS, sizeof own);
        status =
            ranks_deal(ranks, from, ranks->own == from ? all : NULL, sizes, own, &arena, error);
        for (int i = 0; i <= ranks->own; ++i) CHECK(own[i] == ranks->own);
        CHECK(own[ranks->own + 1] == MOST_RANKS);
    }
    arena_free(&arena);
    return status;
}

static void bytes_are_dealt(void)
{
    on_all_counts(deal_body, NULL);
}

/* ---- failures ---- */

/* Ranks 2 and 1 fail by themselves, each in its own way: the worst is told, and of those that are
 * as bad the lowest rank. */
static mote_Status agree_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    atomic_int *told = context;
    if (ranks->own == 0) status = status_fail(error, MOTE_NO_MEMORY, "no memory on rank 0");
    if (ranks->own > 0 && ranks->own < 3)
        status = status_fail(error, MOTE_DIVERGED, "rank %d is lost", ranks->own);
    status = ranks_agree(ranks, status, error);
    CHECK(status == MOTE_DIVERGED);
    CHECK(error->status == MOTE_DIVERGED);
    atomic_fetch_add(told, strcmp(error->message, "rank 1 is lost") == 0);
    return status;
}

static void a_failing_rank_gives_one_message(void)
{
    atomic_int told = 0;
    mote_Error error;
    CHECK(ranks_run_threads(4, agree_body, &told, &error) == MOTE_DIVERGED);
    CHECK(strcmp(error.message, "rank 1 is lost") == 0);
    CHECK(told == 4);
}

/* One ends without a word, at its own moment: the others would wait for ever. */
static mote_Status leave_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    const int when = *(const int *)context;
    for (int round = 0; round < 50; ++round) {
        int64_t one = 1;
        if (ranks->own == ranks->count - 1 && round == when)
            return status_fail(error, MOTE_IO_FAILED, "the disk is full");
        mote_Status status = ranks_sum(ranks, &one, 1, error);
        if (status != MOTE_OK) return status;
        CHECK(one == ranks->count);
        CHECK(round < when);
    }
    CHECK(false);
    return MOTE_OK;
}

static void a_rank_that_ends_leaves_nobody_waiting(void)
{
    for (int when = 0; when < 40; when += 13)
        for (size_t i = 1; i < COUNT_OF(counts); ++i) {
            mote_Error error;
            CHECK(ranks_run_threads(counts[i], leave_body, &when, &error) == MOTE_IO_FAILED);
            CHECK(strcmp(error.message, "the disk is full") == 0);
        }
}

static mote_Status astray_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    int64_t whole[2] = {1, 1};
    double real = 1;
    const bool other = ranks->own == 1;
    const bool longer = *(const bool *)context;
    if (longer) return ranks_sum(ranks, whole, other ? 2 : 1, error);
    return other ? ranks_most(ranks, &real, 1, error) : ranks_sum(ranks, whole, 1, error);
}

static void calls_that_differ_are_refused(void)
{
    for (int longer = 0; longer < 2; ++longer) {
        bool form = longer != 0;
        mote_Error error;
        CHECK(ranks_run_threads(3, astray_body, &form, &error) == MOTE_BAD_VALUE);
        CHECK(strstr(error.message, "call") != NULL);
    }
}

/* A message that is longer than the room for it is not written. */
static mote_Status size_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    char bytes[16] = {0};
    size_t send[2] = {4, 4}, receive[2] = {4, ranks->own == 0 ? 3 : 4};
    const mote_Trade trade = {bytes, send, bytes + 8, receive};
    (void)context;
    return ranks->trade(ranks->context, &trade, error);
}

static void sizes_that_differ_are_refused(void)
{
    mote_Error error;
    CHECK(ranks_run_threads(2, size_body, NULL, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "size") != NULL);
}

/* No memory for messages on one rank: all are told, and all could go on. */
static mote_Status no_memory_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    Failing failing = {.fail_at = ranks->own == 1 ? 0 : UINT64_MAX, .for_good = true};
    Memory memory = memory_make(failing_allocator(&failing));
    Arena arena = arena_make(&memory);
    void *all;
    size_t size;
    (void)context;
    mote_Status status = ranks_gather(ranks, 0, "abc", 3, &arena, &all, &size, error);
    CHECK(status == MOTE_NO_MEMORY);
    CHECK(strstr(error->message, "messages between ranks") != NULL);
    failing.fail_at = UINT64_MAX;
    mote_Status again = ranks_gather(ranks, 0, "abc", 3, &arena, &all, &size, error);
    CHECK(again == MOTE_OK && size == (ranks->own == 0 ? 3 * (size_t)ranks->count : 0));
    arena_free(&arena);
    return again;
}

static void a_rank_without_memory_hangs_nobody(void)
{
    on_ranks(3, no_memory_body, NULL);
}

TESTS({"numbers of all ranks", numbers_of_all_ranks},
      {"limbs in random splits", limbs_in_random_splits},
      {"rows arrive where they should", rows_arrive_where_they_should},
      {"bytes are gathered", bytes_are_gathered}, {"bytes are dealt", bytes_are_dealt},
      {"a failing rank gives one message", a_failing_rank_gives_one_message},
      {"a rank that ends leaves nobody waiting", a_rank_that_ends_leaves_nobody_waiting},
      {"calls that differ are refused", calls_that_differ_are_refused},
      {"sizes that differ are refused", sizes_that_differ_are_refused},
      {"a rank without memory hangs nobody", a_rank_without_memory_hangs_nobody})

/* Ranks as threads of one program: every call is a meeting, at which each lays out what it has, and
 * all read it before anyone goes on.
 *
 * A thread that ends is noted, and nobody waits for it: whoever is at a meeting that it can no
 * longer come to, or comes to one later, is told so. Threads that come to different meetings are
 * told that, instead of reading what is something else. */
#include "ranks/ranks.h"

#include "base/status.h"

#include <pthread.h>
#include <string.h>

typedef enum Call { CALL_SUM, CALL_MOST, CALL_AGREE, CALL_TRADE } Call;

static const char *const call_names[] = {"sum", "most", "agree", "trade"};

/* What a rank lays out. */
typedef struct Post {
    Call call;
    size_t count;
    const void *data;
    mote_Status status;
} Post;

typedef struct Member {
    struct RankCrew *crew;
    mote_Ranks ranks;
    pthread_t thread;
    RankBody *body;
    void *context;
    Post post;
    mote_Status status; /* what its body came to */
    mote_Error error;
} Member;

typedef struct RankCrew {
    Memory memory;
    Member *members;
    int count;
    pthread_mutex_t mutex;
    pthread_cond_t all_here;
    int waiting;
    uint64_t meetings;
    int left;   /* the first that ended, plus one; 0: all are there */
    int failed; /* the first that ended with a failure, plus one */
    bool mixed; /* they came to different meetings */
} RankCrew;

/* ---- meeting ---- */

static mote_Status nobody_comes(const RankCrew *crew, mote_Error *error)
{
    if (crew->mixed)
        return status_fail(error, MOTE_BAD_VALUE, "ranks made different calls at the same time");
    return status_fail(error, MOTE_CANCELLED, "rank %d of %d has ended", crew->left - 1,
                       crew->count);
}

static mote_Status meet(RankCrew *crew, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    pthread_mutex_lock(&crew->mutex);
    const uint64_t meeting = crew->meetings;
    if (crew->left == 0 && !crew->mixed && ++crew->waiting == crew->count) {
        crew->waiting = 0;
        ++crew->meetings;
        pthread_cond_broadcast(&crew->all_here);
    }
    while (crew->meetings == meeting && crew->left == 0 && !crew->mixed)
        pthread_cond_wait(&crew->all_here, &crew->mutex);
    if (crew->meetings == meeting) status = nobody_comes(crew, error);
    pthread_mutex_unlock(&crew->mutex);
    return status;
}

/* All see the same posts, so all find out. */
static mote_Status check_posts(RankCrew *crew, const Post *own, mote_Error *error)
{
    for (int r = 0; r < crew->count; ++r) {
        const Post *post = &crew->members[r].post;
        if (post->call == own->call && post->count == own->count) continue;
        const mote_Status status = status_fail(
            error, MOTE_BAD_VALUE, "rank %d calls %s of %zu numbers where another calls %s of %zu",
            r, call_names[post->call], post->count, call_names[own->call], own->count);
        pthread_mutex_lock(&crew->mutex);
        crew->mixed = true;
        pthread_cond_broadcast(&crew->all_here);
        pthread_mutex_unlock(&crew->mutex);
        return status;
    }
    return MOTE_OK;
}

/* Lays out what this rank has; all have when it returns. They may be read until `leave`. */
static mote_Status enter(Member *self, Post post, mote_Error *error)
{
    self->post = post;
    mote_Status status = meet(self->crew, error);
    return status == MOTE_OK ? check_posts(self->crew, &post, error) : status;
}

static mote_Status leave(Member *self, mote_Error *error)
{
    return meet(self->crew, error);
}

/* ---- the calls ---- */

/* Numbers that are read from all before any is written. */
enum { AT_ONCE = 64 };

static mote_Status sum_some(Member *self, int64_t *numbers, size_t count, mote_Error *error)
{
    uint64_t sums[AT_ONCE] = {0};
    mote_Status status = enter(self, (Post){CALL_SUM, count, numbers, MOTE_OK}, error);
    for (int r = 0; r < self->crew->count && status == MOTE_OK; ++r) {
        const int64_t *other = self->crew->members[r].post.data;
        for (size_t i = 0; i < count; ++i) sums[i] += (uint64_t)other[i];
    }
    if (status == MOTE_OK) status = leave(self, error);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i) numbers[i] = (int64_t)sums[i];
    return status;
}

static mote_Status most_some(Member *self, double *numbers, size_t count, mote_Error *error)
{
    double most[AT_ONCE];
    mote_Status status = enter(self, (Post){CALL_MOST, count, numbers, MOTE_OK}, error);
    for (int r = 0; r < self->crew->count && status == MOTE_OK; ++r) {
        const double *other = self->crew->members[r].post.data;
        for (size_t i = 0; i < count; ++i)
            most[i] = r == 0 || other[i] > most[i] ? other[i] : most[i];
    }
    if (status == MOTE_OK) status = leave(self, error);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i) numbers[i] = most[i];
    return status;
}

static mote_Status sum(void *context, int64_t *numbers, size_t count, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < count && status == MOTE_OK; i += AT_ONCE)
        status = sum_some(context, numbers + i, count - i < AT_ONCE ? count - i : AT_ONCE, error);
    return status;
}

static mote_Status most(void *context, double *numbers, size_t count, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < count && status == MOTE_OK; i += AT_ONCE)
        status = most_some(context, numbers + i, count - i < AT_ONCE ? count - i : AT_ONCE, error);
    return status;
}

static mote_Status agree(void *context, mote_Status status, mote_Error *error)
{
    Member *self = context;
    const RankCrew *crew = self->crew;
    mote_Error worst = {.status = MOTE_OK};
    mote_Status met = enter(self, (Post){CALL_AGREE, 0, error, status}, error);
    if (met != MOTE_OK) return met;
    for (int r = 0; r < crew->count; ++r) {
        const Post *post = &crew->members[r].post;
        if (post->status <= worst.status) continue;
        if (post->data != NULL)
            worst = *(const mote_Error *)post->data;
        else
            status_fail(&worst, post->status, "rank %d of %d failed", r, crew->count);
        worst.status = post->status;
    }
    met = leave(self, error);
    if (met != MOTE_OK) return met;
    if (worst.status != MOTE_OK && error != NULL) *error = worst;
    return worst.status;
}

static size_t size_before(const size_t *sizes, int rank)
{
    size_t before = 0;
    for (int r = 0; r < rank; ++r) before += sizes[r];
    return before;
}

static mote_Status trade(void *context, const mote_Trade *own, mote_Error *error)
{
    Member *self = context;
    size_t at = 0;
    bool fits = true;
    mote_Status status = enter(self, (Post){CALL_TRADE, 0, own, MOTE_OK}, error);
    for (int r = 0; r < self->crew->count && status == MOTE_OK; ++r) {
        const mote_Trade *other = self->crew->members[r].post.data;
        const size_t size = other->send_sizes[self->ranks.own];
        fits = fits && size == own->receive_sizes[r];
        if (fits && size > 0)
            memcpy((char *)own->receive + at,
                   (const char *)other->send + size_before(other->send_sizes, self->ranks.own),
                   size);
        at += own->receive_sizes[r];
    }
    if (status == MOTE_OK) status = leave(self, error);
    if (status == MOTE_OK && !fits)
        status = status_fail(error, MOTE_BAD_VALUE,
                             "rank %d was sent another size than it has room for", self->ranks.own);
    return agree(context, status, error);
}

/* ---- threads ---- */

static void *member_main(void *argument)
{
    Member *self = argument;
    RankCrew *crew = self->crew;
    self->status = self->body(self->context, &self->ranks, &self->error);
    pthread_mutex_lock(&crew->mutex);
    if (crew->left == 0) crew->left = self->ranks.own + 1;
    if (crew->failed == 0 && self->status != MOTE_OK) crew->failed = self->ranks.own + 1;
    pthread_cond_broadcast(&crew->all_here);
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

/* Those that could not be started are as ranks that have ended. */
static mote_Status run_members(RankCrew *crew, mote_Error *error)
{
    int started = 0;
    while (started < crew->count && pthread_create(&crew->members[started].thread, NULL,
                                                   member_main, &crew->members[started]) == 0)
        ++started;
    pthread_mutex_lock(&crew->mutex);
    if (started < crew->count && crew->left == 0) crew->left = started + 1;
    pthread_cond_broadcast(&crew->all_here);
    pthread_mutex_unlock(&crew->mutex);
    for (int r = 0; r < started; ++r) pthread_join(crew->members[r].thread, NULL);
    if (started < crew->count)
        return status_fail(error, MOTE_NO_MEMORY, "ranks: could not start %d threads", crew->count);
    if (crew->failed == 0) return MOTE_OK;
    const Member *failed = &crew->members[crew->failed - 1];
    if (error != NULL) *error = failed->error;
    return failed->status;
}

mote_Status ranks_run_threads(int count, RankBody *body, void *context, mote_Error *error)
{
    RankCrew crew = {.memory = memory_make((mote_Allocator){0}), .count = count};
    const size_t bytes = (size_t)count * sizeof *crew.members;
    crew.members = memory_zeroed(&crew.memory, bytes);
    if (crew.members == NULL) return status_no_memory(error, "ranks", bytes);
    pthread_mutex_init(&crew.mutex, NULL);
    pthread_cond_init(&crew.all_here, NULL);
    for (int r = 0; r < count; ++r) {
        Member *member = &crew.members[r];
        *member = (Member){.crew = &crew, .body = body, .context = context};
        member->ranks = (mote_Ranks){.count = count,
                                     .own = r,
                                     .context = member,
                                     .sum = sum,
                                     .most = most,
                                     .agree = agree,
                                     .trade = trade};
    }
    mote_Status status = run_members(&crew, error);
    pthread_cond_destroy(&crew.all_here);
    pthread_mutex_destroy(&crew.mutex);
    memory_free(&crew.memory, crew.members, bytes);
    return status;
}

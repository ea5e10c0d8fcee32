/* Places of ghosts and of own rows, and messages of what ghosts are. */
#include "solvers/sph/ghosts.h"

#include "solvers/points/slot.h"

#include "base/status.h"

#include <string.h>

enum { SPAN_PLACES = 512 };

/* ---- places ---- */

/* Rods are of this rank or of others as a whole. */
static bool find_spans(const SphStep *step, Ghosts *ghosts)
{
    const Rods *rods = &step->rods;
    const size_t most = 2 * (rods->count + 1) + step->rows / SPAN_PLACES + 1;
    size_t count = 0;
    ghosts->spans = arena_take(step->outer->arena, most * sizeof *ghosts->spans);
    if (ghosts->spans == NULL) return false;
    for (size_t rod = 0; rod < rods->count; ++rod) {
        OwnSpan *last = count > 0 ? &ghosts->spans[count - 1] : NULL;
        if (!ghosts->own_rod[rod]) continue;
        const uint32_t begin = rods->first[rod], end = rods->first[rod + 1];
        if (last != NULL && last->end == begin && end - last->begin <= SPAN_PLACES)
            last->end = end;
        else
            ghosts->spans[count++] = (OwnSpan){begin, end};
    }
    ghosts->span_count = count;
    return true;
}

bool ghosts_place(SphStep *step)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL) return true;
    const int ranks = ghosts->ranks->count;
    for (size_t i = 0; i < ghosts->out_first[ranks]; ++i)
        ghosts->out[i] = step->place[ghosts->out[i]];
    for (size_t i = 0; i < ghosts->in_first[ranks]; ++i) {
        ghosts->in[i] = step->place[ghosts->in[i]];
        for (int c = 0; c < 3; ++c) step->a[c][ghosts->in[i]] = step->v[c][ghosts->in[i]] = 0;
    }
    ghosts->own_rod =
        arena_take(step->outer->arena, (step->rods.count + 1) * sizeof *ghosts->own_rod);
    if (ghosts->own_rod == NULL || !guests_place(step)) return false;
    for (size_t rod = 0; rod < step->rods.count; ++rod)
        ghosts->own_rod[rod] = ghosts_own(step, step->rods.first[rod]);
    rods_keep(&step->rods, ghosts->own_rod);
    return find_spans(step, ghosts);
}

/* ---- messages ---- */

mote_Status ghosts_get(const Ghosts *ghosts, const RankPlane *planes, size_t count,
                       mote_Error *error)
{
    const RankLists from = {ghosts->out_first, ghosts->out}, to = {ghosts->in_first, ghosts->in};
    const RankMove move = {&from, &to, planes, planes, count};
    return ranks_send(ghosts->ranks, &ghosts->post, &move, error);
}

void ghosts_share(SphStep *step, mote_real *const *planes, size_t count)
{
    RankPlane some[GHOSTS_PLANES];
    for (size_t p = 0; p < count; ++p) {
        some[p % GHOSTS_PLANES] = (RankPlane){planes[p], sizeof(mote_real), sizeof(mote_real)};
        if (p + 1 == count || (p + 1) % GHOSTS_PLANES == 0)
            ghosts_share_planes(step, some, p % GHOSTS_PLANES + 1);
    }
}

void ghosts_share_planes(SphStep *step, const RankPlane *planes, size_t count)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || ghosts->status != MOTE_OK) return;
    ghosts->status = ghosts_get(ghosts, planes, count, &ghosts->error);
}

void ghosts_add(const SphStep *step, int64_t *numbers, size_t count)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || ghosts->status != MOTE_OK) return;
    ghosts->status = ranks_sum(ghosts->ranks, numbers, count, &ghosts->error);
}

void ghosts_sum(const SphStep *step, Limbs *sums, size_t count)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || ghosts->status != MOTE_OK) return;
    ghosts->status = ranks_sum_limbs(ghosts->ranks, sums, count, &ghosts->error);
}

void ghosts_most(const SphStep *step, double *numbers, size_t count)
{
    Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL || ghosts->status != MOTE_OK) return;
    ghosts->status = ranks_most(ghosts->ranks, numbers, count, &ghosts->error);
}

mote_Status sph_agree(const SphStep *step, mote_Status status, mote_Error *error)
{
    const Ghosts *ghosts = step->ghosts;
    if (ghosts == NULL) return status;
    if (status == MOTE_OK && ghosts->status != MOTE_OK) {
        status = ghosts->status;
        if (error != NULL) *error = ghosts->error;
    }
    return ranks_agree(ghosts->ranks, status, error);
}

/* ---- own places ---- */

typedef struct OwnLoop {
    const Ghosts *ghosts;
    mote_TaskBody *body;
    void *context;
} OwnLoop;

static void own_body(void *context, size_t begin, size_t end, int worker)
{
    const OwnLoop *loop = context;
    for (size_t i = begin; i < end; ++i) {
        const OwnSpan span = loop->ghosts->spans[i];
        loop->body(loop->context, span.begin, span.end, worker);
    }
}

void ghosts_for_own(const SphStep *step, mote_TaskBody *body, void *context)
{
    OwnLoop loop = {step->ghosts, body, context};
    if (step->ghosts == NULL)
        mote_parallel_for(step->outer->tasks, step->rows, SPAN_PLACES, body, context);
    else
        mote_parallel_for(step->outer->tasks, step->ghosts->span_count, 1, own_body, &loop);
}

uint64_t ghosts_pairs(const SphStep *step)
{
    uint64_t pairs = 0;
    if (step->ghosts == NULL) return step->pairs;
    for (size_t s = 0; s < step->ghosts->span_count; ++s)
        for (size_t i = step->ghosts->spans[s].begin; i < step->ghosts->spans[s].end; ++i)
            pairs += step->lists->count[i];
    return pairs;
}

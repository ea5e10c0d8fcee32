/* Orders of a run's first rank, and what each means. All ranks go through the same function for it,
 * and agree on what came of it. */
#include "run/crew_parts.h"

#include "base/status.h"
#include "ranks/ranks.h"

/* What an order is given, and what it gives. */
typedef struct Work {
    const mote_StateArray *arrays;
    size_t count;
    mote_StepReport report;
    const mote_Frame *frame;
    const CrewFile *file; /* on the first, where one is written */
} Work;

enum { FIRST = 0 };

/* From the first to all others. */
static mote_Status tell(const Crew *crew, void *bytes, size_t size, mote_Error *error)
{
    return ranks_tell(crew->ranks != NULL ? crew->ranks : &ranks_single, FIRST, bytes, size, error);
}

static mote_Status agree(const Crew *crew, mote_Status status, mote_Error *error)
{
    return crew->ranks != NULL ? ranks_agree(crew->ranks, status, error) : status;
}

/* ---- orders ---- */

/* Ranks read their scenes themselves: it must be the same one. */
static mote_Status check_scene(const Crew *crew, mote_Error *error)
{
    const uint64_t own = mote_scene_info(crew->scene).hash;
    uint64_t hash = own;
    mote_Status status = tell(crew, &hash, sizeof hash, error);
    if (status == MOTE_OK && hash != own)
        status = status_fail(error, MOTE_BAD_VALUE,
                             "rank %d has read another scene than rank 0: all must read the same "
                             "file, with the same --set",
                             crew->ranks->own);
    return agree(crew, status, error);
}

static mote_Status make(Crew *crew, Work *work, mote_Error *error)
{
    (void)work;
    mote_world_destroy(crew->world);
    crew->world = NULL;
    mote_Status status = check_scene(crew, error);
    if (status != MOTE_OK) return status;
    return mote_scene_world_on(crew->scene, crew->tasks, crew->ranks, &crew->world, error);
}

static mote_Status restore(Crew *crew, Work *work, mote_Error *error)
{
    if (crew_is_many(crew)) return crew_deal_state(crew, work->arrays, work->count, error);
    return mote_world_restore(crew->world, work->arrays, work->count, error);
}

static mote_Status start(Crew *crew, Work *work, mote_Error *error)
{
    (void)work;
    return mote_world_start(crew->world, error);
}

static mote_Status sample_probes(Crew *crew, Work *work, mote_Error *error)
{
    (void)work;
    return mote_world_sample_probes(crew->world, error);
}

static mote_Status step(Crew *crew, Work *work, mote_Error *error)
{
    return mote_world_step(crew->world, &work->report, error);
}

static mote_Status frame(Crew *crew, Work *work, mote_Error *error)
{
    work->frame = mote_world_frame(crew->world);
    return work->frame != NULL ? MOTE_OK : status_no_memory(error, "a frame", 1);
}

static mote_Status state(Crew *crew, Work *work, mote_Error *error)
{
    return mote_world_state(crew->world, &work->arrays, &work->count, error);
}

static mote_Status write_frame(Crew *crew, Work *work, mote_Error *error)
{
    return crew_feed_frame(crew, work->file, &work->frame, error);
}

static mote_Status write_state(Crew *crew, Work *work, mote_Error *error)
{
    return crew_feed_state(crew, work->file, error);
}

typedef mote_Status OrderBody(Crew *crew, Work *work, mote_Error *error);
enum { MAKE, RESTORE, START, SAMPLE_PROBES, STEP, FRAME, STATE, WRITE_FRAME, WRITE_STATE, END };
static OrderBody *const orders[] = {[MAKE] = make,
                                    [RESTORE] = restore,
                                    [START] = start,
                                    [SAMPLE_PROBES] = sample_probes,
                                    [STEP] = step,
                                    [FRAME] = frame,
                                    [STATE] = state,
                                    [WRITE_FRAME] = write_frame,
                                    [WRITE_STATE] = write_state};

/* ---- the first rank ---- */

static mote_Status order(Crew *crew, int64_t number, Work *work, mote_Error *error)
{
    mote_Status status = tell(crew, &number, sizeof number, error);
    if (status != MOTE_OK) return status;
    return agree(crew, orders[number](crew, work, error), error);
}

static mote_Status order_plain(Crew *crew, int64_t number, mote_Error *error)
{
    Work work = {0};
    return order(crew, number, &work, error);
}

mote_Status crew_make(Crew *crew, mote_Error *error)
{
    return order_plain(crew, MAKE, error);
}

mote_Status crew_start(Crew *crew, mote_Error *error)
{
    return order_plain(crew, START, error);
}

mote_Status crew_sample_probes(Crew *crew, mote_Error *error)
{
    return order_plain(crew, SAMPLE_PROBES, error);
}

mote_Status crew_restore(Crew *crew, const mote_StateArray *arrays, size_t count, mote_Error *error)
{
    Work work = {.arrays = arrays, .count = count};
    return order(crew, RESTORE, &work, error);
}

mote_Status crew_step(Crew *crew, mote_StepReport *report, mote_Error *error)
{
    Work work = {0};
    mote_Status status = order(crew, STEP, &work, error);
    *report = work.report;
    return status;
}

mote_Status crew_frame(Crew *crew, const mote_Frame **out, mote_Error *error)
{
    Work work = {0};
    mote_Status status = order(crew, FRAME, &work, error);
    *out = work.frame;
    return status;
}

mote_Status crew_state(Crew *crew, const mote_StateArray **arrays, size_t *count, mote_Error *error)
{
    Work work = {0};
    mote_Status status = order(crew, STATE, &work, error);
    *arrays = work.arrays, *count = work.count;
    return status;
}

mote_Status crew_write_frame(Crew *crew, const CrewFile *file, const mote_Frame **out,
                             mote_Error *error)
{
    Work work = {.file = file};
    mote_Status status = order(crew, WRITE_FRAME, &work, error);
    *out = work.frame;
    return status;
}

mote_Status crew_write_state(Crew *crew, const CrewFile *file, mote_Error *error)
{
    Work work = {.file = file};
    return order(crew, WRITE_STATE, &work, error);
}

void crew_end(Crew *crew, mote_Status status, mote_Error *error)
{
    int64_t number = END;
    if (tell(crew, &number, sizeof number, NULL) == MOTE_OK) agree(crew, status, error);
    mote_world_destroy(crew->world);
    crew->world = NULL;
}

/* ---- the others ---- */

/* What goes wrong with an order all know of, and the first tells it. */
mote_Status crew_follow(Crew *crew, mote_Error *error)
{
    int64_t number = 0;
    mote_Status status;
    while ((status = tell(crew, &number, sizeof number, error)) == MOTE_OK && number != END) {
        Work work = {0};
        agree(crew, orders[number](crew, &work, error), error);
    }
    if (status == MOTE_OK) status = agree(crew, MOTE_OK, error);
    mote_world_destroy(crew->world);
    crew->world = NULL;
    return status;
}

/* What tests of ranks share: a name and a hash for everything that a world shows, and a copy of its
 * state half way. */
#ifndef TESTS_WORLD_RANKED_H
#define TESTS_WORLD_RANKED_H

#include "ranks/ranks.h"
#include "setup.h"

#include <mote/frame.h>

#include <string.h>

enum { MOST_NOTES = 4000 };

/* ---- what is compared: a name and a hash for everything that is seen ---- */

typedef struct Notes {
    size_t count;
    struct {
        char name[96];
        uint64_t hash;
    } list[MOST_NOTES];
} Notes;

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static inline void note(Notes *notes, const char *what, const char *name, uint64_t hash)
{
    if (notes->count == MOST_NOTES) exit(2);
    snprintf(notes->list[notes->count].name, sizeof notes->list[0].name, "%s/%s", what, name);
    notes->list[notes->count++].hash = hash;
}

static inline void note_bytes(Notes *notes, const char *what, const char *name, const void *data,
                              size_t size)
{
    note(notes, what, name, hash_bytes(size, data, size));
}

static inline void check_same(const Notes *a, const Notes *b, int ranks)
{
    size_t wrong = a->count != b->count;
    CHECK(a->count == b->count);
    for (size_t i = 0; i < a->count && i < b->count; ++i) {
        const bool same =
            a->list[i].hash == b->list[i].hash && strcmp(a->list[i].name, b->list[i].name) == 0;
        if (!same && ++wrong < 5)
            fprintf(stderr, "%d ranks: number %zu, %s, differs from %s\n", ranks, i,
                    b->list[i].name, a->list[i].name);
    }
    CHECK(wrong == 0);
}

static const size_t column_sizes[] = {[MOTE_COLUMN_REAL] = sizeof(mote_real),
                                      [MOTE_COLUMN_DOUBLE] = 8,
                                      [MOTE_COLUMN_U32] = 4,
                                      [MOTE_COLUMN_U64] = 8};

static inline uint64_t hash_planes(const void *data, size_t rows, size_t components, size_t stride,
                                   size_t item)
{
    uint64_t hash = rows;
    for (size_t c = 0; c < components && rows > 0; ++c)
        hash = hash_bytes(hash, (const char *)data + c * stride * item, rows * item);
    return hash;
}

/* Leaves the last of them, as many as another has that began later. */
static inline void notes_keep_last(Notes *notes, size_t count)
{
    memmove(notes->list, notes->list + notes->count - count, count * sizeof notes->list[0]);
    notes->count = count;
}

static inline void note_frame(Notes *notes, const mote_Frame *frame)
{
    for (size_t s = 0; s < frame->system_count; ++s) {
        const mote_FrameSystem *system = &frame->systems[s];
        note_bytes(notes, system->name, "count", &system->count, sizeof system->count);
        for (size_t i = 0; i < system->column_count; ++i) {
            const mote_Column *column = &system->columns[i];
            note(notes, system->name, column->name,
                 hash_planes(column->data, system->count, (size_t)column->components,
                             column->stride, column_sizes[column->type]));
        }
    }
    for (size_t i = 0; i < frame->shape_count; ++i)
        note_bytes(notes, frame->shapes[i].name, "pose", frame->shapes[i].position,
                   sizeof frame->shapes[i].position);
}

static inline void note_state(Notes *notes, const mote_StateArray *arrays, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const mote_StateArray *array = &arrays[i];
        note(notes, "state", array->name,
             hash_planes(array->data, array->rows, (size_t)array->components, array->stride,
                         mote_array_item_size(array->type)));
    }
}

static inline void note_probes(Notes *notes, mote_World *world)
{
    for (size_t i = 0; i < mote_world_count(world, MOTE_KIND_PROBE); ++i) {
        const mote_ProbeSamples seen = mote_world_probe(world, i);
        CHECK(seen.count > 0);
        note_bytes(notes, "probe", seen.name, seen.values,
                   seen.count * seen.column_count * sizeof *seen.values);
    }
}

static inline void note_report(Notes *notes, const mote_StepReport *report)
{
#define NOTE(member) note_bytes(notes, "report", #member, &report->member, sizeof report->member)
    NOTE(kinetic), NOTE(potential), NOTE(momentum), NOTE(particles), NOTE(emitted), NOTE(died);
    NOTE(lost), NOTE(hits), NOTE(inside), NOTE(accepted), NOTE(rejected), NOTE(substeps);
    NOTE(solves), NOTE(newton_iterations), NOTE(newton_residual), NOTE(dt), NOTE(retries);
    NOTE(density_error), NOTE(worst_density), NOTE(pairs), NOTE(left_out), NOTE(iterations);
#undef NOTE
}

/* ---- runs ---- */

typedef struct Run {
    Notes *notes;                 /* of rank 0 */
    const mote_StateArray *start; /* NULL: from the beginning */
    size_t start_count;
    mote_StateArray *saved; /* a copy of the state after half of the frames; or NULL */
    size_t saved_count;
    int from, half, to;               /* frames; the state is copied after `half` of them */
    uint64_t died, retries, substeps; /* in all */
    void (*touch)(mote_World *world); /* after every frame; NULL: nobody does */
} Run;

static inline void copy_state(Run *run, const mote_StateArray *arrays, size_t count)
{
    run->saved = calloc(count, sizeof *run->saved);
    run->saved_count = count;
    for (size_t i = 0; i < count; ++i) {
        mote_StateArray *copy = &run->saved[i];
        const size_t item = mote_array_item_size(arrays[i].type);
        const size_t plane = arrays[i].rows * item;
        *copy = arrays[i];
        copy->name = strdup(arrays[i].name);
        copy->stride = arrays[i].rows;
        copy->data = malloc((size_t)copy->components * plane + 1);
        for (size_t c = 0; c < (size_t)copy->components && plane > 0; ++c)
            memcpy((char *)copy->data + c * plane,
                   (const char *)arrays[i].data + c * arrays[i].stride * item, plane);
    }
}

/* `first`: on the rank that sees all. */
static inline void see_frame(mote_World *world, Run *run, const mote_StepReport *report, bool first)
{
    const mote_Frame *frame = mote_world_frame(world);
    CHECK(frame != NULL);
    if (frame == NULL || !first) return; /* threads share the run */
    run->died += report->died, run->retries += report->retries, run->substeps += report->substeps;
    note_frame(run->notes, frame);
    note_report(run->notes, report);
    note_probes(run->notes, world);
}

static inline mote_Status run_frames(mote_World *world, Run *run, bool first, mote_Error *error)
{
    const mote_StateArray *state;
    size_t count;
    mote_Status status = MOTE_OK;
    for (int frame = run->from; frame < run->to && status == MOTE_OK; ++frame) {
        mote_StepReport report;
        status = mote_world_step(world, &report, error);
        if (status != MOTE_OK) return status;
        see_frame(world, run, &report, first);
        if (run->touch != NULL) run->touch(world);
        if (frame + 1 != run->half) continue;
        status = mote_world_state(world, &state, &count, error);
        if (first && status == MOTE_OK) copy_state(run, state, count);
    }
    if (status == MOTE_OK) status = mote_world_state(world, &state, &count, error);
    if (status == MOTE_OK && first) note_state(run->notes, state, count);
    return status;
}

static inline void free_state(Run *run)
{
    for (size_t i = 0; i < run->saved_count; ++i) {
        free((void *)(uintptr_t)run->saved[i].name);
        free(run->saved[i].data);
    }
    free(run->saved);
}

#endif

/* Paths side by side: each goes its own way, but all of them ask at once what they have before
 * them, and the straight ways to lights are looked along together. */
#include "render/trace_path.h"

#include "render/shade.h"
#include "render/splat.h"

#include <string.h>

/* Paths that are followed at once, and those of them that go on. */
typedef struct TraceWave {
    TracePath paths[TRACE_WAVE], *going[TRACE_WAVE];
    PathWays ways;
} TraceWave;

/* All are copied from the first: what is written part by part is not there as a whole for a while.
 */
static void wave_start(TraceWave *wave, const TraceInput *input, const TraceScene *scene,
                       const TraceStart starts[], size_t count)
{
    TracePath *paths = wave->paths;
    paths[0] = (TracePath){.input = input,
                           .scene = scene,
                           .parts = trace_scene_parts(scene),
                           .limit = (float)input->def->trace.limit,
                           .weight = {1, 1, 1},
                           .seen = true,
                           .straight = true,
                           .ways = &wave->ways};
    wave->ways.count = 0;
    for (size_t i = 1; i < count; ++i) paths[i] = paths[0];
    for (size_t i = 0; i < count; ++i) {
        paths[i].ray = starts[i].ray, paths[i].seed = starts[i].seed;
        wave->going[i] = &paths[i];
    }
}

static void note_found(TraceWave *wave, size_t count, TraceSample found[])
{
    for (size_t i = 0; i < count; ++i) {
        found[i] = (TraceSample){.albedo = {1, 1, 1}};
        wave->paths[i].first = &found[i];
    }
}

/* What some paths meet next; a look meets the first pane. */
static void meet(const TraceScene *scene, TracePath *const paths[], size_t count, bool looks,
                 TraceHit hits[])
{
    const TraceRay *rays[TRACE_TOGETHER];
    float chances[TRACE_TOGETHER];
    const size_t together = count < TRACE_TOGETHER ? count : TRACE_TOGETHER;
    for (size_t i = 0; i < together; ++i) {
        rays[i] = &paths[i]->ray;
        chances[i] = looks ? 0 : path_draw_pane(paths[i]);
    }
    trace_scene_meet(scene, rays, chances, together, hits);
}

/* Opaque surfaces that paths have met. */
typedef struct OpaqueHits {
    TracePath *paths[TRACE_WAVE];
    const TraceHit *hits[TRACE_WAVE];
    size_t count;
} OpaqueHits;

/* How some of the paths go on, at most TRACE_TOGETHER, and light that comes straight to them. */
static size_t turn(const OpaqueHits *met, size_t first, TurnJob *job)
{
    const PathTurn *turns[TRACE_TOGETHER];
    const size_t left = met->count - first, n = left < TRACE_TOGETHER ? left : TRACE_TOGETHER;
    for (size_t i = 0; i < TRACE_TOGETHER; ++i) {
        const size_t from = first + (i < n ? i : 0);
        job->paths[i] = met->paths[from], job->hits[i] = met->hits[from];
        turns[i] = &job->turns[i];
    }
    met->paths[first]->input->kernels->turn(job);
    paths_add_lights(job->paths, job->hits, turns, n);
    return n;
}

static void leave_opaque(TraceWave *wave, const OpaqueHits *met, size_t *going)
{
    TurnJob job;
    for (size_t first = 0, n; first < met->count; first += n) {
        n = turn(met, first, &job);
        for (size_t i = 0; i < n; ++i)
            if (path_leave(job.paths[i], job.hits[i], &job.turns[i]))
                wave->going[(*going)++] = job.paths[i];
    }
}

/* One step of each path; returns how many go on. */
static size_t wave_step(TraceWave *wave, const TraceScene *scene, size_t count)
{
    TraceHit hits[TRACE_WAVE];
    OpaqueHits met;
    size_t going = 0;
    met.count = 0;
    for (size_t first = 0; first < count; first += TRACE_TOGETHER)
        meet(scene, wave->going + first, count - first, false, hits + first);
    for (size_t i = 0; i < count; ++i) {
        TracePath *path = wave->going[i];
        if (!path_arrive(path, &hits[i])) continue;
        if (trace_opaque(hits[i].matter))
            met.paths[met.count] = path, met.hits[met.count++] = &hits[i];
        else if (path_leave(path, &hits[i], NULL))
            wave->going[going++] = path;
    }
    leave_opaque(wave, &met, &going);
    return going;
}

void trace_paths(const TraceInput *input, const TraceScene *scene, const TraceStart starts[],
                 size_t count, TraceSample found[])
{
    TraceWave wave;
    wave_start(&wave, input, scene, starts, count);
    note_found(&wave, count, found);
    for (size_t left = count; left > 0;) left = wave_step(&wave, scene, left);
    path_end_ways(scene, &wave.ways);
    for (size_t i = 0; i < count; ++i) {
        memcpy(found[i].light, wave.paths[i].light, sizeof wave.paths[i].light);
        found[i].light[3] = wave.paths[i].nothing ? 0 : 1;
    }
}

/* Light that comes straight from lights to what the eye sees, as paths find it. */
static void look_at_lights(TraceWave *wave, TraceHit hits[], size_t count)
{
    OpaqueHits met;
    TurnJob job;
    met.count = 0;
    for (size_t i = 0; i < count; ++i) {
        TracePath *path = wave->going[i];
        if (!path->known) continue;
        trace_scene_cloud(path->scene, &path->ray, path_draw_bits(path), &hits[i]);
        if (!trace_opaque(hits[i].matter)) continue;
        path_add_haze(path, &hits[i]);
        met.paths[met.count] = path, met.hits[met.count++] = &hits[i];
    }
    for (size_t first = 0; first < met.count; first += TRACE_TOGETHER) turn(&met, first, &job);
}

void trace_looks(const TraceInput *input, const TraceScene *scene, const TraceStart starts[],
                 size_t count, bool lit, TraceSample found[])
{
    TraceWave wave;
    TraceHit hits[TRACE_WAVE];
    wave_start(&wave, input, scene, starts, count);
    note_found(&wave, count, found);
    for (size_t first = 0; first < count; first += TRACE_TOGETHER)
        meet(scene, wave.going + first, count - first, true, hits + first);
    for (size_t i = 0; i < count; ++i) {
        path_note_first(wave.going[i], &hits[i]);
        path_look_for_card(wave.going[i], &hits[i]);
    }
    if (lit) look_at_lights(&wave, hits, count);
    path_end_ways(scene, &wave.ways);
}

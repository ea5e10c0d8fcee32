/* Photons on their way from the lights, and the light that paths find of them.
 *
 * Radiance over the square of the refractive index is what stays along a ray through surfaces, and
 * what paths from the eye carry. So light counts for less by that square where it arrives within a
 * liquid: wet ground is darker. */
#include "render/trace_photon.h"

#include "base/status.h"
#include "render/trace_optics.h"
#include "render/trace_path.h"

#include <math.h>
#include <string.h>

enum { BATCH = 1 << 16, TURN = 256 };

/* Photons that each is spread over, of a million; fewer photons are spread wider, but not so much
 * wider that noise would be the same: both it and the blur go to nothing. */
#define TOGETHER       32.0f
#define LEAST_TOGETHER 8.0f

/* A batch of photons that are followed side by side. */
typedef struct PhotonBatch {
    const TraceInput *input;
    const TraceScene *scene;
    const PhotonAim *aim;
    uint32_t hash;
    size_t first, count; /* numbers of the aim's shots */
    float share;         /* of the aim's power, each */
    Photon *photons;
    bool *arrived;
} PhotonBatch;

/* ---- following ---- */

/* Notes where a photon ends; the normal is on the side that it came from. */
static bool arrive(const TracePath *path, const TraceHit *hit, float index, Photon *photon)
{
    const float *direction = path->ray.direction;
    const float side = dot3(direction, hit->smooth) < 0 ? 127 : -127;
    for (int k = 0; k < 3; ++k) {
        photon->at[k] = hit->place[k];
        photon->power[k] = path->weight[k] / (index * index);
        photon->normal[k] = (int8_t)lrintf(side * hit->smooth[k]);
        photon->back[k] = (int8_t)lrintf(-127 * direction[k]);
    }
    const float power = luminance3(photon->power);
    return power > 0 && power < 1e30f && dot3(photon->at, photon->at) < 1e14f;
}

/* Panes that a photon passes leave it as it is: light that they alone let through goes straight,
 * and is found so. False: the photon is lost. */
static bool follow(TracePath *path, Photon *photon)
{
    const float *direction = path->ray.direction;
    bool bent = false;
    float index = 1;
    for (uint64_t bounce = 0; bounce <= path->input->def->trace.bounces; ++bounce) {
        TraceHit hit;
        float before[3];
        const float chance = path_draw_pane(path);
        trace_scene_meet(path->scene, &(const TraceRay *){&path->ray}, &chance, 1, &hit);
        if (path->parts.mist)
            trace_scene_cloud(path->scene, &path->ray, path_draw_bits(path), &hit);
        if (hit.matter == TRACE_NOTHING) return false;
        if (path->inside) absorb(path->absorption, hit.distance, path->weight);
        if (!photon_goes_on(hit.matter, hit.roughness))
            return bent && trace_opaque(hit.matter) && arrive(path, &hit, index, photon);
        memcpy(before, direction, sizeof before);
        path_bend(path, &hit);
        bent |= hit.matter != TRACE_GLASS || memcmp(before, direction, sizeof before) != 0;
        index = path->inside ? hit.refraction : 1;
    }
    return false;
}

static TracePath photon_path(const PhotonBatch *batch, size_t number)
{
    TracePath path = {.input = batch->input,
                      .scene = batch->scene,
                      .parts = trace_scene_parts(batch->scene),
                      .ray = {.moment = 0.5f, .without = NO_WISP},
                      .slack = 2e-6f,
                      .seed = {batch->hash, reverse_bits((uint32_t)number), 0}};
    uint32_t cell[2];
    float u[2];
    const uint32_t pair = path.seed.pair;
    path.seed.pair += 3;
    sample_words(path.seed.pixel, path.seed.sample, pair, cell);
    sample_pair(path.seed.pixel, path.seed.sample, pair + 1, u);
    if (batch->input->view->shutter > 0)
        path.ray.moment = sample_first(path.seed.pixel, path.seed.sample, pair + 2);
    const float part = photon_aim_shoot(batch->aim, cell, u, &path.ray);
    /* Points that are even together would meet surface after surface by the same rule, over and
     * over: on its way each photon has numbers of its own. */
    path.seed.pixel = mix_bits(batch->hash ^ mix_bits((uint32_t)number));
    for (int k = 0; k < 3; ++k) path.weight[k] = batch->share * part * batch->aim->power[k];
    return path;
}

/* Something may be between a sun and all that bends light, where its photons begin. */
static bool sees_sun(TracePath *path)
{
    TraceRay ray = path->ray;
    const float reach = FAR_AWAY;
    float left[1][3] = {{1, 1, 1}};
    for (int k = 0; k < 3; ++k) ray.direction[k] = -ray.direction[k];
    if (path->parts.mist &&
        !(trace_scene_passes(path->scene, &ray, FAR_AWAY, path_draw_bits(path)) > 0))
        return false;
    trace_scene_ways(path->scene, &(const TraceRay *){&ray}, &reach, 1, left);
    for (int k = 0; k < 3; ++k) path->weight[k] *= left[0][k];
    return left[0][0] > 0;
}

static void follow_some(void *context, size_t begin, size_t end, int worker)
{
    const PhotonBatch *batch = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        TracePath path = photon_path(batch, batch->first + i);
        batch->arrived[i] =
            (batch->aim->light->point || sees_sun(&path)) && follow(&path, &batch->photons[i]);
    }
}

/* ---- shooting ---- */

/* Everything that is shot, and what arrived of it. */
typedef struct PhotonFlight {
    const TraceInput *input;
    const TraceScene *scene;
    Arena *arena;
    PhotonAim *aims[MOTE_LIGHTS_MOST];
    size_t aim_count;
    PhotonCloud arrived;
} PhotonFlight;

static bool goes_on(const mote_RenderDef *def)
{
    return def->progress == NULL || def->progress(def->progress_context, 0);
}

static mote_Status shoot(PhotonFlight *flight, PhotonBatch *batch, mote_Error *error)
{
    const mote_RenderDef *def = flight->input->def;
    for (; batch->first < batch->aim->shots; batch->first += BATCH) {
        const size_t left = batch->aim->shots - batch->first;
        batch->count = left < BATCH ? left : BATCH;
        mote_parallel_for(def->tasks, batch->count, TURN, follow_some, batch);
        for (size_t i = 0; i < batch->count; ++i)
            if (batch->arrived[i])
                flight->arrived.photons[flight->arrived.count++] = batch->photons[i];
        if (!goes_on(def))
            return status_fail(error, MOTE_CANCELLED, "render: stopped before its end");
    }
    return MOTE_OK;
}

static mote_Status shoot_all(PhotonFlight *flight, mote_Error *error)
{
    const TraceInput *input = flight->input;
    PhotonBatch batch = {.input = input,
                         .scene = flight->scene,
                         .photons = arena_take(flight->arena, BATCH * sizeof *batch.photons),
                         .arrived = arena_take(flight->arena, BATCH * sizeof *batch.arrived)};
    const size_t bytes = input->def->photons * sizeof *batch.photons;
    mote_Status status = MOTE_OK;
    flight->arrived.photons = arena_take(flight->arena, bytes);
    if (batch.photons == NULL || batch.arrived == NULL || flight->arrived.photons == NULL)
        return status_no_memory(error, "the photons of a picture", bytes);
    for (size_t i = 0; i < flight->aim_count && status == MOTE_OK; ++i) {
        batch.aim = flight->aims[i], batch.first = 0;
        batch.share = 1 / (float)batch.aim->shots;
        batch.hash = mix_bits((uint32_t)i ^ mix_bits((uint32_t)input->frame->index + 1));
        status = shoot(flight, &batch, error);
    }
    return status;
}

/* Each light is shot as often as its part of all power. */
static void share_out(PhotonFlight *flight)
{
    double all = 0;
    for (size_t i = 0; i < flight->aim_count; ++i)
        all += (double)luminance3(flight->aims[i]->power);
    for (size_t i = 0; i < flight->aim_count; ++i) {
        const double part = (double)luminance3(flight->aims[i]->power) / all;
        flight->aims[i]->shots = (size_t)(part * (double)flight->input->def->photons);
    }
}

/* Lights without shadows shine through everything and need no photons. */
static mote_Status aim_all(PhotonFlight *flight, mote_Error *error)
{
    const Lights *lights = flight->input->lights;
    for (size_t i = 0; i < lights->count; ++i) {
        const Light *light = &lights->lights[i];
        const float power = luminance3(light->color);
        if (!light->shadows || !(power > 0) || !(power < 1e30f)) continue;
        PhotonAim *aim = arena_take(flight->arena, sizeof *aim);
        if (aim == NULL) return status_no_memory(error, "the photons of a picture", sizeof *aim);
        if (photon_aim_make(light, flight->scene, aim)) flight->aims[flight->aim_count++] = aim;
    }
    share_out(flight);
    return MOTE_OK;
}

mote_Status trace_photons_make(const TraceInput *input, TraceScene *scene, Arena *arena,
                               PhotonMap **map, mote_Error *error)
{
    PhotonFlight flight = {.input = input, .scene = scene, .arena = arena};
    const mote_RenderDef *def = input->def;
    *map = NULL;
    if (def->photons == 0) return MOTE_OK;
    mote_Status status = aim_all(&flight, error);
    if (status != MOTE_OK || flight.aim_count == 0) return status;
    status = shoot_all(&flight, error);
    if (status != MOTE_OK) return status;
    PhotonCloud *cloud = &flight.arrived;
    const float together = TOGETHER * sqrtf((float)def->photons / 1e6f);
    cloud->together = together > LEAST_TOGETHER ? together : LEAST_TOGETHER;
    cloud->reach = flight.aims[0]->reach;
    memcpy(cloud->middle, flight.aims[0]->middle, sizeof cloud->middle);
    *map = photon_map_make(cloud, def->tasks, arena);
    trace_scene_carry(scene);
    if (*map != NULL) return MOTE_OK;
    return status_no_memory(error, "the photons of a picture", cloud->count * sizeof(Photon));
}

/* ---- light of photons ---- */

/* The part that a rough coat or metal sends on to the eye, of light that falls on the surface. */
static void shine(const TracePath *path, const TraceHit *hit, const float normal[3],
                  const float toward[3], float part[3])
{
    const float *direction = path->ray.direction;
    float eye[3], half[3];
    for (int k = 0; k < 3; ++k) eye[k] = -direction[k], half[k] = eye[k] + toward[k], part[k] = 0;
    const float facing = dot3(toward, normal), least = 0.05f;
    if (!(hit->roughness > ROUGH) || !(facing > 0)) return;
    unit3(half);
    const float cosine = dot3(half, toward), alpha = hit->roughness * hit->roughness;
    const float all =
        facet_shine(normal, eye, toward, half, alpha) / (facing > least ? facing : least);
    const float coat = hit->gloss * fresnel(cosine > 0 ? cosine : 0, 1 / 1.5f);
    for (int k = 0; k < 3; ++k)
        part[k] = all * (hit->matter == TRACE_METAL ? metal_mirrors(hit->color[k], cosine) : coat);
}

/* Dull matter sends on light from anywhere alike; a rough coat or metal is asked for one direction
 * of those that light comes from. All of a pixel's paths find the same: there is no noise, and the
 * denoiser gets nothing of it that is seen directly. */
void path_add_photons(TracePath *path, const TraceHit *hit, const float normal[3], float below)
{
    float light[3], back[3], part[3], sent[3];
    const PhotonMap *map = path->input->photons;
    if (map == NULL) return;
    const float chance = path_draw(path);
    if (!photon_map_light(map, hit->place, normal, chance, light, back)) return;
    unit3(back);
    shine(path, hit, normal, back, part);
    for (int k = 0; k < 3; ++k) {
        const float dull = hit->matter == TRACE_METAL ? 0 : below * hit->color[k];
        sent[k] = light[k] * (dull + part[k]);
    }
    if (!path->straight)
        path_add_light(path, sent);
    else
        for (int k = 0; k < 3; ++k) path->first->own[k] += path->weight[k] * sent[k];
}

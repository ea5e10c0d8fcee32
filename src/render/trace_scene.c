/* What rays meet: the surfaces of a frame in one tree of Embree's, clouds of particles in two more,
 * and the ground, by hand. */
#include "render/trace.h"

#include "base/status.h"
#include "render/float3.h"
#include "render/render.h"

#if MOTE_WITH_EMBREE

#include "render/texture.h"
#include "render/trace_tree.h"

#include <string.h>

/* In libmote.a all of Embree is weak: a program that is linked without it goes without. */
#pragma weak rtcNewDevice

void trace_attach(TraceScene *scene, RTCGeometry geometry, const TraceThing *thing)
{
    if (!trace_opaque(thing->matter))
        rtcSetGeometryOccludedFilterFunction(geometry, trace_way_filter);
    scene->things[scene->count] = *thing;
    rtcSetGeometryUserData(geometry, &scene->things[scene->count]);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene->tree, geometry, (unsigned)scene->count++);
    rtcReleaseGeometry(geometry);
}

/* ---- making ---- */

static bool has_surface(const mote_Frame *frame, size_t system)
{
    for (size_t i = 0; i < frame->surface_count; ++i)
        if (frame->surfaces[i].system == system) return true;
    return false;
}

/* A liquid without a surface is found in the picture itself: rays have nothing to meet. */
static mote_Status check_liquid(const TraceInput *input, size_t system, mote_Error *error)
{
    const SplatSource *source = &input->sources[system];
    if (!source->profile->liquid || source->hidden || source->count == 0 ||
        has_surface(input->frame, system))
        return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "render: system %.60s is drawn as a liquid without a surface, which cannot "
                       "be traced; give it `surface: {}`, or a look with profile \"sphere\"",
                       input->frame->systems[system].name);
}

static mote_Status add_systems(TraceScene *scene, mote_Error *error)
{
    const TraceInput *input = scene->input;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < input->frame->system_count && status == MOTE_OK; ++i) {
        const SplatSource *source = &input->sources[i];
        status = check_liquid(input, i, error);
        if (status == MOTE_OK && !source->hidden && !source->profile->liquid &&
            source->occlusion > 0 && source->profile->form == PROFILE_SPHERE)
            status = trace_add_balls(scene, source, error);
    }
    return status;
}

static mote_Status fill(TraceScene *scene, mote_Error *error)
{
    mote_Status status = trace_add_liquids(scene, error);
    if (status == MOTE_OK) status = trace_add_cloth(scene, error);
    if (status == MOTE_OK) status = add_systems(scene, error);
    if (status == MOTE_OK) status = trace_add_tubes(scene, error);
    if (status == MOTE_OK) status = trace_add_wisps(scene, error);
    if (status == MOTE_OK) trace_add_solids(scene);
    return status;
}

/* Takes a box in, with all of its corners. */
static void widen(float bounds[2][3], const AheadBox *box)
{
    for (int k = 0; k < 3; ++k) {
        float half = 1e-6f;
        for (int n = 0; n < 3; ++n)
            half += 1.0001f * __builtin_fabsf(box->half[n] * box->axis[n][k]);
        half += 1e-4f * __builtin_fabsf(box->middle[k]);
        if (!(bounds[0][k] < box->middle[k] - half)) bounds[0][k] = box->middle[k] - half;
        if (!(bounds[1][k] > box->middle[k] + half)) bounds[1][k] = box->middle[k] + half;
    }
}

/* A little wider than they are: rays that graze something still ask for it. */
static void note_bounds(TraceScene *scene)
{
    AheadScene *ahead = &scene->ahead;
    struct RTCBounds box;
    rtcGetSceneBounds(scene->tree, &box);
    const float low[3] = {box.lower_x, box.lower_y, box.lower_z};
    const float high[3] = {box.upper_x, box.upper_y, box.upper_z};
    for (int k = 0; k < 3; ++k) {
        const float wide = (high[k] - low[k]) + __builtin_fabsf(high[k] + low[k]);
        ahead->bounds[0][k] = low[k] - 1e-4f * wide - 1e-6f;
        ahead->bounds[1][k] = high[k] + 1e-4f * wide + 1e-6f;
    }
    memcpy(ahead->whole, ahead->bounds, sizeof ahead->whole);
    for (size_t i = 0; i < ahead->box_count; ++i) widen(ahead->whole, &ahead->boxes[i]);
}

/* The planes that rays come down to. */
static void note_planes(TraceScene *scene)
{
    const Backdrop *backdrop = scene->input->backdrop;
    scene->ahead.planes = backdrop->planes;
    if (!backdrop->flat && !scene->input->def->backdrop.transparent)
        scene->ahead.plane_count = backdrop->plane_count;
}

mote_Status trace_scene_open(const TraceInput *input, Arena *arena, TraceScene **out,
                             mote_Error *error)
{
    *out = NULL;
    if (rtcNewDevice == NULL)
        return status_fail(
            error, MOTE_UNAVAILABLE,
            "render: this program was linked without Embree and traces no rays; link "
            "-Wl,--no-as-needed -lembree3 too, or draw without trace");
    TraceScene *scene = arena_take(arena, sizeof *scene);
    const size_t most =
        input->frame->surface_count + input->solids->count + input->frame->system_count + 2;
    *out = scene;
    if (scene == NULL) return status_no_memory(error, "a picture", sizeof *scene);
    *scene = (TraceScene){.input = input, .arena = arena, .kernels = render_kernels()};
    note_planes(scene);
    scene->things = arena_take(arena, most * sizeof *scene->things);
    if (scene->things == NULL)
        return status_no_memory(error, "a picture", most * sizeof *scene->things);
    scene->device = rtcNewDevice("threads=1"); /* the threads here are ours */
    if (scene->device == NULL)
        return status_fail(error, MOTE_UNAVAILABLE, "render: Embree does not start here (error %d)",
                           (int)rtcGetDeviceError(NULL));
    scene->tree = rtcNewScene(scene->device);
    rtcSetSceneFlags(scene->tree, RTC_SCENE_FLAG_ROBUST);
    mote_Status status = fill(scene, error);
    if (status != MOTE_OK) return status;
    rtcCommitScene(scene->tree);
    note_bounds(scene);
    if (rtcGetDeviceError(scene->device) == RTC_ERROR_NONE) return MOTE_OK;
    return status_no_memory(error, "the tree of a picture", most);
}

void trace_scene_close(TraceScene *scene)
{
    if (scene == NULL) return;
    RTCScene trees[] = {scene->tree, scene->mist.tree, scene->glow.tree};
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; ++i)
        if (trees[i] != NULL) rtcReleaseScene(trees[i]);
    if (scene->device != NULL) rtcReleaseDevice(scene->device);
}

/* ---- rays ---- */

static void ground_hit(const TraceInput *input, size_t plane, TraceHit *hit)
{
    const mote_GroundLook *ground = &input->def->ground;
    const float part = backdrop_checker(input->backdrop, plane, hit->place);
    float colors[2][3];
    hit->matter = TRACE_SOLID;
    hit->roughness = 0.6f, hit->gloss = 0.15f;
    memcpy(hit->normal, input->backdrop->planes[plane].normal, sizeof hit->normal);
    memcpy(hit->smooth, hit->normal, sizeof hit->smooth);
    for (int i = 0; i < 2; ++i) read3(ground->colors[i], colors[i]);
    for (int k = 0; k < 3; ++k) hit->color[k] = colors[0][k] + part * (colors[1][k] - colors[0][k]);
}

/* The texture where the solid is hit, which may move: its place and normal half way. */
static void paint_hit(const TraceThing *thing, float moment, TraceHit *hit)
{
    float place[3], normal[3];
    memcpy(place, hit->place, sizeof place), memcpy(normal, hit->normal, sizeof normal);
    if (thing->motion != NULL) {
        const int last = MOMENTS - 1, m = (int)(moment * MOMENTS);
        const SolidMoment *t = &thing->motion[m < last ? m : last];
        for (int k = 0; k < 3; ++k) {
            place[k] = dot3(t->turn[k], hit->place) + t->shift[k];
            normal[k] = dot3(t->turn[k], hit->normal);
        }
    }
    texture_color(thing->solid, place, normal, NULL, hit->color); /* paths take the mean */
}

static void thing_hit(const TraceThing *thing, const struct RTCHit *found, float moment,
                      TraceHit *hit)
{
    const SplatSource *source = thing->source;
    const float at[2] = {found->u, found->v};
    hit->matter = thing->matter;
    hit->roughness = thing->roughness, hit->gloss = thing->gloss;
    hit->refraction = thing->refraction;
    memcpy(hit->absorption, thing->absorption, sizeof hit->absorption);
    memcpy(hit->color, thing->color, sizeof hit->color);
    hit->normal[0] = found->Ng_x, hit->normal[1] = found->Ng_y, hit->normal[2] = found->Ng_z;
    unit3(hit->normal);
    memcpy(hit->smooth, hit->normal, sizeof hit->smooth);
    if (thing->surface != NULL) trace_liquid_hit(thing, found->primID, at, hit);
    if (thing->solid != NULL && texture_worn(thing->solid)) paint_hit(thing, moment, hit);
    if (thing->facets != NULL) trace_cloth_hit(thing->facets, found->primID, at, hit);
    for (int k = 0; thing->lines != NULL && k < 3; ++k)
        hit->color[k] = clamp01(thing->lines[found->primID].color[k]);
    for (int k = 0; source != NULL && k < 3; ++k) {
        const mote_real *color = source->color[k];
        hit->color[k] = clamp01(color != NULL ? (float)color[thing->rows[found->primID]] : 0.7f);
    }
}

/* Asks the tree for the first thing on a ray before what is ahead of it: the ground or a pane. */
static void ask_tree(const TraceScene *scene, const TraceRay *ray, const Ahead *a, size_t i,
                     struct RTCRayHit *found)
{
    struct RTCIntersectContext context;
    const float reach = a->ground[i] < a->mirror[i] ? a->ground[i] : a->mirror[i];
    found->ray = trace_embree_ray(ray, reach);
    found->hit.geomID = RTC_INVALID_GEOMETRY_ID;
    if (!a->near[i]) return;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene->tree, &context, found);
    if (found->hit.geomID == RTC_INVALID_GEOMETRY_ID) return;
    const TraceThing *thing = &scene->things[found->hit.geomID];
    if (thing->normals != NULL) __builtin_prefetch(&thing->normals[found->hit.primID]);
}

/* What a ray has met. Where that is nothing, the hit says no more: to clear all of it takes as long
 * as to look for the ground. */
static void note_hit(const TraceScene *scene, const TraceRay *ray, const Ahead *a, size_t i,
                     const struct RTCRayHit *found, TraceHit *hit)
{
    const float distance = found->ray.tfar;
    const bool met = distance < a->mirror[i];
    hit->matter = TRACE_NOTHING, hit->distance = distance, hit->wisp = NO_WISP;
    hit->mirrors = hit->card = false;
    if (met) madd3(ray->origin, distance, ray->direction, hit->place);
    if (met && found->hit.geomID != RTC_INVALID_GEOMETRY_ID)
        thing_hit(&scene->things[found->hit.geomID], &found->hit, ray->moment, hit);
    else if (met)
        ground_hit(scene->input, (size_t)a->plane[i], hit);
    else if (a->mirror[i] < FAR_AWAY)
        trace_pane_hit(scene, ray, a, i, hit);
    hit->passed = a->passed[i] < distance;
}

/* What the tree finds is fetched from memory while it looks for the next. */
void trace_scene_meet(const TraceScene *scene, const TraceRay *const rays[], const float chances[],
                      size_t count, TraceHit hits[])
{
    Ahead ahead;
    struct RTCRayHit found[TRACE_TOGETHER];
    for (size_t i = 0; i < AHEAD_RAYS; ++i)
        ahead.reach[i] = FAR_AWAY, ahead.chance[i] = chances[i < count ? i : 0];
    trace_look_ahead(scene, rays, count, &ahead);
    for (size_t i = 0; i < count; ++i) ask_tree(scene, rays[i], &ahead, i, &found[i]);
    for (size_t i = 0; i < count; ++i) note_hit(scene, rays[i], &ahead, i, &found[i], &hits[i]);
}

TraceParts trace_scene_parts(const TraceScene *scene)
{
    return (TraceParts){.panes = scene->ahead.box_count > 0,
                        .mist = scene->mist.tree != NULL,
                        .cards = scene->mist.sprites != NULL,
                        .glow = scene->glow.tree != NULL,
                        .lamps = scene->glow.sums != NULL};
}

void trace_scene_cloud(const TraceScene *scene, const TraceRay *ray, uint32_t seed, TraceHit *hit)
{
    trace_wisp_cast(&scene->mist, ray, seed, hit);
}

float trace_scene_through(const TraceScene *scene, const TraceRay *ray, float reach)
{
    float unused[3] = {0, 0, 0};
    return trace_wisp_sum(&scene->mist, ray, reach, unused, NULL);
}

float trace_scene_passes(const TraceScene *scene, const TraceRay *ray, float reach, uint32_t seed)
{
    return trace_wisp_free(&scene->mist, ray, reach, seed) ? 1 : 0;
}

float trace_scene_glow(const TraceScene *scene, const TraceRay *ray, float reach, float light[3])
{
    TraceRay free = *ray;
    float density;
    free.without = NO_WISP;
    trace_wisp_sum(&scene->glow, &free, reach, light, &density);
    return density;
}

bool trace_scene_toward_glow(const TraceScene *scene, const TraceRay *from, const float u[4],
                             float direction[3])
{
    return trace_glow_choose(&scene->glow, from, u, direction);
}

#else

mote_Status trace_scene_open(const TraceInput *input, Arena *arena, TraceScene **scene,
                             mote_Error *error)
{
    (void)input, (void)arena;
    *scene = NULL;
    return status_fail(error, MOTE_UNAVAILABLE,
                       "render: this build has no ray tracing; install libembree-dev and build "
                       "again, or draw without trace");
}

void trace_scene_close(TraceScene *scene)
{
    (void)scene;
}

TraceParts trace_scene_parts(const TraceScene *scene)
{
    (void)scene;
    return (TraceParts){.panes = false};
}

void trace_scene_meet(const TraceScene *scene, const TraceRay *const rays[], const float chances[],
                      size_t count, TraceHit hits[])
{
    (void)scene, (void)rays, (void)chances;
    for (size_t i = 0; i < count; ++i) hits[i] = (TraceHit){.matter = TRACE_NOTHING};
}

void trace_scene_ways(const TraceScene *scene, const TraceRay *const ways[], const float reaches[],
                      size_t count, float left[][3])
{
    (void)scene, (void)ways, (void)reaches, (void)count, (void)left;
}

void trace_scene_cloud(const TraceScene *scene, const TraceRay *ray, uint32_t seed, TraceHit *hit)
{
    (void)scene, (void)ray, (void)seed, (void)hit;
}

float trace_scene_through(const TraceScene *scene, const TraceRay *ray, float reach)
{
    (void)scene, (void)ray, (void)reach;
    return 1;
}

float trace_scene_passes(const TraceScene *scene, const TraceRay *ray, float reach, uint32_t seed)
{
    (void)seed;
    return trace_scene_through(scene, ray, reach);
}

float trace_scene_glow(const TraceScene *scene, const TraceRay *ray, float reach, float light[3])
{
    (void)scene, (void)ray, (void)reach, (void)light;
    return 0;
}

bool trace_scene_toward_glow(const TraceScene *scene, const TraceRay *from, const float u[4],
                             float direction[3])
{
    (void)scene, (void)from, (void)u, (void)direction;
    return false;
}

#endif

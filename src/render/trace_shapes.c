/* What the tracer sees as bodies: shapes by their own casts, particles as balls, links as tubes. */
#include "render/trace.h"

#if MOTE_WITH_EMBREE
#include "render/trace_tree.h"

#include "base/status.h"
#include "render/float3.h"

#include <math.h>
#include <string.h>

#define GLASS 1.5f /* index of panes */
enum { MOST_CROSSINGS = 16 };

/* ---- shapes ---- */

/* Takes in where a moving solid is at a moment: within the ball around it, and within the box that
 * it is in half way, moved along, whose corners are half its size away from its middle. */
static void widen_by_moment(const float still[2][3], const SolidMoment *moment, float reach,
                            float low[3], float high[3])
{
    float middle[3], half[3];
    for (int k = 0; k < 3; ++k) {
        middle[k] = 0.5f * (still[0][k] + still[1][k]) - moment->shift[k];
        half[k] = 0.5f * (still[1][k] - still[0][k]);
    }
    for (int k = 0; k < 3; ++k) {
        float at = 0, away = 0;
        for (int i = 0; i < 3; ++i) {
            at += moment->turn[i][k] * middle[i];
            away += __builtin_fabsf(moment->turn[i][k]) * half[i];
        }
        const float ball = moment->middle[k];
        const float first = at - away > ball - reach ? at - away : ball - reach;
        const float last = at + away < ball + reach ? at + away : ball + reach;
        low[k] = first < low[k] ? first : low[k], high[k] = last > high[k] ? last : high[k];
    }
}

void trace_solid_bounds(const TraceThing *thing, float low[3], float high[3])
{
    const RenderSolid *solid = thing->solid;
    Aabb box = posed_bounds(&solid->shape);
    read3(box.low, low), read3(box.high, high);
    const float slack = 1e-4f * solid->radius;
    for (int k = 0; k < 3; ++k) low[k] -= slack, high[k] += slack;
    const float still[2][3] = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    for (int m = 0; thing->motion != NULL && m < MOMENTS; ++m)
        widen_by_moment(still, &thing->motion[m], 1.001f * solid->radius, low, high);
}

static void solid_bounds(const struct RTCBoundsFunctionArguments *args)
{
    float low[3], high[3];
    trace_solid_bounds(args->geometryUserPtr, low, high);
    struct RTCBounds *out = args->bounds_o;
    out->lower_x = low[0], out->lower_y = low[1], out->lower_z = low[2];
    out->upper_x = high[0], out->upper_y = high[1], out->upper_z = high[2];
}

static mote_Vec3 vec_of(const float a[3])
{
    return vec3((mote_real)a[0], (mote_real)a[1], (mote_real)a[2]);
}

/* A box is what three pairs of planes have between them: where the ray is between all of them, it
 * is inside. */
static TraceBox box_of(const RenderSolid *solid)
{
    const ShapeForm form = shape_form(solid->shape.row, solid->shape.params);
    const mote_Pose *pose = &solid->shape.pose;
    TraceBox box = {.half = {0, 0, 0}};
    if (form.core != CORE_BOX || form.radius > 0 || !(solid->radius < SOLID_FARTHEST)) return box;
    read3(form.half, box.half), read3(pose->position, box.middle);
    for (int k = 0; k < 3; ++k) {
        read3(pose_rotate(pose, vec3(k == 0, k == 1, k == 2)), box.axis[k]);
        for (int i = 0; i < 3; ++i) box.columns[i][k] = box.axis[k][i];
        box.halves[k] = box.half[k];
    }
    return box;
}

/* As below, of boxes. */
static bool cross_box_surface(const TraceThing *thing, const float start[3], const float along[3],
                              ShapeHit *hit)
{
    float span[2];
    int side[2];
    if (!trace_box_cross(&thing->box, start, along, span, side)) return false;
    const bool leaves = !(span[0] > 0);
    if (leaves && trace_opaque(thing->matter)) return false;
    const float time = span[leaves], *axis = thing->box.axis[side[leaves]];
    if (!(time > 0 && time <= 1)) return false;
    const float outward = (dot3(along, axis) > 0) == leaves ? 1.0f : -1.0f;
    hit->time = (mote_real)time;
    hit->normal = vec3_scale(vec_of(axis), (mote_real)outward);
    return true;
}

/* Where a ray from `start` that goes `along` passes the shape's surface, from either side. */
static bool cross_surface(const TraceThing *thing, const float start[3], const float along[3],
                          ShapeHit *hit)
{
    const PosedShape *shape = &thing->solid->shape;
    if (thing->box.half[0] > 0) return cross_box_surface(thing, start, along, hit);
    ShapeCast cast = {vec_of(start), vec_of(along), 0};
    if (solid_distance(thing->solid, start) >= 0)
        return posed_cast(shape, &cast, hit) && !hit->overlaps;
    if (trace_opaque(thing->matter) || shape->row->leave == NULL) return false;
    if (!posed_leave(shape, &cast, hit)) return false;
    if (vec3_dot(hit->normal, cast.along) < 0) hit->normal = vec3_scale(hit->normal, -1);
    return true;
}

/* The pane above all others. Its normal says nothing of that: the inside's looks down. */
static bool is_missing(const TraceThing *thing, const ShapeHit *hit, const float place[3])
{
    float normal[3], arm[3];
    if (thing->open_to == NULL) return false;
    read3(hit->normal, normal);
    madd3(place, -1, thing->solid->middle, arm);
    const float level = dot3(normal, thing->open_to);
    return level * level > 0.5f && dot3(arm, thing->open_to) > 0;
}

/* A ray as a solid sees it, and how far it may go. */
typedef struct SolidRay {
    float origin[3], direction[3], near, far;
} SolidRay;

static SolidRay solid_ray(const TraceThing *thing, const struct RTCRay *ray)
{
    const float origin[3] = {ray->org_x, ray->org_y, ray->org_z};
    const float direction[3] = {ray->dir_x, ray->dir_y, ray->dir_z};
    SolidRay out = {.near = ray->tnear, .far = ray->tfar};
    memcpy(out.origin, origin, sizeof origin);
    memcpy(out.direction, direction, sizeof direction);
    if (thing->motion != NULL) {
        const int last = MOMENTS - 1, m = (int)(ray->time * MOMENTS);
        const SolidMoment *moment = &thing->motion[m < last ? m : last];
        for (int k = 0; k < 3; ++k) {
            out.origin[k] = dot3(moment->turn[k], origin) + moment->shift[k];
            out.direction[k] = dot3(moment->turn[k], direction);
        }
    }
    float to[3];
    madd3(thing->solid->middle, -1, out.origin, to);
    const float far = length3(to) + 1.01f * thing->solid->radius;
    if (far < out.far) out.far = far;
    return out;
}

/* The normal, back from the middle of the shutter to the ray's moment. */
static void write_hit(const TraceThing *thing, const ShapeHit *hit, float at,
                      struct RTCRayHit *rayhit)
{
    float normal[3], n[3];
    read3(hit->normal, n);
    memcpy(normal, n, sizeof n);
    if (thing->motion != NULL) {
        const int last = MOMENTS - 1, m = (int)(rayhit->ray.time * MOMENTS);
        const SolidMoment *t = &thing->motion[m < last ? m : last];
        for (int k = 0; k < 3; ++k)
            normal[k] = t->turn[0][k] * n[0] + t->turn[1][k] * n[1] + t->turn[2][k] * n[2];
    }
    rayhit->ray.tfar = at;
    rayhit->hit.Ng_x = normal[0], rayhit->hit.Ng_y = normal[1], rayhit->hit.Ng_z = normal[2];
}

/* False when it meets nothing of the solid. */
static bool solid_meet(const TraceThing *thing, struct RTCRayHit *rayhit)
{
    SolidRay ray = solid_ray(thing, &rayhit->ray);
    for (int tries = 0; tries < 3 && ray.near < ray.far; ++tries) {
        float start[3], place[3], along[3] = {0, 0, 0};
        ShapeHit hit;
        madd3(ray.origin, ray.near, ray.direction, start);
        madd3(along, ray.far - ray.near, ray.direction, along);
        if (!cross_surface(thing, start, along, &hit)) return false;
        ray.near += (float)hit.time * (ray.far - ray.near);
        madd3(ray.origin, ray.near, ray.direction, place);
        if (!is_missing(thing, &hit, place)) {
            write_hit(thing, &hit, ray.near, rayhit);
            return true;
        }
        ray.near += 1e-4f * thing->solid->radius;
    }
    return false;
}

static void solid_cast_ray(const struct RTCIntersectFunctionNArguments *args)
{
    struct RTCRayHit *rayhit = (struct RTCRayHit *)(void *)args->rayhit;
    if (args->valid[0] == 0 || !solid_meet(args->geometryUserPtr, rayhit)) return;
    rayhit->hit.geomID = args->geomID, rayhit->hit.primID = args->primID;
}

/* Every crossing of what lets light through. */
static void solid_cross_way(const TraceThing *thing, struct RTCIntersectContext *way,
                            struct RTCRay *ray)
{
    struct RTCRayHit rayhit = {.ray = *ray};
    for (int tries = 0; tries < MOST_CROSSINGS && solid_meet(thing, &rayhit); ++tries) {
        const float normal[3] = {rayhit.hit.Ng_x, rayhit.hit.Ng_y, rayhit.hit.Ng_z};
        trace_way_cross(way, thing, rayhit.ray.tfar, normal, normal);
        rayhit.ray.tnear = rayhit.ray.tfar + 1e-4f * thing->solid->radius;
        rayhit.ray.tfar = ray->tfar;
    }
}

/* Embree knows by a negative reach that something is in the way. */
static void solid_block_ray(const struct RTCOccludedFunctionNArguments *args)
{
    const TraceThing *thing = args->geometryUserPtr;
    struct RTCRay *ray = (struct RTCRay *)(void *)args->ray;
    struct RTCRayHit rayhit = {.ray = *ray};
    if (args->valid[0] == 0) return;
    if (!trace_opaque(thing->matter))
        solid_cross_way(thing, args->context, ray);
    else if (solid_meet(thing, &rayhit))
        ray->tfar = -INFINITY;
}

/* Glass with an index is solid, and bends light as a liquid does. */
static TraceMatter matter_of(const RenderSolid *solid)
{
    if (solid->glass) return solid->refraction > 0 ? TRACE_LIQUID : TRACE_GLASS;
    return solid->metal ? TRACE_METAL : TRACE_SOLID;
}

/* Corners of a side of a box as they go around it, seen from outside: which way along the two other
 * axes. */
static const float around_side[2][4][2] = {{{-1, -1}, {-1, 1}, {1, 1}, {1, -1}},
                                           {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};

/* The sides of a box of glass, but not the missing one, as four corners each. */
static unsigned place_panes(const TraceThing *thing, float (*corners)[3])
{
    const TraceBox *box = &thing->box;
    unsigned count = 0;
    for (int n = 0; n < 6; ++n) {
        const int k = n / 2, side = n % 2, others[2] = {(k + 1) % 3, (k + 2) % 3};
        if (trace_pane_missing(thing, k, side)) continue;
        for (int c = 0; c < 4; ++c) {
            float *at = corners[4 * count + (unsigned)c];
            madd3(box->middle, side ? box->half[k] : -box->half[k], box->axis[k], at);
            for (int o = 0; o < 2; ++o)
                madd3(at, around_side[side][c][o] * box->half[others[o]], box->axis[others[o]], at);
        }
        ++count;
    }
    return count;
}

/* Panes of a box that stands still are Embree's own: rays cross them without being handed to us. */
static bool add_quads(TraceScene *scene, const TraceThing *thing)
{
    float corners[24][3];
    const unsigned count = place_panes(thing, corners);
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_QUAD);
    float *places = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                            12, 4 * (size_t)count);
    uint32_t *index =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4, 16, count);
    const bool good = places != NULL && index != NULL;
    for (uint32_t i = 0; good && i < 4 * count; ++i) {
        memcpy(places + 3 * i, corners[i], sizeof corners[i]);
        index[i] = i;
    }
    if (good)
        trace_attach(scene, geometry, thing);
    else
        rtcReleaseGeometry(geometry);
    return good;
}

static void add_solid(TraceScene *scene, const RenderSolid *solid)
{
    TraceThing thing = {.matter = matter_of(solid),
                        .solid = solid,
                        .box = box_of(solid),
                        .motion = solid->moments,
                        .roughness = solid->glass ? solid->frost : solid->roughness,
                        .gloss = solid->gloss,
                        .refraction = solid->refraction > 0 ? solid->refraction : GLASS,
                        .open_to = solid->open ? scene->input->view->up : NULL};
    memcpy(thing.color, solid->color, sizeof thing.color);
    if (solid->hollow ? !solid->glass || !solid->wire : !solid->drawn) return;
    const bool panes = solid->glass && thing.motion == NULL && thing.box.half[0] > 0;
    if (panes && thing.matter == TRACE_GLASS && scene->ahead.box_count < MOST_BOXES) {
        trace_add_panes(scene, &thing);
        return;
    }
    if (panes && add_quads(scene, &thing)) return;
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, 1);
    rtcSetGeometryBoundsFunction(geometry, solid_bounds, NULL);
    rtcSetGeometryIntersectFunction(geometry, solid_cast_ray);
    rtcSetGeometryOccludedFunction(geometry, solid_block_ray);
    trace_attach(scene, geometry, &thing);
}

void trace_add_solids(TraceScene *scene)
{
    const RenderSolids *solids = scene->input->solids;
    for (size_t i = 0; i < solids->count; ++i) add_solid(scene, &solids->items[i]);
}

/* ---- balls ---- */

static bool row_is_ball(const SplatSource *source, size_t i, mote_Vec3 eye, float ball[4])
{
    const float opacity = source->opacity != NULL ? (float)source->opacity[i] : 1;
    ball[3] = source->size * (source->radius != NULL ? (float)source->radius[i] : 0.01f);
    ball[0] = (float)(source->position[0][i] - eye.x);
    ball[1] = (float)(source->position[1][i] - eye.y);
    ball[2] = (float)(source->position[2][i] - eye.z);
    return ball[3] > 0 && opacity > 0 && isfinite(ball[3] + ball[0] + ball[1] + ball[2]);
}

/* Where the ball of a row is when the shutter opens and when it closes. */
static void place_ball(const TraceInput *input, const SplatSource *source, size_t row,
                       const float ball[4], float *const out[2])
{
    for (int m = 0; m < 2; ++m)
        for (int k = 0; k < 4; ++k) {
            float half = source->blur && k < 3
                             ? 0.5f * input->view->shutter * (float)source->velocity[k][row]
                             : 0;
            if (!(half * half < 1e12f)) half = 0;
            out[m][k] = ball[k] + (m == 0 ? -half : half);
        }
}

/* A geometry whose elements are four floats, at one or two moments. */
static bool four_floats(RTCGeometry geometry, size_t count, unsigned moments, float *buffers[2])
{
    bool good = true;
    rtcSetGeometryTimeStepCount(geometry, moments);
    for (unsigned m = 0; m < moments; ++m) {
        buffers[m] = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, m, RTC_FORMAT_FLOAT4,
                                             4 * sizeof(float), count);
        good = good && buffers[m] != NULL;
    }
    return good;
}

mote_Status trace_add_balls(TraceScene *scene, const SplatSource *source, mote_Error *error)
{
    const TraceInput *input = scene->input;
    TraceThing thing = {.matter = TRACE_SOLID, .source = source, .roughness = 0.4f, .gloss = 0.5f};
    float ball[4], *buffers[2];
    size_t count = 0;
    for (size_t i = 0; i < source->count; ++i)
        count += row_is_ball(source, i, input->view->from, ball);
    if (count == 0) return MOTE_OK;
    uint32_t *rows = arena_take(scene->arena, count * sizeof *rows);
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    if (!four_floats(geometry, count, 2, buffers) || rows == NULL) {
        rtcReleaseGeometry(geometry);
        return status_no_memory(error, "the particles of a picture", 32 * count);
    }
    for (size_t i = 0, at = 0; i < source->count; ++i) {
        if (!row_is_ball(source, i, input->view->from, ball)) continue;
        place_ball(input, source, i, ball, (float *[2]){buffers[0] + 4 * at, buffers[1] + 4 * at});
        rows[at++] = (uint32_t)i;
    }
    thing.rows = rows;
    trace_attach(scene, geometry, &thing);
    return MOTE_OK;
}

/* ---- tubes ---- */

mote_Status trace_add_tubes(TraceScene *scene, mote_Error *error)
{
    const Lines *links = &scene->input->lines->tubes;
    float *ends[2];
    if (links->count == 0) return MOTE_OK;
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    bool good = four_floats(geometry, 2 * links->count, 1, ends);
    uint32_t *first = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                                              sizeof *first, links->count);
    if (!good || first == NULL) {
        rtcReleaseGeometry(geometry);
        return status_no_memory(error, "the links of a picture", 36 * links->count);
    }
    for (size_t i = 0; i < links->count; ++i) {
        const Line *line = &links->items[i];
        for (size_t e = 0; e < 2; ++e) {
            float *end = ends[0] + 4 * (2 * i + e);
            memcpy(end, line->ends[e], sizeof line->ends[e]);
            end[3] = 0.5f * line->width;
        }
        first[i] = (uint32_t)(2 * i);
    }
    trace_attach(
        scene, geometry,
        &(TraceThing){
            .matter = TRACE_SOLID, .lines = links->items, .roughness = 0.6f, .gloss = 0.2f});
    return MOTE_OK;
}

#endif

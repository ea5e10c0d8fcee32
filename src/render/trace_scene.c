/* What rays meet: liquids as triangles, particles as balls, shapes by their own casts, all in one
 * tree of Embree's; and the ground, by hand. The one file that calls Embree. */
#include "render/trace.h"

#include "base/status.h"
#include "render/float3.h"
#include "render/render.h"

#if MOTE_WITH_EMBREE

#include <embree3/rtcore.h>
#include <math.h>
#include <string.h>

#define GLASS 1.5f /* index of panes */

/* What geometry number i of the tree is made of. */
typedef struct TraceThing {
    TraceMatter matter;
    const mote_FrameSurface *surface; /* a liquid's */
    const SplatSource *source;        /* of balls */
    const uint32_t *rows;             /* ball -> row of the source */
    const RenderSolid *solid;
    float color[3], roughness, gloss, refraction, absorption[3];
    const float *open_to; /* unit vector: the pane on that side is missing; NULL: none is */
} TraceThing;

struct TraceScene {
    const TraceInput *input;
    RTCDevice device;
    RTCScene tree;
    TraceThing *things;
    size_t count;
};

/* ---- liquids ---- */

static void place_vertices(const mote_FrameSurface *s, mote_Vec3 eye, float *out)
{
    for (size_t i = 0; i < s->vertex_count; ++i) read3(vec3_sub(s->vertices[i], eye), out + 3 * i);
}

static mote_Status attach(TraceScene *scene, RTCGeometry geometry, const TraceThing *thing)
{
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene->tree, geometry, (unsigned)scene->count);
    rtcReleaseGeometry(geometry);
    scene->things[scene->count++] = *thing;
    return MOTE_OK;
}

static mote_Status add_surface(TraceScene *scene, const mote_FrameSurface *s, mote_Error *error)
{
    const TraceInput *input = scene->input;
    const mote_Look look = look_of(input->def, input->frame->systems[s->system].name);
    TraceThing thing = {.matter = TRACE_LIQUID, .surface = s, .refraction = (float)look.refraction};
    read3(look.absorption, thing.absorption);
    if (s->triangle_count == 0) return MOTE_OK;
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                              RTC_FORMAT_FLOAT3, 12, s->vertex_count);
    uint32_t *corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                RTC_FORMAT_UINT3, 12, s->triangle_count);
    if (vertices == NULL || corners == NULL) {
        rtcReleaseGeometry(geometry);
        return status_no_memory(error, "the triangles of a surface", 12 * s->triangle_count);
    }
    place_vertices(s, input->view->from, vertices);
    memcpy(corners, s->triangles, 12 * s->triangle_count);
    return attach(scene, geometry, &thing);
}

/* The vertices' normals between the corners of a triangle. */
static void smooth_normal(const mote_FrameSurface *s, unsigned triangle, float u, float v,
                          float out[3])
{
    const uint32_t *corner = s->triangles + 3 * (size_t)triangle;
    const float parts[3] = {1 - u - v, u, v};
    float normal[3];
    for (int k = 0; k < 3; ++k) out[k] = 0;
    for (int c = 0; c < 3; ++c) {
        read3(s->normals[corner[c]], normal);
        madd3(out, parts[c], normal, out);
    }
    unit3(out);
}

/* ---- balls ---- */

static bool row_is_ball(const SplatSource *source, size_t i, const float eye[3], float ball[4])
{
    ball[3] = source->size * (source->radius != NULL ? (float)source->radius[i] : 0);
    for (int k = 0; k < 3; ++k) ball[k] = (float)source->position[k][i] - eye[k];
    return ball[3] > 0 && isfinite(ball[3] + ball[0] + ball[1] + ball[2]);
}

/* Particles of systems without a surface that hide what is behind them. */
static mote_Status add_balls(TraceScene *scene, const SplatSource *source, Arena *arena,
                             mote_Error *error)
{
    TraceThing thing = {.matter = TRACE_SOLID, .source = source, .roughness = 0.4f, .gloss = 0.5f};
    float eye[3], ball[4];
    size_t count = 0;
    read3(scene->input->view->from, eye);
    for (size_t i = 0; i < source->count; ++i) count += row_is_ball(source, i, eye, ball);
    if (count == 0) return MOTE_OK;
    uint32_t *rows = arena_take(arena, count * sizeof *rows);
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float(*balls)[4] = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                               RTC_FORMAT_FLOAT4, sizeof *balls, count);
    if (balls == NULL || rows == NULL) {
        rtcReleaseGeometry(geometry);
        return status_no_memory(error, "the particles of a picture", count * sizeof *balls);
    }
    for (size_t i = 0, at = 0; i < source->count; ++i) {
        if (!row_is_ball(source, i, eye, ball)) continue;
        memcpy(balls[at], ball, sizeof ball);
        rows[at++] = (uint32_t)i;
    }
    thing.rows = rows;
    return attach(scene, geometry, &thing);
}

/* ---- shapes ---- */

static void solid_bounds(const struct RTCBoundsFunctionArguments *args)
{
    const TraceThing *thing = args->geometryUserPtr;
    Aabb box = posed_bounds(&thing->solid->shape);
    struct RTCBounds *out = args->bounds_o;
    const float slack = 1e-4f * thing->solid->radius;
    out->lower_x = (float)box.low.x - slack, out->upper_x = (float)box.high.x + slack;
    out->lower_y = (float)box.low.y - slack, out->upper_y = (float)box.high.y + slack;
    out->lower_z = (float)box.low.z - slack, out->upper_z = (float)box.high.z + slack;
}

static mote_Vec3 vec_of(const float a[3])
{
    return vec3((mote_real)a[0], (mote_real)a[1], (mote_real)a[2]);
}

/* Where a ray from `start` that goes `along` passes the shape's surface, from either side. */
static bool cross_surface(const TraceThing *thing, const float start[3], const float along[3],
                          ShapeHit *hit)
{
    const PosedShape *shape = &thing->solid->shape;
    ShapeCast cast = {vec_of(start), vec_of(along), 0};
    if (solid_distance(thing->solid, start) >= 0)
        return posed_cast(shape, &cast, hit) && !hit->overlaps;
    if (thing->matter == TRACE_SOLID || shape->row->leave == NULL) return false;
    return posed_leave(shape, &cast, hit);
}

static bool is_missing(const TraceThing *thing, const ShapeHit *hit)
{
    float normal[3];
    read3(hit->normal, normal);
    return thing->open_to != NULL && dot3(normal, thing->open_to) > 0.7f;
}

static void solid_cast_ray(const struct RTCIntersectFunctionNArguments *args)
{
    const TraceThing *thing = args->geometryUserPtr;
    const RenderSolid *solid = thing->solid;
    struct RTCRayHit *rayhit = (struct RTCRayHit *)(void *)args->rayhit;
    struct RTCRay *ray = &rayhit->ray;
    const float origin[3] = {ray->org_x, ray->org_y, ray->org_z};
    const float direction[3] = {ray->dir_x, ray->dir_y, ray->dir_z};
    float to[3], start[3], along[3] = {0, 0, 0}, near = ray->tnear;
    if (args->valid[0] == 0) return;
    madd3(solid->middle, -1, origin, to);
    float far = length3(to) + 1.01f * solid->radius;
    if (!(ray->tfar > far)) far = ray->tfar;
    for (int tries = 0; tries < 3 && near < far; ++tries) {
        ShapeHit hit;
        madd3(origin, near, direction, start);
        for (int k = 0; k < 3; ++k) along[k] = (far - near) * direction[k];
        if (!cross_surface(thing, start, along, &hit)) return;
        near += (float)hit.time * (far - near);
        if (!is_missing(thing, &hit)) {
            ray->tfar = near;
            rayhit->hit.Ng_x = (float)hit.normal.x, rayhit->hit.Ng_y = (float)hit.normal.y;
            rayhit->hit.Ng_z = (float)hit.normal.z;
            rayhit->hit.geomID = args->geomID, rayhit->hit.primID = args->primID;
            return;
        }
        near += 1e-4f * solid->radius;
    }
}

static mote_Status add_solid(TraceScene *scene, const RenderSolid *solid)
{
    TraceThing thing = {.matter = solid->glass ? TRACE_GLASS : TRACE_SOLID,
                        .solid = solid,
                        .roughness = solid->roughness,
                        .gloss = solid->gloss,
                        .refraction = GLASS,
                        .open_to = solid->open ? scene->input->view->up : NULL};
    memcpy(thing.color, solid->color, sizeof thing.color);
    if (solid->hollow ? !solid->glass || !solid->wire : !solid->drawn) return MOTE_OK;
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, 1);
    rtcSetGeometryUserData(geometry, &scene->things[scene->count]);
    rtcSetGeometryBoundsFunction(geometry, solid_bounds, NULL);
    rtcSetGeometryIntersectFunction(geometry, solid_cast_ray);
    scene->things[scene->count] = thing; /* its bounds are asked for when it is committed */
    return attach(scene, geometry, &thing);
}

/* ---- the whole ---- */

static bool has_surface(const mote_Frame *frame, size_t system)
{
    for (size_t i = 0; i < frame->surface_count; ++i)
        if (frame->surfaces[i].system == system) return true;
    return false;
}

static mote_Status fill(TraceScene *scene, Arena *arena, mote_Error *error)
{
    const TraceInput *input = scene->input;
    const mote_Frame *frame = input->frame;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < frame->surface_count && status == MOTE_OK; ++i)
        status = add_surface(scene, &frame->surfaces[i], error);
    for (size_t i = 0; i < input->solids->count && status == MOTE_OK; ++i)
        status = add_solid(scene, &input->solids->items[i]);
    for (size_t i = 0; i < frame->system_count && status == MOTE_OK; ++i)
        if (!has_surface(frame, i) && !input->sources[i].hidden && input->sources[i].occlusion > 0)
            status = add_balls(scene, &input->sources[i], arena, error);
    return status;
}

mote_Status trace_scene_open(const TraceInput *input, Arena *arena, TraceScene **out,
                             mote_Error *error)
{
    TraceScene *scene = arena_take(arena, sizeof *scene);
    size_t most = input->frame->surface_count + input->solids->count + input->frame->system_count;
    *out = scene;
    if (scene == NULL) return status_no_memory(error, "a picture", sizeof *scene);
    *scene = (TraceScene){.input = input};
    scene->things = arena_take(arena, (most + 1) * sizeof *scene->things);
    if (scene->things == NULL)
        return status_no_memory(error, "a picture", most * sizeof *scene->things);
    scene->device = rtcNewDevice("threads=1"); /* the threads here are ours */
    if (scene->device == NULL)
        return status_fail(error, MOTE_UNAVAILABLE, "render: Embree does not start here (error %d)",
                           (int)rtcGetDeviceError(NULL));
    scene->tree = rtcNewScene(scene->device);
    rtcSetSceneFlags(scene->tree, RTC_SCENE_FLAG_ROBUST);
    mote_Status status = fill(scene, arena, error);
    if (status != MOTE_OK) return status;
    rtcCommitScene(scene->tree);
    if (rtcGetDeviceError(scene->device) == RTC_ERROR_NONE) return MOTE_OK;
    return status_no_memory(error, "the tree of a picture", most);
}

void trace_scene_close(TraceScene *scene)
{
    if (scene == NULL) return;
    if (scene->tree != NULL) rtcReleaseScene(scene->tree);
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

static void thing_hit(const TraceThing *thing, const struct RTCHit *found, TraceHit *hit)
{
    const SplatSource *source = thing->source;
    hit->matter = thing->matter;
    hit->roughness = thing->roughness, hit->gloss = thing->gloss;
    hit->refraction = thing->refraction;
    memcpy(hit->absorption, thing->absorption, sizeof hit->absorption);
    memcpy(hit->color, thing->color, sizeof hit->color);
    hit->normal[0] = found->Ng_x, hit->normal[1] = found->Ng_y, hit->normal[2] = found->Ng_z;
    unit3(hit->normal);
    memcpy(hit->smooth, hit->normal, sizeof hit->smooth);
    if (thing->surface != NULL)
        smooth_normal(thing->surface, found->primID, found->u, found->v, hit->smooth);
    for (int k = 0; source != NULL && k < 3; ++k) {
        const mote_real *color = source->color[k];
        hit->color[k] = clamp01(color != NULL ? (float)color[thing->rows[found->primID]] : 0.7f);
    }
}

void trace_scene_cast(const TraceScene *scene, const TraceRay *ray, float reach, TraceHit *hit)
{
    const Backdrop *backdrop = scene->input->backdrop;
    struct RTCIntersectContext context;
    struct RTCRayHit found = {
        .ray = {ray->origin[0], ray->origin[1], ray->origin[2], 0, ray->direction[0],
                ray->direction[1], ray->direction[2], 0, reach, 0xffffffffu, 0, 0},
        .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .primID = RTC_INVALID_GEOMETRY_ID}};
    size_t plane;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene->tree, &context, &found);
    float ground = backdrop_meet(backdrop, ray->origin, ray->direction, &plane);
    *hit = (TraceHit){.distance = found.ray.tfar < ground ? found.ray.tfar : ground};
    if (!(hit->distance < reach)) return;
    madd3(ray->origin, hit->distance, ray->direction, hit->place);
    if (ground <= found.ray.tfar)
        ground_hit(scene->input, plane, hit);
    else
        thing_hit(&scene->things[found.hit.geomID], &found.hit, hit);
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

void trace_scene_cast(const TraceScene *scene, const TraceRay *ray, float reach, TraceHit *hit)
{
    (void)scene, (void)ray, (void)reach;
    *hit = (TraceHit){.matter = TRACE_NOTHING};
}

#endif

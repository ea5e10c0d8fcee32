/* What the tracer sees as triangles: liquids and cloth. */
#include "render/trace.h"

#if MOTE_WITH_EMBREE
#include "render/trace_tree.h"

#include "base/status.h"
#include "particles/system.h"
#include "render/float3.h"
#include "render/render.h"

#include <string.h>

/* ---- liquids ---- */

/* A geometry of triangles with room for their corners at one or two moments. */
typedef struct TraceMesh {
    RTCGeometry geometry;
    float *vertices[2];
    uint32_t *corners;
} TraceMesh;

static mote_Status mesh_make(RTCDevice device, size_t vertices, size_t triangles, unsigned moments,
                             TraceMesh *mesh, mote_Error *error)
{
    *mesh = (TraceMesh){rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE), {NULL, NULL}, NULL};
    bool good = true;
    rtcSetGeometryTimeStepCount(mesh->geometry, moments);
    for (unsigned m = 0; m < moments; ++m) {
        mesh->vertices[m] = rtcSetNewGeometryBuffer(mesh->geometry, RTC_BUFFER_TYPE_VERTEX, m,
                                                    RTC_FORMAT_FLOAT3, 12, vertices);
        good = good && mesh->vertices[m] != NULL;
    }
    mesh->corners = rtcSetNewGeometryBuffer(mesh->geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                            RTC_FORMAT_UINT3, 12, triangles);
    if (good && mesh->corners != NULL) return MOTE_OK;
    rtcReleaseGeometry(mesh->geometry);
    return status_no_memory(error, "the triangles of a picture", 12 * triangles);
}

/* Metres that a vertex moves in half of the time that the shutter is open. */
static void half_motion(const mote_FrameSurface *s, const TraceInput *input, size_t vertex,
                        float half[3])
{
    const mote_Column *velocity = mote_frame_column(&s->carried, "velocity");
    for (int k = 0; k < 3; ++k)
        half[k] = 0.5f * input->view->shutter * (float)column_value(velocity, k, vertex);
    if (!(dot3(half, half) < 1e12f)) memset(half, 0, 3 * sizeof *half);
}

/* Surfaces that carry their velocity are blurred by it. */
static bool is_blurred(const mote_FrameSurface *s, const TraceInput *input)
{
    const mote_Column *velocity = mote_frame_column(&s->carried, "velocity");
    return velocity != NULL && velocity->components == 3 && input->sources[s->system].blur;
}

void trace_liquid_corner(const TraceInput *input, const mote_FrameSurface *s, size_t vertex,
                         float ends[2][3])
{
    float place[3], half[3] = {0, 0, 0};
    read3(vec3_sub(s->vertices[vertex], input->view->from), place);
    if (is_blurred(s, input)) half_motion(s, input, vertex, half);
    for (int m = 0; m < 2; ++m) madd3(place, m == 0 ? -1.0f : 1.0f, half, ends[m]);
}

/* A liquid bends light that enters it; no light enters an opaque one, which shines as wet paint. */
static TraceThing liquid_thing(const SplatSource *source, const mote_FrameSurface *s)
{
    TraceThing thing = {.matter = TRACE_LIQUID, .surface = s, .refraction = source->refraction};
    memcpy(thing.absorption, source->absorption, sizeof thing.absorption);
    if (!source->opaque) return thing;
    thing.matter = TRACE_SOLID, thing.gloss = 1, thing.roughness = 0.15f;
    facets_surface_color(source, thing.color);
    for (int k = 0; k < 3; ++k) thing.color[k] = clamp01(thing.color[k]);
    return thing;
}

/* Of 32767; files may have anything in the place of a part of a unit vector. */
static int16_t packed(float part)
{
    return (int16_t)(32767 * (part > -1 ? part < 1 ? part : 1 : -1));
}

/* Rays meet triangles anywhere: what each needs comes in one piece of memory, not in five. */
static bool gather_normals(const mote_FrameSurface *s, Arena *arena, const TraceNormals **out)
{
    TraceNormals *normals = arena_take(arena, s->triangle_count * sizeof *normals);
    *out = normals;
    for (size_t t = 0; normals != NULL && t < s->triangle_count; ++t)
        for (int c = 0; c < 3; ++c) {
            float normal[3];
            read3(s->normals[s->triangles[3 * t + (size_t)c]], normal);
            for (int k = 0; k < 3; ++k) normals[t].at[c][k] = packed(normal[k]);
        }
    return normals != NULL;
}

static mote_Status add_liquid(TraceScene *scene, const mote_FrameSurface *s, mote_Error *error)
{
    const TraceInput *input = scene->input;
    TraceThing thing = liquid_thing(&input->sources[s->system], s);
    TraceMesh mesh;
    const bool blurred = is_blurred(s, input);
    if (!gather_normals(s, scene->arena, &thing.normals))
        return status_no_memory(error, "a picture", s->triangle_count * sizeof *thing.normals);
    mote_Status status =
        mesh_make(scene->device, s->vertex_count, s->triangle_count, blurred ? 2 : 1, &mesh, error);
    if (status != MOTE_OK) return status;
    for (size_t i = 0; i < s->vertex_count; ++i) {
        float ends[2][3];
        trace_liquid_corner(input, s, i, ends);
        for (int m = 0; m < 1 + blurred; ++m) memcpy(mesh.vertices[m] + 3 * i, ends[m], 12);
    }
    memcpy(mesh.corners, s->triangles, 12 * s->triangle_count);
    trace_attach(scene, mesh.geometry, &thing);
    return MOTE_OK;
}

mote_Status trace_add_liquids(TraceScene *scene, mote_Error *error)
{
    const mote_Frame *frame = scene->input->frame;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < frame->surface_count && status == MOTE_OK; ++i) {
        const mote_FrameSurface *s = &frame->surfaces[i];
        if (s->triangle_count > 0 && scene->input->sources[s->system].around)
            status = add_liquid(scene, s, error);
    }
    return status;
}

/* The colour that an opaque liquid carries. */
static void carried_color(const mote_FrameSurface *s, unsigned triangle, const float parts[3],
                          float out[3])
{
    const uint32_t *corner = s->triangles + 3 * (size_t)triangle;
    const mote_Column *color = mote_frame_column(&s->carried, "color");
    if (color == NULL || color->components != 3) return;
    for (int k = 0; k < 3; ++k) {
        float mixed = 0;
        for (int c = 0; c < 3; ++c) mixed += parts[c] * (float)column_value(color, k, corner[c]);
        out[k] = clamp01(mixed);
    }
}

void trace_liquid_hit(const TraceThing *thing, unsigned triangle, const float at[2], TraceHit *hit)
{
    const TraceNormals *normals = &thing->normals[triangle];
    const float parts[3] = {1 - at[0] - at[1], at[0], at[1]};
    for (int k = 0; k < 3; ++k) {
        hit->smooth[k] = 0;
        for (int c = 0; c < 3; ++c) hit->smooth[k] += parts[c] * (float)normals->at[c][k];
    }
    unit3(hit->smooth);
    if (hit->matter == TRACE_SOLID) carried_color(thing->surface, triangle, parts, hit->color);
}

/* ---- cloth ---- */

/* Corners when the shutter opens and when it closes; they are those of the systems, in order. */
static void place_cloth(const TraceInput *input, const Facets *cloth, const TraceMesh *mesh)
{
    size_t at = 0;
    for (size_t s = 0; s < input->frame->system_count; ++s) {
        const SplatSource *source = &input->sources[s];
        for (size_t i = 0; source->surface && i < source->count; ++i, ++at) {
            float half[3] = {0, 0, 0};
            for (int k = 0; source->blur && k < 3; ++k)
                half[k] = 0.5f * input->view->shutter * (float)source->velocity[k][i];
            if (!(dot3(half, half) < 1e12f)) memset(half, 0, sizeof half);
            for (int m = 0; m < 2; ++m)
                madd3(cloth->corners[at].place, m == 0 ? -1.0f : 1.0f, half,
                      mesh->vertices[m] + 3 * at);
        }
    }
}

/* The triangles of cloth alone: those of liquids are water here, not paint. */
static mote_Status collect_cloth(const TraceInput *input, Arena *arena, Facets **cloth,
                                 mote_Error *error)
{
    const size_t systems = input->frame->system_count;
    SplatSource *sources = arena_take(arena, (systems + 1) * sizeof *sources);
    *cloth = arena_take(arena, sizeof **cloth);
    if (sources == NULL || *cloth == NULL)
        return status_no_memory(error, "a picture", systems * sizeof *sources);
    for (size_t s = 0; s < systems; ++s) {
        sources[s] = input->sources[s];
        sources[s].around = false;
    }
    **cloth = (Facets){.view = input->view};
    if (facets_collect(*cloth, input->frame, sources, arena)) return MOTE_OK;
    return status_no_memory(error, "the cloth of a picture", arena->total);
}

mote_Status trace_add_cloth(TraceScene *scene, mote_Error *error)
{
    Facets *cloth;
    TraceMesh mesh;
    mote_Status status = collect_cloth(scene->input, scene->arena, &cloth, error);
    if (status != MOTE_OK || cloth->count == 0) return status;
    status = mesh_make(scene->device, cloth->corner_count, cloth->count, 2, &mesh, error);
    if (status != MOTE_OK) return status;
    place_cloth(scene->input, cloth, &mesh);
    for (size_t i = 0; i < cloth->count; ++i)
        memcpy(mesh.corners + 3 * i, cloth->items[i].corners, 12);
    trace_attach(
        scene, mesh.geometry,
        &(TraceThing){.matter = TRACE_SOLID, .facets = cloth, .roughness = 0.6f, .gloss = 0.3f});
    return MOTE_OK;
}

void trace_cloth_hit(const Facets *cloth, unsigned triangle, const float at[2], TraceHit *hit)
{
    const float parts[3] = {1 - at[0] - at[1], at[0], at[1]};
    float normal[3] = {0, 0, 0}, color[3] = {0, 0, 0};
    FacetCorner met = {.uv = {0, 0}};
    for (int c = 0; c < 3; ++c) {
        const FacetCorner *corner = &cloth->corners[cloth->items[triangle].corners[c]];
        madd3(normal, parts[c], corner->normal, normal);
        madd3(color, parts[c], corner->color, color);
        for (int k = 0; k < 2; ++k) met.uv[k] += parts[c] * corner->uv[k];
    }
    unit3(normal);
    memcpy(met.color, color, sizeof met.color);
    facet_paint(cloth, triangle, &met, false);
    for (int k = 0; k < 3; ++k) hit->color[k] = clamp01(met.color[k]);
    const float side = dot3(normal, hit->normal) < 0 ? -1.0f : 1.0f;
    if (dot3(normal, normal) > 0)
        for (int k = 0; k < 3; ++k) hit->smooth[k] = side * normal[k];
}

#endif

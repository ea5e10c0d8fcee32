/* Solids: the shapes of a frame as the picture needs them, and rays by the shapes' own casts. */
#include "render/solid.h"

#include "base/status.h"
#include "geometry/mesh.h"
#include "render/float3.h"
#include "render/tables.h"

#include <math.h>
#include <string.h>

ROW_DEFAULTS(shape_look_row, mote_ShapeLook, mote_shape_look_def)

/* ---- collecting ---- */

static mote_Vec3 vec_of(const float a[3])
{
    return vec3((mote_real)a[0], (mote_real)a[1], (mote_real)a[2]);
}

/* Slopes between which a circle of radius r around (x, z) is seen, z > r: those of its tangents
 * through the eye. In perspective a ball's outline is an ellipse, wider than its radius over z. */
static void circle_slopes(float x, float z, float r, float slopes[2])
{
    float across = r * __builtin_sqrtf(x * x + z * z - r * r), scale = 1 / (z * z - r * r);
    slopes[0] = (x * z - across) * scale, slopes[1] = (x * z + across) * scale;
}

static int pixel_of(float at, int most)
{
    return at > 0 ? at < (float)most ? (int)at : most : 0;
}

/* A pixel more on each side: edges are antialiased across it. */
SplatBounds solid_pixels(const View *view, const float low[2], const float high[2])
{
    return (SplatBounds){pixel_of(low[0] - 1, view->width), pixel_of(low[1] - 1, view->height),
                         pixel_of(high[0] + 2, view->width), pixel_of(high[1] + 2, view->height)};
}

SplatBounds solid_ball_box(const View *view, const float middle[3], float radius)
{
    SplatBounds box = {0, 0, view->width, view->height};
    float c[3], low[2], high[2];
    for (int k = 0; k < 3; ++k) c[k] = dot3(view->axis[k], middle);
    if (c[2] + radius < view->near) return (SplatBounds){0, 0, 0, 0};
    if (!view->orthographic && !(c[2] - radius > 1e-3f * radius)) return box;
    for (int k = 0; k < 2; ++k) {
        float slopes[2] = {c[k] - radius, c[k] + radius};
        if (!view->orthographic) circle_slopes(c[k], c[2], radius, slopes);
        low[k] = view->center[k] + view->focal * slopes[0];
        high[k] = view->center[k] + view->focal * slopes[1];
    }
    return solid_pixels(view, low, high);
}

static const mote_ShapeLook *look_of(const mote_RenderDef *def, const char *name)
{
    for (size_t i = 0; i < def->shape_count; ++i)
        if (strcmp(def->shapes[i].shape, name) == 0) return &def->shapes[i];
    return NULL;
}

/* Without a look: like the ground, but lighter. */
void solid_color(const mote_RenderDef *def, const char *name, float color[3])
{
    const mote_ShapeLook *look = look_of(def, name);
    float ground[2][3];
    if (look != NULL) read3(look->color, color);
    bool bare = look == NULL || look->color.x < 0 || look->color.y < 0 || look->color.z < 0;
    for (int i = 0; i < 2; ++i) read3(def->ground.colors[i], ground[i]);
    for (int k = 0; k < 3 && bare; ++k) {
        color[k] = ground[0][k] + ground[1][k];
        if (color[k] > 0.8f) color[k] = 0.8f;
    }
}

static void dress(const mote_RenderDef *def, const mote_FrameShape *shape, RenderSolid *solid)
{
    const mote_ShapeLook *given = look_of(def, shape->name);
    mote_ShapeLook look = given != NULL ? *given : mote_shape_look_def();
    solid_color(def, shape->name, solid->color);
    solid->roughness = (float)look.roughness;
    solid->gloss = (float)look.gloss;
    solid->texture = look.texture;
    solid->texture_size = (float)look.texture_size;
    solid->checker = (int)look.checker;
    read3(look.color2, solid->color2);
    bool clear = look.glass && def->trace.samples == 0; /* splats show what is behind it */
    solid->drawn = look.visible && !look.wireframe && !clear;
    solid->glass = look.glass;
    solid->open = look.open;
    solid->metal = look.metal;
    solid->refraction = (float)look.refraction;
    solid->frost = (float)look.frost;
    solid->wire =
        (look.visible && (look.wireframe || clear)) || (def->show & MOTE_SHOW_WIREFRAME) != 0;
}

/* A ball around it, a little larger, since rounding must not cut it: tiles ask for that alone
 * before they cast a ray. What is endless is seen from everywhere. */
static void enclose(RenderSolid *solid, const View *view)
{
    Aabb box = posed_bounds(&solid->shape);
    mote_Vec3 half = vec3_scale(vec3_sub(box.high, box.low), (mote_real)0.5);
    read3(vec3_add(box.low, half), solid->middle);
    solid->radius = (float)vec3_length(half) * 1.0001f;
    if (solid->ball > 0) solid->radius = solid->ball;
    if (!aabb_is_finite(&box) || !(solid->radius < SOLID_FARTHEST)) {
        memset(solid->middle, 0, sizeof solid->middle);
        solid->radius = SOLID_FARTHEST;
    }
    solid->box = solid_ball_box(view, solid->middle, solid->radius);
    solid->front = 0.999f * (dot3(view->axis[2], solid->middle) - solid->radius);
}

/* NULL: nothing, or ground, which is drawn elsewhere. */
static const ShapeRow *row_of(const mote_FrameShape *shape)
{
    const ShapeRow *row = shape->params != NULL ? shape_named(shape->type) : NULL;
    const bool ground = row != NULL && shape_form(row, shape->params).core == CORE_HALF_SPACE;
    return ground ? NULL : row;
}

static mote_Pose pose_of(const mote_FrameShape *shape, mote_Vec3 eye)
{
    const double *p = shape->position, *q = shape->orientation;
    return (mote_Pose){{(mote_real)(p[0] - (double)eye.x), (mote_real)(p[1] - (double)eye.y),
                        (mote_real)(p[2] - (double)eye.z)},
                       {(mote_real)q[0], (mote_real)q[1], (mote_real)q[2], (mote_real)q[3]}};
}

bool frame_shape_bounds(const mote_FrameShape *shape, Aabb *box)
{
    const ShapeRow *row = row_of(shape);
    if (row == NULL) return false;
    PosedShape posed = {row, shape->params, pose_of(shape, (mote_Vec3){0, 0, 0})};
    *box = posed_bounds(&posed);
    return aabb_is_finite(box);
}

/* A container is everything outside of a shape: what is drawn are the edges of that shape. */
static bool look_inside(mote_FrameShape *shape, mote_Pose *within)
{
    *within = pose_identity();
    const ShapeRow *row = row_of(shape);
    const mote_Shapes *hollow = row != NULL ? shape_form(row, shape->params).hollow : NULL;
    if (hollow == NULL || mote_shapes_count(hollow) == 0) return false;
    mote_ShapeDef def = mote_shapes_get(hollow, 0);
    shape->type = def.type;
    shape->params = def.params;
    *within = def.pose;
    return true;
}

/* 1: a solid; 0: nothing that can be drawn; -1: no memory. */
static int solid_read(const mote_RenderDef *def, const mote_FrameShape *given, const View *view,
                      Arena *arena, RenderSolid *solid)
{
    mote_FrameShape own = *given;
    mote_Pose within;
    const bool hollow = look_inside(&own, &within);
    const mote_FrameShape *shape = &own;
    const ShapeRow *row = row_of(shape);
    if (row == NULL) return 0;
    void *params = arena_take(arena, row->head.params_size);
    if (params == NULL) return -1;
    memcpy(params, shape->params, row->head.params_size);
    if (row->prepare != NULL) row->prepare(params);
    if (row->check != NULL && row->check(params, "", NULL) != MOTE_OK) return 0;
    mote_Pose pose = pose_of(shape, view->from);
    if (hollow) pose = pose_product(&pose, &within);
    if (!(vec3_length(pose.position) < (mote_real)SOLID_FARTHEST)) return 0;
    *solid = (RenderSolid){.shape = {row, params, pose}};
    const ShapeForm form = shape_form(row, params);
    if (form.core == CORE_POINT) solid->ball = (float)form.radius;
    if (form.mesh != NULL && form.mesh->uvs != NULL) solid->mesh = form.mesh;
    dress(def, shape, solid);
    enclose(solid, view);
    if (!solid_find_planes(solid, view, arena)) return -1;
    if (hollow) {
        const mote_ShapeLook *look = look_of(def, shape->name);
        solid->drawn = false, solid->hollow = true;
        solid->wire = look == NULL || look->visible;
    }
    return solid_move(solid, shape, view, arena) ? 1 : -1;
}

/* From inside nothing is seen of a solid. */
static void check_eye(const mote_RenderDef *def, RenderSolid *solid)
{
    const float eye[3] = {0, 0, 0};
    if (solid->drawn && !(def->camera.height > 0) && solid_distance(solid, eye) < 0)
        solid->drawn = false;
}

mote_Status solids_make(const mote_RenderDef *def, const mote_Frame *frame, const View *view,
                        Arena *arena, RenderSolids *solids, mote_Error *error)
{
    solids->view = view;
    solids->count = 0;
    solids->items = arena_take(arena, (frame->shape_count + 1) * sizeof *solids->items);
    if (solids->items == NULL) return status_no_memory(error, "a picture", sizeof(RenderSolid));
    for (size_t i = 0; i < frame->shape_count; ++i) {
        RenderSolid *solid = &solids->items[solids->count];
        int read = solid_read(def, &frame->shapes[i], view, arena, solid);
        if (read < 0) return status_no_memory(error, "a picture", sizeof(RenderSolid));
        if (read == 0) continue;
        check_eye(def, solid);
        ++solids->count;
    }
    size_t *all = arena_take(arena, (solids->count + 1) * sizeof *all);
    if (all == NULL) return status_no_memory(error, "a picture", sizeof *all);
    solids->shading = all;
    solids->shading_count = 0;
    for (size_t i = 0; i < solids->count; ++i)
        if (!solids->items[i].hollow) all[solids->shading_count++] = i;
    return MOTE_OK;
}

/* ---- rays ---- */

bool solid_ball_span(const float middle[3], float radius, const float origin[3],
                     const float direction[3], float span[2])
{
    float to[3], away[3], aa = dot3(direction, direction);
    madd3(middle, -1, origin, to);
    float along = dot3(to, direction) / aa;
    madd3(to, -along, direction, away); /* a difference of squares would lose all digits far off */
    float under = radius * radius - dot3(away, away);
    if (!(under >= 0)) return false;
    float root = __builtin_sqrtf(under / aa);
    span[0] = along - root, span[1] = along + root;
    return span[1] > 0;
}

static bool solid_cast(const RenderSolid *s, const float origin[3], const float direction[3],
                       SolidHit *hit)
{
    float span[2], start[3], path[3] = {0, 0, 0};
    ShapeHit found;
    if (s->flat) return solid_planes_cast(s, origin, direction, hit);
    if (!solid_ball_span(s->middle, s->radius, origin, direction, span)) return false;
    float from = span[0] > 0 ? span[0] : 0;
    if (!(from < hit->depth)) return false;
    if (s->ball > 0) { /* exactly where the ray enters */
        if (!(span[0] > 0)) return false;
        hit->depth = span[0];
        madd3(origin, span[0], direction, start);
        madd3(start, -1, s->middle, hit->normal);
        unit3(hit->normal);
        return true;
    }
    if (solid_planes_miss(s, origin, direction, hit->depth)) return false;
    float length = 1.001f * (span[1] - from) + 1e-6f;
    madd3(origin, from, direction, start);
    madd3(path, length, direction, path);
    ShapeCast cast = {vec_of(start), vec_of(path), 0};
    bool met = span[0] > 0 ? posed_cast_free(&s->shape, &cast, &found)
                           : posed_cast(&s->shape, &cast, &found);
    if (!met || found.overlaps) return false;
    float depth = from + (float)found.time * length;
    if (!(depth < hit->depth)) return false;
    hit->depth = depth;
    read3(found.normal, hit->normal);
    return true;
}

static bool passes_ball(const float middle[3], float radius, const float origin[3],
                        const float direction[3])
{
    float to[3], away[3];
    madd3(middle, -1, origin, to);
    madd3(to, -dot3(to, direction) / dot3(direction, direction), direction, away);
    return dot3(away, away) > 1.001f * radius * radius;
}

/* A place at a moment, where the solid has it in the middle of the shutter. */
static void bring(const SolidMoment *m, const float place[3], float own[3])
{
    for (int k = 0; k < 3; ++k) own[k] = dot3(m->turn[k], place) + m->shift[k];
}

/* The same at a moment of the shutter: by the ray as the solid sees it. */
static bool moment_cast(const RenderSolid *s, const SolidMoment *m, const float origin[3],
                        const float direction[3], SolidHit *hit)
{
    float from[3], along[3], normal[3];
    if (passes_ball(m->middle, s->radius, origin, direction)) return false;
    bring(m, origin, from);
    for (int k = 0; k < 3; ++k) along[k] = dot3(m->turn[k], direction);
    if (!solid_cast(s, from, along, hit)) return false;
    memcpy(normal, hit->normal, sizeof normal);
    for (int k = 0; k < 3; ++k)
        hit->normal[k] =
            m->turn[0][k] * normal[0] + m->turn[1][k] * normal[1] + m->turn[2][k] * normal[2];
    return true;
}

void solids_cast(const RenderSolids *solids, size_t which, const float origin[3],
                 const float direction[3], int moment, SolidHit *hit)
{
    const RenderSolid *s = &solids->items[which];
    SolidHit found = *hit;
    const bool moves = s->moments != NULL && moment != MID_SHUTTER;
    const bool met = moves ? moment_cast(s, &s->moments[moment], origin, direction, &found)
                           : solid_cast(s, origin, direction, &found);
    if (!met || found.depth < solids->view->near) return;
    *hit = found;
    hit->solid = which;
    hit->moment = moves ? moment : MID_SHUTTER;
}

void solid_own_place(const RenderSolids *solids, const SolidHit *hit, const float place[3],
                     float own[3])
{
    const RenderSolid *s = &solids->items[hit->solid];
    if (hit->moment == MID_SHUTTER)
        memcpy(own, place, 3 * sizeof *own);
    else
        bring(&s->moments[hit->moment], place, own);
}

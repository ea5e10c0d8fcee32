/* Sky and ground. The sky is a gradient by the height of the ray. The ground is a checker filtered
 * over the pixel's footprint on the plane: the box filter of a square wave along each axis is known
 * in closed form, and the checker is their product (I. Quilez, "Filtering procedural patterns"). */
#include "render/backdrop.h"

#include "base/math.h"
#include "geometry/shape.h"
#include "render/float3.h"
#include "render/ground.h"

#include <math.h>
#include <string.h>

/* ---- the frame's planes ---- */

/* v turned by the unit quaternion q. */
static void rotate(const double q[4], const double v[3], double out[3])
{
    double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                   2 * (q[0] * v[1] - q[1] * v[0])};
    out[0] = v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1];
    out[1] = v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2];
    out[2] = v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0];
}

/* False when the shape is no half-space. */
static bool is_ground(const mote_FrameShape *shape, ShapeForm *form)
{
    const ShapeRow *row = shape->params != NULL ? shape_named(shape->type) : NULL;
    if (row == NULL) return false;
    *form = shape_form(row, shape->params);
    return form->core == CORE_HALF_SPACE;
}

/* False when it cannot be drawn. */
static bool plane_read(const mote_FrameShape *shape, const ShapeForm *form, const View *view,
                       SplatPlane *plane)
{
    const mote_Vec3 normal = form->normal;
    double n[3] = {(double)normal.x, (double)normal.y, (double)normal.z}, m[3];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double *at = shape->position;
    const double eye[3] = {(double)view->from.x, (double)view->from.y, (double)view->from.z};
    rotate(shape->orientation, n, m);
    double offset = (double)form->offset;
    for (int k = 0; k < 3; ++k) {
        m[k] /= length;
        offset += m[k] * (at[k] - eye[k]);
    }
    double side = offset > 0 ? -1 : 1; /* the eye, at 0, is above */
    for (int k = 0; k < 3; ++k) plane->normal[k] = (float)(side * m[k]);
    plane->offset = (float)(side * offset);
    return length > 0 && isfinite(plane->offset) && isfinite(length);
}

/* In a world of two dimensions a plane keeps its own side: everything below is solid. */
static void plane_keep_side(mote_Vec3 normal, SplatPlane *plane)
{
    float along = plane->normal[0] * (float)normal.x + plane->normal[1] * (float)normal.y;
    if (along >= 0) return;
    for (int k = 0; k < 3; ++k) plane->normal[k] = -plane->normal[k];
    plane->offset = -plane->offset;
}

/* What the camera looks at is never lost in haze, unless that is asked for. */
static float fade_of(const mote_RenderDef *def, const View *view)
{
    const float nearest = 20, distances = 4;
    if (def->ground.fade >= 0) return (float)def->ground.fade;
    float far = distances * (float)vec3_length(vec3_sub(view->from, def->camera.to));
    return far > nearest ? far : nearest;
}

/* The checker lies along the two axes that the normal points least along. */
static int main_axis(const SplatPlane *plane)
{
    const float *n = plane->normal;
    float a[3] = {n[0] * n[0], n[1] * n[1], n[2] * n[2]};
    return a[0] > a[1] ? (a[0] > a[2] ? 0 : 2) : (a[1] > a[2] ? 1 : 2);
}

void backdrop_make(const mote_RenderDef *def, const mote_Frame *frame, const View *view,
                   Backdrop *backdrop)
{
    *backdrop = (Backdrop){
        .view = view, .def = def, .fade = fade_of(def, view), .flat = frame->dimension == 2};
    backdrop->panorama = panorama_make(&def->backdrop, view->up);
    if (!def->ground.visible || def->backdrop.transparent) return;
    const double eye[3] = {(double)view->from.x, (double)view->from.y, (double)view->from.z};
    backdrop->squares = def->ground.square > 0 ? 1 / (float)def->ground.square : 0;
    for (int k = 0; k < 3 && def->ground.square > 0; ++k) {
        double place = eye[k] / (double)def->ground.square;
        backdrop->phase[k] = (float)(place - 2 * floor(0.5 * place));
    }
    for (size_t i = 0; i < frame->shape_count && backdrop->plane_count < MOST_PLANES; ++i) {
        SplatPlane *plane = &backdrop->planes[backdrop->plane_count];
        const mote_FrameShape *shape = &frame->shapes[i];
        ShapeForm form;
        if (!is_ground(shape, &form) || !plane_read(shape, &form, view, plane)) continue;
        if (backdrop->flat) plane_keep_side(form.normal, plane);
        for (int n = 0; n < 2; ++n)
            backdrop->axes[backdrop->plane_count][n] = (main_axis(plane) + 1 + n) % 3;
        ++backdrop->plane_count;
    }
}

/* ---- pixels ---- */

static void mix(const mote_Vec3 *a, const mote_Vec3 *b, float t, float out[3])
{
    out[0] = (float)a->x + t * ((float)b->x - (float)a->x);
    out[1] = (float)a->y + t * ((float)b->y - (float)a->y);
    out[2] = (float)a->z + t * ((float)b->z - (float)a->z);
}

/* The glow around the first sun. */
static void add_glow(const Backdrop *b, const float direction[3], float length, float out[3])
{
    float glow[3];
    read3(b->def->backdrop.glow, glow);
    if (!(glow[0] + glow[1] + glow[2] > 0) || b->lights->lights[0].point) return;
    float cosine = dot3(direction, b->lights->lights[0].toward) / length;
    if (!(cosine > 0)) return;
    float wide = math_powf(cosine, 8), narrow = math_powf(cosine, 200);
    for (int k = 0; k < 3; ++k) out[k] += glow[k] * (0.35f * wide + 0.65f * narrow);
}

/* Up to the zenith the colour changes fast at first, as haze does. */
void backdrop_sky(const Backdrop *b, const float direction[3], float height, float out[3])
{
    if (b->panorama.image != NULL) {
        panorama_look(&b->panorama, direction, out);
        return;
    }
    float length = length3(direction), up = dot3(direction, b->view->up) / length;
    if (b->view->orthographic) up = height;
    up = clamp01(up);
    mix(&b->def->backdrop.horizon, &b->def->backdrop.zenith, up * (2 - up), out);
    if (!b->view->orthographic) add_glow(b, direction, length, out);
}

/* The ray of a pixel. */
typedef struct BackdropRays {
    float origin[3], direction[3];
} BackdropRays;

typedef struct Hit {
    float distance; /* along the ray, in lengths of its direction; infinite for none */
    float toward;   /* speed of the ray towards the plane */
    float point[3]; /* relative to the eye */
} Hit;

static Hit plane_hit(const SplatPlane *plane, const BackdropRays *rays)
{
    Hit hit = {.distance = (float)INFINITY, .toward = -dot3(plane->normal, rays->direction)};
    float height = dot3(plane->normal, rays->origin) - plane->offset;
    if (!(hit.toward > 1e-7f) || !(height > 0)) return hit;
    hit.distance = height / hit.toward;
    for (int k = 0; k < 3; ++k) hit.point[k] = rays->origin[k] + hit.distance * rays->direction[k];
    return hit;
}

float backdrop_clearness(const Backdrop *b, const float place[3])
{
    if (!(b->fade > 0)) return 1;
    float r2 = dot3(place, place) / (b->fade * b->fade);
    return 1 / (1 + r2 * r2);
}

/* The light on a plane at a place. */
static void plane_light(const Backdrop *b, size_t which, const float place[3], float light[3])
{
    Surfel s = {.solid = NO_SOLID};
    float highlight[3];
    for (int k = 0; k < 3; ++k) light[k] = 1;
    if (b->lights->plain && b->lights->solids->count == 0 && b->lights->facets == NULL &&
        b->lights->smoke == NULL)
        return;
    memcpy(s.place, place, sizeof s.place);
    memcpy(s.normal, b->planes[which].normal, sizeof s.normal);
    light_on(b->lights, &s, 0, light, highlight);
}

void backdrop_settle(Backdrop *b)
{
    const float nowhere[3] = {0, 0, 0};
    b->even = b->lights->solids->shading_count == 0 && b->lights->facets == NULL &&
              b->lights->smoke == NULL;
    for (size_t i = 0; i < b->lights->count; ++i) b->even = b->even && !b->lights->lights[i].point;
    for (size_t p = 0; p < b->plane_count && b->even; ++p) plane_light(b, p, nowhere, b->light[p]);
}

/* A world of two dimensions: solid ground below the line, with an antialiased edge. */
static void flat_ground(const Backdrop *b, const BackdropRays *rays, float out[3])
{
    float color[3], place[3], away = -((float)b->view->from.z + rays->origin[2]);
    if (!(rays->direction[2] * rays->direction[2] > 0)) return;
    for (int k = 0; k < 3; ++k)
        place[k] = rays->origin[k] + rays->direction[k] * (away / rays->direction[2]);
    mix(&b->def->ground.colors[0], &b->def->ground.colors[1], 0, color);
    for (size_t p = 0; p < b->plane_count; ++p) {
        float height = dot3(b->planes[p].normal, place) - b->planes[p].offset;
        float covered = 0.5f - height * b->view->focal;
        covered = covered > 0 ? covered < 1 ? covered : 1 : 0;
        for (int k = 0; k < 3; ++k) out[k] += covered * (color[k] - out[k]);
    }
}

float backdrop_depth(const Backdrop *b, const float origin[3], const float direction[3])
{
    float depth = (float)INFINITY;
    if (b->flat) return depth;
    for (size_t p = 0; p < b->plane_count; ++p) {
        const float toward = -dot3(b->planes[p].normal, direction);
        const float height = dot3(b->planes[p].normal, origin) - b->planes[p].offset;
        if (toward > 1e-7f && height > 0 && height < depth * toward) depth = height / toward;
    }
    return depth;
}

float backdrop_checker(const Backdrop *b, size_t plane, const float place[3])
{
    int64_t squares = 0;
    if (!(b->squares > 0)) return 0;
    for (int n = 0; n < 2; ++n) {
        const int axis = b->axes[plane][n];
        const float at = b->phase[axis] + place[axis] * b->squares;
        if (!(at * at < 1e30f)) return 0; /* floats know no squares there */
        const int64_t whole = (int64_t)at;
        squares += whole - (at < (float)whole);
    }
    return (float)(squares & 1);
}

bool backdrop_patch(const Backdrop *b, size_t plane, SplatBounds box, float middle[3],
                    float *radius)
{
    float corners[4][3];
    for (int k = 0; k < 3; ++k) middle[k] = 0;
    for (int c = 0; c < 4; ++c) {
        BackdropRays rays;
        view_ray(b->view, (float)(c & 1 ? box.x1 : box.x0), (float)(c & 2 ? box.y1 : box.y0),
                 rays.origin, rays.direction);
        Hit hit = plane_hit(&b->planes[plane], &rays);
        if (!(hit.distance < 1e6f)) return false;
        memcpy(corners[c], hit.point, sizeof corners[c]);
        madd3(middle, 0.25f, hit.point, middle);
    }
    *radius = 0;
    for (int c = 0; c < 4; ++c) {
        float away[3];
        madd3(corners[c], -1, middle, away);
        float distance = length3(away);
        *radius = distance > *radius ? distance : *radius;
    }
    return true;
}

/* ---- rows ---- */

/* The nearest plane of each pixel of a row. */
typedef struct Nearest {
    GroundRow row; /* its outputs */
    float depth[BLOCK_ROWS];
    uint8_t plane[BLOCK_ROWS];
} Nearest;

static void row_begin(const Backdrop *b, int x, int y, size_t count, GroundRow *r)
{
    r->view = b->view;
    r->x = (float)x + 0.5f, r->y = (float)y + 0.5f;
    r->count = count;
    read3(b->def->backdrop.horizon, r->horizon);
    read3(b->def->backdrop.zenith, r->zenith);
    r->visible = false;
    r->squares = b->squares;
    r->haze = b->fade > 0 ? 1 / (b->fade * b->fade) : 0;
}

static void row_set_plane(const Backdrop *b, size_t p, GroundRow *r)
{
    const SplatPlane *plane = &b->planes[p];
    memcpy(r->normal, plane->normal, sizeof r->normal);
    r->offset = plane->offset;
    r->visible = true;
    for (int n = 0; n < 2; ++n) {
        r->axes[n] = b->axes[p][n];
        r->phase[n] = b->phase[r->axes[n]];
    }
}

/* Takes over the pixels where this plane is nearer. */
static void row_merge(const GroundRow *r, size_t p, Nearest *best)
{
    const float *ahead = r->view->axis[2];
    for (size_t i = 0; i < r->count; ++i) {
        const float at[3] = {r->point[0][i], r->point[1][i], r->point[2][i]};
        float depth = dot3(at, ahead);
        if (!(r->clear[i] > 0) || !(depth < best->depth[i])) continue;
        best->depth[i] = depth;
        best->plane[i] = (uint8_t)p;
        best->row.clear[i] = r->clear[i], best->row.part[i] = r->part[i];
        for (int k = 0; k < 3; ++k) best->row.point[k][i] = at[k];
    }
}

static void row_nearest(const Backdrop *b, int x, int y, size_t count, Nearest *best)
{
    const RenderKernels *kernels = render_kernels();
    GroundRow further;
    row_begin(b, x, y, count, &best->row);
    memset(best->plane, 0, sizeof best->plane);
    if (b->plane_count > 0 && !b->flat) row_set_plane(b, 0, &best->row);
    kernels->ground(&best->row);
    if (b->plane_count < 2 || b->flat) return;
    for (size_t i = 0; i < count; ++i) {
        const float at[3] = {best->row.point[0][i], best->row.point[1][i], best->row.point[2][i]};
        best->depth[i] = best->row.clear[i] > 0 ? dot3(at, b->view->axis[2]) : (float)INFINITY;
    }
    for (size_t p = 1; p < b->plane_count; ++p) {
        row_begin(b, x, y, count, &further);
        row_set_plane(b, p, &further);
        kernels->ground(&further);
        row_merge(&further, p, best);
    }
}

static void shade(const Backdrop *b, const Nearest *n, size_t i, float out[3])
{
    const mote_GroundLook *ground = &b->def->ground;
    const size_t plane = n->plane[i];
    const float place[3] = {n->row.point[0][i], n->row.point[1][i], n->row.point[2][i]};
    float color[3], light[3], contact = 1, clear = n->row.clear[i];
    if (!(clear > 1e-4f)) return;
    mix(&ground->colors[0], &ground->colors[1], n->row.part[i], color);
    if (plane == 0) contact -= (float)ground->shadow * (1 - shadow_light(&b->shadow, place));
    if (b->even)
        memcpy(light, b->light[plane], sizeof light);
    else
        plane_light(b, plane, place, light);
    for (int k = 0; k < 3; ++k) out[k] += clear * (color[k] * light[k] * contact - out[k]);
}

/* What a pixel's ray finds by itself: a panorama, the glow of a light, the ground of a flat world.
 */
static void row_rays(const Backdrop *b, int x, int y, size_t count, float (*out)[3])
{
    const mote_Vec3 glow = b->def->backdrop.glow;
    const bool seen = b->panorama.image != NULL;
    const bool glows = !seen && glow.x + glow.y + glow.z > 0 && !b->view->orthographic;
    if (!seen && !glows && !b->flat) return;
    for (size_t i = 0; i < count; ++i) {
        BackdropRays rays;
        view_ray(b->view, (float)(x + (int)i) + 0.5f, (float)y + 0.5f, rays.origin, rays.direction);
        if (seen) panorama_look(&b->panorama, rays.direction, out[i]);
        if (glows) add_glow(b, rays.direction, length3(rays.direction), out[i]);
        if (b->flat) flat_ground(b, &rays, out[i]);
    }
}

/* At most BLOCK_ROWS pixels. */
static void row_block(const Backdrop *b, int x, int y, size_t count, float (*out)[3])
{
    Nearest n;
    row_nearest(b, x, y, count, &n);
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) out[i][k] = n.row.sky[k][i];
    row_rays(b, x, y, count, out);
    if (b->plane_count == 0 || b->flat) return;
    for (size_t i = 0; i < count; ++i) shade(b, &n, i, out[i]);
}

void backdrop_row(const Backdrop *b, int x, int y, int count, float (*out)[3])
{
    if (b->def->backdrop.transparent) {
        memset(out, 0, (size_t)count * sizeof *out);
        return;
    }
    for (int first = 0; first < count; first += BLOCK_ROWS) {
        int left = count - first;
        row_block(b, x + first, y, (size_t)(left < BLOCK_ROWS ? left : BLOCK_ROWS), out + first);
    }
}

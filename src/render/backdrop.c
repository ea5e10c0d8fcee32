/* Sky and ground. The sky is a gradient by the height of the ray. The ground is a checker filtered
 * over the pixel's footprint on the plane: the box filter of a square wave along each axis is known
 * in closed form, and the checker is their product (I. Quilez, "Filtering procedural patterns"). */
#include "render/backdrop.h"

#include "base/math.h"
#include "render/float3.h"

#include <mote/shapes.h>

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

/* False when the shape is no plane that can be drawn. */
static bool plane_read(const mote_FrameShape *shape, const View *view, Plane *plane)
{
    if (strcmp(shape->type, "plane") != 0 || shape->params == NULL) return false;
    const mote_PlaneShape *p = shape->params;
    double n[3] = {(double)p->normal.x, (double)p->normal.y, (double)p->normal.z}, m[3];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double *at = shape->position;
    const double eye[3] = {(double)view->from.x, (double)view->from.y, (double)view->from.z};
    rotate(shape->orientation, n, m);
    double offset = (double)p->offset;
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
static void plane_keep_side(const mote_FrameShape *shape, Plane *plane)
{
    const mote_PlaneShape *p = shape->params;
    float along = plane->normal[0] * (float)p->normal.x + plane->normal[1] * (float)p->normal.y;
    if (along >= 0) return;
    for (int k = 0; k < 3; ++k) plane->normal[k] = -plane->normal[k];
    plane->offset = -plane->offset;
}

void backdrop_make(const mote_RenderDef *def, const mote_Frame *frame, const View *view,
                   Backdrop *backdrop)
{
    *backdrop = (Backdrop){.view = view, .def = def, .flat = frame->dimension == 2};
    if (!def->ground.visible || def->backdrop.transparent) return;
    const double eye[3] = {(double)view->from.x, (double)view->from.y, (double)view->from.z};
    for (int k = 0; k < 3 && def->ground.square > 0; ++k) {
        double place = eye[k] / (double)def->ground.square;
        backdrop->phase[k] = (float)(place - 2 * floor(0.5 * place));
    }
    for (size_t i = 0; i < frame->shape_count && backdrop->plane_count < MOST_PLANES; ++i) {
        Plane *plane = &backdrop->planes[backdrop->plane_count];
        if (!plane_read(&frame->shapes[i], view, plane)) continue;
        if (backdrop->flat) plane_keep_side(&frame->shapes[i], plane);
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
    float length = length3(direction), up = dot3(direction, b->view->up) / length;
    if (b->view->orthographic) up = height;
    up = clamp01(up);
    mix(&b->def->backdrop.horizon, &b->def->backdrop.zenith, up * (2 - up), out);
    if (!b->view->orthographic) add_glow(b, direction, length, out);
}

static void sky_row(const Backdrop *b, float x, float y, int count, float (*out)[3])
{
    const mote_Vec3 *horizon = &b->def->backdrop.horizon, *zenith = &b->def->backdrop.zenith;
    const mote_Vec3 glow = b->def->backdrop.glow;
    const bool plain =
        memcmp(horizon, zenith, sizeof *zenith) == 0 && !(glow.x + glow.y + glow.z > 0);
    float origin[3], direction[3], color[3];
    for (int i = 0; i < count; ++i) {
        if (i == 0 || !(plain || b->view->orthographic)) {
            view_ray(b->view, x + (float)i, y, origin, direction);
            backdrop_sky(b, direction, 1 - y / (float)b->view->height, color);
        }
        memcpy(out[i], color, sizeof color);
    }
}

/* Integral of the square wave that is 1 on [0, 1) and -1 on [1, 2). */
static float wave_integral(float x)
{
    float half = 0.5f * x, part = half - __builtin_floorf(half);
    return 1 - __builtin_fabsf(2 * part - 1);
}

/* Its mean over [x - w/2, x + w/2]. */
static float wave_mean(float x, float w)
{
    w = w > 1e-3f ? w : 1e-3f;
    if (w > 100) return 0;
    x = x - 2 * __builtin_floorf(0.5f * x);
    return (wave_integral(x + 0.5f * w) - wave_integral(x - 0.5f * w)) / w;
}

/* Rays of a pixel, with their change to the next pixel to the right and below. */
typedef struct Rays {
    float origin[3], direction[3];
    float next_origin[2][3], next_direction[2][3];
} Rays;

static Rays rays_make(const View *view, float x, float y)
{
    Rays rays;
    view_ray(view, x, y, rays.origin, rays.direction);
    for (int k = 0; k < 2; ++k) {
        for (int c = 0; c < 3; ++c) {
            float step = view->axis[k][c] / view->focal;
            rays.next_origin[k][c] = view->orthographic ? step : 0;
            rays.next_direction[k][c] = view->orthographic ? 0 : step;
        }
    }
    return rays;
}

typedef struct Hit {
    float distance; /* along the ray, in lengths of its direction; infinite for none */
    float toward;   /* speed of the ray towards the plane */
    float point[3]; /* relative to the eye */
} Hit;

static Hit plane_hit(const Plane *plane, const Rays *rays)
{
    Hit hit = {.distance = (float)INFINITY, .toward = -dot3(plane->normal, rays->direction)};
    float height = dot3(plane->normal, rays->origin) - plane->offset;
    if (!(hit.toward > 1e-7f) || !(height > 0)) return hit;
    hit.distance = height / hit.toward;
    for (int k = 0; k < 3; ++k) hit.point[k] = rays->origin[k] + hit.distance * rays->direction[k];
    return hit;
}

/* How far the point on the plane moves from a pixel to the next one along `way`. */
static void plane_step(const Plane *plane, const Rays *rays, const Hit *hit, int way, float out[3])
{
    const float *o = rays->next_origin[way], *d = rays->next_direction[way];
    float step[3];
    for (int k = 0; k < 3; ++k) step[k] = o[k] + hit->distance * d[k];
    float along = dot3(plane->normal, step) / hit->toward;
    for (int k = 0; k < 3; ++k) out[k] = step[k] + along * rays->direction[k];
}

/* The checker lies along the two axes that the normal points least along. */
static int main_axis(const Plane *plane)
{
    const float *n = plane->normal;
    float a[3] = {n[0] * n[0], n[1] * n[1], n[2] * n[2]};
    return a[0] > a[1] ? (a[0] > a[2] ? 0 : 2) : (a[1] > a[2] ? 1 : 2);
}

/* Colour of the checker: 0 and 1 for its squares, filtered over the pixel. */
static float checker(const Backdrop *b, const Plane *plane, const Rays *rays, const Hit *hit)
{
    float right[3], below[3], mean = 1, scale = 1 / (float)b->def->ground.square;
    plane_step(plane, rays, hit, 0, right);
    plane_step(plane, rays, hit, 1, below);
    for (int k = 1, first = main_axis(plane); k < 3; ++k) {
        int axis = (first + k) % 3;
        float width = __builtin_fabsf(right[axis]) + __builtin_fabsf(below[axis]);
        mean *= wave_mean(b->phase[axis] + hit->point[axis] * scale, width * scale);
    }
    return 0.5f - 0.5f * mean;
}

float backdrop_clearness(const Backdrop *b, const float place[3])
{
    float fade = (float)b->def->ground.fade;
    if (!(fade > 0)) return 1;
    float r2 = dot3(place, place) / (fade * fade);
    return 1 / (1 + r2);
}

/* The light on the ground. */
static void ground_light(const Backdrop *b, size_t which, const Rays *rays, const Hit *hit,
                         float light[3])
{
    Surfel s = {.solid = NO_SOLID};
    float highlight[3];
    for (int k = 0; k < 3; ++k) light[k] = 1;
    if (b->lights->plain && b->lights->solids->count == 0 && b->lights->facets == NULL &&
        b->lights->smoke == NULL)
        return;
    memcpy(s.place, hit->point, sizeof s.place);
    memcpy(s.normal, b->planes[which].normal, sizeof s.normal);
    for (int k = 0; k < 3; ++k) s.toward_eye[k] = -rays->direction[k];
    light_on(b->lights, &s, 0, light, highlight);
}

static void shade(const Backdrop *b, size_t which, const Rays *rays, const Hit *hit, float out[3])
{
    const mote_GroundLook *ground = &b->def->ground;
    float color[3], light[3], t = 0, contact = 1;
    float clear = backdrop_clearness(b, hit->point);
    if (!(clear > 1e-4f)) return;
    if (ground->square > 0) t = checker(b, &b->planes[which], rays, hit);
    mix(&ground->colors[0], &ground->colors[1], t, color);
    if (which == 0) contact -= (float)ground->shadow * (1 - shadow_light(&b->shadow, hit->point));
    ground_light(b, which, rays, hit, light);
    for (int k = 0; k < 3; ++k) out[k] += clear * (color[k] * light[k] * contact - out[k]);
}

/* A world of two dimensions: solid ground below the line, with an antialiased edge. */
static void flat_ground(const Backdrop *b, const Rays *rays, float out[3])
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
    Rays rays;
    float depth = (float)INFINITY;
    if (b->flat) return depth;
    memcpy(rays.origin, origin, sizeof rays.origin);
    memcpy(rays.direction, direction, sizeof rays.direction);
    for (size_t p = 0; p < b->plane_count; ++p) {
        Hit hit = plane_hit(&b->planes[p], &rays);
        if (hit.distance < depth) depth = hit.distance;
    }
    return depth;
}

bool backdrop_patch(const Backdrop *b, size_t plane, Bounds box, float middle[3], float *radius)
{
    float corners[4][3];
    for (int k = 0; k < 3; ++k) middle[k] = 0;
    for (int c = 0; c < 4; ++c) {
        Rays rays;
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

/* The ground over the sky that is in `out`. */
static void ground(const Backdrop *b, const Rays *rays, float out[3])
{
    Hit nearest = {.distance = (float)INFINITY};
    size_t which = 0;
    for (size_t p = 0; p < b->plane_count; ++p) {
        Hit hit = plane_hit(&b->planes[p], rays);
        if (hit.distance < nearest.distance) nearest = hit, which = p;
    }
    if (nearest.distance < 1e30f) shade(b, which, rays, &nearest, out);
}

void backdrop_row(const Backdrop *b, int x, int y, int count, float (*out)[3])
{
    if (b->def->backdrop.transparent) {
        memset(out, 0, (size_t)count * sizeof *out);
        return;
    }
    sky_row(b, (float)x + 0.5f, (float)y + 0.5f, count, out);
    if (b->plane_count == 0) return;
    Rays rays = rays_make(b->view, (float)x + 0.5f, (float)y + 0.5f);
    for (int i = 0; i < count; ++i) {
        view_ray(b->view, (float)(x + i) + 0.5f, (float)y + 0.5f, rays.origin, rays.direction);
        b->flat ? flat_ground(b, &rays, out[i]) : ground(b, &rays, out[i]);
    }
}

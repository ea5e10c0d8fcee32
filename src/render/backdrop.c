/* Sky and ground. The sky is a gradient by the height of the ray. The ground is a checker filtered
 * over the pixel's footprint on the plane: the box filter of a square wave along each axis is known
 * in closed form, and the checker is their product (I. Quilez, "Filtering procedural patterns"). */
#include "render/backdrop.h"

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
    for (size_t i = 0; i < frame->shape_count && backdrop->plane_count < MOST_PLANES; ++i) {
        Plane *plane = &backdrop->planes[backdrop->plane_count];
        if (!plane_read(&frame->shapes[i], view, plane)) continue;
        if (backdrop->flat) plane_keep_side(&frame->shapes[i], plane);
        ++backdrop->plane_count;
    }
}

/* ---- pixels ---- */

static float dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void mix(const mote_Vec3 *a, const mote_Vec3 *b, float t, float out[3])
{
    out[0] = (float)a->x + t * ((float)b->x - (float)a->x);
    out[1] = (float)a->y + t * ((float)b->y - (float)a->y);
    out[2] = (float)a->z + t * ((float)b->z - (float)a->z);
}

/* The sky of a row. Up to the zenith the colour changes fast at first, as haze does. */
static void sky_row(const Backdrop *b, float x, float y, int count, float (*out)[3])
{
    const mote_Vec3 *horizon = &b->def->backdrop.horizon, *zenith = &b->def->backdrop.zenith;
    const bool plain = memcmp(horizon, zenith, sizeof *zenith) == 0;
    float origin[3], direction[3], color[3];
    for (int i = 0; i < count; ++i) {
        if (plain || (b->view->orthographic && i > 0)) {
            if (i == 0) mix(horizon, zenith, 0, color);
        } else {
            view_ray(b->view, x + (float)i, y, origin, direction);
            float up = dot3(direction, b->view->up) / __builtin_sqrtf(dot3(direction, direction));
            if (b->view->orthographic) up = 1 - y / (float)b->view->height;
            up = up > 0 ? up < 1 ? up : 1 : 0;
            mix(horizon, zenith, up * (2 - up), color);
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

typedef struct Hit {
    float distance; /* along the ray, in lengths of its direction; infinite for none */
    float point[3]; /* relative to the eye */
    float direction[3];
} Hit;

static Hit plane_hit(const Backdrop *b, const Plane *plane, float x, float y)
{
    Hit hit = {.distance = (float)INFINITY};
    float origin[3];
    view_ray(b->view, x, y, origin, hit.direction);
    float toward = -dot3(plane->normal, hit.direction);
    float height = dot3(plane->normal, origin) - plane->offset;
    if (!(toward > 1e-7f) || !(height > 0)) return hit;
    hit.distance = height / toward;
    for (int k = 0; k < 3; ++k) hit.point[k] = origin[k] + hit.distance * hit.direction[k];
    return hit;
}

/* World coordinates on the plane in squares of the checker, along the two axes that the normal
 * points least along. */
static void checker_place(const Backdrop *b, const Plane *plane, const Hit *hit, float out[2])
{
    const float *n = plane->normal;
    float a[3] = {n[0] * n[0], n[1] * n[1], n[2] * n[2]};
    int main_axis = a[0] > a[1] ? (a[0] > a[2] ? 0 : 2) : (a[1] > a[2] ? 1 : 2);
    const mote_real eye[3] = {b->view->from.x, b->view->from.y, b->view->from.z};
    const float square = (float)b->def->ground.square;
    for (int k = 0; k < 2; ++k) {
        int axis = (main_axis + 1 + k) % 3;
        double start = (double)eye[axis] / (double)square;
        start -= 2 * floor(0.5 * start);
        out[k] = (float)start + hit->point[axis] / square;
    }
}

/* Colour of the checker: 0 and 1 for its squares, filtered over the pixel. */
static float checker(const Backdrop *b, const Plane *plane, const Hit *hit, float x, float y)
{
    float here[2], right[2], below[2], mean[2];
    Hit h1 = plane_hit(b, plane, x + 1, y), h2 = plane_hit(b, plane, x, y + 1);
    if (!(h1.distance < 1e30f) || !(h2.distance < 1e30f)) return 0.5f;
    checker_place(b, plane, hit, here);
    checker_place(b, plane, &h1, right);
    checker_place(b, plane, &h2, below);
    for (int k = 0; k < 2; ++k) {
        float w = __builtin_fabsf(right[k] - here[k]) + __builtin_fabsf(below[k] - here[k]);
        mean[k] = wave_mean(here[k], w);
    }
    return 0.5f - 0.5f * mean[0] * mean[1];
}

/* How much of the ground is seen through the haze. */
static float clearness(const Backdrop *b, const Hit *hit)
{
    float fade = (float)b->def->ground.fade;
    if (!(fade > 0)) return 1;
    float r2 = dot3(hit->point, hit->point) / (fade * fade);
    return 1 / (1 + r2);
}

static void shade(const Backdrop *b, size_t plane, const Hit *hit, float x, float y, float out[3])
{
    const mote_GroundLook *ground = &b->def->ground;
    float color[3], t = 0, light = 1;
    if (ground->square > 0) t = checker(b, &b->planes[plane], hit, x, y);
    mix(&ground->colors[0], &ground->colors[1], t, color);
    if (plane == 0) light -= (float)ground->shadow * (1 - shadow_light(&b->shadow, hit->point));
    float clear = clearness(b, hit);
    for (int k = 0; k < 3; ++k) out[k] += clear * (color[k] * light - out[k]);
}

/* A world of two dimensions: solid ground below the line, with an antialiased edge. */
static void flat_ground(const Backdrop *b, float x, float y, float out[3])
{
    for (size_t p = 0; p < b->plane_count; ++p) {
        const Plane *plane = &b->planes[p];
        float origin[3], direction[3];
        view_ray(b->view, x, y, origin, direction);
        for (int k = 0; k < 3; ++k)
            origin[k] -= direction[k] * ((float)b->view->from.z + origin[2]) / direction[2];
        float height = dot3(plane->normal, origin) - plane->offset;
        float covered = 0.5f - height * b->view->focal;
        covered = covered > 0 ? covered < 1 ? covered : 1 : 0;
        float color[3];
        mix(&b->def->ground.colors[0], &b->def->ground.colors[1], 0, color);
        for (int k = 0; k < 3; ++k) out[k] += covered * (color[k] - out[k]);
    }
}

/* The ground over the sky that is in `out`. */
static void pixel(const Backdrop *b, float x, float y, float out[3])
{
    Hit nearest = {.distance = (float)INFINITY};
    size_t which = 0;
    if (b->flat) {
        flat_ground(b, x, y, out);
        return;
    }
    for (size_t p = 0; p < b->plane_count; ++p) {
        Hit hit = plane_hit(b, &b->planes[p], x, y);
        if (hit.distance < nearest.distance) nearest = hit, which = p;
    }
    if (nearest.distance < 1e30f) shade(b, which, &nearest, x, y, out);
}

void backdrop_row(const Backdrop *b, int x, int y, int count, float (*out)[3])
{
    if (b->def->backdrop.transparent) {
        memset(out, 0, (size_t)count * sizeof *out);
        return;
    }
    sky_row(b, (float)x + 0.5f, (float)y + 0.5f, count, out);
    for (int i = 0; b->plane_count > 0 && i < count; ++i)
        pixel(b, (float)(x + i) + 0.5f, (float)y + 0.5f, out[i]);
}

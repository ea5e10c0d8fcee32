/* Pictures and checkers on surfaces: a ball wears one once around, by longitude and latitude about
 * its y axis; a mesh where its file says; on other shapes it is laid along the two axes of their
 * own that a place faces least.
 *
 * The mean of a checker over a box is known in closed form, as that of the ground (I. Quilez,
 * "Filtering procedural patterns"). */
#include "render/texture.h"

#include "base/math.h"
#include "geometry/mesh_query.h"
#include "geometry/pose.h"
#include "render/float3.h"
#include "render/image.h"

#include <math.h>
#include <string.h>

#define HALF_TURN 3.14159265f

static int wrapped(int i, int count)
{
    return i < 0 ? i + count : i < count ? i : i - count;
}

static const float *pixel_at(const mote_Image *image, int x, int y, bool repeats)
{
    const int last = image->height - 1;
    x = wrapped(x, image->width);
    y = repeats ? wrapped(y, image->height) : y < 0 ? 0 : y < last ? y : last;
    return image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
}

void texture_between(const mote_Image *image, float x, float y, bool repeats, float light,
                     float out[3])
{
    x -= 0.5f, y -= 0.5f;
    const int left = x < 0 ? -1 : (int)x, top = y < 0 ? -1 : (int)y;
    const float part[2] = {x - (float)left, y - (float)top};
    for (int k = 0; k < 3; ++k) out[k] = 0;
    for (int c = 0; c < 4; ++c) {
        const float w = (c & 1 ? part[0] : 1 - part[0]) * (c & 2 ? part[1] : 1 - part[1]);
        madd3(out, w * light, pixel_at(image, left + (c & 1), top + (c >> 1), repeats), out);
    }
}

/* The part of a copy, 0 to 1. */
static float part_of(float x)
{
    const float part = x - floorf(x);
    return part >= 0 && part < 1 ? part : 0;
}

/* ---- paints ---- */

/* The integral of a wave that is 1 in even squares and -1 in odd ones; x within [-2, 4]. */
static float wave_integral(float x)
{
    const float part = x - 2 * floorf(0.5f * x);
    return part < 1 ? part : 2 - part;
}

/* The wave's mean over a width. */
static float wave(float x, float width)
{
    const float at = 2 * part_of(0.5f * x);
    if (!(width > 1e-3f)) return at < 1 ? 1 : -1;
    if (!(width < 1e6f)) return 0;
    return (wave_integral(at + 0.5f * width) - wave_integral(at - 0.5f * width)) / width;
}

static void paint_checker(const TexturePaint *paint, const float at[2], const float width[2],
                          float color[3])
{
    float waves = 1;
    for (int k = 0; k < 2; ++k)
        waves *= wave(part_of(0.5f * at[k]) * 2 * paint->squares[k], width[k] * paint->squares[k]);
    for (int k = 0; k < 3; ++k)
        color[k] = 0.5f * ((1 + waves) * paint->colors[0][k] + (1 - waves) * paint->colors[1][k]);
}

enum { TAPS = 8 };

/* How many places of a picture are looked at, so that none of its pixels is passed over. */
static int taps_of(float pixels)
{
    return pixels > 1 ? pixels < TAPS ? (int)pixels + 1 : TAPS : 1;
}

/* A place of a copy in pixels of the image. */
static float pixels_of(const TexturePaint *paint, float at, bool repeats, float size)
{
    const bool inside = at >= 0 && at <= 1;
    const float part = inside && (paint->framed || !repeats) ? at : repeats ? part_of(at) : at > 0;
    const float x = part * size, last = size - 0.5f;
    return !paint->framed ? x : x < 0.5f ? 0.5f : x < last ? x : last;
}

static void paint_image(const TexturePaint *paint, const float at[2], const float width[2],
                        float color[3])
{
    const mote_Image *image = paint->image;
    const float size[2] = {(float)image->width, (float)image->height};
    const int taps[2] = {taps_of(width[0] * size[0]), taps_of(width[1] * size[1])};
    float sum[3] = {0, 0, 0};
    for (int n = 0; n < taps[0] * taps[1]; ++n) {
        const int i[2] = {n % taps[0], n / taps[0]};
        float u[2], one[3];
        for (int k = 0; k < 2; ++k)
            u[k] = at[k] + width[k] * (((float)i[k] + 0.5f) / (float)taps[k] - 0.5f);
        texture_between(image, pixels_of(paint, u[0], true, size[0]),
                        pixels_of(paint, u[1], paint->repeats, size[1]), paint->repeats, 1, one);
        madd3(sum, 1 / (float)(taps[0] * taps[1]), one, sum);
    }
    for (int k = 0; k < 3; ++k) color[k] = clamp01(sum[k]);
}

void texture_paint(const TexturePaint *paint, const float at[2], const float width[2],
                   float color[3])
{
    if (paint->image != NULL)
        paint_image(paint, at, width, color);
    else
        paint_checker(paint, at, width, color);
}

/* ---- how far apart pixels are on it ---- */

#define GRAZING                                                                                    \
    0.02f /* least cosine between the view and a surface: there its pixels are longest */

void texture_steps(const View *view, const float place[3], const float normal[3], float steps[2][3])
{
    const float depth = view->orthographic ? 1 : dot3(view->axis[2], place);
    const float pixel = depth / view->focal;
    float ray[3];
    for (int k = 0; k < 3; ++k) ray[k] = view->orthographic ? view->axis[2][k] : place[k] / depth;
    const float least = GRAZING * length3(ray), slope = dot3(normal, ray);
    const float facing = slope < -least || slope > least ? slope : slope < 0 ? -least : least;
    for (int i = 0; i < 2; ++i) {
        const float *aside = view->axis[i];
        const float along = dot3(normal, aside) / facing;
        for (int k = 0; k < 3; ++k) steps[i][k] = pixel * (aside[k] - along * ray[k]);
    }
}

void texture_width(const float at[2], const float moved[2][2], float width[2])
{
    for (int k = 0; k < 2; ++k) {
        width[k] = 0;
        for (int i = 0; i < 2; ++i) {
            const float step = moved[i][k] - at[k], around = step - floorf(step + 0.5f);
            const float way = step > -0.5f && step < 0.5f ? step : around;
            width[k] += way < 0 ? -way : way;
        }
    }
}

/* ---- solids ---- */

static mote_Vec3 turned_back(const mote_Pose *pose, const float a[3])
{
    return pose_rotate_back(pose, vec3((mote_real)a[0], (mote_real)a[1], (mote_real)a[2]));
}

void texture_of_triangle(const float corners[3][3], const float uvs[3][2], const float place[3],
                         float at[2])
{
    float a[3], b[3], p[3], normal[3], from[3];
    madd3(corners[1], -1, corners[0], a), madd3(corners[2], -1, corners[0], b);
    madd3(place, -1, corners[0], p);
    cross3(a, b, normal);
    const float area2 = dot3(normal, normal), scale = area2 > 0 ? 1 / area2 : 0;
    cross3(p, b, from);
    const float s = dot3(from, normal) * scale;
    cross3(a, p, from);
    const float t = dot3(from, normal) * scale;
    for (int k = 0; k < 2; ++k)
        at[k] = uvs[0][k] + s * (uvs[1][k] - uvs[0][k]) + t * (uvs[2][k] - uvs[0][k]);
}

/* How the texture lies around a place: what is next to it is found in the same way. */
typedef struct Wrap {
    const RenderSolid *solid;
    const mote_Mesh *mesh; /* that says where; NULL: none */
    uint32_t triangle;
    int across, down; /* axes of the solid's own */
    float copies[2];  /* per metre along them */
} Wrap;

static void own_place(const RenderSolid *solid, const float place[3], float own[3])
{
    float middle[3], to[3];
    read3(solid->shape.pose.position, middle);
    madd3(place, -1, middle, to);
    read3(turned_back(&solid->shape.pose, to), own);
}

static Wrap wrap_make(const RenderSolid *solid, const float own[3], const float normal[3])
{
    Wrap wrap = {.solid = solid, .mesh = solid->mesh};
    float facing[3];
    if (wrap.mesh != NULL) {
        const mote_Vec3 at = vec3((mote_real)own[0], (mote_real)own[1], (mote_real)own[2]);
        wrap.triangle = mesh_nearest(wrap.mesh, at, AABB_ENDLESS).triangle;
        return wrap;
    }
    read3(turned_back(&solid->shape.pose, normal), facing);
    const float x = __builtin_fabsf(facing[0]), y = __builtin_fabsf(facing[1]);
    const float z = __builtin_fabsf(facing[2]);
    wrap.across = x > y && x > z ? 2 : 0, wrap.down = y >= x && y > z ? 2 : 1;
    const mote_Image *image = solid->texture;
    wrap.copies[0] = solid->texture_size > 0 ? 1 / solid->texture_size : 1;
    wrap.copies[1] = -wrap.copies[0];
    if (image != NULL) wrap.copies[1] *= (float)image->width / (float)image->height;
    return wrap;
}

static void wrap_at(const Wrap *wrap, const float own[3], float at[2])
{
    if (wrap->mesh != NULL) {
        const MeshFace *face = &wrap->mesh->faces[wrap->triangle];
        float corners[3][3];
        for (int k = 0; k < 3; ++k) read3(face->corner[k], corners[k]);
        const float(*uvs)[2] = (const float(*)[2])wrap->mesh->uvs[wrap->triangle];
        texture_of_triangle((const float(*)[3])corners, uvs, own, at);
        at[1] = 1 - at[1]; /* files count from below */
    } else if (wrap->solid->ball > 0) {
        const float flat = __builtin_sqrtf(own[0] * own[0] + own[2] * own[2]);
        at[0] = 0.5f + math_atan2f(own[0], own[2]) / (2 * HALF_TURN);
        at[1] = 0.5f - math_atan2f(own[1], flat) / HALF_TURN;
    } else {
        at[0] = own[wrap->across] * wrap->copies[0], at[1] = own[wrap->down] * wrap->copies[1];
    }
}

/* Once around a ball is twice as long as from pole to pole. */
static TexturePaint paint_of(const RenderSolid *solid)
{
    const bool ball = solid->ball > 0 && solid->mesh == NULL;
    const float across = (float)solid->checker, down = ball ? floorf(0.5f * (across + 1)) : across;
    TexturePaint paint = {.image = solid->texture,
                          .repeats = !ball,
                          .framed = solid->mesh != NULL,
                          .squares = {across, down}};
    memcpy(paint.colors[0], solid->color, sizeof paint.colors[0]);
    memcpy(paint.colors[1], solid->color2, sizeof paint.colors[1]);
    return paint;
}

void texture_color(const RenderSolid *solid, const float place[3], const float normal[3],
                   const float (*steps)[3], float color[3])
{
    const TexturePaint paint = paint_of(solid);
    float own[3], at[2], moved[2][2], width[2] = {0, 0};
    own_place(solid, place, own);
    const Wrap wrap = wrap_make(solid, own, normal);
    wrap_at(&wrap, own, at);
    for (int i = 0; steps != NULL && i < 2; ++i) {
        float next[3];
        madd3(place, 1, steps[i], next);
        own_place(solid, next, own);
        wrap_at(&wrap, own, moved[i]);
    }
    if (steps != NULL) texture_width(at, (const float(*)[2])moved, width);
    texture_paint(&paint, at, width, color);
}

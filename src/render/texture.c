/* Pictures on surfaces: a ball wears one once around, by longitude and latitude about its y axis;
 * on other shapes it is laid along the two axes of their own that a place faces least. */
#include "render/texture.h"

#include "base/math.h"
#include "geometry/pose.h"
#include "render/float3.h"
#include "render/image.h"

#include <math.h>

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

/* The part of a copy, 0 to 1, at `x` copies from the shape's middle. */
static float part_of(float x)
{
    const float part = x - floorf(x);
    return part >= 0 && part < 1 ? part : 0;
}

static mote_Vec3 turned_back(const mote_Pose *pose, const float a[3])
{
    return pose_rotate_back(pose, vec3((mote_real)a[0], (mote_real)a[1], (mote_real)a[2]));
}

void texture_color(const RenderSolid *solid, const float place[3], const float normal[3],
                   float color[3])
{
    const mote_Image *image = solid->texture;
    const mote_Pose *pose = &solid->shape.pose;
    float middle[3], to[3], at[3], facing[3], u[2];
    read3(pose->position, middle);
    madd3(place, -1, middle, to);
    read3(turned_back(pose, to), at);
    read3(turned_back(pose, normal), facing);
    if (solid->ball > 0) {
        const float flat = __builtin_sqrtf(at[0] * at[0] + at[2] * at[2]);
        u[0] = 0.5f + math_atan2f(at[0], at[2]) / (2 * HALF_TURN);
        u[1] = 0.5f - math_atan2f(at[1], flat) / HALF_TURN;
    } else {
        const float x = __builtin_fabsf(facing[0]), y = __builtin_fabsf(facing[1]);
        const float z = __builtin_fabsf(facing[2]), scale = 1 / solid->texture_size;
        const int across = x > y && x > z ? 2 : 0, down = y >= x && y > z ? 2 : 1;
        const float tall = (float)image->width / (float)image->height;
        u[0] = part_of(at[across] * scale), u[1] = part_of(-at[down] * scale * tall);
    }
    texture_between(image, u[0] * (float)image->width, u[1] * (float)image->height,
                    !(solid->ball > 0), 1, color);
    for (int k = 0; k < 3; ++k) color[k] = clamp01(color[k]);
}

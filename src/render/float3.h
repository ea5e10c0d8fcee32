/* Three floats, for code that goes pixel by pixel. */
#ifndef RENDER_FLOAT3_H
#define RENDER_FLOAT3_H

#include <mote/base.h>

static inline float dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline float length3(const float a[3])
{
    return __builtin_sqrtf(dot3(a, a));
}

/* out = a + s b */
static inline void madd3(const float a[3], float s, const float b[3], float out[3])
{
    out[0] = a[0] + s * b[0];
    out[1] = a[1] + s * b[1];
    out[2] = a[2] + s * b[2];
}

static inline void cross3(const float a[3], const float b[3], float out[3])
{
    float x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y;
}

/* Scaled to length 1; what has no length stays. */
static inline void unit3(float a[3])
{
    float length = length3(a), scale = length > 0 ? 1 / length : 1;
    a[0] *= scale, a[1] *= scale, a[2] *= scale;
}

static inline void read3(mote_Vec3 from, float to[3])
{
    to[0] = (float)from.x, to[1] = (float)from.y, to[2] = (float)from.z;
}

/* Of linear light (ITU-R BT.709). */
static inline float luminance3(const float c[3])
{
    return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2];
}

static inline float clamp01(float x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

#endif

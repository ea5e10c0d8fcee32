/* Uniform directions and points from random words, without rejection. */
#ifndef GEOMETRY_SAMPLING_H
#define GEOMETRY_SAMPLING_H

#include "geometry/convex_cast.h"

/* Uniform on the unit circle across y. */
static inline mote_Vec3 sample_circle(uint32_t word)
{
    mote_real s, c;
    real_sincos((mote_real)6.283185307179586 * random_unit(word), &s, &c);
    return vec3(c, 0, s);
}

/* Uniform on the unit sphere (Archimedes: height is uniform). */
static inline mote_Vec3 sample_sphere(uint32_t height, uint32_t turn)
{
    mote_real y = random_signed(height);
    mote_Vec3 n = vec3_scale(sample_circle(turn), REAL_SQRT(1 - y * y));
    return vec3(n.x, y, n.z);
}

/* The radius of a uniform point of the unit ball, of the unit disc. The inverse of the share of the
 * volume, r^3, or of the area, r^2, within r. */
static inline mote_real sample_ball_radius(uint32_t word)
{
    return real_pow(random_unit(word), (mote_real)(1.0 / 3.0));
}

static inline mote_real sample_disc_radius(uint32_t word)
{
    return REAL_SQRT(random_unit(word));
}

/* The volume sampler of a shape: `position`, and the normal of the nearest surface. */
static inline ShapePoint sample_inside(SurfaceAt (*surface)(const void *params, mote_Vec3 x),
                                       const void *params, mote_Vec3 position)
{
    return (ShapePoint){position, surface(params, position).normal};
}

#endif

/* Optics of a path: how directions change at surfaces, and what part of the light goes where. What
 * all paths need is in kernels/paths.h, for eight of them. */
#ifndef RENDER_TRACE_OPTICS_H
#define RENDER_TRACE_OPTICS_H

#include "base/math.h"
#include "render/float3.h"

#include <math.h>

/* Fresnel's reflectance of light that is not polarised. cosine: of incidence, positive; eta: index
 * of where the light comes from over that of where it goes. 1: total reflection. r_s and r_p of the
 * textbook: `across` and `along` are for light that swings across and along the plane of incidence.
 */
static inline float fresnel(float cosine, float eta)
{
    float sine2 = eta * eta * (1 - cosine * cosine);
    if (!(sine2 < 1)) return 1;
    float beyond = __builtin_sqrtf(1 - sine2);
    float across = (eta * cosine - beyond) / (eta * cosine + beyond);
    float along = (cosine - eta * beyond) / (cosine + eta * beyond);
    return 0.5f * (across * across + along * along);
}

/* d - 2 (d . n) n */
static inline void mirror(const float direction[3], const float normal[3], float out[3])
{
    madd3(direction, -2 * dot3(direction, normal), normal, out);
}

/* Snell's law; the normal is on the side that the light comes from. False: total reflection. t =
 * eta d + (eta cos - sqrt(1 - eta^2 (1 - cos^2))) n. */
static inline bool refract(const float direction[3], const float normal[3], float eta, float out[3])
{
    float cosine = -dot3(direction, normal), under = 1 - eta * eta * (1 - cosine * cosine);
    if (!(under > 0)) return false;
    for (int k = 0; k < 3; ++k)
        out[k] = eta * direction[k] + (eta * cosine - __builtin_sqrtf(under)) * normal[k];
    unit3(out);
    return true;
}

/* A pane with two sides reflects again and again inside: 2 F / (1 + F). */
static inline float pane_reflectance(float cosine, float refraction)
{
    float f = fresnel(cosine, 1 / refraction);
    return 2 * f / (1 + f);
}

/* What is left of light after a way through a liquid: Beer and Lambert. L exp(-a d). */
static inline void absorb(const float absorption[3], float distance, float light[3])
{
    for (int k = 0; k < 3; ++k) light[k] *= math_expf(-absorption[k] * distance);
}

/* Two unit vectors across a third (Duff et al., Building an Orthonormal Basis, Revisited, 2017). */
static inline void across3(const float n[3], float a[3], float b[3])
{
    float sign = n[2] >= 0 ? 1.0f : -1.0f, p = -1 / (sign + n[2]), q = n[0] * n[1] * p;
    a[0] = 1 + sign * n[0] * n[0] * p, a[1] = sign * q, a[2] = -sign * n[0];
    b[0] = q, b[1] = sign + n[1] * n[1] * p, b[2] = -n[1];
}

/* Sine and cosine of a part of a full turn, in [0, 1): of the angle to the nearest quarter by
 * Taylor's series, whose first left out terms are below 4e-7, then turned on by quarters. */
static inline void turn_sincos(float turn, float *sine, float *cosine)
{
    const int quarter = (int)(4 * turn + 0.5f);
    const float x = 6.2831853f * (turn - 0.25f * (float)quarter), x2 = x * x;
    const float s = x * (1 - x2 * (1.0f / 6) * (1 - x2 * (1.0f / 20) * (1 - x2 * (1.0f / 42))));
    const float c =
        1 - 0.5f * x2 * (1 - x2 * (1.0f / 12) * (1 - x2 * (1.0f / 30) * (1 - x2 * (1.0f / 56))));
    const bool odd = quarter & 1;
    const float a = odd ? c : s, b = odd ? s : c;
    *sine = quarter & 2 ? -a : a;
    *cosine = (quarter + 1) & 2 ? -b : b;
}

/* A direction around `axis`, with this cosine to it. */
static inline void around3(const float axis[3], float cosine, float turn, float out[3])
{
    const float r = __builtin_sqrtf(cosine < 1 ? 1 - cosine * cosine : 0);
    float a[3], b[3], s, c;
    across3(axis, a, b);
    turn_sincos(turn, &s, &c);
    for (int k = 0; k < 3; ++k) out[k] = r * (c * a[k] + s * b[k]) + cosine * axis[k];
}

/* ---- rough surfaces: facets by B. Walter et al., Microfacet Models for Refraction, 2007 (GGX)
 * ---- */

/* The normal of a facet that is seen from `toward` (unit, on the normal's side), by chance
 * (E. Heitz, Sampling the GGX Distribution of Visible Normals, 2018). */
static inline void facet_normal(const float normal[3], const float toward[3], float alpha,
                                const float u[2], float out[3])
{
    float a[3], b[3], t[3], m[3];
    across3(normal, a, b);
    float v[3] = {alpha * dot3(toward, a), alpha * dot3(toward, b), dot3(toward, normal)};
    unit3(v);
    const float flat = __builtin_sqrtf(v[0] * v[0] + v[1] * v[1]);
    const float s[3] = {flat > 1e-6f ? -v[1] / flat : 1, flat > 1e-6f ? v[0] / flat : 0, 0};
    cross3(v, s, t);
    const float r = __builtin_sqrtf(u[0]), half = 0.5f * (1 + v[2]);
    float sine, cosine;
    turn_sincos(u[1], &sine, &cosine);
    const float x = r * cosine;
    const float y = (1 - half) * __builtin_sqrtf(1 - x * x) + half * r * sine;
    const float left = 1 - x * x - y * y, z = __builtin_sqrtf(left > 0 ? left : 0);
    for (int k = 0; k < 3; ++k) m[k] = x * s[k] + y * t[k] + z * v[k];
    m[2] = m[2] > 1e-6f ? m[2] : 1e-6f;
    for (int k = 0; k < 3; ++k) out[k] = alpha * (m[0] * a[k] + m[1] * b[k]) + m[2] * normal[k];
    unit3(out);
}

/* What facets that mirror all light send from a light to the eye, as a part of what a white, dull
 * surface that faces the light shows: pi D G / (4 cos cos') cos'. `half` is between both. */
static inline float facet_shine(const float normal[3], const float eye[3], const float light[3],
                                const float half[3], float alpha)
{
    const float nv = dot3(normal, eye), nl = dot3(normal, light), nh = dot3(normal, half);
    const float a2 = alpha * alpha, q = nh * nh * (a2 - 1) + 1;
    if (!(nv > 0) || !(nl > 0)) return 0;
    /* Smith's masking and shadowing of heights that go together, with GGX's D = a^2 / (pi q^2): pi
     * D G / (4 cos) = 0.5 a^2 nl / (q^2 masked). */
    const float masked = nl * __builtin_sqrtf(a2 + (1 - a2) * nv * nv) +
                         nv * __builtin_sqrtf(a2 + (1 - a2) * nl * nl);
    return 0.5f * a2 * nl / (q * q * masked);
}

/* Metals mirror their colour, and all light at grazing angles (C. Schlick, 1994). */
static inline float metal_mirrors(float color, float cosine)
{
    const float c = 1 - (cosine > 0 ? cosine : 0), c2 = c * c;
    return color + (1 - color) * c2 * c2 * c;
}

#endif

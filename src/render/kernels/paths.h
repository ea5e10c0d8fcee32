/* Laws of light and numbers for choices, for eight paths side by side. Where trace_optics.h and
 * trace_samples.h have the same for one, the bits are the same. */
#ifndef RENDER_KERNELS_PATHS_H
#define RENDER_KERNELS_PATHS_H

#include "render/kernels/vectors.h"

/* ---- eight vectors ---- */

INLINE V8 dot8(const V8 a[3], const V8 b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE void madd8(const V8 a[3], V8 s, const V8 b[3], V8 out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = a[k] + s * b[k];
}

INLINE void unit8(V8 a[3])
{
    const V8 length = sqrt8(dot8(a, a)), scale = choose8((I8)(length > 0), 1 / length, all8(1));
    for (int k = 0; k < 3; ++k) a[k] *= scale;
}

INLINE void choose_vector(I8 chosen, const V8 a[3], const V8 b[3], V8 out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = choose8(chosen, a[k], b[k]);
}

INLINE void all_vectors(const float a[3], V8 out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = all8(a[k]);
}

INLINE bool any(I8 chosen)
{
    typedef uint64_t Longs __attribute__((vector_size(32)));
    const Longs l = (Longs)chosen;
    return ((l[0] | l[1]) | (l[2] | l[3])) != 0;
}

/* ---- memory ---- */

INLINE V8 both_halves(V4 low, V4 high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* Four numbers that eight records have beside each other. */
INLINE void load_fours(const float *const from[8], V8 out[4])
{
    V4 low[4], high[4];
    for (int i = 0; i < 4; ++i) low[i] = load4(from[i]), high[i] = load4(from[i + 4]);
    transpose4(low), transpose4(high);
    for (int k = 0; k < 4; ++k) out[k] = both_halves(low[k], high[k]);
}

INLINE void store_fours(const V8 from[4], float *const to[8])
{
    V4 low[4], high[4];
    for (int k = 0; k < 4; ++k) {
        low[k] = __builtin_shufflevector(from[k], from[k], 0, 1, 2, 3);
        high[k] = __builtin_shufflevector(from[k], from[k], 4, 5, 6, 7);
    }
    transpose4(low), transpose4(high);
    for (int i = 0; i < 4; ++i) {
        memcpy(to[i], &low[i], sizeof low[i]);
        memcpy(to[i + 4], &high[i], sizeof high[i]);
    }
}

/* ---- numbers ---- */

INLINE U8 mix_words(U8 x)
{
    x ^= x >> 16, x *= 0x7feb352du;
    x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}

INLINE U8 permute_words(U8 x, U8 seed)
{
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    return x ^ x * 0x8d22f6e6u;
}

INLINE U8 sobol_words(U8 x)
{
    x ^= x << 16;
    x ^= (x & 0x00ff00ffu) << 8;
    x ^= (x & 0x0f0f0f0fu) << 4;
    x ^= (x & 0x33333333u) << 2;
    return x ^ (x & 0x55555555u) << 1;
}

INLINE V8 unit_of_words(U8 bits)
{
    return __builtin_convertvector((I8)(bits >> 8), V8) * (1.0f / 16777216.0f);
}

/* The pixels and samples of eight paths, and of choices, the next pairs. */
typedef struct Seeds {
    U8 pixel, sample, pair;
} Seeds;

INLINE void draw_pairs(const Seeds *s, U8 pair, V8 u[2])
{
    const U8 seed = mix_words(s->pixel ^ pair * 0x9e3779b9u), x = permute_words(s->sample, seed);
    u[0] = unit_of_words(x ^ seed * 0x2c1b3c6du);
    u[1] = unit_of_words(sobol_words(x) ^ mix_words(seed));
}

INLINE V8 draw_firsts(const Seeds *s, U8 pair)
{
    const U8 seed = mix_words(s->pixel ^ pair * 0x9e3779b9u);
    return unit_of_words(permute_words(s->sample, seed) ^ seed * 0x2c1b3c6du);
}

/* ---- optics ---- */

INLINE V8 fresnel8(V8 cosine, float eta)
{
    const V8 sine2 = eta * eta * (1 - cosine * cosine), under = 1 - sine2;
    const V8 beyond = sqrt8(at_least(under, 0));
    const V8 across = (eta * cosine - beyond) / (eta * cosine + beyond);
    const V8 along = (cosine - eta * beyond) / (cosine + eta * beyond);
    return choose8((I8)(sine2 < 1), 0.5f * (across * across + along * along), all8(1));
}

INLINE void turn_sincos8(V8 turn, V8 *sine, V8 *cosine)
{
    const I8 quarter = __builtin_convertvector(4 * turn + 0.5f, I8);
    const V8 x = 6.2831853f * (turn - 0.25f * __builtin_convertvector(quarter, V8)), x2 = x * x;
    const V8 s = x * (1 - x2 * (1.0f / 6) * (1 - x2 * (1.0f / 20) * (1 - x2 * (1.0f / 42))));
    const V8 c =
        1 - 0.5f * x2 * (1 - x2 * (1.0f / 12) * (1 - x2 * (1.0f / 30) * (1 - x2 * (1.0f / 56))));
    const I8 odd = -(quarter & 1);
    *sine = (V8)((I8)choose8(odd, c, s) ^ (quarter & 2) << 30);
    *cosine = (V8)((I8)choose8(odd, s, c) ^ ((quarter + 1) & 2) << 30);
}

INLINE void across8(const V8 n[3], V8 a[3], V8 b[3])
{
    const V8 sign = choose8((I8)(n[2] >= 0), all8(1), all8(-1));
    const V8 p = -1 / (sign + n[2]), q = n[0] * n[1] * p;
    a[0] = 1 + sign * n[0] * n[0] * p, a[1] = sign * q, a[2] = -sign * n[0];
    b[0] = q, b[1] = sign + n[1] * n[1] * p, b[2] = -n[1];
}

INLINE void around_axes8(const V8 axis[3], V8 a[3], V8 b[3], V8 z, V8 turn, V8 out[3])
{
    const V8 r = sqrt8(choose8((I8)(z < 1), 1 - z * z, all8(0)));
    V8 sine, cosine;
    turn_sincos8(turn, &sine, &cosine);
    for (int k = 0; k < 3; ++k) out[k] = r * (cosine * a[k] + sine * b[k]) + z * axis[k];
}

/* From two numbers in [0, 1): evenly within the cone of this cosine around an axis, with two others
 * across it. Even in the cosine is even on the sphere (Archimedes). */
INLINE void cone_directions(const V8 axis[3], V8 across[2][3], V8 cosine, const V8 u[2], V8 out[3])
{
    around_axes8(axis, across[0], across[1], 1 - u[0] * (1 - cosine), u[1], out);
}

/* By the cosine law, a density of cos / pi: cos^2 is even in [0, 1). */
INLINE void cosine_directions(const V8 normal[3], const V8 u[2], V8 out[3])
{
    V8 across[2][3];
    across8(normal, across[0], across[1]);
    around_axes8(normal, across[0], across[1], sqrt8(1 - u[0]), u[1], out);
}

/* d - 2 (d . n) n */
INLINE void mirror8(const V8 direction[3], const V8 normal[3], V8 out[3])
{
    madd8(direction, -2 * dot8(direction, normal), normal, out);
}

/* Metals mirror their colour, and all light at grazing angles (C. Schlick, 1994). */
INLINE V8 metal_mirrors8(V8 color, V8 cosine)
{
    const V8 c = 1 - at_least(cosine, 0), c2 = c * c;
    return color + (1 - color) * c2 * c2 * c;
}

/* ---- rough surfaces, by facets: see trace_optics.h ---- */

INLINE void facet_normals(const V8 normal[3], const V8 toward[3], V8 alpha, const V8 u[2],
                          V8 out[3])
{
    V8 a[3], b[3], m[3], sine, cosine;
    across8(normal, a, b);
    V8 v[3] = {alpha * dot8(toward, a), alpha * dot8(toward, b), dot8(toward, normal)};
    unit8(v);
    const V8 flat = sqrt8(v[0] * v[0] + v[1] * v[1]);
    const I8 leans = (I8)(flat > 1e-6f);
    const V8 s[3] = {choose8(leans, -v[1] / flat, all8(1)), where(leans, v[0] / flat), all8(0)};
    const V8 t[3] = {v[1] * s[2] - v[2] * s[1], v[2] * s[0] - v[0] * s[2],
                     v[0] * s[1] - v[1] * s[0]};
    const V8 r = sqrt8(u[0]), half = 0.5f * (1 + v[2]);
    turn_sincos8(u[1], &sine, &cosine);
    const V8 x = r * cosine, y = (1 - half) * sqrt8(1 - x * x) + half * r * sine;
    const V8 z = sqrt8(at_least(1 - x * x - y * y, 0));
    for (int k = 0; k < 3; ++k) m[k] = x * s[k] + y * t[k] + z * v[k];
    m[2] = at_least(m[2], 1e-6f);
    for (int k = 0; k < 3; ++k) out[k] = alpha * (m[0] * a[k] + m[1] * b[k]) + m[2] * normal[k];
    unit8(out);
}

/* What facets that mirror all light send from a light to the eye, as a part of what a white, dull
 * surface that faces the light shows: pi D G / (4 cos cos') cos'. `half` is between both. Smith's
 * masking and shadowing of heights that go together, with GGX's D = a^2 / (pi q^2): pi D G / (4
 * cos) = 0.5 a^2 nl / (q^2 masked). */
INLINE V8 facets_shine(const V8 normal[3], const V8 eye[3], const V8 light[3], const V8 half[3],
                       V8 alpha)
{
    const V8 nv = dot8(normal, eye), nl = dot8(normal, light), nh = dot8(normal, half);
    const V8 a2 = alpha * alpha, q = nh * nh * (a2 - 1) + 1;
    const V8 masked = nl * sqrt8(a2 + (1 - a2) * nv * nv) + nv * sqrt8(a2 + (1 - a2) * nl * nl);
    return where((I8)(nv > 0) & (I8)(nl > 0), 0.5f * a2 * nl / (q * q * masked));
}

#endif

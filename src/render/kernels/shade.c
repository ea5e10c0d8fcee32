/* Eight paths side by side where they meet something: what arrives there from a light, and how they
 * go on from opaque surfaces. */
#include "render/shade.h"

#include "render/kernels/kernels.h"
#include "render/kernels/paths.h"

#define VARNISH 1.5f /* refractive index of coats, and of plastic */

/* What paths have met, number by number. */
typedef struct PathMeetings {
    V8 direction[3], place[3], normal[3], smooth[3], color[3]; /* of the path; of the surface */
    V8 roughness, gloss, scatter;
    I8 metal, puff;
    Seeds seeds;
} PathMeetings;

INLINE I8 has_matter(const TraceHit *const hits[TRACE_TOGETHER], TraceMatter matter)
{
    I8 is;
    for (int i = 0; i < TRACE_TOGETHER; ++i) is[i] = hits[i]->matter == matter ? -1 : 0;
    return is;
}

/* Four numbers from some member on. */
#define LOAD_FOURS(records, member, out)                                                           \
    do {                                                                                           \
        const float *from_[TRACE_TOGETHER];                                                        \
        for (int i_ = 0; i_ < TRACE_TOGETHER; ++i_) from_[i_] = (records)[i_]->member;             \
        load_fours(from_, out);                                                                    \
    } while (0)

INLINE void load_meetings(TracePath *const paths[], const TraceHit *const hits[], PathMeetings *m)
{
    V8 four[5][4];
    LOAD_FOURS(paths, ray.direction, four[0]);
    LOAD_FOURS(hits, place, four[1]);
    LOAD_FOURS(hits, normal, four[2]);
    LOAD_FOURS(hits, smooth, four[3]);
    LOAD_FOURS(hits, color, four[4]);
    for (int k = 0; k < 3; ++k) {
        m->direction[k] = four[0][k], m->place[k] = four[1][k], m->normal[k] = four[2][k];
        m->smooth[k] = four[3][k], m->color[k] = four[4][k];
    }
    m->roughness = four[2][3], m->gloss = four[3][3], m->scatter = four[4][3];
    m->metal = has_matter(hits, TRACE_METAL), m->puff = has_matter(hits, TRACE_PUFF);
    for (int i = 0; i < TRACE_TOGETHER; ++i) {
        const TraceSeed *seed = &paths[i]->seed;
        m->seeds.pixel[i] = seed->pixel, m->seeds.sample[i] = seed->sample;
        m->seeds.pair[i] = seed->pair;
    }
}

/* ---- how paths go on ---- */

/* The smooth normal on the side that the ray comes from; the true one where it leans away. */
INLINE V8 face(const PathMeetings *m, V8 normal[3])
{
    const V8 side = choose8((I8)(dot8(m->direction, m->normal) < 0), all8(1), all8(-1));
    V8 smooth[3], flat[3];
    for (int k = 0; k < 3; ++k) smooth[k] = side * m->smooth[k], flat[k] = side * m->normal[k];
    choose_vector((I8)(dot8(m->direction, smooth) < -1e-4f), smooth, flat, normal);
    return side;
}

/* How often a path follows the coat: as much as it sends on of all that is sent on, but neither way
 * is forgotten. Metal is all coat. */
INLINE V8 coat_odds(const PathMeetings *m, V8 coat)
{
    V8 color = 0.2126f * m->color[0] + 0.7152f * m->color[1] + 0.0722f * m->color[2];
    const V8 below = (1 - coat) * clamped(color), least = all8(0.1f);
    const V8 odds = where((I8)(coat > 0), within(coat / (coat + below), least, 1 - least));
    return choose8(m->metal, all8(1), odds);
}

/* Mirrored by a facet of a rough surface, or a smooth one, and on the true surface's own side of
 * it. The facet is left in `facet`. */
INLINE void go_shining(const PathMeetings *m, const V8 normal[3], V8 side, V8 facet[3], V8 out[3])
{
    V8 u[2], eye[3], rough[3], lifted[3];
    for (int k = 0; k < 3; ++k) eye[k] = -m->direction[k];
    draw_pairs(&m->seeds, m->seeds.pair + 2, u);
    facet_normals(normal, eye, m->roughness * m->roughness, u, rough);
    const I8 seen = (I8)(m->roughness > 0) & (I8)(dot8(rough, eye) > 1e-4f);
    choose_vector(seen, rough, normal, facet);
    mirror8(m->direction, facet, out);
    const V8 above = side * dot8(out, m->normal);
    madd8(out, side * (1e-3f - above), m->normal, lifted), unit8(lifted);
    choose_vector((I8)(above < 1e-4f), lifted, out, out);
}

/* By the cosine law. */
INLINE void go_dull(const PathMeetings *m, const V8 normal[3], V8 out[3])
{
    V8 u[2];
    draw_pairs(&m->seeds, m->seeds.pair + 1, u);
    cosine_directions(normal, u, out);
}

INLINE void store_turns(V8 turn[3][4], PathTurn turns[TRACE_TOGETHER])
{
    float *to[3][TRACE_TOGETHER];
    for (int i = 0; i < TRACE_TOGETHER; ++i)
        to[0][i] = turns[i].normal, to[1][i] = turns[i].direction, to[2][i] = turns[i].part;
    for (int n = 0; n < 3; ++n) store_fours(turn[n], to[n]);
}

/* The coat mirrors with Fresnel's odds, blurred by its roughness; the rest goes to the dull ground
 * below it. Three pairs of numbers are used: which of both, for the dull ground, for the coat. */
void ISA(paths_turn)(TurnJob *job)
{
    PathMeetings m;
    V8 normal[3], facet[3], shining[3], dull[3], turn[3][4];
    load_meetings(job->paths, job->hits, &m);
    const V8 side = face(&m, normal);
    const V8 coat = m.gloss * fresnel8(-dot8(m.direction, normal), 1 / VARNISH);
    const V8 odds = coat_odds(&m, coat);
    const I8 shines = (I8)(draw_firsts(&m.seeds, m.seeds.pair) < odds);
    go_shining(&m, normal, side, facet, shining);
    go_dull(&m, normal, dull);
    const V8 cosine = -dot8(m.direction, facet), rest = (1 - coat) / (1 - odds);
    for (int k = 0; k < 3; ++k) {
        const V8 mirrored = choose8(m.metal, metal_mirrors8(m.color[k], cosine), coat / odds);
        turn[0][k] = normal[k];
        turn[1][k] = choose8(shines, shining[k], dull[k]);
        turn[2][k] = choose8(shines, mirrored, m.color[k] * rest);
    }
    turn[0][3] = choose8(m.metal, all8(1), coat), turn[1][3] = odds, turn[2][3] = (V8)shines;
    store_turns(turn, job->turns);
    for (int i = 0; i < TRACE_TOGETHER; ++i) job->paths[i]->seed.pair = m.seeds.pair[i] + 3;
}

/* ---- light straight from lights ---- */

/* A direction to a place of a light by chance, the light that arrives from there where nothing is
 * in its way, and how far it is. */
INLINE V8 aim_sun(const Light *light, const V8 u[2], V8 toward[3], V8 color[3])
{
    V8 axis[3], across[2][3];
    all_vectors(light->toward, axis), all_vectors(light->color, color);
    for (int n = 0; n < 2; ++n) all_vectors(light->across[n], across[n]);
    cone_directions(axis, across, all8(light->cosine), u, toward);
    return all8(FAR_AWAY);
}

/* As light_reach() has it, from anywhere in its ball. */
INLINE V8 aim_lamp(const Light *light, const V8 place[3], const V8 u[2], V8 toward[3], V8 color[3])
{
    V8 axis[3], across[2][3];
    for (int k = 0; k < 3; ++k) axis[k] = light->at[k] - place[k];
    const V8 d2 = dot8(axis, axis), away = sqrt8(d2);
    const float least = 0.25f * light->size * light->size + 1e-8f;
    for (int k = 0; k < 3; ++k) color[k] = light->color[k] / at_least(d2, least);
    unit8(axis);
    const V8 slope = light->size / at_least(away, light->size);
    across8(axis, across[0], across[1]);
    cone_directions(axis, across, 1 / sqrt8(1 + slope * slope), u, toward);
    return away;
}

/* What a rough coat or metal sends on; in smoother mirrors lights are met by chance. */
INLINE void add_shine(const PathMeetings *m, const V8 normal[3], const V8 toward[3], V8 part[3])
{
    const I8 rough = (I8)(m->roughness > ROUGH) & ~m->puff;
    V8 eye[3], half[3];
    if (!any(rough)) return;
    for (int k = 0; k < 3; ++k) eye[k] = -m->direction[k], half[k] = eye[k] + toward[k];
    unit8(half);
    const V8 cosine = dot8(half, toward), alpha = m->roughness * m->roughness;
    const V8 shine = where(rough, facets_shine(normal, eye, toward, half, alpha));
    const V8 coat = m->gloss * fresnel8(at_least(cosine, 0), 1 / VARNISH);
    for (int k = 0; k < 3; ++k)
        part[k] += shine * choose8(m->metal, metal_mirrors8(m->color[k], cosine), coat);
}

/* Times 4 pi, by Henyey and Greenstein: as phase_of() has it. */
INLINE V8 phase8(V8 cosine, V8 g)
{
    const V8 below = 1 + g * g - 2 * g * cosine;
    return (1 - g * g) / (below * sqrt8(below));
}

/* What part of a light a surface sends on to the eye, by the cosine law and its coat's; a puff, by
 * its phase: a light's colour is what a white surface shows, a quarter of which a puff sends to
 * each side. */
INLINE void sends(const PathMeetings *m, const V8 normal[3], V8 below, const V8 toward[3],
                  V8 part[3])
{
    const V8 phase = 0.25f * phase8(dot8(m->direction, toward), m->scatter);
    const V8 facing = choose8(m->puff, phase, dot8(toward, normal));
    for (int k = 0; k < 3; ++k) part[k] = where((I8)(facing > 0), below * facing * m->color[k]);
    add_shine(m, normal, toward, part);
    for (int k = 0; k < 3; ++k) part[k] = where((I8)(facing > 0), part[k]);
}

/* Off the surface, as path_ray_from() begins. */
INLINE void store_ways(const PathMeetings *m, const V8 toward[3], LitJob *job)
{
    float *to[2][TRACE_TOGETHER];
    V8 way[2][4];
    const V8 size = magnitude(m->place[0]) + magnitude(m->place[1]) + magnitude(m->place[2]);
    const V8 step = 1e-5f * size + 1e-7f, up = dot8(toward, m->normal);
    madd8(m->place, choose8((I8)up < 0, -step, step), m->normal, way[0]);
    memcpy(way[1], toward, 3 * sizeof *toward);
    way[0][3] = all8(0);
    for (int i = 0; i < TRACE_TOGETHER; ++i) {
        way[1][3][i] = job->paths[i]->ray.moment;
        to[0][i] = job->ways[i], to[1][i] = job->ways[i] + 4;
    }
    for (int n = 0; n < 2; ++n) store_fours(way[n], to[n]);
}

void ISA(paths_lit)(LitJob *job)
{
    PathMeetings m;
    V8 normal[4], weight[4], u[2], toward[3], color[3], part[3], light[4];
    float *to[TRACE_TOGETHER];
    load_meetings(job->paths, job->hits, &m);
    LOAD_FOURS(job->turns, normal, normal);
    LOAD_FOURS(job->paths, weight, weight);
    draw_pairs(&m.seeds, m.seeds.pair, u);
    const V8 reach = job->light->point ? aim_lamp(job->light, m.place, u, toward, color)
                                       : aim_sun(job->light, u, toward, color);
    sends(&m, normal, 1 - normal[3], toward, part);
    for (int k = 0; k < 3; ++k) light[k] = color[k] * weight[k] * part[k];
    light[3] = all8(0);
    for (int i = 0; i < TRACE_TOGETHER; ++i) to[i] = job->lights[i];
    store_fours(light, to), store8(job->reaches, reach);
    store_ways(&m, toward, job);
    for (int i = 0; i < TRACE_TOGETHER; ++i) job->paths[i]->seed.pair = m.seeds.pair[i] + 1;
}

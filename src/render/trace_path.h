/* A path of light on its way, shared by the files that follow it. */
#ifndef RENDER_TRACE_PATH_H
#define RENDER_TRACE_PATH_H

#include "render/trace.h"
#include "render/trace_samples.h"

typedef struct TracePath {
    const TraceInput *input;
    const TraceScene *scene;
    TraceParts parts; /* of the scene */
    TraceRay ray;
    float weight[3]; /* of what is found next */
    float light[3];  /* found so far */
    bool inside;     /* a liquid: */
    float absorption[3];
    float limit;   /* of what one find may bring */
    bool seen;     /* directly or in mirrors and through liquids: lights are seen as they are */
    bool straight; /* nothing was left to chance: every path of the pixel sees much the same */
    bool nothing;  /* it went past everything, and there is no sky */
    float led;     /* of the weight: what is so because the sky led the path; small where the sky is
                      bright */
    float density; /* how densely paths go this way (1/sr); 0: glows were not looked for */
    uint64_t surfaces, puffs;
    TraceSeed seed;
    bool known; /* what the eye sees first: */
    TraceSample *first;
} TracePath;

/* Two numbers in [0, 1), one, and 32 bits, for the next choice. */
static inline void path_draw_pair(TracePath *path, float u[2])
{
    sample_pair(path->seed.pixel, path->seed.sample, path->seed.pair++, u);
}

static inline float path_draw(TracePath *path)
{
    return sample_first(path->seed.pixel, path->seed.sample, path->seed.pair++);
}

static inline uint32_t path_draw_bits(TracePath *path)
{
    const TraceSeed *s = &path->seed;
    return mix_bits(s->pixel ^ mix_bits(s->sample ^ mix_bits(path->seed.pair++)));
}

/* Light that chance has led to is limited: a rare bright find is noise. */
static inline void path_add_light(TracePath *path, const float light[3])
{
    const float most = path->straight ? FAR_AWAY : path->limit;
    for (int k = 0; k < 3; ++k) {
        float found = path->weight[k] * light[k];
        path->light[k] += found < most ? found : most;
    }
}

/* What the path meets next: of the surfaces alone. */
void path_meet(TracePath *path, const TraceRay *ray, TraceHit *hit);

/* A ray from a surface, on the side that it goes to; the path goes on along it. */
TraceRay path_ray_from(const TracePath *path, const TraceHit *hit, const float direction[3]);
void path_go_on(TracePath *path, const TraceHit *hit, const float direction[3]);

/* ---- trace_light.c ---- */

/* Lights as they are seen: the sun's disc, and in mirrors a lamp's ball. The eye itself does not
 * see lamps: they stand for a fire, or for what is not in the picture. */
void path_add_seen_lights(TracePath *path, float reach);

/* Light that comes straight from the lights to a surface or a puff. `below`: the part of it that
 * a coat lets through to what is dull. */
void path_add_lights(TracePath *path, const TraceHit *hit, const float normal[3], float below);

/* How densely matter sends paths into a direction, by its own law (1/sr). */
typedef float DensityOf(const TracePath *path, const TraceHit *hit, const float normal[3],
                        const float direction[3]);

/* Light of glows on dull matter or a puff that sends `part` of it on by the law `own`; `odds`: how
 * often its path goes on that way at all. */
void path_add_glows(TracePath *path, const TraceHit *hit, const float normal[3], DensityOf *own,
                    float part, float odds);

/* The same law and where the sky is bright together: what paths go by. */
float path_density(const TracePath *path, const TraceHit *hit, const float normal[3],
                   DensityOf *own, const float direction[3]);

/* Above this roughness a light is looked for at once; in smoother mirrors it is met by chance. */
#define ROUGH 0.2f

#endif

/* A path of light on its way, shared by the files that follow it. */
#ifndef RENDER_TRACE_PATH_H
#define RENDER_TRACE_PATH_H

#include "render/trace.h"
#include "render/trace_samples.h"

typedef struct TracePath TracePath;
typedef struct PathTurn PathTurn;

/* Straight ways to lights, which are looked along together: what comes along each. */
typedef struct PathWays {
    size_t count;
    TraceRay rays[TRACE_TOGETHER];
    float reaches[TRACE_TOGETHER], lights[TRACE_TOGETHER][3];
    TracePath *paths[TRACE_TOGETHER];
    bool direct[TRACE_TOGETHER]; /* to what the eye itself sees */
} PathWays;

struct TracePath {
    const TraceInput *input;
    const TraceScene *scene;
    TraceRay ray;
    TraceParts parts; /* of the scene */
    float weight[3];  /* of what is found next */
    float limit;      /* of what one find may bring */
    float light[3];   /* found so far */
    float absorption[3];
    bool inside;   /* a liquid */
    bool seen;     /* directly or in mirrors and through liquids: lights are seen as they are */
    bool straight; /* nothing was left to chance: every path of the pixel sees much the same */
    bool nothing;  /* it went past everything, and there is no sky */
    float led;     /* of the weight: what is so because the sky led the path; small where the sky is
                      bright */
    float density; /* how densely paths go this way (1/sr); 0: glows were not looked for */
    float slack; /* m that a place may be wrong per m of the ray; 0: rays come from near the eye */
    uint64_t surfaces, puffs;
    TraceSeed seed;
    bool known; /* what the eye sees first: */
    TraceSample *first;
    PathWays *ways;
};

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

/* What is on the way to what the path has met next, and is there in any light; false when the path
 * ends there. */
bool path_arrive(TracePath *path, TraceHit *hit);

/* On from there: where it is opaque, by the turn that chance chose. False when the path ends. */
bool path_leave(TracePath *path, const TraceHit *hit, const PathTurn *turn);

/* Notes what the eye sees first. */
void path_note_first(TracePath *path, const TraceHit *hit);

/* The same of sprites before it, for a ray that only looks. */
void path_look_for_card(TracePath *path, const TraceHit *surface);

/* The ground goes over into the sky far away. */
void path_add_haze(TracePath *path, const TraceHit *hit);

/* The number that decides which pane mirrors the path's ray. */
static inline float path_draw_pane(TracePath *path)
{
    return path->parts.panes ? path_draw(path) : 0;
}

/* How a path goes on from an opaque surface. */
struct PathTurn {
    float normal[3], coat;    /* on the side that it came from; the part that the coat mirrors */
    float direction[3], odds; /* of following the coat */
    float part[3];            /* of the light from there that is sent on, over the odds */
    int32_t shines;           /* it follows the coat; 0: it goes to the dull ground below */
};

/* A ray from a surface, on the side that it goes to; the path goes on along it. */
void path_ray_from(const TracePath *path, const TraceHit *hit, const float direction[3],
                   TraceRay *ray);
void path_go_on(TracePath *path, const TraceHit *hit, const float direction[3]);

/* On from what bends light, as photons go too: a liquid, glass, or metal, which only mirrors. */
void path_bend(TracePath *path, const TraceHit *hit);

/* ---- trace_light.c ---- */

/* Lights as they are seen: the sun's disc, and in mirrors a lamp's ball. The eye itself does not
 * see lamps: they stand for a fire, or for what is not in the picture. */
void path_add_seen_lights(TracePath *path, float reach);

/* Light that comes straight from lights to what some paths meet, at most TRACE_TOGETHER; it may be
 * added later, when ways are looked along. Of turns, normal and coat are known. */
void paths_add_lights(TracePath *const paths[], const TraceHit *const hits[],
                      const PathTurn *const turns[], size_t count);

/* Looks along all ways that are left. */
void path_end_ways(const TraceScene *scene, PathWays *ways);

/* Light that photons have brought to a surface; trace_photon.c. */
void path_add_photons(TracePath *path, const TraceHit *hit, const float normal[3], float below);

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

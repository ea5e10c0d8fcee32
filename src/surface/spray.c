/* Isolated particles: their field where they are, and what their weights become. */
#include "surface/near.h"
#include "surface/polygonise.h"

/* Boxes around a particle that are fuller than this have a field high enough. */
#define ENOUGH 0.5f

typedef struct Spraying {
    Polygoniser *p;
    float *factors; /* of each particle */
} Spraying;

float polygoniser_round_field(const Polygoniser *p, const SurfaceBlock *block,
                              const SurfaceParticle *particle)
{
    float reach = p->scale.kernel, inverse = 1 / (reach * reach), sum = 0;
    const float *at = particle->at;
    NearWalk walk = near_walk(p->blocks, block, at, at, reach);
    for (NearRun run; near_next(&walk, &run);)
        for (size_t i = 0; i < run.count; ++i) {
            float t = 1;
            for (int k = 0; k < 3; ++k) {
                float d = run.particles[i].at[k] - (at[k] - run.shift[k]);
                t -= d * d * inverse;
            }
            if (t > 0) sum += run.particles[i].weight * (t * t * t);
        }
    return sum;
}

static void find_factors(void *context, size_t begin, size_t end, int worker)
{
    const Spraying *s = context;
    const Polygoniser *p = s->p;
    Window *window = &p->workers[worker]->window;
    for (size_t n = begin; n < end; ++n) {
        const SurfaceBlock *block = &p->blocks->blocks[n];
        if (block->count == 0) continue;
        window_look(window, block, true, true);
        for (size_t i = block->first; i < block->first + block->count; ++i) {
            const SurfaceParticle *particle = &p->blocks->particles[i];
            s->factors[i] = 1;
            if (window_box_at(window, particle->at) > ENOUGH) continue;
            const float field = polygoniser_round_field(p, block, particle);
            s->factors[i] = p->row->spray(p->params, p->spacing, field);
        }
    }
}

static void use_factors(void *context, size_t begin, size_t end, int worker)
{
    const Spraying *s = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) s->p->blocks->particles[i].weight *= s->factors[i];
}

/* All factors first, then all weights: a factor is found from weights as they were, in whatever
 * order blocks come. */
bool polygoniser_find_spray(Polygoniser *p)
{
    size_t count = p->blocks->particle_count, bytes = count * sizeof(float);
    if (p->row->spray == NULL || p->row->spray(p->params, p->spacing, 0) <= 1) return true;
    Spraying s = {p, memory_take(p->memory, bytes)};
    if (s.factors == NULL) return false;
    mote_parallel_for(p->tasks, p->blocks->count, 1, find_factors, &s);
    mote_parallel_for(p->tasks, count, 1 << 14, use_factors, &s);
    memory_free(p->memory, s.factors, bytes);
    return true;
}

/* Isolated particles: their field where they are, and what their weights become. */
#include "surface/polygonise.h"

/* Boxes around a particle that are fuller than this have a field high enough. */
#define ENOUGH 0.5f

typedef struct Spraying {
    Polygoniser *p;
    float *factors; /* of each particle */
} Spraying;

/* A particle of interest, in cells of its block. */
typedef struct Asking {
    const Polygoniser *p;
    const SurfaceBlock *block;
    const SurfaceParticle *particle;
    float inverse; /* 1 / reach^2 */
    float sum;
} Asking;

static void add_row(Asking *asking, int dx, int y, int z)
{
    const Blocks *b = asking->p->blocks;
    int dy = (y >= b->bins) - (y < 0), dz = (z >= b->bins) - (z < 0);
    uint32_t number = asking->block->neighbour[13 + dx + 3 * dy + 9 * dz];
    if (number == BLOCK_NONE || b->blocks[number].count == 0) return;
    size_t count;
    const SurfaceParticle *q =
        block_row(b, &b->blocks[number], y - dy * b->bins, z - dz * b->bins, &count);
    const float *at = asking->particle->at;
    const float from[3] = {at[0] - (float)(dx * BLOCK_CELLS), at[1] - (float)(dy * BLOCK_CELLS),
                           at[2] - (float)(dz * BLOCK_CELLS)};
    float last = from[0] + b->reach + (float)b->bin;
    for (size_t i = 0; i < count && q[i].at[0] < last; ++i) {
        float t = 1;
        for (int k = 0; k < 3; ++k) {
            float d = q[i].at[k] - from[k];
            t -= d * d * asking->inverse;
        }
        if (t > 0) asking->sum += q[i].weight * (t * t * t);
    }
}

static int clipped(int bin, int bins)
{
    return bin < -bins ? -bins : bin > 2 * bins - 1 ? 2 * bins - 1 : bin;
}

/* The field at a particle: rows of bins within reach. */
static float field_at(const Polygoniser *p, const SurfaceBlock *block,
                      const SurfaceParticle *particle)
{
    const Blocks *b = p->blocks;
    float reach = b->reach;
    Asking asking = {p, block, particle, 1 / (reach * reach), 0};
    int bin = b->bin, wide = (int)(reach / (float)bin) + 1;
    int y = (int)particle->at[1] / bin, z = (int)particle->at[2] / bin;
    int low_y = clipped(y - wide, b->bins), high_y = clipped(y + wide, b->bins);
    int low_z = clipped(z - wide, b->bins), high_z = clipped(z + wide, b->bins);
    for (int row_z = low_z; row_z <= high_z; ++row_z)
        for (int row_y = low_y; row_y <= high_y; ++row_y)
            for (int dx = -(particle->at[0] < reach);
                 dx <= (particle->at[0] + reach >= BLOCK_CELLS); ++dx)
                add_row(&asking, dx, row_y, row_z);
    return asking.sum;
}

/* How full the box around a particle's bin is. */
static float box_at(const Window *w, const float at[3])
{
    int bin = w->blocks->bin;
    size_t i = bins_at(&w->near, (int)at[0] / bin, (int)at[1] / bin, (int)at[2] / bin);
    return w->fill[i] / w->full;
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
            if (box_at(window, particle->at) > ENOUGH) continue;
            s->factors[i] = p->row->spray(p->params, p->spacing, field_at(p, block, particle));
        }
    }
}

static void use_factors(void *context, size_t begin, size_t end, int worker)
{
    const Spraying *s = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) s->p->blocks->particles[i].weight *= s->factors[i];
}

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

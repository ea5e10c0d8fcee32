/* The isovalue at which the surface holds the particles' volume: how many points of the grid have a
 * larger value is counted once for all isovalues, and looked up. */
#include "surface/polygonise.h"

enum { STEPS = sizeof((Worker *)0)->histogram / sizeof(uint64_t) };

static void count_block(const Polygoniser *p, Worker *worker, const Block *block)
{
    const FieldGrid *grid = &worker->grid;
    float low = p->scale.range[0], high = p->scale.range[1];
    float steps = (float)(STEPS - 1) / (high - low);
    if (!polygoniser_field(p, worker, block)) {
        if (worker->window.has_deep)
            worker->histogram[STEPS - 1] += BLOCK_CELLS * BLOCK_CELLS * BLOCK_CELLS;
        return;
    }
    for (int z = grid->low[2] > 0 ? grid->low[2] : 0; z <= grid->high[2] && z < BLOCK_CELLS; ++z)
        for (int y = grid->low[1] > 0 ? grid->low[1] : 0; y <= grid->high[1] && y < BLOCK_CELLS;
             ++y) {
            const float *row = grid->plane[0] + grid_at(0, y, z);
            for (int x = 0; x < BLOCK_CELLS; ++x) {
                float at = (row[x] - low) * steps;
                if (at > 0) ++worker->histogram[at < STEPS - 1 ? (int)at : STEPS - 1];
            }
        }
}

static void count_blocks(void *context, size_t begin, size_t end, int worker)
{
    const Polygoniser *p = context;
    for (size_t i = begin; i < end; ++i) count_block(p, p->workers[worker], &p->blocks->blocks[i]);
}

void polygoniser_keep_volume(Polygoniser *p)
{
    double wanted = p->volume, above = 0, low = (double)p->scale.range[0];
    double step = ((double)p->scale.range[1] - low) / (STEPS - 1), isovalue = low;
    bool bulk = p->bulk;
    if (!p->scale.keeps_volume) return;
    p->scale.isovalue = 0, p->bulk = false;
    mote_parallel_for(p->tasks, p->blocks->count, 1, count_blocks, p);
    p->bulk = bulk;
    for (int i = STEPS - 1; i >= 0 && above < wanted; --i) {
        double here = 0;
        for (int w = 0; w < p->worker_count; ++w) here += (double)p->workers[w]->histogram[i];
        double share = here > 0 ? (wanted - above) / here : 1;
        isovalue = low + step * (i + 1 - (share < 1 ? share : 1));
        above += here;
    }
    p->scale.isovalue =
        (float)(isovalue < (double)p->scale.range[1] ? isovalue : (double)p->scale.range[1]);
}

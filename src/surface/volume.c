/* The isovalue at which the surface holds the particles' volume. How many points of the grid have a
 * larger value is counted once for all isovalues and gives a first guess and a slope; the secant
 * method on the volumes of meshes does the rest.
 *
 * With N(c) the points above the isovalue c, N cells are the volume: c is where N(c) is the
 * particles' volume in cells, and dN/dc its slope. */
#include "surface/lumps.h"

#include <math.h>

enum { STEPS = sizeof((SurfaceWorker *)0)->histogram / sizeof(uint64_t) };

static void count_block(const Polygoniser *p, SurfaceWorker *worker, const SurfaceBlock *block)
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

static double points_at(const Polygoniser *p, int step)
{
    double points = 0;
    for (int w = 0; w < p->worker_count; ++w) points += (double)p->workers[w]->histogram[step];
    return points;
}

/* Where so many points have larger values. */
static double guess(const Polygoniser *p, double step)
{
    double above = 0, isovalue = (double)p->scale.range[0];
    for (int i = STEPS - 1; i >= 0 && above < p->volume; --i) {
        double here = points_at(p, i), share = here > 0 ? (p->volume - above) / here : 1;
        isovalue = (double)p->scale.range[0] + step * (i + 1 - fmin(share, 1));
        above += here;
    }
    return isovalue;
}

/* Points per isovalue around one: what the volume loses when it rises. */
static double slope_at(const Polygoniser *p, double isovalue, double step)
{
    enum { WIDE = STEPS / 32 };
    int middle = (int)((isovalue - (double)p->scale.range[0]) / step), counted = 0;
    double points = 0;
    for (int i = middle - WIDE; i <= middle + WIDE; ++i) {
        if (i < 0 || i >= STEPS - 1) continue;
        points += points_at(p, i), ++counted;
    }
    return counted > 0 && points > 0 ? points / (counted * step) : 0;
}

/* In cells. */
static mote_Status mesh_volume(const Polygoniser *p, const SurfaceMesh *mesh, double *volume,
                               mote_Error *error)
{
    Lumps lumps;
    double cell = p->blocks->cell;
    mote_Status status = lumps_find(&lumps, mesh, error);
    *volume = 0;
    for (size_t i = 0; status == MOTE_OK && i < lumps.count; ++i)
        *volume += lumps.volume[i] / (cell * cell * cell);
    lumps_free(&lumps);
    return status;
}

mote_Status polygoniser_make(Polygoniser *p, SurfaceMesh *mesh, mote_Error *error)
{
    enum { TRIES = 5 };
    double low = (double)p->scale.range[0], high = (double)p->scale.range[1];
    double step = (high - low) / (STEPS - 1), isovalue, slope, volume;
    double last = 0, before = 0; /* isovalue tried before, and by how much its volume was off */
    bool bulk = p->bulk;
    if (!p->scale.keeps_volume || !(high > low)) return polygoniser_run(p, mesh, error);
    p->scale.isovalue = 0, p->bulk = false;
    mote_parallel_for(p->tasks, p->blocks->count, 1, count_blocks, p);
    p->bulk = bulk;
    isovalue = guess(p, step), slope = slope_at(p, isovalue, step);
    for (int i = 0;; ++i) {
        isovalue = fmax(low, fmin(isovalue, high));
        p->scale.isovalue = (float)isovalue;
        mote_Status status = polygoniser_run(p, mesh, error);
        if (status != MOTE_OK || i == TRIES || !(slope > 0)) return status;
        status = mesh_volume(p, mesh, &volume, error);
        double off = volume - p->volume;
        bool stuck = (off > 0 && isovalue >= high) || (off < 0 && isovalue <= low);
        if (status != MOTE_OK || stuck || fabs(off) < 5e-4 * p->volume) return status;
        /* Volume falls where the isovalue rises, so the slope is kept as a positive number. */
        double secant = (before - off) / (isovalue - last); /* once there are two meshes */
        slope = i > 0 && secant > 0 && isfinite(secant) ? secant : slope;
        last = isovalue, before = off;
        isovalue += off / slope;
    }
}

/* Accelerations of rows that springs act on: forces on single rows, links, and the wind on their
 * triangles. */
#include "solvers/linked/linked.h"

#include "base/status.h"

#include <string.h>

static mote_real *wind_plane(const CoupledStep *step, size_t links, size_t c)
{
    return coupled_plane(step->slot, COUPLED_WIND + 3 * links + c);
}

/* The wind relative to the rows of a block, for the links that feel it. Once a stage for all rows,
 * since triangles share corners. */
static void sample_wind(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    for (size_t l = 0; l < step->slot->link_count; ++l) {
        const Links *links = step->slot->links[l];
        mote_real *u[3];
        if (!(links_def(links)->air > 0)) continue;
        for (size_t c = 0; c < 3; ++c) {
            u[c] = wind_plane(step, l, c) + r.first;
            memset(u[c], 0, r.count * sizeof(mote_real));
        }
        FieldPoints points = {.count = r.count, .x = {r.x[0], r.x[1], r.x[2]}, .t = step->at};
        if (links->wind != NULL) field_sample(links->wind, &points, u);
        for (int c = 0; c < 3; ++c)
            for (size_t i = 0; i < r.count; ++i) u[c][i] -= r.v[c][i];
    }
}

AirView coupled_air(const CoupledStep *step, size_t links)
{
    const mote_System *system = step->slot->system;
    AirView air = {.air = links_def(step->slot->links[links])->air};
    for (size_t c = 0; c < 3; ++c) {
        air.x[c] = column_real(&system->columns[COLUMN_POSITION], (int)c);
        air.u[c] = wind_plane(step, links, c);
    }
    return air;
}

static void add_links(const CoupledStep *step, size_t number, size_t block,
                      mote_real *const force[3])
{
    const Links *links = step->slot->links[number];
    LinkView view = links_view(links, step->slot->system, step->period);
    AirView air = coupled_air(step, number);
    size_t count;
    const LinkSegment *segments = links_segments(links, block, &count);
    step->kernels->pull(&view, segments, count, block * BLOCK_ROWS, force);
    if (!(air.air > 0)) return;
    const TriangleSegment *triangles = links_triangles(links, block, &count);
    step->kernels->press(&air, triangles, count, block * BLOCK_ROWS, force);
}

static void accelerate_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    points_accelerate(&step->slot->points, &r, step->at);
    for (int c = 0; c < 3; ++c) memset(r.sample[c], 0, r.count * sizeof(mote_real));
    for (size_t l = 0; l < step->slot->link_count; ++l) add_links(step, l, block, r.sample);
    step->shop->kernels->settle(&r, step->pinned, r.sample);
    if (step->slot->points.flat) memset(r.a[2], 0, r.count * sizeof(mote_real));
}

static bool feels_wind(const SystemSlot *slot)
{
    for (size_t l = 0; l < slot->link_count; ++l)
        if (links_def(slot->links[l])->air > 0) return true;
    return false;
}

void coupled_accelerate(CoupledStep *step)
{
    if (feels_wind(step->slot)) coupled_for_blocks(step, sample_wind);
    coupled_for_blocks(step, accelerate_block);
}

/* ---- forces between rows ---- */

static bool has_force(const SystemSlot *slot, const Force *force)
{
    for (size_t f = 0; f < slot->points.force_count; ++f)
        if (slot->forces[f] == force) return true;
    return false;
}

static mote_Status look(const CoupledStep *first, const Force *force, mote_Error *error)
{
    ForceRows systems[SOLVER_SYSTEMS];
    ForceCrowd crowd = {.systems = systems, .t = first->at, .tasks = first->shop->tasks};
    for (const CoupledStep *s = first; s != NULL; s = s->next)
        if (has_force(s->slot, force))
            systems[crowd.system_count++] = (ForceRows){s->slot->system, s->rows};
    return force->row->gather(force, &crowd, error);
}

/* A force is looked after by the first system that feels it. */
mote_Status coupled_look(const CoupledStep *step, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (const CoupledStep *s = step; s != NULL; s = s->next)
        for (size_t f = 0; f < s->slot->points.force_count && status == MOTE_OK; ++f) {
            const Force *force = s->slot->forces[f];
            const CoupledStep *first = step;
            if (force->row->gather == NULL) continue;
            while (!has_force(first->slot, force)) first = first->next;
            if (first == s) status = look(s, force, error);
        }
    return status;
}

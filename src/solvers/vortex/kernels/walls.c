/* Which rows touch a convex body: the largest plane distance, plane by plane over a block of rows,
 * after a look at the bounding sphere. */
#include "solvers/vortex/walls.h"
#include "base/loop.h"

static bool any_near(const Polytope *p, const TouchJob *job, mote_real *distance)
{
    const mote_real *x = job->x[0], *y = job->x[1], *z = job->x[2], *radius = job->radius;
    const mote_Vec3 c = p->centre;
    const mote_real bound = p->bound + job->margin;
    FOR_ROWS (i, job->count) {
        mote_real dx = x[i] - c.x, dy = y[i] - c.y, dz = z[i] - c.z, reach = bound + radius[i];
        distance[i] = dx * dx + dy * dy + dz * dz - reach * reach;
    }
    if (p->hole) return true;
    mote_real least = distance[0];
    for (size_t i = 1; i < job->count; ++i) least = distance[i] < least ? distance[i] : least;
    return !(least >= 0);
}

static void plane_distances(const Polytope *p, const TouchJob *job, mote_real *most)
{
    const mote_real *x = job->x[0], *y = job->x[1], *z = job->x[2];
    for (size_t k = 0; k < p->count; ++k) {
        const mote_Vec3 n = p->planes[k].normal;
        const mote_real offset = p->planes[k].offset;
        FOR_ROWS (i, job->count) {
            mote_real d = n.x * x[i] + n.y * y[i] + n.z * z[i] - offset;
            most[i] = k == 0 || d > most[i] ? d : most[i];
        }
    }
}

static void sphere_distances(const Polytope *p, const TouchJob *job, mote_real *distance)
{
    const mote_real *x = job->x[0], *y = job->x[1], *z = job->x[2];
    const mote_Vec3 c = p->centre;
    FOR_ROWS (i, job->count) {
        mote_real dx = x[i] - c.x, dy = y[i] - c.y, dz = z[i] - c.z;
        distance[i] = REAL_SQRT(dx * dx + dy * dy + dz * dz) - p->bound;
    }
}

static size_t touching(const Polytope *p, const TouchJob *job, uint32_t *rows)
{
    mote_real distance[BLOCK_ROWS];
    const mote_real side = p->hole ? -(mote_real)1 : 1;
    size_t count = 0;
    if (job->count == 0 || !any_near(p, job, distance)) return 0;
    (p->count > 0 ? plane_distances : sphere_distances)(p, job, distance);
    for (size_t i = 0; i < job->count; ++i)
        if (!(side * distance[i] >= job->radius[i] + job->margin)) rows[count++] = (uint32_t)i;
    return count;
}

const VortexWallKernels ISA(vortex_wall_kernels_of) = {.touching = touching};

/* A lattice that fills a shape: what a liquid starts as.
 *
 * A simple cubic lattice (square in two dimensions), centred in the shape's bounds, whose outermost
 * layers are half a spacing inside them; points inside the shape are taken, in the order of z, y,
 * x. All are made at once, at the emitter's start. */
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "emit/emitter.h"
#include "geometry/shapes.h"

#include <math.h>

static const mote_Param params[] = {
    PARAM_REAL(mote_FillSource, spacing, "m", "distance between neighbours", 0.02, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_SHAPES(mote_FillSource, shape, "the shape, with its place", 1, 1),
};

typedef struct Lattice {
    mote_Vec3 first;
    uint64_t count[3];
    double spacing;
} Lattice;

static uint64_t axis_count(double extent, double spacing)
{
    double count = floor(extent / spacing + 1e-3);
    return count >= 1 ? count < 1e9 ? (uint64_t)count : (uint64_t)1e9 : 0;
}

static mote_real axis_first(double low, double high, uint64_t count, double spacing)
{
    return (mote_real)((low + high) / 2 - ((double)count - 1) / 2 * spacing);
}

static Lattice lattice_of(const mote_FillSource *fill, bool flat)
{
    const Aabb box = posed_bounds(&fill->shape->parts[0]);
    const mote_real low[3] = {box.low.x, box.low.y, box.low.z};
    const mote_real high[3] = {box.high.x, box.high.y, box.high.z};
    Lattice lattice = {.spacing = (double)fill->spacing};
    mote_real first[3];
    for (int c = 0; c < 3; ++c) {
        double extent = (double)high[c] - (double)low[c];
        lattice.count[c] = flat && c == 2 ? 1 : axis_count(extent, lattice.spacing);
        first[c] = axis_first((double)low[c], (double)high[c], lattice.count[c], lattice.spacing);
    }
    lattice.first = vec3(first[0], first[1], flat ? 0 : first[2]);
    return lattice;
}

static mote_real lattice_x(const Lattice *lattice, uint64_t i)
{
    return (mote_real)((double)lattice->first.x + (double)i * lattice->spacing);
}

/* The points of a row along x that are inside; written to `points` unless that is NULL. */
static size_t lay_row(const Lattice *lattice, const PosedShape *shape, mote_real y, mote_real z,
                      mote_Vec3 *points)
{
    mote_real x[3][BLOCK_ROWS], distance[BLOCK_ROWS], *at[3] = {x[0], x[1], x[2]};
    size_t count = 0;
    for (uint64_t first = 0; first < lattice->count[0]; first += BLOCK_ROWS) {
        uint64_t left = lattice->count[0] - first;
        size_t n = left < BLOCK_ROWS ? (size_t)left : BLOCK_ROWS;
        for (size_t i = 0; i < n; ++i) {
            x[0][i] = lattice_x(lattice, first + i);
            x[1][i] = y, x[2][i] = z;
        }
        posed_distance(shape, n, at, distance);
        for (size_t i = 0; i < n; ++i) {
            if (!(distance[i] < 0)) continue;
            if (points != NULL) points[count] = vec3(x[0][i], y, z);
            ++count;
        }
    }
    return count;
}

static size_t lay_all(const Lattice *lattice, const PosedShape *shape, mote_Vec3 *points)
{
    size_t count = 0;
    for (uint64_t k = 0; k < lattice->count[2]; ++k)
        for (uint64_t j = 0; j < lattice->count[1]; ++j) {
            mote_real y = (mote_real)((double)lattice->first.y + (double)j * lattice->spacing);
            mote_real z = (mote_real)((double)lattice->first.z + (double)k * lattice->spacing);
            count += lay_row(lattice, shape, y, z, points != NULL ? points + count : NULL);
        }
    return count;
}

static mote_Status lay(const void *raw, const SourceSite *site, mote_Vec3 **points, size_t *count,
                       mote_Error *error)
{
    const mote_FillSource *fill = raw;
    const PosedShape *shape = &fill->shape->parts[0];
    Lattice lattice = lattice_of(fill, site->flat);
    double total = (double)lattice.count[0] * (double)lattice.count[1] * (double)lattice.count[2];
    if (total > 4e9)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: a spacing of %g m makes %.3g particles; use a larger one",
                           site->where, lattice.spacing, total);
    *count = lay_all(&lattice, shape, NULL);
    if (*count == 0)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "%s: no particle fits into its shape at a spacing of %g m; use a smaller "
            "spacing",
            site->where, lattice.spacing);
    *points = memory_take(site->memory, *count * sizeof **points);
    if (*points == NULL) return status_no_memory(error, site->where, *count * sizeof **points);
    lay_all(&lattice, shape, *points);
    return MOTE_OK;
}

/* By the shape's share of its box. */
static double estimate(const void *raw, bool flat)
{
    const mote_FillSource *fill = raw;
    if (fill->shape == NULL || !fill->shape->sampled) return 0;
    Lattice lattice = lattice_of(fill, flat);
    const Aabb box = posed_bounds(&fill->shape->parts[0]);
    mote_Vec3 size = vec3_sub(box.high, box.low);
    double full = (double)size.x * (double)size.y * (double)size.z;
    double share = full > 0 ? fill->shape->measures[0].volume / full : 1;
    return share * (double)lattice.count[0] * (double)lattice.count[1] * (double)lattice.count[2];
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_Shapes *shapes = ((const mote_FillSource *)raw)->shape;
    return source_check_shape(shapes, "filled", where, error);
}

static double spacing(const void *raw)
{
    return (double)((const mote_FillSource *)raw)->spacing;
}

static Aabb bounds(const void *raw)
{
    return posed_bounds(&((const mote_FillSource *)raw)->shape->parts[0]);
}

ISA_ONCE(SourceRow, source_fill) = {
    .head = ROW_HEAD("fill", "a lattice that fills a shape, all at once", params, mote_FillSource),
    .lay = lay,
    .estimate = estimate,
    .check = check,
    .bounds = bounds,
    .spacing = spacing,
    .apart =
        0.87, /* any place among those of a lattice is nearer than sqrt(3) / 2 to one of them */
    .liquids_only = true,
};

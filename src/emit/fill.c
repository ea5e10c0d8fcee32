/* A lattice that fills a shape: what a liquid starts as.
 *
 * A simple cubic lattice (square in two dimensions), centred in the shape's bounds, whose outermost
 * layers are half a spacing inside them; points inside the shape are taken, in the order of z, y,
 * x. All are born at once, at the emitter's start. */
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

static uint64_t axis_count(double extent, double spacing)
{
    double count = floor(extent / spacing + 1e-3);
    return count >= 1 ? count < 1e9 ? (uint64_t)count : (uint64_t)1e9 : 0;
}

static mote_real axis_first(double low, double high, uint64_t count, double spacing)
{
    return (mote_real)((low + high) / 2 - ((double)count - 1) / 2 * spacing);
}

static SourceLattice lattice_of(const mote_FillSource *fill, bool flat)
{
    const Aabb box = posed_bounds(&fill->shape->parts[0]);
    const mote_real low[3] = {box.low.x, box.low.y, box.low.z};
    const mote_real high[3] = {box.high.x, box.high.y, box.high.z};
    SourceLattice lattice = {.spacing = (double)fill->spacing};
    mote_real first[3];
    for (int c = 0; c < 3; ++c) {
        double extent = (double)high[c] - (double)low[c];
        lattice.count[c] = flat && c == 2 ? 1 : axis_count(extent, lattice.spacing);
        first[c] = axis_first((double)low[c], (double)high[c], lattice.count[c], lattice.spacing);
    }
    lattice.first = vec3(first[0], first[1], flat ? 0 : first[2]);
    return lattice;
}

/* A line along x, or a part of it. */
typedef struct FillLine {
    const PosedShape *shape;
    uint64_t at[3]; /* of its first point */
    size_t count;
    bool inside[BLOCK_ROWS];
} FillLine;

static void look_inside(const SourceLattice *lattice, FillLine *line)
{
    mote_real x[3][BLOCK_ROWS], distance[BLOCK_ROWS], *planes[3] = {x[0], x[1], x[2]};
    for (size_t i = 0; i < line->count; ++i) {
        const uint64_t at[3] = {line->at[0] + i, line->at[1], line->at[2]};
        const mote_Vec3 p = lattice_at(lattice, at);
        x[0][i] = p.x, x[1][i] = p.y, x[2][i] = p.z;
    }
    posed_distance(line->shape, line->count, planes, distance);
    for (size_t i = 0; i < line->count; ++i) line->inside[i] = distance[i] < 0;
}

static bool add_runs(SourcePlaces *places, const FillLine *line, Memory *memory)
{
    const uint64_t *count = places->lattice.count;
    const uint64_t first = (line->at[2] * count[1] + line->at[1]) * count[0] + line->at[0];
    for (size_t i = 0, end; i < line->count; i = end) {
        for (end = i + 1; end < line->count && line->inside[end] == line->inside[i]; ++end) {
        }
        if (line->inside[i] && !places_add_run(places, memory, first + i, end - i)) return false;
    }
    return true;
}

/* The points that are inside, in the order of z, y, x. */
static bool lay_all(SourcePlaces *places, const PosedShape *shape, Memory *memory)
{
    const SourceLattice *lattice = &places->lattice;
    FillLine line = {.shape = shape};
    uint64_t *at = line.at;
    for (at[2] = 0; at[2] < lattice->count[2]; ++at[2])
        for (at[1] = 0; at[1] < lattice->count[1]; ++at[1])
            for (at[0] = 0; at[0] < lattice->count[0]; at[0] += BLOCK_ROWS) {
                const uint64_t left = lattice->count[0] - at[0];
                line.count = left < BLOCK_ROWS ? (size_t)left : BLOCK_ROWS;
                look_inside(lattice, &line);
                if (!add_runs(places, &line, memory)) return false;
            }
    return true;
}

static mote_Status lay(const void *raw, const SourceSite *site, SourcePlaces *places,
                       mote_Error *error)
{
    const mote_FillSource *fill = raw;
    SourceLattice lattice = lattice_of(fill, site->flat);
    double total = (double)lattice.count[0] * (double)lattice.count[1] * (double)lattice.count[2];
    if (total > 4e9)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: a spacing of %g m makes %.3g particles; use a larger one",
                           site->where, lattice.spacing, total);
    places->lattice = lattice;
    if (!lay_all(places, &fill->shape->parts[0], site->memory))
        return status_no_memory(error, site->where, places->run_count * sizeof *places->runs);
    if (places->count == 0)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "%s: no particle fits into its shape at a spacing of %g m; use a smaller "
            "spacing",
            site->where, lattice.spacing);
    return MOTE_OK;
}

/* By the shape's share of its box. */
static double estimate(const void *raw, bool flat)
{
    const mote_FillSource *fill = raw;
    if (fill->shape == NULL || !fill->shape->sampled) return 0;
    SourceLattice lattice = lattice_of(fill, flat);
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

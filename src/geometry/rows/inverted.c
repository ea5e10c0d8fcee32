/* Complement of a shape: the same distance with the other sign. */
#include "base/loop.h"
#include "base/row.h"
#include "base/status.h"
#include "geometry/shapes.h"

static const mote_Param params[] = {
    PARAM_SHAPES(mote_InvertedShape, shape, "the hollow", 1, 1),
};

static const PosedShape *inner_of(const void *raw)
{
    return &((const mote_InvertedShape *)raw)->shape->parts[0];
}

static void distance(const void *raw, size_t count, mote_real *const x[3], mote_real *out)
{
    posed_distance(inner_of(raw), count, x, out);
    FOR_ROWS (i, count) out[i] = -out[i];
}

static void normal(const void *raw, size_t count, mote_real *const x[3], mote_real *const out[3])
{
    posed_surface(inner_of(raw), count, x, NULL, out);
    for (int c = 0; c < 3; ++c) {
        mote_real *n = out[c];
        FOR_ROWS (i, count) n[i] = -n[i];
    }
}

static void at(const void *raw, size_t count, mote_real *const x[3], mote_real *out,
               mote_real *const n[3])
{
    posed_surface(inner_of(raw), count, x, out, n);
    mote_real *nx = n[0], *ny = n[1], *nz = n[2];
    FOR_ROWS (i, count) out[i] = -out[i], nx[i] = -nx[i], ny[i] = -ny[i], nz[i] = -nz[i];
}

static bool near(const void *raw, size_t count, mote_real *const x[3], mote_real limit)
{
    mote_real d[BLOCK_ROWS];
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        size_t n = posed_block_size(count, first);
        mote_real *at[3] = {x[0] + first, x[1] + first, x[2] + first};
        int far_away = 1;
        distance(raw, n, at, d);
        FOR_ROWS (i, n) far_away &= d[i] >= limit;
        if (!far_away) return true;
    }
    return false;
}

/* No point of a way is nearer to the surface than its start is, less the way. */
static void rule_out(const void *raw, const ShapeWays *ways, uint8_t *flags)
{
    mote_real d[BLOCK_ROWS];
    const mote_real radius = ways->radius;
    for (size_t first = 0; first < ways->count; first += BLOCK_ROWS) {
        const size_t n = posed_block_size(ways->count, first);
        mote_real *from[3];
        for (int c = 0; c < 3; ++c) from[c] = ways->from[c] + first;
        const mote_real *px = from[0], *py = from[1], *pz = from[2], *qx = ways->to[0] + first,
                        *qy = ways->to[1] + first, *qz = ways->to[2] + first;
        uint8_t *own = flags + first;
        distance(raw, n, from, d);
        FOR_ROWS (i, n) {
            mote_real dx = qx[i] - px[i], dy = qy[i] - py[i], dz = qz[i] - pz[i];
            mote_real way = REAL_SQRT(dx * dx + dy * dy + dz * dz);
            mote_real size = REAL_ABS(px[i]) + REAL_ABS(py[i]) + REAL_ABS(pz[i]) + REAL_ABS(qx[i]) +
                             REAL_ABS(qy[i]) + REAL_ABS(qz[i]);
            mote_real least = radius + way + RULE_OUT_MARGIN * (size + radius);
            bool clear = d[i] > least;
            own[i] = (uint8_t)(own[i] & !clear);
        }
    }
}

static Aabb bounds(const void *raw)
{
    (void)raw;
    return aabb_endless();
}

/* Who flies in the hollow meets its wall where it would leave the shape, and the other way round.
 */
static bool cast(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    return posed_leave(inner_of(raw), way, hit);
}

static bool leave(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    return posed_cast(inner_of(raw), way, hit);
}

static void form(const void *raw, ShapeForm *f)
{
    f->hollow = ((const mote_InvertedShape *)raw)->shape;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_Shapes *shape = ((const mote_InvertedShape *)raw)->shape;
    if (shape != NULL && mote_shapes_count(shape) == 1) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: `shape` must be one shape", where);
}

const ShapeRow ISA(shape_inverted) = {
    .head =
        ROW_HEAD("inverted", "everything outside a shape: a container", params, mote_InvertedShape),
    .check = check,
    .near = near,
    SHAPE_CALLBACKS,
    .rule_out = rule_out,
};

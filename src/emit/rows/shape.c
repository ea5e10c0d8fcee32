/* The surface, or the inside, of any shape that has an end. */
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "emit/emitter.h"
#include "geometry/shapes.h"

static const mote_Param params[] = {
    PARAM_SHAPES(mote_ShapeSource, shape, "the shape, with its place", 1, 1),
};

static const PosedShape *shape_of(const void *raw)
{
    return &((const mote_ShapeSource *)raw)->shape->parts[0];
}

static SourcePoint point_of(const PosedShape *shape, const ShapePoint *p)
{
    return (SourcePoint){pose_apply(&shape->pose, p->position),
                         pose_rotate(&shape->pose, p->normal)};
}

/* A thin shape's inside may not be found: then its surface will do. */
static SourcePoint draw(const void *raw, const Birth *birth, bool inside)
{
    const PosedShape *shape = shape_of(raw);
    ShapeRandom random = {birth->key, birth->number, 0, PURPOSE_SOURCE};
    ShapePoint p = {{0, 0, 0}, {0, 0, 0}};
    if (!inside || !shape->row->volume(shape->params, &random, &p))
        shape->row->surface(shape->params, &random, &p);
    return point_of(shape, &p);
}

static SourcePoint surface_point(const void *raw, const Birth *birth)
{
    return draw(raw, birth, false);
}

static SourcePoint volume_point(const void *raw, const Birth *birth)
{
    return draw(raw, birth, true);
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_Shapes *shapes = ((const mote_ShapeSource *)raw)->shape;
    if (shapes == NULL || mote_shapes_count(shapes) != 1)
        return status_fail(error, MOTE_BAD_VALUE, "%s: its source needs one `shape`", where);
    if (shapes->sampled) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: nothing can start on a %s: it has no end", where,
                       shapes->parts[0].row->head.name);
}

const SourceRow ISA(source_surface) = {
    .head =
        ROW_HEAD("surface", "the surface of a shape, uniform in area", params, mote_ShapeSource),
    .point = surface_point,
    .check = check,
};

const SourceRow ISA(source_volume) = {
    .head =
        ROW_HEAD("volume", "the inside of a shape, uniform in volume", params, mote_ShapeSource),
    .point = volume_point,
    .check = check,
};

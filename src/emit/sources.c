/* Sources with a formula, and those on and in shapes. */
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "emit/emitter.h"
#include "geometry/shapes.h"

/* All particles from one point. */

static SourcePoint one_point(const void *raw, const Birth *birth)
{
    (void)raw, (void)birth;
    return (SourcePoint){{0, 0, 0}, {0, 0, 0}};
}

ISA_ONCE(SourceRow, source_point) = {
    .head = ROW_PLAIN("point", "all particles from one point"),
    .point = one_point,
    .is_point = true,
};

/* A disc, uniform in area; outward is its normal. In two dimensions, a segment across it. */

static const mote_Param disc_params[] = {
    PARAM_REAL(mote_DiscSource, radius, "m", "radius of the disc", 0.1, 0, PARAM_LARGEST),
    PARAM_VEC3(mote_DiscSource, normal, "", "direction the disc faces", 0, 1, 0),
};

static SourcePoint disc_point(const void *raw, const Birth *birth)
{
    const mote_DiscSource *p = raw;
    mote_Vec3 n = vec3_unit(birth_flatten(birth, p->normal), vec3(0, 1, 0));
    if (birth->flat) {
        mote_real u = p->radius * random_signed(birth_draw(birth, PURPOSE_SOURCE).word[0]);
        return (SourcePoint){vec3(-n.y * u, n.x * u, 0), n};
    }
    Birth plane = *birth;
    plane.flat = true;
    mote_Vec3 q = vec3_scale(birth_ball_point(&plane), p->radius);
    mote_Vec3 e1 = vec3_across(n), e2 = vec3_cross(n, e1);
    return (SourcePoint){vec3_madd(vec3_scale(e1, q.x), q.y, e2), n};
}

/* Support functions: how far the source reaches along a direction. A disc's is r sin of the angle
 * with its normal. */
static double disc_reach(const void *raw, mote_Vec3 direction)
{
    const mote_DiscSource *p = raw;
    double along = (double)vec3_dot(direction, vec3_unit(p->normal, vec3(0, 1, 0)));
    double across = 1 - along * along;
    return across > 0 ? (double)p->radius * __builtin_sqrt(across) : 0;
}

static mote_Status disc_check(const void *raw, const char *where, mote_Error *error)
{
    const mote_DiscSource *p = raw;
    return row_check_direction(p->normal, "normal", where, error);
}

ISA_ONCE(SourceRow, source_disc) = {
    .head = ROW_HEAD("disc",
                     "a flat disc, uniform in area; in two dimensions a segment across `normal`",
                     disc_params, mote_DiscSource),
    .point = disc_point,
    .check = disc_check,
    .reach = disc_reach,
};

/* A box, uniform in volume, or its faces, uniform in area. */

static const mote_Param box_params[] = {
    PARAM_VEC3(mote_BoxSource, size, "m", "edge lengths", 1, 1, 1),
    PARAM_BOOL(mote_BoxSource, surface, "from the faces only", 0),
};

/* The axis whose pair of faces holds the share u of the whole area. By area, so that points are as
 * dense on all faces. */
static int face_axis(const mote_real size[3], bool flat, mote_real u)
{
    mote_real ax = flat ? size[1] : size[1] * size[2];
    mote_real ay = flat ? size[0] : size[0] * size[2];
    mote_real az = flat ? 0 : size[0] * size[1];
    mote_real at = u * (ax + ay + az);
    return at < ax ? 0 : at < ax + ay ? 1 : 2;
}

static SourcePoint box_point(const void *raw, const Birth *birth)
{
    const mote_BoxSource *p = raw;
    const mote_real size[3] = {p->size.x, p->size.y, birth->flat ? 0 : p->size.z};
    Random4 u = birth_draw(birth, PURPOSE_SOURCE);
    mote_real at[3], out[3] = {0, 0, 0};
    for (int c = 0; c < 3; ++c) at[c] = size[c] * (mote_real)0.5 * random_signed(u.word[c]);
    if (p->surface) {
        int axis = face_axis(size, birth->flat, random_unit(u.word[3]));
        out[axis] = at[axis] < 0 ? -1 : 1;
        at[axis] = out[axis] * size[axis] * (mote_real)0.5;
    }
    return (SourcePoint){vec3(at[0], at[1], at[2]), vec3(out[0], out[1], out[2])};
}

static double box_reach(const void *raw, mote_Vec3 n)
{
    const mote_Vec3 size = ((const mote_BoxSource *)raw)->size;
    return 0.5 * ((double)REAL_ABS(n.x * size.x) + (double)REAL_ABS(n.y * size.y) +
                  (double)REAL_ABS(n.z * size.z));
}

ISA_ONCE(SourceRow, source_box) = {
    .head = ROW_HEAD("box", "a box, uniform in volume, or its faces", box_params, mote_BoxSource),
    .point = box_point,
    .reach = box_reach,
};

/* A ball, uniform in volume, or its skin, uniform in area. */

static const mote_Param sphere_params[] = {
    PARAM_REAL(mote_SphereSource, radius, "m", "radius of the sphere", 0.1, 0, PARAM_LARGEST),
    PARAM_BOOL(mote_SphereSource, surface, "from the skin only", 0),
};

static SourcePoint sphere_point(const void *raw, const Birth *birth)
{
    const mote_SphereSource *p = raw;
    mote_Vec3 q = birth_ball_point(birth), n = vec3_unit(q, vec3(0, 1, 0));
    return (SourcePoint){vec3_scale(p->surface ? n : q, p->radius), n};
}

static double sphere_reach(const void *raw, mote_Vec3 direction)
{
    (void)direction;
    return (double)((const mote_SphereSource *)raw)->radius;
}

ISA_ONCE(SourceRow, source_sphere) = {
    .head = ROW_HEAD("sphere", "a ball, uniform in volume, or its skin", sphere_params,
                     mote_SphereSource),
    .point = sphere_point,
    .reach = sphere_reach,
};

/* The surface, or the inside, of any shape that has an end. */

static const mote_Param shape_params[] = {
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

mote_Status source_check_shape(const mote_Shapes *shapes, const char *used, const char *where,
                               mote_Error *error)
{
    if (shapes == NULL || mote_shapes_count(shapes) != 1)
        return status_fail(error, MOTE_BAD_VALUE, "%s: its source needs one `shape`", where);
    if (shapes->sampled) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: a %s cannot be %s: it has no end", where,
                       shapes->parts[0].row->head.name, used);
}

static mote_Status shape_check(const void *raw, const char *where, mote_Error *error)
{
    const mote_Shapes *shapes = ((const mote_ShapeSource *)raw)->shape;
    return source_check_shape(shapes, "started on", where, error);
}

ISA_ONCE(SourceRow, source_surface) = {
    .head = ROW_HEAD("surface", "the surface of a shape, uniform in area", shape_params,
                     mote_ShapeSource),
    .point = surface_point,
    .check = shape_check,
};

ISA_ONCE(SourceRow, source_volume) = {
    .head = ROW_HEAD("volume", "the inside of a shape, uniform in volume", shape_params,
                     mote_ShapeSource),
    .point = volume_point,
    .check = shape_check,
};

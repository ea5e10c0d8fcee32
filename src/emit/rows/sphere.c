/* A ball, uniform in volume, or its skin, uniform in area. */
#include "base/row.h"
#include "base/vec.h"
#include "emit/emitter.h"

static const mote_Param params[] = {
    PARAM_REAL(mote_SphereSource, radius, "m", "radius of the sphere", 0.1, 0, PARAM_LARGEST),
    PARAM_BOOL(mote_SphereSource, surface, "from the skin only", 0),
};

static SourcePoint point(const void *raw, const Birth *birth)
{
    const mote_SphereSource *p = raw;
    mote_Vec3 q = birth_ball_point(birth), n = vec3_unit(q, vec3(0, 1, 0));
    return (SourcePoint){vec3_scale(p->surface ? n : q, p->radius), n};
}

static double reach(const void *raw, mote_Vec3 direction)
{
    (void)direction;
    return (double)((const mote_SphereSource *)raw)->radius;
}

const SourceRow ISA(source_sphere) = {
    .head = ROW_HEAD("sphere", "a ball, uniform in volume, or its skin", params, mote_SphereSource),
    .point = point,
    .reach = reach,
};

/* A disc, uniform in area; outward is its normal. In two dimensions, a segment across it. */
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "emit/emitter.h"

static const mote_Param params[] = {
    PARAM_REAL(mote_DiscSource, radius, "m", "radius of the disc", 0.1, 0, PARAM_LARGEST),
    PARAM_VEC3(mote_DiscSource, normal, "", "direction the disc faces", 0, 1, 0),
};

static SourcePoint point(const void *raw, const Birth *birth)
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

static double reach(const void *raw, mote_Vec3 direction)
{
    const mote_DiscSource *p = raw;
    double along = (double)vec3_dot(direction, vec3_unit(p->normal, vec3(0, 1, 0)));
    double across = 1 - along * along;
    return across > 0 ? (double)p->radius * __builtin_sqrt(across) : 0;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_DiscSource *p = raw;
    if (vec3_length(p->normal) > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: normal is zero, but must be a direction", where);
}

const SourceRow ISA(source_disc) = {
    .head = ROW_HEAD("disc", "a flat disc, uniform in area", params, mote_DiscSource),
    .point = point,
    .check = check,
    .reach = reach,
};

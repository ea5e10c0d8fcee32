/* A box, uniform in volume, or its faces, uniform in area. */
#include "base/row.h"
#include "base/vec.h"
#include "emit/emitter.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_BoxSource, size, "m", "edge lengths", 1, 1, 1),
    PARAM_BOOL(mote_BoxSource, surface, "from the faces only", 0),
};

/* The axis whose pair of faces holds the share u of the whole area. */
static int face_axis(const mote_real size[3], bool flat, mote_real u)
{
    mote_real ax = flat ? size[1] : size[1] * size[2];
    mote_real ay = flat ? size[0] : size[0] * size[2];
    mote_real az = flat ? 0 : size[0] * size[1];
    mote_real at = u * (ax + ay + az);
    return at < ax ? 0 : at < ax + ay ? 1 : 2;
}

static SourcePoint point(const void *raw, const Birth *birth)
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

static double reach(const void *raw, mote_Vec3 n)
{
    const mote_Vec3 size = ((const mote_BoxSource *)raw)->size;
    return 0.5 * ((double)REAL_ABS(n.x * size.x) + (double)REAL_ABS(n.y * size.y) +
                  (double)REAL_ABS(n.z * size.z));
}

const SourceRow ISA(source_box) = {
    .head = ROW_HEAD("box", "a box, uniform in volume, or its faces", params, mote_BoxSource),
    .point = point,
    .reach = reach,
};

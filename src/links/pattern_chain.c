/* Chains and ropes: particles on a line. */
#include "links/pattern.h"

#include "base/row.h"
#include "base/vec.h"

static const char *const pins[] = {"none", "first", "last", "both", NULL};

static const mote_Param params[] = {
    PARAM_VEC3(mote_ChainPattern, from, "m", "the first particle", 0, 1, 0),
    PARAM_VEC3(mote_ChainPattern, to, "m", "the last particle", 1, 1, 0),
    PARAM_COUNT(mote_ChainPattern, segments, "links along it", 20, 1, PATTERN_MOST),
    PARAM_BOOL(mote_ChainPattern, bend, "bending links to the next but one", 0),
    PARAM_CHOICE(mote_ChainPattern, pin, "which end is pinned", pins, 1),
    PARAM_REAL(mote_ChainPattern, mass, "kg", "mass of all particles together", 1, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(mote_ChainPattern, radius, "m", "radius of a particle", 0.01, 0, PARAM_LARGEST),
    PARAM_VEC3(mote_ChainPattern, velocity, "m/s", "velocity at the start", 0, 0, 0),
};

static void lay(const void *raw, Pattern *out)
{
    const mote_ChainPattern *p = raw;
    size_t n = p->segments;
    out->mass = p->mass / (mote_real)(n + 1);
    out->radius = p->radius;
    out->velocity = p->velocity;
    for (size_t i = 0; i <= n; ++i) {
        mote_real s = (mote_real)((double)i / (double)n);
        mote_Vec3 at = vec3_add(vec3_scale(p->from, 1 - s), vec3_scale(p->to, s));
        bool pinned = (i == 0 && (p->pin & 1) != 0) || (i == n && (p->pin & 2) != 0);
        pattern_particle(out, at, pinned);
    }
    for (size_t i = 0; i < n; ++i) pattern_link(out, i, i + 1, LINK_STRUCTURAL);
    for (size_t i = 0; p->bend && i + 1 < n; ++i) pattern_link(out, i, i + 2, LINK_BEND);
}

static PatternReach reach(const void *raw, mote_Vec3 down)
{
    const mote_ChainPattern *p = raw;
    const mote_Vec3 end = p->pin == 2 ? p->to : p->from;
    const mote_Vec3 hangs = vec3_madd(end, vec3_length(vec3_sub(p->to, p->from)), down);
    return (PatternReach){{p->from, p->to, hangs}, 3, p->radius};
}

const PatternRow pattern_chain = {
    .head = ROW_HEAD("chain", "a chain or rope: particles on a line, each linked to the next",
                     params, mote_ChainPattern),
    .lay = lay,
    .reach = reach,
};

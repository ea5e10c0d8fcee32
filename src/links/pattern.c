/* The table of patterns, laying one out, and the plainest: pairs and chains. */
#include "links/pattern.h"

#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"

ROW_TABLE(pattern_rows, PATTERN_ROWS(ROW_ADDRESS))

#define PATTERN_DEFAULTS(row, S, function)                                                         \
    S function(void)                                                                               \
    {                                                                                              \
        S def = {0};                                                                               \
        if (row.head.param_count > 0) mote_row_defaults(&row.head, &def);                          \
        return def;                                                                                \
    }
PATTERN_ROWS(PATTERN_DEFAULTS)

static bool take(const Pattern *counted, Arena *arena, Pattern *pattern)
{
    bool room = true;
    *pattern = (Pattern){0};
    for (int c = 0; c < 3; ++c) {
        pattern->x[c] = arena_take(arena, (counted->particles + 1) * sizeof(mote_real));
        pattern->corners[c] = arena_take(arena, (counted->triangles + 1) * sizeof(uint64_t));
        room = room && pattern->x[c] != NULL && pattern->corners[c] != NULL;
    }
    for (int e = 0; e < 2; ++e) {
        pattern->ends[e] = arena_take(arena, (counted->links + 1) * sizeof(uint64_t));
        room = room && pattern->ends[e] != NULL;
    }
    pattern->pinned = arena_take(arena, (counted->particles + 1) * sizeof(uint32_t));
    pattern->kind = arena_take(arena, counted->links + 1);
    return room && pattern->pinned != NULL && pattern->kind != NULL;
}

bool pattern_make(const PatternRow *row, const void *params, Arena *arena, Pattern *pattern)
{
    Pattern counted = {0};
    *pattern = counted;
    if (row->lay == NULL) return true;
    row->lay(params, &counted);
    if (!take(&counted, arena, pattern)) return false;
    row->lay(params, pattern);
    return true;
}

/* ---- pairs: no particles of its own ---- */

static mote_Status check_pairs(const void *raw, const char *where, mote_Error *error)
{
    const mote_PairsPattern *p = raw;
    if (p->count > 0 && (p->a == NULL || p->b == NULL))
        return status_fail(error, MOTE_BAD_VALUE, "%s: %zu pairs need the ids of both ends", where,
                           p->count);
    if (p->triangle_count > 0 && p->corner == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: %zu triangles need the ids of their corners",
                           where, p->triangle_count);
    for (size_t i = 0; p->rest != NULL && i < p->count; ++i)
        if (!(p->rest[i] >= 0 && p->rest[i] <= (mote_real)PARAM_LARGEST))
            return status_fail(error, MOTE_BAD_VALUE,
                               "%s: rest length %zu is %g m, but must be 0 or more", where, i,
                               (double)p->rest[i]);
    return MOTE_OK;
}

static const char *const of_link[] = {"i", "l", NULL};

static const mote_Param pairs_params[] = {
    PARAM_FORMULA(mote_PairsPattern, factor, "",
                  "on stiffness and damping of link i, which is l metres long at the start", 1,
                  of_link, 0),
    PARAM_REAL(mote_PairsPattern, mass, "kg", "of each of its own particles; 0: 1 kg", 1, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_PairsPattern, radius, "m", "of each of its own particles", 0.01, 0,
               PARAM_LARGEST),
};

/* The corners of a box around its own particles. */
static PatternReach pairs_reach(const void *raw, mote_Vec3 down)
{
    const mote_PairsPattern *p = raw;
    PatternReach reach = {.radius = p->radius, .count = p->point_count > 0 ? 2 : 0};
    (void)down;
    for (size_t i = 0; i < p->point_count; ++i) {
        const mote_Vec3 at = p->points[i];
        if (i == 0) reach.point[0] = reach.point[1] = at;
        reach.point[0] = vec3_min(reach.point[0], at);
        reach.point[1] = vec3_max(reach.point[1], at);
    }
    return reach;
}

const PatternRow pattern_pairs = {
    .head = ROW_HEAD("pairs", "links between any two particles, by their numbers", pairs_params,
                     mote_PairsPattern),
    .check = check_pairs,
    .reach = pairs_reach,
};

/* ---- chains and ropes: particles on a line ---- */

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
    size_t n = (size_t)p->segments;
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

/* Lattices: a box of particles, each linked to its 26 neighbours: along the edges of the cells
 * (structural), across their faces and through their middles (shear). */
#include "links/pattern.h"

#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_LatticePattern, corner, "m", "the lowest corner", 0, 1, 0),
    PARAM_VEC3(mote_LatticePattern, size, "m", "length along each axis", 0.5, 0.5, 0.5),
    PARAM_COUNT(mote_LatticePattern, x, "particles along x", 6, 2, 4096),
    PARAM_COUNT(mote_LatticePattern, y, "particles along y", 6, 2, 4096),
    PARAM_COUNT(mote_LatticePattern, z, "particles along z", 6, 2, 4096),
    PARAM_BOOL(mote_LatticePattern, pin_bottom, "the lowest layer along y is pinned", 0),
    PARAM_REAL(mote_LatticePattern, mass, "kg", "mass of all particles together", 1, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(mote_LatticePattern, radius, "m", "radius of a particle", 0.01, 0, PARAM_LARGEST),
    PARAM_VEC3(mote_LatticePattern, velocity, "m/s", "velocity at the start", 0, 0, 0),
};

static size_t at(const mote_LatticePattern *p, size_t i, size_t j, size_t k)
{
    return (k * (size_t)p->y + j) * (size_t)p->x + i;
}

static void lay_particles(const mote_LatticePattern *p, Pattern *out)
{
    for (size_t k = 0; k < p->z; ++k)
        for (size_t j = 0; j < p->y; ++j)
            for (size_t i = 0; i < p->x; ++i) {
                mote_Vec3 share = vec3((mote_real)((double)i / (double)(p->x - 1)),
                                       (mote_real)((double)j / (double)(p->y - 1)),
                                       (mote_real)((double)k / (double)(p->z - 1)));
                mote_Vec3 step =
                    vec3(share.x * p->size.x, share.y * p->size.y, share.z * p->size.z);
                pattern_particle(out, vec3_add(p->corner, step), p->pin_bottom && j == 0);
            }
}

/* Half of the 26 directions; the other half are the same links from their other ends. */
static const struct {
    int step[3];
    LinkKind kind;
} directions[] = {
    {{1, 0, 0}, LINK_STRUCTURAL}, {{0, 1, 0}, LINK_STRUCTURAL}, {{0, 0, 1}, LINK_STRUCTURAL},
    {{1, 1, 0}, LINK_SHEAR},      {{-1, 1, 0}, LINK_SHEAR},     {{1, 0, 1}, LINK_SHEAR},
    {{-1, 0, 1}, LINK_SHEAR},     {{0, 1, 1}, LINK_SHEAR},      {{0, -1, 1}, LINK_SHEAR},
    {{1, 1, 1}, LINK_SHEAR},      {{-1, 1, 1}, LINK_SHEAR},     {{1, -1, 1}, LINK_SHEAR},
    {{-1, -1, 1}, LINK_SHEAR},
};

/* The range of a coordinate from which a step stays inside. */
static size_t first_of(int step)
{
    return step < 0 ? 1u : 0u;
}

static size_t end_of(size_t count, int step)
{
    return step > 0 ? count - 1 : count;
}

static void lay_links(const mote_LatticePattern *p, const int step[3], LinkKind kind, Pattern *out)
{
    ptrdiff_t nx = (ptrdiff_t)p->x, ny = (ptrdiff_t)p->y;
    ptrdiff_t jump = (step[2] * ny + step[1]) * nx + step[0];
    for (size_t k = first_of(step[2]); k < end_of((size_t)p->z, step[2]); ++k)
        for (size_t j = first_of(step[1]); j < end_of((size_t)p->y, step[1]); ++j)
            for (size_t i = first_of(step[0]); i < end_of((size_t)p->x, step[0]); ++i) {
                size_t a = at(p, i, j, k);
                pattern_link(out, a, (size_t)((ptrdiff_t)a + jump), kind);
            }
}

/* The two sides across `axis`; u and v follow it cyclically, so that triangles look outwards. */
static void lay_side(const mote_LatticePattern *p, int axis, bool high, Pattern *out)
{
    const size_t count[3] = {(size_t)p->x, (size_t)p->y, (size_t)p->z};
    const size_t step[3] = {1, count[0], count[0] * count[1]};
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    size_t base = high ? (count[axis] - 1) * step[axis] : 0;
    for (size_t j = 0; j + 1 < count[v]; ++j)
        for (size_t i = 0; i + 1 < count[u]; ++i) {
            size_t a = base + j * step[v] + i * step[u];
            size_t b = a + step[u], c = b + step[v], d = a + step[v];
            pattern_triangle(out, a, high ? b : c, high ? c : b);
            pattern_triangle(out, a, high ? c : d, high ? d : c);
        }
}

static void lay(const void *raw, Pattern *out)
{
    const mote_LatticePattern *p = raw;
    out->mass = p->mass / (mote_real)(p->x * p->y * p->z);
    out->radius = p->radius;
    out->velocity = p->velocity;
    lay_particles(p, out);
    for (size_t d = 0; d < sizeof directions / sizeof directions[0]; ++d)
        lay_links(p, directions[d].step, directions[d].kind, out);
    for (int side = 0; side < 6; ++side) lay_side(p, side / 2, side % 2 == 1, out);
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_LatticePattern *p = raw;
    if (!(p->size.x > 0 && p->size.y > 0 && p->size.z > 0))
        return status_fail(error, MOTE_BAD_VALUE, "%s: size must be greater than 0 on every axis",
                           where);
    if ((double)p->x * (double)p->y * (double)p->z <= PATTERN_MOST) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: %llu x %llu x %llu are too many particles",
                       where, (unsigned long long)p->x, (unsigned long long)p->y,
                       (unsigned long long)p->z);
}

static PatternReach reach(const void *raw, mote_Vec3 down)
{
    const mote_LatticePattern *p = raw;
    (void)down;
    return (PatternReach){{p->corner, vec3_add(p->corner, p->size)}, 2, p->radius};
}

const PatternRow pattern_lattice = {
    .head = ROW_HEAD("lattice", "a jelly: a box of particles linked to all their neighbours",
                     params, mote_LatticePattern),
    .lay = lay,
    .check = check,
    .reach = reach,
};

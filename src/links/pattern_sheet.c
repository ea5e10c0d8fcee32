/* Sheets: structural links along rows and columns, shear links across cells, bending links to the
 * next but one (Provot, "Deformation constraints in a mass-spring model to describe rigid cloth
 * behaviour", Graphics Interface 1995). */
#include "links/pattern.h"

#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"

static const char *const shears[] = {"none", "one", "both", NULL};
static const char *const pins[] = {"none",         "top-corners", "top",  "left",
                                   "left-corners", "corners",     "edge", NULL};
enum { PIN_NONE, PIN_TOP_CORNERS, PIN_TOP, PIN_LEFT, PIN_LEFT_CORNERS, PIN_CORNERS, PIN_EDGE };

static const mote_Param params[] = {
    PARAM_VEC3(mote_SheetPattern, corner, "m", "the first particle", 0, 1, 0),
    PARAM_VEC3(mote_SheetPattern, along, "m", "from there along a row, to its end", 1, 0, 0),
    PARAM_VEC3(mote_SheetPattern, across, "m", "from there along a column, to its end", 0, -1, 0),
    PARAM_COUNT(mote_SheetPattern, columns, "particles in a row", 20, 2, 65536),
    PARAM_COUNT(mote_SheetPattern, rows, "particles in a column", 20, 2, 65536),
    PARAM_CHOICE(mote_SheetPattern, shear, "diagonal links of a cell", shears, 2),
    PARAM_BOOL(mote_SheetPattern, bend, "bending links to the next but one", 1),
    PARAM_CHOICE(mote_SheetPattern, pin, "which particles are pinned; the first row is the top",
                 pins, 1),
    PARAM_REAL(mote_SheetPattern, mass, "kg", "mass of all particles together", 0.2, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(mote_SheetPattern, radius, "m", "radius of a particle", 0.01, 0, PARAM_LARGEST),
    PARAM_VEC3(mote_SheetPattern, velocity, "m/s", "velocity at the start", 0, 0, 0),
};

static bool is_pinned(const mote_SheetPattern *p, size_t i, size_t j)
{
    bool left = i == 0, right = i + 1 == p->columns, top = j == 0, bottom = j + 1 == p->rows;
    const bool pinned[] = {[PIN_NONE] = false,
                           [PIN_TOP_CORNERS] = top && (left || right),
                           [PIN_TOP] = top,
                           [PIN_LEFT] = left,
                           [PIN_LEFT_CORNERS] = left && (top || bottom),
                           [PIN_CORNERS] = (left || right) && (top || bottom),
                           [PIN_EDGE] = left || right || top || bottom};
    return pinned[p->pin];
}

static void lay_particles(const mote_SheetPattern *p, Pattern *out)
{
    for (size_t j = 0; j < p->rows; ++j)
        for (size_t i = 0; i < p->columns; ++i) {
            mote_real s = (mote_real)((double)i / (double)(p->columns - 1));
            mote_real t = (mote_real)((double)j / (double)(p->rows - 1));
            mote_Vec3 at = vec3_madd(vec3_madd(p->corner, s, p->along), t, p->across);
            pattern_particle(out, at, is_pinned(p, i, j));
        }
}

/* Links from (i, j) to (i + di, j + dj), wherever both are on the sheet. Direction by direction, so
 * that each direction is one run after another. */
static void lay_links(const mote_SheetPattern *p, int di, int dj, LinkKind kind, Pattern *out)
{
    const size_t columns = (size_t)p->columns;
    size_t first = di < 0 ? (size_t)-di : 0, end = columns - (size_t)(di > 0 ? di : 0);
    for (size_t j = 0; j + (size_t)dj < p->rows; ++j)
        for (size_t i = first; i < end; ++i) {
            size_t a = j * columns + i;
            pattern_link(out, a, a + (size_t)dj * columns + (size_t)(ptrdiff_t)di, kind);
        }
}

static void lay_triangles(const mote_SheetPattern *p, Pattern *out)
{
    size_t n = (size_t)p->columns;
    for (int half = 0; half < 2; ++half) /* one run of each */
        for (size_t j = 0; j + 1 < p->rows; ++j)
            for (size_t i = 0; i + 1 < n; ++i) {
                size_t a = j * n + i;
                if (half == 0)
                    pattern_triangle(out, a, a + n, a + n + 1);
                else
                    pattern_triangle(out, a, a + n + 1, a + 1);
            }
}

static void lay(const void *raw, Pattern *out)
{
    const mote_SheetPattern *p = raw;
    out->mass = p->mass / (mote_real)(p->columns * p->rows);
    out->radius = p->radius;
    out->velocity = p->velocity;
    lay_particles(p, out);
    lay_links(p, 1, 0, LINK_STRUCTURAL, out);
    lay_links(p, 0, 1, LINK_STRUCTURAL, out);
    if (p->shear > 0) lay_links(p, 1, 1, LINK_SHEAR, out);
    if (p->shear > 1) lay_links(p, -1, 1, LINK_SHEAR, out);
    if (p->bend && p->columns > 2) lay_links(p, 2, 0, LINK_BEND, out);
    if (p->bend && p->rows > 2) lay_links(p, 0, 2, LINK_BEND, out);
    lay_triangles(p, out);
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_SheetPattern *p = raw;
    if ((double)p->columns * (double)p->rows <= PATTERN_MOST) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: %llu columns of %llu rows are too many particles; at most 10^8", where,
                       (unsigned long long)p->columns, (unsigned long long)p->rows);
}

static PatternReach reach(const void *raw, mote_Vec3 down)
{
    const mote_SheetPattern *p = raw;
    PatternReach all = {.count = 4, .radius = p->radius};
    (void)down;
    for (int c = 0; c < 4; ++c)
        all.point[c] = vec3_madd(vec3_madd(p->corner, (mote_real)(c & 1), p->along),
                                 (mote_real)(c >> 1), p->across);
    return all;
}

static void spread(const void *raw, size_t i, double uv[2])
{
    const mote_SheetPattern *p = raw;
    uv[0] = (double)(i % p->columns) / (double)(p->columns - 1);
    uv[1] = (double)(i / p->columns) / (double)(p->rows - 1);
}

const PatternRow pattern_sheet = {
    .head = ROW_HEAD("sheet", "a cloth: rows and columns of particles, with triangles", params,
                     mote_SheetPattern),
    .lay = lay,
    .check = check,
    .reach = reach,
    .spread = spread,
};

/* Signed distances from a closed mesh on the points of a grid, within a few cells.
 *
 * Points beside a triangle get their distance from it; the others take over the triangles of points
 * beside them, in sweeps over the grid from all eight corners (Tsai 2002; Zhao 2005): each carries
 * which triangle is nearest, not how far, so distances are exact wherever the nearest triangle
 * arrives. Inside is where a line along x has crossed the mesh an odd number of times: edges are
 * seen in one direction whoever asks, so a line through an edge crosses one of its triangles, or
 * both of a fold, or none. */
#include <mote/surface.h>

#include "base/memory.h"
#include "base/status.h"

#include <math.h>

enum { BAND = 3 /* cells */, MARGIN = BAND + 1, ROUNDS = 2 };
#define NO_TRIANGLE UINT32_MAX

typedef struct BandMaking {
    const mote_FrameSurface *mesh;
    mote_SurfaceBand *band;
    uint32_t *nearest;
    uint8_t *crossings; /* parity of those between a point and the one before it */
} BandMaking;

/* ---- distance from a triangle ---- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void read_corner(const BandMaking *m, uint32_t triangle, int corner, double p[3])
{
    const mote_Vec3 v =
        m->mesh->vertices[m->mesh->triangles[3 * (size_t)triangle + (size_t)corner]];
    p[0] = (double)v.x, p[1] = (double)v.y, p[2] = (double)v.z;
}

/* Squared distance from a segment that begins at a, both as seen from the point. The nearest point
 * of a line a + t e, seen from the origin: t = -a . e / e^2, held within the segment. A segment of
 * no length is its beginning. */
static double segment_square(const double a[3], const double along[3])
{
    const double length = dot(along, along), t = length > 0 ? -dot(a, along) / length : 0;
    const double at = t < 0 ? 0 : t > 1 ? 1 : t;
    double d[3];
    for (int k = 0; k < 3; ++k) d[k] = a[k] + at * along[k];
    return dot(d, d);
}

/* The plane's where the point is above the triangle, else that of the nearest edge. Edges e turn
 * counterclockwise about the normal n = e_0 x e_1, so e x n points out of the triangle, and a point
 * is above it when it is on the inner side of all three. The plane's distance is |n . p| / |n|; a
 * triangle without an area has no plane, but its edges have a distance. */
static double triangle_distance(const BandMaking *m, uint32_t triangle, const double at[3])
{
    double p[3][3], e[3][3], n[3], least = HUGE_VAL;
    bool above = true;
    for (int i = 0; i < 3; ++i) {
        read_corner(m, triangle, i, p[i]);
        for (int k = 0; k < 3; ++k) p[i][k] -= at[k];
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) e[i][k] = p[(i + 1) % 3][k] - p[i][k];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = e[0][i] * e[1][j] - e[0][j] * e[1][i];
    }
    for (int i = 0; i < 3; ++i) {
        const double out[3] = {e[i][1] * n[2] - e[i][2] * n[1], e[i][2] * n[0] - e[i][0] * n[2],
                               e[i][0] * n[1] - e[i][1] * n[0]};
        above = above && dot(out, p[i]) >= 0;
        least = fmin(least, segment_square(p[i], e[i]));
    }
    const double area = dot(n, n);
    return above && area > 0 ? fabs(dot(n, p[0])) / sqrt(area) : sqrt(least);
}

/* ---- points of the grid ---- */

static size_t point_at(const mote_SurfaceBand *b, const int64_t at[3])
{
    return ((size_t)at[2] * b->count[1] + (size_t)at[1]) * b->count[0] + (size_t)at[0];
}

/* Keeps the triangle where it is nearer than the one the point has. */
static void try_triangle(const BandMaking *m, const int64_t at[3], uint32_t triangle)
{
    const mote_SurfaceBand *b = m->band;
    const size_t point = point_at(b, at);
    double place[3];
    if (m->nearest[point] == triangle) return;
    for (int k = 0; k < 3; ++k) place[k] = (double)(b->low[k] + at[k]) * b->cell;
    const float distance = (float)triangle_distance(m, triangle, place);
    if (distance < b->distance[point]) b->distance[point] = distance, m->nearest[point] = triangle;
}

/* Points of the cells that a triangle's box touches, and one more all round: with those of the box
 * alone, sweeps missed the nearest triangle by up to 0.03 cells. */
static void spread_triangle(const BandMaking *m, uint32_t triangle)
{
    const mote_SurfaceBand *b = m->band;
    int64_t low[3], high[3], at[3];
    double p[3][3];
    for (int i = 0; i < 3; ++i) read_corner(m, triangle, i, p[i]);
    for (int k = 0; k < 3; ++k) {
        low[k] = (int64_t)floor(fmin(p[0][k], fmin(p[1][k], p[2][k])) / b->cell) - 1 - b->low[k];
        high[k] = (int64_t)floor(fmax(p[0][k], fmax(p[1][k], p[2][k])) / b->cell) + 2 - b->low[k];
    }
    for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
        for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
            for (at[0] = low[0]; at[0] <= high[0]; ++at[0]) try_triangle(m, at, triangle);
}

/* From the neighbours that the sweep has been at. */
static void take_over(const BandMaking *m, const int64_t at[3], const int step[3])
{
    const mote_SurfaceBand *b = m->band;
    for (int n = 1; n < 8; ++n) {
        int64_t from[3];
        bool inside = true;
        for (int k = 0; k < 3; ++k) {
            from[k] = at[k] - ((n >> k & 1) ? step[k] : 0);
            inside = inside && from[k] >= 0 && from[k] < (int64_t)b->count[k];
        }
        if (!inside) continue;
        const size_t point = point_at(b, from);
        if (m->nearest[point] != NO_TRIANGLE && (double)b->distance[point] < MARGIN * b->cell)
            try_triangle(m, at, m->nearest[point]);
    }
}

/* One sweep of the fast sweeping method: from one corner to the opposite one, so that what is known
 * travels along all directions of that octant within one sweep. */
static void sweep(const BandMaking *m, int corner)
{
    const mote_SurfaceBand *b = m->band;
    int step[3];
    int64_t begin[3], end[3], at[3];
    for (int k = 0; k < 3; ++k) {
        step[k] = (corner >> k & 1) ? -1 : 1;
        begin[k] = step[k] > 0 ? 0 : (int64_t)b->count[k] - 1;
        end[k] = step[k] > 0 ? (int64_t)b->count[k] : -1;
    }
    for (at[2] = begin[2]; at[2] != end[2]; at[2] += step[2])
        for (at[1] = begin[1]; at[1] != end[1]; at[1] += step[1])
            for (at[0] = begin[0]; at[0] != end[0]; at[0] += step[0]) take_over(m, at, step);
}

/* ---- inside and outside ---- */

/* Which side of the line from a to b (y, z) a point is on: 1 or -1, and on it the same as for a
 * line that is a little farther on; from b to a it is the opposite, to the bit. */
static int side_of(const double a[2], const double b[2], const double p[2])
{
    const bool turned = a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]);
    const double *from = turned ? b : a, *to = turned ? a : b;
    const double cross =
        (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]);
    const int side = cross > 0 ? 1 : -1;
    return turned ? -side : side;
}

/* Where lines along x cross a triangle. */
static void cross_triangle(const BandMaking *m, uint32_t triangle)
{
    const mote_SurfaceBand *b = m->band;
    double p[3][3];
    int64_t low[2], high[2];
    for (int i = 0; i < 3; ++i) read_corner(m, triangle, i, p[i]);
    for (int k = 0; k < 2; ++k) {
        const double least = fmin(p[0][k + 1], fmin(p[1][k + 1], p[2][k + 1]));
        const double most = fmax(p[0][k + 1], fmax(p[1][k + 1], p[2][k + 1]));
        low[k] = (int64_t)floor(least / b->cell), high[k] = (int64_t)floor(most / b->cell) + 1;
    }
    for (int64_t z = low[1]; z <= high[1]; ++z)
        for (int64_t y = low[0]; y <= high[0]; ++y) {
            const double at[2] = {(double)y * b->cell, (double)z * b->cell};
            double weight[3], sum = 0, x = 0;
            int sides = 0;
            for (int i = 0; i < 3; ++i) {
                const double *a = p[(i + 1) % 3] + 1, *c = p[(i + 2) % 3] + 1;
                sides += side_of(a, c, at);
                /* Twice the area between the point and the edge across from corner i: barycentric
                 * coordinates before they are divided by their sum. */
                weight[i] = (c[0] - a[0]) * (at[1] - a[1]) - (c[1] - a[1]) * (at[0] - a[0]);
                sum += weight[i];
            }
            if ((sides != 3 && sides != -3) || sum == 0) continue;
            for (int i = 0; i < 3; ++i) x += weight[i] / sum * p[i][0];
            const int64_t first = (int64_t)floor(x / b->cell) + 1 - b->low[0];
            const int64_t point[3] = {first, y - b->low[1], z - b->low[2]};
            m->crossings[point_at(b, point)] ^= 1;
        }
}

/* Along each row the number of crossings so far is odd inside and even outside (Jordan's curve
 * theorem); only its parity is kept. Beyond the band a distance is the band's width, with a sign.
 */
static void set_signs(const BandMaking *m)
{
    const mote_SurfaceBand *b = m->band;
    const float most = (float)(BAND * b->cell);
    for (size_t row = 0; row < b->count[1] * b->count[2]; ++row) {
        uint8_t inside = 0;
        for (size_t i = row * b->count[0]; i < (row + 1) * b->count[0]; ++i) {
            const float distance = b->distance[i] < most ? b->distance[i] : most;
            inside ^= m->crossings[i];
            b->distance[i] = inside ? -distance : distance;
        }
    }
}

/* ---- all of it ---- */

static mote_Status find_box(const mote_FrameSurface *mesh, mote_SurfaceBand *band,
                            mote_Error *error)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double points = 1;
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        const double p[3] = {(double)mesh->vertices[v].x, (double)mesh->vertices[v].y,
                             (double)mesh->vertices[v].z};
        for (int k = 0; k < 3; ++k) low[k] = fmin(low[k], p[k]), high[k] = fmax(high[k], p[k]);
    }
    for (int k = 0; k < 3; ++k) {
        const double first = floor(low[k] / band->cell) - MARGIN;
        const double last = floor(high[k] / band->cell) + 1 + MARGIN;
        points *= last - first + 1;
        if (!(points < 2e9) || !(fabs(first) < 1e15))
            return status_fail(error, MOTE_BAD_VALUE,
                               "surface: a grid of cells of %g m around the mesh would have more "
                               "than 2e9 points; take larger cells",
                               band->cell);
        band->low[k] = (int64_t)first, band->count[k] = (size_t)(last - first + 1);
    }
    return MOTE_OK;
}

/* Two rounds of eight sweeps: the second carries on what the last sweeps of the first have found.
 */
static void fill_band(const BandMaking *m, size_t points)
{
    const uint32_t triangles = (uint32_t)m->mesh->triangle_count;
    for (size_t i = 0; i < points; ++i)
        m->band->distance[i] = (float)(2 * MARGIN * m->band->cell), m->nearest[i] = NO_TRIANGLE;
    for (uint32_t t = 0; t < triangles; ++t) spread_triangle(m, t), cross_triangle(m, t);
    for (int i = 0; i < 8 * ROUNDS; ++i) sweep(m, i % 8);
    set_signs(m);
}

mote_Status mote_surface_band(const mote_FrameSurface *mesh, double cell, mote_SurfaceBand *band,
                              mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    *band = (mote_SurfaceBand){.cell = cell, .count = {0, 0, 0}};
    if (!(cell > 0 && cell < 1e30))
        return status_fail(error, MOTE_BAD_VALUE, "surface: a band's cell must be positive");
    if (mesh->triangle_count == 0) return MOTE_OK;
    mote_Status status = find_box(mesh, band, error);
    if (status != MOTE_OK) return status;
    const size_t points = band->count[0] * band->count[1] * band->count[2];
    BandMaking making = {mesh, band, NULL, NULL};
    band->distance = memory_take(&memory, points * sizeof *band->distance);
    making.nearest = memory_take(&memory, points * sizeof *making.nearest);
    making.crossings = memory_zeroed(&memory, points);
    if (band->distance != NULL && making.nearest != NULL && making.crossings != NULL)
        fill_band(&making, points);
    else
        status = status_no_memory(error, "a surface's band", 9 * points);
    memory_free(&memory, making.crossings, points);
    memory_free(&memory, making.nearest, points * sizeof *making.nearest);
    if (status != MOTE_OK) mote_surface_band_free(band);
    return status;
}

void mote_surface_band_free(mote_SurfaceBand *band)
{
    Memory memory = memory_make(mote_default_allocator());
    const size_t points = band->count[0] * band->count[1] * band->count[2];
    if (band->distance != NULL)
        memory_free(&memory, band->distance, points * sizeof *band->distance);
    *band = (mote_SurfaceBand){.cell = band->cell};
}

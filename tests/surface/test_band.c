/* Signed distances around meshes: beside every triangle looked at one by one, beside a ball's own,
 * and with slopes of 1. */
#include "surface/clouds.h"

static bool in_ball(double x, double y, double z)
{
    return x * x + y * y + z * z < 0.5 * 0.5;
}

static bool in_blobs(double x, double y, double z)
{
    const double a = fabs(x) - 0.3;
    return a * a + y * y + z * z < 0.2 * 0.2;
}

typedef struct BandOf {
    mote_Surface *maker;
    mote_FrameSurface mesh;
    mote_SurfaceReport report;
    mote_SurfaceBand band;
} BandOf;

static BandOf band_of(InShape *shape, double jitter)
{
    Cloud3 c = cloud_of(shape, 0.6, 0.05, jitter);
    mote_SurfaceDef def = mote_surface_def();
    mote_SurfacePoints points = cloud_points(&c);
    BandOf b;
    mote_Error error;
    def.radius = c.spacing / 2;
    SETUP_OK(mote_surface_create(&def, &b.maker, &error), error);
    SETUP_OK(mote_surface_points(b.maker, &points, &b.mesh, &b.report, &error), error);
    SETUP_OK(mote_surface_band(&b.mesh, b.report.cell, &b.band, &error), error);
    cloud_free(&c);
    return b;
}

static void band_end(BandOf *b)
{
    mote_surface_band_free(&b->band);
    mote_surface_destroy(b->maker);
}

static double value_at(const mote_SurfaceBand *b, size_t i, size_t j, size_t k)
{
    return (double)b->distance[(k * b->count[1] + j) * b->count[0] + i] / b->cell;
}

/* Distance from a triangle by a search over its points: the least over a fine grid of them. */
static double slow_distance(const mote_FrameSurface *m, size_t t, const double at[3])
{
    enum { STEPS = 64 };
    double p[3][3], least = 1e30;
    for (int i = 0; i < 3; ++i) look_corner(m, m->triangles[3 * t + (size_t)i], p[i]);
    for (int i = 0; i <= STEPS; ++i)
        for (int j = 0; i + j <= STEPS; ++j) {
            const double u = (double)i / STEPS, v = (double)j / STEPS;
            double square = 0;
            for (int k = 0; k < 3; ++k) {
                const double d =
                    p[0][k] + u * (p[1][k] - p[0][k]) + v * (p[2][k] - p[0][k]) - at[k];
                square += d * d;
            }
            least = fmin(least, square);
        }
    return sqrt(least);
}

/* Every 97th point within the band, against all triangles that are near. */
static void all_triangles(void)
{
    BandOf b = band_of(in_blobs, 0.2);
    const mote_SurfaceBand *band = &b.band;
    size_t points = band->count[0] * band->count[1] * band->count[2], looked = 0;
    double worst = 0;
    for (size_t n = 0; n < points; n += 97) {
        const size_t at[3] = {n % band->count[0], n / band->count[0] % band->count[1],
                              n / band->count[0] / band->count[1]};
        double place[3], least = 3 * band->cell;
        const double found = fabs((double)band->distance[n]);
        if (found > 2.9 * band->cell) continue;
        for (int k = 0; k < 3; ++k) place[k] = (double)(band->low[k] + (int64_t)at[k]) * band->cell;
        for (size_t t = 0; t < b.mesh.triangle_count; ++t) {
            double p[3], far = 0;
            look_corner(&b.mesh, b.mesh.triangles[3 * t], p);
            for (int k = 0; k < 3; ++k) far = fmax(far, fabs(p[k] - place[k]));
            if (far < 5 * band->cell) least = fmin(least, slow_distance(&b.mesh, t, place));
        }
        worst = fmax(worst, fabs(found - least) / band->cell);
        ++looked;
    }
    CHECK(looked > 20);
    CHECK(worst < 0.02); /* the search's own steps */
    band_end(&b);
}

/* Beside a ball: signs, distances (the mesh itself is off by a few hundredths of a cell), and the
 * slope, by central differences: 1 within 3 %, but for one point in a thousand, inside of an edge
 * of the mesh, where the exact distance has a bend. */
static void ball(void)
{
    BandOf b = band_of(in_ball, 0);
    const mote_SurfaceBand *band = &b.band;
    double off = 0, slope = 0, uneven = 0, count = 0, wrong = 0;
    for (size_t k = 1; k + 1 < band->count[2]; ++k)
        for (size_t j = 1; j + 1 < band->count[1]; ++j)
            for (size_t i = 1; i + 1 < band->count[0]; ++i) {
                const double d = value_at(band, i, j, k), x = (double)(band->low[0] + (int64_t)i),
                             y = (double)(band->low[1] + (int64_t)j),
                             z = (double)(band->low[2] + (int64_t)k);
                const double exact = sqrt(x * x + y * y + z * z) - 0.5 / band->cell;
                if (fabs(exact) > 0.5) wrong += d * exact < 0;
                if (fabs(d) > 1.9) continue;
                const double g[3] = {value_at(band, i + 1, j, k) - value_at(band, i - 1, j, k),
                                     value_at(band, i, j + 1, k) - value_at(band, i, j - 1, k),
                                     value_at(band, i, j, k + 1) - value_at(band, i, j, k - 1)};
                const double length = 0.5 * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
                off += fabs(d - exact), count += 1;
                slope += fabs(length - 1), uneven += fabs(length - 1) > 0.03;
            }
    CHECK(wrong == 0);
    CHECK(off / count < 0.1);
    CHECK(slope / count < 0.005);
    CHECK(uneven < 0.001 * count);
    band_end(&b);
}

static void bad_cells(void)
{
    mote_FrameSurface none = {.name = "none"};
    mote_SurfaceBand band;
    mote_Error error;
    CHECK(mote_surface_band(&none, 0, &band, &error) == MOTE_BAD_VALUE);
    CHECK_OK(mote_surface_band(&none, 1, &band, &error), error);
    CHECK(band.count[0] == 0 && band.distance == NULL);
    BandOf b = band_of(in_blobs, 0);
    CHECK(mote_surface_band(&b.mesh, 1e-6, &band, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "take larger cells");
    band_end(&b);
}

TESTS({"all triangles", all_triangles}, {"ball", ball}, {"bad cells", bad_cells})

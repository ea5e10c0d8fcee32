/* Random clouds of every kind: the mesh is closed, manifold and outward whatever the particles do.
 * MOTE_TEST_CLOUDS says how many (1000 are the promise, fewer run in the suite); and bad input. */
#include "failing.h"
#include "surface/clouds.h"

#include <stdlib.h>

static size_t wanted_clouds(void)
{
    const char *text = getenv("MOTE_TEST_CLOUDS");
    return text != NULL ? (size_t)atol(text) : TEST_SANITIZED ? 24 : 120;
}

/* Gas, blobs, sheets, filaments, lattices and piles, some far from the origin. */
static Cloud3 random_cloud(uint64_t *state)
{
    Cloud3 c = {.spacing = pow(10, setup_uniform(state, -2, 1))};
    int kind = (int)setup_uniform(state, 0, 6);
    size_t count = (size_t)pow(10, setup_uniform(state, 0, 3));
    double size = c.spacing * pow((double)count, 1.0 / 3) * setup_uniform(state, 0.3, 2);
    double far = setup_uniform(state, 0, 1) < 0.2 ? 200 * c.spacing : 0;
    for (size_t i = 0; i < count; ++i) {
        double x[3];
        for (int k = 0; k < 3; ++k) x[k] = size * setup_uniform(state, -0.5, 0.5);
        if (kind == 1) x[1] *= 0.02;
        if (kind == 2) x[1] *= 0.02, x[2] *= 0.02;
        for (int k = 0; k < 3 && kind == 3; ++k)
            x[k] = floor(x[k] / c.spacing * 2) * c.spacing / 2; /* points of the grid */
        for (int k = 0; k < 3 && kind == 4; ++k) x[k] *= 1e-3;
        for (int k = 0; k < 3 && kind == 5; ++k) x[k] *= 8;
        cloud_add(&c, x[0] + far, x[1] - far, x[2]);
    }
    return c;
}

static mote_SurfaceDef random_def(uint64_t *state, const Cloud3 *c)
{
    static const char *const fields[] = {"density", "anisotropic", "zhu-bridson", "spheres"};
    mote_SurfaceDef def = mote_surface_def();
    def.field = fields[(int)setup_uniform(state, 0, 4)];
    def.cell = setup_uniform(state, 0.25, 1);
    if (setup_uniform(state, 0, 1) < 0.5) def.cell = 0.5;
    def.radius = c->spacing / 2;
    def.smoothing = setup_uniform(state, 0, 1) < 0.3 ? 5 : 0;
    return def;
}

static void random_clouds(void)
{
    uint64_t state = 11;
    for (size_t i = 0; i < wanted_clouds(); ++i) {
        Cloud3 c = random_cloud(&state);
        mote_SurfaceDef def = random_def(&state, &c);
        mote_SurfacePoints points = cloud_points(&c);
        mote_Surface *surface;
        mote_FrameSurface mesh;
        mote_SurfaceReport report;
        mote_Error error;
        int before = check_failures;
        SETUP_OK(mote_surface_create(&def, &surface, &error), error);
        CHECK_OK(mote_surface_points(surface, &points, &mesh, &report, &error), error);
        MeshLook look = look_at(&mesh, report.cell);
        CHECK(look.bad_edges == 0 && look.bad_fans == 0 && look.unused == 0);
        CHECK(look.bad_normals == 0);
        CHECK(mesh.triangle_count == 0 || look.volume > 0);
        if (def.smoothing == 0) CHECK(look.degenerate == 0);
        if (check_failures > before)
            printf("cloud %zu: %zu particles, spacing %g, %s, cell %g, smoothing %d\n", i, c.count,
                   c.spacing, def.field, def.cell, (int)def.smoothing);
        mote_surface_destroy(surface);
        cloud_free(&c);
    }
}

/* ---- particles alone ---- */

static mote_Status try_points(const mote_SurfaceDef *def, const mote_SurfacePoints *points,
                              MeshLook *look, mote_Error *error)
{
    mote_Surface *surface;
    mote_FrameSurface mesh;
    mote_SurfaceReport report;
    mote_Status status = mote_surface_create(def, &surface, error);
    if (status != MOTE_OK) return status;
    status = mote_surface_points(surface, points, &mesh, &report, error);
    if (status == MOTE_OK) *look = look_at(&mesh, report.cell > 0 ? report.cell : 1);
    mote_surface_destroy(surface);
    return status;
}

/* One particle is a ball of its cube's volume; many in one place are one too. */
static void single_particles(void)
{
    mote_real x[3][4] = {{(mote_real)0.31}, {(mote_real)-0.2}, {(mote_real)0.07}};
    mote_SurfaceDef def = mote_surface_def();
    mote_Error error;
    MeshLook look;
    def.radius = 0.05;
    def.cell = 0.1;
    for (size_t i = 1; i < 4; ++i)
        for (int k = 0; k < 3; ++k) x[k][i] = x[k][0];
    for (size_t count = 1; count <= 4; count += 3) {
        mote_SurfacePoints points = {.count = count, .x = {x[0], x[1], x[2]}};
        CHECK_OK(try_points(&def, &points, &look, &error), error);
        CHECK_CLOSED(look);
        CHECK(look.euler == 2);
        if (count == 1) CHECK_NEAR(look.volume, 0.001, 0.00005);
    }
}

static void specks_go(void)
{
    Cloud3 c = {.spacing = 0.1};
    for (int i = 0; i < 216; ++i) cloud_add(&c, 0.1 * (i % 6), 0.1 * (i / 6 % 6), 0.1 * (i / 36));
    cloud_add(&c, 2, 0, 0);
    mote_SurfacePoints points = cloud_points(&c);
    mote_SurfaceDef def = mote_surface_def();
    mote_Error error;
    MeshLook both, bulk;
    def.radius = 0.05;
    CHECK_OK(try_points(&def, &points, &both, &error), error);
    def.specks = 3;
    CHECK_OK(try_points(&def, &points, &bulk, &error), error);
    CHECK(both.euler == 4 && bulk.euler == 2);
    CHECK_NEAR(both.volume - bulk.volume, 0.001, 0.0007);
    cloud_free(&c);
}

/* ---- spacing from the data ---- */

static bool in_ball(double x, double y, double z)
{
    return x * x + y * y + z * z < 1;
}

static void guesses_spacing(void)
{
    Cloud3 c = cloud_of(in_ball, 1, 0.1, 0.2);
    mote_SurfaceDef def = mote_surface_def();
    mote_SurfacePoints points = cloud_points(&c);
    mote_Surface *surface;
    mote_FrameSurface mesh;
    mote_SurfaceReport report;
    mote_Error error;
    SETUP_OK(mote_surface_create(&def, &surface, &error), error);
    CHECK_OK(mote_surface_points(surface, &points, &mesh, &report, &error), error);
    CHECK(report.guessed);
    CHECK_NEAR(report.spacing, 0.1, 0.01);
    mote_surface_destroy(surface);
    cloud_free(&c);
}

/* ---- bad input ---- */

static void bad_input(void)
{
    mote_real x[3][3] = {{0, 1, 2}, {0, 1, 0}, {0, 0, 1}}, zero[3] = {1, 0, 1};
    mote_SurfacePoints points = {.count = 3, .x = {x[0], x[1], x[2]}};
    mote_SurfaceDef def = mote_surface_def();
    mote_Error error;
    MeshLook look;
    def.radius = 0.5;
    points.count = 0;
    CHECK_OK(try_points(&def, &points, &look, &error), error);
    points.count = 3;
    x[1][2] = (mote_real)NAN;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "particle 2 is not finite");
    x[1][2] = (mote_real)INFINITY;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    x[1][2] = 0;
    def.radius = 0;
    points.radius = zero;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "radius of particle 1 is 0");
    points.radius = NULL;
    points.count = 1;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "give `radius`");
    def.radius = -1;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    def.radius = 0.5, def.cell = 0;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    def.cell = (double)NAN;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    def.cell = 1e-5;
    points.count = 3;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_NO_MEMORY);
    CHECK_MESSAGE(error, "TB or more");
    def.cell = 0.01;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "larger cells");
    def.cell = 0.5;
    x[0][0] = (mote_real)1e15;
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "too far");
    x[0][0] = 0;
    def.field = "denstiy";
    CHECK(try_points(&def, &points, &look, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean `density`");
}

/* Every allocation may fail: an error, no leak. */
static void out_of_memory(void)
{
    Cloud3 c = cloud_of(in_ball, 1, 0.3, 0);
    mote_SurfacePoints points = cloud_points(&c);
    mote_SurfaceDef def = mote_surface_def();
    mote_Status status = MOTE_NO_MEMORY;
    def.radius = c.spacing / 2;
    def.specks = 1;
    for (uint64_t n = 0; n < 100 && status != MOTE_OK; ++n) {
        Failing failing = {.fail_at = n};
        MeshLook look;
        mote_Error error;
        def.allocator = failing_allocator(&failing);
        status = try_points(&def, &points, &look, &error);
        CHECK(status == MOTE_OK || status == MOTE_NO_MEMORY);
        CHECK(failing.bytes == 0);
    }
    CHECK(status == MOTE_OK);
    cloud_free(&c);
}

TESTS({"random clouds", random_clouds}, {"single particles", single_particles},
      {"specks go", specks_go}, {"guesses spacing", guesses_spacing}, {"bad input", bad_input},
      {"out of memory", out_of_memory})

/* Surfaces of shapes whose volume and form are known: closed, manifold, outward, of the right
 * volume and smoothness, for every field. The meshes are looked at by code of the tests' own. */
#include "surface/clouds.h"

#include <stdlib.h>

static double square(double x)
{
    return x * x;
}

static bool in_ball(double x, double y, double z)
{
    return x * x + y * y + z * z < 1;
}

static bool in_cube(double x, double y, double z)
{
    return fmax(fmax(fabs(x), fabs(y)), fabs(z)) < 0.8;
}

static bool in_torus(double x, double y, double z)
{
    return square(hypot(x, z) - 0.7) + y * y < square(0.3);
}

static bool in_blobs(double x, double y, double z)
{
    return square(fabs(x) - 0.5) + y * y + z * z < square(0.4);
}

/* Two slabs, two and a half spacings apart. */
static bool in_slabs(double x, double y, double z)
{
    return fabs(y) > 0.1 && fabs(y) < 0.34 && fabs(x) < 0.5 && fabs(z) < 0.5;
}

static bool in_sheet(double x, double y, double z)
{
    return fabs(y) < 0.06 && fabs(x) < 0.9 && fabs(z) < 0.9;
}

typedef struct Made {
    mote_Surface *surface;
    mote_FrameSurface mesh;
    mote_SurfaceReport report;
    MeshLook look;
} Made;

static Made make(const Cloud3 *c, const mote_SurfaceDef *def)
{
    Made made;
    mote_Error error;
    mote_SurfacePoints points = cloud_points(c);
    SETUP_OK(mote_surface_create(def, &made.surface, &error), error);
    SETUP_OK(mote_surface_points(made.surface, &points, &made.mesh, &made.report, &error), error);
    made.look = look_at(&made.mesh, made.report.cell);
    return made;
}

static mote_SurfaceDef def_of(const Cloud3 *c, uint64_t smoothing)
{
    mote_SurfaceDef def = mote_surface_def();
    def.radius = c->spacing / 2;
    def.smoothing = smoothing;
    return def;
}

/* ---- volumes ---- */

/* Curved surfaces lose 1.1 (spacing / radius)^2 of their volume; `keep_volume` gives it back. */
static const struct {
    const char *name;
    InShape *inside;
    double spacing;
    long euler; /* 2 per piece less 2 per hole */
    bool keep;
} shapes[] = {
    {"ball", in_ball, 0.05, 2, false},   {"cube", in_cube, 0.05, 2, false},
    {"torus", in_torus, 0.03, 0, false}, {"two blobs", in_blobs, 0.03, 4, true},
    {"sheet", in_sheet, 0.04, 2, true},
};

static void closed_shapes(void)
{
    for (size_t i = TEST_SANITIZED ? 3 : 0; i < COUNT_OF(shapes); ++i)
        for (uint64_t smoothing = 0; smoothing <= 15; smoothing += 15) {
            Cloud3 c = cloud_of(shapes[i].inside, 1, shapes[i].spacing, 0);
            mote_SurfaceDef def = def_of(&c, smoothing);
            mote_DensityField field = mote_density_field_def();
            field.keep_volume = shapes[i].keep;
            def.params = &field;
            Made made = make(&c, &def);
            double volume = (double)c.count * pow(c.spacing, 3);
            CHECK_CLOSED(made.look);
            CHECK(made.look.euler == shapes[i].euler);
            CHECK_NEAR(made.look.volume / volume, 1, smoothing ? 0.01 : 0.005);
            mote_surface_destroy(made.surface);
            cloud_free(&c);
        }
}

/* ---- normals of a ball ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Degrees between the faces' normals and the ball's: mean, and what 99 % stay below. */
static void deviation(const mote_FrameSurface *m, double *mean, double *most)
{
    double *angle = malloc(m->triangle_count * sizeof *angle), sum = 0;
    for (size_t t = 0; t < m->triangle_count; ++t) {
        double p[3][3], n[3], middle[3], dot = 0, nn = 0, mm = 0;
        for (int i = 0; i < 3; ++i) look_corner(m, m->triangles[3 * t + (size_t)i], p[i]);
        for (int k = 0; k < 3; ++k) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) -
                   (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
            middle[k] = p[0][k] + p[1][k] + p[2][k];
            dot += n[k] * middle[k], nn += n[k] * n[k], mm += middle[k] * middle[k];
        }
        angle[t] = acos(fmin(1, dot / sqrt(nn * mm))) * 57.29577951308232;
        sum += angle[t];
    }
    qsort(angle, m->triangle_count, sizeof *angle, by_size);
    *mean = sum / (double)m->triangle_count, *most = angle[m->triangle_count * 99 / 100];
    free(angle);
}

static void smooth_ball(void)
{
    for (int jittered = TEST_SANITIZED; jittered < 2; ++jittered) {
        Cloud3 c = cloud_of(in_ball, 1, 0.05, 0.2 * jittered);
        mote_SurfaceDef def = def_of(&c, 15);
        Made made = make(&c, &def);
        double mean, most;
        deviation(&made.mesh, &mean, &most);
        CHECK(mean <= 4);
        CHECK(most <= 10);
        CHECK_NEAR(made.look.volume / made.report.volume, 1, 0.01);
        mote_surface_destroy(made.surface);
        cloud_free(&c);
    }
}

/* Stretched kernels keep the volume that round ones have. Smooth passes leave 1.5 degrees on a
 * drop; a ball cut out of a lattice has terraces, and keeps more of them than 15 passes reach. */
static void stretched_ball(void)
{
    for (int i = TEST_SANITIZED ? 2 : 0; i < 3; ++i) {
        Cloud3 c = i < 2 ? cloud_of(in_ball, 1, 0.05, 0.2 * i) : cloud_layers(1, 0.05);
        mote_SurfaceDef def = def_of(&c, 15);
        def.field = "anisotropic";
        Made made = make(&c, &def);
        double mean, most;
        deviation(&made.mesh, &mean, &most);
        CHECK_CLOSED(made.look);
        CHECK(mean <= (i < 2 ? 4 : 1.5));
        CHECK_NEAR(made.look.volume / made.report.volume, 1, 0.005);
        mote_surface_destroy(made.surface);
        cloud_free(&c);
    }
}

static bool in_slab(double x, double y, double z)
{
    return fabs(y) < 0.2 && fabs(x) < 0.55 && fabs(z) < 0.55;
}

/* Mean height of the middle of the slab's upper side, and the root of the mean square around it, in
 * spacings; vertices are not smoothed. */
static void upper_side(const Cloud3 *c, const char *field, double *mean, double *rough)
{
    mote_SurfaceDef def = def_of(c, 0);
    def.field = field;
    Made made = make(c, &def);
    double sum = 0, squares = 0, count = 0;
    for (size_t v = 0; v < made.mesh.vertex_count; ++v) {
        double p[3];
        look_corner(&made.mesh, (uint32_t)v, p);
        if (p[1] < 0 || fabs(p[0]) > 0.35 || fabs(p[2]) > 0.35) continue;
        const double y = p[1] / c->spacing;
        sum += y, squares += y * y, count += 1;
    }
    *mean = sum / count, *rough = sqrt(squares / count - *mean * *mean);
    mote_surface_destroy(made.surface);
}

/* Particles off their lattice by up to 0.2 spacings: stretched kernels show four fifths of the
 * bumps of round ones, and the surface does not sink, as it would by 0.6 to 0.7 spacings if kernels
 * shrank with their neighbourhood. */
static void slabs_are_level(void)
{
    Cloud3 c = cloud_of(in_slab, 0.6, 0.05, 0.2);
    double round_mean, round_rough, mean, rough;
    upper_side(&c, "density", &round_mean, &round_rough);
    upper_side(&c, "anisotropic", &mean, &rough);
    CHECK_NEAR(mean, 0.2 / 0.05, 0.02);
    CHECK(rough < 0.9 * round_rough);
    cloud_free(&c);
}

/* ---- other fields ---- */

static void all_fields(void)
{
    const char *const names[] = {"density", "anisotropic", "zhu-bridson", "spheres"};
    Cloud3 c = cloud_of(in_torus, 1, 0.06, 0.1);
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        mote_SurfaceDef def = def_of(&c, 0);
        mote_DensityField density = mote_density_field_def();
        mote_AnisotropicField stretched = mote_anisotropic_field_def();
        const void *const params[] = {&density, &stretched, NULL, NULL};
        density.keep_volume = stretched.keep_volume = true;
        def.field = names[i];
        def.params = params[i];
        Made made = make(&c, &def);
        CHECK_CLOSED(made.look);
        CHECK_NEAR(made.look.volume / made.report.volume, 1, i == 3 ? 0.2 : 0.005);
        CHECK(made.look.euler == 0);
        mote_surface_destroy(made.surface);
    }
    cloud_free(&c);
}

/* In the middle between two slabs the mean place of the neighbours is there, too: without the
 * correction a sheet appears where there is no particle. */
static void hollows_stay_open(void)
{
    Cloud3 c = cloud_of(in_slabs, 1, 0.08, 0);
    mote_ZhuBridsonField field = mote_zhu_bridson_field_def();
    mote_SurfaceDef def = def_of(&c, 0);
    field.keep_volume = false;
    def.field = "zhu-bridson";
    def.params = &field;
    Made corrected = make(&c, &def);
    CHECK_CLOSED(corrected.look);
    CHECK(corrected.look.euler == 4);
    field.gentle = 99, field.steep = 100;
    Made plain = make(&c, &def);
    CHECK(plain.look.euler != 4 || plain.look.volume > 1.05 * corrected.look.volume);
    mote_surface_destroy(corrected.surface);
    mote_surface_destroy(plain.surface);
    cloud_free(&c);
}

/* ---- the same surface in other ways ---- */

static bool same_mesh(const mote_FrameSurface *a, const mote_FrameSurface *b)
{
    size_t vertices = a->vertex_count * sizeof *a->vertices;
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->vertices, b->vertices, vertices) == 0 &&
           memcmp(a->normals, b->normals, vertices) == 0 &&
           memcmp(a->triangles, b->triangles, 3 * a->triangle_count * sizeof(uint32_t)) == 0;
}

static void same_for_any_threads(void)
{
    const char *const names[] = {"density", "anisotropic", "zhu-bridson", "spheres"};
    const int threads[] = {2, 8};
    Cloud3 c = cloud_of(in_blobs, 1, 0.05, 0.3);
    for (size_t f = 0; f < COUNT_OF(names); ++f) {
        mote_SurfaceDef def = def_of(&c, 15);
        def.field = names[f];
        def.specks = 2;
        Made one = make(&c, &def);
        for (size_t i = 0; i < COUNT_OF(threads); ++i) {
            mote_TasksDef tasks = mote_tasks_def();
            mote_Error error;
            tasks.threads = threads[i];
            SETUP_OK(mote_tasks_create(&tasks, &def.tasks, &error), error);
            Made many = make(&c, &def);
            CHECK(same_mesh(&one.mesh, &many.mesh));
            mote_surface_destroy(many.surface);
            mote_tasks_destroy(def.tasks);
            def.tasks = NULL;
        }
        mote_surface_destroy(one.surface);
    }
    cloud_free(&c);
}

/* Leaving deep particles out changes neither topology nor places. */
static void deep_is_left_out(void)
{
    Cloud3 c = cloud_of(in_ball, 1, 0.06, 0.2);
    mote_SurfaceDef def = def_of(&c, 0);
    Made sparse = make(&c, &def);
    def.whole = true;
    Made whole = make(&c, &def);
    CHECK(sparse.mesh.vertex_count == whole.mesh.vertex_count);
    CHECK(sparse.mesh.triangle_count == whole.mesh.triangle_count);
    double most = 0;
    for (size_t v = 0; v < whole.mesh.vertex_count && v < sparse.mesh.vertex_count; ++v) {
        mote_Vec3 a = sparse.mesh.vertices[v], b = whole.mesh.vertices[v];
        most = fmax(most, fabs((double)(a.x - b.x)) + fabs((double)(a.y - b.y)) +
                              fabs((double)(a.z - b.z)));
    }
    CHECK(most < 0.001 * whole.report.cell);
    CHECK(sparse.report.deep > c.count / 4 && whole.report.deep == 0);
    mote_surface_destroy(sparse.surface);
    mote_surface_destroy(whole.surface);
    cloud_free(&c);
}

/* A maker keeps memory, not meshes. */
static void made_again(void)
{
    Cloud3 big = cloud_of(in_ball, 1, 0.1, 0), small = cloud_of(in_blobs, 1, 0.1, 0);
    mote_SurfaceDef def = def_of(&big, 5);
    mote_Error error;
    mote_SurfacePoints points = cloud_points(&big);
    mote_FrameSurface again;
    Made first = make(&small, &def);
    Made other = make(&small, &def);
    CHECK_OK(mote_surface_points(first.surface, &points, &again, NULL, &error), error);
    points = cloud_points(&small);
    CHECK_OK(mote_surface_points(first.surface, &points, &again, NULL, &error), error);
    CHECK(same_mesh(&again, &other.mesh));
    mote_surface_destroy(first.surface);
    mote_surface_destroy(other.surface);
    cloud_free(&big), cloud_free(&small);
}

TESTS({"closed shapes", closed_shapes}, {"smooth ball", smooth_ball},
      {"stretched ball", stretched_ball}, {"slabs are level", slabs_are_level},
      {"all fields", all_fields}, {"hollows stay open", hollows_stay_open},
      {"same for any threads", same_for_any_threads}, {"deep is left out", deep_is_left_out},
      {"made again", made_again})

/* What meshes carry of their particles: linear columns are those of the vertices' own places,
 * constant ones stay, and files give back what was there. */
#include "scene/loading.h"
#include "surface/clouds.h"

#include <mote/io.h>

#include <stdio.h>

static bool in_ball(double x, double y, double z)
{
    return x * x + y * y + z * z < 0.5 * 0.5;
}

/* A ball and one particle alone. */
static Cloud3 ball_and_drop(double jitter)
{
    Cloud3 c = cloud_of(in_ball, 0.6, 0.05, jitter);
    cloud_add(&c, 0.9, 0.9, 0.9);
    return c;
}

static double linear(int k, double x, double y, double z)
{
    const double slope[3][3] = {{1, -2, 0.5}, {0, 1.5, 1}, {-1, 0.25, 2}};
    return 3 * k + slope[k][0] * x + slope[k][1] * y + slope[k][2] * z;
}

typedef struct Carried {
    mote_real *values; /* three planes of a linear column, one of a constant one */
    mote_Column columns[2];
} Carried;

static Carried columns_of(const Cloud3 *c)
{
    Carried made = {.values = malloc(4 * c->count * sizeof(mote_real))};
    for (size_t i = 0; i < c->count; ++i) {
        for (int k = 0; k < 3; ++k)
            made.values[(size_t)k * c->count + i] =
                (mote_real)linear(k, (double)c->x[0][i], (double)c->x[1][i], (double)c->x[2][i]);
        made.values[3 * c->count + i] = (mote_real)273.15;
    }
    made.columns[0] = (mote_Column){.name = "velocity",
                                    .unit = "m/s",
                                    .components = 3,
                                    .stride = c->count,
                                    .data = made.values};
    made.columns[1] = (mote_Column){.name = "temperature",
                                    .unit = "K",
                                    .components = 1,
                                    .stride = c->count,
                                    .data = made.values + 3 * c->count};
    return made;
}

static double value_at(const mote_Column *column, int k, size_t v)
{
    return (double)((const mote_real *)column->data)[(size_t)k * column->stride + v];
}

/* The slopes are about 2.5 per metre over a ball of a metre: 1e-3 of what the column spans. A plain
 * mean of neighbours is off by half a spacing and more, thirty times as much. */
static void check_carried(const mote_FrameSurface *mesh)
{
    const mote_FrameSystem *carried = &mesh->carried;
    double worst = 0, warm = 0;
    CHECK(carried->count == mesh->vertex_count && carried->column_count == 2);
    CHECK(strcmp(carried->columns[0].name, "velocity") == 0);
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        double p[3];
        look_corner(mesh, (uint32_t)v, p);
        warm = fmax(warm, fabs(value_at(&carried->columns[1], 0, v) / 273.15 - 1));
        for (int k = 0; k < 3; ++k) {
            const double *at = p, drop[3] = {0.9, 0.9, 0.9};
            if (p[0] > 0.7) at = drop; /* one particle has no slopes */
            worst = fmax(
                worst, fabs(value_at(&carried->columns[0], k, v) - linear(k, at[0], at[1], at[2])));
        }
    }
    CHECK(worst < 2.5e-3);
    CHECK(warm < 1e-6);
}

static void linear_columns(void)
{
    for (int jittered = 0; jittered < 2; ++jittered) {
        Cloud3 c = ball_and_drop(0.2 * jittered);
        Carried carried = columns_of(&c);
        mote_SurfaceDef def = mote_surface_def();
        mote_Surface *maker;
        mote_FrameSurface mesh;
        mote_Error error;
        mote_SurfacePoints points = cloud_points(&c);
        points.columns = carried.columns, points.column_count = 2;
        def.radius = c.spacing / 2;
        SETUP_OK(mote_surface_create(&def, &maker, &error), error);
        CHECK_OK(mote_surface_points(maker, &points, &mesh, NULL, &error), error);
        check_carried(&mesh);
        mote_surface_destroy(maker);
        free(carried.values);
        cloud_free(&c);
    }
}

#define SCENE(attributes)                                                                          \
    "{mote: 1, systems: [{name: \"wet\", surface: {attributes: " attributes "}}], emitters: ["     \
    "{system: \"wet\", radius: 0.05, from: {type: \"box\"}, burst: 300, velocity: [1, 2, 3]}]}"

/* Made, copied, written and read: one hash. */
static void in_frames(void)
{
    Loading l = loading_good(SCENE("[\"velocity\", \"color\"]"));
    mote_World *world;
    mote_SurfaceDef def;
    mote_Surface *maker;
    mote_FrameSurface mesh;
    mote_Frame *copy, *read;
    mote_Error error;
    const char *system;
    SETUP_OK(mote_scene_world(l.scene, NULL, &world, &error), error);
    setup_step(world);
    CHECK(mote_scene_surface(l.scene, 0, &system, &def) && def.attribute_count == 2);
    SETUP_OK(mote_surface_create(&def, &maker, &error), error);
    mote_Frame frame = *mote_world_frame(world);
    SETUP_OK(mote_surface_frame(maker, &frame, system, &mesh, NULL, &error), error);
    CHECK(mesh.carried.column_count == 2 && mesh.carried.count == mesh.vertex_count);
    frame.surfaces = &mesh, frame.surface_count = 1;
    const uint64_t hash = mote_frame_hash(&frame);
    SETUP_OK(mote_frame_copy(&frame, &copy, &error), error);
    CHECK(mote_frame_hash(copy) == hash);
    CHECK_OK(mote_frame_write(copy, "attributes.npz", NULL, &error), error);
    CHECK_OK(mote_frame_read("attributes.npz", &read, &error), error);
    CHECK(mote_frame_hash(read) == hash);
    CHECK(strcmp(read->surfaces[0].carried.columns[1].name, "color") == 0);
    ((mote_real *)(uintptr_t)read->surfaces[0].carried.columns[0].data)[0] += 1;
    CHECK(mote_frame_hash(read) != hash);
    remove("attributes.npz");
    mote_frame_destroy(copy);
    mote_frame_destroy(read);
    mote_surface_destroy(maker);
    mote_world_destroy(world);
    mote_scene_destroy(l.scene);
}

static void unknown_columns(void)
{
    static const char *const names[] = {"velocty", "normal", "id"};
    Loading l = loading_good(SCENE("[]"));
    mote_World *world;
    mote_Error error;
    SETUP_OK(mote_scene_world(l.scene, NULL, &world, &error), error);
    setup_step(world);
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        mote_SurfaceDef def = mote_surface_def();
        mote_Surface *maker;
        mote_FrameSurface mesh;
        def.attributes = &names[i], def.attribute_count = 1;
        SETUP_OK(mote_surface_create(&def, &maker, &error), error);
        CHECK(mote_surface_frame(maker, mote_world_frame(world), "wet", &mesh, NULL, &error) ==
              MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, names[i]);
        mote_surface_destroy(maker);
    }
    mote_world_destroy(world);
    mote_scene_destroy(l.scene);
    l = loading_with(SCENE("[3]"), NULL);
    CHECK(l.status == MOTE_BAD_VALUE);
    mote_scene_destroy(l.scene);
}

TESTS({"linear columns", linear_columns}, {"in frames", in_frames},
      {"unknown columns", unknown_columns})

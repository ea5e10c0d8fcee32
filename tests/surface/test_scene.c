/* The surface of a system in a scene, and of frames. */
#include "scene/loading.h"

#include <mote/surface.h>

#define SCENE(surface)                                                                             \
    "{mote: 1, systems: [{name: \"dry\"}, {name: \"wet\", surface: " surface "}], emitters: ["     \
    "{system: \"wet\", radius: 0.05, from: {type: \"box\"}, burst: 300}]}"

static void reads_a_surface(void)
{
    Loading l = loading_good(
        SCENE("{cell: 0.25, smoothing: 3, specks: 2, radius: 0.1, field: {type: \"spheres\"}}"));
    const char *system;
    mote_SurfaceDef def;
    CHECK(mote_scene_surface(l.scene, 0, &system, &def));
    CHECK(strcmp(system, "wet") == 0 && strcmp(def.field, "spheres") == 0);
    CHECK(def.cell == 0.25 && def.smoothing == 3 && def.specks == 2 && def.radius == 0.1);
    CHECK(!mote_scene_surface(l.scene, 1, &system, &def));
    mote_scene_destroy(l.scene);
    l = loading_good(SCENE("{field: {support: 3}}"));
    CHECK(mote_scene_surface(l.scene, 0, &system, &def) && strcmp(def.field, "density") == 0);
    CHECK_NEAR(((const mote_DensityField *)def.params)->support, 3, 0);
    mote_scene_destroy(l.scene);
}

static void refuses_what_is_wrong(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {{SCENE("{cel: 1}"), "cell"},
                 {SCENE("{cell: 2}"), "cell"},
                 {SCENE("{field: {type: \"denstiy\"}}"), "density"},
                 {SCENE("{field: {support: 100}}"), "support"},
                 {SCENE("3"), "surface"}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        Loading l = loading_with(cases[i].text, NULL);
        CHECK(l.status == MOTE_BAD_VALUE);
        CHECK(strstr(mote_scene_messages(l.scene, false), cases[i].message) != NULL);
        mote_scene_destroy(l.scene);
    }
}

/* Radii come from the frame's column; a frame of two systems wants to know which. */
static void surface_of_a_frame(void)
{
    Loading l = loading_good(SCENE("{}"));
    mote_World *world;
    mote_SurfaceDef def;
    mote_Surface *surface;
    mote_FrameSurface mesh;
    mote_SurfaceReport report;
    mote_Error error;
    const char *system;
    SETUP_OK(mote_scene_world(l.scene, NULL, &world, &error), error);
    setup_step(world);
    mote_scene_surface(l.scene, 0, &system, &def);
    SETUP_OK(mote_surface_create(&def, &surface, &error), error);
    const mote_Frame *frame = mote_world_frame(world);
    CHECK_OK(mote_surface_frame(surface, frame, system, &mesh, &report, &error), error);
    CHECK_NEAR(report.spacing, 0.1, 1e-7);
    CHECK(mesh.triangle_count > 0 && mesh.system == 1 && strcmp(mesh.name, "wet") == 0);
    CHECK_OK(mote_surface_frame(surface, frame, "dry", &mesh, &report, &error), error);
    CHECK(mesh.triangle_count == 0 && mesh.system == 0);
    CHECK(mote_surface_frame(surface, frame, NULL, &mesh, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "2 systems");
    CHECK(mote_surface_frame(surface, frame, "wte", &mesh, NULL, &error) == MOTE_BAD_VALUE);
    mote_surface_destroy(surface);
    mote_world_destroy(world);
    mote_scene_destroy(l.scene);
}

TESTS({"reads a surface", reads_a_surface}, {"refuses what is wrong", refuses_what_is_wrong},
      {"surface of a frame", surface_of_a_frame})

/* Shapes in scenes: meshes from files, points, planes and triangles; shapes within shapes. */
#include "scene/loading.h"

#include <mote/shapes.h>

#include <unistd.h>

#define HEAD "{ mote: 1, systems: [{ name: 'a' }], "

static void shapes_are_read(void)
{
    Loading loading = loading_world(
        HEAD "colliders: ["
             "{ name: 'ball', shape: { type: 'sphere', radius: 0.25 } },"
             "{ name: 'cube', shape: { type: 'convex', mesh: { scale: 2, planes: [[1, 0, 0, 1],"
             "  [-1, 0, 0, 1], [0, 1, 0, 1], [0, -1, 0, 1], [0, 0, 1, 1], [0, 0, -1, 1]] } } },"
             "{ name: 'tetra', shape: { type: 'mesh', mesh: { vertices: [[0, 0, 0], [1, 0, 0],"
             "  [0, 1, 0], [0, 0, 1]], triangles: [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]],"
             "  flip: true } } },"
             "{ name: 'room', shape: { type: 'inverted', shape: { type: 'box', size: [9, 9, 9],"
             "  at: [0, 2, 0], rotate: [0, 0, 90] } } },"
             "{ name: 'pair', shape: { type: 'compound', parts: [{ type: 'sphere', at: [1, 0, 0] },"
             "  { type: 'capsule', at: [-1, 0, 0] }] } }] }");
    const mote_ConvexShape *cube = mote_world_find(loading.world, MOTE_KIND_SHAPE, "cube");
    const mote_MeshShape *tetra = mote_world_find(loading.world, MOTE_KIND_SHAPE, "tetra");
    const mote_InvertedShape *room = mote_world_find(loading.world, MOTE_KIND_SHAPE, "room");
    const mote_CompoundShape *pair = mote_world_find(loading.world, MOTE_KIND_SHAPE, "pair");
    CHECK_NEAR(mote_mesh_facts(cube->mesh)->volume, 64, 1e-3);
    CHECK_NEAR(mote_mesh_facts(tetra->mesh)->volume, 1.0 / 6, 1e-6);
    CHECK(mote_shapes_get(room->shape, 0).pose.position.y == 2);
    CHECK_NEAR(mote_shapes_get(room->shape, 0).pose.orientation.z, sqrt(0.5), 1e-6);
    CHECK(mote_shapes_count(pair->parts) == 2);
    CHECK(strcmp(mote_shapes_get(pair->parts, 1).type, "capsule") == 0);
    mote_Frame *copy;
    CHECK_OK(mote_frame_copy(mote_world_frame(loading.world), &copy, &loading.error),
             loading.error);
    loading_end(&loading);
    const mote_MeshShape *kept = copy->shapes[2].params; /* lives on in the copy */
    CHECK(mote_mesh_facts(kept->mesh)->triangles == 4);
    mote_frame_destroy(copy);
}

static const struct {
    const char *shape, *message;
} mistakes[] = {
    {"{ type: 'mesh', mesh: 'nowhere.obj' }", "cannot read nowhere.obj"},
    {"{ type: 'convex', mesh: { points: [[0, 0, 0], [1, 1, 1]] } }", "4 are needed"},
    {"{ type: 'convex', mesh: { points: [[0, 0], [1, 1]] } }", "list of 3 numbers"},
    {"{ type: 'convex', mesh: { planes: [[1, 0, 0, 1], [-1, 0, 0, 1], [0, 1, 0, 1], [0, -1, 0, 1]]"
     " } }",
     "no end towards"},
    {"{ type: 'convex', mesh: {} }", "needs one of `file`"},
    {"{ type: 'convex', mesh: { points: [[0, 0, 0]], triangles: [[0, 0, 0]] } }",
     "goes with `vertices`"},
    {"{ type: 'convex', mesh: { file: 'a', points: [] } }", "needs one of `file`"},
    {"{ type: 'convex', mesh: { file: 'a', sclae: 2 } }", "unknown key `sclae`"},
    {"{ type: 'mesh', mesh: { vertices: [[0, 0, 0]] } }", "`triangles` is missing"},
    {"{ type: 'mesh', mesh: { vertices: [[0, 0, 0]], triangles: [[0, 0.5, 1]] } }",
     "whole numbers from 0"},
    {"{ type: 'mesh', mesh: 3 }", "expected"},
    {"{ type: 'compound', parts: [] }", "list of 0 shapes"},
    {"{ type: 'compound', parts: [{ type: 'spere' }] }", "did you mean `sphere`?"},
    {"{ type: 'compound', parts: [{ type: 'sphere', radius: -1 }] }", "radius is -1"},
    {"{ type: 'compound', parts: [{ type: 'box', size: [1, -1, 1] }] }", "must not be negative"},
    {"{ type: 'compound', parts: [{ type: 'sphere', at: [1] }] }", "list of 3 numbers"},
    {"{ type: 'compound', parts: [{ type: 'sphere', radius: '=t' }] }", "must be constant"},
    {"{ type: 'inverted', shape: [{ type: 'sphere' }] }", "expected"},
};

static void mistakes_are_told(void)
{
    for (size_t i = 0; i < COUNT_OF(mistakes); ++i) {
        char text[600];
        snprintf(text, sizeof text, HEAD "colliders: [{ shape: %s }] }", mistakes[i].shape);
        Loading loading = loading_with(text, NULL);
        CHECK(loading.status == MOTE_BAD_VALUE);
        CHECK_HOLDS(mote_scene_messages(loading.scene, false), mistakes[i].message);
        loading_end(&loading);
    }
}

/* What only the world refuses. */
static void holes_are_refused(void)
{
    Loading loading =
        loading_good(HEAD "colliders: [{ name: 'c', shape: { type: 'mesh', mesh: { vertices:"
                          " [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]] } } }] }");
    CHECK(mote_scene_world(loading.scene, NULL, &loading.world, &loading.error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(loading.error, "collider c: the mesh has 3 open edges");
    loading_end(&loading);
    loading = loading_good(HEAD "colliders: [{ shape: { type: 'mesh' } }] }");
    CHECK(mote_scene_world(loading.scene, NULL, &loading.world, &loading.error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(loading.error, "`mesh` is missing");
    loading_end(&loading);
}

static uint64_t hash_with(const char *path, const char *contents)
{
    char text[600];
    FILE *file = fopen(path, "w");
    fputs(contents, file);
    fclose(file);
    snprintf(text, sizeof text,
             HEAD "colliders: [{ shape: { type: 'mesh', mesh: '%s', inside: 'none' } },"
                  "{ shape: { type: 'mesh', mesh: '%s', inside: 'none' } }] }",
             path, path);
    Loading loading = loading_good(text);
    uint64_t hash = mote_scene_info(loading.scene).hash;
    loading_end(&loading);
    return hash;
}

/* The contents of a file belong to the scene's hash. */
static void files_count(void)
{
    char path[] = "/tmp/mote-test-XXXXXX.obj";
    int handle = mkstemps(path, 4);
    if (handle < 0) exit(2);
    close(handle);
    const char *one = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const char *two = "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n";
    uint64_t first = hash_with(path, one);
    CHECK(hash_with(path, two) != first);
    CHECK(hash_with(path, one) == first);
    unlink(path);
}

/* Particles start on the surface of a moved shape. */
static void emitters_take_shapes(void)
{
    Loading loading = loading_world(
        HEAD "world: { gravity: [0, 0, 0], fps: 30, max_step: 1 }, emitters: ["
             "{ system: 'a', burst: 200, at: [1, 0, 0], from: { type: 'surface', shape: {"
             "  type: 'sphere', radius: 0.5, at: [0, 3, 0] } } },"
             "{ system: 'a', burst: 200, from: { type: 'volume', shape: { type: 'box',"
             "  size: [1, 2, 3] } } }] }");
    loading_step(&loading, 1);
    const mote_System *system = mote_world_system(loading.world, "a");
    for (size_t i = 0; i < 400; ++i) {
        double x = setup_at(system, "position", 0, i), y = setup_at(system, "position", 1, i),
               z = setup_at(system, "position", 2, i);
        if (i < 200) CHECK_NEAR(hypot(hypot(x - 1, y - 3), z), 0.5, 1e-5);
        if (i >= 200) CHECK(fabs(x) <= 0.5 && fabs(y) <= 1 && fabs(z) <= 1.5);
    }
    loading_end(&loading);
    loading = loading_good(HEAD "emitters: [{ system: 'a', from: { type: 'surface', shape: {"
                                " type: 'plane' } } }] }");
    CHECK(mote_scene_world(loading.scene, NULL, &loading.world, &loading.error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(loading.error, "it has no end");
    loading_end(&loading);
}

TESTS({"shapes_are_read", shapes_are_read}, {"mistakes_are_told", mistakes_are_told},
      {"holes_are_refused", holes_are_refused}, {"files_count", files_count},
      {"emitters_take_shapes", emitters_take_shapes})

/* A default exists once: what a scene leaves out is what the definitions in C say. */
#include "scene_text.h"

#include "scene/scene.h"

#include <string.h>

static bool same_color(mote_Vec3 a, mote_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static mote_Scene *plain_scene(void)
{
    return scene_of_text("{ mote: 1, systems: [{ name: 'a', surface: {}, look: {} }],"
                         "  colliders: [{ name: 'c', shape: { type: 'sphere' }, look: {} }],"
                         "  render: { lights: [{ type: 'sun' }] } }");
}

static void pictures(void)
{
    const mote_RenderDef want = mote_render_def();
    mote_Scene *scene = plain_scene();
    const mote_Camera *camera = &scene->camera;
    CHECK(same_color(camera->from, want.camera.from) && same_color(camera->to, want.camera.to));
    CHECK(camera->fov == want.camera.fov && camera->shutter == want.camera.shutter);
    CHECK(same_color(scene->sky.horizon, want.backdrop.horizon));
    CHECK(same_color(scene->sky.zenith, want.backdrop.zenith));
    CHECK(same_color(scene->ground.colors[0], want.ground.colors[0]));
    CHECK(scene->ground.fade == want.ground.fade && scene->ground.shadow == want.ground.shadow);
    CHECK(scene->trace.bounces == want.trace.bounces && scene->trace.limit == want.trace.limit);
    mote_scene_destroy(scene);
}

/* Of a frame without anything, as scenes draw it. */
static void drawn(void)
{
    const mote_RenderDef want = mote_render_def();
    const mote_Frame empty = {.dt = 1, .dimension = 3, .up_axis = 1}, *frame;
    mote_Scene *scene = plain_scene();
    mote_RenderDef def;
    mote_Error error;
    CHECK_OK(mote_scene_picture(scene, &empty, &def, &frame, &error), error);
    CHECK(def.exposure == want.exposure && def.bloom == want.bloom && def.tone == want.tone);
    CHECK(same_color(def.ambient, want.ambient));
    CHECK(same_color(def.lights[0].toward, mote_light_def().toward));
    CHECK(def.lights[0].size == mote_light_def().size);
    CHECK(same_color(def.shapes[0].color, mote_shape_look_def().color));
    mote_scene_destroy(scene);
}

static void others(void)
{
    const mote_CollideDef collide = mote_collide_def();
    const mote_SurfaceDef surface = mote_surface_def();
    mote_Scene *scene = plain_scene();
    const SceneSystem *system = scene->systems.items;
    const char *name;
    mote_SurfaceDef def;
    CHECK(system->def.collide.stiffness == collide.stiffness);
    CHECK(system->def.collide.reach == collide.reach);
    CHECK(mote_scene_surface(scene, 0, &name, &def));
    CHECK(def.cell == surface.cell && def.smoothing == surface.smoothing);
    CHECK(strcmp(def.field, surface.field) == 0);
    mote_scene_destroy(scene);
}

/* Ranges are those of the tables, whoever asks. */
static void ranges(void)
{
    mote_RenderDef def = mote_render_def();
    const mote_Frame empty = {.dt = 1, .dimension = 3, .up_axis = 1};
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(8, 8, &image, &error), error);
    def.exposure = 0;
    CHECK(mote_render(&def, &empty, image, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "render: exposure is 0, but must be greater than 0");
    def = mote_render_def();
    def.trace.limit = -1;
    CHECK(mote_render(&def, &empty, image, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "trace: limit is -1");
    mote_image_destroy(image);
}

TESTS({"pictures", pictures}, {"drawn", drawn}, {"others", others}, {"ranges", ranges})

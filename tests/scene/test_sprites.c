/* Sprites: every particle is drawn once, by the kernel that its expression names. */
#include "check.h"

#include "particles/system.h"

#include <mote/scene.h>

static const char text[] =
    "{mote: 1, world: {duration: 1}, systems: [{name: 'dust', look: {sprite: '=id - 1'}}],"
    " emitters: [{system: 'dust', burst: 6, opacity: 0.5}]}";

static size_t visible(const mote_FrameSystem *system)
{
    size_t count = 0;
    const mote_Column *opacity = mote_frame_column(system, "opacity");
    for (size_t i = 0; i < system->count; ++i) count += column_real(opacity, 0)[i] > 0;
    return count;
}

/* Values below the table take its first kernel, values beyond it the last. */
static void kernels_share_the_particles(void)
{
    static const char *const kernels[] = {"gaussian", "soft", "disc", "sphere"};
    static const size_t shares[] = {2, 1, 1, 2}; /* ids 0 and 1; 2; 3; 4 and 5 */
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_World *world;
    mote_RenderDef render;
    const mote_Frame *drawn;
    mote_Error error;
    def.text = text;
    CHECK_OK(mote_scene_load(&def, &scene, &error), error);
    CHECK_OK(mote_scene_world(scene, NULL, &world, &error), error);
    CHECK_OK(mote_world_step(world, NULL, &error), error);
    const mote_Frame *frame = mote_world_frame(world);
    CHECK_OK(mote_scene_picture(scene, frame, &render, &drawn, &error), error);
    CHECK(drawn->system_count == 4 && render.look_count == 4);
    for (size_t k = 0; k < 4 && k < drawn->system_count; ++k) {
        CHECK(strcmp(render.looks[k].profile, kernels[k]) == 0);
        CHECK(strcmp(render.looks[k].system, drawn->systems[k].name) == 0);
        CHECK(visible(&drawn->systems[k]) == shares[k]);
    }
    CHECK(visible(&frame->systems[0]) == 6); /* the frame itself is untouched */
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

TESTS({"kernels_share_the_particles", kernels_share_the_particles})

/* A force of C in a scene: force SCENE FRAMES blocks|whole prints the hash of every frame. The test
 * of Python's forces has the same force and compares the bits. */
#include <mote/scene.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A magnetic field along z, and a pull to the y axis that grows with time. */
static void bend(void *context, size_t first_row, size_t count, const mote_real *const x[3],
                 const mote_real *const v[3], const mote_real *mass, double t,
                 mote_real *const a[3])
{
    const mote_real strength = 4, pull = (mote_real)(1 + t);
    (void)context, (void)first_row;
    for (size_t i = 0; i < count; ++i) {
        a[0][i] += strength * v[1][i] / mass[i] - pull * x[0][i];
        a[1][i] += -(strength * v[0][i]) / mass[i];
        a[2][i] += -(pull * x[2][i]);
    }
}

static mote_Status bend_all(void *context, const mote_ForceArrays *rows, mote_Error *error)
{
    (void)error;
    bend(context, 0, rows->count, rows->x, rows->v, rows->mass, rows->t, rows->a);
    return MOTE_OK;
}

int main(int count, char **words)
{
    mote_SceneDef def = mote_scene_def();
    mote_CallbackForce bending = {bend, NULL};
    mote_WholeCallbackForce whole = {bend_all, NULL};
    mote_ForceDef force = mote_force_def();
    mote_Scene *scene = NULL;
    mote_World *world = NULL;
    mote_Error error = {0};
    if (count < 4) return 2;
    def.path = words[1];
    force.type = "callback", force.params = &bending;
    if (words[3][0] == 'w') force.type = "whole-callback", force.params = &whole;
    mote_Status status = mote_scene_load(&def, &scene, &error);
    if (status == MOTE_OK) status = mote_scene_world(scene, NULL, &world, &error);
    if (status == MOTE_OK) status = mote_world_add_force(world, &force, &error);
    if (status == MOTE_OK) status = mote_world_start(world, &error);
    for (int i = 0; i < atoi(words[2]) && status == MOTE_OK; ++i) {
        status = mote_world_step(world, NULL, &error);
        if (status == MOTE_OK) printf("%" PRIx64 "\n", mote_frame_hash(mote_world_frame(world)));
    }
    if (status != MOTE_OK) fprintf(stderr, "%s\n", error.message);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    return status != MOTE_OK;
}

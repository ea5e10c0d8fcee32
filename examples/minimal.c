/* A small fountain: particles leave a point, fall, and stay on the ground where they land.
 *
 *     cc minimal.c $(pkg-config --cflags --libs mote) -o minimal */
#include <mote/world.h>

#include <stdio.h>

static mote_Status build(mote_World *world, mote_System **water, mote_Error *error)
{
    mote_SystemDef system = mote_system_def();
    mote_ColliderDef ground = mote_collider_def(); /* the plane y = 0 */
    mote_EmitterDef nozzle = mote_emitter_def();
    mote_Status status;
    system.name = "water";
    ground.restitution = 0;
    nozzle.system = "water", nozzle.at.y = nozzle.radius;
    nozzle.rate = 1000, nozzle.velocity.y = 3, nozzle.spread = (mote_real)0.2;
    status = mote_world_add_system(world, &system, water, error);
    if (status == MOTE_OK) status = mote_world_add_collider(world, &ground, error);
    if (status == MOTE_OK) status = mote_world_add_emitter(world, &nozzle, error);
    return status;
}

static double mean_height(const mote_System *system)
{
    const mote_Column *position = mote_system_column(system, "position");
    const mote_real *y = (const mote_real *)position->data + position->stride;
    size_t count = mote_system_count(system);
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += (double)y[i];
    return count > 0 ? sum / (double)count : 0;
}

int main(void)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world = NULL;
    mote_System *water;
    mote_Error error;
    def.fps = 60, def.max_step = 0.001;
    mote_Status status = mote_world_create(&def, &world, &error);
    if (status == MOTE_OK) status = build(world, &water, &error);
    for (int i = 0; i < 60 && status == MOTE_OK; ++i) status = mote_world_step(world, NULL, &error);
    if (status == MOTE_OK)
        printf("%zu particles, mean height %.3f m\n", mote_system_count(water), mean_height(water));
    else
        fprintf(stderr, "%s\n", error.message);
    mote_world_destroy(world);
    return status != MOTE_OK;
}

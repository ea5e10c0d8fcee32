/* Dust in a game: a bat that the game moves pushes it, a ray from the player finds what it looks
 * at, and the frames take as long as they take.
 *
 *     cc game_loop.c $(pkg-config --cflags --libs mote) -lm -o game_loop */
#include <mote/world.h>

#include <math.h>
#include <stdio.h>

enum { FRAMES = 90, GRAINS = 500 };

static mote_Status build(mote_World *world, mote_System **dust, mote_Error *error)
{
    mote_SystemDef system = mote_system_def();
    mote_ColliderDef ground = mote_collider_def(), bat = mote_collider_def();
    mote_EmitterDef heap = mote_emitter_def();
    mote_BoxSource box = mote_box_source_def();
    mote_BoxShape board = mote_box_shape_def();
    mote_Status status;
    system.name = heap.system = "dust";
    ground.name = "ground", ground.restitution = 0;
    board.size = (mote_Vec3){(mote_real)0.1, 1, 2};
    bat.name = "bat", bat.shape = "box", bat.shape_params = &board, bat.restitution = 0;
    box.size = (mote_Vec3){1, (mote_real)0.4, 1};
    heap.source = "box", heap.source_params = &box, heap.burst = GRAINS, heap.rate = 0;
    heap.at = (mote_Vec3){(mote_real)0.8, (mote_real)0.3, 0};
    status = mote_world_add_system(world, &system, dust, error);
    if (status == MOTE_OK) status = mote_world_add_collider(world, &ground, error);
    if (status == MOTE_OK) status = mote_world_add_collider(world, &bat, error);
    if (status == MOTE_OK) status = mote_world_add_emitter(world, &heap, error);
    return status;
}

/* Where the game wants the bat at a time: it swings to the right. */
static mote_Pose bat_at(double t)
{
    const mote_Vec3 lean = {0, 0, (mote_real)(-0.2 * t)};
    return mote_pose_turned((mote_Vec3){(mote_real)(1.2 * t), (mote_real)0.5, 0}, lean);
}

/* A frame of the game: 10 to 25 ms. The bat is driven to where it will be at the frame's end, so
 * that it meets all that is in between. */
static mote_Status play(mote_World *world, int frame, mote_Error *error)
{
    const double seconds = 0.010 + 0.015 * fabs(sin(0.7 * frame));
    const mote_Pose next = bat_at(mote_world_time(world) + seconds);
    mote_Status status = mote_world_drive_collider(world, "bat", &next, seconds, error);
    return status == MOTE_OK ? mote_world_advance(world, seconds, NULL, error) : status;
}

/* Grains behind the bat: there must be none. */
static int behind(mote_World *world, const mote_System *dust)
{
    const mote_Column *position = mote_system_column(dust, "position");
    const mote_real *x = position->data;
    const mote_Pose bat = bat_at(mote_world_time(world));
    int count = 0;
    for (size_t i = 0; i < mote_system_count(dust); ++i)
        count += x[i] < bat.position.x - (mote_real)0.3;
    return count;
}

int main(void)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world = NULL;
    mote_System *dust = NULL;
    mote_SolidPoint seen = {0};
    mote_Cast look = {{-2, (mote_real)0.6, 0}, {10, 0, 0}, 0};
    mote_Error error;
    def.max_step = 1.0 / 240;
    mote_Status status = mote_world_create(&def, &world, &error);
    if (status == MOTE_OK) status = build(world, &dust, &error);
    for (int i = 0; i < FRAMES && status == MOTE_OK; ++i) status = play(world, i, &error);
    if (status == MOTE_OK && mote_world_cast(world, &look, &seen))
        printf("the player sees the %s %.2f m away, and %d of %zu grains are behind it\n",
               seen.collider, seen.distance, behind(world, dust), mote_system_count(dust));
    else if (status != MOTE_OK)
        fprintf(stderr, "%s\n", error.message);
    mote_world_destroy(world);
    return status != MOTE_OK;
}

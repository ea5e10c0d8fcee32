/* Things come and go: every tenth of a second a crate appears, sparks burst from it, and it is
 * taken away again. The world stays as small as it was.
 *
 *     cc come_and_go.c $(pkg-config --cflags --libs mote) -o come_and_go */
#include <mote/world.h>

#include <stdio.h>

enum { BLASTS = 200 };

/* A crate, and a burst of sparks from it; both have this name. */
static mote_Status blast(mote_World *world, const char *name, double at, mote_Error *error)
{
    mote_BodyDef crate = mote_body_def();
    mote_EmitterDef sparks = mote_emitter_def();
    crate.name = sparks.name = name;
    crate.motion.at = sparks.at = (mote_Vec3){(mote_real)at, 2, 0};
    sparks.at.y += 1;
    sparks.system = "sparks", sparks.burst = 50, sparks.rate = 0;
    sparks.velocity.y = 2, sparks.spread = 1, sparks.lifetime = (mote_real)0.5;
    mote_Status status = mote_world_add_body(world, &crate, error);
    return status == MOTE_OK ? mote_world_add_emitter(world, &sparks, error) : status;
}

static mote_Status clear(mote_World *world, const char *name, mote_Error *error)
{
    mote_Status status = mote_world_remove(world, MOTE_KIND_EMITTER, name, error);
    return status == MOTE_OK ? mote_world_remove(world, MOTE_KIND_BODY, name, error) : status;
}

/* A tenth of a second; what was there is taken away after it. Names differ, so that the random
 * numbers do. */
static mote_Status play(mote_World *world, int number, mote_Error *error)
{
    char name[32];
    snprintf(name, sizeof name, "crate %d", number);
    mote_Status status = blast(world, name, 0.1 * (number % 7), error);
    if (status == MOTE_OK) status = mote_world_advance(world, 0.1, NULL, error);
    return status == MOTE_OK ? clear(world, name, error) : status;
}

int main(void)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef sparks = mote_system_def();
    mote_ColliderDef ground = mote_collider_def();
    mote_World *world = NULL;
    size_t early = 0, late = 0;
    uint64_t calls;
    mote_Error error;
    sparks.name = "sparks", ground.name = "ground";
    mote_Status status = mote_world_create(&def, &world, &error);
    if (status == MOTE_OK) status = mote_world_add_system(world, &sparks, NULL, &error);
    if (status == MOTE_OK) status = mote_world_add_collider(world, &ground, &error);
    for (int i = 0; i < BLASTS && status == MOTE_OK; ++i) {
        status = play(world, i, &error);
        if (status == MOTE_OK && (i == 20 || i == BLASTS - 1))
            mote_world_memory(world, i == 20 ? &early : &late, &calls);
    }
    if (status == MOTE_OK)
        printf(
            "%zu emitters and %zu bodies are left, %zu sparks, and %d bytes more than early on\n",
            mote_world_count(world, MOTE_KIND_EMITTER), mote_world_count(world, MOTE_KIND_BODY),
            mote_system_count(mote_world_system(world, "sparks")), (int)(late - early));
    else
        fprintf(stderr, "%s\n", error.message);
    mote_world_destroy(world);
    return status != MOTE_OK;
}

/* Memory that one of two ranks is refused: all are told, none waits, and nothing is lost. */
#ifndef TESTS_WORLD_RANK_FAULTS_H
#define TESTS_WORLD_RANK_FAULTS_H

#include "failing.h"
#include "ranks/ranks.h"
#include "setup.h"

#include <mote/scene.h>

#include <string.h>

typedef struct RankFault {
    const char *scene; /* its text */
    int rank;
    uint64_t request; /* for memory, that fails on this rank; UINT64_MAX: none does */
    uint64_t asked;   /* by rank 0, from the first step on */
} RankFault;

static inline mote_Status fault_body(void *context, const mote_Ranks *ranks, mote_Error *error)
{
    RankFault *fault = context;
    Failing failing = {.fail_at = UINT64_MAX};
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_World *world;
    def.text = fault->scene, def.allocator = failing_allocator(&failing);
    SETUP_OK(mote_scene_load(&def, &scene, error), *error);
    SETUP_OK(mote_scene_world_on(scene, NULL, ranks, &world, error), *error);
    const uint64_t made = failing.requests;
    if (ranks->own == fault->rank && fault->request < UINT64_MAX)
        failing.fail_at = made + fault->request;
    mote_Status status = mote_world_step(world, NULL, error);
    if (ranks->own == 0 && fault->request == UINT64_MAX) fault->asked = failing.requests - made;
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    CHECK(failing.bytes == 0);
    CHECK(status == MOTE_OK || (status == MOTE_NO_MEMORY && strstr(error->message, "memory")));
    return status;
}

/* Every request of a step, or about a dozen of them; at least so many must end it. */
static inline void check_faults(const char *scene, bool each, size_t least)
{
    RankFault fault = {.scene = scene, .request = UINT64_MAX};
    mote_Error error;
    size_t failed = 0;
    CHECK_OK(ranks_run_threads(2, fault_body, &fault, &error), error);
    CHECK(fault.asked > 2 * least);
    const uint64_t every = each ? 1 : 1 + fault.asked / 12;
    for (uint64_t request = 0; request < fault.asked; request += every) {
        fault.request = request, fault.rank = (int)(request % 2);
        failed += ranks_run_threads(2, fault_body, &fault, &error) == MOTE_NO_MEMORY;
    }
    CHECK(failed >= least);
}

#endif

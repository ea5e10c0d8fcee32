/* Same bits for any number of threads, any instruction set, with and without saving and reloading,
 * and for every compiler: the values below. A change of the physics changes them, and the message
 * prints the new one. */
#include "world/scenes.h"

#ifdef MOTE_DOUBLE
static const uint64_t golden[] = {0x4d8109976b4536b5u, 0x188d475c9a174d0cu, 0x9b43802280026d29u,
                                  0x464ba8498e5201efu};
#else
static const uint64_t golden[] = {0x527b29041c078d48u, 0xc714cd18832b4300u, 0xdbd211bc3871b704u,
                                  0x47617ad02403629bu};
#endif

static uint64_t run_with(const Scene *scene, int threads, bool reload)
{
    mote_WorldDef like = mote_world_def();
    mote_TasksDef def = {.threads = threads};
    mote_Error error;
    if (threads > 0) SETUP_OK(mote_tasks_create(&def, &like.tasks, &error), error);
    like.reload_always = reload;
    mote_World *world = scene->make(&like);
    uint64_t hash = scene_run(world, scene->frames);
    mote_world_destroy(world);
    mote_tasks_destroy(like.tasks);
    return hash;
}

static void check_golden(size_t s, uint64_t hash, const char *how)
{
    CHECK(hash == golden[s]);
    if (hash != golden[s])
        fprintf(stderr, "  scene %s, %s: 0x%016llxu\n", scenes[s].name, how,
                (unsigned long long)hash);
}

static void one_thread(void)
{
    for (size_t s = 0; s < COUNT_OF(scenes); ++s)
        check_golden(s, run_with(&scenes[s], 0, false), "no threads");
}

static void many_threads(void)
{
    static const int threads[] = {1, 2, 3, 8};
    for (size_t s = 0; s < COUNT_OF(scenes); ++s)
        for (size_t t = 0; t < COUNT_OF(threads); ++t)
            check_golden(s, run_with(&scenes[s], threads[t], false), "threads");
}

static void instruction_sets(void)
{
    static const char *const names[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        setenv("MOTE_ISA", names[i], 1);
        if (mote_isa_check(NULL) != MOTE_OK) {
            printf("skipped: this machine lacks %s\n", names[i]);
            continue;
        }
        for (size_t s = 0; s < COUNT_OF(scenes); ++s)
            check_golden(s, run_with(&scenes[s], 2, false), names[i]);
    }
    unsetenv("MOTE_ISA");
}

static void reloading(void)
{
    for (size_t s = 0; s < COUNT_OF(scenes); ++s)
        check_golden(s, run_with(&scenes[s], 2, true), "reloading");
}

/* The scenes hold what they are for. */
static void scenes_are_alive(void)
{
    mote_WorldDef like = mote_world_def();
    mote_World *world = scene_fountain(&like);
    uint64_t hits = 0, died = 0, emitted = 0;
    for (int i = 0; i < scenes[0].frames; ++i) {
        mote_StepReport report = setup_step(world);
        hits += report.hits, died += report.died, emitted += report.emitted;
        CHECK(report.substeps == 3);
    }
    CHECK(hits > 1000 && died > 1000 && emitted > 20000);
    CHECK(mote_system_count(mote_world_system(world, "water")) > 8192);
    mote_world_destroy(world);
}

TESTS({"one_thread", one_thread}, {"many_threads", many_threads},
      {"instruction_sets", instruction_sets}, {"reloading", reloading},
      {"scenes_are_alive", scenes_are_alive})

/* Same bits for any number of threads, any instruction set, with and without saving and reloading,
 * and for every compiler: the values in goldens.h. */
#include "world/goldens.h"

/* ---- running ---- */

static mote_Scene *load_golden(const char *file, bool reload)
{
    static const char *const settings[] = {"world.reload_always=true"};
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_Error error;
    char path[512];
    snprintf(path, sizeof path, "%s/golden/%s.json5", TEST_DATA, file);
    def.path = path;
    def.settings = settings, def.setting_count = reload ? 1 : 0;
    mote_Status status = mote_scene_load(&def, &scene, &error);
    if (status != MOTE_OK && scene != NULL)
        fprintf(stderr, "%s\n", mote_scene_messages(scene, false));
    SETUP_OK(status, error);
    return scene;
}

static GoldenRun start(const Golden *golden, int threads, bool reload)
{
    GoldenRun run = {.tasks = threads > 0 ? setup_tasks(threads) : NULL};
    mote_WorldDef like = mote_world_def();
    mote_Error error;
    like.tasks = run.tasks;
    like.reload_always = reload;
    if (golden->make != NULL) {
        run.world = golden->make(&like);
    } else {
        run.scene = load_golden(golden->file, reload);
        SETUP_OK(mote_scene_world(run.scene, run.tasks, &run.world, &error), error);
    }
    return run;
}

static void end(GoldenRun *run)
{
    mote_world_destroy(run->world);
    mote_scene_destroy(run->scene);
    mote_tasks_destroy(run->tasks);
}

static void check_golden(const Golden *golden, int threads, bool reload, const char *how)
{
    const uint64_t wanted = sizeof(mote_real) == 4 ? golden->in_float : golden->in_double;
    GoldenRun run = start(golden, threads, reload);
    for (int i = 0; i < golden->frames; ++i) setup_step(run.world);
    uint64_t hash = golden->hash(&run);
    CHECK(hash == wanted);
    if (hash != wanted)
        fprintf(stderr, "  %s, %s, %d threads: 0x%016llxu\n", golden->name, how, threads,
                (unsigned long long)hash);
    end(&run);
}

static void check_all(int threads, bool reload, const char *how)
{
    for (size_t i = 0; i < COUNT_OF(goldens); ++i) check_golden(&goldens[i], threads, reload, how);
}

/* ---- the promises ---- */

static void one_thread(void)
{
    check_all(0, false, "no tasks");
}

static void many_threads(void)
{
    static const int threads[] = {8, 1, 2, 3};
    const size_t tried = TEST_SANITIZED ? 1 : COUNT_OF(threads); /* the code is the same */
    for (size_t t = 0; t < tried; ++t) check_all(threads[t], false, "plain");
}

static void instruction_sets(void)
{
    static const char *const names[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        char wanted[32], unset[] = "MOTE_ISA";
        snprintf(wanted, sizeof wanted, "MOTE_ISA=%s", names[i]);
        putenv(wanted);
        if (mote_isa_check(NULL) != MOTE_OK)
            printf("skipped: this machine lacks %s\n", names[i]);
        else
            check_all(2, false, names[i]);
        putenv(unset);
    }
}

static void reloading(void)
{
    check_all(2, true, "reloading");
}

/* ---- the scenes hold what they are for ---- */

typedef struct Alive {
    const char *name;
    bool (*is)(const mote_StepReport *sum);
} Alive;

static bool fountain_lives(const mote_StepReport *sum)
{
    return sum->hits > 1000 && sum->died > 1000 && sum->emitted > 20000 && sum->particles > 8192;
}

static bool water_lives(const mote_StepReport *sum)
{
    return sum->emitted > 300 && sum->pairs > 100000 && sum->iterations > 100;
}

static bool fire_lives(const mote_StepReport *sum)
{
    return sum->died > 100 && sum->emitted > 1000;
}

static bool cloth_lives(const mote_StepReport *sum)
{
    return sum->hits > 10 && sum->links_broken > 0 && sum->cg_iterations > 0;
}

static bool springs_live(const mote_StepReport *sum)
{
    return sum->hits > 100 && sum->links_broken > 0 && sum->accepted > 0 && sum->died > 100;
}

static const Alive lives[] = {{"fountain", fountain_lives},
                              {"dfsph", water_lives},
                              {"fire", fire_lives},
                              {"cloth", cloth_lives},
                              {"springs", springs_live}};

static const Golden *find_golden(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(goldens); ++i)
        if (strcmp(goldens[i].name, name) == 0) return &goldens[i];
    return NULL;
}

static void scenes_are_alive(void)
{
    for (size_t i = 0; i < COUNT_OF(lives); ++i) {
        const Golden *golden = find_golden(lives[i].name);
        GoldenRun run = start(golden, 2, false);
        mote_StepReport sum = {0};
        for (int k = 0; k < golden->frames; ++k) {
            mote_StepReport report = setup_step(run.world);
            sum.hits += report.hits, sum.died += report.died, sum.emitted += report.emitted;
            sum.links_broken += report.links_broken, sum.accepted += report.accepted;
            sum.cg_iterations += report.cg_iterations, sum.iterations += report.iterations;
            sum.pairs += report.pairs, sum.particles = report.particles;
        }
        CHECK(lives[i].is(&sum));
        if (!lives[i].is(&sum)) fprintf(stderr, "  %s\n", golden->name);
        end(&run);
    }
}

TESTS({"one_thread", one_thread}, {"many_threads", many_threads},
      {"instruction_sets", instruction_sets}, {"reloading", reloading},
      {"scenes_are_alive", scenes_are_alive})

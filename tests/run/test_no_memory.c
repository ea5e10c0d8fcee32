/* Runs of every solver in which the n-th piece of memory is refused: a sentence that speaks of
 * memory, nothing leaks, and the run goes on to the same bits. The linker puts the functions below
 * in the place of the library's aligned_alloc and free, so that reading, writing and drawing are
 * met as well. MOTE_LONG refuses each piece once, not some of them. */
#include "run/scenario.h"
#include "small.h"

static struct {
    bool watched;
    uint64_t requests, fail_at;
    bool for_good; /* every later request too */
    int64_t held;  /* blocks */
} memory;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void __wrap_free(void *block);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    uint64_t number = memory.requests;
    memory.requests += memory.watched;
    bool refused = number == memory.fail_at || (memory.for_good && number > memory.fail_at);
    if (memory.watched && refused) return NULL;
    void *block = __real_aligned_alloc(alignment, size);
    memory.held += memory.watched && block != NULL;
    return block;
}

void __wrap_free(void *block)
{
    memory.held -= memory.watched && block != NULL;
    __real_free(block);
}

/* Loads the scene and runs it; the request `fail_at` is refused. */
static mote_Status run_refused(const SmallScene *small, const Place *place, uint64_t fail_at,
                               mote_Error *error)
{
    mote_SceneDef scene_def = mote_scene_def();
    mote_RunDef def = run_in(place);
    mote_Scene *scene;
    scene_def.text = small->text;
    def.resume = place_has(place, "manifest.json");
    memory.watched = true, memory.requests = 0, memory.held = 0;
    memory.fail_at = fail_at, memory.for_good = fail_at % 2 == 1;
    mote_Status status = mote_scene_load(&scene_def, &scene, error);
    if (status == MOTE_OK) status = mote_run(scene, &def, NULL, error);
    mote_scene_destroy(scene);
    memory.watched = false;
    CHECK(memory.held == 0);
    return status;
}

static bool refuse_one(const SmallScene *small, const Place *whole, uint64_t n)
{
    Place place = place_make();
    mote_Error error = {MOTE_OK, ""};
    mote_Status status = run_refused(small, &place, n, &error);
    CHECK(status == MOTE_NO_MEMORY || status == MOTE_OK);
    if (status != MOTE_OK) {
        CHECK_MESSAGE(error, "memory");
        CHECK_OK(run_refused(small, &place, UINT64_MAX, &error), error);
    }
    CHECK(same_run(&place, whole, SMALL_FRAMES) && same_pictures(&place, whole, SMALL_FRAMES));
    CHECK(log_is_whole(&place, SMALL_FRAMES));
    place_end(&place);
    return status != MOTE_OK;
}

/* The first requests one by one, then by a stride that is odd, so that every other one is for
 * good, to the last. */
static void refuse_all(const SmallScene *small)
{
    Place whole = place_make();
    mote_Error error;
    uint64_t tried = 0, failed = 0;
    CHECK_OK(run_refused(small, &whole, UINT64_MAX, &error), error);
    uint64_t requests = memory.requests, points = TEST_SANITIZED ? 6 : 24;
    uint64_t all = TEST_SANITIZED ? 3 : 1; /* sanitizers are slow */
    uint64_t stride = getenv("MOTE_LONG") != NULL ? all : (requests / points) | 1;
    for (uint64_t n = 0; n < requests; n += n < 6 ? 1 : stride, ++tried) {
        int before = check_failures;
        failed += refuse_one(small, &whole, n);
        if (check_failures > before)
            fprintf(stderr, "  %s: refused request %llu\n", small->name, (unsigned long long)n);
    }
    printf("%s: %llu of %llu requests refused, %llu stopped the run\n", small->name,
           (unsigned long long)tried, (unsigned long long)requests, (unsigned long long)failed);
    CHECK(failed > tried / 2);
    place_end(&whole);
}

static void every_solver(void)
{
    for (size_t i = 0; i < SMALL_COUNT; ++i) refuse_all(&small_scenes[i]);
}

TESTS({"every_solver", every_solver})

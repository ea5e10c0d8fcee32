/* Sums of attraction against sums in long double, and what they must keep. */
#include "setup.h"

#include "forces/pull.h"

static const double SMALL = sizeof(mote_real) == 4 ? 1e-6 : 1e-13;

enum { MOST = 6000 };

/* Masses that are points too. */
typedef struct Cloud {
    mote_real plane[PULL_MASS_PLANES][MOST + 8];
    double out[PULL_OUT][MOST];
    PullRequest request;
} Cloud;

static Cloud cloud;
static Memory memory;
static Arena arena;

/* Denser towards the middle, as clusters are, with masses over a factor of 100. */
static void scatter(size_t count, double softening)
{
    uint64_t state = 11;
    PullRequest *r = &cloud.request;
    for (size_t i = 0; i < count; ++i) {
        double far = setup_uniform(&state, 0, 1);
        for (int c = 0; c < 3; ++c)
            cloud.plane[PULL_X + c][i] = (mote_real)(far * setup_uniform(&state, -0.9, 0.9));
        cloud.plane[PULL_GM][i] = (mote_real)setup_uniform(&state, 0.01, 1);
    }
    for (size_t i = count; i < count + 8; ++i)
        for (int p = 0; p < PULL_MASS_PLANES; ++p) cloud.plane[p][i] = 0;
    *r = (PullRequest){.kernels = pull_kernels(isa_pick()),
                       .masses.count = (count + 7) / 8 * 8,
                       .softening2 = (mote_real)(softening * softening),
                       .opening = PULL_OPENING,
                       .arena = &arena,
                       .count = count};
    for (int p = 0; p < PULL_MASS_PLANES; ++p) r->masses.plane[p] = cloud.plane[p];
    for (int c = 0; c < 3; ++c) r->x[c] = cloud.plane[PULL_X + c], r->out[c] = cloud.out[c];
}

/* By the definition; `size`: the sum of the sizes of what is added. */
static void naive(size_t i, long double a[3], long double *p, long double *size)
{
    a[0] = a[1] = a[2] = *p = *size = 0;
    for (size_t j = 0; j < cloud.request.count; ++j) {
        long double d[3], q = (long double)cloud.request.softening2;
        for (int c = 0; c < 3; ++c) {
            d[c] =
                (long double)cloud.plane[PULL_X + c][j] - (long double)cloud.plane[PULL_X + c][i];
            q += d[c] * d[c];
        }
        if (j == i) continue;
        long double gm = (long double)cloud.plane[PULL_GM][j];
        for (int c = 0; c < 3; ++c) a[c] += gm * d[c] / (q * sqrtl(q));
        *p += gm / sqrtl(q);
        *size += gm / q;
    }
}

/* The root of the mean square of the errors, and the largest, as parts of the pulls' sizes. */
typedef struct Errors {
    double mean, largest, potential;
} Errors;

static Errors errors_of(bool (*method)(const PullRequest *request), size_t step)
{
    Errors errors = {0, 0, 0};
    double squares = 0, sizes = 0;
    size_t count = cloud.request.count;
    cloud.request.quantity = PULL_ACCELERATION;
    CHECK(method(&cloud.request));
    for (size_t i = 0; i < count; i += step) {
        long double a[3], p, size;
        double square = 0, length = 0;
        naive(i, a, &p, &size);
        for (int c = 0; c < 3; ++c) {
            double off = (double)((long double)cloud.out[c][i] - a[c]);
            square += off * off, length += (double)(a[c] * a[c]);
        }
        errors.largest = fmax(errors.largest, sqrt(square) / (double)size);
        squares += square, sizes += length;
    }
    errors.mean = sqrt(squares / sizes);
    cloud.request.quantity = PULL_POTENTIAL;
    CHECK(method(&cloud.request));
    for (size_t i = 0; i < count; i += step) {
        long double a[3], p, size;
        naive(i, a, &p, &size);
        errors.potential = fmax(errors.potential, fabs(cloud.out[0][i] / (double)p - 1));
    }
    return errors;
}

static void direct_is_exact(void)
{
    static const double softenings[] = {0, 0.03};
    static const size_t counts[] = {1, 2, 7, 8, 9, 500, 3001};
    for (size_t s = 0; s < COUNT_OF(softenings); ++s)
        for (size_t n = 0; n < COUNT_OF(counts); ++n) {
            scatter(counts[n], softenings[s]);
            if (counts[n] == 1) { /* alone: nothing pulls */
                CHECK(pull_direct(&cloud.request));
                for (int c = 0; c < 3; ++c) CHECK(cloud.out[c][0] == 0);
                continue;
            }
            Errors errors = errors_of(pull_direct, counts[n] > 1000 ? 13 : 1);
            CHECK_NEAR(errors.mean, 0, SMALL);
            CHECK_NEAR(errors.largest, 0, SMALL);
            CHECK_NEAR(errors.potential, 0, SMALL);
        }
}

/* The pulls of two on each other are opposite, so all together come to nothing. */
static void direct_keeps_momentum(void)
{
    scatter(3001, 0.01);
    CHECK(pull_direct(&cloud.request));
    for (int c = 0; c < 3; ++c) {
        double sum = 0, size = 0;
        for (size_t i = 0; i < cloud.request.count; ++i) {
            double force = (double)cloud.plane[PULL_GM][i] * cloud.out[c][i];
            sum += force, size += fabs(force);
        }
        CHECK_NEAR(sum / size, 0, SMALL / 10);
    }
}

/* Two at one place do not pull each other, whatever the softening. */
static void one_place_is_harmless(void)
{
    static const double softenings[] = {0, 0.1};
    for (size_t s = 0; s < COUNT_OF(softenings); ++s) {
        scatter(16, softenings[s]);
        for (size_t i = 0; i < 16; ++i)
            for (int c = 0; c < 3; ++c) cloud.plane[PULL_X + c][i] = (mote_real)0.25;
        CHECK(pull_direct(&cloud.request));
        for (int c = 0; c < 3; ++c)
            for (size_t i = 0; i < 16; ++i) CHECK(cloud.out[c][i] == 0);
    }
}

/* ---- the tree ---- */

static Errors tree_errors(double opening)
{
    cloud.request.opening = (mote_real)opening;
    arena_reset(&arena);
    return errors_of(pull_tree, 7);
}

/* Terms of third order are the first that are missing. */
static void tree_errors_fall_with_the_opening(void)
{
    if (TEST_SANITIZED) return; /* minutes there, for numbers that are the same */
    static const double softenings[] = {0, 0.05};
    memory = memory_make(mote_default_allocator());
    arena = arena_make(&memory);
    for (size_t s = 0; s < COUNT_OF(softenings); ++s) {
        scatter(6000, softenings[s]);
        Errors usual = tree_errors((double)PULL_OPENING), half = tree_errors(0.35);
        CHECK(usual.mean < 1e-3 && usual.mean > 1e-6);
        CHECK(usual.potential < 1e-3);
        CHECK(half.mean < usual.mean / 6);
        CHECK_NEAR(tree_errors(0).largest, 0, SMALL); /* no cell is far */
    }
    arena_free(&arena);
}

/* Many at one place, few, one: a tree of leaves that cannot be divided. */
static void odd_trees(void)
{
    memory = memory_make(mote_default_allocator());
    arena = arena_make(&memory);
    for (size_t count = 1; count < 400; count += 57) {
        scatter(count, 0.05);
        for (size_t i = 3; i < count; ++i)
            for (int c = 0; c < 3; ++c) cloud.plane[PULL_X + c][i] = (mote_real)0.5;
        CHECK(pull_tree(&cloud.request));
        for (int c = 0; c < 3; ++c)
            for (size_t i = 0; i < count; ++i) CHECK(isfinite(cloud.out[c][i]));
        double tree = cloud.out[1][0];
        CHECK(pull_direct(&cloud.request));
        CHECK_NEAR(tree, cloud.out[1][0], 2e-3 * fabs(cloud.out[1][0]));
    }
    arena_free(&arena);
    CHECK(memory.bytes == 0);
}

/* Points are as many as threads like: bits are the same. */
static void threads_do_not_matter(void)
{
    static double first[PULL_OUT][MOST];
    memory = memory_make(mote_default_allocator());
    arena = arena_make(&memory);
    scatter(TEST_SANITIZED ? 1500 : 5000, 0.02);
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        cloud.request.tasks = setup_tasks(threads);
        arena_reset(&arena);
        CHECK(pull_tree(&cloud.request));
        if (threads == 1) memcpy(first, cloud.out, sizeof first);
        CHECK(memcmp(first, cloud.out, sizeof first) == 0);
        mote_tasks_destroy(cloud.request.tasks);
    }
    arena_free(&arena);
}

TESTS({"tree_errors_fall_with_the_opening", tree_errors_fall_with_the_opening},
      {"odd_trees", odd_trees}, {"threads_do_not_matter", threads_do_not_matter},
      {"direct_is_exact", direct_is_exact}, {"direct_keeps_momentum", direct_keeps_momentum},
      {"one_place_is_harmless", one_place_is_harmless})

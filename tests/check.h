/* The test harness: a file lists its tests in TESTS and is one program.
 *
 *     static void sorts(void) { CHECK(...); }
 *     TESTS({"sorts", sorts})
 *
 * A failed check prints where and what, and the program exits with 1; without arguments all tests
 * run, with arguments those named. The last line is "N passed, N failed". */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <mote/base.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Test {
    const char *name;
    void (*run)(void);
} Test;

static int check_failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ++check_failures;                                                                      \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                \
        }                                                                                          \
    } while (0)

/* |a - b| <= tolerance; NaN fails. */
#define CHECK_NEAR(a, b, tolerance)                                                                \
    do {                                                                                           \
        double a_ = (double)(a), b_ = (double)(b), t_ = (double)(tolerance);                       \
        if (!(fabs(a_ - b_) <= t_)) {                                                              \
            ++check_failures;                                                                      \
            fprintf(stderr, "%s:%d: %s is %.17g, but %s is %.17g: they differ by %g > %g\n",       \
                    __FILE__, __LINE__, #a, a_, #b, b_, fabs(a_ - b_), t_);                        \
        }                                                                                          \
    } while (0)

#define CHECK_OK(status, error)                                                                    \
    do {                                                                                           \
        if ((status) != MOTE_OK) {                                                                 \
            ++check_failures;                                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, (error).message);                   \
        }                                                                                          \
    } while (0)

/* The message holds the text. */
#define CHECK_MESSAGE(error, text)                                                                 \
    do {                                                                                           \
        if (strstr((error).message, text) == NULL) {                                               \
            ++check_failures;                                                                      \
            fprintf(stderr, "%s:%d: the message \"%s\" lacks \"%s\"\n", __FILE__, __LINE__,        \
                    (error).message, text);                                                        \
        }                                                                                          \
    } while (0)

static inline int check_run(const Test *tests, size_t count, int argc, char **argv)
{
    int passed = 0, failed = 0;
    for (size_t i = 0; i < count; ++i) {
        bool wanted = argc < 2;
        for (int a = 1; a < argc; ++a) wanted = wanted || strcmp(argv[a], tests[i].name) == 0;
        if (!wanted) continue;
        int before = check_failures;
        tests[i].run();
        bool good = check_failures == before;
        passed += good, failed += !good;
        printf("%s: %s\n", good ? "ok" : "FAILED", tests[i].name);
        fflush(stdout);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}

#define TESTS(...)                                                                                 \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        static const Test tests[] = {__VA_ARGS__};                                                 \
        return check_run(tests, sizeof tests / sizeof tests[0], argc, argv);                       \
    }

#endif

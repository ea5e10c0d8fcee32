/* Limbs against sums of whole numbers that are exact, in random orders and splits; and what is no
 * number, too large or too small. */
#include "base/limbs.h"
#include "setup.h"

#include <math.h>
#include <string.h>

enum { MANY = 3000 };

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Over all of the range that limbs hold, of either sign. */
static double draw(uint64_t *state)
{
    double mantissa = setup_uniform(state, -1, 1);
    return ldexp(mantissa, (int)(setup_bits(state) % 170) - 110);
}

static void shuffle(double *x, size_t count, uint64_t *state)
{
    for (size_t i = count; i > 1; --i) {
        const size_t j = (size_t)(setup_bits(state) % i);
        const double kept = x[i - 1];
        x[i - 1] = x[j], x[j] = kept;
    }
}

static double sum_in_parts(const double *x, size_t count, size_t parts, uint64_t *state)
{
    Limbs part[8] = {{.odd = 0}}, all = {.odd = 0};
    for (size_t i = 0; i < count; ++i) limbs_add(&part[setup_bits(state) % parts], x[i]);
    for (size_t p = 0; p < parts; ++p) limbs_merge(&all, &part[p]);
    return limbs_value(&all);
}

static void order_and_splits_change_nothing(void)
{
    static double x[MANY];
    uint64_t state = 5;
    int rounded = 0;
    for (int again = 0; again < 50; ++again) {
        double plain = 0, first = 0;
        for (size_t i = 0; i < MANY; ++i) x[i] = draw(&state);
        for (int k = 0; k < 6; ++k) {
            const double sum = sum_in_parts(x, MANY, 1 + (size_t)k, &state);
            if (k == 0) first = sum;
            CHECK(same_bits(sum, first));
            shuffle(x, MANY, &state);
        }
        for (size_t i = 0; i < MANY; ++i) plain += x[i];
        CHECK_NEAR(plain / first, 1, 1e-12);
        rounded += plain != first;
    }
    CHECK(rounded > 0); /* or the test would hold of plain sums too */
}

/* What was added is taken out again, number by number: what is left is exact, however small. */
static void cancellation_is_exact(void)
{
    static double x[MANY];
    uint64_t state = 9;
    Limbs sum = {.odd = 0};
    const double small = ldexp(3, -128);
    for (size_t i = 0; i < MANY; ++i) limbs_add(&sum, x[i] = draw(&state));
    limbs_add(&sum, small);
    shuffle(x, MANY, &state);
    for (size_t i = 0; i < MANY; ++i) {
        /* the same bits are dropped of both */
        limbs_add(&sum, -x[i]);
    }
    CHECK(limbs_value(&sum) == small);
}

/* A sum of two numbers is what a correctly rounded addition gives. */
static void pairs_are_rounded_to_nearest(void)
{
    uint64_t state = 21;
    for (int i = 0; i < 20000; ++i) {
        const double a = ldexp(setup_uniform(&state, -1, 1), (int)(setup_bits(&state) % 60) - 30);
        const double b = ldexp(setup_uniform(&state, -1, 1), (int)(setup_bits(&state) % 60) - 30);
        Limbs sum = {.odd = 0};
        limbs_add(&sum, a), limbs_add(&sum, b);
        CHECK(limbs_value(&sum) == a + b);
    }
}

/* Halves go to the even neighbour, and a bit far below breaks the tie. */
static void ties(void)
{
    const double one = 1, half = ldexp(1, -53), ulp = ldexp(1, -52), speck = ldexp(1, -128);
    const struct {
        double x[3], sum;
    } cases[] = {
        {{one, half, 0}, one},
        {{one, half, speck}, one + ulp},
        {{one + ulp, half, 0}, 1 + 2 * ulp},
        {{one + ulp, half, -speck}, one + ulp},
        {{-one, -half, -speck}, -one - ulp},
        {{-one, -half, 0}, -one},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        Limbs sum = {.odd = 0};
        for (int k = 0; k < 3; ++k) limbs_add(&sum, cases[i].x[k]);
        CHECK(limbs_value(&sum) == cases[i].sum);
    }
}

static void the_ends_of_the_range(void)
{
    const double large = ldexp(1 - ldexp(1, -53), 64), least = ldexp(1, -128);
    static const double beyond[] = {1.8446744073709552e19, 1e300, 1e19 * 1e19};
    Limbs sum = {.odd = 0};
    for (int i = 0; i < 1000; ++i) limbs_add(&sum, large);
    CHECK(limbs_value(&sum) == 1000 * large); /* no number was beyond: the sum may be */
    for (int i = 0; i < 1000; ++i) limbs_add(&sum, -large);
    CHECK(limbs_value(&sum) == 0);
    limbs_add(&sum, least), limbs_add(&sum, least / 2), limbs_add(&sum, 1e-310), limbs_add(&sum, 0);
    CHECK(limbs_value(&sum) == least);
    limbs_add(&sum, -1.75 * least); /* of which 0.75 is dropped */
    CHECK(same_bits(limbs_value(&sum), 0));
    for (size_t i = 0; i < COUNT_OF(beyond); ++i) {
        Limbs more = sum;
        limbs_add(&more, beyond[i]);
        CHECK(limbs_value(&more) == HUGE_VAL);
    }
}

/* As many as a limb may hold, by merging: all bits of a limb set, 2^31 times and more. */
static void limbs_carry(void)
{
    Limbs sum = {.odd = 0}, double_of_it;
    double wanted = 4294967295.0;
    limbs_add(&sum, wanted);
    for (int i = 0; i < 40; ++i) {
        double_of_it = sum;
        limbs_merge(&sum, &double_of_it);
        wanted *= 2;
        CHECK(limbs_value(&sum) == wanted);
    }
}

static void what_is_no_number(void)
{
    const double infinite = HUGE_VAL, none = (double)NAN;
    const struct {
        double x[3], sum;
    } cases[] = {
        {{1, infinite, 2}, infinite},     {{1, -infinite, 2}, -infinite}, {{none, 1, 2}, none},
        {{infinite, -infinite, 2}, none}, {{none, infinite, 1}, none},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        for (int first = 0; first < 3; ++first) {
            Limbs sum = {.odd = 0}, other = {.odd = 0};
            for (int k = 0; k < 3; ++k)
                limbs_add(k == 0 ? &other : &sum, cases[i].x[(first + k) % 3]);
            limbs_merge(&sum, &other);
            const double value = limbs_value(&sum);
            CHECK(isnan(cases[i].sum) ? isnan(value) : value == cases[i].sum);
        }
}

/* Many at once are what they are one by one. */
static void many_at_once(void)
{
    static const size_t counts[] = {0, 1, 7, 8, 9, 255, 256};
    uint64_t state = 33;
    for (int again = 0; again < 200; ++again) {
        double x[LIMBS_AT_ONCE], kept[LIMBS_AT_ONCE];
        const size_t count = counts[(size_t)again % COUNT_OF(counts)];
        const int shift = (int)(setup_bits(&state) % 100) - 60;
        Limbs one = {.odd = 0}, many = {.odd = 0};
        for (size_t i = 0; i < count; ++i) {
            kept[i] = x[i] = again % 2 == 0 ? draw(&state) : ldexp(draw(&state), -shift / 4);
            if (again % 10 == 9 && i == count / 2)
                kept[i] = x[i] = again % 20 == 9 ? HUGE_VAL : 1e30;
            if (!(fabs(x[i]) >= ldexp(1, -70))) kept[i] = x[i] = 0; /* whose last bits count */
            limbs_add(&one, x[i]);
        }
        limbs_add_many(&many, x, count);
        CHECK(same_bits(limbs_value(&many), limbs_value(&one)));
        Limbs halves = {.odd = 0};
        limbs_add_many(&halves, kept + count / 3, count - count / 3);
        limbs_add_many(&halves, kept, count / 3);
        CHECK(same_bits(limbs_value(&halves), limbs_value(&one)));
    }
}

TESTS({"order and splits change nothing", order_and_splits_change_nothing},
      {"cancellation is exact", cancellation_is_exact},
      {"pairs are rounded to nearest", pairs_are_rounded_to_nearest}, {"ties", ties},
      {"the ends of the range", the_ends_of_the_range}, {"limbs carry", limbs_carry},
      {"what is no number", what_is_no_number}, {"many at once", many_at_once})

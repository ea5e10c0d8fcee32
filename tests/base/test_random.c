/* Hashes and counter-based random numbers: known answers, spread, independence. */
#include "check.h"

#include "base/hash.h"
#include "base/random.h"

#include <Random123/philox.h>

#include <math.h>

/* kat_vectors of the Random123 distribution, lines "philox4x32 10". */
static void philox_known_answers(void)
{
    static const struct {
        philox4x32_ctr_t counter;
        philox4x32_key_t key;
        uint32_t expected[4];
    } known[] = {
        {{{0, 0, 0, 0}}, {{0, 0}}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}},
         {{UINT32_MAX, UINT32_MAX}},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
         {{0xa4093822, 0x299f31d0}},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        philox4x32_ctr_t out = philox4x32(known[i].counter, known[i].key);
        for (int w = 0; w < 4; ++w) CHECK(out.v[w] == known[i].expected[w]);
    }
}

/* A draw is Philox at the counter (id, id high | purpose, step, constant). */
static void a_draw_is_philox(void)
{
    RandomKey key = {{0xa4093822, 0x299f31d0}};
    Random4 draw = random_draw(key, 0x12345678abcdefu, 17, 5);
    philox4x32_ctr_t counter = {{0x78abcdef, 0x123456u | (5u << 21), 17, 0x6d6f7465u}};
    philox4x32_key_t k = {{0xa4093822, 0x299f31d0}};
    philox4x32_ctr_t out = philox4x32(counter, k);
    for (int w = 0; w < 4; ++w) CHECK(draw.word[w] == out.v[w]);
}

static int bits_set(uint64_t x)
{
    int n = 0;
    for (; x != 0; x &= x - 1) ++n;
    return n;
}

/* Each input bit flips each output bit in half of the cases. */
static void hash_avalanche(void)
{
    enum { TRIALS = 2000 };
    for (int bit = 0; bit < 64; ++bit) {
        int flips[64] = {0}, total = 0;
        for (uint64_t i = 0; i < TRIALS; ++i) {
            uint64_t a = i * 0x123456789u + 99, b = a ^ (1ull << bit);
            uint64_t d = hash_bytes(0, &a, 8) ^ hash_bytes(0, &b, 8);
            total += bits_set(d);
            for (int o = 0; o < 64; ++o) flips[o] += (int)((d >> o) & 1);
        }
        CHECK_NEAR(total / (double)TRIALS, 32, 0.5); /* sigma 0.09 */
        for (int o = 0; o < 64; ++o) CHECK_NEAR(flips[o] / (double)TRIALS, 0.5, 0.06);
    }
}

static void hash_sees_length_and_content(void)
{
    unsigned char zeros[64] = {0};
    for (size_t n = 0; n < 64; ++n)
        for (size_t m = n + 1; m < 64; ++m)
            CHECK(hash_bytes(0, zeros, n) != hash_bytes(0, zeros, m));
    for (size_t n = 0; n < 33; ++n) { /* every byte counts */
        unsigned char other[33] = {0};
        other[n] = 1;
        CHECK(hash_bytes(0, zeros, 33) != hash_bytes(0, other, 33));
    }
    CHECK(hash_text("water") != hash_text("Water") && hash_text("water") == hash_text("water"));
    CHECK(hash_bytes(1, zeros, 8) != hash_bytes(2, zeros, 8));
}

/* Streams that differ in seed, name, id, step or purpose alone have no common words. */
static void streams_differ(void)
{
    Random4 base = random_draw(random_key(1, "a"), 10, 20, 30);
    Random4 others[] = {
        random_draw(random_key(2, "a"), 10, 20, 30),
        random_draw(random_key(1, "b"), 10, 20, 30),
        random_draw(random_key(1, "a"), 11, 20, 30),
        random_draw(random_key(1, "a"), 10, 21, 30),
        random_draw(random_key(1, "a"), 10, 20, 31),
        random_draw(random_key(1, "a"), 10 + (1ull << 40), 20, 30),
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        for (int w = 0; w < 4; ++w) CHECK(base.word[w] != others[i].word[w]);
    Random4 again = random_draw(random_key(1, "a"), 10, 20, 30);
    CHECK(memcmp(&again, &base, sizeof base) == 0);
}

/* Correlation of two streams over n draws is of size 1/sqrt(n). */
static void streams_are_independent(void)
{
    enum { N = 100000 };
    RandomKey a = random_key(1, "fountain"), b = random_key(1, "fountain2"),
              c = random_key(2, "fountain");
    double ab = 0, ac = 0, next = 0, words = 0;
    for (uint64_t i = 0; i < N; ++i) {
        Random4 u = random_draw(a, i, 0, 0);
        double x = (double)random_signed(u.word[0]);
        ab += x * (double)random_signed(random_draw(b, i, 0, 0).word[0]);
        ac += x * (double)random_signed(random_draw(c, i, 0, 0).word[0]);
        next += x * (double)random_signed(random_draw(a, i + 1, 0, 0).word[0]);
        words += x * (double)random_signed(u.word[1]);
    }
    double limit = 4 * (1.0 / 3) * sqrt((double)N); /* four sigma */
    CHECK_NEAR(ab, 0, limit);
    CHECK_NEAR(ac, 0, limit);
    CHECK_NEAR(next, 0, limit);
    CHECK_NEAR(words, 0, limit);
}

/* Chi-square of 64 bins: mean 63, sigma 11.2. */
static void uniform_by_chi_square(void)
{
    enum { N = 64000, BINS = 64 };
    for (int w = 0; w < 4; ++w) {
        int bins[BINS] = {0};
        for (uint64_t i = 0; i < N; ++i) {
            mote_real u = random_unit(random_draw(random_key(7, "chi"), i, 3, 1).word[w]);
            CHECK(u >= 0 && u < 1);
            ++bins[(int)(u * BINS)];
        }
        double chi2 = 0, mean = (double)N / BINS;
        for (int b = 0; b < BINS; ++b) chi2 += (bins[b] - mean) * (bins[b] - mean) / mean;
        CHECK(chi2 > 25 && chi2 < 110);
    }
}

static void units_stay_below_one(void)
{
    CHECK(random_unit(UINT32_MAX) < 1 && random_unit(0) == 0);
    CHECK(random_signed(UINT32_MAX) < 1 && random_signed(0) == -1);
    CHECK(random_unit(UINT32_MAX) > (mote_real)0.9999999);
    CHECK(random_unit(0x80000000u) == (mote_real)0.5);
}

TESTS({"philox_known_answers", philox_known_answers}, {"a_draw_is_philox", a_draw_is_philox},
      {"hash_avalanche", hash_avalanche},
      {"hash_sees_length_and_content", hash_sees_length_and_content},
      {"streams_differ", streams_differ}, {"streams_are_independent", streams_are_independent},
      {"uniform_by_chi_square", uniform_by_chi_square},
      {"units_stay_below_one", units_stay_below_one})

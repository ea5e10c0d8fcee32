/* Parameter tables: defaults, ranges, messages; looking a row up by name. */
#include "check.h"

#include "base/row.h"
#include "base/text.h"

#include <math.h>

typedef struct Sample {
    mote_real size;
    double span;
    uint64_t number;
    bool on;
    mote_Vec3 place;
    mote_Vec3 tint;
    int kind;
    const char *field;
    mote_real mass;
} Sample;

static const char *const kinds[] = {"soft", "hard", "none", NULL};
static const char *const field_kind[] = {"field", NULL};

static const mote_Param params[] = {
    PARAM_REAL(Sample, size, "m", "size", 0.1, 0.1, 2),
    PARAM_DOUBLE(Sample, span, "s", "span", 5, 0, PARAM_NO_LIMIT),
    PARAM_COUNT(Sample, number, "number", 7, 2, 9),
    PARAM_BOOL(Sample, on, "on", 1),
    PARAM_VEC3(Sample, place, "m", "place", 1, 2, 3),
    PARAM_COLOR(Sample, tint, "tint", 0.25, 0.5, 0.75),
    PARAM_CHOICE(Sample, kind, "kind", kinds, 1),
    PARAM_NAME(Sample, field, "field", field_kind),
    PARAM_REAL(Sample, mass, "kg", "mass", 1, PARAM_POSITIVE, PARAM_NO_LIMIT),
};

static const mote_Row row = ROW_HEAD("sample", "a sample", params, Sample);

static Sample defaults(void)
{
    Sample sample;
    memset(&sample, 0xa5, sizeof sample);
    mote_row_defaults(&row, &sample);
    return sample;
}

static void writes_defaults(void)
{
    Sample s = defaults();
    mote_Error error = {0};
    CHECK(s.size == (mote_real)0.1 && s.span == 5 && s.number == 7 && s.on);
    CHECK(s.place.x == 1 && s.place.y == 2 && s.place.z == 3);
    CHECK(s.tint.x == (mote_real)0.25 && s.tint.z == (mote_real)0.75);
    CHECK(s.kind == 1 && s.field == NULL && s.mass == 1);
    CHECK_OK(mote_row_check(&row, "here", &s, &error), error);
}

static void reads_what_it_writes(void)
{
    Sample s = defaults();
    const double values[] = {0.5, 8, 3, 0, 1, 0.5, 2, 0, 4};
    for (size_t i = 0; i < row.param_count; ++i) {
        double in[3] = {values[i], values[i], values[i]}, out[3] = {-1, -1, -1};
        param_write(&params[i], in, &s);
        param_read(&params[i], &s, out);
        CHECK(out[0] == values[i]);
    }
    CHECK(s.size == (mote_real)0.5 && !s.on && s.kind == 2 && s.field == NULL);
}

/* What is wrong with one parameter, and what the message must say. */
static const struct {
    size_t param;
    double value[3];
    const char *text[3];
} wrong[] = {
    {0, {0.0999}, {"here: size is 0.0999", "between 0.1 and 2 m"}},
    {0, {2.0001}, {"size", "between 0.1 and 2 m"}},
    {0, {(double)NAN}, {"size is", "nan"}},
    {0, {(double)INFINITY}, {"size is inf"}},
    {1, {-1}, {"span is -1", "at least 0 s"}},
    {1, {(double)NAN}, {"span"}},
    {2, {1}, {"number is 1", "between 2 and 9"}},
    {2, {10}, {"number is 10"}},
    {4, {0, 0, (double)NAN}, {"place"}},
    {4, {0, (double)INFINITY, 0}, {"place is inf"}},
    {5, {0, -0.5, 0}, {"tint is -0.5"}},
    {6, {3}, {"kind is 3", "between 0 and 2"}},
    {6, {-1}, {"kind is -1"}},
    {8, {0}, {"mass is 0", "greater than 0 kg"}},
    {8, {-1}, {"mass is -1", "greater than 0 kg"}},
};

static void refuses_wrong_values(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        Sample s = defaults();
        mote_Error error = {0};
        param_write(&params[wrong[i].param], wrong[i].value, &s);
        CHECK(mote_row_check(&row, "here", &s, &error) == MOTE_BAD_VALUE);
        CHECK(error.status == MOTE_BAD_VALUE);
        for (int t = 0; t < 3 && wrong[i].text[t] != NULL; ++t)
            CHECK_MESSAGE(error, wrong[i].text[t]);
        CHECK(mote_row_check(&row, "here", &s, NULL) == MOTE_BAD_VALUE);
    }
}

static void accepts_the_bounds(void)
{
    static const struct {
        size_t param;
        double value;
    } right[] = {{0, 0.1}, {0, 2}, {1, 0}, {1, 1e300}, {2, 2}, {2, 9}, {6, 0}, {6, 2}, {8, 1e-30}};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; ++i) {
        Sample s = defaults();
        mote_Error error = {0};
        double value[3] = {right[i].value};
        param_write(&params[right[i].param], value, &s);
        CHECK_OK(mote_row_check(&row, "here", &s, &error), error);
        CHECK_OK(param_check(&params[right[i].param], "here", value, &error), error);
    }
}

static const mote_Row gravity = {.name = "gravity"}, drag = {.name = "drag"},
                      attractor = {.name = "attractor"};
static const mote_Row *const rows[] = {&gravity, &drag, &attractor};

static void finds_rows(void)
{
    mote_Error error = {0};
    CHECK(row_find(rows, 3, "scene", "force", "drag", &error) == &drag);
    CHECK(row_find(rows, 3, "scene", "force", "grvity", &error) == NULL);
    CHECK_MESSAGE(error, "scene: unknown force `grvity`; did you mean `gravity`?");
    CHECK(row_find(rows, 3, "scene", "force", "Atractor", &error) == NULL);
    CHECK_MESSAGE(error, "did you mean `attractor`?");
    CHECK(row_find(rows, 3, "scene", "force", "telepathy", &error) == NULL);
    CHECK_MESSAGE(error, "unknown force `telepathy`");
    CHECK(strstr(error.message, "did you mean") == NULL);
    CHECK(row_find(rows, 0, "scene", "force", "drag", &error) == NULL);
    CHECK(row_find(rows, 3, "scene", "force", "", NULL) == NULL);
}

static void long_names_do_not_overflow(void)
{
    char name[2000];
    mote_Error error = {0};
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(row_find(rows, 3, "scene", "force", name, &error) == NULL);
    CHECK(strlen(error.message) == MOTE_MESSAGE_SIZE - 1);
}

static void distances(void)
{
    static const struct {
        const char *a, *b;
        int distance;
    } words[] = {
        {"", "", 0},        {"", "abc", 3},      {"abc", "abc", 0},
        {"abc", "ABC", 0},  {"abc", "acb", 1},   {"abc", "ab", 1},
        {"abc", "xabc", 1}, {"abc", "abd", 1},   {"kitten", "sitting", 3},
        {"ca", "abc", 3},   {"drag", "gard", 3}, {"gravity", "grvaity", 1},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        CHECK(text_distance(words[i].a, words[i].b) == words[i].distance);
        CHECK(text_distance(words[i].b, words[i].a) == words[i].distance);
    }
    char longest[200];
    memset(longest, 'a', sizeof longest);
    longest[199] = '\0';
    CHECK(text_distance(longest, "a") >= 60);
    longest[63] = '\0';
    CHECK(text_distance(longest, "a") == 62);
}

TESTS({"writes_defaults", writes_defaults}, {"reads_what_it_writes", reads_what_it_writes},
      {"refuses_wrong_values", refuses_wrong_values}, {"accepts_the_bounds", accepts_the_bounds},
      {"finds_rows", finds_rows}, {"long_names_do_not_overflow", long_names_do_not_overflow},
      {"distances", distances})

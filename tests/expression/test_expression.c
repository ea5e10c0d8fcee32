/* Expressions: values against C arithmetic, precedence, errors, limits, rows. */
#include "check.h"

#include "base/hash.h"
#include "expression/expression.h"
#include "expression/op.h"

#include <mote/scene.h>

#include <stdlib.h>
#include <string.h>

enum { SLOT_AGE = SLOT_T + 1, SLOT_LIFE, SLOT_ID, SLOTS };

static const ExpressionName column_names[] = {{.name = "age", .slot = SLOT_AGE},
                                              {.name = "life", .slot = SLOT_LIFE},
                                              {.name = "position.x", .slot = SLOT_ID}};
static const ExpressionName outer_names[] = {
    {.name = "t", .slot = SLOT_T},
    {.name = "rate", .value = 4000, .slot = EXPRESSION_CONSTANT},
    {.name = "age", .value = -1, .slot = EXPRESSION_CONSTANT}, /* hidden by the column */
    {.name = "preset", .text = "water", .slot = EXPRESSION_CONSTANT}};
static const ExpressionScope outer_scope = {outer_names, 4, NULL};
static const ExpressionScope scope = {column_names, 3, &outer_scope};

static const double t = 0.75, age = 1.25, life = 5, rate = 4000;
static const double values[SLOTS] = {0.75, 1.25, 5, 42};

typedef struct Compiled {
    Memory memory;
    Store store;
    Expression expression;
    ExpressionError error;
    mote_Status status;
} Compiled;

static void compile(Compiled *compiled, const char *text)
{
    compiled->memory = memory_make((mote_Allocator){0});
    compiled->store = store_make(&compiled->memory);
    compiled->status =
        expression_compile(&compiled->store, text, &scope, &compiled->expression, &compiled->error);
}

static void release(Compiled *compiled)
{
    store_free(&compiled->store);
    CHECK(compiled->memory.bytes == 0);
}

static double value_of(const char *text)
{
    Compiled compiled;
    compile(&compiled, text);
    if (compiled.status != MOTE_OK) fprintf(stderr, "%s: %s\n", text, compiled.error.message);
    CHECK(compiled.status == MOTE_OK);
    double value = compiled.status == MOTE_OK ? expression_value(&compiled.expression, values) : 0;
    release(&compiled);
    return value;
}

static void check_value(const char *text, double wanted)
{
    double found = value_of(text);
    bool same = found == wanted || (isnan(found) && isnan(wanted));
    if (!same) fprintf(stderr, "%s is %.17g, but should be %.17g\n", text, found, wanted);
    CHECK(same);
}

/* The text is C too. */
#define CHECK_SAME(expression) check_value(#expression, expression)

/* The same for elementary functions, which libm rounds differently. */
static void check_close(const char *text, double wanted)
{
    double found = value_of(text);
    bool close = fabs(found - wanted) <= 1e-15 * fabs(wanted);
    if (!close) fprintf(stderr, "%s is %.17g, but should be %.17g\n", text, found, wanted);
    CHECK(close);
}

#define CHECK_CLOSE(expression) check_close(#expression, expression)

static void follows_c_arithmetic(void)
{
    CHECK_SAME(1 + 2 * 3.0);
    CHECK_SAME((1 + 2) * 3.0);
    CHECK_SAME(10 - 4 - 3.0);
    CHECK_SAME(100 / 10 / 4.0);
    CHECK_SAME(2 * -3.0);
    CHECK_SAME(- -3.0);
    CHECK_SAME(.5 + 5. + 1e-3 + 2.5E+2);
    CHECK_SAME(0.01 * (1 - age / life));
    CHECK_CLOSE(rate * (1 + 0.2 * sin(6.28 * t)));
    CHECK_SAME(t < age);
    CHECK_SAME(t > age);
    CHECK_SAME(t <= 0.75);
    CHECK_SAME(t >= 0.76);
    CHECK_SAME(t == 0.75);
    CHECK_SAME(t != 0.75);
    CHECK_SAME((1 + 1 == 2) == (3 > 2));
    check_value("t > 0 && age > 0 || life < 0", 1);
    check_value("0 || 0 && 1", 0);
    check_value("1 || 0 && 0", 1);
    check_value("!t + 1", 1);
    CHECK_SAME(!0 && !!7);
    CHECK_SAME(t < 0 ? 1 : t < 0.5 ? 2 : t < 1 ? 3 : 4);
    CHECK_SAME(t > 0 ? age > 2 ? 1 : 2 : 3);
    CHECK_SAME(1 ? t : age);
    CHECK_SAME(0 ? t : age + life);
    CHECK_SAME((0 ? t : age) * (1 ? life : 2));
}

static void calls_functions(void)
{
    CHECK_CLOSE(sin(age) + cos(age) * tan(t));
    CHECK_CLOSE(asin(t) - acos(t));
    CHECK_CLOSE(atan2(t, -age));
    CHECK_CLOSE(exp(t) + log(age) + log10(life) + log2(life));
    CHECK_CLOSE(pow(age, life));
    CHECK_CLOSE(hypot(age, life) + hypot(-life, t));
    CHECK_CLOSE(hypot(3e200, 4e200));
    CHECK_CLOSE(atan(age));
    CHECK_CLOSE(log2(1e-310) + log2(0.3) + log10(3e-5) + log10(7e200));
    CHECK_SAME(sqrt(life) + floor(-t) + ceil(-t) + round(2.5) + round(-2.5));
    CHECK_SAME(log10(1) + 10 * log10(1000) + 100 * log10(1e22));
    CHECK_SAME(log2(1024) + log2(0.125) + log2(1));
    check_value("hypot(0, 0) + hypot(0, -3)", 3);
    check_value("hypot(1, -1/0)", (double)INFINITY);
    check_value("log2(0) + log10(0)", (double)-INFINITY);
    check_value("log2(1/0) + log10(1/0)", (double)INFINITY);
    check_value("log2(-1)", (double)NAN);
    check_value("log10(-1)", (double)NAN);
    check_value("hypot(0/0, 1)", (double)NAN);
    check_value("abs(-age) + abs(t)", age + t);
    check_value("min(3, t, 8) + max(t, age, life, 1)", t + life);
    check_value("clamp(age, 2, 3) + 10 * clamp(age, 0, 1) + 100 * clamp(age, 1, 2)", 2 + 10 + 125);
    check_value("mix(10, 20, 0.25)", 12.5);
    check_value("step(1, age) + 10 * step(age, 1) + 100 * step(age, age)", 101);
    check_value("smoothstep(0, 1, t)", t * t * (3 - 2 * t));
    check_value("smoothstep(0, 1, -t) + 10 * smoothstep(0, 1, age)", 10);
    check_value("smoothstep(1, 1, 0.5) + 10 * smoothstep(1, 1, 1)", 10);
    check_value("sign(-t) + 10 * sign(t) + 100 * sign(0)", 9);
    check_value("mod(-1, 3) + 10 * mod(7, 3)", 12);
    check_value("-1 % 3 + 10 * (7.5 % 2)", -1 + 15);
    check_value("pi", 3.14159265358979323846);
    check_value("tau - 2 * pi", 0);
    check_value("log(e)", 1);
    check_value("position.x", 42);
    check_value("age", 1.25);
}

static void knows_powers(void)
{
    check_value("2^10", 1024);
    check_value("2^3^2", 512);
    check_value("-2^2", -4);
    check_value("2^-1", 0.5);
    check_value("2^-2^2", 0.0625);
    check_value("2*3^2", 18);
    check_value("!2^2", 0);
    check_value("(-2)^2", 4);
}

static void has_no_bad_arithmetic(void)
{
    check_value("1/0", (double)INFINITY);
    check_value("-1/(t-t)", (double)-INFINITY);
    check_value("0/0", (double)NAN);
    check_value("1e308*10", (double)INFINITY);
    check_value("log(-1)", (double)NAN);
    check_value("sqrt(-1)", (double)NAN);
    check_value("5%0", (double)NAN);
    check_value("10^400", (double)INFINITY);
    check_value("round(1e300)", 1e300);
}

static void folds_constants(void)
{
    static const struct {
        const char *text;
        bool constant;
        uint64_t slots;
    } cases[] = {
        {"1 + 2 * rate", true, 0},
        {"sin(pi/2) + max(1, 2, 3)", true, 0},
        {"t", false, 1 << SLOT_T},
        {"rate * t + life", false, 1 << SLOT_T | 1 << SLOT_LIFE},
        {"rate > 0 ? rate : t", true, 0},
        {"rate < 0 ? rate : t", false, 1 << SLOT_T},
        {"rate > 0 ? age * 2 : t", false, 1 << SLOT_AGE},
        {"position.x + rate", false, 1 << SLOT_ID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Compiled compiled;
        compile(&compiled, cases[i].text);
        CHECK(compiled.status == MOTE_OK);
        CHECK(compiled.expression.constant == cases[i].constant);
        CHECK(compiled.expression.slots == cases[i].slots);
        CHECK((compiled.expression.slots >> SLOT_T & 1) == (cases[i].slots & 1));
        release(&compiled);
    }
}

typedef struct Bad {
    const char *text;
    size_t at, length;
    const char *message, *hint;
} Bad;

static const Bad bad[] = {
    {"", 0, 0, "expected a number, a name or `(`, but the expression ends", ""},
    {"1 +", 3, 0, "expected a number, a name or `(`, but the expression ends", ""},
    {"1 + * 2", 4, 1, "expected a number, a name or `(`, found `*`", ""},
    {"2 ** 3", 3, 1, "expected a number, a name or `(`, found `*`", "a power is written x^y"},
    {"(1 + 2", 0, 1, "this `(` is never closed", ""},
    {"(1 2)", 3, 1, "expected an operator or `)`, found `2`", ""},
    {"1)", 1, 1, "expected an operator or the end, found `)`", ""},
    {"2 pi", 2, 2, "expected an operator or the end, found `pi`", "a product is written a * b"},
    {"2(t + 1)", 1, 1, "expected an operator or the end, found `(`", "a product is written a * b"},
    {"t = 2", 2, 1, "expected an operator or the end, found `=`", "a comparison is written a == b"},
    {"2 * lif", 4, 3, "unknown name `lif`", "did you mean `life`?"},
    {"zzzzzz", 0, 6, "unknown name `zzzzzz`",
     "known names: age, life, position.x, t, rate, age, preset, pi, tau, e"},
    {"sine(t)", 0, 4, "unknown function `sine`", "did you mean `sin`?"},
    {"rate(t)", 0, 4, "`rate` is no function", ""},
    {"sin", 0, 3, "sin is a function: write sin(...)", ""},
    {"sin()", 0, 3, "sin takes 1 number, found 0", ""},
    {"1 + sin(1, t)", 4, 3, "sin takes 1 number, found 2", ""},
    {"clamp(t)", 0, 5, "clamp takes 3 numbers, found 1", ""},
    {"max(t)", 0, 3, "max takes 2 numbers or more, found 1", ""},
    {"mix(1, 2, 3, t, 5, 6)", 0, 3, "mix takes 3 numbers, found 6", ""},
    {"max(1; 2)", 5, 1, "expected `,` or `)`, found `;`", ""},
    {"preset + 1", 0, 6, "`preset` is a string, not a number", ""},
    {"1 < t < 2", 6, 1, "comparisons cannot be chained", "write a < b && b < c"},
    {"1 == t == 2", 7, 2, "comparisons cannot be chained", "write a < b && b < c"},
    {"t ? 1", 5, 0, "expected `:`, but the expression ends", ""},
    {"1e999", 0, 5, "this number is too large for a number", ""},
    {"t & 1", 2, 1, "expected an operator or the end, found `&`", ""},
    {"\"a\"", 0, 1, "expected a number, a name or `(`, found `\"`", ""},
};

static void says_what_is_wrong(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        Compiled compiled;
        compile(&compiled, bad[i].text);
        const ExpressionError *error = &compiled.error;
        CHECK(compiled.status == MOTE_BAD_VALUE);
        bool same = strcmp(error->message, bad[i].message) == 0 &&
                    strcmp(error->hint, bad[i].hint) == 0 && error->at == bad[i].at &&
                    error->length == bad[i].length;
        if (!same)
            fprintf(stderr, "%s: %zu %zu %s; %s\n", bad[i].text, error->at, error->length,
                    error->message, error->hint);
        CHECK(same);
        release(&compiled);
    }
}

/* `count` times `open`, then 1, then as often `close`. */
static mote_Status status_of_repeated(const char *open, const char *close, size_t count)
{
    size_t opens = strlen(open), closes = strlen(close);
    char *text = calloc(count * (opens + closes) + 2, 1), *at = text;
    for (size_t i = 0; i < count; ++i, at += opens) memcpy(at, open, opens);
    *at++ = 't';
    for (size_t i = 0; i < count; ++i, at += closes) memcpy(at, close, closes);
    Compiled compiled;
    compile(&compiled, text);
    mote_Status status = compiled.status;
    release(&compiled);
    free(text);
    return status;
}

static void is_bounded(void)
{
    static const char *const pairs[][2] = {
        {"(", ")"},   {"-", ""},  {"!", ""},       {"t^", ""},   {"t?t:", ""},        {"sin(", ")"},
        {"t+(", ")"}, {"", "+t"}, {"max(t,", ")"}, {"t?", ":t"}, {"clamp(t,t,", ")"}, {"", "*t"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        CHECK(status_of_repeated(pairs[i][0], pairs[i][1], 8) == MOTE_OK);
        CHECK(status_of_repeated(pairs[i][0], pairs[i][1], 100) == MOTE_BAD_VALUE ||
              pairs[i][0][0] == '\0');
        CHECK(status_of_repeated(pairs[i][0], pairs[i][1], 1000) == MOTE_BAD_VALUE);
        CHECK(status_of_repeated(pairs[i][0], pairs[i][1], 1000000) == MOTE_BAD_VALUE);
    }
}

/* ---- rows ---- */

static const char *const row_expressions[] = {
    "age",
    "3",
    "0.01*(1-age/life)",
    "t*sin(age)+cos(life)^2",
    "age < life && position.x % 2 == 1 ? exp(-age) : log(1+life)",
    "min(age, life, t) + max(age, 2) * clamp(life, 1, 2) - mix(age, life, t)",
    "smoothstep(0, life, age) + step(age, 1) - sign(age - 1) + mod(age, 0.3) + hypot(age, life)",
    "floor(age*10) + ceil(age) + round(life) + abs(-age) + sqrt(life) + atan2(age, life)",
    "-age / (life - life) + !(age > 1) + (age != 1 || life <= 2) + (age >= 1) + (age == life)",
    "asin(age/10) + acos(age/10) + tan(age) + log2(life) + log10(life) + pow(life, age)",
};

static void check_rows(const Expression *expression, size_t count)
{
    enum { MOST = 1000 };
    static float ages[MOST];
    static double lives[MOST], out[MOST + 1];
    static uint64_t ids[MOST];
    for (size_t i = 0; i < count; ++i) {
        ages[i] = (float)(hash_mix(i) % 1000) / 250.0f;
        lives[i] = 0.5 + (double)(hash_mix(i + 7777) % 1000) / 100.0;
        ids[i] = i;
    }
    const ExpressionPlane planes[SLOTS] = {{.type = PLANE_ONE_VALUE, .value = t},
                                           {.type = PLANE_FLOAT, .data = ages},
                                           {.type = PLANE_DOUBLE, .data = lives},
                                           {.type = PLANE_U64, .data = ids}};
    out[count] = 77;
    expression_rows(expression, planes, count, out);
    CHECK(out[count] == 77);
    for (size_t i = 0; i < count; ++i) {
        double row[SLOTS] = {t, (double)ages[i], lives[i], (double)ids[i]};
        double wanted = expression_value(expression, row);
        CHECK(memcmp(&wanted, &out[i], sizeof wanted) == 0);
    }
}

static void rows_equal_single_values(void)
{
    static const size_t counts[] = {0, 1, 127, 128, 129, 1000};
    for (size_t e = 0; e < sizeof row_expressions / sizeof row_expressions[0]; ++e) {
        Compiled compiled;
        compile(&compiled, row_expressions[e]);
        CHECK(compiled.status == MOTE_OK);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c)
            check_rows(&compiled.expression, counts[c]);
        release(&compiled);
    }
}

/* One row against C, so that the comparison above cannot hide a common error. */
static void rows_follow_c_arithmetic(void)
{
    Compiled compiled;
    float ages[200];
    double out[200];
    compile(&compiled, "age < 50 ? 2*age+1 : -age");
    for (int i = 0; i < 200; ++i) ages[i] = (float)i;
    const ExpressionPlane planes[SLOTS] = {[SLOT_AGE] = {.type = PLANE_FLOAT, .data = ages}};
    expression_rows(&compiled.expression, planes, 200, out);
    for (int i = 0; i < 200; ++i) CHECK(out[i] == (i < 50 ? 2 * i + 1 : -i));
    release(&compiled);
}

static void reserves_names(void)
{
    CHECK(expression_is_reserved("pi") && expression_is_reserved("e"));
    CHECK(expression_is_reserved("smoothstep") && !expression_is_reserved("rate"));
    CHECK(!expression_is_reserved("") && !expression_is_reserved("si"));
    for (int op = EXPRESSION_OP_FIRST_FUNCTION; op < EXPRESSION_OP_COUNT; ++op)
        CHECK(expression_is_reserved(expression_ops[op].name));
}

/* `mote help expression` names every function. */
static void help_names_all_functions(void)
{
    mote_SceneKey key = {.key = ""};
    for (size_t i = 0; key.key != NULL && strcmp(key.key, "functions") != 0; ++i)
        key = mote_scene_object_key("expression", i);
    CHECK(key.key != NULL);
    for (int op = EXPRESSION_OP_FIRST_FUNCTION; key.key != NULL && op < EXPRESSION_OP_COUNT; ++op) {
        char word[40], doc[400];
        snprintf(word, sizeof word, " %s ", expression_ops[op].name);
        snprintf(doc, sizeof doc, " %s ", key.doc);
        CHECK(strstr(doc, word) != NULL);
    }
}

TESTS({"help_names_all_functions", help_names_all_functions},
      {"follows_c_arithmetic", follows_c_arithmetic}, {"calls_functions", calls_functions},
      {"knows_powers", knows_powers}, {"has_no_bad_arithmetic", has_no_bad_arithmetic},
      {"folds_constants", folds_constants}, {"says_what_is_wrong", says_what_is_wrong},
      {"is_bounded", is_bounded}, {"rows_equal_single_values", rows_equal_single_values},
      {"rows_follow_c_arithmetic", rows_follow_c_arithmetic}, {"reserves_names", reserves_names})

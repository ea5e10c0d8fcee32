/* Parameter structs from objects: values, messages, bindings; and the single-value readers. */
#include "scene/reading.h"

#include "base/row.h"

#include <mote/scene.h>

static const char *const schemes[] = {"euler", "rk4", "verlet", NULL};
static const char *const field_kind[] = {"field", NULL};

typedef struct Thing {
    mote_real restitution;
    mote_real speed;
    double mass;
    uint64_t count;
    bool open;
    mote_Vec3 velocity;
    mote_Vec3 tint;
    int scheme;
    const char *wind;
} Thing;

static const mote_Param table[] = {
    PARAM_REAL(Thing, restitution, "", "bounce", 0.5, 0, 1),
    PARAM_REAL(Thing, speed, "m/s", "speed", 2, -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_DOUBLE(Thing, mass, "kg", "mass", 1, PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_COUNT(Thing, count, "how many", 10, 1, 1000),
    PARAM_BOOL(Thing, open, "open", true),
    PARAM_VEC3(Thing, velocity, "m/s", "velocity", 1, 2, 3),
    PARAM_COLOR(Thing, tint, "color", 1, 1, 1),
    PARAM_CHOICE(Thing, scheme, "scheme", schemes, 1),
    PARAM_NAME(Thing, wind, "wind", field_kind),
};
static const mote_Row row = ROW_HEAD("thing", "a thing", table, Thing);
static const char *const others[] = {"name", "type", NULL};

typedef struct Filled {
    Reading reading;
    Thing thing;
    ParamBindings bindings;
    bool good;
} Filled;

static void fill_dimension(Filled *filled, const char *object, int dimension)
{
    static char text[2000];
    snprintf(text, sizeof text, "{mote: 1, params: {rate: 0.25, calm: 'verlet'}, thing:\n%s}",
             object);
    reading_start(&filled->reading, text, NULL);
    CHECK_OK(filled->reading.status, filled->reading.error);
    Document *document = filled->reading.document;
    document->reader.dimension = dimension;
    filled->bindings = (ParamBindings){0};
    filled->good = params_from_node(&document->reader, &row, node_find(document->root, "thing"),
                                    others, &filled->thing, &filled->bindings);
    reading_show(&filled->reading);
}

static void fill(Filled *filled, const char *object)
{
    fill_dimension(filled, object, 3);
}

static bool is_vec(mote_Vec3 v, double x, double y, double z)
{
    return v.x == (mote_real)x && v.y == (mote_real)y && v.z == (mote_real)z;
}

static void fills_defaults(void)
{
    Filled filled;
    fill(&filled, "{}");
    const Thing *thing = &filled.thing;
    CHECK(filled.good && thing->restitution == (mote_real)0.5 && thing->mass == 1);
    CHECK(thing->count == 10 && thing->open && thing->scheme == 1 && thing->wind == NULL);
    CHECK(is_vec(thing->velocity, 1, 2, 3));
    reading_end(&filled.reading);
}

static void fills_every_type(void)
{
    Filled filled;
    fill(&filled, "{type: 'x', name: 3, restitution: '=2*rate', speed: -3.5, mass: 1e-9, count: 7,"
                  " open: false, velocity: ['=rate', 0, -1], tint: '#ff8000', scheme: 'euler',"
                  " wind: 'gusts'}");
    const Thing *thing = &filled.thing;
    CHECK(filled.good && filled.bindings.count == 0);
    CHECK(thing->restitution == (mote_real)0.5 && thing->speed == (mote_real)-3.5);
    CHECK(thing->mass == 1e-9 && thing->count == 7 && !thing->open && thing->scheme == 0);
    CHECK(is_vec(thing->velocity, 0.25, 0, -1));
    /* sRGB 128/255 is 0.21586 linear (IEC 61966-2-1) */
    CHECK_NEAR(thing->tint.x, 1, 1e-6);
    CHECK_NEAR(thing->tint.y, 0.2158605, 1e-6);
    CHECK_NEAR(thing->tint.z, 0, 1e-6);
    CHECK(strcmp(thing->wind, "gusts") == 0);
    reading_end(&filled.reading);

    fill(&filled, "{tint: [0.5, 2, '=1-rate'], scheme: '=calm', open: '=rate > 1', wind: null}");
    CHECK(filled.good && is_vec(filled.thing.tint, 0.5, 2, 0.75) && filled.thing.scheme == 2);
    CHECK(!filled.thing.open && filled.thing.wind == NULL);
    reading_end(&filled.reading);

    fill_dimension(&filled, "{velocity: [4, 5]}", 2);
    CHECK(filled.good && is_vec(filled.thing.velocity, 4, 5, 0));
    reading_end(&filled.reading);
}

typedef struct Bad {
    const char *object;
    const char *shown; /* without the first line's "scene.json5:2:" */
} Bad;

static const Bad bad[] = {
    {"{restitution: 1.4}", "15: error: restitution is 1.4, but must be between 0 and 1\n"
                           "{restitution: 1.4}}\n              ^~~\n"},
    {"{restitution: '=1+rate'}", "15: error: restitution is 1.25, but must be between 0 and 1\n"
                                 "{restitution: '=1+rate'}}\n              ^~~~~~~~~\n"},
    {"{restitution: 1.0000001}",
     "15: error: restitution is 1.0000001, but must be between 0 and 1\n"
     "{restitution: 1.0000001}}\n              ^~~~~~~~~\n"},
    {"{speed: 'fast'}", "9: error: expected a number (m/s), found a string\n"
                        "{speed: 'fast'}}\n        ^~~~~~\nhint: an expression starts with =\n"},
    {"{speed: Infinity}", "9: error: speed is inf, but must be finite\n"
                          "{speed: Infinity}}\n        ^~~~~~~~\n"},
    {"{speed: NaN}", "9: error: speed is nan, but must be finite\n"
                     "{speed: NaN}}\n        ^~~\n"},
    {"{speed: '=1/0'}", "9: error: speed is inf, but must be finite\n"
                        "{speed: '=1/0'}}\n        ^~~~~~\n"},
    {"{mass: 0}", "8: error: mass is 0, but must be greater than 0 kg\n{mass: 0}}\n       ^\n"},
    {"{mass: [1]}", "8: error: expected a number (kg), found a list\n"
                    "{mass: [1]}}\n       ^~~\n"},
    {"{count: 2.5}", "9: error: count is 2.5, but must be a whole number from 0 to 2^53\n"
                     "{count: 2.5}}\n        ^~~\n"},
    {"{count: 1e4}", "9: error: count is 10000, but must be between 1 and 1000\n"
                     "{count: 1e4}}\n        ^~~\n"},
    {"{count: '=t'}", "9: error: this value must be constant, but the expression varies\n"
                      "{count: '=t'}}\n        ^~~~\n"},
    {"{open: 1}", "8: error: expected true or false, found a number\n"
                  "{open: 1}}\n       ^\n"},
    {"{velocity: [1, 2]}", "12: error: expected [x, y, z] (m/s), found a list of 2\n"
                           "{velocity: [1, 2]}}\n           ^~~~~~\n"},
    {"{velocity: 3}", "12: error: expected [x, y, z] (m/s), found a number\n"
                      "{velocity: 3}}\n           ^\n"},
    {"{velocity: [1, Infinity, '2']}", "16: error: velocity.y is inf, but must be finite\n"
                                       "{velocity: [1, Infinity, '2']}}\n"
                                       "               ^~~~~~~~\n"
                                       "scene.json5:2:26: error: expected a number (m/s), found a "
                                       "string\n"
                                       "{velocity: [1, Infinity, '2']}}\n"
                                       "                         ^~~\n"
                                       "hint: an expression starts with =\n"},
    {"{tint: '#ff80'}", "8: error: `#ff80` is no color\n{tint: '#ff80'}}\n       ^~~~~~~\n"
                        "hint: write [r, g, b], linear, or \"#rrggbb\"\n"},
    {"{tint: [1, -1, 1]}", "12: error: tint.g is -1, but must be at least 0\n"
                           "{tint: [1, -1, 1]}}\n           ^~\n"},
    {"{tint: [1]}", "8: error: expected a color, [r, g, b] or \"#rrggbb\", found a list of 1\n"
                    "{tint: [1]}}\n       ^~~\n"},
    {"{scheme: 'rk5'}", "10: error: unknown scheme `rk5`\n{scheme: 'rk5'}}\n         ^~~~~\n"
                        "hint: did you mean `rk4`? (known: euler, rk4, verlet)\n"},
    {"{scheme: 4}", "10: error: expected a string, found a number\n"
                    "{scheme: 4}}\n         ^\n"},
    {"{wind: 3}", "8: error: expected a string, found a number\n{wind: 3}}\n       ^\n"},
    {"{wind: '=rate'}", "8: error: expected a string, found an expression\n"
                        "{wind: '=rate'}}\n       ^~~~~~~\n"
                        "hint: only \"=name\" with a param that is a string gives one\n"},
    {"{restituton: 1}", "2: error: unknown key `restituton` in thing\n{restituton: 1}}\n"
                        " ^~~~~~~~~~\n"
                        "hint: did you mean `restitution`? (allowed: restitution, speed, mass, "
                        "count, open, velocity, tint, scheme, wind, name, type)\n"},
    {"[1]", "1: error: expected an object, found a list\n[1]}\n^~~\n"},
    {"{speed: '=2 * raet'}", "15: error: unknown name `raet`\n"
                             "{speed: '=2 * raet'}}\n              ^~~~\n"
                             "hint: did you mean `rate`?\n"},
    {"{speed: \"=\\u0032 \\\n  * raet\"}", "5: error: unknown name `raet`\n"
                                           "  * raet\"}}\n    ^~~~\nhint: did you mean `rate`?\n"},
};

static void says_what_is_wrong(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        Filled filled;
        fill(&filled, bad[i].object);
        CHECK(!filled.good);
        const char *shown = filled.reading.shown.text;
        CHECK(strncmp(shown, "scene.json5:", 12) == 0);
        CHECK_TEXT(shown + 14, bad[i].shown);
        reading_end(&filled.reading);
    }
}

static void collects_all_errors(void)
{
    Filled filled;
    fill(&filled, "{restitution: 2, speed: 'x', mass: -1, count: -1, velocity: [1], nme: 1,"
                  " scheme: 'no'}");
    CHECK(!filled.good && filled.reading.document->diagnostics.errors == 7);
    mote_Error error;
    CHECK(document_status(filled.reading.document, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "unknown key `nme` in thing; did you mean `name`?");
    CHECK_MESSAGE(error, "(and 6 more)");
    reading_end(&filled.reading);
}

static void binds_what_varies(void)
{
    Filled filled;
    double slots[2] = {[SLOT_T] = 2, [SLOT_FRAME] = 7};
    mote_Error error;
    fill(&filled, "{speed: '=t*rate', mass: '=frame+1', velocity: [5, '=t', '=-t'],"
                  " restitution: '=t-1.5'}");
    CHECK(filled.good && filled.bindings.count == 5);
    ParamBinding *binding = filled.bindings.first;
    for (; binding != NULL; binding = binding->next)
        CHECK_OK(binding_apply(binding, slots, &filled.thing, &error), error);
    CHECK(filled.thing.speed == (mote_real)0.5 && filled.thing.mass == 8);
    CHECK(is_vec(filled.thing.velocity, 5, 2, -2) && filled.thing.restitution == (mote_real)0.5);
    CHECK(filled.bindings.last->expression.slots >> SLOT_T & 1);

    slots[SLOT_T] = 3;
    binding = filled.bindings.first; /* restitution stands first in the table */
    CHECK(binding_apply(binding, slots, &filled.thing, &error) == MOTE_BAD_VALUE);
    CHECK(strcmp(error.message,
                 "scene.json5:2:79: restitution is 1.5, but must be between 0 and 1") == 0);
    CHECK(filled.thing.restitution == (mote_real)0.5);
    const Document *document = filled.reading.document;
    CHECK(!params_from_node(&document->reader, &row, node_find(document->root, "thing"), others,
                            &filled.thing, NULL));
    CHECK(strstr(reading_show(&filled.reading), "speed must be constant here") != NULL);
    reading_end(&filled.reading);
}

static void reads_single_values(void)
{
    Reading reading;
    static const char *const kinds[] = {"points", "sph", NULL};
    reading_start(&reading, "{mote: 1, a: [1, '=2', 3], k: 'sph', c: 9007199254740992, o: {x: 1}}",
                  NULL);
    const Reader *reader = &reading.document->reader;
    const Node *root = reading.document->root;
    double values[4];
    size_t count, index;
    uint64_t whole;
    CHECK(node_numbers(reader, node_find(root, "a"), "m", 1, 4, values, &count));
    CHECK(count == 3 && values[0] == 1 && values[1] == 2 && values[2] == 3);
    CHECK(node_choice(reader, node_find(root, "k"), "solver", name_list(kinds), &index));
    CHECK(index == 1);
    CHECK(node_count(reader, node_find(root, "c"), &whole) && whole == (uint64_t)1 << 53);
    CHECK(reading.document->diagnostics.errors == 0);
    CHECK(!node_numbers(reader, node_find(root, "a"), "m", 4, 6, values, &count));
    CHECK(!node_numbers(reader, node_find(root, "a"), "m", 2, 2, values, &count));
    CHECK(node_require(reader, node_find(root, "o"), "y") == NULL);
    CHECK(node_require(reader, node_find(root, "o"), "x") != NULL);
    const char *line = "{mote: 1, a: [1, '=2', 3], k: 'sph', c: 9007199254740992, o: {x: 1}}\n";
    char wanted[1000];
    snprintf(wanted, sizeof wanted,
             "scene.json5:1:14: error: expected a list of 4 to 6 numbers, found 3\n%s%s"
             "scene.json5:1:14: error: expected a list of 2 numbers, found 3\n%s%s"
             "scene.json5:1:62: error: the key `y` is missing here\n%s%62s\n",
             line, "             ^~~~~~~~~~~~\n", line, "             ^~~~~~~~~~~~\n", line, "^");
    CHECK_TEXT(reading_show(&reading), wanted);
    reading_end(&reading);
}

static mote_Status fill_with(Memory *memory, const void *context)
{
    mote_Error error;
    Thing thing;
    ParamBindings bindings = {0};
    Document *document = document_create(memory);
    if (document == NULL) return MOTE_NO_MEMORY;
    document_read_text(document, "s.json5", context, NULL, 0, &error);
    if (document->root != NULL) NODE_EACH(member, document->root)
    if (member->type == NODE_OBJECT)
        params_from_node(&document->reader, &row, member, others, &thing, &bindings);
    mote_Status status = document_status(document, &error);
    document_destroy(document);
    return status;
}

static void survives_no_memory(void)
{
    static char good[200000], *at = good;
    at += sprintf(at, "{mote: 1");
    for (int i = 0; i < 1500; ++i)
        at += sprintf(at, ", o%d: {speed: '=t*%d', velocity: [1, '=sin(t)', '=t^2+1']}", i, i);
    sprintf(at, "}");
    CHECK(check_failing_memory(fill_with, good, MOTE_OK) > 8);
    check_failing_memory(fill_with, "{mote: 1, o: {speed: 'x', mas: 1, scheme: 'rk', tint: '#'}}",
                         MOTE_BAD_VALUE);
}

/* ---- methods ---- */

/* Keys of the row that a method names stand beside the name, and fill that row's struct; those of
 * other rows of the family may stand there, too. */
static void fills_methods(void)
{
    size_t count;
    const mote_Row *const *solvers = mote_family_rows("solvers", &count);
    const mote_Row *sph = row_find(solvers, count, "", "solver", "sph", NULL);
    Reading reading;
    mote_SphSolver own;
    reading_start(&reading, "{ a: { pressure: 'wcsph', sound: 12, density_error: 0.1 }, b: {} }",
                  NULL);
    const Reader *reader = &reading.document->reader;
    CHECK(params_from_node(reader, sph, node_find(reading.document->root, "a"), NULL, &own, NULL));
    const mote_WcsphPressure *weak = own.pressure_params;
    CHECK(strcmp(own.pressure, "wcsph") == 0 && weak->sound == 12 && weak->mach == 10);
    CHECK(params_from_node(reader, sph, node_find(reading.document->root, "b"), NULL, &own, NULL));
    const mote_DfsphPressure *stiff = own.pressure_params;
    CHECK(own.pressure == NULL && stiff->most_iterations == 200);
    reading_end(&reading);
}

/* Each key once, those of methods behind the row's own. */
static void keys_of_methods(void)
{
    size_t count, sound = 0;
    const mote_Row *const *solvers = mote_family_rows("solvers", &count);
    const mote_Row *sph = row_find(solvers, count, "", "solver", "sph", NULL);
    const mote_Param *key;
    for (size_t i = 0; (key = row_key(sph, i)) != NULL; ++i) {
        if (strcmp(key->name, "sound") == 0) sound = i;
        for (size_t k = 0; k < i; ++k) CHECK(strcmp(row_key(sph, k)->name, key->name) != 0);
    }
    CHECK(sound >= sph->param_count);
}

TESTS({"fills_defaults", fills_defaults}, {"fills_every_type", fills_every_type},
      {"says_what_is_wrong", says_what_is_wrong}, {"collects_all_errors", collects_all_errors},
      {"binds_what_varies", binds_what_varies}, {"reads_single_values", reads_single_values},
      {"fills_methods", fills_methods}, {"keys_of_methods", keys_of_methods},
      {"survives_no_memory", survives_no_memory})

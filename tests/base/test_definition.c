/* Definitions of older and newer headers than the library's. */
#include "base/definition.h"

#include "check.h"

/* Three headers of one struct: each appends. */
typedef struct First {
    size_t size;
    double rate;
} First;

typedef struct Second {
    size_t size;
    double rate;
    int color;
    const char *name;
} Second;

typedef struct Third {
    size_t size;
    double rate;
    int color;
    const char *name;
    double later;
} Third;

/* Of the library that knows Second; it began with First. */
static Definition known(void)
{
    return (Definition){"mote_MadeUpDef", sizeof(Second), offsetof(Second, color)};
}

static Second defaults(void)
{
    return (Second){.size = sizeof(Second), .rate = 2, .color = 7, .name = "sand"};
}

static void makers_write_no_more_than_the_program_has(void)
{
    const Second own = defaults();
    struct {
        First def;
        unsigned char beyond[sizeof(Second)];
    } old;
    Third new;
    memset(&old, 0xab, sizeof old);
    definition_make(known(), &own, &old.def, sizeof old.def);
    CHECK(old.def.size == sizeof(First) && old.def.rate == 2);
    for (size_t i = 0; i < sizeof old.beyond; ++i) CHECK(old.beyond[i] == 0xab);
    definition_make(known(), &own, &new, sizeof new);
    CHECK(new.size == sizeof(Third) && new.rate == 2 && new.color == 7 && new.later == 0);
}

static void older_ones_get_defaults_for_what_came_later(void)
{
    const First old = {sizeof old, 5};
    Second whole = defaults();
    mote_Error error;
    CHECK_OK(definition_take(known(), &old, &whole, &error), error);
    CHECK(whole.size == sizeof whole && whole.rate == 5);
    CHECK(whole.color == 7 && strcmp(whole.name, "sand") == 0);
    const Second now = {sizeof now, 6, 8, "snow"};
    CHECK_OK(definition_take(known(), &now, &whole, &error), error);
    CHECK(whole.rate == 6 && whole.color == 8 && strcmp(whole.name, "snow") == 0);
    whole = defaults();
    CHECK_OK(definition_take(known(), NULL, &whole, &error), error);
    CHECK(whole.rate == 2 && whole.color == 7);
}

static void others_are_refused(void)
{
    const struct {
        size_t size;
        const char *message;
    } wrong[] = {{0, "its size is 0"},
                 {8, "built against an older header"},
                 {sizeof(First) - 1, "built against an older header"},
                 {sizeof(Second) + 1, "built against a newer header"},
                 {sizeof(Third), "built against a newer header"},
                 {SIZE_MAX, "built against a newer header"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        Third given = {.size = wrong[i].size, .rate = 9};
        Second whole = defaults();
        mote_Error error;
        CHECK(definition_take(known(), &given, &whole, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, wrong[i].message);
        CHECK(strncmp(error.message, "mote_MadeUpDef: ", 16) == 0);
        CHECK(whole.rate == 2);
    }
}

TESTS({"makers_write_no_more_than_the_program_has", makers_write_no_more_than_the_program_has},
      {"older_ones_get_defaults_for_what_came_later", older_ones_get_defaults_for_what_came_later},
      {"others_are_refused", others_are_refused})

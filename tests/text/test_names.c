/* Lists of names in messages: whole names alone, and a sign where some are left out. */
#include "check.h"

#include "text/text_buffer.h"

#include <string.h>

static const char *const names[] = {"water", "oil", "sand", NULL};

static void lists_end_with_whole_names(void)
{
    static const struct {
        size_t size;
        const char *text;
    } cases[] = {
        {32, "water, oil, sand"}, {17, "water, oil, sand"}, {16, "water, oil, ..."},
        {15, "water, ..."},       {11, "water, ..."},       {10, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[32];
        memset(text, '#', sizeof text);
        bool is_whole = name_list_text(name_list(names), text, cases[i].size);
        CHECK(strcmp(text, cases[i].text) == 0);
        CHECK(is_whole == (i < 2));
        for (size_t k = cases[i].size; k < sizeof text; ++k) CHECK(text[k] == '#');
    }
}

static void words_are_near_a_name_or_to_none(void)
{
    CHECK(strcmp(name_nearest("watr", name_list(names)), "water") == 0);
    CHECK(name_nearest("xyz", name_list(names)) == NULL);
}

TESTS({"lists_end_with_whole_names", lists_end_with_whole_names},
      {"words_are_near_a_name_or_to_none", words_are_near_a_name_or_to_none})

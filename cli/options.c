/* Options: tables turned into getopt_long's, typed values, and messages for what is wrong. */
#include "cli/options.h"

#include "base/number.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/exit.h"

#include <assert.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS_MOST = 40, LONG_VALUE = 256, HELP_VALUE = 'h' };

typedef struct Getopt {
    struct option longs[OPTIONS_MOST + 2];
    char letters[2 * OPTIONS_MOST + 4];
    size_t count;
} Getopt;

static void getopt_tables(const Option *table, Getopt *out)
{
    char *letter = out->letters;
    *letter++ = ':'; /* a missing argument is told apart */
    for (out->count = 0; table[out->count].name != NULL; ++out->count) {
        const Option *option = &table[out->count];
        assert(out->count < OPTIONS_MOST);
        int has = option->argument != NULL ? required_argument : no_argument;
        out->longs[out->count] =
            (struct option){option->name, has, NULL, LONG_VALUE + (int)out->count};
        if (option->letter == '\0') continue;
        *letter++ = option->letter;
        if (option->argument != NULL) *letter++ = ':';
    }
    *letter++ = HELP_VALUE;
    *letter = '\0';
    out->longs[out->count] = (struct option){"help", no_argument, NULL, HELP_VALUE};
    out->longs[out->count + 1] = (struct option){0};
}

static const Option *option_of(const OptionsRead *read, int value)
{
    const Option *option = read->table;
    if (value >= LONG_VALUE) return &option[value - LONG_VALUE];
    while (option->name != NULL && option->letter != value) ++option;
    return option;
}

/* ---- values ---- */

static bool count_parse(const char *text, double min, double max, int64_t *value)
{
    double number;
    if (!number_parse(text, &number) || !(number >= min && number <= max)) return false;
    if (number != floor(number)) return false;
    *value = (int64_t)number;
    return true;
}

static bool read_count(const Option *option, const char *text, void *value)
{
    if (count_parse(text, option->min, option->max, value)) return true;
    message("--%s: `%s` is not a whole number between %.0f and %.0f", option->name, text,
            option->min, option->max);
    return false;
}

/* One side of a range; "" leaves it open. */
static bool read_side(const char *text, size_t length, int64_t *side)
{
    char word[32];
    if (length == 0) return true;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    return length < sizeof word && count_parse(word, 0, 1e15, side);
}

static bool read_frames(const Option *option, const char *text, void *value)
{
    FrameRange range = {.first = -1, .last = -1};
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    bool good = read_side(text, length, &range.first) && strlen(text) > (colon != NULL);
    if (colon != NULL) good = good && read_side(colon + 1, strlen(colon + 1), &range.last);
    if (colon == NULL) range.last = range.first, range.single = true;
    if (!good)
        message("--%s: `%s` is no range of frames; write 10:20, 10:, :20 or 20", option->name,
                text);
    else if (range.last >= 0 && range.first > range.last)
        message("--%s: `%s` ends before it starts; the smaller number comes first", option->name,
                text);
    *(FrameRange *)value = range;
    return good && (range.last < 0 || range.first <= range.last);
}

/* How many list options of the command stand before this one. */
static size_t list_number(const OptionsRead *read, const Option *option)
{
    size_t number = 0;
    for (const Option *other = read->table; other != option; ++other)
        number += other->type == OPTION_LIST;
    assert(number < OPTIONS_LISTS);
    return number;
}

static bool read_value(const OptionsRead *read, const Option *option, const char *text)
{
    char *value = (char *)read->values + option->offset;
    TextList *list = (TextList *)(void *)value;
    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)value = true;
        return true;
    case OPTION_COUNT:
        return read_count(option, text, value);
    case OPTION_TEXT:
        *(const char **)(void *)value = text;
        return true;
    case OPTION_LIST:
        list->items = read->list + list_number(read, option) * read->room;
        list->items[list->count++] = text;
        return true;
    case OPTION_FRAMES:
        return read_frames(option, text, value);
    }
    return false;
}

/* ---- what is wrong ---- */

static const char *long_name(const void *context, size_t i)
{
    const struct option *longs = context;
    return longs[i].name; /* NULL at the end */
}

/* An abbreviation that fits two options. */
static bool explain_ambiguous(const Getopt *tables, const char *word)
{
    const char *found = NULL;
    for (size_t i = 0; i <= tables->count; ++i) {
        if (strncmp(tables->longs[i].name, word, strlen(word)) != 0) continue;
        if (found != NULL) {
            message("--%s may mean --%s or --%s", word, found, tables->longs[i].name);
            return true;
        }
        found = tables->longs[i].name;
    }
    return false;
}

static void explain_unknown(const OptionsRead *read, const Getopt *tables, const char *given)
{
    char word[64];
    if (optopt >= LONG_VALUE || (optopt == HELP_VALUE && strncmp(given, "--", 2) == 0)) {
        message("--%s takes no value",
                optopt == HELP_VALUE ? "help" : option_of(read, optopt)->name);
        return;
    }
    if (optopt != 0) {
        message("unknown option -%c; `" PROGRAM " help %s` shows the options", optopt,
                read->command);
        return;
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given + 2, "="), given + 2);
    if (word[0] != '\0' && explain_ambiguous(tables, word)) return;
    const char *near = text_nearest(word, long_name, tables->longs);
    if (near != NULL)
        message("unknown option --%s; did you mean --%s?", word, near);
    else
        message("unknown option --%s; `" PROGRAM " help %s` shows the options", word,
                read->command);
}

bool options_lost_setting(const OptionsRead *read)
{
    for (const Option *option = read->table; option->name != NULL; ++option) {
        const char *value = (const char *)read->values + option->offset;
        const TextList *list = (const TextList *)(const void *)value;
        if (option->type != OPTION_LIST || option->words != WORDS_SETTING) continue;
        for (size_t i = 0; i < list->count; ++i) {
            if (strchr(list->items[i], '=') != NULL) continue;
            message("--%s: `%s` has no value; write --%s %s=VALUE, without spaces", option->name,
                    list->items[i], option->name, list->items[i]);
            return true;
        }
    }
    return false;
}

static void explain_missing(const OptionsRead *read)
{
    const Option *option = option_of(read, optopt);
    message("--%s needs a value: --%s %s", option->name, option->name, option->argument);
}

bool options_read(OptionsRead *read, int argc, char **argv)
{
    Getopt tables;
    int value;
    getopt_tables(read->table, &tables);
    opterr = 0, optind = 0; /* 0: forget an earlier command line */
    while ((value = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
        if (value == '?') return explain_unknown(read, &tables, argv[optind - 1]), false;
        if (value == ':') return explain_missing(read), false;
        if (value == HELP_VALUE)
            read->help = true;
        else if (!read_value(read, option_of(read, value), optarg))
            return false;
    }
    read->count = argc - optind;
    read->words = argv + optind;
    return true;
}

/* Lists of words, all from the tables of commands, families, formats, benchmarks and shells. */
#include "cli/words.h"

#include "base/text.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/exit.h"
#include "cli/families.h"
#include "cli/scene.h"

#include <stdio.h>
#include <string.h>

static const char *command_name(size_t i)
{
    const Command *command = command_at(i);
    return command != NULL ? command->name : NULL;
}

static const char *format_name(size_t i)
{
    return family_entry("formats", i).name;
}

static const char *bench_name(size_t i)
{
    return family_entry("benchmarks", i).name;
}

static const char *example_name(size_t i)
{
    return family_entry("scenes", i).name;
}

static const char *study_name(size_t i)
{
    return family_entry("studies", i).name;
}

/* Commands, then families, then the rows of each. */
static const char *topic_name(size_t i)
{
    size_t n = 0;
    for (; command_name(n) != NULL; ++n)
        if (n == i) return command_name(n);
    for (size_t f = 0; family_name(f) != NULL; ++f, ++n)
        if (n == i) return family_name(f);
    for (size_t f = 0; family_name(f) != NULL; ++f) {
        size_t count = family_count(family_name(f));
        if (i < n + count) return family_entry(family_name(f), i - n).name;
        n += count;
    }
    return NULL;
}

static const char *field_name(size_t i)
{
    return family_entry("surfaces", i).name;
}

static const char *map_name(size_t i)
{
    return family_entry("colormaps", i).name;
}

/* ---- settings ---- */

enum { MOST_SETTINGS = 400, LONGEST_SETTING = 64 };
static char settings[MOST_SETTINGS][LONGEST_SETTING];
static size_t setting_count;

static void add_setting(const char *path, const char *key, const char *value)
{
    if (setting_count == MOST_SETTINGS) return;
    snprintf(settings[setting_count++], LONGEST_SETTING, "%s.%s=%s", path, key, value);
}

/* Values where there are few of them. */
static void add_parameter(const char *path, const mote_Param *param)
{
    const char *const truths[] = {"true", "false", NULL};
    const char *const *values = param->type == MOTE_PARAM_BOOL     ? truths
                                : param->type == MOTE_PARAM_CHOICE ? param->choices
                                                                   : NULL;
    if (values == NULL) add_setting(path, param->name, "");
    for (; values != NULL && *values != NULL; ++values) add_setting(path, param->name, *values);
}

/* Objects that a scene has once. */
static void list_settings(void)
{
    static const struct {
        const char *object, *path;
    } places[] = {{"world", "world"},    {"camera", "camera"},        {"render", "render"},
                  {"sky", "render.sky"}, {"ground", "render.ground"}, {"trace", "render.trace"},
                  {"output", "output"}};
    FamilyEntry entry;
    for (size_t i = 0; (entry = family_entry("objects", i)).name != NULL; ++i)
        for (size_t p = 0; p < sizeof places / sizeof places[0]; ++p)
            for (size_t k = 0; strcmp(entry.name, places[p].object) == 0 && entry.row != NULL &&
                               k < entry.row->param_count;
                 ++k)
                add_parameter(places[p].path, &entry.row->params[k]);
}

static const char *setting_name(size_t i)
{
    if (setting_count == 0) list_settings();
    return i < setting_count ? settings[i] : NULL;
}

static const char *axis_name(size_t i)
{
    static const char *const axes[] = {"x", "y", "z"};
    return i < 3 ? axes[i] : NULL;
}

static const char *no_name(size_t i)
{
    (void)i;
    return NULL;
}

typedef const char *NameAt(size_t i);

static NameAt *const lists[] = {
    [WORDS_ANY] = no_name,          [WORDS_SCENE] = no_name,        [WORDS_FOLDER] = no_name,
    [WORDS_COMMAND] = command_name, [WORDS_FAMILY] = family_name,   [WORDS_TOPIC] = topic_name,
    [WORDS_FORMAT] = format_name,   [WORDS_BENCH] = bench_name,     [WORDS_STUDY] = study_name,
    [WORDS_SHELL] = shell_name,     [WORDS_PART] = scene_part_name, [WORDS_EXAMPLE] = example_name,
    [WORDS_AXIS] = axis_name,       [WORDS_FIELD] = field_name,     [WORDS_SETTING] = setting_name,
    [WORDS_MAP] = map_name,
};

const char *words_at(Words kind, size_t i)
{
    return lists[kind](i);
}

bool words_have(Words kind, const char *word)
{
    const char *known;
    for (size_t i = 0; (known = words_at(kind, i)) != NULL; ++i)
        if (strcmp(known, word) == 0) return true;
    return false;
}

static const char *candidate(const void *context, size_t i)
{
    return words_at(*(const Words *)context, i);
}

/* "vtp, ply or csv": lists that are short are shown. */
static int fail_with_list(Words kind, const char *what, const char *word)
{
    char text[256] = "";
    const char *known;
    size_t used = 0;
    for (size_t i = 0; (known = words_at(kind, i)) != NULL && used < sizeof text - 1; ++i) {
        const char *between = i == 0 ? "" : words_at(kind, i + 1) != NULL ? ", " : " or ";
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", between, known);
    }
    return message_usage("unknown %s `%s`; it can be %s", what, word, text);
}

int words_fail(Words kind, const char *what, const char *word)
{
    const char *near = text_nearest(word, candidate, &kind);
    if (near != NULL) return message_usage("unknown %s `%s`; did you mean `%s`?", what, word, near);
    if (kind == WORDS_COMMAND)
        return message_usage("unknown %s `%s`; `" PROGRAM " help` shows all", what, word);
    if (kind == WORDS_TOPIC)
        return message_usage("nothing is known about `%s`; `" PROGRAM " help` and `" PROGRAM
                             " list` show what there is",
                             word);
    if (kind == WORDS_PART)
        return message_usage("unknown %s `%s`; `" PROGRAM
                             " scene` shows those that come with the program",
                             what, word);
    if (kind == WORDS_EXAMPLE)
        return message_usage("there is no %s `%s`; `" PROGRAM " list scenes` shows those that come "
                             "with the program",
                             what, word);
    return fail_with_list(kind, what, word);
}

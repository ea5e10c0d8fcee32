/* mote scene: a scene that comes with the program, a scene as it will run, the schema of scenes. */
#include "cli/scene.h"

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/load.h"
#include "cli/row_help.h"
#include "cli/scene_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct SceneOptions {
    TextList settings;
} SceneOptions;

typedef struct ScenePart {
    const char *name;
    const char *(*text)(mote_Scene *scene);
} ScenePart;

static const ScenePart parts[] = {{"print", mote_scene_print}, {"schema", mote_scene_schema}};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

/* Parts, then the scenes that come with the program. */
const char *scene_part_name(size_t i)
{
    return i < PART_COUNT ? parts[i].name : scene_file_at(i - PART_COUNT).name;
}

static int print_part(const ScenePart *part, const LoadDef *load)
{
    mote_Scene *scene;
    int code = load_scene(load, &scene);
    if (code != EXIT_DONE) return code;
    const char *text = part->text(scene);
    size_t length = text != NULL ? strlen(text) : 0;
    if (length > 0) fputs(text, stdout);
    if (length > 0 && text[length - 1] != '\n') putchar('\n');
    if (length == 0) message("out of memory"), code = EXIT_FAILED;
    mote_scene_destroy(scene);
    return code;
}

static int fail_name(const char *name)
{
    if (access(name, F_OK) == 0)
        return message_usage("`%s` is a file; did you mean `" PROGRAM " scene print %s`?", name,
                             name);
    return words_fail(WORDS_PART, "scene", name);
}

/* As it was written: comments and all, so nothing can be worked in. */
static int print_file(const char *name, const char *second, const TextList *settings)
{
    const char *text = scene_file_text(name);
    if (text == NULL) return fail_name(name);
    if (second != NULL || settings->count > 0)
        return message_usage("scene %s prints the scene as it is; `" PROGRAM
                             " scene print %s` takes --set",
                             name, name);
    fputs(text, stdout);
    return EXIT_DONE;
}

static int scene_run(const void *values, Given given)
{
    const SceneOptions *options = values;
    LoadDef load = {.path = given[1], .settings = &options->settings};
    if (given[0] == NULL) return help_family("scenes");
    for (size_t i = 0; i < PART_COUNT; ++i)
        if (strcmp(parts[i].name, given[0]) == 0) return print_part(&parts[i], &load);
    return print_file(given[0], given[1], &options->settings);
}

static const Option options[] = {OPTION_SET(SceneOptions), {0}};
static const SceneOptions defaults = {0};
static const Example examples[] = {
    {"scene", "the scenes that come with the program"},
    {"scene galaxy", "one of them, with its comments"},
    {"scene print my.json5", "a scene with includes, params and settings worked in"},
    {"scene schema > mote.schema.json", "a JSON schema, for completion in editors"},
    {0}};
static const Argument arguments[] = {{"NAME", "a scene, print or schema", WORDS_PART, true},
                                     {"SCENE", "a scene", WORDS_SCENE, true},
                                     {0}};
const Command command_scene = {
    .name = "scene",
    .doc = "Print a scene that comes along, a scene as it will run, or the schema.",
    .details = "`" PROGRAM " scene galaxy` prints the scene as it was "
               "written, `" PROGRAM " scene print galaxy` with all "
               "that it includes and sets worked in.",
    COMMAND_PARTS,
    .run = scene_run};

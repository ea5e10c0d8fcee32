/* mote scene: the scene as it will run, and the schema of scenes. */
#include "cli/scene.h"

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/load.h"

#include <stdio.h>
#include <string.h>

typedef struct SceneOptions {
    TextList settings;
} SceneOptions;

typedef struct ScenePart {
    const char *name;
    const char *(*text)(mote_Scene *scene);
} ScenePart;

static const ScenePart parts[] = {{"print", mote_scene_print}, {"schema", mote_scene_schema}};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

const char *scene_part_name(size_t i)
{
    return i < PART_COUNT ? parts[i].name : NULL;
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

static int scene_run(const void *values, Given given)
{
    const SceneOptions *options = values;
    LoadDef load = {.path = given[1], .settings = &options->settings};
    for (size_t i = 0; i < PART_COUNT; ++i)
        if (strcmp(parts[i].name, given[0]) == 0) return print_part(&parts[i], &load);
    return words_fail(WORDS_PART, "part of scene", given[0]);
}

static const Option options[] = {OPTION_SET(SceneOptions), {0}};
static const SceneOptions defaults = {0};
static const Example examples[] = {
    {"scene print > my.json5", "the built-in demo, as a start for a scene of your own"},
    {"scene print my.json5", "a scene with includes, params and settings worked in"},
    {"scene schema > mote.schema.json", "a JSON schema, for completion in editors"},
    {0}};
static const Argument arguments[] = {
    {"PART", "print or schema", WORDS_PART, false}, {"SCENE", "a scene", WORDS_SCENE, true}, {0}};
const Command command_scene = {.name = "scene",
                               .doc = "Print a scene as it will run, or the schema of scenes.",
                               .examples = examples,
                               .arguments = arguments,
                               .options = options,
                               .defaults = &defaults,
                               .options_size = sizeof defaults,
                               .run = scene_run};

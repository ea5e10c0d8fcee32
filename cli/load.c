/* Scenes: loading, and what is wrong with them. */
#include "cli/load.h"

#include "cli/exit.h"
#include "cli/scene_files.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_messages(mote_Scene *scene)
{
    const char *text = mote_scene_messages(scene, terminal_of(stderr).color);
    fflush(stdout);
    fputs(text, message_stream());
}

void load_explain(void *context, mote_Scene *scene, mote_Error *error)
{
    const bool option =
        strncmp(error->message, "--", 2) == 0 && strncmp(error->message, "--set:", 6) != 0;
    (void)context;
    if (option) return; /* nobody has written a text that could be shown */
    print_messages(scene);
    snprintf(error->message, sizeof error->message, "the scene has errors; they are listed above");
}

/* A folder of that name is where an earlier run of the scene went, not a scene. */
static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

/* A name that is neither a file nor a scene that comes along: perhaps its ending is missing. */
static int unknown_scene(const char *name)
{
    char file[300];
    snprintf(file, sizeof file, "%.280s.json5", name);
    if (is_file(file))
        return message_usage("there is no scene `%s`; did you mean `%s`?", name, file);
    return words_fail(WORDS_EXAMPLE, "scene", name);
}

int load_scene(const LoadDef *def, mote_Scene **scene)
{
    mote_SceneDef scene_def = mote_scene_def();
    mote_Error error = {0};
    *scene = NULL;
    if (def->path != NULL && !is_file(def->path)) {
        scene_def.text = scene_file_text(def->path);
        if (scene_def.text == NULL && access(def->path, F_OK) != 0 &&
            strpbrk(def->path, "./") == NULL)
            return unknown_scene(def->path);
    }
    if (scene_def.text != NULL)
        scene_def.name = def->path;
    else
        scene_def.path = def->path;
    scene_def.settings = def->settings->items;
    scene_def.setting_count = def->settings->count;
    mote_Status status = mote_scene_load(&scene_def, scene, &error);
    bool explained = *scene != NULL && mote_scene_messages(*scene, false)[0] != '\0';
    if (status == MOTE_OK) {
        if (explained && !def->quiet) print_messages(*scene);
        return EXIT_DONE;
    }
    if (explained) load_explain(NULL, *scene, &error);
    mote_scene_destroy(*scene);
    *scene = NULL;
    return message_failure(status, &error);
}

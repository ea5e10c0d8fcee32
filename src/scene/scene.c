/* Scenes: loading, asking, ending. */
#include "scene/scene.h"

#include "base/definition.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/system.h"

#include <math.h>
#include <string.h>

static mote_SceneDef scene_defaults(void)
{
    return (mote_SceneDef){.name = NULL};
}

DEFINITION_MAKER(mote_SceneDef, mote_scene_def, scene_defaults)

/* The file's name without folder and extension. */
static char *name_of(Memory *memory, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = memory_text(memory, slash != NULL ? slash + 1 : path);
    if (name == NULL) return NULL;
    char *dot = strrchr(name, '.');
    size_t size = strlen(name) + 1;
    if (dot == NULL || dot == name) return name;
    *dot = '\0';
    char *shorter = memory_text(memory, name);
    memory_free(memory, name, size);
    return shorter;
}

static mote_Status read_document(mote_Scene *scene, const mote_SceneDef *def, mote_Error *error)
{
    Document *document = scene->document;
    if (def->path != NULL)
        return document_read(document, def->path, def->settings, def->setting_count, error);
    return document_read_text(document, scene->name,
                              def->text != NULL ? def->text : scene_demo_text, def->settings,
                              def->setting_count, error);
}

static mote_Scene *make_scene(const mote_SceneDef *def)
{
    Memory memory = memory_make(def->allocator);
    mote_Scene *scene = memory_zeroed(&memory, sizeof *scene);
    if (scene == NULL) return NULL;
    const char *text_name = def->name != NULL ? def->name : def->text != NULL ? "scene" : "demo";
    scene->memory = memory;
    scene->document = document_create(&scene->memory);
    scene->name = def->path != NULL ? name_of(&scene->memory, def->path)
                                    : memory_text(&scene->memory, text_name);
    scene->messages = text_buffer_make(&scene->memory);
    scene->print = text_buffer_make(&scene->memory);
    scene->schema = text_buffer_make(&scene->memory);
    scene->report = text_buffer_make(&scene->memory);
    scene->drawing = arena_make(&scene->memory);
    if (scene->document != NULL && scene->name != NULL) return scene;
    mote_scene_destroy(scene);
    return NULL;
}

mote_Status mote_scene_load(const mote_SceneDef *given, mote_Scene **out, mote_Error *error)
{
    *out = NULL;
    DEFINITION_TAKE(mote_SceneDef, mote_scene_def);
    mote_Scene *scene = make_scene(def);
    *out = scene;
    if (scene == NULL) return status_no_memory(error, "a scene", sizeof *scene);
    mote_Status status = read_document(scene, def, error);
    if (status == MOTE_OK) {
        scene_read(scene);
        status = document_status(scene->document, error);
    }
    if (status == MOTE_OK) {
        scene_list_values(scene);
        status = document_status(scene->document, error);
    }
    if (status == MOTE_OK || status == MOTE_BAD_VALUE) return status;
    mote_scene_destroy(scene);
    *out = NULL;
    return status;
}

void mote_scene_destroy(mote_Scene *scene)
{
    if (scene == NULL) return;
    text_buffer_free(&scene->messages);
    text_buffer_free(&scene->print);
    text_buffer_free(&scene->schema);
    text_buffer_free(&scene->report);
    arena_free(&scene->drawing);
    document_destroy(scene->document);
    memory_free_text(&scene->memory, scene->name);
    Memory memory = scene->memory;
    memory_free(&memory, scene, sizeof *scene);
}

const char *scene_text(const TextBuffer *buffer)
{
    return buffer->text != NULL ? buffer->text : "";
}

void scene_empty_text(TextBuffer *buffer)
{
    text_buffer_free(buffer);
    *buffer = text_buffer_make(buffer->memory);
}

const char *mote_scene_messages(mote_Scene *scene, bool color)
{
    scene_empty_text(&scene->messages);
    diagnostics_render(&scene->document->diagnostics, color, &scene->messages);
    return scene_text(&scene->messages);
}

/* A file's name counts from the scene that names it; what is printed may stand elsewhere. */
static const char *whole_path(const void *context, const Node *node)
{
    return shares_path(context, node);
}

const char *mote_scene_print(mote_Scene *scene)
{
    const Json5Texts texts = {whole_path, &scene->document->shares};
    scene_empty_text(&scene->print);
    if (scene->document->root != NULL)
        json5_print_with(scene->document->root, &texts, &scene->print);
    return scene_text(&scene->print);
}

bool mote_scene_reads(const mote_Scene *scene, const char *path)
{
    uint64_t identity[2];
    return system_path_identity(path, identity) && document_has_read(scene->document, identity);
}

/* Of what decides the bits of a run: every value, and the precision. */
static uint64_t hash_of(const mote_Scene *scene)
{
    const mote_SceneValue *values = scene->values.items;
    uint64_t hash = sizeof(mote_real);
    for (size_t i = 0; i < scene->values.count; ++i) {
        hash = hash_bytes(hash, values[i].path, strlen(values[i].path));
        hash = hash_bytes(hash, &values[i].hash, sizeof values[i].hash);
    }
    return hash;
}

static uint32_t longest_trail(const mote_Scene *scene)
{
    const SceneSystem *systems = scene->systems.items;
    uint64_t most = 0;
    for (size_t i = 0; i < scene->systems.count; ++i)
        if (systems[i].look.def.trail > most) most = systems[i].look.def.trail;
    return (uint32_t)most;
}

mote_SceneInfo mote_scene_info(const mote_Scene *scene)
{
    /* By the choices of output.frames and output.video (tables.c); a video that only the command
     * line asks for is an mp4. */
    static const int bits[] = {8, 8, 16, 32};
    static const char *const formats[] = {"mp4", "mp4", "webp", "gif", "webm"};
    double fps = scene->world.def.fps;
    return (mote_SceneInfo){.name = scene->name,
                            .duration = scene->world.duration,
                            .fps = fps,
                            .max_step = scene->world.def.max_step,
                            .frames = (uint64_t)floor(scene->world.duration * fps + 0.5),
                            .width = (int)scene->picture.width,
                            .height = (int)scene->picture.height,
                            .cache = scene->output.cache,
                            .pictures = scene->output.frames != 0,
                            .bits = bits[scene->output.frames],
                            .video = scene->output.video != 0,
                            .video_format = formats[scene->output.video],
                            .history = longest_trail(scene),
                            .checkpoint_every = scene->output.checkpoint_every,
                            .checkpoint_seconds = scene->output.checkpoint_seconds,
                            .hash = hash_of(scene)};
}

mote_SceneValue mote_scene_value(const mote_Scene *scene, size_t i)
{
    const mote_SceneValue *values = scene->values.items;
    return i < scene->values.count ? values[i] : (mote_SceneValue){.path = NULL};
}

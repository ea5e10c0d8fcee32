/* How a frame is drawn: the camera at its time, and its systems as their looks say. */
#include "base/status.h"
#include "render/kernel.h"
#include "scene/look.h"

#include <string.h>

static const SceneSystem *find_system(const mote_Scene *scene, const char *name)
{
    const SceneSystem *systems = scene->systems.items;
    for (size_t i = 0; i < scene->systems.count; ++i)
        if (strcmp(systems[i].def.name, name) == 0) return &systems[i];
    return NULL;
}

static size_t part_count(const mote_Scene *scene, const mote_Frame *frame)
{
    size_t parts = 0;
    for (size_t i = 0; i < frame->system_count; ++i) {
        const SceneSystem *found = find_system(scene, frame->systems[i].name);
        parts += found != NULL ? look_parts(&found->look) : 1;
    }
    return parts;
}

static mote_Frame *draw_frame(mote_Scene *scene, const mote_Frame *frame)
{
    size_t parts = part_count(scene, frame), at = 0;
    mote_Frame *drawn = arena_take(&scene->drawing, sizeof *drawn);
    mote_FrameSystem *systems = arena_take(&scene->drawing, (parts + 1) * sizeof *systems);
    if (drawn == NULL || systems == NULL) return NULL;
    *drawn = *frame;
    drawn->systems = systems;
    drawn->system_count = parts;
    for (size_t i = 0; i < frame->system_count; ++i) {
        const SceneSystem *found = find_system(scene, frame->systems[i].name);
        systems[at] = frame->systems[i];
        if (found != NULL && !look_draw(scene, frame, &found->look, &systems[at])) return NULL;
        at += found != NULL ? look_parts(&found->look) : 1;
    }
    return drawn;
}

/* ---- camera and looks ---- */

static mote_Look render_look(const SceneLook *look, const char *system, size_t part)
{
    size_t kernels;
    mote_Look out = mote_look_def();
    out.system = system;
    if (look->has_sprite)
        out.kernel = kernel_family(ISA_V1, &kernels)[part]->name;
    else if (look->kernel != NULL)
        out.kernel = look->kernel;
    out.blend = look->blend == 0 ? MOTE_BLEND_OVER : MOTE_BLEND_ADD;
    out.brightness = look->brightness;
    out.motion_blur = look->motion_blur;
    out.size = 1;
    return out;
}

/* A look for every part of the drawn frame. */
static mote_Look *make_looks(mote_Scene *scene, const mote_Frame *frame, const mote_Frame *drawn)
{
    mote_Look *looks = arena_take(&scene->drawing, (drawn->system_count + 1) * sizeof *looks);
    size_t at = 0;
    for (size_t i = 0; looks != NULL && i < frame->system_count; ++i) {
        const SceneSystem *found = find_system(scene, frame->systems[i].name);
        size_t parts = found != NULL ? look_parts(&found->look) : 1;
        for (size_t part = 0; part < parts; ++part, ++at)
            looks[at] = found != NULL ? render_look(&found->look, drawn->systems[at].name, part)
                                      : mote_look_def();
    }
    return looks;
}

static mote_Status place_camera(mote_Scene *scene, const mote_Frame *frame, mote_Camera *camera,
                                mote_Error *error)
{
    double values[EXPRESSION_SLOTS] = {[SLOT_T] = frame->time, [SLOT_FRAME] = (double)frame->index};
    mote_Status status = MOTE_OK;
    *camera = scene->camera;
    for (const ParamBinding *b = scene->camera_bindings.first; b != NULL && status == MOTE_OK;
         b = b->next)
        status = binding_apply(b, values, camera, error);
    return status;
}

mote_Status mote_scene_picture(mote_Scene *scene, const mote_Frame *frame, mote_RenderDef *def,
                               const mote_Frame **drawn, mote_Error *error)
{
    arena_reset(&scene->drawing);
    *def = mote_render_def();
    *drawn = draw_frame(scene, frame);
    mote_Look *looks = *drawn != NULL ? make_looks(scene, frame, *drawn) : NULL;
    if (looks == NULL) return status_no_memory(error, "a picture", 1);
    def->looks = looks;
    def->look_count = (*drawn)->system_count;
    def->backdrop = scene->sky;
    def->ground = scene->ground;
    def->exposure = scene->picture.exposure;
    def->bloom = scene->picture.bloom;
    def->tone = scene->picture.tone == 0 ? MOTE_TONE_LINEAR : MOTE_TONE_FILMIC;
    return place_camera(scene, frame, &def->camera, error);
}

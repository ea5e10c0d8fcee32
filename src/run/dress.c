/* Looks worked into frames. */
#include "run/export.h"

#include "base/status.h"
#include "particles/system.h"
#include "render/render.h"
#include "render/solid.h"
#include "render/splat.h"
#include "run/cache.h"

#include <stdio.h>
#include <string.h>

void dress_open(Dress *dress, const Folder *folder, Memory *memory, char *note)
{
    char path[FOLDER_PATH];
    mote_SceneDef def = mote_scene_def();
    mote_Error error;
    *dress = (Dress){.arena = arena_make(memory)};
    folder_file(folder, "scene.json5", path);
    def.path = path;
    if (mote_scene_load(&def, &dress->scene, &error) == MOTE_OK) return;
    mote_scene_destroy(dress->scene);
    dress->scene = NULL;
    snprintf(note, MOTE_RUN_TEXT, "colours of looks are left out: %.400s", error.message);
}

void dress_close(Dress *dress)
{
    mote_scene_destroy(dress->scene);
    mote_frame_destroy(dress->read);
    arena_free(&dress->arena);
}

/* Systems whose sprites differ are drawn as several of that name, each with its own opacities. */
static size_t count_named(const mote_Frame *frame, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < frame->system_count; ++i)
        count += strcmp(frame->systems[i].name, name) == 0;
    return count;
}

static bool dress_system(Dress *dress, const mote_Frame *drawn, mote_FrameSystem *system)
{
    static const char *const names[] = {"color", "opacity"};
    const mote_FrameSystem *other = mote_frame_system(drawn, system->name);
    mote_Column *columns = arena_take(&dress->arena, (system->column_count + 2) * sizeof *columns);
    if (columns == NULL) return false;
    if (system->column_count > 0)
        memcpy(columns, system->columns, system->column_count * sizeof *columns);
    const size_t taken = count_named(drawn, system->name) > 1 ? 1 : 2;
    for (size_t i = 0; i < system->column_count && other != NULL; ++i)
        for (size_t n = 0; n < taken; ++n) {
            const mote_Column *found = mote_frame_column(other, names[n]);
            if (found != NULL && strcmp(columns[i].name, names[n]) == 0) columns[i] = *found;
        }
    system->columns = columns;
    return true;
}

/* A column `spread`: the standard deviation of a particle's footprint, as it is drawn. */
static bool add_spread(Dress *dress, const mote_RenderDef *def, const mote_Frame *drawn,
                       mote_FrameSystem *system)
{
    const mote_FrameSystem *other = mote_frame_system(drawn, system->name);
    const mote_Column *radius = other != NULL ? mote_frame_column(other, "radius") : NULL;
    const mote_Look look = look_of(def, system->name);
    const ProfileRow *profile = profile_row(look.profile);
    const bool drawn_so = radius != NULL && other->count == system->count && profile != NULL;
    if (!dress->spread || !drawn_so || profile->liquid) return true;
    mote_real *spread = arena_take(&dress->arena, (system->count + 1) * sizeof *spread);
    if (spread == NULL) return false;
    const double factor = (double)look.size * (double)profile->deviation;
    for (size_t i = 0; i < system->count; ++i)
        spread[i] = (mote_real)(factor * column_value(radius, 0, i));
    ((mote_Column *)system->columns)[system->column_count++] =
        (mote_Column){.name = "spread",
                      .unit = "m",
                      .stage = "export",
                      .type = MOTE_COLUMN_REAL,
                      .components = 1,
                      .stride = system->count,
                      .data = spread};
    return true;
}

static bool color_shapes(Dress *dress, const mote_RenderDef *def, PartView *view)
{
    const size_t count = dress->frame.shape_count;
    float(*colors)[3] = arena_take(&dress->arena, (count + 1) * sizeof *colors);
    for (size_t i = 0; colors != NULL && i < count; ++i)
        solid_color(def, dress->frame.shapes[i].name, colors[i]);
    view->colors = (const float(*)[3])colors;
    return colors != NULL;
}

static mote_Status put_on(Dress *dress, PartView *view, mote_Error *error)
{
    mote_RenderDef def;
    const mote_Frame *drawn;
    mote_Frame *frame = &dress->frame;
    mote_Status status = mote_scene_picture(dress->scene, dress->read, &def, &drawn, error);
    if (status != MOTE_OK) return status;
    const size_t size = (frame->system_count + 1) * sizeof *frame->systems;
    mote_FrameSystem *systems = arena_take(&dress->arena, size);
    bool good = systems != NULL;
    for (size_t i = 0; good && i < frame->system_count; ++i) {
        systems[i] = frame->systems[i];
        good =
            dress_system(dress, drawn, &systems[i]) && add_spread(dress, &def, drawn, &systems[i]);
    }
    frame->systems = systems;
    frame->shapes = drawn->shapes; /* complete */
    good = good && color_shapes(dress, &def, view);
    return good ? MOTE_OK : status_no_memory(error, "an export", size);
}

mote_Status dress_frame(Dress *dress, const Folder *folder, uint64_t index,
                        const mote_Frame **frame, PartView *view, mote_Error *error)
{
    mote_Frame *read;
    mote_Status status = cache_read_frame(folder, index, dress->read, &read, error);
    if (status != MOTE_OK) return status;
    mote_frame_destroy(dress->read);
    dress->read = read;
    dress->frame = *read;
    *frame = &dress->frame;
    arena_reset(&dress->arena);
    return dress->scene != NULL ? put_on(dress, view, error) : MOTE_OK;
}

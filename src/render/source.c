/* Looks: which columns of a system are drawn, and how. */
#include "base/status.h"
#include "base/text.h"
#include "render/float3.h"
#include "render/render.h"
#include "render/sheet.h"
#include "render/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

mote_Look mote_look_def(void)
{
    size_t count;
    mote_Look look;
    mote_row_defaults(&look_row, &look);
    look.profile = profile_rows(&count)[0].head.name;
    look.size = 1;
    return look;
}

static const char *kernel_name(const void *context, size_t i)
{
    size_t count;
    const ProfileRow *rows = profile_rows(&count);
    (void)context;
    return i < count ? rows[i].head.name : NULL;
}

static const char *system_name(const void *context, size_t i)
{
    const mote_Frame *frame = context;
    return i < frame->system_count ? frame->systems[i].name : NULL;
}

static mote_Status fail_unknown(const char *what, const char *word, const char *nearest,
                                mote_Error *error)
{
    return status_fail(error, MOTE_BAD_VALUE, "look: there is no %s \"%.60s\"%s%.60s%s", what, word,
                       nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "\"?" : "");
}

static mote_Status check_look(const mote_Look *look, const mote_Frame *frame, mote_Error *error)
{
    const char *name = look->system != NULL ? look->system : "every system";
    if (look->system != NULL && mote_frame_system(frame, look->system) == NULL)
        return fail_unknown("system", look->system, text_nearest(look->system, system_name, frame),
                            error);
    if (look->profile == NULL || profile_row(look->profile) == NULL)
        return fail_unknown(
            "profile", look->profile != NULL ? look->profile : "",
            text_nearest(look->profile != NULL ? look->profile : "", kernel_name, NULL), error);
    if (!(look->size > 0) || !isfinite(look->size))
        return status_fail(error, MOTE_BAD_VALUE, "look of %.60s: size is %g, but must be positive",
                           name, (double)look->size);
    char where[96];
    snprintf(where, sizeof where, "look of %.60s", name);
    mote_Status status = mote_row_check(&look_row, where, look, error);
    int axis;
    return status == MOTE_OK && look->image != NULL ? sheet_check(look, where, &axis, error)
                                                    : status;
}

mote_Look look_of(const mote_RenderDef *def, const char *system)
{
    mote_Look found = mote_look_def();
    for (size_t i = 0; i < def->look_count; ++i)
        if (def->looks[i].system == NULL) found = def->looks[i];
    for (size_t i = 0; i < def->look_count; ++i)
        if (def->looks[i].system != NULL && strcmp(def->looks[i].system, system) == 0)
            found = def->looks[i];
    return found;
}

mote_Status column_planes(const mote_FrameSystem *system, const char *name, int components,
                          const mote_real *planes[], mote_Error *error)
{
    const mote_Column *column = mote_frame_column(system, name);
    if (column == NULL) return MOTE_OK;
    if (column->type != MOTE_COLUMN_REAL || column->components != components)
        return status_fail(error, MOTE_BAD_VALUE,
                           "render: column %s of system %.60s has the wrong type, but must hold %d "
                           "real number%s a particle",
                           name, system->name, components, components > 1 ? "s" : "");
    for (int k = 0; k < components && column->data != NULL; ++k) /* an empty system has no data */
        planes[k] = (const mote_real *)column->data + (size_t)k * column->stride;
    return MOTE_OK;
}

static mote_Status read_columns(const mote_FrameSystem *system, SplatSource *s, mote_Error *error)
{
    const struct {
        const char *name;
        int components;
        const mote_real **planes;
    } rows[] = {{"position", 3, s->position}, {"velocity", 3, s->velocity},
                {"radius", 1, &s->radius},    {"color", 3, s->color},
                {"opacity", 1, &s->opacity},  {"uv", 2, s->uv}};
    const bool worn = s->texture != NULL || s->checker > 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (rows[i].planes == s->uv && !worn) continue;
        mote_Status status =
            column_planes(system, rows[i].name, rows[i].components, rows[i].planes, error);
        if (status != MOTE_OK) return status;
    }
    const mote_Column *id = mote_frame_column(system, "id");
    if (id != NULL && id->type == MOTE_COLUMN_U64) s->id = id->data;
    if (s->position[0] != NULL || system->count == 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "render: system %.60s has no column \"position\"",
                       system->name);
}

/* Whether triangles, links and particles are drawn. */
static void choose_parts(const mote_Look *look, const mote_Frame *frame, size_t system,
                         SplatSource *s)
{
    bool triangles = false, links = false;
    for (size_t m = 0; m < frame->mesh_count; ++m) {
        if (frame->meshes[m].system != system) continue;
        triangles = triangles || frame->meshes[m].triangle_count > 0;
        links = links || frame->meshes[m].link_count > 0;
    }
    bool around = false; /* a surface with vertices of its own */
    for (size_t i = 0; i < frame->surface_count; ++i)
        around = around ||
                 (frame->surfaces[i].system == system && frame->surfaces[i].triangle_count > 0);
    mote_Draw draw = look->draw;
    if (draw == MOTE_DRAW_AUTO)
        draw = triangles || around ? MOTE_DRAW_SURFACE
               : links             ? MOTE_DRAW_LINES
                                   : MOTE_DRAW_PARTICLES;
    s->surface = triangles && (draw == MOTE_DRAW_SURFACE || draw == MOTE_DRAW_ALL);
    s->around = around && (draw == MOTE_DRAW_SURFACE || draw == MOTE_DRAW_ALL);
    s->linked = links && (draw == MOTE_DRAW_LINES || draw == MOTE_DRAW_ALL);
    s->hidden = draw == MOTE_DRAW_SURFACE || draw == MOTE_DRAW_LINES;
}

mote_Status sources_make(const mote_RenderDef *def, const mote_Frame *frame, SplatSource *sources,
                         mote_Error *error)
{
    for (size_t i = 0; i < def->look_count; ++i) {
        mote_Status status = check_look(&def->looks[i], frame, error);
        if (status != MOTE_OK) return status;
    }
    for (size_t i = 0; i < frame->system_count; ++i) {
        const mote_FrameSystem *system = &frame->systems[i];
        mote_Look look = look_of(def, system->name);
        sources[i] = (SplatSource){.count = system->count,
                                   .profile = profile_row(look.profile),
                                   .size = (float)look.size,
                                   .brightness = (float)look.brightness,
                                   .occlusion = look.blend == MOTE_BLEND_ADD ? 0 : 1,
                                   .blur = look.motion_blur,
                                   .lit = look.lit,
                                   .scatter = (float)look.scatter};
        sources[i].refraction = (float)look.refraction;
        sources[i].opaque = look.opaque;
        sources[i].texture = look.texture, sources[i].checker = (int)look.checker;
        read3(look.color2, sources[i].color2);
        read3(look.absorption, sources[i].absorption);
        choose_parts(&look, frame, i, &sources[i]);
        mote_Status status = read_columns(system, &sources[i], error);
        if (status != MOTE_OK) return status;
        sources[i].blur &= sources[i].velocity[0] != NULL && def->camera.shutter > 0;
    }
    return MOTE_OK;
}

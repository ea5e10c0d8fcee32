/* Parameter tables of what belongs to no module below: how long, what is written, how large; and
 * all families. */
#include "scene/scene.h"

#include "bodies/body.h"
#include "collide/collide.h"
#include "emit/emitter.h"
#include "fields/field.h"
#include "forces/force.h"
#include "integrate/integrator.h"
#include "noise/noise.h"
#include "probes/probe.h"
#include "render/colormap.h"
#include "render/tables.h"
#include "scene/preset.h"
#include "solvers/points/rates.h"
#include "surface/field.h"
#include "world/solvers.h"

#include <mote/scene.h>
#include <string.h>

static const char *const picture_formats[] = {"none", "png", "png16", "exr", NULL};
static const char *const video_formats[] = {"none", "mp4", "webp", "gif", "webm", NULL};

static const mote_Param time_params[] = {
    PARAM_DOUBLE(SceneWorld, duration, "s", "how long the scene lasts", 5, 0, 1e9),
};

static const mote_Param output_params[] = {
    PARAM_BOOL(SceneOutput, cache, "write every frame's particles", 1),
    PARAM_CHOICE(SceneOutput, frames, "pictures of every frame", picture_formats, 1),
    PARAM_CHOICE(SceneOutput, video, "a video of all frames", video_formats, 1),
    PARAM_COUNT(SceneOutput, checkpoint_every, "frames between checkpoints", 10, 1, 1e9),
    PARAM_DOUBLE(SceneOutput, checkpoint_seconds, "s",
                 "time by the clock after which a frame gets one all the same; 0: none", 300, 0,
                 1e9),
};

static const mote_Param picture_params[] = {
    PARAM_COUNT(ScenePicture, width, "pixels across", 1280, 1, MOTE_IMAGE_LARGEST_SIDE),
    PARAM_COUNT(ScenePicture, height, "pixels down", 720, 1, MOTE_IMAGE_LARGEST_SIDE),
    RENDER_PARAMS, /* of the struct's start */
};

static const mote_Param copies_params[] = {
    {.name = "count",
     .offset = offsetof(SceneCopies, count),
     .unit = "",
     .doc = "how many along x, y and z",
     .type = MOTE_PARAM_VEC3,
     .fallback = {1, 1, 1},
     .min = 1,
     .max = 1e5},
    PARAM_VEC3(SceneCopies, step, "m", "from one copy to the next, along each axis", 1, 1, 1),
};

const mote_Row scene_time_row = ROW_HEAD("time", "how long", time_params, SceneWorld);
const mote_Row scene_output_row =
    ROW_HEAD("output", "what a run writes", output_params, SceneOutput);
const mote_Row scene_picture_row = ROW_DEFINITION("render", "size and light of the pictures",
                                                  picture_params, ScenePicture, mote_RenderDef);
const mote_Row scene_copies_row =
    ROW_HEAD("copies", "a lattice of bodies made from one", copies_params, SceneCopies);

/* ---- the families of rows, for lists, help and schema ---- */

/* Objects of a scene that have one table each. */
static const mote_Row *const *object_rows(Isa isa, size_t *count)
{
    static const mote_Row system_row = {.name = "system", .doc = "particles of one kind"};
    static const mote_Row expression_row = {
        .name = "expression",
        .doc =
            "any number of a scene as a text that starts with =, as \"=2*pi*t\": what it may use "
            "where, and when it is computed"};
    static const mote_Row *const rows[] = {
        &world_row,      &system_row,       &emitter_row,      &collider_row,      &motion_row,
        &collide_row,    &look_row,         &camera_row,       &scene_picture_row, &sky_row,
        &ground_row,     &shape_look_row,   &scene_output_row, &links_row,         &body_row,
        &probe_row,      &scene_copies_row, &trace_row,        &surface_row,       &column_row,
        &expression_row,
    };
    (void)isa;
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

static const struct {
    const char *name;
    const mote_Row *const *(*rows)(Isa isa, size_t *count);
} families[] = {
    {"integrators", integrator_rows},
    {"forces", force_rows},
    {"fields", field_rows},
    {"noises", noise_rows},
    {"shapes", shape_rows},
    {"sources", source_rows},
    {"solvers", solver_rows},
    {"patterns", pattern_rows},
    {"algorithms", collide_rows},
    {"frictions", friction_rows},
    {"profiles", profile_family},
    {"colormaps", colormap_family},
    {"lights", light_rows},
    {"looks", look_presets},
    {"skies", sky_presets},
    {"pressures", pressure_rows},
    {"viscosities", viscosity_rows},
    {"boundaries", boundary_rows},
    {"heats", heat_rows},
    {"tensions", tension_rows},
    {"smoothings", smoothing_rows},
    {"probes", probe_rows},
    {"surfaces", surface_field_rows},
    {"objects", object_rows},
};

enum { FAMILIES = sizeof families / sizeof families[0] };

const char *mote_family(size_t i)
{
    return i < FAMILIES ? families[i].name : NULL;
}

const mote_Row *const *mote_family_rows(const char *family, size_t *count)
{
    for (size_t i = 0; i < FAMILIES; ++i)
        if (strcmp(families[i].name, family) == 0) return families[i].rows(ISA_V1, count);
    *count = 0;
    return NULL;
}

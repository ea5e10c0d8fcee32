/* The families of rows, for lists, help and schema. */
#include <mote/scene.h>

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
#include "scene/scene.h"
#include "surface/field.h"
#include "world/solvers.h"

#include <string.h>

/* Objects of a scene that have one table each. */
static const mote_Row *const *object_rows(Isa isa, size_t *count)
{
    static const mote_Row system_row = {.name = "system", .doc = "particles of one kind"};
    static const mote_Row *const rows[] = {
        &world_row,   &system_row,       &emitter_row,      &collider_row,      &motion_row,
        &collide_row, &look_row,         &camera_row,       &scene_picture_row, &sky_row,
        &ground_row,  &shape_look_row,   &scene_output_row, &links_row,         &body_row,
        &probe_row,   &scene_copies_row, &trace_row,        &surface_row,
    };
    (void)isa;
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

static const struct {
    const char *name;
    const mote_Row *const *(*rows)(Isa isa, size_t *count);
} families[] = {
    {"integrators", integrator_rows}, {"forces", force_rows},
    {"fields", field_rows},           {"noises", noise_rows},
    {"shapes", shape_rows},           {"sources", source_rows},
    {"solvers", solver_rows},         {"patterns", pattern_rows},
    {"algorithms", collide_rows},     {"frictions", friction_rows},
    {"profiles", profile_family},     {"colormaps", colormap_family},
    {"lights", light_rows},           {"looks", look_presets},
    {"skies", sky_presets},           {"pressures", pressure_rows},
    {"viscosities", viscosity_rows},  {"boundaries", boundary_rows},
    {"smoothings", smoothing_rows},   {"probes", probe_rows},
    {"surfaces", surface_field_rows}, {"objects", object_rows},
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

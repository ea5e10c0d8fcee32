/* Where in a scene each parameter table stands, and the keys beside them. */
#include "scene/schema.h"

#include "bodies/body.h"
#include "collide/collide.h"
#include "emit/emitter.h"
#include "fields/field.h"
#include "forces/force.h"
#include "probes/probe.h"
#include "render/tables.h"
#include "scene/preset.h"
#include "solvers/points/rates.h"
#include "surface/field.h"
#include "world/solvers.h"

#include <string.h>

#define NAME                                                                                       \
    {                                                                                              \
        .key = "name", .doc = "how others refer to it", .literal = TEXT                            \
    }
#define SYSTEMS                                                                                    \
    {                                                                                              \
        .key = "systems", .doc = "systems it acts on; without it, all", .literal = TEXTS           \
    }
#define SHAPE                                                                                      \
    {                                                                                              \
        .key = "shape", .doc = "its geometry; see list shapes", .family = shape_rows,              \
        .required = true                                                                           \
    }
#define SHAPE_LOOK                                                                                 \
    {                                                                                              \
        .key = "look", .doc = "how it is drawn; see help shape-look", .row = &shape_look_row,      \
        .parts = shape_look_parts                                                                  \
    }

static const SchemaKey shape_look_parts[] = {
    {.key = "texture", .doc = "OpenEXR picture on its surface", .literal = TEXT}, {.key = NULL}};

static const SchemaKey field_parts[] = {
    NAME,
    {.key = "obstacles", .doc = "colliders that curl-noise flows around", .literal = TEXTS},
    {.key = NULL}};
static const SchemaKey force_parts[] = {
    NAME,
    SYSTEMS,
    {.key = "group",
     .doc = "acts on particles whose group shares a bit; 0: on all",
     .literal = "{\"$ref\": \"#/$defs/count\"}"},
    {.key = NULL}};
static const SchemaKey emitter_parts[] = {
    NAME,
    {.key = "system", .doc = "system that gets the particles", .literal = TEXT, .required = true},
    {.key = "from",
     .doc = "where particles start, around `at`; see list sources",
     .family = source_rows},
    {.key = NULL}};
static const SchemaKey collider_parts[] = {
    NAME,
    SYSTEMS,
    SHAPE,
    SHAPE_LOOK,
    {.key = "motion",
     .doc = "where it stands, and how it moves; see help motion",
     .row = &motion_row},
    {.key = "friction", .doc = FRICTION_DOC, .family = friction_rows, .or_number = true},
    {.key = NULL}};
static const SchemaKey body_parts[] = {
    NAME,
    SYSTEMS,
    SHAPE,
    SHAPE_LOOK,
    {.key = "motion",
     .doc = "where it starts, or how it moves; see help motion",
     .row = &motion_row},
    {.key = "copies", .doc = "makes a lattice of them", .row = &scene_copies_row},
    {.key = NULL}};
static const SchemaKey pairs_parts[] = {
    {.key = "links",
     .doc = "of pairs: [a, b], numbers or marks of the particles that a link joins",
     .literal = "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"minItems\": 2, "
                "\"maxItems\": 2, \"items\": {\"anyOf\": [" TEXT ", " NUMBER "]}}}"},
    {.key = "rest",
     .doc = "of pairs: rest lengths (m), one a link",
     .literal = "{\"type\": \"array\", \"items\": " NUMBER "}"},
    {.key = "marks",
     .doc = "of pairs: names of particles",
     .literal = "{\"type\": \"object\", \"additionalProperties\": " NUMBER "}"},
    {.key = "points", .doc = "of pairs: places of particles of their own (m)", .literal = ROWS},
    {.key = "pin",
     .doc = "of pairs: which of these are anchors",
     .literal = "{\"type\": \"array\", \"items\": " NUMBER "}"},
    {.key = NULL}};
static const SchemaKey links_parts[] = {
    NAME,
    {.key = "system", .doc = "system of their particles", .literal = TEXT, .required = true},
    {.key = "pattern",
     .doc = "how particles and links are laid out; see list patterns",
     .family = pattern_rows,
     .parts = pairs_parts,
     .required = true},
    {.key = NULL}};
static const SchemaKey probe_parts[] = {NAME, {.key = NULL}};
static const SchemaKey place_parts[] = {
    {.key = "at", .doc = "its place (m)", .literal = NUMBERS},
    {.key = "rotate", .doc = "degrees about x, then y, then z", .literal = NUMBERS},
    {.key = NULL}};
const SchemaKey schema_part = {
    .key = "shape", .doc = "a shape with its place", .family = shape_rows, .parts = place_parts};
static const SchemaKey parts_of_look[] = {
    {.key = "size", .doc = "drawn radius (m), of a particle's columns", .literal = NUMBER},
    {.key = "opacity", .doc = "opacity, of a particle's columns", .literal = NUMBER},
    {.key = "sprite", .doc = "number of its profile, of a particle's columns", .literal = NUMBER},
    {.key = "color",
     .doc = "colour, of a particle's columns; or a colour map of one of them",
     .literal = "{\"anyOf\": [" COLOR ", " COLOR_BY "]}"},
    {.key = "image", .doc = "OpenEXR picture: sprites that show its cells", .literal = TEXT},
    {.key = "cell",
     .doc = "number of a sprite's cell, of a particle's columns; without it, its id",
     .literal = NUMBER},
    {.key = "turn",
     .doc = "degrees that a sprite is turned to the left, of a particle's columns",
     .literal = NUMBER},
    {.key = "texture", .doc = "OpenEXR picture on its triangles", .literal = TEXT},
    {.key = "uv",
     .doc = "[across, down], 0 to 1: where a particle is on it; without it, as a sheet was laid",
     .literal = NUMBERS},
    {.key = "temperature", .doc = "K: glows as a black body", .literal = NUMBER},
    {.key = "preset", .doc = "look that the other keys change; see list looks", .literal = TEXT},
    {.key = NULL}};
static const SchemaKey surface_parts[] = {{.key = "field",
                                           .doc = "how particles become a function of space",
                                           .family = surface_field_rows,
                                           .any_type = true},
                                          {.key = "attributes",
                                           .doc = "columns that its vertices carry: velocity, ...",
                                           .literal = TEXTS},
                                          {.key = NULL}};
static const SchemaKey column_parts[] = {
    {.key = "name", .doc = "of a new column, or mass", .literal = TEXT, .required = true},
    {.key = "unit", .doc = "for tables and legends", .literal = TEXT},
    {.key = NULL}};
static const SchemaKey system_parts[] = {
    NAME,
    {.key = "columns",
     .doc = "further columns of its particles; see help column",
     .row = &column_row,
     .parts = column_parts,
     .list = true},
    {.key = "solver",
     .doc = "what moves it; see list solvers",
     .family = solver_rows,
     .any_type = true},
    {.key = "collide", .doc = "how it meets colliders; see help collide", .row = &collide_row},
    {.key = "look",
     .doc = "how it is drawn; see help look, list looks",
     .row = &look_row,
     .parts = parts_of_look,
     .presets = look_presets},
    {.key = "surface",
     .doc = "the mesh around its particles",
     .row = &surface_row,
     .parts = surface_parts},
    {.key = NULL}};
static const SchemaKey sky_parts[] = {
    {.key = "preset", .doc = "sky that the other keys change", .literal = TEXT},
    {.key = "file", .doc = "OpenEXR picture of all directions, instead", .literal = TEXT},
    {.key = NULL}};
static const SchemaKey camera_keys[] = {
    {.key = "t", .doc = "s, the time of the key", .literal = NUMBER, .required = true},
    {.key = NULL}};
static const SchemaKey camera_parts[] = {
    {.key = "keys",
     .doc = "what the camera is at some times, and smoothly between them",
     .row = &camera_row,
     .parts = camera_keys,
     .list = true},
    {.key = NULL}};
static const SchemaKey light_parts[] = {NAME, {.key = NULL}};
static const SchemaKey render_parts[] = {
    {.key = "sky",
     .doc = "what is behind everything",
     .row = &sky_row,
     .parts = sky_parts,
     .presets = sky_presets},
    {.key = "lights",
     .doc = "suns and point lights",
     .family = light_rows,
     .parts = light_parts,
     .list = true},
    {.key = "show", .doc = "wireframe, bounds, links, axes", .literal = TEXTS},
    {.key = "ground", .doc = "how planes are drawn", .row = &ground_row},
    {.key = "trace", .doc = "pictures by tracing light", .row = &trace_row},
    {.key = NULL}};
const SchemaKey schema_scene[] = {
    {.key = "$schema", .doc = "where this schema is, for editors", .literal = TEXT},
    {.key = "mote", .doc = "version of the format", .literal = "{\"const\": 1}", .required = true},
    {.key = "include", .doc = "scenes that are merged first", .literal = TEXTS},
    {.key = "params",
     .doc = "named values for expressions",
     .literal = "{\"type\": \"object\", \"additionalProperties\": "
                "{\"type\": [\"number\", \"string\", \"boolean\"]}}"},
    {.key = "world", .doc = "clock, gravity, box", .row = &world_row, .more = &scene_time_row},
    {.key = "fields",
     .doc = "functions of space and time",
     .family = field_rows,
     .parts = field_parts,
     .list = true},
    {.key = "systems", .doc = "sets of particles", .parts = system_parts, .list = true},
    {.key = "emitters",
     .doc = "what makes particles",
     .row = &emitter_row,
     .parts = emitter_parts,
     .list = true},
    {.key = "forces",
     .doc = "what accelerates particles",
     .family = force_rows,
     .parts = force_parts,
     .list = true},
    {.key = "colliders",
     .doc = "what particles bounce off",
     .row = &collider_keys_row,
     .parts = collider_parts,
     .list = true},
    {.key = "bodies", .doc = "rigid bodies", .row = &body_row, .parts = body_parts, .list = true},
    {.key = "links",
     .doc = "springs between particles: ropes, cloth, jelly",
     .row = &links_row,
     .parts = links_parts,
     .list = true},
    {.key = "probes",
     .doc = "what is measured over time, into tables",
     .family = probe_rows,
     .more = &probe_row,
     .parts = probe_parts,
     .list = true},
    {.key = "camera",
     .doc = "where pictures are taken from",
     .row = &camera_row,
     .parts = camera_parts},
    {.key = "render", .doc = "pictures", .row = &scene_picture_row, .parts = render_parts},
    {.key = "output", .doc = "what a run writes", .row = &scene_output_row},
    {.key = NULL}};

/* ---- keys beside the tables ---- */

/* What is no object of a scene, but has places of its own that help tells about. */
#define OF_TIME "params, t (s), frame"
#define OF_ROWS "params, x y z vx vy vz speed t id age mass radius, columns of the system"
static const SchemaKey expression_parts[] = {
    {.key = "operators",
     .doc = "from the weakest: ? : || && == != < <= > >= + - * / % - ! ^ (power)"},
    {.key = "constants", .doc = "pi tau e, and the scene's params"},
    {.key = "functions",
     .doc = "sin cos tan asin acos atan atan2 exp log log10 log2 pow sqrt abs floor ceil round min "
            "max clamp mix step smoothstep sign mod hypot"},
    {.key = "params", .doc = "once, of the params before it"},
    {.key = "world", .doc = "once, of params; so are output, render and counts"},
    {.key = "objects",
     .doc =
         "numbers of fields, emitters, forces, colliders and links: every sub-step, of " OF_TIME},
    {.key = "camera", .doc = "every picture, of " OF_TIME},
    {.key = "look",
     .doc = "size, color, opacity: every particle of a picture, of " OF_TIME ", id x y z vx vy vz "
            "speed mass radius birth age life opacity red green blue"},
    {.key = "acceleration",
     .doc = "of the force expression: every stage, of " OF_ROWS "; fx fy fz of `field`"},
    {.key = "potential", .doc = "the same; J, the force is its slope downwards"},
    {.key = "birth", .doc = "of a system's columns: once a particle, of " OF_ROWS},
    {.key = "rate", .doc = "of a system's columns, exhaust too: every stage, of the same"},
    {.key = "f", .doc = "of noise and turbulence: every sample, of params, n (the noise)"},
    {.key = "E", .doc = "of spectral-wind: once, of params, k (rad/m)"},
    {.key = "A", .doc = "of spectral-noise: the same"},
    {.key = "factor", .doc = "of the pattern pairs: once a link, of params, i (number), l (m)"},
    {.key = NULL}};
static const SchemaKey topics[] = {{.key = "expressions", .parts = expression_parts},
                                   {.key = NULL}};

/* A list without a table of its own goes by its name: "systems" holds objects "system". */
static bool is_object(const SchemaKey *key, const char *object)
{
    if (key->row != NULL) return strcmp(key->row->name, object) == 0;
    return key->family == NULL && key->parts != NULL && strlen(key->key) == strlen(object) + 1 &&
           strncmp(key->key, object, strlen(object)) == 0;
}

static const SchemaKey *find_object(const SchemaKey *parts, const char *object)
{
    for (; parts != NULL && parts->key != NULL; ++parts) {
        if (is_object(parts, object)) return parts;
        const SchemaKey *inner = find_object(parts->parts, object);
        if (inner != NULL) return inner;
    }
    return NULL;
}

mote_SceneKey mote_scene_object_key(const char *object, size_t i)
{
    const SchemaKey *found = find_object(schema_scene, object);
    if (found == NULL) found = find_object(topics, object);
    const SchemaKey *part = found != NULL ? found->parts : NULL;
    for (; part != NULL && part->key != NULL; ++part, --i)
        if (i == 0) return (mote_SceneKey){part->key, part->doc, part->required};
    const mote_Row *more = found != NULL ? found->more : NULL;
    if (more == NULL || i >= more->param_count) return (mote_SceneKey){0};
    return (mote_SceneKey){more->params[i].name, more->params[i].doc, false};
}

/* Looks: columns that expressions compute from others, particle by particle. */
#include "look/look.h"

#include "base/status.h"
#include "base/text.h"
#include "particles/system.h"
#include "render/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What expressions of looks may use: X(slot, name, column, component). */
#define LOOK_COLUMNS(X)                                                                            \
    X(SLOT_ID, "id", "id", 0)                                                                      \
    X(SLOT_X, "x", "position", 0)                                                                  \
    X(SLOT_Y, "y", "position", 1)                                                                  \
    X(SLOT_Z, "z", "position", 2)                                                                  \
    X(SLOT_VX, "vx", "velocity", 0)                                                                \
    X(SLOT_VY, "vy", "velocity", 1)                                                                \
    X(SLOT_VZ, "vz", "velocity", 2)                                                                \
    X(SLOT_MASS, "mass", "mass", 0)                                                                \
    X(SLOT_RADIUS, "radius", "radius", 0)                                                          \
    X(SLOT_BIRTH, "birth", "birth", 0)                                                             \
    X(SLOT_LIFE, "life", "lifetime", 0)                                                            \
    X(SLOT_OPACITY, "opacity", "opacity", 0)                                                       \
    X(SLOT_RED, "red", "color", 0)                                                                 \
    X(SLOT_GREEN, "green", "color", 1)                                                             \
    X(SLOT_BLUE, "blue", "color", 2)                                                               \
    X(SLOT_HEAT, "kelvin", "temperature", 0)                                                       \
    X(SLOT_FUEL, "fuel", "fuel", 0)                                                                \
    X(SLOT_FLAME, "flame", "flame", 0)                                                             \
    X(SLOT_SMOKE, "smoke", "smoke", 0)                                                             \
    X(SLOT_KIND, "kind", "kind", 0)                                                                \
    X(SLOT_LEFT, "left", "left", 0)                                                                \
    X(SLOT_DEPTH, "depth", "depth", 0)

#define LOOK_SLOT(slot, ...) slot,
enum {
    SLOT_BEFORE_COLUMNS = SLOT_FIRST_COLUMN - 1,
    LOOK_COLUMNS(LOOK_SLOT) SLOT_AGE, /* s */
    SLOT_SPEED                        /* m/s */
};

static const struct {
    int slot;
    const char *column;
    int component;
} sources[] = {
#define LOOK_SOURCE(slot, name, column, component) {slot, column, component},
    LOOK_COLUMNS(LOOK_SOURCE)};

const ExpressionScope *look_scope(void)
{
#define LOOK_NAME(slot_, name_, ...) {.name = name_, .slot = slot_},
    static const ExpressionName names[] = {LOOK_COLUMNS(LOOK_NAME){.name = "age", .slot = SLOT_AGE},
                                           {.name = "speed", .slot = SLOT_SPEED}};
    static const ExpressionScope scope = {.names = names, .count = sizeof names / sizeof names[0]};
    return &scope;
}

/* ---- planes of the slots ---- */

static PlaneType plane_type(mote_ColumnType type)
{
    static const PlaneType types[] = {
        [MOTE_COLUMN_REAL] = sizeof(mote_real) == 4 ? PLANE_FLOAT : PLANE_DOUBLE,
        [MOTE_COLUMN_DOUBLE] = PLANE_DOUBLE,
        [MOTE_COLUMN_U64] = PLANE_U64,
    };
    return types[type];
}

static double *age_plane(Arena *arena, const mote_Frame *frame, const mote_FrameSystem *system)
{
    const mote_Column *birth = mote_frame_column(system, "birth");
    double *age = arena_take(arena, (system->count + 1) * sizeof *age);
    for (size_t i = 0; age != NULL && i < system->count; ++i)
        age[i] = frame->time - (birth != NULL ? ((const double *)birth->data)[i] : 0);
    return age;
}

static double *speed_plane(Arena *arena, const mote_FrameSystem *system)
{
    const mote_Column *v = mote_frame_column(system, "velocity");
    double *speed = arena_take(arena, (system->count + 1) * sizeof *speed);
    for (size_t i = 0; speed != NULL && i < system->count; ++i) {
        double sum = 0;
        for (int c = 0; v != NULL && c < v->components; ++c) {
            double value = (double)column_real(v, c)[i];
            sum += value * value;
        }
        speed[i] = sqrt(sum);
    }
    return speed;
}

/* Planes for all slots; the computed ones only when an expression uses them. */
static bool make_planes(Arena *arena, const mote_Frame *frame, const mote_FrameSystem *system,
                        uint64_t used, ExpressionPlane planes[EXPRESSION_SLOTS])
{
    memset(planes, 0, EXPRESSION_SLOTS * sizeof *planes);
    planes[SLOT_T].value = frame->time;
    planes[SLOT_FRAME].value = (double)frame->index;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; ++i) {
        const mote_Column *column = mote_frame_column(system, sources[i].column);
        if (column == NULL || column->type == MOTE_COLUMN_U32) continue;
        planes[sources[i].slot].type = plane_type(column->type);
        planes[sources[i].slot].data = column_plane(column, sources[i].component);
    }
    planes[SLOT_AGE].type = planes[SLOT_SPEED].type = PLANE_DOUBLE;
    if ((used >> SLOT_AGE & 1) != 0) planes[SLOT_AGE].data = age_plane(arena, frame, system);
    if ((used >> SLOT_SPEED & 1) != 0) planes[SLOT_SPEED].data = speed_plane(arena, system);
    return ((used >> SLOT_AGE & 1) == 0 || planes[SLOT_AGE].data != NULL) &&
           ((used >> SLOT_SPEED & 1) == 0 || planes[SLOT_SPEED].data != NULL);
}

/* ---- columns that looks compute ---- */

/* Replaces the column of that name by values of expressions, one a component; a system without it
 * goes without. */
static bool compute_column(LookDrawing *drawing, const char *name, const Expression *expressions)
{
    mote_FrameSystem *system = drawing->system;
    const mote_Column *old = mote_frame_column(system, name);
    if (old == NULL) return true;
    size_t count = system->count;
    Arena *arena = drawing->arena;
    mote_real *data = arena_take(arena, ((size_t)old->components * count + 1) * sizeof *data);
    double *values = arena_take(arena, (count + 1) * sizeof *values);
    if (data == NULL || values == NULL) return false;
    for (size_t c = 0; c < (size_t)old->components; ++c) {
        expression_rows(&expressions[c], drawing->planes, count, values);
        for (size_t i = 0; i < count; ++i) data[c * count + i] = (mote_real)values[i];
    }
    mote_Column *fresh = (mote_Column *)(uintptr_t)old; /* in the drawing's own list */
    fresh->type = MOTE_COLUMN_REAL;
    fresh->data = data;
    fresh->stride = count;
    return true;
}

/* The same of a column that the system need not have. */
static bool compute_new_column(LookDrawing *drawing, const char *name, int components,
                               const Expression *expressions)
{
    mote_FrameSystem *system = drawing->system;
    mote_Column *columns = (mote_Column *)(uintptr_t)system->columns; /* the drawing's own list */
    if (mote_frame_column(system, name) == NULL)
        columns[system->column_count++] =
            (mote_Column){.name = name, .unit = "", .stage = "", .components = components};
    return compute_column(drawing, name, expressions);
}

static uint64_t slots_used(const Look *look)
{
    uint64_t used = look->has_size ? look->size.slots : 0;
    used |= look->has_opacity ? look->opacity.slots : 0;
    used |= look->has_sprite ? look->sprite.slots : 0;
    used |= look->has_cell ? look->cell.slots : 0;
    used |= look->has_turn ? look->turn.slots : 0;
    for (int c = 0; look->has_uv && c < 2; ++c) used |= look->uv[c].slots;
    used |= look->has_temperature ? look->temperature.slots : 0;
    used |= look->by.present && look->by.column == NULL ? look->by.value.slots : 0;
    for (int c = 0; look->has_color && c < 3; ++c) used |= look->color[c].slots;
    return used;
}

enum { NEW_COLUMNS = 3 };

/* Columns are replaced in a copy: the frame stays as it was. */
static bool own_columns(Arena *arena, mote_FrameSystem *system)
{
    mote_Column *columns =
        arena_take(arena, (system->column_count + NEW_COLUMNS) * sizeof *columns);
    if (columns == NULL) return false;
    memcpy(columns, system->columns, system->column_count * sizeof *columns);
    system->columns = columns;
    return true;
}

/* ---- sprites: a system for every profile, in which the others' particles are transparent ---- */

static size_t profile_count(void)
{
    return profile_sprites();
}

size_t look_parts(const Look *look)
{
    return look->has_sprite ? profile_count() : 1;
}

/* The profile of each row: the whole part of the expression, within the table. */
static uint8_t *sprite_plane(const LookDrawing *drawing, const Look *look)
{
    size_t count = drawing->system->count;
    double most = (double)profile_count() - 1;
    double *values = arena_take(drawing->arena, (count + 1) * sizeof *values);
    uint8_t *sprites = arena_take(drawing->arena, count + 1);
    if (values == NULL || sprites == NULL) return NULL;
    expression_rows(&look->sprite, drawing->planes, count, values);
    for (size_t i = 0; i < count; ++i)
        sprites[i] = (uint8_t)(values[i] > 0 ? values[i] < most ? values[i] : most : 0);
    return sprites;
}

static bool keep_sprite(Arena *arena, mote_FrameSystem *system, const uint8_t *sprites,
                        size_t profile)
{
    const mote_Column *old = mote_frame_column(system, "opacity");
    mote_real *data = arena_take(arena, (system->count + 1) * sizeof *data);
    if (old == NULL || data == NULL || !own_columns(arena, system)) return old == NULL;
    for (size_t i = 0; i < system->count; ++i)
        data[i] = sprites[i] == profile ? column_real(old, 0)[i] : 0;
    mote_Column *fresh = (mote_Column *)(uintptr_t)mote_frame_column(system, "opacity");
    fresh->data = data;
    fresh->stride = system->count;
    return true;
}

/* What a further part is called; NULL when out of memory. */
static const char *part_name(Arena *arena, const mote_FrameSystem *system, size_t part)
{
    size_t size = strlen(system->name) + 24;
    char *name = arena_take(arena, size);
    if (name != NULL) snprintf(name, size, "%s/%zu", system->name, part);
    return name;
}

/* A profile belongs to a whole system when it is drawn; so a system is drawn once with each, and
 * its particles are clear in all but their own. */
static bool part_by_sprite(const LookDrawing *drawing, const Look *look, mote_FrameSystem *parts)
{
    const uint8_t *sprites = sprite_plane(drawing, look);
    for (size_t k = 0; sprites != NULL && k < profile_count(); ++k) {
        if (k > 0) parts[k] = parts[0], parts[k].name = part_name(drawing->arena, parts, k);
        if (parts[k].name == NULL) return false;
    }
    for (size_t k = 0; sprites != NULL && k < profile_count(); ++k)
        if (!keep_sprite(drawing->arena, &parts[k], sprites, k)) return false;
    return sprites != NULL;
}

mote_Look look_of_part(const Look *look, const char *name, size_t part)
{
    size_t profiles;
    mote_Look out = look->def;
    out.system = name;
    out.size = 1;
    if (look->has_sprite) out.profile = profile_family(ISA_V1, &profiles)[part]->name;
    if (part > 0) out.trail = 0;
    return out;
}

static bool look_changes(const Look *look)
{
    return look->has_size || look->has_color || look->has_opacity || look->has_sprite ||
           look->has_temperature || look->by.present || look->has_cell || look->has_turn ||
           look->has_uv;
}

mote_Status look_draw(const Look *look, const mote_Frame *frame, Arena *arena,
                      mote_FrameSystem *parts, mote_Legend *legend, mote_Error *error)
{
    LookDrawing drawing = {.arena = arena, .system = &parts[0]};
    if (!look_changes(look)) return MOTE_OK;
    bool good = make_planes(arena, frame, &parts[0], slots_used(look), drawing.planes) &&
                own_columns(arena, &parts[0]);
    if (good && look->by.present) {
        mote_Status status = look_color_by(&drawing, &look->by, legend, error);
        if (status != MOTE_OK) return status;
    }
    good = good && (!look->has_temperature || look_color_by_heat(&drawing, look)) &&
           (!look->has_size || compute_column(&drawing, "radius", &look->size)) &&
           (!look->has_color || compute_column(&drawing, "color", look->color)) &&
           (!look->has_opacity || compute_column(&drawing, "opacity", &look->opacity)) &&
           (!look->has_cell || compute_new_column(&drawing, "cell", 1, &look->cell)) &&
           (!look->has_turn || compute_new_column(&drawing, "turn", 1, &look->turn)) &&
           (!look->has_uv || compute_new_column(&drawing, "uv", 2, look->uv)) &&
           (!look->has_sprite || part_by_sprite(&drawing, look, parts));
    return good ? MOTE_OK : status_no_memory(error, "a look", parts[0].count);
}

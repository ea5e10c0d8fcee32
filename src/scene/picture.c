/* How a frame is drawn: the camera at its time, and columns that looks compute from others. */
#include "scene/scene.h"

#include "base/status.h"
#include "particles/system.h"

#include <math.h>
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
    X(SLOT_BLUE, "blue", "color", 2)

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

const ExpressionScope *scene_look_scope(void)
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

static double *age_plane(mote_Scene *scene, const mote_Frame *frame, const mote_FrameSystem *system)
{
    const mote_Column *birth = mote_frame_column(system, "birth");
    double *age = arena_take(&scene->drawing, (system->count + 1) * sizeof *age);
    for (size_t i = 0; age != NULL && i < system->count; ++i)
        age[i] = frame->time - (birth != NULL ? ((const double *)birth->data)[i] : 0);
    return age;
}

static double *speed_plane(mote_Scene *scene, const mote_FrameSystem *system)
{
    const mote_Column *v = mote_frame_column(system, "velocity");
    double *speed = arena_take(&scene->drawing, (system->count + 1) * sizeof *speed);
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
static bool make_planes(mote_Scene *scene, const mote_Frame *frame, const mote_FrameSystem *system,
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
    if ((used >> SLOT_AGE & 1) != 0) planes[SLOT_AGE].data = age_plane(scene, frame, system);
    if ((used >> SLOT_SPEED & 1) != 0) planes[SLOT_SPEED].data = speed_plane(scene, system);
    return ((used >> SLOT_AGE & 1) == 0 || planes[SLOT_AGE].data != NULL) &&
           ((used >> SLOT_SPEED & 1) == 0 || planes[SLOT_SPEED].data != NULL);
}

/* ---- columns that looks compute ---- */

typedef struct Drawing {
    mote_Scene *scene;
    mote_FrameSystem *system;
    ExpressionPlane planes[EXPRESSION_SLOTS];
} Drawing;

/* Replaces the column of that name by values of expressions, one a component. */
static bool compute_column(Drawing *drawing, const char *name, const Expression *expressions)
{
    mote_FrameSystem *system = drawing->system;
    const mote_Column *old = mote_frame_column(system, name);
    if (old == NULL) return true;
    size_t count = system->count;
    Arena *arena = &drawing->scene->drawing;
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

static uint64_t slots_used(const SceneLook *look)
{
    uint64_t used = look->has_size ? look->size.slots : 0;
    used |= look->has_opacity ? look->opacity.slots : 0;
    for (int c = 0; look->has_color && c < 3; ++c) used |= look->color[c].slots;
    return used;
}

static bool draw_system(mote_Scene *scene, const mote_Frame *frame, const SceneLook *look,
                        mote_FrameSystem *system)
{
    Drawing drawing = {.scene = scene, .system = system};
    if (!look->has_size && !look->has_color && !look->has_opacity) return true;
    mote_Column *columns = arena_take(&scene->drawing, system->column_count * sizeof *columns);
    if (columns == NULL || !make_planes(scene, frame, system, slots_used(look), drawing.planes))
        return false;
    memcpy(columns, system->columns, system->column_count * sizeof *columns);
    system->columns = columns;
    return (!look->has_size || compute_column(&drawing, "radius", &look->size)) &&
           (!look->has_color || compute_column(&drawing, "color", look->color)) &&
           (!look->has_opacity || compute_column(&drawing, "opacity", &look->opacity));
}

static const SceneSystem *find_system(const mote_Scene *scene, const char *name)
{
    const SceneSystem *systems = scene->systems.items;
    for (size_t i = 0; i < scene->systems.count; ++i)
        if (strcmp(systems[i].def.name, name) == 0) return &systems[i];
    return NULL;
}

static mote_Frame *draw_frame(mote_Scene *scene, const mote_Frame *frame)
{
    mote_Frame *drawn = arena_take(&scene->drawing, sizeof *drawn);
    mote_FrameSystem *systems =
        arena_take(&scene->drawing, (frame->system_count + 1) * sizeof *systems);
    if (drawn == NULL || systems == NULL) return NULL;
    *drawn = *frame;
    drawn->systems = systems;
    for (size_t i = 0; i < frame->system_count; ++i) {
        const SceneSystem *found = find_system(scene, frame->systems[i].name);
        systems[i] = frame->systems[i];
        if (found != NULL && !draw_system(scene, frame, &found->look, &systems[i])) return NULL;
    }
    return drawn;
}

/* ---- camera and looks ---- */

static mote_Look *make_looks(mote_Scene *scene)
{
    const SceneSystem *systems = scene->systems.items;
    mote_Look *looks = arena_take(&scene->drawing, (scene->systems.count + 1) * sizeof *looks);
    for (size_t i = 0; looks != NULL && i < scene->systems.count; ++i) {
        const SceneLook *look = &systems[i].look;
        looks[i] = mote_look_def();
        looks[i].system = systems[i].def.name;
        if (look->kernel != NULL) looks[i].kernel = look->kernel;
        looks[i].blend = look->blend == 0 ? MOTE_BLEND_OVER : MOTE_BLEND_ADD;
        looks[i].brightness = look->brightness;
        looks[i].motion_blur = look->motion_blur;
        looks[i].size = 1;
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
    mote_Look *looks = make_looks(scene);
    if (*drawn == NULL || looks == NULL) return status_no_memory(error, "a picture", 1);
    def->looks = looks;
    def->look_count = scene->systems.count;
    def->backdrop = scene->sky;
    def->ground = scene->ground;
    def->exposure = scene->picture.exposure;
    def->bloom = scene->picture.bloom;
    def->tone = scene->picture.tone == 0 ? MOTE_TONE_LINEAR : MOTE_TONE_FILMIC;
    return place_camera(scene, frame, &def->camera, error);
}

/* Parts of frames. */
#include "io/part.h"

#include "geometry/posed.h"
#include "geometry/shape_mesh.h"
#include "particles/system.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static const char *kind_name(PartKind kind)
{
    static const struct {
        PartKind kind;
        const char *name;
    } names[] = {{PART_SURFACE, "surface"}, {PART_BODY, "body"}, {PART_COLLIDER, "collider"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (names[i].kind == kind) return names[i].name;
    return "particles";
}

static bool is_taken(const Part *parts, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(parts[i].name, name) == 0) return true;
    return false;
}

/* Surfaces are called as their system, and a collider may be: then the kind is added. */
static const char *free_name(const Part *parts, size_t count, const Part *part, Arena *arena)
{
    const size_t size = strlen(part->name) + 40;
    if (!is_taken(parts, count, part->name)) return part->name;
    char *name = arena_take(arena, size);
    if (name == NULL) return NULL;
    snprintf(name, size, "%s_%s", part->name, kind_name(part->kind));
    for (size_t i = 2; is_taken(parts, count, name); ++i)
        snprintf(name, size, "%s_%s_%zu", part->name, kind_name(part->kind), i);
    return name;
}

static PartKind system_kind(const mote_Frame *frame, size_t system)
{
    for (size_t i = 0; i < frame->mesh_count; ++i)
        if (frame->meshes[i].system == system) return PART_LINKED;
    return PART_PARTICLES;
}

static Part listed(PartKind kind, const char *name, size_t number)
{
    return (Part){.kind = kind, .name = name, .number = number};
}

bool parts_list(const mote_Frame *frame, Arena *arena, Part **parts, size_t *count)
{
    const size_t systems = frame->system_count, surfaces = frame->surface_count;
    *count = systems + surfaces + frame->shape_count;
    *parts = arena_take(arena, (*count + 1) * sizeof **parts);
    for (size_t i = 0; *parts != NULL && i < *count; ++i) {
        Part *part = *parts + i;
        if (i < systems)
            *part = listed(system_kind(frame, i), frame->systems[i].name, i);
        else if (i < systems + surfaces)
            *part = listed(PART_SURFACE, frame->surfaces[i - systems].name, i - systems);
        else {
            const mote_FrameShape *shape = &frame->shapes[i - systems - surfaces];
            *part = listed(shape->body ? PART_BODY : PART_COLLIDER, shape->name,
                           i - systems - surfaces);
        }
        part->name = free_name(*parts, i, part, arena);
        if (part->name == NULL) return false;
    }
    return *parts != NULL;
}

/* ---- columns ---- */

mote_real *part_add_column(Part *part, const char *name, const char *unit, int components,
                           Arena *arena)
{
    mote_FrameSystem *points = &part->points;
    const size_t size = (points->count + 1) * (size_t)components * sizeof(mote_real);
    mote_real *data = arena_take(arena, size);
    ((mote_Column *)points->columns)[points->column_count++] =
        (mote_Column){.name = name,
                      .unit = unit,
                      .stage = "export",
                      .type = MOTE_COLUMN_REAL,
                      .components = components,
                      .stride = points->count,
                      .data = data};
    return data;
}

static bool make_system(const mote_Frame *frame, Part *part, Arena *arena)
{
    const mote_FrameSystem *system = &frame->systems[part->number];
    mote_Column *columns = arena_take(arena, (system->column_count + 1) * sizeof *columns);
    if (columns == NULL) return false;
    if (system->column_count > 0)
        memcpy(columns, system->columns, system->column_count * sizeof *columns);
    part->points = *system;
    part->points.columns = columns;
    return frame_mesh_rows(frame, part->number, frame->meshes, frame->mesh_count, arena,
                           &part->mesh);
}

/* ---- shapes ---- */

static void fill_vectors(mote_real *to, const mote_Vec3 *from, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        to[i] = from[i].x, to[count + i] = from[i].y, to[2 * count + i] = from[i].z;
}

static bool add_color(Part *part, const float color[3], Arena *arena)
{
    const size_t count = part->points.count;
    mote_real *to = part_add_column(part, "color", "", 3, arena);
    if (to == NULL) return false;
    for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < count; ++i) to[c * count + i] = (mote_real)color[c];
    return true;
}

/* A shape of another library, or one that is not whole, has no surface. */
static bool tessellate(const mote_FrameShape *shape, Arena *arena, ShapeMesh *mesh)
{
    const ShapeRow *row = shape->params != NULL ? shape_named(shape->type) : NULL;
    *mesh = (ShapeMesh){.vertex_count = 0};
    if (row == NULL) return true;
    void *params = arena_take(arena, row->head.params_size);
    if (params == NULL) return false;
    memcpy(params, shape->params, row->head.params_size);
    if (row->prepare != NULL) row->prepare(params);
    if (row->check != NULL && row->check(params, "", NULL) != MOTE_OK) return true;
    return shape_mesh(row, params, arena, mesh);
}

static bool make_shape(const mote_Frame *frame, const PartView *view, Part *part, Arena *arena)
{
    const mote_FrameShape *shape = &frame->shapes[part->number];
    ShapeMesh mesh;
    if (!tessellate(shape, arena, &mesh)) return false;
    const size_t corners = 3 * mesh.triangle_count;
    mote_Column *columns = arena_take(arena, PART_COLUMNS * sizeof *columns);
    size_t *triangles = arena_take(arena, (corners + 1) * sizeof *triangles);
    if (columns == NULL || triangles == NULL) return false;
    for (size_t i = 0; i < corners; ++i) triangles[i] = mesh.triangles[i / 3][i % 3];
    part->points = (mote_FrameSystem){part->name, mesh.vertex_count, columns, 0};
    part->mesh = (MeshRows){.triangles = triangles, .triangle_count = mesh.triangle_count};
    memcpy(part->position, shape->position, sizeof part->position);
    memcpy(part->orientation, shape->orientation, sizeof part->orientation);
    memcpy(part->velocity, shape->velocity, sizeof part->velocity);
    memcpy(part->spin, shape->spin, sizeof part->spin);
    mote_real *position = part_add_column(part, "position", "m", 3, arena);
    mote_real *normal = part_add_column(part, "normal", "", 3, arena);
    if (position == NULL || normal == NULL) return false;
    fill_vectors(position, mesh.vertices, mesh.vertex_count);
    fill_vectors(normal, mesh.normals, mesh.vertex_count);
    return view->colors == NULL || add_color(part, view->colors[part->number], arena);
}

/* ---- another axis up, another scale ---- */

/* A quarter turn that takes the axis `from` to the axis `to`; the third one stays. */
static void turn_vector(double v[3], int from, int to)
{
    if (from == to) return;
    const double up = v[from];
    v[from] = -v[to], v[to] = up;
}

static bool is_length(const mote_Column *column)
{
    const char *unit = column->unit != NULL ? column->unit : "";
    return unit[0] == 'm' && (unit[1] == '\0' || unit[1] == '/');
}

static bool is_vector(const mote_Column *column)
{
    return column->components == 3 && strcmp(column->name, "color") != 0;
}

static void put_value(const mote_Column *column, int component, size_t row, double value)
{
    char *plane = column_plane(column, component);
    if (column->type == MOTE_COLUMN_DOUBLE)
        ((double *)plane)[row] = value;
    else
        ((mote_real *)plane)[row] = (mote_real)value;
}

/* The column in memory of the arena, turned and scaled. */
static bool turn_column(mote_Column *column, size_t rows, int from, const PartView *view,
                        Arena *arena)
{
    const double scale = is_length(column) ? view->scale : 1;
    const int parts = column->components;
    mote_Column turned = *column;
    turned.stride = rows;
    turned.data = arena_take(arena, (rows + 1) * (size_t)parts * column_item_size(column->type));
    if (turned.data == NULL) return false;
    for (size_t i = 0; i < rows; ++i) {
        double v[MOTE_MOST_COMPONENTS];
        for (int c = 0; c < parts; ++c) v[c] = scale * column_value(column, c, i);
        if (is_vector(column)) turn_vector(v, from, view->up);
        for (int c = 0; c < parts; ++c) put_value(&turned, c, i, v[c]);
    }
    *column = turned;
    return true;
}

static bool turn(Part *part, int from, const PartView *view, Arena *arena)
{
    mote_Column *columns = (mote_Column *)part->points.columns;
    for (size_t i = 0; i < part->points.column_count; ++i) {
        const bool number =
            columns[i].type == MOTE_COLUMN_REAL || columns[i].type == MOTE_COLUMN_DOUBLE;
        if (!number || !(is_vector(&columns[i]) || is_length(&columns[i]))) continue;
        if (!turn_column(&columns[i], part->points.count, from, view, arena)) return false;
    }
    for (int c = 0; c < 3; ++c) part->position[c] *= view->scale, part->velocity[c] *= view->scale;
    turn_vector(part->position, from, view->up);
    turn_vector(part->orientation, from, view->up); /* its axis */
    turn_vector(part->velocity, from, view->up);
    turn_vector(part->spin, from, view->up);
    return true;
}

/* Where z goes by the quarter turn. */
static int flat_axis(int from, int to)
{
    if (from == 2) return to;
    return to == 2 ? from : 2;
}

bool part_make(const mote_Frame *frame, const PartView *given, Part *part, Arena *arena)
{
    PartView view = *given;
    if (view.up < 0) view.up = frame->up_axis;
    if (!(view.scale > 0)) view.scale = 1;
    const bool made = part->kind == PART_SURFACE ? part_make_surface(frame, part, arena)
                      : part_is_shape(part)      ? make_shape(frame, &view, part, arena)
                                                 : make_system(frame, part, arena);
    part->points.name = part->name;
    part->up = view.up;
    part->flat = frame->dimension == 2 ? flat_axis(frame->up_axis, view.up) : -1;
    if (!made || (view.up == frame->up_axis && view.scale == 1)) return made;
    return turn(part, frame->up_axis, &view, arena);
}

/* ---- into the world ---- */

static mote_Vec3 vector_of(const double v[3])
{
    return vec3((mote_real)v[0], (mote_real)v[1], (mote_real)v[2]);
}

static mote_Vec3 vector_at(const mote_Column *column, size_t row)
{
    const mote_real *x = column->data, *y = x + column->stride, *z = y + column->stride;
    return vec3(x[row], y[row], z[row]);
}

static void put_vector(const mote_Column *column, size_t row, mote_Vec3 v)
{
    mote_real *x = column->data;
    x[row] = v.x, x[column->stride + row] = v.y, x[2 * column->stride + row] = v.z;
}

bool part_place(Part *part, Arena *arena)
{
    const mote_FrameSystem *points = &part->points;
    const double *q = part->orientation;
    if (!part_is_shape(part)) return true;
    if (part_add_column(part, "velocity", "m/s", 3, arena) == NULL) return false;
    const mote_Column *position = mote_frame_column(points, "position");
    const mote_Column *normal = mote_frame_column(points, "normal");
    const mote_Column *velocity = mote_frame_column(points, "velocity");
    const mote_Pose pose = {
        vector_of(part->position),
        quat_unit((mote_Quat){(mote_real)q[0], (mote_real)q[1], (mote_real)q[2], (mote_real)q[3]})};
    const PoseVelocity motion = {vector_of(part->velocity), vector_of(part->spin)};
    for (size_t i = 0; i < points->count; ++i) {
        const mote_Vec3 place = pose_apply(&pose, vector_at(position, i));
        put_vector(position, i, place);
        put_vector(normal, i, pose_rotate(&pose, vector_at(normal, i)));
        put_vector(velocity, i, pose_point_velocity(&pose, &motion, place));
    }
    return true;
}

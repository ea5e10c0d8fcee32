/* Surfaces of the particles of a frame: which columns say what. */
#include "base/status.h"
#include "particles/system.h"
#include "surface/surface.h"

#include <stdio.h>
#include <string.h>

enum { POSITION = 0, RADIUS = 3, VOLUME = 4 };

static const mote_FrameSystem *find_system(const mote_Frame *frame, const char *name,
                                           mote_Error *error)
{
    if (name == NULL && frame->system_count == 1) return &frame->systems[0];
    const mote_FrameSystem *found = name != NULL ? mote_frame_system(frame, name) : NULL;
    if (frame->system_count == 0)
        status_fail(error, MOTE_BAD_VALUE, "surface: the frame has no particles to put one around");
    else if (found == NULL && name == NULL)
        status_fail(error, MOTE_BAD_VALUE,
                    "surface: the frame has %zu systems; name the one that is a liquid",
                    frame->system_count);
    else if (found == NULL)
        status_fail(error, MOTE_BAD_VALUE, "surface: the frame has no system `%.80s`", name);
    return found;
}

static bool is_number(const mote_Column *column, int components)
{
    return column != NULL && column->components == components &&
           (column->type == MOTE_COLUMN_REAL || column->type == MOTE_COLUMN_DOUBLE);
}

/* A plane of mote_real: the column's own, or a copy where it is of the other precision. */
static const mote_real *plane_of(mote_Surface *surface, const mote_Column *column, int component,
                                 size_t count, int copy)
{
    const char *plane = column_plane(column, component);
    if (column->type == MOTE_COLUMN_REAL) return (const mote_real *)plane;
    if (!memory_reserve(&surface->memory, (void **)&surface->columns[copy],
                        &surface->column_room[copy], count, sizeof(mote_real)))
        return NULL;
    for (size_t i = 0; i < count; ++i)
        surface->columns[copy][i] = (mote_real)((const double *)plane)[i];
    return surface->columns[copy];
}

/* Volumes by mass and density. */
static const mote_real *volumes(mote_Surface *surface, const mote_FrameSystem *system)
{
    const mote_Column *mass = mote_frame_column(system, "mass");
    const mote_Column *density = mote_frame_column(system, "density");
    if (!memory_reserve(&surface->memory, (void **)&surface->columns[VOLUME],
                        &surface->column_room[VOLUME], system->count, sizeof(mote_real)))
        return NULL;
    for (size_t i = 0; i < system->count; ++i)
        surface->columns[VOLUME][i] =
            (mote_real)(column_value(mass, 0, i) / column_value(density, 0, i));
    return surface->columns[VOLUME];
}

/* A radius by the caller holds for all; else the particles' own say their sizes: a radius, or what
 * mass and density make of them. */
static mote_Status read_points(mote_Surface *surface, const mote_FrameSystem *system,
                               mote_SurfacePoints *points, mote_Error *error)
{
    const mote_Column *position = mote_frame_column(system, "position");
    const mote_Column *radius = mote_frame_column(system, "radius");
    bool good = true;
    *points = (mote_SurfacePoints){.count = system->count};
    if (system->count == 0) return MOTE_OK;
    if (!is_number(position, 3))
        return status_fail(error, MOTE_BAD_VALUE,
                           "surface: system %.80s has no places: a column `position` of three "
                           "numbers",
                           system->name);
    for (int k = 0; k < 3; ++k) {
        points->x[k] = plane_of(surface, position, k, system->count, POSITION + k);
        good = good && points->x[k] != NULL;
    }
    if (surface->def.radius <= 0 && is_number(radius, 1)) {
        points->radius = plane_of(surface, radius, 0, system->count, RADIUS);
        good = good && points->radius != NULL;
    } else if (surface->def.radius <= 0 && is_number(mote_frame_column(system, "mass"), 1) &&
               is_number(mote_frame_column(system, "density"), 1)) {
        points->volume = volumes(surface, system);
        good = good && points->volume != NULL;
    }
    return good ? MOTE_OK : status_no_memory(error, "a surface", system->count * sizeof(mote_real));
}

/* A mesh has these itself, and files know them by these names. */
static bool is_taken(const char *name)
{
    static const char *const taken[] = {"position", "normal", "vertices", "normals", "triangles"};
    bool found = false;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; ++i)
        found = found || strcmp(taken[i], name) == 0;
    return found;
}

/* The columns that vertices shall carry. */
static mote_Status find_carried(mote_Surface *surface, const mote_FrameSystem *system,
                                mote_SurfacePoints *points, mote_Error *error)
{
    const mote_SurfaceDef *def = &surface->def;
    const size_t bytes = def->attribute_count * sizeof *surface->wanted;
    if (def->attribute_count == 0 || system->count == 0) return MOTE_OK;
    if (surface->wanted == NULL) surface->wanted = memory_take(&surface->memory, bytes);
    if (surface->wanted == NULL) return status_no_memory(error, "a surface's columns", bytes);
    for (size_t i = 0; i < def->attribute_count; ++i) {
        const mote_Column *column = mote_frame_column(system, def->attributes[i]);
        if (column == NULL || !is_number(column, column->components) || is_taken(column->name))
            return status_fail(
                error, MOTE_BAD_VALUE,
                "surface: attributes: system %.80s has no column `%.80s` that a mesh "
                "can carry, as velocity or color",
                system->name, def->attributes[i]);
        surface->wanted[i] = *column;
    }
    points->columns = surface->wanted, points->column_count = def->attribute_count;
    return MOTE_OK;
}

mote_Status mote_surface_frame(mote_Surface *surface, const mote_Frame *frame, const char *name,
                               mote_FrameSurface *mesh, mote_SurfaceReport *report,
                               mote_Error *error)
{
    mote_SurfacePoints points;
    const mote_FrameSystem *system = find_system(frame, name, error);
    *mesh = (mote_FrameSurface){.name = "surface"};
    if (system == NULL) return MOTE_BAD_VALUE;
    mote_Status status = read_points(surface, system, &points, error);
    if (status == MOTE_OK) status = find_carried(surface, system, &points, error);
    if (status == MOTE_OK) status = mote_surface_points(surface, &points, mesh, report, error);
    mesh->name = system->name;
    mesh->system = (size_t)(system - frame->systems);
    return status;
}

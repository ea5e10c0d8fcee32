/* Surfaces as parts: what is known of the particles becomes known at the vertices, so that other
 * programs can blur and colour the mesh. A vertex gets the mean over the particles around it,
 * weighted by (1 - d^2 / R^2)^2 (Shepard 1968). */
#include "io/part.h"

#include "particles/system.h"
#include "space/cells.h"

#include <string.h>

#define NEAR     4.0 /* radii: particles of a liquid stand two apart */
#define FARTHEST 6   /* times that the ball is doubled where a vertex has no particle near */

typedef struct SurfaceAround {
    const mote_FrameSystem *system;
    Cells cells;
    double radius; /* m, of the ball around a vertex */
} SurfaceAround;

static const mote_Column *real_column(const mote_FrameSystem *system, const char *name,
                                      int components)
{
    const mote_Column *column = mote_frame_column(system, name);
    const bool good =
        column != NULL && column->type == MOTE_COLUMN_REAL && column->components == components;
    return good ? column : NULL;
}

/* True with cell_count 0 when nothing is known of the particles. */
static bool look_around(const mote_FrameSystem *system, Arena *arena, SurfaceAround *around)
{
    const CellSpace space = {.flat = false};
    const mote_Column *position = real_column(system, "position", 3);
    const mote_Column *radius = real_column(system, "radius", 1);
    double sum = 0;
    *around = (SurfaceAround){.system = system};
    if (position == NULL || radius == NULL || system->count == 0) return true;
    for (size_t i = 0; i < system->count; ++i) sum += column_value(radius, 0, i);
    around->radius = NEAR * sum / (double)system->count;
    if (!(around->radius > 0)) return true;
    const CellPoints points = {
        .x = {column_real(position, 0), column_real(position, 1), column_real(position, 2)},
        .count = system->count};
    return cells_make(&around->cells, &space, (mote_real)around->radius, &points, arena, NULL);
}

/* A ball around a vertex. */
typedef struct VertexBall {
    double centre[3], radius; /* m */
} VertexBall;

/* Adds the run's share to the sum, and returns its weight. */
static double add_run(const SurfaceAround *around, const CellRun *run, const VertexBall *ball,
                      const mote_Column *column, double sum[3])
{
    double total = 0;
    for (uint32_t p = run->begin; p < run->end; ++p) {
        double d2 = 0;
        for (int c = 0; c < 3; ++c) {
            const double d = (double)around->cells.x[c][p] - ball->centre[c];
            d2 += d * d;
        }
        const double t = 1 - d2 / (ball->radius * ball->radius), weight = t > 0 ? t * t : 0;
        total += weight;
        for (int c = 0; c < 3 && weight > 0; ++c)
            sum[c] += weight * column_value(column, c, around->cells.order[p]);
    }
    return total;
}

/* The mean of a vector column at a place; 0 where no particle is near at all. */
static void mean_at(const SurfaceAround *around, const mote_Column *column, mote_Vec3 place,
                    double mean[3])
{
    VertexBall ball = {{(double)place.x, (double)place.y, (double)place.z}, around->radius};
    double total = 0;
    memset(mean, 0, 3 * sizeof *mean);
    for (int i = 0; i < FARTHEST && !(total > 0); ++i, ball.radius *= 2) {
        CellRun run;
        BallWalk walk = ball_walk(&around->cells, ball.centre, ball.radius);
        while (ball_next(&walk, &run)) total += add_run(around, &run, &ball, column, mean);
    }
    for (int c = 0; c < 3 && total > 0; ++c) mean[c] /= total;
}

static bool carry_over(const mote_FrameSurface *surface, const SurfaceAround *around,
                       const char *name, Part *part, Arena *arena)
{
    const mote_Column *column = real_column(around->system, name, 3);
    const size_t count = surface->vertex_count;
    if (mote_frame_column(&surface->carried, name) != NULL) return true;
    if (column == NULL || around->cells.cell_count == 0) return true;
    mote_real *to = part_add_column(part, name, column->unit, 3, arena);
    for (size_t i = 0; to != NULL && i < count; ++i) {
        double mean[3];
        mean_at(around, column, surface->vertices[i], mean);
        for (size_t c = 0; c < 3; ++c) to[c * count + i] = (mote_real)mean[c];
    }
    return to != NULL;
}

static bool add_vectors(Part *part, const char *name, const char *unit, const mote_Vec3 *from,
                        Arena *arena)
{
    const size_t count = part->points.count;
    mote_real *to = part_add_column(part, name, unit, 3, arena);
    for (size_t i = 0; to != NULL && i < count; ++i)
        to[i] = from[i].x, to[count + i] = from[i].y, to[2 * count + i] = from[i].z;
    return to != NULL;
}

/* Columns that the surface has itself; parts may turn their own. */
static bool add_carried(const mote_FrameSystem *carried, Part *part, Arena *arena)
{
    for (size_t i = 0; i < carried->column_count; ++i) {
        const mote_Column *from = &carried->columns[i];
        mote_real *to = part_add_column(part, from->name, from->unit, from->components, arena);
        if (to == NULL) return false;
        for (int c = 0; c < from->components; ++c)
            for (size_t v = 0; v < carried->count; ++v)
                to[(size_t)c * carried->count + v] = (mote_real)column_value(from, c, v);
    }
    return true;
}

bool part_make_surface(const mote_Frame *frame, Part *part, Arena *arena)
{
    const mote_FrameSurface *surface = &frame->surfaces[part->number];
    const size_t corners = 3 * surface->triangle_count;
    const mote_FrameSystem *carried = &surface->carried;
    mote_Column *columns =
        arena_take(arena, (PART_COLUMNS + carried->column_count) * sizeof *columns);
    size_t *triangles = arena_take(arena, (corners + 1) * sizeof *triangles);
    SurfaceAround around;
    if (columns == NULL || triangles == NULL ||
        !look_around(&frame->systems[surface->system], arena, &around))
        return false;
    for (size_t i = 0; i < corners; ++i) triangles[i] = surface->triangles[i];
    part->points = (mote_FrameSystem){part->name, surface->vertex_count, columns, 0};
    part->mesh = (MeshRows){.triangles = triangles, .triangle_count = surface->triangle_count};
    return add_vectors(part, "position", "m", surface->vertices, arena) &&
           add_vectors(part, "normal", "", surface->normals, arena) &&
           carry_over(surface, &around, "velocity", part, arena) &&
           carry_over(surface, &around, "color", part, arena) && add_carried(carried, part, arena);
}

/* Hierarchical grids. */
#include "space/levels.h"

#include "space/ball.h"

#include <math.h>

static bool has_size(mote_real radius)
{
    return radius > 0 && radius - radius == 0;
}

/* Level of a radius: 0 up to the smallest of all, then one for each doubling. */
static int level_of(mote_real radius, mote_real smallest)
{
    int level = 0;
    for (mote_real size = smallest; size < radius && level < LEVELS_MOST - 1; size *= 2) ++level;
    return level;
}

static mote_real smallest_of(const mote_real *radius, size_t points)
{
    mote_real smallest = 0;
    for (size_t i = 0; i < points; ++i)
        if (has_size(radius[i]) && (!(smallest > 0) || radius[i] < smallest)) smallest = radius[i];
    return smallest;
}

static bool make_level(Levels *levels, Level *level, size_t count, Arena *arena, mote_Tasks *tasks)
{
    mote_real *planes = arena_take(arena, 3 * (count + 1) * sizeof *planes);
    if (planes == NULL) return false;
    const mote_real *const x[3] = {planes, planes + count, planes + 2 * count};
    for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < count; ++i) planes[c * count + i] = levels->x[c][level->point[i]];
    return cells_make(&level->cells, &levels->space, level->largest, x, count, arena, tasks);
}

/* The points of level `number`; none: no level is made. */
static bool fill_level(Levels *levels, int number, mote_real smallest, Arena *arena,
                       mote_Tasks *tasks)
{
    Level *level = &levels->levels[levels->count];
    size_t count = 0;
    for (size_t i = 0; i < levels->points; ++i)
        count += has_size(levels->radius[i]) && level_of(levels->radius[i], smallest) == number;
    if (count == 0) return true;
    *level = (Level){.point = arena_take(arena, count * sizeof *level->point)};
    if (level->point == NULL) return false;
    count = 0;
    for (size_t i = 0; i < levels->points; ++i) {
        mote_real radius = levels->radius[i];
        if (!has_size(radius) || level_of(radius, smallest) != number) continue;
        level->point[count++] = (uint32_t)i;
        if (radius > level->largest) level->largest = radius;
    }
    ++levels->count;
    return make_level(levels, level, count, arena, tasks);
}

bool levels_make(Levels *levels, const CellSpace *space, const mote_real *const x[3],
                 const mote_real *radius, size_t points, Arena *arena, mote_Tasks *tasks)
{
    *levels = (Levels){.x = x, .radius = radius, .points = points, .space = *space};
    mote_real smallest = smallest_of(radius, points);
    for (int number = 0; number < LEVELS_MOST; ++number)
        if (!fill_level(levels, number, smallest, arena, tasks)) return false;
    return true;
}

static mote_real square(const Levels *levels, const CellRun *run, const Level *level, uint32_t at,
                        const mote_real centre[3])
{
    mote_real sum = 0;
    for (int c = 0; c < (levels->space.flat ? 2 : 3); ++c) {
        mote_real d = level->cells.x[c][at] + run->shift[c] - centre[c];
        sum += d * d;
    }
    return sum;
}

/* Keeps the list ascending. */
static void insert(uint32_t *found, size_t count, size_t room, uint32_t point)
{
    size_t at = count < room ? count : room;
    for (; at > 0 && found[at - 1] > point; --at)
        if (at < room) found[at] = found[at - 1];
    if (at < room) found[at] = point;
}

static size_t search_level(const Levels *levels, const Level *level, size_t point, uint32_t *found,
                           size_t count, size_t room)
{
    const mote_real own = levels->radius[point];
    const mote_real centre[3] = {levels->x[0][point], levels->x[1][point], levels->x[2][point]};
    BallWalk walk = ball_walk(&level->cells, centre, own > level->largest ? own : level->largest);
    CellRun run;
    while (ball_next(&walk, &run))
        for (uint32_t i = run.begin; i < run.end; ++i) {
            uint32_t other = level->point[level->cells.order[i]];
            mote_real reach = levels->radius[other] > own ? levels->radius[other] : own;
            if (other == point || !(square(levels, &run, level, i, centre) < reach * reach))
                continue;
            insert(found, count++, room, other);
        }
    return count;
}

size_t levels_neighbours(const Levels *levels, size_t point, uint32_t *found, size_t room)
{
    size_t count = 0;
    if (!has_size(levels->radius[point])) return 0;
    for (int l = 0; l < levels->count; ++l)
        count = search_level(levels, &levels->levels[l], point, found, count, room);
    return count;
}

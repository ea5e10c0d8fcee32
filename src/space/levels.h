/* Points of different radii: a hierarchy of grids, one for every factor of two between radii.
 *
 * Two points are neighbours when they are nearer than the larger of their radii. Every level has
 * cells of its own points' size, so neither many small points around a large one nor few large ones
 * among the small make cells crowded: the role that an octree plays for uneven clouds.
 *
 * No solver of the library calls them yet: liquids and smoothed fields have one radius for all, and
 * surfaces and pictures sort particles by where they are seen. They are for matter of uneven size,
 * such as grains, or liquids that are finer at their surface. */
#ifndef SPACE_LEVELS_H
#define SPACE_LEVELS_H

#include "space/cells.h"

enum { LEVELS_MOST = 24 };

typedef struct Level {
    Cells cells;       /* of this level's points alone */
    uint32_t *point;   /* number of a point of the cells -> of all points */
    mote_real largest; /* radius, m */
} Level;

typedef struct Levels {
    Level levels[LEVELS_MOST]; /* ascending radii */
    int count;
    const mote_real *const *x; /* as given */
    const mote_real *radius;   /* as given */
    size_t points;
    CellSpace space;
} Levels;

/* Sorts the points into levels; x and radius must stay. Points whose radius is not positive and
 * finite are in none. Memory from the arena; false when there is none. */
bool levels_make(Levels *levels, const CellSpace *space, const mote_real *const x[3],
                 const mote_real *radius, size_t points, Arena *arena, mote_Tasks *tasks);

/* The neighbours of a point, ascending; at most `room` of them; returns how many there are. */
size_t levels_neighbours(const Levels *levels, size_t point, uint32_t *found, size_t room);

#endif

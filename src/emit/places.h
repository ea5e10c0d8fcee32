/* Places that a source lays out, by number: a list, or runs of points of a lattice, at most a few
 * for each of its lines: a ball of 100 million takes 4 MB where a list takes more than a gigabyte.
 * Whoever has a part of space alone finds the runs that cross it without the others' places. */
#ifndef EMIT_PLACES_H
#define EMIT_PLACES_H

#include "base/memory.h"
#include "base/vec.h"

typedef struct SourceLattice {
    mote_Vec3 first;
    uint64_t count[3]; /* along each axis */
    double spacing;    /* m */
} SourceLattice;

/* Points one after another along x, and on to the next line where one is full. */
typedef struct PlaceRun {
    uint64_t point;  /* the first: (z count_y + y) count_x + x */
    uint64_t before; /* places in the runs before */
} PlaceRun;

typedef struct SourcePlaces {
    size_t count;
    mote_Vec3 *list; /* all of them; NULL: */
    SourceLattice lattice;
    PlaceRun *runs;
    size_t run_count, run_capacity;
} SourcePlaces;

/* Adds `count` points of the lattice, from `point` on; in ascending order. False: no memory. */
bool places_add_run(SourcePlaces *places, Memory *memory, uint64_t point, size_t count);

/* Room for a list. False: no memory. */
bool places_take_list(SourcePlaces *places, Memory *memory, size_t count);

mote_Vec3 places_at(const SourcePlaces *places, size_t number);

/* A point of the lattice. */
mote_Vec3 lattice_at(const SourceLattice *lattice, const uint64_t at[3]);

void places_free(SourcePlaces *places, Memory *memory);

#endif

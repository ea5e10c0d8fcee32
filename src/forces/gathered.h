/* What mutual gravity sees of all rows of its systems: points that are pulled, masses that pull. */
#ifndef FORCES_GATHERED_H
#define FORCES_GATHERED_H

#include "forces/force.h"
#include "forces/pull.h"

typedef struct Gathered {
    Arena arena;
    ForceRows *systems;
    size_t system_count;
    PullRequest request; /* points: rows of all systems one after the other */
    double length, gm;   /* m and m^3/s^2 that are 1 in the request: powers of two */
} Gathered;

void *gathered_open(Memory *memory);
void gathered_close(Memory *memory, void *state);

/* Forgets what it saw and looks again: fills in all of the request but kernels, method's settings
 * and softening. False when out of memory. */
bool gathered_look(Gathered *all, const Force *force, double G, const ForceCrowd *crowd);

/* Where the range's sums begin; SIZE_MAX: its rows were not seen. */
size_t gathered_place(const Gathered *all, const Range *r);

/* Rows born since all were looked at: every mass at each of them. */
typedef struct Newcomers {
    mote_real x[3][BLOCK_ROWS];
    double out[PULL_OUT][BLOCK_ROWS];
} Newcomers;

void gathered_pull_newcomers(const Gathered *all, const Range *r, Newcomers *to);

#endif

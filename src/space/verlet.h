/* Verlet lists: neighbours within H and a skin, kept while no point has moved by half the skin.
 *
 * Whoever sums over them with a kernel of support H gets the same terms as from fresh lists, and
 * zeros. The lists follow from the reference positions alone, so these are what a state must hold:
 * verlet_restore makes the same lists again. Points are named by place, in an order that stays
 * while the lists do.
 *
 * No solver of the library calls them yet: a liquid moves by up to 0.4 spacings in a sub-step, more
 * than half of a skin that pays. They are for matter that hardly moves from step to step, such as
 * heaps of grains. */
#ifndef SPACE_VERLET_H
#define SPACE_VERLET_H

#include "space/neighbours.h"

typedef struct Verlet {
    Arena arena; /* of the present lists */
    Cells cells;
    Neighbours lists;
    mote_real skin;          /* m */
    mote_real *reference[3]; /* positions by point when the lists were made */
    bool valid;
    uint64_t made; /* lists, ever */
} Verlet;

Verlet verlet_make(Memory *memory);
void verlet_free(Verlet *verlet);

/* Lists for points at x: the present ones, or fresh ones if a point moved too far, or if their
 * number, reach or skin changed. False when out of memory. */
bool verlet_update(Verlet *verlet, const CellSpace *space, mote_real reach, mote_real skin,
                   const mote_real *const x[3], size_t points, Isa isa, mote_Tasks *tasks);

/* The lists that were made when points were at `reference`. */
bool verlet_restore(Verlet *verlet, const CellSpace *space, mote_real reach, mote_real skin,
                    const mote_real *const reference[3], size_t points, Isa isa, mote_Tasks *tasks);

#endif

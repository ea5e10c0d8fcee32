/* Ghosts: where ranks share a liquid, copies of the rows of others that this one's rows feel.
 *
 * A rank has whole bricks (ranks/bricks.h) and, around them, one layer of cells of others. Ghosts
 * stand behind its own rows; sorted into cells, they are where they would be on one rank, so
 * neighbours of own rows are the same, in the same order. What was summed at a ghost's place is
 * wrong, because its own neighbours are not all here: it comes from the rank that has the row
 * (ghosts_share) before anyone reads it there. Sums over all places leave the rods of others out.
 *
 * Rows that leave their rank's bricks within a sub-step, in a piece of one that was halved, are
 * lent to who has the brick, which works on them as on its own, and come back with what it found
 * (guests.c).
 *
 * With one rank none of this does anything. Calls that ranks wait for each other in are made by all
 * of them, also by those without rows. What goes wrong in them is kept (Ghosts.status): who asks
 * goes on, and sph_agree tells. */
#ifndef SOLVERS_SPH_GHOSTS_H
#define SOLVERS_SPH_GHOSTS_H

#include "ranks/bricks.h"
#include "solvers/sph/sph.h"

/* Places [begin, end) of own rows, not many. */
typedef struct OwnSpan {
    uint32_t begin, end;
} OwnSpan;

/* Rows on their way for a piece of a sub-step, rank by rank. */
typedef struct GuestLists {
    size_t *out_first, *in_first;
    uint32_t *out;    /* of this rank, with others: points, then places, behind all */
    uint32_t *in;     /* of others, here: points, then places */
    uint32_t *points; /* by row: from home.count on it is with another rank */
} GuestLists;

/* The cells of points, and whose they are. */
typedef struct GhostCells {
    const SphStep *step;
    Cells grid;
    const BrickCut *cuts; /* NULL: nothing was dealt yet */
    size_t count;
    int32_t *at[3]; /* by point */
} GhostCells;

typedef struct Ghosts {
    const mote_Ranks *ranks;
    bool lends;        /* some rank has rows in bricks of others */
    GuestLists guests; /* who they are, then */
    CellPoints home;   /* in this rank's bricks: step->own_rows of them */
    CellPoints points; /* those, then ghosts */
    /* What is sent and what comes, rank by rank: rows at first, places when they are known. */
    size_t *out_first, *in_first;
    uint32_t *out, *in;
    bool *own_rod; /* by rod */
    OwnSpan *spans;
    size_t span_count;
    RankPost post; /* room for what goes along these lists */
    mote_Status status;
    mote_Error error;
} Ghosts;

/* What goes along lists of ghosts at a time at most: planes of numbers, or a matrix. Ids and
 * positions are no more. */
enum { GHOSTS_PLANES = 8, GHOSTS_MOST_BYTES = GHOSTS_PLANES * sizeof(mote_real) };

/* Finds out who feels whom and gets the ghosts' positions: step->rows and step->particles count
 * them and all rows then. step->ghosts stays NULL with one rank. */
mote_Status ghosts_find(SphStep *step, mote_Error *error);

/* When places are numbered, by point: lists by place, step->place by row, and rods of this rank.
 * False: no memory. */
bool ghosts_place(SphStep *step);

/* Numbers at ghosts become those of the ranks that have them. */
void ghosts_share(SphStep *step, mote_real *const *planes, size_t count);

/* The same of numbers that stand among others. */
void ghosts_share_planes(SphStep *step, const RankPlane *planes, size_t count);

/* Is the row at a place in this rank's bricks? */
static inline bool ghosts_own(const SphStep *step, size_t place)
{
    return step->ghosts == NULL || step->cells.order[place] < step->own_rows;
}

/* Planes (8 at most) at the places of rows that are with others go there; and come back. */
void guests_lend(SphStep *step, mote_real *const *planes, size_t count);
void guests_return(SphStep *step, mote_real *const *planes, size_t count);

/* Among these files: numbers of ghosts, by the room that all have. */
mote_Status ghosts_get(const Ghosts *ghosts, const RankPlane *planes, size_t count,
                       mote_Error *error);
/* For ghosts_find.c: memory that is needed in any case; counts the liquid, and finds the points in
 * this rank's bricks (home), of rows whose cells are known; and what ghosts_place does of rows that
 * are lent. */
bool guests_begin(GuestLists *guests, int ranks, Arena *arena);
mote_Status guests_find(SphStep *step, const GhostCells *cells, const CellPoints *rows,
                        mote_Error *error);
bool guests_place(SphStep *step);

/* Over all ranks. */
void ghosts_add(const SphStep *step, int64_t *numbers, size_t count);
void ghosts_sum(const SphStep *step, Limbs *sums, size_t count);
void ghosts_most(const SphStep *step, double *numbers, size_t count);

/* What came of it on all ranks, with all that was asked before. */
mote_Status sph_agree(const SphStep *step, mote_Status status, mote_Error *error);

/* Calls body on the places of own rows. */
void ghosts_for_own(const SphStep *step, mote_TaskBody *body, void *context);

/* Neighbours of own rows, all together. */
uint64_t ghosts_pairs(const SphStep *step);

#endif

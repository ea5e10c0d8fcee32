/* Rows over ranks: who has which of them, and how they come to whoever shall. With one rank all of
 * it does nothing. */
#ifndef SOLVERS_SPREAD_SPREAD_H
#define SOLVERS_SPREAD_SPREAD_H

#include "solvers/points/slot.h"

/* What rank 0 shows of all ranks, each kind until it is asked for again. */
enum { GATHERED_FRAME, GATHERED_STATE, GATHERED_KINDS };

typedef struct RowSpread {
    const Workshop *shop;
    bool flat;                      /* the world has two dimensions */
    Arena post;                     /* of one message to other ranks */
    Arena gathered[GATHERED_KINDS]; /* who asks resets them */
    uint64_t rebalance_every;       /* sub-steps, after which ranks look who has how much */
    bool looks, glances;            /* in this sub-step; glances are more often */
    uint64_t migrated;              /* rows that left this rank; whoever counts them clears it */
} RowSpread;

RowSpread spread_open(const Workshop *shop, bool flat);
void spread_close(RowSpread *spread);

/* "WHAT cannot be spread over 4 ranks yet; run this world on one". */
mote_Status spread_refuse(const RowSpread *spread, const char *what, mote_Error *error);
/* Refuses a system that cannot be spread, by name; makes what the rest needs. */
mote_Status spread_check(const RowSpread *spread, SystemSlot *slot, mote_Error *error);

/* Rows that the host added, on every rank, become slices. */
mote_Status spread_settle(RowSpread *spread, const Slots *all, mote_Error *error);
/* Rows go where slices are of whole blocks and about as long as each other, or to who has their
 * bricks. */
mote_Status spread_migrate(RowSpread *spread, const Slots *all, uint64_t substep,
                           mote_Error *error);
/* Largest radii are those of all ranks. */
mote_Status spread_share_radii(const RowSpread *spread, const Slots *all, mote_Error *error);

/* The rows of all ranks in their order, as columns, on rank 0; none on others. */
mote_Status spread_gather(RowSpread *spread, SystemSlot *slot, int which, mote_Column *columns,
                          mote_Error *error);
/* The same in parts: columns become those rows of all that this rank shows, `part` of them; rank
 * after rank they are all, in order. Those of bricks are taken from spread->gathered. */
mote_Status spread_part(RowSpread *spread, SystemSlot *slot, int which, mote_Column *columns,
                        size_t *part, mote_Error *error);
/* The slot whose rows a saved array is of; NULL: it is of something else. */
SystemSlot *spread_slot_of(const Slots *all, const char *name);
/* A saved array of this system's rows has so many, of which every rank gets those of its slice. */
RankSlice spread_saved_slice(RowSpread *spread, SystemSlot *slot, uint64_t total);
/* Of saved arrays those parts that this rank has; and, when they were taken, rows stand as they
 * were saved. */
mote_Status spread_take_slices(RowSpread *spread, const Slots *all, const mote_StateArray **arrays,
                               size_t count, mote_Error *error);
void spread_order_slices(const RowSpread *spread, const Slots *all);

/* ---- among these files ---- */

/* Is the slot dealt by bricks? */
static inline bool slot_has_bricks(const SystemSlot *slot)
{
    return slot->all.order > 0;
}
/* The column that has the order of all rows. */
mote_Status spread_add_order(SystemSlot *slot, mote_Error *error);

/* `first`: how many every rank has, added up. */
mote_Status spread_migrate_slices(RowSpread *spread, SystemSlot *slot, const uint64_t *first,
                                  mote_Error *error);
mote_Status spread_migrate_bricks(RowSpread *spread, SystemSlot *slot, const uint64_t *first,
                                  mote_Error *error);
mote_Status spread_part_of_bricks(RowSpread *spread, SystemSlot *slot, int which,
                                  mote_Column *columns, size_t *part, mote_Error *error);

/* Rows of one rank on their way: lists of those that leave, and of where those that come stand
 * until all are in order. */
typedef struct RowMove {
    size_t *leave_first, *come_first;
    uint32_t *leave, *come;
    size_t before;  /* of those that come: how many stand before the rows that stay */
    bool unordered; /* rows may stand in any order */
} RowMove;

/* Sends and takes them, with all their columns. From spread->post, by all ranks. */
mote_Status spread_move_rows(RowSpread *spread, SystemSlot *slot, const RowMove *move,
                             mote_Error *error);

#endif

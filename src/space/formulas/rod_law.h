/* Rods and bricks of a window of cells that has a table, as a device knows them (space/rods.h):
 * all of the window, also those without points. It includes nothing. */
#ifndef SPACE_FORMULAS_ROD_LAW_H
#define SPACE_FORMULAS_ROD_LAW_H

enum { ROD_EDGE = 4, BRICK_RODS = 16 }; /* cells of a rod; rods of a brick */

typedef struct RodLaw {
    uint32_t side;      /* cells of the window along x */
    uint32_t keys;      /* all cells of it */
    uint32_t points;    /* those in no cell come last */
    uint32_t rods[3];   /* along x bricks, along y and z cells */
    uint32_t bricks[3]; /* and beside them one brick, of the rod in no cell */
    int first[3];       /* cell of the window that its first brick begins at, or before it */
} RodLaw;

#endif

/* What a search for neighbours goes by, on a device: numbers alone. It includes nothing. */
#ifndef SPACE_FORMULAS_SEARCH_LAW_H
#define SPACE_FORMULAS_SEARCH_LAW_H

typedef struct SearchLaw {
    mote_real anchor[3], inverse[3]; /* of cells */
    mote_real low[3], last[3];       /* cells of the window: its first, and how many less one */
    mote_real period[3];             /* m; 0: none */
    mote_real limit;                 /* m^2: nearer are neighbours */
    /* of the smoothing kernel: 1 / H, its scale, W(0), and a square beyond its support */
    mote_real sharp, scale, middle, beyond;
    uint32_t side[3]; /* cells of the window */
    uint32_t flat;
    uint32_t points, placed; /* places; those in cells */
    uint32_t cells;          /* occupied; 0: there is a table over the window */
    uint32_t room;           /* entries of a list, a multiple of 8 */
    uint32_t stride;         /* from one plane of positions to the next */
} SearchLaw;

#endif

/* The coarse grid of dfsph_coarse.c, and its solution. */
#ifndef SOLVERS_SPH_DFSPH_GRID_H
#define SOLVERS_SPH_DFSPH_GRID_H

#include "solvers/sph/dfsph_coarse.h"

/* A cell with particles. */
typedef struct CoarseCell {
    uint32_t node[8]; /* corner a: low or high along x, y, z by the bits of a */
    double particles;
} CoarseCell;

struct Coarse {
    bool flat, wraps[3];
    uint32_t cells[3], nodes[3];
    double origin[3], inverse[3];
    size_t node_count, cell_count;
    CoarseCell *used; /* by ascending number, those of a layer along z together */
    uint32_t *layer;  /* the first of each layer of cells, and the end */
    double product[8][8];
    /* by node: */
    double *wanted, *held, *diagonal, *pressure, *left, *way, *answer;
    double *parts;         /* of wanted and held, summed by tasks */
    double *sums;          /* by layer of nodes */
    double length, growth; /* of the present step of conjugate gradients */
    Flow *flow;
};

/* Pressures by node that leave little of what is wanted. */
void coarse_solve(Coarse *grid);

#endif

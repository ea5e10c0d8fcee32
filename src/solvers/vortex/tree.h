/* A binary tree over points: cells of neighbouring points, each with its tight box. */
#ifndef SOLVERS_VORTEX_TREE_H
#define SOLVERS_VORTEX_TREE_H

#include "base/memory.h"

typedef struct TreeCell {
    size_t first, count;          /* of the sorted points */
    size_t child;                 /* number of the first child; children stand side by side */
    int child_count;              /* 0: a leaf */
    int level;                    /* below the root; cells stand level by level */
    mote_real center[3], half[3]; /* m, of the tight box */
} TreeCell;

typedef struct Tree {
    size_t count;
    uint32_t *order; /* point number of each place in the sorted order */
    mote_real *x[3]; /* sorted */
    uint64_t *keys;  /* sorted: interleaved bits of the places, 21 an axis */
    TreeCell *cells; /* parents before children; cell 0 is the root */
    size_t cell_count, cell_capacity;
} Tree;

/* Children of a cell that is divided, and the most levels below the root. */
enum { TREE_CHILDREN = 2, TREE_LEVELS = 63 };

/* Sorts the points and divides cells of more than `leaf`. False when out of memory. */
bool tree_build(Tree *tree, const mote_real *const x[3], size_t count, size_t leaf, Arena *arena);

/* Half of a cell's diagonal. */
mote_real tree_radius(const TreeCell *cell);

#endif

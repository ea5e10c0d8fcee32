/* A binary tree over points: cells of neighbouring points, each with its tight box. */
#ifndef SPACE_TREE_H
#define SPACE_TREE_H

#include <mote/tasks.h>

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
bool tree_build(Tree *tree, const mote_real *const x[3], size_t count, size_t leaf, Arena *arena,
                mote_Tasks *tasks);

/* The same points, sorted already, in cells of another `leaf`. */
bool tree_divide(Tree *tree, const Tree *sorted, size_t leaf, Arena *arena, mote_Tasks *tasks);

/* Half of a cell's diagonal. */
mote_real tree_radius(const TreeCell *cell);

/* What a group of points sees of a tree, from the root on: `visit` is called with each cell that is
 * far, and each leaf that is not; other cells are opened. A cell is far when diagonal < angle
 * distance, the distance being that of its centre from the nearest place of the group's box. */
typedef void TreeVisit(void *context, size_t cell, bool far);
void tree_walk(const Tree *tree, const TreeCell *group, mote_real angle, TreeVisit *visit,
               void *context);

#endif

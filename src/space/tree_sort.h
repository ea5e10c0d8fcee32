/* Points in the order of Morton's curve, for trees. */
#ifndef SPACE_TREE_SORT_H
#define SPACE_TREE_SORT_H

#include "space/tree.h"

/* The tree's order, keys and sorted places of `count` points. False when out of memory. */
bool tree_sort(Tree *tree, const mote_real *const x[3], Arena *arena, mote_Tasks *tasks);

#endif

/* The 256 cases of marching cubes, made by program.
 *
 * Corner c of a cell stands at x = c & 1, y = c >> 1 & 1, z = c >> 2; bit c of a case is set when
 * the corner is inside. Edge 4 a + j goes along axis a from the corner whose bits on the axes a + 1
 * and a + 2 (mod 3) are j & 1 and j >> 1. */
#ifndef SURFACE_CASES_H
#define SURFACE_CASES_H

#include <stdbool.h>
#include <stdint.h>

enum { CELL_EDGES = 12, CASE_TRIANGLES = 6 /* at most */ };

typedef struct CaseTable {
    uint8_t count[256];                      /* triangles */
    uint8_t corner[256][3 * CASE_TRIANGLES]; /* edges of the cell, counterclockwise from outside */
} CaseTable;

/* The corner where an edge begins: the lower one. */
static inline int case_edge_start(int edge)
{
    int axis = edge / 4, j = edge % 4;
    return (j & 1) << (axis + 1) % 3 | (j >> 1) << (axis + 2) % 3;
}

/* False when a case cannot be triangulated as it must be; a test says that all can. */
bool cases_make(CaseTable *table);

#endif

/* The table of marching cubes (Lorensen and Cline, SIGGRAPH 1987), by walking the faces.
 *
 * On each face every run of inside corners is cut off by a segment of its own, so an ambiguous face
 * separates its inside corners, and two cells agree on the face between them. Segments chain to
 * loops across the faces. A loop is triangulated without diagonals that lie in a face of the cell:
 * the neighbour could have the same edge, and four triangles would meet there. Among what is left
 * the shortest diagonals win. */
#include "surface/cases.h"

#include <limits.h>
#include <string.h>

/* ---- the cell ---- */

/* Corners of a face, counterclockwise seen from outside. */
static void face_corners(int face, int corner[4])
{
    int axis = face / 2, high = face % 2, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    int base = high << axis;
    const int around[4] = {0, u, u | v, v};
    for (int i = 0; i < 4; ++i) corner[i] = base | around[high ? i : 3 - i];
}

static int edge_between(int a, int b)
{
    int low = a < b ? a : b;
    for (int edge = 0; edge < CELL_EDGES; ++edge)
        if (case_edge_start(edge) == low && (a ^ b) == 1 << edge / 4) return edge;
    return -1;
}

/* Bits of the two faces that an edge belongs to. */
static int edge_faces(int edge)
{
    int axis = edge / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
    return 1 << (2 * u + edge % 2) | 1 << (2 * v + edge % 4 / 2);
}

/* Twice the middle of an edge. */
static void edge_middle(int edge, int middle[3])
{
    int start = case_edge_start(edge);
    for (int k = 0; k < 3; ++k) middle[k] = 2 * (start >> k & 1) + (edge / 4 == k);
}

/* Where the surface crosses face f (axis f / 2, on its low or high side) of a case: up to two
 * segments, each from segment[i][0] to segment[i][1], edges of the cell. Returns their number. */
static int case_face_segments(int number, int face, int segment[2][2])
{
    int corner[4], count = 0;
    face_corners(face, corner);
    for (int i = 0; i < 4; ++i) {
        int before = corner[(i + 3) % 4], here = corner[i];
        if ((number >> here & 1) == 0 || (number >> before & 1) == 1) continue;
        int last = i; /* of the run of inside corners that begins here */
        while (number >> corner[(last + 1) % 4] & 1) ++last;
        segment[count][0] = edge_between(before, here);
        segment[count][1] = edge_between(corner[last % 4], corner[(last + 1) % 4]);
        ++count;
    }
    return count;
}

/* ---- triangulation ---- */

typedef struct Loop {
    int edge[CELL_EDGES];
    int count;
    int cost[CELL_EDGES][CELL_EDGES]; /* of the part from i to j */
    int apex[CELL_EDGES][CELL_EDGES];
} Loop;

enum { IMPOSSIBLE = INT_MAX / 4 };

static int diagonal_cost(const Loop *loop, int i, int j)
{
    int a[3], b[3], cost = 0;
    if (j - i == 1 || (i == 0 && j == loop->count - 1)) return 0;
    if (edge_faces(loop->edge[i]) & edge_faces(loop->edge[j])) return IMPOSSIBLE;
    edge_middle(loop->edge[i], a), edge_middle(loop->edge[j], b);
    for (int k = 0; k < 3; ++k) cost += (a[k] - b[k]) * (a[k] - b[k]);
    return cost;
}

/* The cheapest triangulation of every part i ... j, by dynamic programming. */
static void weigh_parts(Loop *loop)
{
    for (int length = 1; length < loop->count; ++length)
        for (int i = 0; i + length < loop->count; ++i) {
            int j = i + length, best = length == 1 ? 0 : IMPOSSIBLE;
            for (int k = i + 1; k < j; ++k) {
                int cost = loop->cost[i][k] + loop->cost[k][j];
                if (cost < best) best = cost, loop->apex[i][j] = k;
            }
            int own = diagonal_cost(loop, i, j);
            loop->cost[i][j] = best + own < IMPOSSIBLE ? best + own : IMPOSSIBLE;
        }
}

static void add_triangles(const Loop *loop, int i, int j, CaseTable *table, int number)
{
    if (j - i < 2) return;
    int k = loop->apex[i][j];
    add_triangles(loop, i, k, table, number);
    uint8_t *corner = table->corner[number] + 3 * table->count[number]++;
    corner[0] = (uint8_t)loop->edge[i], corner[1] = (uint8_t)loop->edge[k];
    corner[2] = (uint8_t)loop->edge[j];
    add_triangles(loop, k, j, table, number);
}

/* ---- the table ---- */

/* Each cut edge is in two faces: it ends a segment in one and begins one in the other, so `next` is
 * a permutation of the cut edges, and its cycles are the loops. */
static void chain_segments(int number, int next[CELL_EDGES])
{
    for (int edge = 0; edge < CELL_EDGES; ++edge) next[edge] = -1;
    for (int face = 0; face < 6; ++face) {
        int segment[2][2], count = case_face_segments(number, face, segment);
        for (int i = 0; i < count; ++i) next[segment[i][0]] = segment[i][1];
    }
}

/* A loop of n edges takes n - 2 triangles. */
static bool make_case(CaseTable *table, int number)
{
    int next[CELL_EDGES];
    chain_segments(number, next);
    for (int first = 0; first < CELL_EDGES; ++first) {
        Loop loop = {.count = 0};
        for (int edge = first, after; next[edge] >= 0; edge = after) {
            loop.edge[loop.count++] = edge;
            after = next[edge], next[edge] = -1;
        }
        if (loop.count == 0) continue;
        weigh_parts(&loop);
        int last = loop.count - 1;
        if (last < 2 || loop.cost[0][last] >= IMPOSSIBLE ||
            table->count[number] + last - 1 > CASE_TRIANGLES)
            return false;
        add_triangles(&loop, 0, last, table, number);
    }
    return true;
}

bool cases_make(CaseTable *table)
{
    memset(table, 0, sizeof *table);
    for (int number = 0; number < 256; ++number)
        if (!make_case(table, number)) return false;
    return true;
}

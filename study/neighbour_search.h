/* Ways to find, for every particle, all others within its reach. */
#ifndef STUDY_NEIGHBOUR_SEARCH_H
#define STUDY_NEIGHBOUR_SEARCH_H

#include "base/memory.h"

/* Particles to search among, each with its own reach: neighbours of i are all j != i nearer to it
 * than reach[i]. */
typedef struct SearchPoints {
    mote_real *x[3], *reach; /* m */
    mote_real widest;        /* of all reaches */
    size_t count;
} SearchPoints;

/* What a search found. Sums of whole numbers: no order changes them, and a neighbour that is
 * missing, or one too many, does. */
typedef struct SearchSum {
    uint64_t neighbours; /* how many */
    uint64_t links;      /* of (i + 1) (j + 1) over all pairs, modulo 2^64 */
} SearchSum;

/* A way: what it makes first, in the arena (NULL: out of memory), and the search of all. */
typedef struct SearchRow {
    const char *name;
    void *(*build)(const SearchPoints *points, Arena *arena);
    SearchSum (*search)(const void *made, const SearchPoints *points);
} SearchRow;

extern const SearchRow search_pairs, search_cells, search_sorted, search_octree, search_kd;

/* ---- for the ways ---- */

typedef struct SearchQuery {
    mote_real x, y, z, reach2;
    size_t number;
} SearchQuery;

static inline SearchQuery search_query(const SearchPoints *p, size_t i)
{
    return (SearchQuery){p->x[0][i], p->x[1][i], p->x[2][i], p->reach[i] * p->reach[i], i};
}

static inline void search_meet(const SearchQuery *q, const mote_real at[3], size_t other,
                               SearchSum *sum)
{
    mote_real dx = at[0] - q->x, dy = at[1] - q->y, dz = at[2] - q->z;
    if (!(dx * dx + dy * dy + dz * dz < q->reach2) || other == q->number) return;
    sum->neighbours += 1;
    sum->links += (uint64_t)(q->number + 1) * (uint64_t)(other + 1);
}

/* Meets entries [begin, end) of sorted places. */
static inline void search_run(const SearchQuery *q, mote_real *const x[3], const uint32_t *order,
                              size_t begin, size_t end, SearchSum *sum)
{
    for (size_t k = begin; k < end; ++k)
        search_meet(q, (mote_real[3]){x[0][k], x[1][k], x[2][k]}, order[k], sum);
}

/* Particles in the order that a tree puts them in. */
typedef struct SearchOrder {
    mote_real *x[3];
    uint32_t *order; /* numbers of the particles */
} SearchOrder;

bool search_order_make(SearchOrder *order, const SearchPoints *points, Arena *arena);
void search_order_swap(SearchOrder *order, size_t a, size_t b);

/* A box or plane so far away has nothing in reach, whatever rounding has done to distances. */
static inline double search_limit(const SearchQuery *q)
{
    return (double)q->reach2 * (1 + 1e-5);
}

#endif

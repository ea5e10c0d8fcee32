/* Stand-in sources of a tree's cells: what a cell's vortons induce far away, from few sources. */
#ifndef SOLVERS_VORTEX_PROXIES_H
#define SOLVERS_VORTEX_PROXIES_H

#include "solvers/vortex/induce.h"
#include "space/tree.h"

enum { PROXY_ORDER_MOST = 8 };

/* Where a cell's stand-ins are: a product of points along each axis, z fastest. */
typedef struct ProxyLattice {
    int order; /* points an edge */
    mote_real point[3][PROXY_ORDER_MOST];
} ProxyLattice;

typedef struct ProxyKernels {
    /* Deals the strengths of sources out to a lattice's, one after another. */
    void (*deal)(const ProxyLattice *lattice, const Sources *sources, mote_real *const alpha[3]);
} ProxyKernels;
const ProxyKernels *proxy_kernels(Isa isa);

typedef struct Proxies {
    const Tree *tree;
    const ProxyKernels *kernels;
    Sources vortons;                 /* in the tree's order */
    int order;                       /* per edge */
    size_t per_cell;                 /* order^3 */
    mote_real *plane[SOURCE_PLANES]; /* per_cell for each cell */
} Proxies;

/* False when out of memory. */
bool proxies_build(Proxies *proxies, const Tree *tree, const InduceRequest *request);

/* Whether a cell has stand-ins: not where its own vortons are fewer. */
bool proxies_stand_for(const Proxies *proxies, const TreeCell *cell);

/* The sources that stand for a cell far away: its own vortons where they are fewer. */
Sources proxies_of(const Proxies *proxies, size_t cell);

#endif

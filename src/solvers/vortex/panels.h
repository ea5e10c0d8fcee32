/* Panels: the surface of a body as flat pieces, each a ring of circulation mu about its normal.
 *
 * A sheet of rings is a vortex sheet: closed, so that it makes no vorticity in sum, and of an
 * impulse rho sum mu A n. Nothing flows through the surface when at the middle of every panel
 *
 *     sum over j of n_i . u_ij mu_j = n_i . (U - u)_i
 *
 * u_ij being the flow of ring j there, U the body's velocity and u that of everything else (Katz
 * and Plotkin, Low-Speed Aerodynamics, 2001, ch. 12). The body is rigid: u_ij and the factors of
 * the matrix are made once, in its own frame. */
#ifndef SOLVERS_VORTEX_PANELS_H
#define SOLVERS_VORTEX_PANELS_H

#include "base/memory.h"
#include "geometry/posed.h"

enum { PANELS_MOST = 1500 };

typedef struct Panel {
    uint32_t corner[4]; /* counter-clockwise from outside; a triangle has its last one twice */
    D3 centre, normal;
    double area; /* m^2 */
} Panel;

/* A vortex line of circulation mu_left - mu_right. */
typedef struct PanelEdge {
    uint32_t from, to;    /* corners */
    uint32_t left, right; /* panels; PANEL_NONE: a rim, beyond which there is none */
} PanelEdge;

#define PANEL_NONE UINT32_MAX

/* In the frame of the shape. The surface of a body; of one that is thin, its middle: a plate or a
 * wing is then a lifting surface, with flow on both sides and rims (ch. 12). */
typedef struct Panels {
    bool open;    /* a middle, with rims */
    double thick; /* m: of the body on each side of it */
    D3 *corners;
    Panel *panels;
    PanelEdge *edges;
    size_t corner_count, count, edge_count;
    double volume, side; /* m^3 within; m, mean side of a panel */
    double *flow[3];     /* u_ij, count^2 each: x, y and z components */
    double *factors;     /* of n_i . u_ij: lower and upper triangle */
    uint32_t *pivots;
} Panels;

/* What there is of two sides: outside alone, or both. */
static inline int panels_sides(const Panels *p)
{
    return p->open ? 2 : 1;
}

/* Of a line, by the circulations of the panels beside it. */
static inline double edge_circulation(const PanelEdge *edge, const double *mu)
{
    return mu[edge->left] - (edge->right != PANEL_NONE ? mu[edge->right] : 0);
}

/* Whether flow leaves the surface there: a rim, or faces that meet at more than 60 degrees. A
 * cube's edges are sharp, those between the panels of a ball are not. */
static inline bool edge_is_sharp(const Panels *p, const PanelEdge *edge)
{
    return edge->right == PANEL_NONE ||
           d3_dot(p->panels[edge->left].normal, p->panels[edge->right].normal) < 0.5;
}

/* About `wanted` panels of a shape, or none of shapes without end, of several parts, and of meshes
 * that are open or have too many triangles. False when out of memory. */
bool panels_make(Panels *panels, const PosedShape *shape, size_t wanted, Memory *memory);
void panels_free(Panels *panels, Memory *memory);

/* ---- panel_solve.c ---- */

/* The flow of a straight vortex line of circulation 1 from a to b, at x (Biot and Savart). */
D3 vortex_line(D3 a, D3 b, D3 x);

/* Makes flow, factors and pivots. False when out of memory. */
bool panels_factor(Panels *panels, Memory *memory);
/* mu for those right sides, in place. */
void panels_solve(const Panels *panels, double *right);

#endif

/* The matrix of a body's panels, its factors, and solutions.
 *
 * LU by hand, row by row: some hundred unknowns, once for each body; a library's order of sums
 * would depend on its version. */
#include "solvers/vortex/panels.h"

/* u = (r1 x r2) (1/|r1| + 1/|r2|) / (4 pi (|r1| |r2| + r1 . r2)), r from the ends. The textbook's
 * r1 x r2 / |r1 x r2|^2 r0 . (r1 / |r1| - r2 / |r2|), r0 from a to b, is 0 / 0 on the line's own
 * continuation; this is the same and is not. */
D3 vortex_line(D3 a, D3 b, D3 x)
{
    D3 r1 = d3_sub(x, a), r2 = d3_sub(x, b);
    double l1 = d3_length(r1), l2 = d3_length(r2), product = l1 * l2;
    double below = product * (product + d3_dot(r1, r2));
    if (!(below > 1e-12 * product * product)) return d3(0, 0, 0); /* on the line */
    return d3_scale(d3_cross(r1, r2), (l1 + l2) / (12.566370614359172 * below));
}

static D3 ring_flow(const Panels *p, const Panel *panel, D3 x)
{
    D3 u = d3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        uint32_t a = panel->corner[k], b = panel->corner[(k + 1) % 4];
        if (a != b) u = d3_add(u, vortex_line(p->corners[a], p->corners[b], x));
    }
    return u;
}

/* Gaussian elimination with partial pivots, row by row. */
static void factor(double *a, uint32_t *pivots, size_t n)
{
    for (size_t k = 0; k < n; ++k) {
        size_t best = k;
        for (size_t i = k + 1; i < n; ++i)
            if (__builtin_fabs(a[i * n + k]) > __builtin_fabs(a[best * n + k])) best = i;
        pivots[k] = (uint32_t)best;
        for (size_t j = 0; j < n && best != k; ++j) {
            double swapped = a[k * n + j];
            a[k * n + j] = a[best * n + j], a[best * n + j] = swapped;
        }
        for (size_t i = k + 1; i < n; ++i) {
            double share = a[i * n + k] /= a[k * n + k];
            for (size_t j = k + 1; j < n; ++j) a[i * n + j] -= share * a[k * n + j];
        }
    }
}

/* Equal mu all over a closed surface make no flow, so its matrix alone has no inverse: their mean
 * by area is 0. Adding area / (area of all, times side) to every row does that: the matrix gets its
 * mean's own equation without losing a row. */
bool panels_factor(Panels *p, Memory *memory)
{
    size_t n = p->count, bytes = n * n * sizeof(double);
    double area = 0, closes = p->open ? 0 : 1;
    for (int c = 0; c < 3; ++c) p->flow[c] = memory_take(memory, bytes);
    p->factors = memory_take(memory, bytes);
    p->pivots = memory_take(memory, n * sizeof *p->pivots);
    if (p->flow[0] == NULL || p->flow[1] == NULL || p->flow[2] == NULL || p->factors == NULL ||
        p->pivots == NULL)
        return false;
    for (size_t j = 0; j < n; ++j) area += p->panels[j].area;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            D3 u = ring_flow(p, &p->panels[j], p->panels[i].centre);
            p->flow[0][i * n + j] = u.x, p->flow[1][i * n + j] = u.y, p->flow[2][i * n + j] = u.z;
            p->factors[i * n + j] =
                d3_dot(p->panels[i].normal, u) + closes * p->panels[j].area / (area * p->side);
        }
    factor(p->factors, p->pivots, n);
    return true;
}

void panels_solve(const Panels *p, double *right)
{
    size_t n = p->count;
    const double *a = p->factors;
    for (size_t k = 0; k < n; ++k) {
        double swapped = right[k];
        right[k] = right[p->pivots[k]], right[p->pivots[k]] = swapped;
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j) right[i] -= a[i * n + j] * right[j];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; ++j) right[i] -= a[i * n + j] * right[j];
        right[i] /= a[i * n + i];
    }
}

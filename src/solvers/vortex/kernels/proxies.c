/* Strengths that are dealt out to a cell's stand-ins (proxies.c): a source's share at each of them,
 * eight of a plane across x at a time. */
#include "solvers/vortex/proxies.h"

#include "base/lanes.h"

/* Lagrange polynomials of Chebyshev points of the second kind at x: weights 1/2, -1, 1, ..., 1/2.
 * L_k(x) = (w_k / (x - x_k)) / sum of the same over all k, the barycentric form of the second kind
 * (Berrut and Trefethen). At a point itself it is 0 / 0, and the answer is known. */
static void lagrange(const ProxyLattice *lattice, int axis, mote_real x, mote_real *value)
{
    const mote_real *point = lattice->point[axis];
    int order = lattice->order;
    mote_real sum = 0;
    for (int k = 0; k < order; ++k) {
        mote_real distance = x - point[k];
        if (!(REAL_ABS(distance) > 0)) {
            for (int m = 0; m < order; ++m) value[m] = m == k;
            return;
        }
        mote_real weight = (k == 0 || k == order - 1 ? (mote_real)0.5 : 1) / distance;
        value[k] = k % 2 == 0 ? weight : -weight;
        sum += value[k];
    }
    for (int k = 0; k < order; ++k) value[k] /= sum;
}

enum { PLANE_MOST = PROXY_ORDER_MOST * PROXY_ORDER_MOST };

/* A source's polynomials; those along y and z as they stand in a plane across x. */
typedef struct SourceShares {
    mote_real x[PROXY_ORDER_MOST], y[PLANE_MOST], z[PLANE_MOST];
} SourceShares;

static void find_shares(const ProxyLattice *lattice, int axis, mote_real x, SourceShares *shares)
{
    mote_real value[PROXY_ORDER_MOST];
    const int n = lattice->order;
    lagrange(lattice, axis, x, axis == 0 ? shares->x : value);
    for (int k = 0; k < n * n && axis == 1; ++k) shares->y[k] = value[k / n];
    for (int k = 0; k < n * n && axis == 2; ++k) shares->z[k] = value[k % n];
}

/* A strength, to a plane of `count`. */
EIGHT_INLINE void deal_plane(const SourceShares *shares, mote_real x, int count,
                             const mote_real strength[3], mote_real *const alpha[3])
{
    int k = 0;
    for (; k + 8 <= count; k += 8) {
        const Eight share = x * eight_load(shares->y + k) * eight_load(shares->z + k);
        for (int c = 0; c < 3; ++c)
            eight_store(alpha[c] + k, eight_load(alpha[c] + k) + share * strength[c]);
    }
    for (; k < count; ++k)
        for (int c = 0; c < 3; ++c) alpha[c][k] += x * shares->y[k] * shares->z[k] * strength[c];
}

/* Sources that are stand-ins themselves have few places along an axis: those of the one before are
 * mostly there already. */
static void deal(const ProxyLattice *lattice, const Sources *sources, mote_real *const alpha[3])
{
    const int n = lattice->order, plane = n * n;
    SourceShares shares;
    for (size_t j = 0; j < sources->count; ++j) {
        mote_real strength[3];
        for (int c = 0; c < 3; ++c) {
            const mote_real *x = sources->plane[SOURCE_X + c];
            if (j == 0 || !(x[j] == x[j - 1])) find_shares(lattice, c, x[j], &shares);
            strength[c] = sources->plane[SOURCE_ALPHA + c][j];
        }
        for (int a = 0; a < n; ++a) {
            mote_real *const to[3] = {alpha[0] + a * plane, alpha[1] + a * plane,
                                      alpha[2] + a * plane};
            deal_plane(&shares, shares.x[a], plane, strength, to);
        }
    }
}

const ProxyKernels ISA(vortex_proxy_kernels) = {.deal = deal};

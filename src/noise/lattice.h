/* Lattice noise: something at every corner of a cell, blended by a fade curve along one axis after
 * the other; value and analytic gradient in one pass.
 *
 * A Part is the noise blended along some axes. Joining two parts a, b along axis k with weight u =
 * fade(f_k) gives
 *     value = a + u (b - a),    slope_j = lerp(slope_j of a, of b, u) + [j = k] fade'(f_k) (b - a),
 * which is the chain rule, so that after the last axis the slopes are the gradient. Perlin, An
 * Image Synthesizer, 1985; Improving Noise, 2002.
 *
 * Corners are told apart by a hash of their 32-bit coordinates: every coordinate is mixed on its
 * own (product, seed, shift, product), the shares are joined by xor, and the top bits of one more
 * product are used. There is no table and no period of 256; gradients of neighbours, of corners 2^k
 * apart and of other seeds are independent as far as a chi-squared test of 10^5 pairs can tell.
 *
 * Bridson's slide in these words: grad n at grid point (i, j, k) is G_H(i,j,k), |G| = 1, n = 0
 * there, and in between a spline. H is the hash, G the table of eight axes and a sign. */
#ifndef NOISE_LATTICE_H
#define NOISE_LATTICE_H

#include "noise/lanes.h"
#include "noise/noise.h"

enum { LATTICE_AXES = 4 };

/* Constant where a kernel is made, so that the compiler leaves out what is not wanted. */
typedef struct LatticeKind {
    int dimensions; /* 3 or 4 */
    bool cubic;     /* fade 3 t^2 - 2 t^3 of 1985; otherwise 6 t^5 - 15 t^4 + 10 t^3 of 2002 */
    bool slopes;    /* the gradient is wanted */
    const LaneTable *axes; /* eight gradients, used in both directions; NULL: random values */
} LatticeKind;

typedef struct Cell {
    Lanes weight[LATTICE_AXES], slope[LATTICE_AXES]; /* fade and its derivative */
    Words near[LATTICE_AXES], far[LATTICE_AXES];     /* hash of the coordinates of its two ends */
} Cell;

typedef struct Corner {
    Words hash;
    Lanes offset[LATTICE_AXES]; /* of the point, from the corner */
} Corner;

typedef struct LatticePart {
    Lanes value, slope[LATTICE_AXES];
} LatticePart;

/* The quintic's second derivative is 0 at its ends too: the gradient is smooth across cell faces,
 * as curl noise needs. */
INLINE Lanes lattice_fade(Lanes t, bool cubic)
{
    return cubic ? t * t * (3 - 2 * t) : t * t * t * (t * (t * 6 - 15) + 10);
}

INLINE Lanes lattice_fade_slope(Lanes t, bool cubic)
{
    return cubic ? 6 * (t * (1 - t)) : 30 * (t * t * (t * (t - 2) + 1));
}

/* What stands at a corner: the slope along a random gradient, or a random value. */
INLINE LatticePart lattice_corner(LatticeKind kind, const Corner *corner)
{
    Words hash = lanes_times(corner->hash, 0x9e3779b1u), sign = hash & 0x80000000u;
    LatticePart part;
    if (kind.axes == NULL) {
        part.value = __builtin_convertvector((Ints)hash, Lanes) * (mote_real)0x1p-31;
        return part;
    }
    lanes_pick(kind.axes, hash >> 28, kind.dimensions, part.slope);
    for (int k = 0; k < kind.dimensions && kind.slopes; ++k)
        part.slope[k] = lanes_flip(part.slope[k], sign);
    part.value = part.slope[0] * corner->offset[0];
    for (int k = 1; k < kind.dimensions; ++k)
        part.value = part.value + part.slope[k] * corner->offset[k];
    if (!kind.slopes) part.value = lanes_flip(part.value, sign);
    return part;
}

INLINE LatticePart lattice_join(LatticeKind kind, const Cell *cell, int axis, const LatticePart *a,
                                const LatticePart *b)
{
    Lanes u = cell->weight[axis], rise = b->value - a->value;
    LatticePart part;
    part.value = a->value + u * rise;
    if (!kind.slopes) return part;
    for (int k = 0; k < kind.dimensions; ++k)
        if (kind.axes != NULL || k < axis) /* random values have no slope at the corners */
            part.slope[k] = a->slope[k] + u * (b->slope[k] - a->slope[k]);
    Lanes own = cell->slope[axis] * rise;
    part.slope[axis] = kind.axes != NULL ? part.slope[axis] + own : own;
    return part;
}

/* The part along the axes up to `axis`, from the corner's coordinates on the later ones. */
#define LATTICE_ALONG(axis, name, below)                                                           \
    INLINE LatticePart name(LatticeKind kind, const Cell *cell, const Corner *corner)              \
    {                                                                                              \
        Corner near = *corner, far = *corner;                                                      \
        near.hash = corner->hash ^ cell->near[axis];                                               \
        far.hash = corner->hash ^ cell->far[axis];                                                 \
        far.offset[axis] = corner->offset[axis] - 1;                                               \
        LatticePart a = below, b;                                                                  \
        near = far;                                                                                \
        b = below;                                                                                 \
        return lattice_join(kind, cell, axis, &a, &b);                                             \
    }
LATTICE_ALONG(0, lattice_along_x, lattice_corner(kind, &near))
LATTICE_ALONG(1, lattice_along_y, lattice_along_x(kind, cell, &near))
LATTICE_ALONG(2, lattice_along_z, lattice_along_y(kind, cell, &near))
LATTICE_ALONG(3, lattice_along_t, lattice_along_z(kind, cell, &near))

/* One coordinate's share of the hash, from its product with an odd number plus the seed. */
INLINE Words lattice_mix(Words product, int axis)
{
    static const uint32_t odd[LATTICE_AXES] = {0xc2b2ae35u, 0x27d4eb2fu, 0x165667b1u, 0x2c1b3c6du};
    return lanes_times(product ^ (product >> 15), odd[axis]);
}

INLINE LatticePart lattice_noise(LatticeKind kind, const Lanes *x, const NoiseSeed *seed)
{
    static const uint32_t odd[LATTICE_AXES] = {0x8da6b343u, 0xd8163841u, 0xcb1ab31fu, 0x9e3779b1u};
    Cell cell;
    Corner corner = {.hash = {0}};
    for (int k = 0; k < kind.dimensions; ++k) {
        Lanes whole = lanes_floor(x[k]), t = x[k] - whole;
        corner.offset[k] = t;
        cell.weight[k] = lattice_fade(t, kind.cubic);
        if (kind.slopes) cell.slope[k] = lattice_fade_slope(t, kind.cubic);
        Words product = lanes_times(lanes_words(whole), odd[k]) + seed->word[k];
        cell.near[k] = lattice_mix(product, k);
        cell.far[k] = lattice_mix(product + odd[k], k);
    }
    return kind.dimensions == 3 ? lattice_along_z(kind, &cell, &corner)
                                : lattice_along_t(kind, &cell, &corner);
}

/* ---- over planar arrays ---- */

typedef void LatticeKernel(const NoiseJob *job);

INLINE void lattice_point(LatticeKind kind, const NoiseJob *job, size_t i)
{
    Lanes x[LATTICE_AXES];
    for (int k = 0; k < kind.dimensions; ++k) x[k] = lanes_load(job->x[k] + i);
    LatticePart part = lattice_noise(kind, x, &job->seed);
    lanes_store(job->value + i, part.value);
    for (int k = 0; kind.slopes && k < kind.dimensions; ++k)
        lanes_store(job->gradient[k] + i, part.slope[k]);
}

/* The last points, through buffers with room for a whole vector, by the kernel itself: a second
 * copy of its code would only take compilers time. */
INLINE void lattice_rest(LatticeKind kind, LatticeKernel *kernel, const NoiseJob *job, size_t first)
{
    mote_real in[LATTICE_AXES][LANES] = {{0}}, out[1 + LATTICE_AXES][LANES];
    size_t count = job->count - first;
    NoiseJob rest = {.count = LANES, .seed = job->seed, .value = out[LATTICE_AXES]};
    for (int k = 0; k < kind.dimensions; ++k) {
        __builtin_memcpy(in[k], job->x[k] + first, count * sizeof(mote_real));
        rest.x[k] = in[k], rest.gradient[k] = out[k];
    }
    kernel(&rest);
    __builtin_memcpy(job->value + first, rest.value, count * sizeof(mote_real));
    for (int k = 0; kind.slopes && k < kind.dimensions; ++k)
        __builtin_memcpy(job->gradient[k] + first, out[k], count * sizeof(mote_real));
}

INLINE void lattice_run(LatticeKind kind, LatticeKernel *kernel, const NoiseJob *job)
{
    size_t i = 0;
    for (; i + LANES <= job->count; i += LANES) lattice_point(kind, job, i);
    if (i < job->count) lattice_rest(kind, kernel, job, i);
}

/* Defines the four kernels of a row: NAME_value3, NAME_gradient3, NAME_value4, NAME_gradient4. */
#define LATTICE_KERNEL(function, axes_, cubic_, dimensions_, slopes_)                              \
    static void function(const NoiseJob *job)                                                      \
    {                                                                                              \
        lattice_run((LatticeKind){dimensions_, cubic_, slopes_, axes_}, function, job);            \
    }
#define LATTICE_KERNELS(name, axes3, axes4, cubic)                                                 \
    LATTICE_KERNEL(name##_value3, axes3, cubic, 3, false)                                          \
    LATTICE_KERNEL(name##_gradient3, axes3, cubic, 3, true)                                        \
    LATTICE_KERNEL(name##_value4, axes4, cubic, 4, false)                                          \
    LATTICE_KERNEL(name##_gradient4, axes4, cubic, 4, true)
#define LATTICE_CALLBACKS(name)                                                                    \
    .value = {name##_value3, name##_value4}, .gradient = {name##_gradient3, name##_gradient4}

#endif

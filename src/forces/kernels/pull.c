/* Sums over what pulls, eight at a time: the order of additions is the same for every instruction
 * set. Sums of a few hundred are taken in mote_real, sums of those in double. */
#include "forces/pull.h"

#include "base/lanes.h"

/* Nearer than this nothing pulls: the cube of its root is still a number. */
#define LEAST_SQUARE ((mote_real)(sizeof(mote_real) == 4 ? 1e-24 : 1e-200))

/* From a point to eight pullers. */
typedef struct PullWay {
    Eight d[3], square, soft2; /* soft2: square + softening^2 */
    EightBits apart;           /* lanes that are not the point itself */
} PullWay;

EIGHT_INLINE PullWay way_to(const PullJob *job, const mote_real x[3], size_t j)
{
    PullWay way;
    for (int c = 0; c < 3; ++c) way.d[c] = eight_load(job->pullers.plane[PULL_X + c] + j) - x[c];
    way.square = way.d[0] * way.d[0] + way.d[1] * way.d[1] + way.d[2] * way.d[2];
    way.soft2 = way.square + job->softening2;
    way.apart = (EightBits)(way.soft2 > LEAST_SQUARE);
    return way;
}

EIGHT_INLINE void add_acceleration(const PullJob *job, const mote_real x[3], size_t j,
                                   Eight sum[PULL_OUT])
{
    PullWay way = way_to(job, x, j);
    Eight gm = eight_load(job->pullers.plane[PULL_GM] + j);
    Eight weight = eight_where(way.apart, gm / (way.soft2 * eight_sqrt(way.soft2)));
    for (int c = 0; c < 3; ++c) sum[c] += weight * way.d[c];
}

EIGHT_INLINE void add_potential(const PullJob *job, const mote_real x[3], size_t j,
                                Eight sum[PULL_OUT])
{
    PullWay way = way_to(job, x, j);
    Eight gm = eight_load(job->pullers.plane[PULL_GM] + j);
    EightBits other = way.apart & (EightBits)(way.square > 0);
    sum[0] += eight_where(other, gm / eight_sqrt(way.soft2));
}

/* ---- far cells ---- */

/* The way n = d / R to eight cells, R^2 = d^2 + softening^2, and what their second moments Q do
 * with it. Divided by R at once: its seventh power leaves the range of a float. */
typedef struct FarWay {
    Eight n[3], near, near2; /* near: 1 / R */
    Eight gm, qn[3], nqn, trace;
} FarWay;

EIGHT_INLINE FarWay far_way(const PullJob *job, const mote_real x[3], size_t j)
{
    const mote_real *const *plane = job->pullers.plane;
    PullWay way = way_to(job, x, j);
    FarWay far;
    Eight q[6];
    for (int k = 0; k < 6; ++k) q[k] = eight_load(plane[PULL_SECOND + k] + j);
    far.gm = eight_load(plane[PULL_GM] + j);
    far.near = 1 / eight_sqrt(way.soft2);
    far.near2 = far.near * far.near;
    for (int c = 0; c < 3; ++c) far.n[c] = way.d[c] * far.near;
    far.qn[0] = q[0] * far.n[0] + q[5] * far.n[1] + q[4] * far.n[2];
    far.qn[1] = q[5] * far.n[0] + q[1] * far.n[1] + q[3] * far.n[2];
    far.qn[2] = q[4] * far.n[0] + q[3] * far.n[1] + q[2] * far.n[2];
    far.nqn = far.n[0] * far.qn[0] + far.n[1] * far.qn[1] + far.n[2] * far.qn[2];
    far.trace = q[0] + q[1] + q[2];
    return far;
}

/* p = gm / R + (3 nQn - tr Q) / 2 R^3, and its slope. From Taylor's series of 1 / R about the
 * centre: p = sum gm (1 / R + (3 (n . d)^2 - d^2) / (2 R^3)), and Q = sum gm d d. */
EIGHT_INLINE void add_far_acceleration(const PullJob *job, const mote_real x[3], size_t j,
                                       Eight sum[PULL_OUT])
{
    FarWay far = far_way(job, x, j);
    Eight along = far.gm + far.near2 * ((mote_real)7.5 * far.nqn - (mote_real)1.5 * far.trace);
    Eight turned = 3 * far.near2;
    for (int c = 0; c < 3; ++c) sum[c] += far.near2 * (along * far.n[c] - turned * far.qn[c]);
}

EIGHT_INLINE void add_far_potential(const PullJob *job, const mote_real x[3], size_t j,
                                    Eight sum[PULL_OUT])
{
    FarWay far = far_way(job, x, j);
    Eight second = (mote_real)1.5 * far.nqn - (mote_real)0.5 * far.trace;
    sum[0] += far.near * (far.gm + far.near2 * second);
}

/* Defines a kernel that adds `planes` numbers a point by `add`. */
#define PULL_FUNCTION(name, planes, add)                                                           \
    static void name(const PullJob *job)                                                           \
    {                                                                                              \
        for (size_t i = 0; i < job->count; ++i) {                                                  \
            const mote_real x[3] = {job->x[0][i], job->x[1][i], job->x[2][i]};                     \
            Eight sum[PULL_OUT] = {{0}};                                                           \
            for (size_t j = 0; j < job->pullers.count; j += 8) add(job, x, j, sum);                \
            for (int p = 0; p < (planes); ++p) job->out[p][i] += (double)eight_sum(sum[p]);        \
        }                                                                                          \
    }

PULL_FUNCTION(accelerations, PULL_OUT, add_acceleration)
PULL_FUNCTION(potentials, 1, add_potential)
PULL_FUNCTION(far_accelerations, PULL_OUT, add_far_acceleration)
PULL_FUNCTION(far_potentials, 1, add_far_potential)

const PullKernels ISA(pull_sums) = {
    .masses = {accelerations, potentials},
    .cells = {far_accelerations, far_potentials},
};

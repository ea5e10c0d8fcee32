/* Sums over what pulls, eight at a time: the order of additions is the same for every instruction
 * set. Sums of a few hundred are taken in mote_real, sums of those in double. */
#include "forces/pull.h"

#include "space/eight.h"

/* Nearer than this nothing pulls: the cube of its root is still a number. */
#define LEAST_SQUARE ((mote_real)(sizeof(mote_real) == 4 ? 1e-24 : 1e-200))

/* From a point to eight pullers. */
typedef struct Way {
    Eight d[3], square, soft2; /* soft2: square + softening^2 */
    EightBits apart;           /* lanes that are not the point itself */
} Way;

EIGHT_INLINE Way way_to(const PullJob *job, const mote_real x[3], size_t j)
{
    Way way;
    for (int c = 0; c < 3; ++c) way.d[c] = eight_load(job->pullers.plane[PULL_X + c] + j) - x[c];
    way.square = way.d[0] * way.d[0] + way.d[1] * way.d[1] + way.d[2] * way.d[2];
    way.soft2 = way.square + job->softening2;
    way.apart = (EightBits)(way.soft2 > LEAST_SQUARE);
    return way;
}

EIGHT_INLINE void add_acceleration(const PullJob *job, const mote_real x[3], size_t j,
                                   Eight sum[PULL_OUT])
{
    Way way = way_to(job, x, j);
    Eight gm = eight_load(job->pullers.plane[PULL_GM] + j);
    Eight weight = eight_where(way.apart, gm / (way.soft2 * eight_sqrt(way.soft2)));
    for (int c = 0; c < 3; ++c) sum[c] += weight * way.d[c];
}

EIGHT_INLINE void add_potential(const PullJob *job, const mote_real x[3], size_t j,
                                Eight sum[PULL_OUT])
{
    Way way = way_to(job, x, j);
    Eight gm = eight_load(job->pullers.plane[PULL_GM] + j);
    EightBits other = way.apart & (EightBits)(way.square > 0);
    sum[0] += eight_where(other, gm / eight_sqrt(way.soft2));
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

const PullKernels ISA(pull_sums) = {
    .masses = {accelerations, potentials},
};

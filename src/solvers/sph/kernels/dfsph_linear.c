/* Operators that are right for linear flows. On disordered particles the sum of (u_i - u_j).g_ij is
 * not the divergence of a smooth flow, but off by as much as the particles are disordered, and
 * whoever takes that out of the velocities breaks the flow up into noise. With
 *     M_i = sum_j (x_j - x_i) (x) g_ij       the unit matrix on a lattice
 * and L_i its inverse,
 *     D_i(u) = sum_j (u_i - u_j).L_i g_ij + u_i.G_i
 *     a_i = -sum_j (q_i L_i + q_j L_j) g_ij - q_i G_i
 * D is exact for linear u, and a is -D transposed as ever: forces of pairs are opposite, and what
 * is taken out is orthogonal to what stays. L is a function of M, so that L M is symmetric and D of
 * a rotation 0: angular momentum is kept, too. The function is
 *     L = (M^3 + c) / (M^4 + c),
 * the inverse where c is small beside M^4, and 1 where there are few neighbours; near walls c grows
 * and L is 1, because the walls' share completes g and not L g.
 *
 * References: Randles and Libersky 1996, Bonet and Lok 1999 (corrected gradients). */
#include "solvers/sph/kernels/flow_lanes.h"

enum { XX, XY, XZ, YY, YZ, ZZ, PARTS };

/* ---- matrices ---- */

/* The product of two that commute. */
static FlowMatrix product(const FlowMatrix *a, const FlowMatrix *b)
{
    const mote_real *p = a->of, *q = b->of;
    return (FlowMatrix){{p[XX] * q[XX] + p[XY] * q[XY] + p[XZ] * q[XZ],
                         p[XX] * q[XY] + p[XY] * q[YY] + p[XZ] * q[YZ],
                         p[XX] * q[XZ] + p[XY] * q[YZ] + p[XZ] * q[ZZ],
                         p[XY] * q[XY] + p[YY] * q[YY] + p[YZ] * q[YZ],
                         p[XY] * q[XZ] + p[YY] * q[YZ] + p[YZ] * q[ZZ],
                         p[XZ] * q[XZ] + p[YZ] * q[YZ] + p[ZZ] * q[ZZ]}};
}

static FlowMatrix inverse(const FlowMatrix *a)
{
    const mote_real *p = a->of;
    FlowMatrix m = {{p[YY] * p[ZZ] - p[YZ] * p[YZ], p[XZ] * p[YZ] - p[XY] * p[ZZ],
                     p[XY] * p[YZ] - p[XZ] * p[YY], p[XX] * p[ZZ] - p[XZ] * p[XZ],
                     p[XY] * p[XZ] - p[XX] * p[YZ], p[XX] * p[YY] - p[XY] * p[XY]}};
    const mote_real scale = 1 / (p[XX] * m.of[XX] + p[XY] * m.of[XY] + p[XZ] * m.of[XZ]);
    for (int k = 0; k < PARTS; ++k) m.of[k] *= scale;
    return m;
}

static void add_to_diagonal(FlowMatrix *a, mote_real c)
{
    a->of[XX] += c, a->of[YY] += c, a->of[ZZ] += c;
}

/* (M^3 + c) / (M^4 + c). */
static FlowMatrix upright_of(const FlowMatrix *m, mote_real c)
{
    FlowMatrix square = product(m, m), above = product(&square, m), below = product(&above, m);
    add_to_diagonal(&above, c);
    add_to_diagonal(&below, c);
    below = inverse(&below);
    return product(&above, &below);
}

/* Trace of the product of two symmetric matrices. */
static mote_real trace_of_product(const FlowMatrix *a, const FlowMatrix *b)
{
    const mote_real *p = a->of, *q = b->of;
    return p[XX] * q[XX] + p[YY] * q[YY] + p[ZZ] * q[ZZ] +
           2 * (p[XY] * q[XY] + p[XZ] * q[XZ] + p[YZ] * q[YZ]);
}

static void times(const FlowMatrix *a, const mote_real v[3], mote_real out[3])
{
    const mote_real *p = a->of;
    out[0] = p[XX] * v[0] + p[XY] * v[1] + p[XZ] * v[2];
    out[1] = p[XY] * v[0] + p[YY] * v[1] + p[YZ] * v[2];
    out[2] = p[XZ] * v[0] + p[YZ] * v[1] + p[ZZ] * v[2];
}

/* ---- L and the stiffness ---- */

/* Sums over neighbours: M, and of g (x) g. */
typedef struct Moments {
    FlowMatrix first, squares;
} Moments;

EIGHT_INLINE void add_outer(Eight scale, const Eight d[3], Eight sum[PARTS])
{
    const Eight e[3] = {scale * d[0], scale * d[1], scale * d[2]};
    sum[XX] = sum[XX] + e[0] * d[0], sum[XY] = sum[XY] + e[0] * d[1];
    sum[XZ] = sum[XZ] + e[0] * d[2], sum[YY] = sum[YY] + e[1] * d[1];
    sum[YZ] = sum[YZ] + e[1] * d[2], sum[ZZ] = sum[ZZ] + e[2] * d[2];
}

EIGHT_INLINE Moments moments_of(const FlowInput *in, bool periodic, size_t i)
{
    const uint32_t *list = neighbours_of(in->lists, i);
    const size_t count = neighbours_padded(in->lists, i);
    const mote_real *slopes = in->slopes + (list - in->lists->index);
    Eight first[PARTS] = {{0}}, squares[PARTS] = {{0}};
    for (size_t k = 0; k < count; k += 8) {
        const Flows j = flows_load(in->flow, list + k);
        const Eight slope = eight_load(slopes + k);
        Eight d[3];
        differences(in->period, periodic, in->flow[i].x, j.x, d);
        add_outer(-slope, d, first);
        const Eight square = slope * slope;
        add_outer(in->traits != NULL ? lights_of(in, list + k) * square : square, d, squares);
    }
    Moments m = {{{0}}, {{0}}};
    for (int k = 0; k < PARTS; ++k)
        m.first.of[k] = eight_sum(first[k]), m.squares.of[k] = eight_sum(squares[k]);
    return m;
}

/* c: of M^4 by itself, and beside a wall. */
static const mote_real few = (mote_real)1e-3, walled = 10;

/* Diagonal of -D(a(q)): the square of sum L g + G, and the sum of squares of L g. */
static mote_real stiffness_of(const FlowInput *in, size_t i, const FlowMatrix *squares)
{
    const FlowMatrix *upright = &in->upright[i];
    const FlowMatrix twice = product(upright, upright);
    const mote_real uneven[3] = {in->uneven[0][i], in->uneven[1][i], in->uneven[2][i]};
    const mote_real light = light_of(in, i);
    mote_real own[3], sum = trace_of_product(&twice, squares);
    times(upright, uneven, own);
    for (int c = 0; c < 3; ++c) {
        own[c] += in->wall[c][i];
        sum += light * (own[c] * own[c]);
    }
    return sum;
}

static void prepare(const FlowInput *in, size_t begin, size_t end)
{
    const mote_real least = in->kernel.inverse * in->kernel.inverse * (mote_real)1e-6;
    for (size_t i = begin; i < end; ++i) {
        const Moments m = in->periodic ? moments_of(in, true, i) : moments_of(in, false, i);
        mote_real wall = 0;
        for (int c = 0; c < 3; ++c) wall += in->wall[c][i] * in->wall[c][i];
        in->upright[i] = upright_of(&m.first, few + walled * in->spacing * in->spacing * wall);
        in->stiffness[i] = stiffness_of(in, i, &m.squares);
        in->soft[i] = in->stiffness[i] > least ? 1 / (in->dt2 * in->stiffness[i]) : 0;
    }
}

/* ---- what pressures do ---- */

static void pack(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i)
        for (int k = 0; k < 8; ++k) in->pushes[i].of[k] = in->flow[i].q * in->upright[i].of[k];
}

/* Half of the matrices at[0 .. 7]. */
EIGHT_INLINE void halves_load(const FlowMatrix *of, const uint32_t *at, int half, Eight out[4])
{
    const int k = 4 * half;
    eight_turn(eight_fours(of[at[0]].of + k, of[at[4]].of + k),
               eight_fours(of[at[1]].of + k, of[at[5]].of + k),
               eight_fours(of[at[2]].of + k, of[at[6]].of + k),
               eight_fours(of[at[3]].of + k, of[at[7]].of + k), out);
}

/* (q_i L_i + q_j L_j) (x_i - x_j), of eight neighbours. */
EIGHT_INLINE void push_eight(const FlowInput *in, const FlowMatrix *own, const uint32_t *at,
                             const Eight d[3], Eight push[3])
{
    Eight b[8];
    halves_load(in->pushes, at, 0, b);
    halves_load(in->pushes, at, 1, b + 4);
    for (int k = 0; k < PARTS; ++k) b[k] = own->of[k] + b[k];
    push[0] = b[XX] * d[0] + b[XY] * d[1] + b[XZ] * d[2];
    push[1] = b[XY] * d[0] + b[YY] * d[1] + b[YZ] * d[2];
    push[2] = b[XZ] * d[0] + b[YZ] * d[1] + b[ZZ] * d[2];
}

EIGHT_INLINE Four pushed(const FlowInput *in, bool periodic, size_t i)
{
    const uint32_t *list = neighbours_of(in->lists, i);
    const size_t count = neighbours_padded(in->lists, i);
    const mote_real *slopes = in->slopes + (list - in->lists->index);
    Eight sum[4] = {{0}};
    for (size_t k = 0; k < count; k += 8) {
        const Flows j = flows_load(in->flow, list + k);
        const Eight slope = eight_load(slopes + k);
        Eight d[3], push[3];
        differences(in->period, periodic, in->flow[i].x, j.x, d);
        push_eight(in, &in->pushes[i], list + k, d, push);
        for (int c = 0; c < 3; ++c) sum[c] = sum[c] + slope * push[c];
    }
    return eight_sums(sum);
}

EIGHT_INLINE void accelerate_with(const FlowInput *in, bool periodic, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i += 8) {
        const EightPlaces p = eight_places(i, end);
        Four sums[8] = {{0}};
        for (size_t k = 0; k < p.count; ++k) sums[k] = pushed(in, periodic, i + k);
        accelerate_places(in, &p, sums);
    }
}

PERIODIC_OR_NOT(accelerate, FlowInput)

/* ---- what that compresses ---- */

EIGHT_INLINE mote_real closing(const FlowInput *in, bool periodic, size_t i)
{
    const uint32_t *list = neighbours_of(in->lists, i);
    const size_t count = neighbours_padded(in->lists, i);
    const mote_real *slopes = in->slopes + (list - in->lists->index);
    const mote_real *p = in->upright[i].of, *u = in->moves[i].u;
    Eight sum = {0};
    for (size_t k = 0; k < count; k += 8) {
        const Flows at = flows_load(in->flow, list + k);
        Eight d[3], j[4];
        moves_load(in->moves, list + k, j);
        differences(in->period, periodic, in->flow[i].x, at.x, d);
        Eight along = (u[0] - j[0]) * (p[XX] * d[0] + p[XY] * d[1] + p[XZ] * d[2]);
        along = along + (u[1] - j[1]) * (p[XY] * d[0] + p[YY] * d[1] + p[YZ] * d[2]);
        along = along + (u[2] - j[2]) * (p[XZ] * d[0] + p[YZ] * d[1] + p[ZZ] * d[2]);
        sum = sum + along * eight_load(slopes + k);
    }
    return eight_sum(sum);
}

static mote_real closing_at(const FlowInput *in, size_t i)
{
    return in->periodic ? closing(in, true, i) : closing(in, false, i);
}

static void rate(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) in->source[i] = closing_at(in, i);
}

static void compress(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const mote_real wall[3] = {in->wall[0][i], in->wall[1][i], in->wall[2][i]};
        in->excess[i] =
            in->source[i] + in->dt2 * (closing_at(in, i) + along_x(in->moves[i].u, wall));
    }
}

const FlowOperators ISA(flow_linear_table) = {prepare, pack, accelerate, rate, compress};

/* What every shape must obey, whatever its formulas: checks by sampling, against finite
 * differences, marching and rejection. */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include "geometry/sampled_shape.h"

/* MOTE_CASES multiplies the number of random cases: 100 for the long run. */
static inline int long_factor(void)
{
    const char *text = getenv("MOTE_CASES");
    int factor = text != NULL ? atoi(text) : 1;
    return factor > 0 ? factor : 1;
}

/* The normal is a unit vector and the gradient of the distance, where the gradient is continuous.
 */
static inline void check_gradient(const Sampled *s, uint64_t *state, int count)
{
    const Aabb b = sample_bounds(s, 1);
    const mote_real h = (mote_real)1e-3;
    int compared = 0;
    for (int i = 0; i < count; ++i) {
        mote_Vec3 p = random_in(state, &b), e = random_direction(state), n = normal_at(s, p);
        mote_Vec3 ahead = vec3_madd(p, h, e), back = vec3_madd(p, -h, e);
        CHECK_AT(fabs((double)vec3_length(n) - 1) < FINE, s, p);
        mote_Vec3 bend = vec3_sub(normal_at(s, ahead), normal_at(s, back));
        if (!(vec3_length(bend) < (mote_real)0.02)) continue;
        double slope = (distance_at(s, ahead) - distance_at(s, back)) / (2 * (double)h);
        CHECK_AT(fabs(slope - (double)vec3_dot(n, e)) < 0.01, s, p);
        ++compared;
    }
    CHECK(compared > count / 2);
}

/* The way back along the normal, as far as the distance says, leads to the surface; distances never
 * grow faster than the way. */
static inline void check_nearest(const Sampled *s, uint64_t *state, int count)
{
    const Aabb b = sample_bounds(s, 1);
    for (int i = 0; i < count; ++i) {
        mote_Vec3 p = random_in(state, &b), n = vector_at(s, s->row->normal, p);
        mote_Vec3 other = random_in(state, &b);
        double d = distance_at(s, p), apart = (double)vec3_length(vec3_sub(p, other));
        CHECK_AT(fabs(distance_at(s, vec3_madd(p, (mote_real)-d, n))) < 10 * FINE, s, p);
        CHECK_AT(fabs(d - distance_at(s, other)) < apart + 10 * FINE, s, p);
    }
}

/* Outside the bounds the distance is at least that of the bounds; `near` agrees with `distance`. */
static inline void check_bounds(const Sampled *s, uint64_t *state, int count)
{
    const Aabb own = s->row->bounds(s->params), b = sample_bounds(s, 1);
    for (int i = 0; i < count; ++i) {
        mote_Vec3 p = random_in(state, &b);
        mote_real x[3] = {p.x, p.y, p.z};
        mote_real *planes[3] = {&x[0], &x[1], &x[2]};
        double d = distance_at(s, p), outside = sqrt((double)aabb_distance2(&own, p));
        CHECK_AT(!(outside > 0) || d >= outside - 10 * FINE, s, p);
        CHECK_AT(s->row->near(s->params, 1, planes, (mote_real)(d + 10 * FINE)), s, p);
        CHECK_AT(!s->row->near(s->params, 1, planes, (mote_real)(d - 10 * FINE)), s, p);
    }
}

/* First t with distance <= radius by marching and bisection; above 1: none. */
static inline double march(const Sampled *s, const ShapeCast *cast)
{
    const int steps = 400;
    double low = 0, high = 2;
    for (int i = 1; i <= steps && high > 1; ++i) {
        double t = (double)i / steps;
        mote_Vec3 p = vec3_madd(cast->from, (mote_real)t, cast->along);
        if (distance_at(s, p) < (double)cast->radius)
            high = t;
        else
            low = t;
    }
    for (int i = 0; i < 50 && high <= 1; ++i) {
        double t = (low + high) / 2;
        mote_Vec3 p = vec3_madd(cast->from, (mote_real)t, cast->along);
        if (distance_at(s, p) < (double)cast->radius)
            high = t;
        else
            low = t;
    }
    return high;
}

static inline void check_hit(const Sampled *s, const ShapeCast *cast, const ShapeHit *hit, double t)
{
    mote_Vec3 centre = vec3_madd(cast->from, hit->time, cast->along);
    double gap = distance_at(s, centre) - (double)cast->radius;
    CHECK_AT(fabs(gap) < 10 * FINE, s, cast->from); /* the residual */
    CHECK_AT((double)hit->time <= t + 1e-3, s, cast->from);
    CHECK_AT(fabs(distance_at(s, hit->point)) < 10 * FINE, s, cast->from);
    CHECK_AT(!hit->overlaps, s, cast->from);
    if (cast->radius > (mote_real)0.01) {
        mote_Vec3 n = vec3_scale(vec3_sub(centre, hit->point), 1 / cast->radius);
        CHECK_AT((double)vec3_dot(n, hit->normal) > 0.999, s, cast->from);
    }
}

/* Casts from outside find the first touch, and only real ones. */
static inline void check_casts(const Sampled *s, uint64_t *state, int count)
{
    const Aabb b = sample_bounds(s, 1);
    int hits = 0, misses = 0;
    for (int i = 0; i < count; ++i) {
        mote_Vec3 from = random_in(state, &b), to = random_in(state, &b);
        ShapeCast cast = {from, vec3_sub(to, from),
                          (mote_real)(i % 3 == 0 ? 0 : setup_uniform(state, 0, 0.4))};
        ShapeHit hit;
        if (distance_at(s, from) < (double)cast.radius + 0.01) continue;
        double t = march(s, &cast);
        bool found = s->row->cast(s->params, &cast, &hit);
        hits += found, misses += !found;
        CHECK_AT(found || t > 1, s, from);
        if (found) check_hit(s, &cast, &hit, t);
    }
    CHECK(hits > count / 60 && misses > count / 60);
}

/* Ways that are ruled out are really free, and distant ones are ruled out. */
static inline void check_ruled_out(const Sampled *s, uint64_t *state, int count)
{
    const Aabb b = sample_bounds(s, 1);
    int out = 0, touching = 0;
    for (int i = 0; i < count && s->row->rule_out != NULL; ++i) {
        mote_Vec3 from = random_in(state, &b), to = random_in(state, &b);
        if (i % 2 == 0) to = vec3_madd(from, (mote_real)0.1, vec3_sub(to, from));
        ShapeCast cast = {from, vec3_sub(to, from), (mote_real)(i % 3 == 0 ? 0 : 0.1)};
        mote_real *x[3] = {&from.x, &from.y, &from.z}, *y[3] = {&to.x, &to.y, &to.z};
        const ShapeWays ways = {1, x, y, cast.radius};
        uint8_t flag = 1;
        s->row->rule_out(s->params, &ways, &flag);
        bool touches = distance_at(s, from) < (double)cast.radius || march(s, &cast) <= 1;
        CHECK_AT(flag == 1 || !touches, s, from);
        out += flag == 0, touching += touches;
    }
    CHECK(s->row->rule_out == NULL || out > (count - touching) / 4);
}

/* Distance and normal at once are the same as one by one. */
static inline void check_both(const Sampled *s, uint64_t *state, int count)
{
    const Aabb b = sample_bounds(s, 1);
    for (int i = 0; i < count; ++i) {
        mote_Vec3 p = random_in(state, &b), n, one = normal_at(s, p);
        mote_real *x[3] = {&p.x, &p.y, &p.z}, *out[3] = {&n.x, &n.y, &n.z}, d;
        s->row->at(s->params, 1, x, &d, out);
        CHECK_AT((double)d == distance_at(s, p), s, p);
        CHECK_AT(n.x == one.x && n.y == one.y && n.z == one.z, s, p);
    }
}

/* Casts that begin inside say so. */
static inline void check_overlaps(const Sampled *s, uint64_t *state, int count)
{
    const Aabb b = sample_bounds(s, 0.3);
    for (int i = 0; i < count; ++i) {
        mote_Vec3 from = random_in(state, &b);
        double d = distance_at(s, from);
        ShapeCast cast = {from, random_direction(state), (mote_real)(d + 0.1)};
        ShapeHit hit;
        if (!(d > -0.1)) continue;
        CHECK_AT(s->row->cast(s->params, &cast, &hit) && hit.overlaps && hit.time == 0, s, from);
    }
}

/* ---- sampling and measures ---- */

enum { BINS = 8 };

/* Which octant about the bounds' centre, shifted so that symmetric shapes do not hide errors. */
static inline int octant(const Aabb *b, mote_Vec3 p)
{
    mote_Vec3 c = vec3_add(aabb_centre(b), vec3_scale(vec3_sub(b->high, b->low), (mote_real)0.07));
    return (p.x > c.x) + 2 * (p.y > c.y) + 4 * (p.z > c.z);
}

/* Chi square of two histograms of the same distribution, 7 degrees of freedom: above 40 once in a
 * million. */
static inline double chi_square(const double *a, const double *b)
{
    double sum_a = 0, sum_b = 0, chi = 0;
    for (int i = 0; i < BINS; ++i) sum_a += a[i], sum_b += b[i];
    for (int i = 0; i < BINS; ++i) {
        if (a[i] + b[i] == 0) continue;
        double d = a[i] * sqrt(sum_b / sum_a) - b[i] * sqrt(sum_a / sum_b);
        chi += d * d / (a[i] + b[i]);
    }
    return chi;
}

/* Counts of uniform points with |distance| < shell (or distance < 0), by octant; and how many were
 * tried per volume. */
static inline double reject(const Sampled *s, uint64_t *state, int count, double shell,
                            double bins[BINS])
{
    const Aabb own = s->row->bounds(s->params), b = aabb_grown(&own, (mote_real)shell);
    mote_Vec3 size = vec3_sub(b.high, b.low);
    for (int i = 0; i < count; ++i) {
        mote_Vec3 p = random_in(state, &b);
        double d = distance_at(s, p);
        if (shell > 0 ? fabs(d) < shell : d < 0) bins[octant(&own, p)] += 1;
    }
    return (double)size.x * (double)size.y * (double)size.z / count;
}

static inline double total(const double bins[BINS])
{
    double sum = 0;
    for (int i = 0; i < BINS; ++i) sum += bins[i];
    return sum;
}

static inline void check_sampling(const Sampled *s, uint64_t *state, int count)
{
    const Aabb own = s->row->bounds(s->params);
    if (s->row->surface == NULL || !aabb_is_finite(&own)) return;
    double on[BINS] = {0}, in[BINS] = {0}, shell[BINS] = {0}, solid[BINS] = {0};
    const double thin = 0.01;
    for (int i = 0; i < count; ++i) {
        ShapeRandom random = {random_key(7, s->what), (uint64_t)i, 3, 11};
        ShapePoint a, b;
        CHECK(s->row->surface(s->params, &random, &a) && s->row->volume(s->params, &random, &b));
        CHECK_AT(fabs(distance_at(s, a.position)) < 10 * FINE, s, a.position);
        CHECK_AT(distance_at(s, b.position) < 10 * FINE, s, b.position);
        CHECK_AT(fabs((double)vec3_length(a.normal) - 1) < 10 * FINE, s, a.position);
        mote_Vec3 out = vec3_madd(a.position, (mote_real)1e-3, a.normal);
        CHECK_AT(distance_at(s, out) > 0.9e-3, s, a.position);
        on[octant(&own, a.position)] += 1, in[octant(&own, b.position)] += 1;
    }
    double per = reject(s, state, 40 * count, thin, shell);
    double per_solid = reject(s, state, 4 * count, 0, solid);
    ShapeMeasure m;
    s->row->measure(s->params, &m);
    double area = total(shell) * per / (2 * thin), volume = total(solid) * per_solid;
    CHECK(chi_square(on, shell) < 60); /* shells are a little thicker at edges */
    CHECK(chi_square(in, solid) < 40);
    CHECK_NEAR(area / m.area, 1, 0.03 + 5 / sqrt(total(shell)));
    CHECK_NEAR(volume / m.volume, 1, 5 / sqrt(total(solid)));
}

/* Centre and inertia against sums over uniform points of the volume. */
static inline void check_measure(const Sampled *s, int count)
{
    const Aabb own = s->row->bounds(s->params);
    if (s->row->measure == NULL || !aabb_is_finite(&own)) return;
    ShapeMeasure m;
    double mean[3] = {0}, second[3][3] = {{0}};
    s->row->measure(s->params, &m);
    for (int i = 0; i < count; ++i) {
        ShapeRandom random = {random_key(8, s->what), (uint64_t)i, 0, 0};
        ShapePoint p;
        if (!s->row->volume(s->params, &random, &p)) continue;
        const double x[3] = {(double)p.position.x - m.centre[0], (double)p.position.y - m.centre[1],
                             (double)p.position.z - m.centre[2]};
        for (int a = 0; a < 3; ++a) {
            mean[a] += x[a] / count;
            for (int b = 0; b < 3; ++b) second[a][b] += x[a] * x[b] / count;
        }
    }
    double trace = second[0][0] + second[1][1] + second[2][2];
    for (int a = 0; a < 3; ++a) {
        CHECK_NEAR(mean[a], 0, 6 * sqrt(trace / count));
        for (int b = 0; b < 3; ++b) {
            double inertia = ((a == b ? trace : 0) - second[a][b]) * m.volume;
            CHECK_NEAR(inertia, m.inertia[a][b], 12 * trace * m.volume / sqrt(count));
        }
    }
}

static inline void check_shape(const Sampled *s, uint64_t seed)
{
    uint64_t state = seed;
    const int times = long_factor();
    int before = check_failures;
    check_gradient(s, &state, 1000 * times);
    check_nearest(s, &state, 1000 * times);
    check_bounds(s, &state, 1000 * times);
    check_casts(s, &state, 300 * times);
    check_ruled_out(s, &state, 300 * times);
    check_both(s, &state, 100 * times);
    check_overlaps(s, &state, 100 * times);
    check_sampling(s, &state, 2000);
    check_measure(s, 4000);
    if (check_failures > before) fprintf(stderr, "    in shape %s\n", s->what);
}

#endif

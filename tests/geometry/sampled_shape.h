/* Shapes for tests: a row with parameters, single-point queries, and a random generator. */
#ifndef TESTS_SAMPLED_SHAPE_H
#define TESTS_SAMPLED_SHAPE_H

#include "base/row.h"
#include "geometry/shape.h"
#include "setup.h"

/* Precision of one query at coordinates of about 1. */
#ifdef MOTE_DOUBLE
#define FINE 1e-13
#else
#define FINE 1e-5
#endif

typedef struct Sampled {
    const ShapeRow *row;
    const void *params;
    const char *what;
    const Aabb *region; /* where to look; NULL: the bounds */
} Sampled;

static inline double distance_at(const Sampled *s, mote_Vec3 p)
{
    mote_real x[3] = {p.x, p.y, p.z}, d;
    mote_real *planes[3] = {&x[0], &x[1], &x[2]};
    s->row->distance(s->params, 1, planes, &d);
    return (double)d;
}

typedef void VectorQuery(const void *params, size_t count, mote_real *const x[3],
                         mote_real *const out[3]);

static inline mote_Vec3 vector_at(const Sampled *s, VectorQuery *query, mote_Vec3 p)
{
    mote_real x[3] = {p.x, p.y, p.z}, n[3];
    mote_real *planes[3] = {&x[0], &x[1], &x[2]}, *out[3] = {&n[0], &n[1], &n[2]};
    query(s->params, 1, planes, out);
    return vec3(n[0], n[1], n[2]);
}

static inline mote_Vec3 normal_at(const Sampled *s, mote_Vec3 p)
{
    return vector_at(s, s->row->normal, p);
}

/* Bounds that a sampler can work in: the shape's, cut to a few metres. */
static inline Aabb sample_bounds(const Sampled *s, double margin)
{
    if (s->region != NULL) return *s->region;
    Aabb b = s->row->bounds(s->params);
    const mote_real most = 3;
    b.low = vec3_max(b.low, vec3(-most, -most, -most));
    b.high = vec3_min(b.high, vec3(most, most, most));
    return aabb_grown(&b, (mote_real)margin);
}

static inline mote_Vec3 random_in(uint64_t *state, const Aabb *b)
{
    return setup_vec(setup_uniform(state, (double)b->low.x, (double)b->high.x),
                     setup_uniform(state, (double)b->low.y, (double)b->high.y),
                     setup_uniform(state, (double)b->low.z, (double)b->high.z));
}

static inline mote_Vec3 random_direction(uint64_t *state)
{
    const Aabb cube = {{-1, -1, -1}, {1, 1, 1}};
    for (;;) {
        mote_Vec3 p = random_in(state, &cube);
        mote_real d = vec3_length(p);
        if (d <= 1 && d > (mote_real)0.1) return vec3_scale(p, 1 / d);
    }
}

static inline void report_shape(const Sampled *s, mote_Vec3 p)
{
    fprintf(stderr, "    shape %s at (%.9g, %.9g, %.9g)\n", s->what, (double)p.x, (double)p.y,
            (double)p.z);
}

#define CHECK_AT(condition, shape, point)                                                          \
    do {                                                                                           \
        int before_ = check_failures;                                                              \
        CHECK(condition);                                                                          \
        if (check_failures > before_) report_shape(shape, point);                                  \
    } while (0)

#endif

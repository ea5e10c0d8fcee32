/* Distance of two convex sets by the algorithm of Gilbert, Johnson and Keerthi (1988): a simplex of
 * up to four points of the Minkowski difference A - B walks towards the origin. The point of the
 * simplex nearest to the origin is found by Voronoi regions (Ericson, Real-Time Collision
 * Detection, 2005, chapter 5). */
#include "bodies/gjk.h"

#include <math.h>

typedef struct Vertex {
    D3 w, a, b; /* w = a - b */
} Vertex;

typedef struct Simplex {
    Vertex v[4];
    double weight[4]; /* of the point nearest to the origin */
    int count;
} Simplex;

enum { MOST_STEPS = 64 };

static Vertex support_of(const Placed *a, const Placed *b, D3 direction)
{
    Vertex v = {.a = placed_support(a, direction), .b = placed_support(b, d3_scale(direction, -1))};
    v.w = d3_sub(v.a, v.b);
    return v;
}

static Simplex keep1(const Simplex *s, int i)
{
    return (Simplex){{s->v[i]}, {1}, 1};
}

static Simplex keep2(const Simplex *s, int i, int j, double t)
{
    return (Simplex){{s->v[i], s->v[j]}, {1 - t, t}, 2};
}

static Simplex on_segment(const Simplex *s, int i, int j)
{
    D3 p = s->v[i].w, d = d3_sub(s->v[j].w, p);
    double t = -d3_dot(p, d), length2 = d3_dot(d, d);
    if (!(t > 0)) return keep1(s, i);
    if (t >= length2) return keep1(s, j);
    return keep2(s, i, j, t / length2);
}

static Simplex on_triangle(const Simplex *s, int i, int j, int k)
{
    const D3 a = s->v[i].w, b = s->v[j].w, c = s->v[k].w;
    const D3 ab = d3_sub(b, a), ac = d3_sub(c, a);
    double d1 = -d3_dot(ab, a), d2 = -d3_dot(ac, a);
    double d3_ = -d3_dot(ab, b), d4 = -d3_dot(ac, b);
    double d5 = -d3_dot(ab, c), d6 = -d3_dot(ac, c);
    if (d1 <= 0 && d2 <= 0) return keep1(s, i);
    if (d3_ >= 0 && d4 <= d3_) return keep1(s, j);
    double vc = d1 * d4 - d3_ * d2;
    if (vc <= 0 && d1 >= 0 && d3_ <= 0) return keep2(s, i, j, d1 / (d1 - d3_));
    if (d6 >= 0 && d5 <= d6) return keep1(s, k);
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return keep2(s, i, k, d2 / (d2 - d6));
    double va = d3_ * d6 - d5 * d4;
    if (va <= 0 && d4 - d3_ >= 0 && d5 - d6 >= 0)
        return keep2(s, j, k, (d4 - d3_) / ((d4 - d3_) + (d5 - d6)));
    double sum = va + vb + vc;
    if (!(sum > 0)) return on_segment(s, i, j); /* no area */
    return (Simplex){{s->v[i], s->v[j], s->v[k]}, {va / sum, vb / sum, vc / sum}, 3};
}

static D3 nearest_of(const Simplex *s)
{
    D3 p = d3(0, 0, 0);
    for (int i = 0; i < s->count; ++i) p = d3_madd(p, s->weight[i], s->v[i].w);
    return p;
}

/* The origin lies beyond face (i, j, k), seen from corner l. */
static bool is_beyond(const Simplex *s, int i, int j, int k, int l)
{
    D3 n = d3_cross(d3_sub(s->v[j].w, s->v[i].w), d3_sub(s->v[k].w, s->v[i].w));
    double origin = -d3_dot(n, s->v[i].w), corner = d3_dot(n, d3_sub(s->v[l].w, s->v[i].w));
    return origin * corner <= 0; /* without volume, all faces count */
}

/* Count 4 in the result: the origin is inside. */
static Simplex on_tetrahedron(const Simplex *s)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    Simplex best = *s;
    double least = HUGE_VAL;
    for (int f = 0; f < 4; ++f) {
        const int *c = faces[f];
        if (!is_beyond(s, c[0], c[1], c[2], c[3])) continue;
        Simplex one = on_triangle(s, c[0], c[1], c[2]);
        D3 p = nearest_of(&one);
        if (d3_dot(p, p) < least) least = d3_dot(p, p), best = one;
    }
    return best;
}

static Simplex reduce(const Simplex *s)
{
    if (s->count == 1) return keep1(s, 0);
    if (s->count == 2) return on_segment(s, 0, 1);
    if (s->count == 3) return on_triangle(s, 0, 1, 2);
    return on_tetrahedron(s);
}

static bool holds(const Simplex *s, D3 w)
{
    for (int i = 0; i < s->count; ++i) {
        D3 v = s->v[i].w;
        if (v.x == w.x && v.y == w.y && v.z == w.z) return true;
    }
    return false;
}

static void set_gap(const Simplex *s, D3 nearest, Gap *gap)
{
    gap->a = gap->b = d3(0, 0, 0);
    for (int i = 0; i < s->count; ++i) {
        gap->a = d3_madd(gap->a, s->weight[i], s->v[i].a);
        gap->b = d3_madd(gap->b, s->weight[i], s->v[i].b);
    }
    gap->distance = d3_length(nearest);
    gap->normal = d3_scale(nearest, -1 / gap->distance);
}

static double size_of(const Placed *a, const Placed *b)
{
    return d3_length(a->piece->extent) + d3_length(b->piece->extent) +
           d3_length(d3_sub(a->pose.position, b->pose.position));
}

/* Stops when the support shows that the origin cannot be nearer than the simplex by more than
 * 1e-12. */
bool gjk_distance(const Placed *a, const Placed *b, Gap *gap)
{
    D3 nearest = d3_sub(a->pose.position, b->pose.position);
    if (d3_dot(nearest, nearest) == 0) nearest = d3(1, 0, 0);
    Simplex s = {.v = {support_of(a, b, d3_scale(nearest, -1))}, .weight = {1}, .count = 1};
    const double size = size_of(a, b), close = 1e-12 * size;
    nearest = s.v[0].w;
    for (int step = 0; step < MOST_STEPS; ++step) {
        double length2 = d3_dot(nearest, nearest);
        if (!(length2 > close * close)) return false;
        Vertex v = support_of(a, b, d3_scale(nearest, -1));
        bool done = length2 - d3_dot(nearest, v.w) <= 1e-12 * length2 + 1e-15 * size * size;
        if (done || holds(&s, v.w)) break;
        Simplex before = s;
        s.v[s.count++] = v;
        s = reduce(&s);
        if (s.count == 4) return false;
        D3 next = nearest_of(&s);
        if (d3_dot(next, next) >= length2) { /* rounding: no way nearer */
            s = before;
            break;
        }
        nearest = next;
    }
    set_gap(&s, nearest, gap);
    return true;
}

/* How deep two convex cores overlap, and along which direction.
 *
 * The depth along a unit direction n is s(n) = n . (support_B(-n) - support_A(n)); the penetration
 * is where s is largest. Any direction is on the safe side, so the best of several candidates is
 * taken: the face normals of both (exact for a face on anything), and, for overlaps that are deeper
 * than a resting contact, what the expanding polytope algorithm (van den Bergen 2001) of libccd
 * finds, which knows edge on edge. libccd alone will not do: on two boxes that lie face to face it
 * returns no direction in 3 % of all cases and a wrong one in 0.5 %. */
#include "bodies/gjk.h"

#include <math.h>

#if MOTE_WITH_CCD
#include <ccd/ccd.h>
#endif

enum { MOST_FACES = 256 }; /* of a core, beyond which faces are not tried */

static double separation_along(const Placed *a, const Placed *b, D3 n)
{
    D3 p = placed_support(a, n), q = placed_support(b, d3_scale(n, -1));
    return d3_dot(n, d3_sub(q, p));
}

static void try_direction(const Placed *a, const Placed *b, D3 n, double favour, Gap *best)
{
    double s = separation_along(a, b, n);
    if (s > best->distance + favour) best->distance = s, best->normal = n;
}

/* Of faces that are as good, the first stays, up to this share of the size: normals do not jump. */
#define FACE_FAVOUR 1e-6

static void try_faces(const Placed *a, const Placed *b, double favour, Gap *best)
{
    const mote_Mesh *meshes[2] = {a->piece->mesh, b->piece->mesh};
    D3 n, towards = d3_sub(b->pose.position, a->pose.position);
    bool few[2];
    for (int k = 0; k < 2; ++k) few[k] = meshes[k] == NULL || meshes[k]->plane_count <= MOST_FACES;
    for (size_t i = 0; few[0] && placed_normal(a, i, &n); ++i) try_direction(a, b, n, favour, best);
    for (size_t i = 0; few[1] && placed_normal(b, i, &n); ++i)
        try_direction(a, b, d3_scale(n, -1), favour, best);
    if (best->distance == -HUGE_VAL)
        try_direction(a, b, d3_unit(towards, d3(0, 1, 0)), favour, best);
}

#if MOTE_WITH_CCD

static void ccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    const double *d = direction->v;
    D3 p = placed_support(object, d3(d[0], d[1], d[2]));
    ccdVec3Set(out, p.x, p.y, p.z);
}

static bool is_round(const Placed *p)
{
    return p->piece->mesh == NULL && p->piece->half.x == p->piece->half.z;
}

/* A point has no volume to expand. */
static bool is_point(const Placed *p)
{
    return p->piece->mesh == NULL && d3_length(p->piece->half) == 0;
}

static void try_expanding(const Placed *a, const Placed *b, double size, Gap *best)
{
    ccd_t ccd;
    ccd_real_t depth;
    ccd_vec3_t direction, place;
    if (is_point(a) || is_point(b)) return;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.max_iterations = 100;
    ccd.epa_tolerance = size * (is_round(a) || is_round(b) ? 1e-4 : 1e-7);
    if (ccdGJKPenetration(a, b, &ccd, &depth, &direction, &place) != 0) return;
    D3 n = d3(direction.v[0], direction.v[1], direction.v[2]);
    double length = d3_length(n);
    if (length > 0.5 && length < 2) try_direction(a, b, d3_scale(n, 1 / length), 0, best);
}

#else

static void try_expanding(const Placed *a, const Placed *b, double size, Gap *best)
{
    (void)a, (void)b, (void)size, (void)best;
}

#endif

static double thickness(const Placed *p)
{
    const D3 e = p->piece->extent;
    return fmin(e.x, fmin(e.y, e.z));
}

/* Nearest points: those of the cores once b is moved along the normal until they are apart. */
static void set_points(const Placed *a, const Placed *b, double size, Gap *gap)
{
    Placed moved = *b;
    Gap apart;
    double shift = 1e-3 * size - gap->distance;
    moved.pose.position = d3_madd(b->pose.position, shift, gap->normal);
    if (gjk_distance(a, &moved, &apart)) {
        gap->a = apart.a;
        gap->b = d3_madd(apart.b, -shift, gap->normal);
    } else {
        gap->a = placed_support(a, gap->normal);
        gap->b = d3_madd(gap->a, gap->distance, gap->normal);
    }
}

void gap_between(const Placed *a, const Placed *b, Gap *gap)
{
    const double size = d3_length(a->piece->extent) + d3_length(b->piece->extent);
    const double favour = FACE_FAVOUR * size, thin = fmin(thickness(a), thickness(b));
    Gap face = {.distance = -HUGE_VAL, .normal = {0, 1, 0}};
    bool apart = gjk_distance(a, b, gap);
    if (apart && gap->distance > 0.01 * size) return;
    try_faces(a, b, favour, &face);
    if (apart) {
        if (face.distance >= gap->distance - favour)
            gap->distance = face.distance, gap->normal = face.normal;
        return;
    }
    *gap = face;
    if (face.distance < -0.02 * thin) try_expanding(a, b, size, gap);
    set_points(a, b, size, gap);
}

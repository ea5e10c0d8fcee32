/* Ways to ask which particles touch a convex body. A particle that is outside the bounding sphere
 * is done with at once, as in the article; the ways differ in what they do with the others. */
#include "bench/faces.h"
#include "base/lanes.h"

static mote_Vec3 place_of(const FaceQuery *q, size_t i)
{
    return vec3(q->x[0][i], q->x[1][i], q->x[2][i]);
}

static mote_real height(const FaceQuery *q, size_t plane, mote_Vec3 x)
{
    const MeshPlane *p = &q->polytope->planes[plane];
    return vec3_dot(p->normal, x) - p->offset;
}

static bool is_near(const FaceQuery *q, mote_Vec3 x)
{
    mote_Vec3 arm = vec3_sub(x, q->polytope->centre);
    mote_real reach = q->polytope->bound + q->radius;
    return vec3_dot(arm, arm) < reach * reach;
}

static size_t all(const FaceQuery *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->count; ++i) {
        mote_Vec3 x = place_of(q, i);
        if (is_near(q, x) && !(polytope_contact(q->polytope, x).distance > q->radius))
            q->rows[count++] = (uint32_t)i;
    }
    return count;
}

/* The first plane that x is in front of is remembered; false: there is none. */
static bool scan(const FaceQuery *q, size_t i, mote_Vec3 x)
{
    for (size_t k = 0; k < q->polytope->count; ++k)
        if (height(q, k, x) > q->radius) {
            q->planes[i] = (uint8_t)k;
            return true;
        }
    return false;
}

static size_t first(const FaceQuery *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->count; ++i) {
        mote_Vec3 x = place_of(q, i);
        if (is_near(q, x) && !scan(q, i, x)) q->rows[count++] = (uint32_t)i;
    }
    return count;
}

static size_t remembered(const FaceQuery *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->count; ++i) {
        mote_Vec3 x = place_of(q, i);
        if (!is_near(q, x) || height(q, q->planes[i], x) > q->radius) continue;
        if (!scan(q, i, x)) q->rows[count++] = (uint32_t)i;
    }
    return count;
}

/* Uphill over edges from the remembered face, until one is `enough`. At the top of a hill there may
 * be a higher one elsewhere: of a plate, above and below are no neighbours. */
static mote_real climb(const FaceQuery *q, size_t i, mote_Vec3 x, mote_real enough)
{
    size_t face = q->planes[i], before;
    mote_real most = height(q, face, x);
    do {
        before = face;
        const uint16_t *starts = &q->neighbours->starts[face];
        if (most > enough) break;
        for (size_t k = starts[0]; k < starts[1]; ++k) {
            mote_real d = height(q, q->neighbours->of[k], x);
            if (d > most) most = d, face = q->neighbours->of[k];
        }
    } while (face != before);
    q->planes[i] = (uint8_t)face;
    return most;
}

static size_t walk(const FaceQuery *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->count; ++i) {
        mote_Vec3 x = place_of(q, i);
        if (!is_near(q, x) || climb(q, i, x, q->radius) > q->radius) continue;
        if (!scan(q, i, x)) q->rows[count++] = (uint32_t)i;
    }
    return count;
}

/* Of the particles that touch, those whose nearest face a walk from the one remembered misses. */
static size_t misses(const FaceQuery *q)
{
    size_t count = 0;
    for (size_t k = 0, touching = all(q); k < touching; ++k) {
        mote_Vec3 x = place_of(q, q->rows[k]);
        count += climb(q, q->rows[k], x, AABB_ENDLESS) < polytope_contact(q->polytope, x).distance;
    }
    return count;
}

/* ---- eight at a time ---- */

typedef struct EightPlaces {
    Eight x[3];
    unsigned near; /* bits */
} EightPlaces;

EIGHT_INLINE EightPlaces places(const FaceQuery *q, size_t i)
{
    const Polytope *p = q->polytope;
    EightPlaces at = {{eight_load(q->x[0] + i), eight_load(q->x[1] + i), eight_load(q->x[2] + i)},
                      0};
    Eight dx = at.x[0] - p->centre.x, dy = at.x[1] - p->centre.y, dz = at.x[2] - p->centre.z;
    mote_real reach = p->bound + q->radius;
    at.near = eight_bits((EightBits)(dx * dx + dy * dy + dz * dz < reach * reach));
    return at;
}

EIGHT_INLINE Eight heights(const MeshPlane *plane, const EightPlaces *at)
{
    return plane->normal.x * at->x[0] + plane->normal.y * at->x[1] + plane->normal.z * at->x[2] -
           plane->offset;
}

EIGHT_INLINE size_t append(const FaceQuery *q, unsigned bits, size_t i, size_t count)
{
    for (; bits != 0; bits &= bits - 1)
        q->rows[count++] = (uint32_t)i + (uint32_t)__builtin_ctz(bits);
    return count;
}

/* Which of them no plane separates. */
EIGHT_INLINE unsigned touching(const FaceQuery *q, const EightPlaces *at, unsigned left)
{
    const Polytope *p = q->polytope;
    Eight most = heights(&p->planes[0], at);
    for (size_t k = 1; k < p->count; ++k) most = eight_most(heights(&p->planes[k], at), most);
    return left & ~eight_bits((EightBits)(most > q->radius));
}

static size_t eight(const FaceQuery *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->count; i += 8) {
        EightPlaces at = places(q, i);
        if (at.near != 0) count = append(q, touching(q, &at, at.near), i, count);
    }
    return count;
}

/* As touching(), up to the plane after which none is left; it is remembered. */
EIGHT_INLINE unsigned touching_first(const FaceQuery *q, size_t i, const EightPlaces *at,
                                     unsigned left)
{
    const Polytope *p = q->polytope;
    for (size_t k = 0; k < p->count && left != 0; ++k) {
        left &= ~eight_bits((EightBits)(heights(&p->planes[k], at) > q->radius));
        if (left == 0) q->planes[i] = (uint8_t)k;
    }
    return left;
}

/* As touching(), with a look after every eight planes whether any is left. */
EIGHT_INLINE unsigned touching_stops(const FaceQuery *q, const EightPlaces *at, unsigned left)
{
    const Polytope *p = q->polytope;
    for (size_t k = 0; k < p->count && left != 0;) {
        size_t end = k + 8 < p->count ? k + 8 : p->count;
        Eight most = heights(&p->planes[k++], at);
        for (; k < end; ++k) most = eight_most(heights(&p->planes[k], at), most);
        left &= ~eight_bits((EightBits)(most > q->radius));
    }
    return left;
}

static size_t eight_stops(const FaceQuery *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->count; i += 8) {
        EightPlaces at = places(q, i);
        count = append(q, touching_stops(q, &at, at.near), i, count);
    }
    return count;
}

static size_t eight_remembered(const FaceQuery *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->count; i += 8) {
        EightPlaces at = places(q, i);
        if (at.near == 0) continue;
        Eight high = heights(&q->polytope->planes[q->planes[i]], &at);
        unsigned left = at.near & ~eight_bits((EightBits)(high > q->radius));
        count = append(q, touching_first(q, i, &at, left), i, count);
    }
    return count;
}

EIGHT_INLINE Eight gathered_heights(const FaceQuery *q, size_t i, const EightPlaces *at)
{
    mote_real planes[4][8];
    for (size_t l = 0; l < 8; ++l) {
        const MeshPlane *p = &q->polytope->planes[q->planes[i + l]];
        planes[0][l] = p->normal.x, planes[1][l] = p->normal.y, planes[2][l] = p->normal.z;
        planes[3][l] = p->offset;
    }
    return eight_load(planes[0]) * at->x[0] + eight_load(planes[1]) * at->x[1] +
           eight_load(planes[2]) * at->x[2] - eight_load(planes[3]);
}

/* The highest plane of each is remembered. */
static unsigned search(const FaceQuery *q, size_t i, const EightPlaces *at, unsigned left)
{
    const Polytope *p = q->polytope;
    Eight most = heights(&p->planes[0], at), which = eight_all(0);
    for (size_t k = 1; k < p->count; ++k) {
        Eight d = heights(&p->planes[k], at);
        EightBits more = (EightBits)(d > most);
        most = eight_choose(more, d, most);
        which = eight_choose(more, eight_all((mote_real)k), which);
    }
    for (size_t l = 0; l < 8; ++l) q->planes[i + l] = (uint8_t)which[l];
    return left & ~eight_bits((EightBits)(most > q->radius));
}

static size_t eight_gathered(const FaceQuery *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->count; i += 8) {
        EightPlaces at = places(q, i);
        if (at.near == 0) continue;
        Eight high = gathered_heights(q, i, &at);
        unsigned left = at.near & ~eight_bits((EightBits)(high > q->radius));
        if (left != 0) count = append(q, search(q, i, &at, left), i, count);
    }
    return count;
}

const FaceKernels ISA(bench_faces) = {.all = all,
                                      .first = first,
                                      .remembered = remembered,
                                      .walk = walk,
                                      .misses = misses,
                                      .eight = eight,
                                      .eight_stops = eight_stops,
                                      .eight_remembered = eight_remembered,
                                      .eight_gathered = eight_gathered};

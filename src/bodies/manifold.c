/* Contact manifolds.
 *
 * Convex on convex: the normal comes from the distance of the cores; the face of one that looks
 * along it is the reference, the face of the other is clipped by the reference's sides (Sutherland
 * and Hodgman 1974), and what is near the reference's plane is kept. Where no face looks along the
 * normal, edge meets edge in one point. Of many points four are kept: the deepest and those that
 * span the largest area with it. Planes take the face that looks at them; fields take corners. */
#include "bodies/manifold.h"

#include "bodies/gjk.h"

#include <math.h>

enum { MOST_CLIPPED = 2 * MOST_FACE };

typedef struct Candidate {
    D3 a, b; /* on the surfaces, in the world */
    D3 normal;
    double gap, carrier;
} Candidate;

typedef struct ContactCandidates {
    Candidate items[MOST_CLIPPED];
    size_t count;
} ContactCandidates;

static void add_candidate(ContactCandidates *list, const PiecePair *pair, Candidate c)
{
    if (c.gap < pair->margin && list->count < MOST_CLIPPED) list->items[list->count++] = c;
}

/* ---- clipping ---- */

typedef struct ContactPolygon {
    D3 corners[MOST_CLIPPED];
    size_t count;
} ContactPolygon;

/* What is behind the plane n . x = offset. A segment has one edge, a point none. */
static void clip(ContactPolygon *p, D3 n, double offset)
{
    ContactPolygon out = {.count = 0};
    size_t edges = p->count > 2 ? p->count : p->count - 1;
    if (p->count == 0) return;
    if (p->count < 3 && d3_dot(n, p->corners[0]) <= offset)
        out.corners[out.count++] = p->corners[0];
    for (size_t i = 0; i < edges && out.count + 2 < MOST_CLIPPED; ++i) {
        D3 a = p->corners[i], b = p->corners[(i + 1) % p->count];
        double ha = d3_dot(n, a) - offset, hb = d3_dot(n, b) - offset;
        if ((ha <= 0) != (hb <= 0))
            out.corners[out.count++] = d3_madd(a, ha / (ha - hb), d3_sub(b, a));
        if (hb <= 0) out.corners[out.count++] = b;
    }
    *p = out;
}

/* By all sides of the reference, which looks along n. */
static void clip_by_sides(ContactPolygon *p, const PieceFace *reference, D3 n)
{
    for (size_t i = 0; i < reference->count; ++i) {
        D3 a = reference->corners[i], b = reference->corners[(i + 1) % reference->count];
        D3 along = d3_sub(b, a);
        D3 out = reference->count > 2 ? d3_cross(along, n) : along; /* a segment: its ends */
        D3 at = reference->count > 2 ? a : b;
        double length = d3_length(out);
        if (length > 0) clip(p, d3_scale(out, 1 / length), d3_dot(out, at) / length);
    }
}

/* ---- convex on convex ---- */

typedef struct Sides {
    const PieceFace *reference, *incident;
    double shell_reference, shell_incident; /* radii */
    D3 outward;                             /* of the reference */
    bool reference_is_a, incident_rolls;
} Sides;

static bool is_corner(const PieceFace *face, D3 x)
{
    for (size_t i = 0; i < face->count; ++i) {
        const D3 c = face->corners[i];
        if (c.x == x.x && c.y == x.y && c.z == x.z) return true;
    }
    return false;
}

/* A corner goes with its solid and so does what is round; what the reference cuts off goes with the
 * reference. The other surface is a plane that the point moves along. */
static double carrier_of(const Sides *s, D3 x)
{
    if (s->reference->count < 3) return 0.5;
    bool incident = s->incident_rolls || is_corner(s->incident, x);
    return incident != s->reference_is_a ? 1 : 0;
}

static void take_clipped(const PiecePair *pair, const Sides *s, D3 normal, ContactCandidates *list)
{
    const D3 c = s->reference->corners[0], n = s->outward;
    const D3 face = s->reference->count > 2 ? s->reference->normal : n;
    double slope = d3_dot(face, n);
    ContactPolygon p = {.count = s->incident->count};
    for (size_t i = 0; i < p.count; ++i) p.corners[i] = s->incident->corners[i];
    clip_by_sides(&p, s->reference, n);
    for (size_t i = 0; i < p.count; ++i) {
        double height = d3_dot(face, d3_sub(p.corners[i], c)) / slope;
        D3 foot = d3_madd(d3_madd(p.corners[i], -height, n), s->shell_reference, n);
        D3 top = d3_madd(p.corners[i], -s->shell_incident, n);
        Candidate one = {.normal = normal,
                         .gap = height - s->shell_reference - s->shell_incident,
                         .carrier = carrier_of(s, p.corners[i]),
                         .a = s->reference_is_a ? foot : top,
                         .b = s->reference_is_a ? top : foot};
        add_candidate(list, pair, one);
    }
}

/* A reference must look along the normal within 11 degrees. */
#define LEAST_ALIGNED 0.98

static double alignment(const PieceFace *face, D3 outward)
{
    return face->count > 2 ? d3_dot(face->normal, outward) : -1;
}

/* Two lines side by side: within 3 degrees, and across the normal. */
static bool are_parallel(const PieceFace *a, const PieceFace *b, D3 n)
{
    if (a->count != 2 || b->count != 2) return false;
    D3 u = d3_unit(d3_sub(a->corners[1], a->corners[0]), d3(0, 0, 0));
    D3 v = d3_unit(d3_sub(b->corners[1], b->corners[0]), d3(0, 0, 0));
    return d3_length(d3_cross(u, v)) < 0.05 && fabs(d3_dot(u, n)) < 0.2 && d3_length(u) > 0;
}

/* The side of a polygon that reaches farthest out, where no face does: edge on edge. */
static void keep_edge(PieceFace *face, D3 outward)
{
    size_t best = 0;
    double most = -HUGE_VAL;
    if (face->count < 3) return;
    for (size_t i = 0; i < face->count; ++i) {
        const D3 a = face->corners[i], b = face->corners[(i + 1) % face->count];
        const double reach = d3_dot(outward, d3_add(a, b));
        if (reach > most) most = reach, best = i;
    }
    const D3 from = face->corners[best], to = face->corners[(best + 1) % face->count];
    face->corners[0] = from, face->corners[1] = to, face->count = 2;
}

/* Faces that look at each other, and edges side by side, touch with what clipping leaves of one by
 * the other: a box on one point would rock. All else touches at the nearest points. */
static void meet_convex(const PiecePair *pair, ContactCandidates *list)
{
    const double ra = pair->pa.piece->radius, rb = pair->pb.piece->radius;
    Gap gap;
    gap_of_contact(&pair->pa, &pair->pb, &gap);
    if (!(gap.distance - ra - rb < pair->margin)) return;
    const D3 n = gap.normal, back = d3_scale(n, -1);
    PieceFace fa, fb;
    placed_face(&pair->pa, n, &fa);
    placed_face(&pair->pb, back, &fb);
    double aligned_a = alignment(&fa, n), aligned_b = alignment(&fb, back);
    bool a_first = aligned_a >= aligned_b - 1e-3;
    Sides sides = {.reference = a_first ? &fa : &fb,
                   .incident = a_first ? &fb : &fa,
                   .shell_reference = a_first ? ra : rb,
                   .shell_incident = a_first ? rb : ra,
                   .outward = a_first ? n : back,
                   .reference_is_a = a_first};
    sides.incident_rolls =
        a_first ? placed_round(&pair->pb, back).radius > 0 : placed_round(&pair->pa, n).radius > 0;
    bool face = (a_first ? aligned_a : aligned_b) > LEAST_ALIGNED;
    if (!face) keep_edge(&fa, n), keep_edge(&fb, back);
    if (face || are_parallel(&fa, &fb, n)) take_clipped(pair, &sides, n, list);
    if (list->count > 0) return;
    Candidate one = {.normal = n,
                     .gap = gap.distance - ra - rb,
                     .carrier = 0.5,
                     .a = d3_madd(gap.a, ra, n),
                     .b = d3_madd(gap.b, -rb, n)};
    add_candidate(list, pair, one);
}

/* ---- planes and fields ---- */

/* A candidate between corner x of the one, with its shell, and the surface of the other. */
static Candidate corner_candidate(D3 x, double shell, double height, D3 out, bool surface_is_b)
{
    D3 top = d3_madd(x, -shell, out), foot = d3_madd(x, -height, out);
    return (Candidate){.a = surface_is_b ? top : foot,
                       .b = surface_is_b ? foot : top,
                       .normal = surface_is_b ? d3_scale(out, -1) : out,
                       .gap = height - shell,
                       .carrier = surface_is_b ? 1 : 0};
}

static void meet_plane(const PiecePair *pair, bool plane_is_b, ContactCandidates *list)
{
    const Placed *plane = plane_is_b ? &pair->pb : &pair->pa;
    const Placed *other = plane_is_b ? &pair->pa : &pair->pb;
    D3 out = dquat_rotate(plane->pose.orientation, plane->piece->normal);
    double offset = d3_dot(out, plane->pose.position) + plane->piece->offset;
    PieceFace face;
    placed_face(other, d3_scale(out, -1), &face);
    for (size_t i = 0; i < face.count; ++i) {
        double height = d3_dot(out, face.corners[i]) - offset;
        add_candidate(
            list, pair,
            corner_candidate(face.corners[i], other->piece->radius, height, out, plane_is_b));
    }
}

/* Corners of one against the surface of the other; the deepest ones when there are many. */
static void meet_corners(const PiecePair *pair, bool surface_is_b, ContactCandidates *list)
{
    const Placed *surface = surface_is_b ? &pair->pb : &pair->pa;
    const Placed *other = surface_is_b ? &pair->pa : &pair->pb;
    const D3 m = d3(pair->margin, pair->margin, pair->margin);
    const D3 low = d3_sub(surface->low, m), high = d3_add(surface->high, m);
    double shell = other->piece->radius;
    D3 x, out;
    for (size_t i = 0; placed_corner(other, i, &x); ++i) {
        if (x.x < low.x - shell || x.y < low.y - shell || x.z < low.z - shell ||
            x.x > high.x + shell || x.y > high.y + shell || x.z > high.z + shell)
            continue;
        double height = placed_distance(surface, x, &out);
        Candidate one = corner_candidate(x, shell, height, out, surface_is_b);
        if (!(one.gap < pair->margin)) continue;
        if (list->count < MOST_CLIPPED) {
            list->items[list->count++] = one;
            continue;
        }
        size_t worst = 0;
        for (size_t k = 1; k < list->count; ++k)
            if (list->items[k].gap > list->items[worst].gap) worst = k;
        if (one.gap < list->items[worst].gap) list->items[worst] = one;
    }
}

/* ---- choosing four ---- */

static size_t deepest(const ContactCandidates *list)
{
    size_t best = 0;
    for (size_t i = 1; i < list->count; ++i)
        if (list->items[i].gap < list->items[best].gap) best = i;
    return best;
}

/* Twice the area that a point adds to those chosen. */
static double gain(const ContactCandidates *list, const size_t *chosen, size_t count, size_t i)
{
    const D3 x = list->items[i].a, first = list->items[chosen[0]].a;
    D3 arm = d3_sub(x, first);
    if (count == 1) return d3_dot(arm, arm);
    D3 n = list->items[chosen[0]].normal, second = list->items[chosen[1]].a;
    double side = d3_dot(n, d3_cross(d3_sub(second, first), arm));
    if (count == 2) return fabs(side);
    D3 third = list->items[chosen[2]].a;
    double most = 0, turn = d3_dot(n, d3_cross(d3_sub(second, first), d3_sub(third, first)));
    const D3 ring[4] = {first, second, third, first};
    for (int k = 0; k < 3; ++k) { /* how far beyond an edge */
        double beyond = -d3_dot(n, d3_cross(d3_sub(ring[k + 1], ring[k]), d3_sub(x, ring[k])));
        most = fmax(most, turn < 0 ? -beyond : beyond);
    }
    return most;
}

static size_t choose(const ContactCandidates *list, size_t chosen[MOST_POINTS])
{
    size_t count = 1;
    double least = 0; /* what counts as an area */
    if (list->count == 0) return 0;
    chosen[0] = deepest(list);
    while (count < MOST_POINTS && count < list->count) {
        size_t best = SIZE_MAX;
        double most = least;
        for (size_t i = 0; i < list->count; ++i) {
            double g = gain(list, chosen, count, i);
            if (g > most) most = g, best = i;
        }
        if (best == SIZE_MAX) break;
        if (count == 1) least = 1e-4 * most;
        chosen[count++] = best;
    }
    return count;
}

/* What is not convex, or a plane, is met by corners, of each side in the other: those of either may
 * be what touches. */
void manifold_find(const PiecePair *pair, Manifold *out)
{
    ContactCandidates list = {.count = 0};
    size_t chosen[MOST_POINTS];
    PieceKind ka = pair->pa.piece->kind, kb = pair->pb.piece->kind;
    if (ka == PIECE_CONVEX && kb == PIECE_CONVEX) {
        meet_convex(pair, &list);
    } else if (kb == PIECE_PLANE && ka == PIECE_CONVEX) {
        meet_plane(pair, true, &list);
    } else if (ka == PIECE_PLANE && kb == PIECE_CONVEX) {
        meet_plane(pair, false, &list);
    } else {
        meet_corners(pair, true, &list);
        meet_corners(pair, false, &list);
    }
    out->count = (uint32_t)choose(&list, chosen);
    for (size_t i = 0; i < out->count; ++i) {
        const Candidate *c = &list.items[chosen[i]];
        out->points[i] =
            (ContactPoint){.on_a = anchor_make(pair->a, &pair->pa, c->a, c->normal),
                           .on_b = anchor_make(pair->b, &pair->pb, c->b, d3_scale(c->normal, -1)),
                           .normal = c->normal,
                           .gap = c->gap,
                           .carrier = c->carrier};
    }
}

/* ---- anchors ---- */

/* Only the place of a circle that looks most outward stays where it is when the circle turns. */
Anchor anchor_make(const Solid *solid, const Placed *placed, D3 x, D3 outward)
{
    Round round = placed_round(placed, outward);
    const D3 middle = d3_sub(x, round_arm(round, outward));
    const D3 off = d3_sub(middle, placed->pose.position);
    const D3 aside = d3_madd(off, -d3_dot(off, round.axis), round.axis);
    bool turns = d3_length(round.axis) > 0 && d3_length(aside) > 1e-3 * round.radius;
    if (turns) round = (Round){0};
    round.axis = dquat_rotate_back(solid->pose.orientation, round.axis);
    return (Anchor){dpose_invert(&solid->pose, turns ? x : middle), round};
}

D3 anchor_place(const Anchor *anchor, const DPose *solid, D3 outward)
{
    D3 at = dpose_apply(solid, anchor->at);
    if (anchor->round.radius == 0) return at;
    Round round = anchor->round;
    round.axis = dquat_rotate(solid->orientation, round.axis);
    return d3_add(at, round_arm(round, outward));
}

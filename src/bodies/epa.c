/* The expanding polytope algorithm (van den Bergen, Proximity queries and penetration depth
 * computation on 3D game objects, GDC 2001): a polytope inside the Minkowski difference A - B grows
 * where its surface is nearest to the origin, until it cannot grow there. Distances of faces have a
 * sign, so that the polytope need not hold the origin at first.
 *
 * Whatever rounding does to it, every direction is measured by the supports of both, and the best
 * of all that were tried comes out: its separation belongs to it. */
#include "bodies/gjk.h"

#include <math.h>

enum { MOST_VERTICES = 128, MOST_EPA_FACES = 2 * MOST_VERTICES, MOST_HORIZON = MOST_EPA_FACES };

typedef struct EpaFace {
    int corner[3]; /* counterclockwise, seen from outside */
    int across[3]; /* the face across the side from corner k to corner k + 1 */
    D3 normal;
    double distance; /* of its plane from the origin, along the normal */
    bool used, seen; /* seen: from the new vertex */
} EpaFace;

typedef struct Epa {
    const Placed *a, *b;
    D3 vertices[MOST_VERTICES]; /* of A - B */
    int vertex_count;
    EpaFace faces[MOST_EPA_FACES];
    double size;
} Epa;

static D3 support(const Epa *epa, D3 n)
{
    return d3_sub(placed_support(epa->a, n), placed_support(epa->b, d3_scale(n, -1)));
}

/* ---- faces ---- */

static int free_face(const Epa *epa)
{
    for (int i = 0; i < MOST_EPA_FACES; ++i)
        if (!epa->faces[i].used) return i;
    return -1;
}

static bool set_face(Epa *epa, int number, int i, int j, int k)
{
    const D3 a = epa->vertices[i], b = epa->vertices[j], c = epa->vertices[k];
    const D3 n = d3_cross(d3_sub(b, a), d3_sub(c, a));
    const double length = d3_length(n);
    if (!(length > 1e-18 * epa->size * epa->size)) return false; /* no area */
    EpaFace *face = &epa->faces[number];
    *face = (EpaFace){.corner = {i, j, k}, .normal = d3_scale(n, 1 / length), .used = true};
    face->distance = d3_dot(face->normal, a);
    return true;
}

static int nearest_face(const Epa *epa)
{
    int best = -1;
    for (int i = 0; i < MOST_EPA_FACES; ++i)
        if (epa->faces[i].used && (best < 0 || epa->faces[i].distance < epa->faces[best].distance))
            best = i;
    return best;
}

/* ---- the first tetrahedron ---- */

/* The farther of the supports along n and against it, as measured from `from`. */
static D3 farther(const Epa *epa, D3 n, D3 from)
{
    const D3 p = support(epa, n), q = support(epa, d3_scale(n, -1));
    return fabs(d3_dot(n, d3_sub(p, from))) >= fabs(d3_dot(n, d3_sub(q, from))) ? p : q;
}

static bool find_corners(Epa *epa)
{
    D3 *v = epa->vertices;
    const double least = 1e-9 * epa->size;
    v[0] = support(epa, d3(1, 0, 0));
    v[1] = support(epa, d3(-1, 0, 0));
    const D3 line = d3_sub(v[1], v[0]), along = d3_unit(line, d3(1, 0, 0));
    const D3 u = d3_across(along);
    v[2] = farther(epa, u, v[0]);
    if (fabs(d3_dot(u, d3_sub(v[2], v[0]))) < least) v[2] = farther(epa, d3_cross(along, u), v[0]);
    const D3 n = d3_unit(d3_cross(line, d3_sub(v[2], v[0])), d3(0, 0, 0));
    v[3] = farther(epa, n, v[0]);
    epa->vertex_count = 4;
    return d3_length(line) > least && fabs(d3_dot(n, d3_sub(v[3], v[0]))) > least;
}

static bool make_tetrahedron(Epa *epa)
{
    static const int corners[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    static const int across[4][3] = {{2, 3, 1}, {0, 3, 2}, {1, 3, 0}, {2, 1, 0}};
    D3 *v = epa->vertices;
    if (!find_corners(epa)) return false;
    const D3 n = d3_cross(d3_sub(v[1], v[0]), d3_sub(v[2], v[0]));
    if (d3_dot(n, d3_sub(v[3], v[0])) > 0) { /* the fourth lies behind the face of the others */
        const D3 swap = v[1];
        v[1] = v[2], v[2] = swap;
    }
    for (int f = 0; f < 4; ++f) {
        if (!set_face(epa, f, corners[f][0], corners[f][1], corners[f][2])) return false;
        for (int k = 0; k < 3; ++k) epa->faces[f].across[k] = across[f][k];
    }
    return true;
}

/* ---- growing ---- */

/* A side between what the new vertex sees and what it does not. */
typedef struct HorizonSide {
    int from, to;      /* vertices, as the face that goes has them */
    int outside, side; /* the face that stays, and its side */
} HorizonSide;

typedef struct Horizon {
    HorizonSide sides[MOST_HORIZON];
    int count;
} Horizon;

static int side_towards(const EpaFace *face, int other, int from)
{
    for (int k = 0; k < 3; ++k)
        if (face->across[k] == other && face->corner[(k + 1) % 3] == from) return k;
    return -1;
}

/* Marks all faces that see w, from `first` on. What lies in one plane with it counts, so that faces
 * are not split where they are flat. */
static int mark_seen(Epa *epa, int first, D3 w, int seen[MOST_EPA_FACES])
{
    const double flat = 1e-14 * epa->size;
    int count = 1;
    seen[0] = first, epa->faces[first].seen = true;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            const int number = epa->faces[seen[i]].across[k];
            EpaFace *face = &epa->faces[number];
            if (face->seen || d3_dot(face->normal, w) - face->distance < -flat) continue;
            face->seen = true;
            seen[count++] = number;
        }
    return count;
}

static bool find_horizon(const Epa *epa, const int *seen, int count, Horizon *horizon)
{
    horizon->count = 0;
    for (int i = 0; i < count; ++i) {
        const EpaFace *face = &epa->faces[seen[i]];
        for (int k = 0; k < 3; ++k) {
            const int other = face->across[k], from = face->corner[k];
            if (epa->faces[other].seen) continue;
            const int side = side_towards(&epa->faces[other], seen[i], from);
            if (side < 0 || horizon->count == MOST_HORIZON) return false;
            horizon->sides[horizon->count++] =
                (HorizonSide){from, face->corner[(k + 1) % 3], other, side};
        }
    }
    return horizon->count >= 3;
}

/* Puts the sides into the order of a walk around; false when it is not one round. */
static bool order_horizon(Horizon *horizon)
{
    for (int i = 1; i < horizon->count; ++i) {
        int next = i;
        while (next < horizon->count && horizon->sides[next].from != horizon->sides[i - 1].to)
            ++next;
        if (next == horizon->count) return false;
        const HorizonSide swap = horizon->sides[i];
        horizon->sides[i] = horizon->sides[next], horizon->sides[next] = swap;
    }
    return horizon->sides[horizon->count - 1].to == horizon->sides[0].from;
}

/* A fan of faces from the horizon to the new vertex. */
static bool close_horizon(Epa *epa, const Horizon *horizon, int vertex)
{
    int fan[MOST_HORIZON];
    for (int i = 0; i < horizon->count; ++i) {
        const HorizonSide *side = &horizon->sides[i];
        fan[i] = free_face(epa);
        if (fan[i] < 0 || !set_face(epa, fan[i], side->from, side->to, vertex)) return false;
        epa->faces[fan[i]].across[0] = side->outside;
        epa->faces[side->outside].across[side->side] = fan[i];
    }
    for (int i = 0; i < horizon->count; ++i) {
        const int next = (i + 1) % horizon->count;
        epa->faces[fan[i]].across[1] = fan[next];
        epa->faces[fan[next]].across[2] = fan[i];
    }
    return true;
}

static bool grow(Epa *epa, int first, D3 w)
{
    int seen[MOST_EPA_FACES];
    Horizon horizon;
    const int vertex = epa->vertex_count++;
    epa->vertices[vertex] = w;
    const int count = mark_seen(epa, first, w, seen);
    if (!find_horizon(epa, seen, count, &horizon) || !order_horizon(&horizon)) return false;
    for (int i = 0; i < count; ++i) epa->faces[seen[i]] = (EpaFace){.used = false};
    return close_horizon(epa, &horizon, vertex);
}

/* ---- the axis ---- */

/* Slivers of faces on curved rims may spoil the polytope: then the best direction so far is turned
 * by ever smaller angles, as long as that helps. */
static void turn_to_best(const Epa *epa, Axis *best)
{
    enum { DIRECTIONS = 8 };
    static const double ring[DIRECTIONS][2] = {{1, 0},  {0.7, 0.7},   {0, 1},  {-0.7, 0.7},
                                               {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}};
    for (double angle = 0.2; angle > 1e-9; angle *= 0.6)
        for (int k = 0; k < DIRECTIONS; ++k) {
            const D3 u = d3_across(best->normal), v = d3_cross(best->normal, u);
            D3 n = d3_madd(best->normal, angle * ring[k][0], u);
            n = d3_unit(d3_madd(n, angle * ring[k][1], v), best->normal);
            const double separation = separation_along(epa->a, epa->b, n);
            if (separation > best->separation) *best = (Axis){n, separation};
        }
}

bool epa_find(const Placed *a, const Placed *b, Axis *out)
{
    Epa epa = {.a = a, .b = b};
    epa.size = d3_length(a->piece->extent) + d3_length(b->piece->extent);
    if (!make_tetrahedron(&epa)) return false;
    *out = (Axis){.separation = -HUGE_VAL};
    for (;;) {
        const int nearest = nearest_face(&epa);
        const EpaFace *face = &epa.faces[nearest];
        const D3 w = support(&epa, face->normal);
        const double reach = d3_dot(face->normal, w);
        if (-reach > out->separation) *out = (Axis){face->normal, -reach};
        if (reach - face->distance <= 1e-12 * epa.size) return true;
        if (epa.vertex_count == MOST_VERTICES || !grow(&epa, nearest, w)) break;
    }
    turn_to_best(&epa, out);
    return true;
}

/* Rows at a convex body, eight at a time: which are fast, which touch, and what becomes of those
 * that do. The arithmetic is that of geometry/polytope.h, lane by lane. */
#include "solvers/vortex/walls.h"
#include "base/lanes.h"

typedef struct EightVector {
    Eight c[3];
} EightVector;

EIGHT_INLINE EightVector vector_load(mote_real *const plane[3], size_t i)
{
    return (EightVector){
        {eight_load(plane[0] + i), eight_load(plane[1] + i), eight_load(plane[2] + i)}};
}

EIGHT_INLINE EightVector vector_all(mote_Vec3 a)
{
    return (EightVector){{eight_all(a.x), eight_all(a.y), eight_all(a.z)}};
}

EIGHT_INLINE Eight vector_dot(EightVector a, EightVector b)
{
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

EIGHT_INLINE EightVector vector_sub(EightVector a, EightVector b)
{
    return (EightVector){{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
}

EIGHT_INLINE EightVector vector_add(EightVector a, EightVector b)
{
    return (EightVector){{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2]}};
}

EIGHT_INLINE EightVector vector_scale(EightVector a, Eight s)
{
    return (EightVector){{a.c[0] * s, a.c[1] * s, a.c[2] * s}};
}

EIGHT_INLINE EightVector vector_cross(EightVector a, EightVector b)
{
    return (EightVector){{a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2],
                          a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
}

EIGHT_INLINE EightVector vector_choose(EightBits chosen, EightVector a, EightVector b)
{
    return (EightVector){{eight_choose(chosen, a.c[0], b.c[0]),
                          eight_choose(chosen, a.c[1], b.c[1]),
                          eight_choose(chosen, a.c[2], b.c[2])}};
}

/* Appends the chosen of the rows from i on, those before `end`. */
EIGHT_INLINE size_t append(EightBits chosen, size_t i, size_t end, uint32_t *rows, size_t count)
{
    unsigned bits = eight_bits(chosen);
    if (end - i < 8) bits &= (1u << (end - i)) - 1;
    for (; bits != 0; bits &= bits - 1) rows[count++] = (uint32_t)i + (uint32_t)__builtin_ctz(bits);
    return count;
}

static size_t fast(const WallRows *w, mote_real way, uint32_t *rows)
{
    const mote_real dt = w->dt, most = way * way;
    size_t count = 0;
    for (size_t i = 0; i < w->count; i += 8) {
        EightVector v = vector_load(w->v, i);
        count = append((EightBits)(vector_dot(v, v) * dt * dt > most), i, w->count, rows, count);
    }
    return count;
}

/* ---- who touches ---- */

EIGHT_INLINE Eight plane_distance(const MeshPlane *plane, EightVector x)
{
    return plane->normal.x * x.c[0] + plane->normal.y * x.c[1] + plane->normal.z * x.c[2] -
           plane->offset;
}

/* max over planes of n_i . x - d_i: exact within and before faces, too small before edges and
 * corners. */
EIGHT_INLINE Eight distance_of(const Polytope *p, EightVector x, Eight distance2)
{
    if (p->count == 0) return eight_sqrt(distance2) - p->bound;
    Eight most = plane_distance(&p->planes[0], x);
    for (size_t k = 1; k < p->count; ++k) most = eight_most(plane_distance(&p->planes[k], x), most);
    return most;
}

/* Which of the rows that are near no plane keeps off; some are. A look after every eight planes
 * whether any is left costs nothing for boxes, and saves a third of the planes of bodies that have
 * many; looks at every plane, or at a remembered one first, cost more than they save
 * (bench/faces.c). */
EIGHT_INLINE EightBits behind_all(const Polytope *p, EightVector x, Eight radius, EightBits near)
{
    size_t k = 0;
    do {
        const size_t end = k + 8 < p->count ? k + 8 : p->count;
        Eight most = plane_distance(&p->planes[k++], x);
        for (; k < end; ++k) most = eight_most(plane_distance(&p->planes[k], x), most);
        near &= ~(EightBits)(most >= radius);
    } while (k < p->count && eight_bits(near) != 0);
    return near;
}

static size_t touching(const Polytope *p, const WallRows *w, uint32_t *rows)
{
    const EightVector centre = vector_all(p->centre);
    size_t count = 0;
    for (size_t i = 0; i < w->count; i += 8) {
        EightVector x = vector_load(w->x, i), arm = vector_sub(x, centre);
        Eight radius = eight_load(w->radius + i), reach = p->bound + radius;
        Eight distance2 = vector_dot(arm, arm);
        EightBits touches = ~(EightBits)(distance2 >= reach * reach);
        if (p->hole)
            touches = ~(EightBits)(-distance_of(p, x, distance2) >= radius);
        else if (eight_bits(touches) == 0)
            continue; /* nearly everywhere */
        else if (p->count > 0)
            touches = behind_all(p, x, radius, touches);
        else
            touches &= ~(EightBits)(distance_of(p, x, distance2) >= radius);
        count = append(touches, i, w->count, rows, count);
    }
    return count;
}

/* ---- what becomes of them ---- */

/* Eight rows that touch; some may stand for nothing. */
typedef struct Guests {
    EightVector x, v;
    Eight radius, mass;
} Guests;

EIGHT_INLINE Eight gather_eight(const mote_real *plane, const uint32_t *rows)
{
    Eight a;
    for (int l = 0; l < 8; ++l) a[l] = plane[rows[l]];
    return a;
}

EIGHT_INLINE Guests invite(const WallRows *w, const uint32_t *rows)
{
    Guests g;
    for (int c = 0; c < 3; ++c) {
        g.x.c[c] = gather_eight(w->x[c], rows);
        g.v.c[c] = gather_eight(w->v[c], rows);
    }
    g.radius = gather_eight(w->radius, rows), g.mass = gather_eight(w->mass, rows);
    return g;
}

EIGHT_INLINE EightVector body_velocity(const Polytope *p, EightVector x)
{
    EightVector arm = vector_sub(x, vector_all(p->pose.position));
    return vector_add(vector_all(p->velocity.linear),
                      vector_cross(vector_all(p->velocity.angular), arm));
}

EIGHT_INLINE void sphere_contact(const Polytope *p, EightVector x, Eight *distance,
                                 EightVector *normal)
{
    EightVector arm = vector_sub(x, vector_all(p->centre));
    Eight length = eight_sqrt(vector_dot(arm, arm));
    *distance = length - p->bound;
    *normal = vector_choose((EightBits)(length > 0), vector_scale(arm, 1 / length),
                            vector_all((mote_Vec3){0, 1, 0}));
}

/* As polytope_collision. The face through which it came in is the one that it crossed last within
 * dt; where it crossed none, the least deep one that it moves into; else the least deep of all
 * (CollisionDistance of part 13, which knew neither radius, turn nor the last case). */
EIGHT_INLINE void plane_contact(const Polytope *p, const Guests *g, mote_real dt, Eight *distance,
                                EightVector *normal)
{
    EightVector relative = vector_sub(g->v, body_velocity(p, g->x));
    Eight latest = eight_all(dt), at = plane_distance(&p->planes[0], g->x);
    EightVector n = vector_all(p->planes[0].normal);
    EightBits found = {0}, crossed = {0};
    for (size_t k = 1; k < p->count; ++k) {
        Eight d = plane_distance(&p->planes[k], g->x);
        EightBits more = (EightBits)(d > at);
        at = eight_choose(more, d, at);
        n = vector_choose(more, vector_all(p->planes[k].normal), n);
    }
    for (size_t k = 0; k < p->count; ++k) {
        EightVector face = vector_all(p->planes[k].normal);
        Eight d = plane_distance(&p->planes[k], g->x), speed = vector_dot(face, relative);
        Eight inside = g->radius - d;
        EightBits into = (EightBits)(speed < 0);
        EightBits now = into & (EightBits)(inside <= -speed * latest);
        latest = eight_choose(now, inside / -speed, latest);
        EightBits takes = now | (into & ~crossed & (~found | (EightBits)(d > at)));
        at = eight_choose(takes, d, at);
        n = vector_choose(takes, face, n);
        found |= into, crossed |= now;
    }
    *distance = at, *normal = n;
}

/* What the body gets, row after row: in double and in this order, whatever the lanes. */
static void add_share(EightVector impulse, EightVector angular, unsigned bits, TracerShare *share)
{
    for (; bits != 0; bits &= bits - 1) {
        int l = __builtin_ctz(bits);
        for (int c = 0; c < 3; ++c) {
            share->impulse[c] += (double)impulse.c[c][l];
            share->angular[c] += (double)angular.c[c][l];
        }
    }
}

static void put_back(const WallRows *w, const uint32_t *rows, size_t count, const Guests *g)
{
    for (size_t l = 0; l < count; ++l)
        for (int c = 0; c < 3; ++c) {
            w->x[c][rows[l]] = g->x.c[c][l];
            w->v[c][rows[l]] = g->v.c[c][l];
        }
}

/* Rows are put on the surface, a radius out, and what comes in is reflected: v' = v - (1 + e) (n .
 * (v - v_body)) n. The body gets m (v - v') where the surface was touched, not where the row's
 * middle is: the lever counts. */
static void meet_eight(const Polytope *p, const WallRows *w, const uint32_t *rows, size_t count,
                       TracerShare *share)
{
    Guests g = invite(w, rows);
    Eight distance;
    EightVector normal;
    if (p->count == 0)
        sphere_contact(p, g.x, &distance, &normal);
    else
        plane_contact(p, &g, w->dt, &distance, &normal);
    EightVector point = vector_add(g.x, vector_scale(normal, -distance));
    g.x = vector_add(point, vector_scale(normal, g.radius));
    Eight into = vector_dot(vector_sub(g.v, body_velocity(p, g.x)), normal);
    EightBits comes = (EightBits)(into < 0);
    EightVector change = vector_scale(normal, (1 + w->restitution) * into);
    EightVector impulse = vector_scale(change, g.mass);
    EightVector arm = vector_sub(point, vector_all(p->pose.position));
    g.v = vector_choose(comes, vector_sub(g.v, change), g.v);
    put_back(w, rows, count, &g);
    unsigned bits = eight_bits(comes) & ((1u << count) - 1);
    add_share(impulse, vector_cross(arm, impulse), bits, share);
    share->hits += count;
}

static void meet(const Polytope *p, const WallRows *w, const uint32_t *rows, size_t count,
                 TracerShare *share)
{
    uint32_t last[8];
    size_t whole = count / 8 * 8, rest = count - whole;
    for (size_t k = 0; k < whole; k += 8) meet_eight(p, w, rows + k, 8, share);
    if (rest == 0) return;
    /* The first of the rest again in lanes that are left over: numbers as good as any. */
    for (size_t l = 0; l < 8; ++l) last[l] = rows[whole + (l < rest ? l : 0)];
    meet_eight(p, w, last, rest, share);
}

const VortexWallKernels ISA(vortex_wall_kernels_of) = {
    .fast = fast, .touching = touching, .meet = meet};

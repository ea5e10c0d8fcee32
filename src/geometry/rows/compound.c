/* Union of posed shapes: the least of their distances. Exact outside and in one part; where parts
 * overlap, the depth is at most the true one. */
#include "base/row.h"
#include "base/status.h"
#include "geometry/sampling.h"
#include "geometry/shapes.h"

static const mote_Param params[] = {
    PARAM_SHAPES(mote_CompoundShape, parts, "the shapes, each with its place", 1, 1e6),
};

static const mote_Shapes *parts_of(const void *raw)
{
    return ((const mote_CompoundShape *)raw)->parts;
}

/* ---- blocks ---- */

typedef struct CompoundBlock {
    mote_real least[BLOCK_ROWS], other[BLOCK_ROWS];
    mote_real normals[3][BLOCK_ROWS];
    size_t count;
    mote_real *x[3];
    Aabb bounds;
} CompoundBlock;

static void block_start(CompoundBlock *b, size_t first, size_t count, mote_real *const x[3])
{
    b->count = posed_block_size(count, first);
    b->bounds = aabb_empty();
    for (int c = 0; c < 3; ++c) b->x[c] = x[c] + first;
    for (size_t i = 0; i < b->count; ++i) {
        b->least[i] = (mote_real)__builtin_huge_val();
        b->bounds = aabb_add_point(&b->bounds, vec3(b->x[0][i], b->x[1][i], b->x[2][i]));
    }
}

/* The part is farther from all points than what was found for each. */
static bool is_beaten(const CompoundBlock *b, const Aabb *box)
{
    mote_Vec3 gap =
        vec3_max(vec3_sub(box->low, b->bounds.high), vec3_sub(b->bounds.low, box->high));
    gap = vec3_max(gap, vec3(0, 0, 0));
    mote_real apart2 = vec3_dot(gap, gap), most = 0;
    if (!(apart2 > 0)) return false;
    for (size_t i = 0; i < b->count; ++i) most = real_max(most, b->least[i]);
    return apart2 > most * most * (1 + 8 * REAL_EPSILON);
}

/* Takes over what part k improves; normals may be NULL. */
static void block_meet(CompoundBlock *b, const PosedShape *part, mote_real *const normal[3])
{
    mote_real *own[3] = {b->normals[0], b->normals[1], b->normals[2]};
    posed_surface(part, b->count, b->x, b->other, normal != NULL ? own : NULL);
    for (size_t i = 0; i < b->count; ++i) {
        if (b->least[i] <= b->other[i]) continue;
        b->least[i] = b->other[i]; /* NaN too */
        for (int c = 0; c < 3 && normal != NULL; ++c) normal[c][i] = own[c][i];
    }
}

static void block_all(CompoundBlock *b, const mote_Shapes *shapes, mote_real *const normal[3])
{
    for (size_t k = 0; k < shapes->count; ++k)
        if (!is_beaten(b, &shapes->boxes[k])) block_meet(b, &shapes->parts[k], normal);
}

static void distance(const void *raw, size_t count, mote_real *const x[3], mote_real *out)
{
    CompoundBlock b;
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        block_start(&b, first, count, x);
        block_all(&b, parts_of(raw), NULL);
        for (size_t i = 0; i < b.count; ++i) out[first + i] = b.least[i];
    }
}

static void normal(const void *raw, size_t count, mote_real *const x[3], mote_real *const out[3])
{
    CompoundBlock b;
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        mote_real *at[3] = {out[0] + first, out[1] + first, out[2] + first};
        block_start(&b, first, count, x);
        block_all(&b, parts_of(raw), at);
    }
}

static void at(const void *raw, size_t count, mote_real *const x[3], mote_real *out,
               mote_real *const n[3])
{
    CompoundBlock b;
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        mote_real *to[3] = {n[0] + first, n[1] + first, n[2] + first};
        block_start(&b, first, count, x);
        block_all(&b, parts_of(raw), to);
        for (size_t i = 0; i < b.count; ++i) out[first + i] = b.least[i];
    }
}

static bool near(const void *raw, size_t count, mote_real *const x[3], mote_real limit)
{
    const mote_Shapes *shapes = parts_of(raw);
    for (size_t k = 0; k < shapes->count; ++k)
        if (posed_near(&shapes->parts[k], count, x, limit)) return true;
    return false;
}

static Aabb bounds(const void *raw)
{
    return parts_of(raw)->bounds;
}

/* ---- casts ---- */

static bool may_meet(const Aabb *box, const ShapeCast *way)
{
    mote_Vec3 to = vec3_add(way->from, way->along);
    Aabb swept = {vec3_min(way->from, to), vec3_max(way->from, to)};
    mote_real margin = way->radius + 8 * REAL_EPSILON * (vec3_length(to) + vec3_length(way->from));
    swept = aabb_grown(&swept, margin);
    return aabb_overlap(box, &swept);
}

static bool cast(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    const mote_Shapes *shapes = parts_of(raw);
    bool found = false;
    for (size_t k = 0; k < shapes->count; ++k) {
        ShapeHit one;
        if (!may_meet(&shapes->boxes[k], way) || !posed_cast(&shapes->parts[k], way, &one))
            continue;
        if (!found || one.time < hit->time) *hit = one;
        found = true;
    }
    return found;
}

/* Inside the union by conservative advancement: the depth in a part is never more than the way to
 * the union's surface, so steps of that length are safe. */
static bool leave(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    enum { STEPS = 1000 };
    const mote_real speed = vec3_length(way->along);
    mote_real t = 0;
    for (int i = 0;; ++i) {
        mote_Vec3 p = vec3_madd(way->from, t, way->along);
        mote_real d, n[3];
        mote_real *at[3] = {&p.x, &p.y, &p.z}, *out[3] = {&n[0], &n[1], &n[2]};
        distance(raw, 1, at, &d);
        mote_real room = -d - way->radius;
        mote_real close = 4 * REAL_EPSILON * (vec3_length(p) + way->radius);
        if (room > close && i < STEPS) {
            t += room / speed;
            if (!(t <= 1)) return false;
            continue;
        }
        normal(raw, 1, at, out);
        mote_Vec3 m = vec3(n[0], n[1], n[2]);
        *hit = (ShapeHit){t, vec3_madd(p, -d, m), vec3_scale(m, -1), t == 0 && room < 0};
        return t > 0 || room < 0 || vec3_dot(m, way->along) > 0;
    }
}

/* ---- sampling ---- */

static double weight(const ShapeMeasure *m, bool by_area)
{
    return by_area ? m->area : m->volume;
}

/* A part by its area or volume. */
static size_t pick_part(const mote_Shapes *shapes, uint32_t word, bool by_area)
{
    double sum = 0, wanted = 0;
    for (size_t k = 0; k < shapes->count; ++k) wanted += weight(&shapes->measures[k], by_area);
    wanted *= (double)word / 4294967296.0;
    for (size_t k = 0; k + 1 < shapes->count; ++k) {
        sum += weight(&shapes->measures[k], by_area);
        if (wanted < sum) return k;
    }
    return shapes->count - 1;
}

/* How many parts, but one, hold the point. */
static int holders(const mote_Shapes *shapes, size_t but, mote_Vec3 p)
{
    mote_real *at[3] = {&p.x, &p.y, &p.z}, d;
    int count = 0;
    for (size_t k = 0; k < shapes->count; ++k) {
        if (k == but || aabb_distance2(&shapes->boxes[k], p) > 0) continue;
        posed_distance(&shapes->parts[k], 1, at, &d);
        count += d < 0;
    }
    return count;
}

/* A point of a part, by area or volume; kept when no other part hides it (by area), or with the
 * chance 1 / (parts that hold it) (by volume). */
static bool sample(const void *raw, const ShapeRandom *random, bool by_area, ShapePoint *point)
{
    enum { TRIES = 200, WORDS = 4 };
    const mote_Shapes *shapes = parts_of(raw);
    for (uint32_t k = 0; k < TRIES && shapes->sampled; ++k) {
        ShapeRandom own = *random;
        Random4 u = shape_draw(random, k * WORDS);
        own.purpose += k * WORDS + 1;
        size_t part = pick_part(shapes, u.word[0], by_area);
        const PosedShape *s = &shapes->parts[part];
        bool found = by_area ? s->row->surface(s->params, &own, point)
                             : s->row->volume(s->params, &own, point);
        if (!found) continue;
        point->position = pose_apply(&s->pose, point->position);
        point->normal = pose_rotate(&s->pose, point->normal);
        int others = shapes->count > 1 ? holders(shapes, part, point->position) : 0;
        if (others == 0) return true;
        if (!by_area && random_unit(u.word[1]) * (mote_real)(others + 1) < 1) return true;
    }
    return false;
}

static bool surface(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    return sample(raw, random, true, point);
}

static bool volume(const void *raw, const ShapeRandom *random, ShapePoint *point)
{
    return sample(raw, random, false, point);
}

/* The sum of the parts: what parts share counts twice. */
static void measure(const void *raw, ShapeMeasure *m)
{
    const mote_Shapes *shapes = parts_of(raw);
    *m = (ShapeMeasure){0};
    for (size_t k = 0; k < shapes->count; ++k) {
        m->area += shapes->measures[k].area, m->volume += shapes->measures[k].volume;
        for (int c = 0; c < 3; ++c)
            m->centre[c] += shapes->measures[k].volume * shapes->measures[k].centre[c];
    }
    for (int c = 0; c < 3 && m->volume != 0; ++c) m->centre[c] /= m->volume;
    for (size_t k = 0; k < shapes->count; ++k) {
        const ShapeMeasure *part = &shapes->measures[k];
        double r[3], r2 = 0;
        for (int c = 0; c < 3; ++c) r[c] = part->centre[c] - m->centre[c], r2 += r[c] * r[c];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                m->inertia[i][j] +=
                    part->inertia[i][j] + part->volume * ((i == j ? r2 : 0) - r[i] * r[j]);
    }
}

static void form(const void *raw, ShapeForm *f)
{
    f->parts = parts_of(raw);
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    if (parts_of(raw) != NULL) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: `parts` is missing: a list of shapes", where);
}

const ShapeRow ISA(shape_compound) = {
    .head = ROW_HEAD("compound", "the union of shapes: a concave body as convex parts", params,
                     mote_CompoundShape),
    .check = check,
    .near = near,
    SHAPE_CALLBACKS,
    SHAPE_SAMPLES,
};

/* Distances, velocities and sweeps of one collider. */
#include "collide/wall.h"

/* A turning collider is met in its own frame, where its motion bends the way: in so many straight
 * pieces that none turns by more than this (rad), so that a piece is off by at most 1.25e-3 of the
 * arm. */
#define PIECE_ANGLE ((mote_real)0.1)
enum { MOST_PIECES = 64 };

/* ---- points ---- */

mote_Pose wall_pose(const Collider *c, mote_real time)
{
    if (!c->moves) return c->pose;
    return c->turns ? pose_advance(&c->pose, &c->change, time)
                    : (mote_Pose){vec3_madd(c->pose.position, time, c->change.linear),
                                  c->pose.orientation};
}

static mote_real own_distance(const Collider *c, mote_Vec3 p)
{
    mote_real *const planes[3] = {&p.x, &p.y, &p.z}, d;
    c->shape->distance(c->object.params, 1, planes, (mote_real *)&d);
    return d;
}

static WallPoint own_point(const Collider *c, mote_Vec3 p)
{
    WallPoint out;
    mote_Vec3 *n = &out.normal;
    mote_real *const planes[3] = {&p.x, &p.y, &p.z}, *const normal[3] = {&n->x, &n->y, &n->z};
    c->shape->at(c->object.params, 1, planes, &out.distance, normal);
    return out;
}

mote_real wall_distance(const Collider *c, mote_real time, mote_Vec3 x)
{
    if (!c->posed) return own_distance(c, x);
    mote_Pose pose = wall_pose(c, time);
    return own_distance(c, pose_invert(&pose, x));
}

WallPoint wall_point(const Collider *c, mote_real time, mote_Vec3 x)
{
    if (!c->posed) return own_point(c, x);
    mote_Pose pose = wall_pose(c, time);
    WallPoint at = own_point(c, pose_invert(&pose, x));
    return (WallPoint){at.distance, pose_rotate(&pose, at.normal)};
}

static bool is_zero(mote_Vec3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

mote_Vec3 wall_belt(const Collider *c, mote_real time, mote_Vec3 normal)
{
    mote_Vec3 belt = c->def.velocity;
    if (is_zero(belt)) return belt;
    if (c->posed) {
        mote_Pose pose = wall_pose(c, time);
        belt = pose_rotate(&pose, belt);
    }
    return vec3_madd(belt, -vec3_dot(belt, normal), normal);
}

mote_Vec3 wall_velocity(const Collider *c, mote_real time, mote_Vec3 x, mote_Vec3 normal)
{
    mote_Vec3 belt = wall_belt(c, time, normal);
    if (!c->moves) return belt;
    if (!c->turns) return vec3_add(belt, c->linear);
    mote_Vec3 arm = vec3_sub(x, vec3_madd(c->pose.position, time, c->change.linear));
    return vec3_add(belt, vec3_add(c->linear, vec3_cross(c->angular, arm)));
}

mote_Vec3 wall_carry(const Collider *c, mote_real from, mote_real to, mote_Vec3 x)
{
    if (!c->moves || from == to) return x;
    if (!c->turns) return vec3_madd(x, to - from, c->change.linear);
    mote_Pose a = wall_pose(c, from), b = wall_pose(c, to);
    return pose_apply(&b, pose_invert(&a, x));
}

mote_Vec3 wall_turn(const Collider *c, mote_real from, mote_real to, mote_Vec3 n)
{
    if (!c->turns || from == to) return n;
    return quat_rotate(quat_of_turn(vec3_scale(c->change.angular, to - from)), n);
}

/* ---- sweeps ---- */

static mote_real largest(mote_Vec3 a)
{
    return real_max(REAL_ABS(a.x), real_max(REAL_ABS(a.y), REAL_ABS(a.z)));
}

/* Eight last bits of the largest number that a distance is made of: the pose, the product and the
 * sum each lose about one. */
mote_real point_slack(mote_Vec3 x, mote_real radius)
{
    return 8 * REAL_EPSILON * (largest(x) + radius);
}

mote_real way_slack(const Way *way)
{
    return real_max(point_slack(way->from, way->radius), point_slack(way->to, way->radius));
}

/* Where it is after this share of the way. */
static mote_Vec3 way_at(const Way *way, mote_real share)
{
    const Collider *c = way->frame;
    if (share <= 0) return way->from;
    if (share >= 1) return way->to;
    if (c == NULL || !c->turns) return vec3_madd(way->from, share, vec3_sub(way->to, way->from));
    mote_real time = way->start + share * (way->end - way->start);
    mote_Pose first = wall_pose(c, way->start), last = wall_pose(c, way->end);
    mote_Pose now = wall_pose(c, time);
    mote_Vec3 from = pose_invert(&first, way->from), to = pose_invert(&last, way->to);
    return pose_apply(&now, vec3_madd(from, share, vec3_sub(to, from)));
}

/* One piece of a way in the collider's frame, and how far the particle is from it at the start. */
typedef struct WallPiece {
    ShapeCast cast;
    mote_real slack;      /* of gaps at its start */
    mote_real last_slack; /* at its end, which may be far away */
} WallPiece;

typedef struct PieceHit {
    mote_real share; /* of the piece */
    mote_Vec3 normal;
    mote_real gap;
    bool inside;
} PieceHit;

/* A cast that is known to start outside. */
static bool cast_outside(const Collider *c, const ShapeCast *cast, ShapeHit *hit)
{
    const ShapeRow *shape = c->shape;
    return (shape->cast_free != NULL ? shape->cast_free : shape->cast)(c->object.params, cast, hit);
}

/* A shape that is not convex may be touched in several places, in a corner of a container: the
 * start is moved off one after the other, until the way enters one of them or none is left. */
static bool meet_corner(const Collider *c, const WallPiece *piece, const WallPoint *touched,
                        PieceHit *hit)
{
    enum { MOST_TOUCHED = 4 };
    const mote_real slack = piece->slack, limit = slack + piece->last_slack;
    ShapeCast cast = piece->cast;
    WallPoint at = *touched;
    for (int i = 0; i < MOST_TOUCHED; ++i) {
        mote_real gap = at.distance - cast.radius;
        if (gap > slack) break;
        cast.from = vec3_madd(cast.from, 2 * slack - gap, at.normal);
        at = own_point(c, cast.from);
        bool touches = !(at.distance - cast.radius > slack);
        if (!touches || !(vec3_dot(at.normal, cast.along) < -limit)) continue;
        *hit = (PieceHit){.share = 0, .normal = at.normal};
        return true;
    }
    ShapeHit found;
    if (!cast_outside(c, &cast, &found)) return false;
    if (found.overlaps && !(vec3_dot(found.normal, cast.along) < -limit)) return false;
    *hit = (PieceHit){.share = found.time, .normal = found.normal};
    return true;
}

/* A piece that starts at or below the surface is hit at once when it goes deeper by more than
 * rounding. One that leaves a shape that is not convex may still meet another part of it. */
static bool meet_touching(const Collider *c, const WallPiece *piece, const WallPoint *at,
                          PieceHit *hit)
{
    const ShapeCast *cast = &piece->cast;
    mote_real gap = at->distance - cast->radius, slope = vec3_dot(at->normal, cast->along);
    bool deep = gap < -piece->slack;
    mote_Vec3 to = vec3_add(cast->from, cast->along);
    bool ends_inside = deep && own_distance(c, to) - cast->radius < -piece->last_slack;
    if (ends_inside || slope < -piece->slack - piece->last_slack) {
        *hit = (PieceHit){0, at->normal, gap, ends_inside};
        return true;
    }
    return !c->shape->convex && !deep && meet_corner(c, piece, at, hit);
}

/* A piece that ends on the surface has not entered. Behind a convex shape's tangent plane, what
 * comes after the touch is at most (1 - t) slope deep. */
static bool goes_deeper(const Collider *c, const WallPiece *piece, const ShapeHit *hit)
{
    mote_Vec3 along = piece->cast.along;
    mote_real rest = 1 - hit->time, limit = piece->slack + piece->last_slack;
    mote_real depth = c->shape->convex ? -vec3_dot(hit->normal, along) : vec3_length(along);
    return rest * depth > limit;
}

static bool meet_piece(const Collider *c, const WallPiece *piece, PieceHit *hit)
{
    const WallPoint at = own_point(c, piece->cast.from);
    const mote_real gap = at.distance - piece->cast.radius;
    if (!(gap > piece->slack)) return meet_touching(c, piece, &at, hit);
    ShapeHit found;
    if (gap > vec3_length(piece->cast.along)) return false;
    if (!cast_outside(c, &piece->cast, &found)) return false;
    *hit = (PieceHit){.share = found.time, .normal = found.normal};
    return goes_deeper(c, piece, &found);
}

/* The part [a, b] of the way (shares) in the collider's frame. */
static WallPiece piece_of(const Collider *c, const Way *way, mote_real a, mote_real b)
{
    mote_Vec3 from = way_at(way, a), to = way_at(way, b);
    mote_real slack = point_slack(from, way->radius), last_slack = point_slack(to, way->radius);
    if (c->posed) {
        mote_real span = way->end - way->start;
        mote_Pose first = wall_pose(c, way->start + a * span);
        mote_Pose last = wall_pose(c, way->start + b * span);
        slack += 8 * REAL_EPSILON * largest(first.position);
        last_slack += 8 * REAL_EPSILON * largest(last.position);
        from = pose_invert(&first, from), to = pose_invert(&last, to);
    }
    return (WallPiece){{from, vec3_sub(to, from), way->radius}, slack, last_slack};
}

/* Turning colliders, and the world seen from one, see a bent way. */
static int pieces_of(const Collider *c, const Way *way)
{
    mote_real angle = c->turns ? vec3_length(c->change.angular) : 0;
    if (way->frame == c || (angle == 0 && way->frame == NULL)) return 1;
    if (way->frame != NULL) angle += vec3_length(way->frame->change.angular);
    mote_real pieces = angle * (way->end - way->start) / PIECE_ANGLE;
    return pieces < MOST_PIECES ? 1 + (int)pieces : MOST_PIECES;
}

/* Where the particle is at the impact, and the normal in the world. On a long way rounding may have
 * put it inside: it is moved to the surface. */
static void place_impact(const Collider *c, const Way *way, Impact *impact)
{
    impact->centre = way_at(way, impact->share);
    if (c->posed) {
        mote_Pose pose = wall_pose(c, impact->time);
        impact->normal = pose_rotate(&pose, impact->normal);
    }
    if (impact->share == 0) return;
    mote_real gap = wall_distance(c, impact->time, impact->centre) - way->radius;
    if (gap < 0) impact->centre = vec3_madd(impact->centre, -gap, impact->normal);
}

bool wall_sweep(const Collider *c, const Way *way, Impact *impact)
{
    int pieces = pieces_of(c, way);
    mote_real step = 1 / (mote_real)pieces;
    for (int i = 0; i < pieces; ++i) {
        mote_real a = (mote_real)i * step, b = i + 1 < pieces ? a + step : 1;
        WallPiece piece = piece_of(c, way, a, b);
        PieceHit hit;
        if (!meet_piece(c, &piece, &hit)) continue;
        mote_real share = a + hit.share * (b - a);
        mote_real time = way->start + share * (way->end - way->start);
        *impact = (Impact){.collider = c, .share = share, .time = time};
        impact->normal = hit.normal, impact->gap = hit.gap, impact->inside = hit.inside;
        place_impact(c, way, impact);
        return true;
    }
    return false;
}

bool wall_end_inside(const Collider *c, const Way *way, Impact *impact)
{
    mote_real slack = way_slack(way);
    if (c->posed) slack += 8 * REAL_EPSILON * largest(c->pose.position);
    mote_real gap = wall_distance(c, way->end, way->to) - way->radius;
    if (!(gap < -slack)) return false;
    WallPoint at = wall_point(c, way->end, way->to);
    mote_real before = wall_distance(c, way->start, way->from) - way->radius;
    *impact = (Impact){c, 1, way->end, way->to, at.normal, gap, before < -slack};
    return true;
}

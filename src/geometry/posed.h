/* A shape where it stands: the shape's functions at points of the world. Points go in, and normals
 * come out, block by block through scratch planes on the stack. Inline, so that the loops are
 * compiled for the instruction set of whoever includes this. */
#ifndef GEOMETRY_POSED_H
#define GEOMETRY_POSED_H

#include "geometry/shape.h"

typedef struct PosedShape {
    const ShapeRow *row;
    const void *params; /* prepared */
    mote_Pose pose;
} PosedShape;

/* The points of one block in the shape's frame. */
typedef struct PosedBlock {
    mote_real planes[3][SCRATCH_STRIDE];
    mote_real *x[3];
} PosedBlock;

static inline size_t posed_block_size(size_t count, size_t first)
{
    return count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
}

static inline void posed_block(const PosedShape *s, size_t first, size_t count,
                               mote_real *const x[3], PosedBlock *block)
{
    mote_real *from[3];
    bool identity = pose_is_identity(&s->pose);
    for (int c = 0; c < 3; ++c) {
        from[c] = x[c] + first;
        block->x[c] = identity ? from[c] : block->planes[c];
    }
    if (!identity) pose_points_in(&s->pose, count, from, block->x);
}

static inline bool posed_near(const PosedShape *s, size_t count, mote_real *const x[3],
                              mote_real limit)
{
    PosedBlock block;
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        size_t n = posed_block_size(count, first);
        posed_block(s, first, n, x, &block);
        if (s->row->near(s->params, n, block.x, limit)) return true;
    }
    return false;
}

static inline void posed_distance(const PosedShape *s, size_t count, mote_real *const x[3],
                                  mote_real *distance)
{
    PosedBlock block;
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        size_t n = posed_block_size(count, first);
        posed_block(s, first, n, x, &block);
        s->row->distance(s->params, n, block.x, distance + first);
    }
}

/* Distance and normal; either may be NULL. `normal` may not be `x`. */
static inline void posed_surface(const PosedShape *s, size_t count, mote_real *const x[3],
                                 mote_real *distance, mote_real *const normal[3])
{
    PosedBlock block;
    bool identity = pose_is_identity(&s->pose);
    for (size_t first = 0; first < count; first += BLOCK_ROWS) {
        size_t n = posed_block_size(count, first);
        posed_block(s, first, n, x, &block);
        if (normal == NULL) {
            s->row->distance(s->params, n, block.x, distance + first);
            continue;
        }
        mote_real *out[3] = {normal[0] + first, normal[1] + first, normal[2] + first};
        if (distance == NULL)
            s->row->normal(s->params, n, block.x, out);
        else
            s->row->at(s->params, n, block.x, distance + first, out);
        if (!identity) pose_directions_out(&s->pose, n, out);
    }
}

/* For those who ask point by point: what is the same for all points is done once. */
typedef struct PosedFrame {
    PosedShape shape;
    PoseAxes axes;
    bool turned; /* axes are not the world's */
} PosedFrame;

static inline PosedFrame posed_frame(const ShapeRow *row, const void *params, mote_Pose pose)
{
    return (PosedFrame){{row, params, pose}, pose_axes(&pose), !quat_is_identity(pose.orientation)};
}

/* Distance, and the normal through the pointer: the bits of posed_surface. */
static inline mote_real posed_point(const PosedFrame *f, mote_Vec3 x, mote_Vec3 *normal)
{
    const PoseAxes *e = &f->axes;
    mote_Vec3 r = vec3_sub(x, f->shape.pose.position), n;
    if (f->turned) r = vec3(vec3_dot(e->x, r), vec3_dot(e->y, r), vec3_dot(e->z, r));
    mote_real distance, *place[3] = {&r.x, &r.y, &r.z}, *out[3] = {&n.x, &n.y, &n.z};
    f->shape.row->at(f->shape.params, 1, place, &distance, out);
    if (f->turned) n = vec3_madd(vec3_madd(vec3_scale(e->x, n.x), n.y, e->y), n.z, e->z);
    *normal = n;
    return distance;
}

static inline Aabb posed_bounds(const PosedShape *s)
{
    Aabb own = s->row->bounds(s->params);
    return aabb_posed(&own, &s->pose);
}

/* The cast and its hit are in the world. A body that moves straight is met by the cast of its
 * relative motion; one that turns needs the poses in between. */
static inline bool posed_cast_by(bool (*cast)(const void *, const ShapeCast *, ShapeHit *),
                                 const PosedShape *s, const ShapeCast *way, ShapeHit *hit)
{
    if (pose_is_identity(&s->pose)) return cast(s->params, way, hit);
    ShapeCast own = {pose_invert(&s->pose, way->from), pose_rotate_back(&s->pose, way->along),
                     way->radius};
    if (!cast(s->params, &own, hit)) return false;
    hit->point = pose_apply(&s->pose, hit->point);
    hit->normal = pose_rotate(&s->pose, hit->normal);
    return true;
}

static inline bool posed_cast(const PosedShape *s, const ShapeCast *cast, ShapeHit *hit)
{
    return posed_cast_by(s->row->cast, s, cast, hit);
}

/* See ShapeRow.cast_free. */
static inline bool posed_cast_free(const PosedShape *s, const ShapeCast *cast, ShapeHit *hit)
{
    return posed_cast_by(s->row->cast_free != NULL ? s->row->cast_free : s->row->cast, s, cast,
                         hit);
}

static inline bool posed_leave(const PosedShape *s, const ShapeCast *cast, ShapeHit *hit)
{
    return posed_cast_by(s->row->leave, s, cast, hit);
}

#endif

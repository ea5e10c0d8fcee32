/* Queries of meshes: nearest point, side, casts. Inline, for the rows of each instruction set. */
#ifndef GEOMETRY_MESH_QUERY_H
#define GEOMETRY_MESH_QUERY_H

#include "geometry/triangle.h"

/* ---- nearest point ---- */

typedef struct MeshNearest {
    mote_real distance2;
    uint32_t triangle;
    TrianglePoint at;
} MeshNearest;

typedef struct MeshStack {
    uint32_t node[TREE_STACK];
    mote_real key[TREE_STACK]; /* the node's distance squared, or its time */
    size_t depth;
} MeshStack;

static inline void mesh_try_leaf(const mote_Mesh *mesh, uint32_t first, uint32_t count, mote_Vec3 p,
                                 MeshNearest *best)
{
    for (uint32_t i = first; i < first + count; ++i) {
        TrianglePoint at = triangle_nearest(mesh->faces[i].corner, p);
        mote_Vec3 away = vec3_sub(p, at.point);
        mote_real d2 = vec3_dot(away, away);
        if (d2 < best->distance2) *best = (MeshNearest){d2, i, at};
    }
}

/* Squared distances of the four children's boxes. */
static inline void mesh_node_distances(const TreeNode *node, mote_Vec3 p, mote_real d2[TREE_WIDTH])
{
    for (int k = 0; k < TREE_WIDTH; ++k) {
        mote_real x = real_max(real_max(node->low[0][k] - p.x, p.x - node->high[0][k]), 0);
        mote_real y = real_max(real_max(node->low[1][k] - p.y, p.y - node->high[1][k]), 0);
        mote_real z = real_max(real_max(node->low[2][k] - p.z, p.z - node->high[2][k]), 0);
        d2[k] = x * x + y * y + z * z;
    }
}

/* Puts the children to be visited on the stack, the one with the least key on top. */
static inline void mesh_push(MeshStack *stack, const TreeNode *node, const mote_real *key,
                             mote_real most)
{
    size_t base = stack->depth;
    for (int k = 0; k < TREE_WIDTH; ++k) {
        if (node->count[k] != 0 || !(key[k] < most)) continue;
        size_t at = stack->depth++;
        for (; at > base && stack->key[at - 1] < key[k]; --at) {
            stack->key[at] = stack->key[at - 1];
            stack->node[at] = stack->node[at - 1];
        }
        stack->key[at] = key[k];
        stack->node[at] = node->first[k];
    }
}

static inline bool mesh_is_leaf(const TreeNode *node, int k)
{
    return node->count[k] != 0 && node->count[k] != TREE_NOTHING;
}

/* The nearest point with a squared distance below `limit2`; distance2 stays limit2 when there is
 * none. */
static inline MeshNearest mesh_nearest(const mote_Mesh *mesh, mote_Vec3 p, mote_real limit2)
{
    MeshNearest best = {limit2, 0, {p, ON_FACE}};
    MeshStack stack;
    mote_real d2[TREE_WIDTH];
    stack.node[0] = 0, stack.key[0] = 0, stack.depth = 1;
    while (stack.depth > 0) {
        --stack.depth;
        if (!(stack.key[stack.depth] < best.distance2)) continue;
        const TreeNode *node = &mesh->tree.nodes[stack.node[stack.depth]];
        mesh_node_distances(node, p, d2);
        for (int k = 0; k < TREE_WIDTH; ++k)
            if (mesh_is_leaf(node, k) && d2[k] < best.distance2)
                mesh_try_leaf(mesh, node->first[k], node->count[k], p, &best);
        mesh_push(&stack, node, d2, best.distance2);
    }
    return best;
}

/* SIDE_SURFACE: the grid does not know. */
static inline int mesh_side(const mote_Mesh *mesh, mote_Vec3 p)
{
    const MeshSides *s = &mesh->sides;
    const Aabb *box = &mesh->tree.bounds;
    if (s->cells == NULL) return SIDE_SURFACE;
    if (aabb_distance2(box, p) > 0) return SIDE_OUTSIDE;
    const mote_Vec3 at = vec3_scale(vec3_sub(p, s->low), s->scale);
    const mote_real place[3] = {at.x, at.y, at.z};
    size_t cell = 0;
    for (int c = 2; c >= 0; --c) {
        int last = s->count[c] - 1, k = place[c] > 0 ? (int)place[c] : 0;
        cell = cell * (size_t)s->count[c] + (size_t)(k < last ? k : last);
    }
    return s->cells[cell];
}

/* The pseudo-normal of the feature that holds the nearest point; of any length. */
static inline mote_Vec3 mesh_feature_normal(const mote_Mesh *mesh, const MeshNearest *near)
{
    int feature = near->at.feature;
    mote_Vec3 n = mesh->faces[near->triangle].normal;
    if (feature == ON_FACE) return n;
    if (feature < ON_EDGE)
        return mesh->vertex_normals[mesh->triangles[near->triangle][feature - ON_CORNER]];
    uint32_t other = mesh->neighbours[near->triangle][feature - ON_EDGE];
    return other == MESH_NO_NEIGHBOUR ? n : vec3_add(n, mesh->faces[other].normal);
}

/* Distance from the sheet with the side that the pseudo-normal gives, and the direction away from
 * the inside. */
static inline SurfaceAt mesh_surface_by_normals(const mote_Mesh *mesh, const MeshNearest *near,
                                                mote_Vec3 p)
{
    mote_Vec3 away = vec3_sub(p, near->at.point), n = mesh_feature_normal(mesh, near);
    mote_real length = vec3_length(away), side = vec3_dot(away, n);
    mote_real sign = side < 0 ? -(mote_real)1 : 1;
    if (near->at.feature == ON_FACE) { /* more exact than the difference */
        const MeshFace *face = &mesh->faces[near->triangle];
        return (SurfaceAt){vec3_dot(face->normal, vec3_sub(p, face->corner[0])), face->normal};
    }
    if (!(length > 0)) return (SurfaceAt){0, vec3_unit(n, vec3(0, 1, 0))};
    return (SurfaceAt){sign * length, vec3_scale(away, sign / length)};
}

/* ---- casts ---- */

/* Times at which the sphere's way enters the four children's boxes, grown by its radius; 2 when it
 * does not. `inverse` is 1 / along. */
static inline void mesh_node_times(const TreeNode *node, const ShapeCast *cast, mote_Vec3 inverse,
                                   mote_real grow, mote_real time[TREE_WIDTH])
{
    const mote_real from[3] = {cast->from.x, cast->from.y, cast->from.z};
    const mote_real by[3] = {inverse.x, inverse.y, inverse.z};
    for (int k = 0; k < TREE_WIDTH; ++k) {
        mote_real enter = 0, leave = 1;
        for (int c = 0; c < 3; ++c) {
            mote_real a = (node->low[c][k] - grow - from[c]) * by[c];
            mote_real b = (node->high[c][k] + grow - from[c]) * by[c];
            enter = real_max(enter, real_min(a, b));
            leave = real_min(leave, real_max(a, b));
        }
        time[k] = enter <= leave ? enter : 2;
    }
}

static inline mote_real inverse_of(mote_real x)
{
    const mote_real least = (mote_real)1e-30;
    return REAL_ABS(x) > least ? 1 / x : x < 0 ? -1 / least : 1 / least;
}

static inline void mesh_cast_leaf(const mote_Mesh *mesh, uint32_t first, uint32_t count,
                                  const ShapeCast *cast, ShapeHit *best)
{
    for (uint32_t i = first; i < first + count; ++i) {
        ShapeHit hit;
        if (triangle_cast(&mesh->faces[i], cast, best->time, &hit) && hit.time < best->time)
            *best = hit;
    }
}

/* The first touch of the sheet from either side; the normal points to where the sphere comes
 * from. */
static inline bool mesh_cast_sheet(const mote_Mesh *mesh, const ShapeCast *cast, ShapeHit *hit)
{
    const mote_Vec3 a = cast->along;
    const mote_Vec3 inverse = vec3(inverse_of(a.x), inverse_of(a.y), inverse_of(a.z));
    const Aabb *all = &mesh->tree.bounds;
    mote_Vec3 far = vec3_max(vec3_scale(all->low, -1), all->high);
    mote_real grow = cast->radius + 8 * REAL_EPSILON * (vec3_length(far) + cast->radius);
    MeshStack stack;
    mote_real time[TREE_WIDTH];
    ShapeHit best = {.time = (mote_real)1.5};
    stack.node[0] = 0, stack.key[0] = 0, stack.depth = 1;
    while (stack.depth > 0) {
        --stack.depth;
        if (!(stack.key[stack.depth] < best.time)) continue;
        const TreeNode *node = &mesh->tree.nodes[stack.node[stack.depth]];
        mesh_node_times(node, cast, inverse, grow, time);
        for (int k = 0; k < TREE_WIDTH; ++k)
            if (mesh_is_leaf(node, k) && time[k] < best.time)
                mesh_cast_leaf(mesh, node->first[k], node->count[k], cast, &best);
        mesh_push(&stack, node, time, best.time);
    }
    *hit = best;
    return best.time <= 1;
}

#endif

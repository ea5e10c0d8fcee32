/* Triangles of shapes that have no form but their distance. */
#include "geometry/shape_mesh.h"

/* A net of cubes (S. Gibson, "Constrained elastic surface nets", MICCAI 1998): a vertex for every
 * cube that the surface goes through, moved onto the surface, and a square for every edge. */
typedef struct ShapeNet {
    const ShapeRow *row;
    const void *params;
    mote_Vec3 low;
    mote_real cell;
    size_t nodes[3];
    mote_real *distance; /* at the nodes */
    uint32_t *vertex;    /* of the cube beyond the node */
} ShapeNet;

static mote_Vec3 net_place(const ShapeNet *net, double x, double y, double z)
{
    const mote_Vec3 steps = {(mote_real)x, (mote_real)y, (mote_real)z};
    return vec3_madd(net->low, net->cell, steps);
}

static size_t net_node(const ShapeNet *net, size_t x, size_t y, size_t z)
{
    return (z * net->nodes[1] + y) * net->nodes[0] + x;
}

static bool net_make(ShapeNet *net, const Aabb *box, Arena *arena)
{
    const mote_Vec3 size = vec3_sub(box->high, box->low);
    const mote_real sides[3] = {size.x, size.y, size.z};
    net->cell = real_max(size.x, real_max(size.y, size.z)) / SHAPE_MESH_CUBES;
    net->low = vec3_madd(box->low, -net->cell, vec3(1, 1, 1));
    size_t count = 1;
    for (int c = 0; c < 3; ++c) {
        net->nodes[c] = (size_t)(sides[c] / net->cell) + 4; /* a cube beyond it on both sides */
        count *= net->nodes[c];
    }
    net->distance = arena_take(arena, count * sizeof *net->distance);
    net->vertex = arena_take(arena, count * sizeof *net->vertex);
    if (net->distance == NULL || net->vertex == NULL) return false;
    for (size_t i = 0; i < count; ++i) {
        const size_t x = i % net->nodes[0], yz = i / net->nodes[0];
        mote_Vec3 p =
            net_place(net, (double)x, (double)(yz % net->nodes[1]), (double)(yz / net->nodes[1]));
        net->row->distance(net->params, 1, (mote_real *[3]){&p.x, &p.y, &p.z}, &net->distance[i]);
    }
    return true;
}

static bool net_inside(const ShapeNet *net, size_t x, size_t y, size_t z)
{
    return net->distance[net_node(net, x, y, z)] < 0;
}

/* The nearest place of the surface, by three steps along the normal. */
static void add_net_vertex(ShapeMesher *b, const ShapeNet *net, mote_Vec3 p)
{
    mote_Vec3 n = {0, 1, 0};
    for (int i = 0; i < 3; ++i) {
        mote_real d;
        net->row->at(net->params, 1, (mote_real *[3]){&p.x, &p.y, &p.z}, &d,
                     (mote_real *[3]){&n.x, &n.y, &n.z});
        p = vec3_madd(p, -d, n);
    }
    mesher_vertex(b, p, n);
}

/* The mean of the places where the cube's edges are cut; false when none is. */
static bool net_middle(const ShapeNet *net, const size_t cube[3], mote_Vec3 *middle)
{
    double sum[3] = {0, 0, 0}, count = 0;
    for (int edge = 0; edge < 12; ++edge) {
        const int axis = edge / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
        size_t from[3] = {cube[0], cube[1], cube[2]};
        from[u] += edge & 1, from[v] += edge >> 1 & 1;
        size_t to[3] = {from[0], from[1], from[2]};
        ++to[axis];
        const double a = (double)net->distance[net_node(net, from[0], from[1], from[2])];
        const double b = (double)net->distance[net_node(net, to[0], to[1], to[2])];
        if ((a < 0) == (b < 0)) continue;
        for (int c = 0; c < 3; ++c) sum[c] += (double)from[c] + (c == axis ? a / (a - b) : 0);
        count += 1;
    }
    if (count > 0) *middle = net_place(net, sum[0] / count, sum[1] / count, sum[2] / count);
    return count > 0;
}

static void add_net_vertices(ShapeMesher *b, ShapeNet *net)
{
    size_t at[3];
    mote_Vec3 middle;
    for (at[2] = 0; at[2] + 1 < net->nodes[2]; ++at[2])
        for (at[1] = 0; at[1] + 1 < net->nodes[1]; ++at[1])
            for (at[0] = 0; at[0] + 1 < net->nodes[0]; ++at[0]) {
                if (!net_middle(net, at, &middle)) continue;
                net->vertex[net_node(net, at[0], at[1], at[2])] = (uint32_t)b->mesh.vertex_count;
                add_net_vertex(b, net, middle);
            }
}

/* The four cubes around an edge along `axis` that the surface cuts. */
static void add_net_square(ShapeMesher *b, const ShapeNet *net, const size_t at[3], int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    size_t end[3] = {at[0], at[1], at[2]};
    ++end[axis];
    const bool inside = net_inside(net, at[0], at[1], at[2]);
    if (inside == net_inside(net, end[0], end[1], end[2])) return;
    uint32_t corner[4];
    for (int k = 0; k < 4; ++k) {
        size_t cube[3] = {at[0], at[1], at[2]};
        cube[u] -= k == 0 || k == 3, cube[v] -= k < 2;
        corner[k] = net->vertex[net_node(net, cube[0], cube[1], cube[2])];
    }
    if (!inside) {
        const uint32_t swapped = corner[1];
        corner[1] = corner[3], corner[3] = swapped;
    }
    mesher_triangle(b, corner[0], corner[1], corner[2]);
    mesher_triangle(b, corner[0], corner[2], corner[3]);
}

void mesher_net(ShapeMesher *b, const ShapeRow *row, const void *params)
{
    ShapeNet net = {.row = row, .params = params};
    const Aabb box = row->bounds(params);
    if (!aabb_is_finite(&box)) return;
    if (!net_make(&net, &box, b->arena)) {
        b->failed = true;
        return;
    }
    add_net_vertices(b, &net);
    size_t at[3];
    for (at[2] = 1; at[2] + 1 < net.nodes[2]; ++at[2])
        for (at[1] = 1; at[1] + 1 < net.nodes[1]; ++at[1])
            for (at[0] = 1; at[0] + 1 < net.nodes[0]; ++at[0])
                for (int axis = 0; axis < 3; ++axis) add_net_square(b, &net, at, axis);
}

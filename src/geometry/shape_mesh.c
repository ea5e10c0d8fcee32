/* Triangles of shapes, by the form that each row tells. */
#include "geometry/shape_mesh.h"

#include "geometry/mesh.h"
#include "geometry/shapes.h"

#define TURN 6.283185307179586 /* rad */

uint32_t mesher_vertex(ShapeMesher *b, mote_Vec3 place, mote_Vec3 normal)
{
    const size_t i = b->mesh.vertex_count++;
    if (!b->writing) return (uint32_t)i;
    b->mesh.vertices[i] = pose_apply(&b->pose, place);
    b->mesh.normals[i] = vec3_scale(pose_rotate(&b->pose, normal), b->turned ? -(mote_real)1 : 1);
    return (uint32_t)i;
}

void mesher_triangle(ShapeMesher *b, uint32_t first, uint32_t second, uint32_t third)
{
    const size_t i = b->mesh.triangle_count++;
    if (!b->writing) return;
    uint32_t *t = b->mesh.triangles[i];
    t[0] = first, t[1] = b->turned ? third : second, t[2] = b->turned ? second : third;
}

/* A face with these halves of its sides; u x v points outward. */
static void add_square(ShapeMesher *b, mote_Vec3 middle, mote_Vec3 u, mote_Vec3 v)
{
    const mote_Vec3 normal = vec3_unit(vec3_cross(u, v), vec3(0, 1, 0));
    uint32_t corner[4];
    for (int k = 0; k < 4; ++k) {
        const mote_real s = k == 1 || k == 2 ? 1 : -(mote_real)1, t = k >= 2 ? 1 : -(mote_real)1;
        corner[k] = mesher_vertex(b, vec3_madd(vec3_madd(middle, s, u), t, v), normal);
    }
    mesher_triangle(b, corner[0], corner[1], corner[2]);
    mesher_triangle(b, corner[0], corner[2], corner[3]);
}

/* ---- what is turned on a lathe about y ---- */

typedef struct LatheRing {
    mote_real radius, y;
    mote_real out, up; /* the normal, away from the axis and along it */
} LatheRing;

/* A ring without radius is one vertex. */
static uint32_t add_ring(ShapeMesher *b, const LatheRing *ring)
{
    const uint32_t first = (uint32_t)b->mesh.vertex_count;
    const int corners = ring->radius > 0 ? SHAPE_MESH_AROUND : 1;
    for (int k = 0; k < corners; ++k) {
        double s, c;
        math_sincos(TURN * k / SHAPE_MESH_AROUND, &s, &c);
        const mote_real x = (mote_real)c, z = (mote_real)s;
        mesher_vertex(b, vec3(ring->radius * x, ring->y, ring->radius * z),
                      vec3(ring->out * x, ring->up, ring->out * z));
    }
    return first;
}

static void join_rings(ShapeMesher *b, const LatheRing rings[2], const uint32_t first[2])
{
    for (uint32_t k = 0; k < SHAPE_MESH_AROUND; ++k) {
        const uint32_t next = (k + 1) % SHAPE_MESH_AROUND;
        const uint32_t low[2] = {first[0] + (rings[0].radius > 0 ? k : 0),
                                 first[0] + (rings[0].radius > 0 ? next : 0)};
        const uint32_t high[2] = {first[1] + (rings[1].radius > 0 ? k : 0),
                                  first[1] + (rings[1].radius > 0 ? next : 0)};
        if (rings[0].radius > 0) mesher_triangle(b, low[0], high[0], low[1]);
        if (rings[1].radius > 0) mesher_triangle(b, low[1], high[0], high[1]);
    }
}

/* Rings from the lower end to the upper one; two at one place are an edge. */
static void add_lathe(ShapeMesher *b, const LatheRing *rings, int count)
{
    uint32_t first[2] = {0, add_ring(b, &rings[0])};
    for (int i = 1; i < count; ++i) {
        const LatheRing *below = &rings[i - 1], *here = &rings[i];
        first[0] = first[1], first[1] = add_ring(b, here);
        if (below->radius != here->radius || below->y != here->y) join_rings(b, below, first);
    }
}

/* ---- forms ---- */

static void add_half_space(ShapeMesher *b, const ShapeForm *f)
{
    const mote_real reach = SHAPE_MESH_REACH;
    const mote_Vec3 n = vec3_unit(f->normal, vec3(0, 1, 0)), u = vec3_across(n);
    add_square(b, vec3_scale(n, f->offset), vec3_scale(u, reach),
               vec3_scale(vec3_cross(n, u), reach));
}

/* A ball is a capsule of no length. */
static void add_capsule(ShapeMesher *b, const ShapeForm *f)
{
    LatheRing rings[2 * SHAPE_MESH_RINGS + 2];
    const mote_real half = f->half.y;
    int count = 0;
    for (int i = -SHAPE_MESH_RINGS; i <= SHAPE_MESH_RINGS; ++i) {
        double s, c;
        math_sincos(TURN / 4 * i / SHAPE_MESH_RINGS, &s, &c);
        const mote_real up = (mote_real)s;
        const mote_real out = i * i == SHAPE_MESH_RINGS * SHAPE_MESH_RINGS ? 0 : (mote_real)c;
        const mote_real middle = i > 0 ? half : -half;
        rings[count++] = (LatheRing){f->radius * out, middle + f->radius * up, out, up};
        if (i == 0 && half > 0) rings[count++] = (LatheRing){f->radius, half, out, up};
    }
    add_lathe(b, rings, count);
}

static void add_cylinder(ShapeMesher *b, const ShapeForm *f)
{
    const mote_real r = f->half.x, h = f->half.y;
    const LatheRing rings[] = {{0, -h, 0, -1}, {r, -h, 0, -1}, {r, -h, 1, 0},
                               {r, h, 1, 0},   {r, h, 0, 1},   {0, h, 0, 1}};
    add_lathe(b, rings, sizeof rings / sizeof rings[0]);
}

static mote_real cut(mote_real half)
{
    return half < AABB_ENDLESS ? half : SHAPE_MESH_REACH;
}

/* Where a box has no end, it has no face. */
static void add_box(ShapeMesher *b, const ShapeForm *f)
{
    const mote_real half[3] = {f->half.x, f->half.y, f->half.z};
    const mote_Vec3 axis[3] = {vec3(cut(half[0]), 0, 0), vec3(0, cut(half[1]), 0),
                               vec3(0, 0, cut(half[2]))};
    for (int k = 0; k < 3; ++k) {
        const mote_Vec3 u = axis[(k + 1) % 3], v = axis[(k + 2) % 3];
        if (!(half[k] < AABB_ENDLESS)) continue;
        add_square(b, axis[k], u, v);
        add_square(b, vec3_scale(axis[k], -1), v, u);
    }
}

static void add_polytope(ShapeMesher *b, const ShapeForm *f)
{
    for (size_t i = 0; i < f->mesh->triangle_count; ++i) {
        const MeshFace *face = &f->mesh->faces[i];
        uint32_t corner[3];
        for (int k = 0; k < 3; ++k) corner[k] = mesher_vertex(b, face->corner[k], face->normal);
        mesher_triangle(b, corner[0], corner[1], corner[2]);
    }
}

static void add_mesh(ShapeMesher *b, const mote_Mesh *mesh)
{
    const uint32_t first = (uint32_t)b->mesh.vertex_count;
    for (size_t i = 0; i < mesh->vertex_count; ++i)
        mesher_vertex(b, mesh->vertices[i], mesh->vertex_normals[i]);
    for (size_t i = 0; i < mesh->triangle_count; ++i) {
        const uint32_t *t = mesh->triangles[i];
        mesher_triangle(b, first + t[0], first + t[1], first + t[2]);
    }
}

static void (*const cores[CORES])(ShapeMesher *b, const ShapeForm *form) = {
    [CORE_HALF_SPACE] = add_half_space, [CORE_POINT] = add_capsule,
    [CORE_SEGMENT] = add_capsule,       [CORE_BOX] = add_box,
    [CORE_CYLINDER] = add_cylinder,     [CORE_POLYTOPE] = add_polytope};

/* ---- shapes within shapes ---- */

static void add_shape(ShapeMesher *b, const ShapeRow *row, const void *params);

static void add_parts(ShapeMesher *b, const mote_Shapes *shapes)
{
    const mote_Pose outer = b->pose;
    for (size_t i = 0; i < shapes->count; ++i) {
        const PosedShape *part = &shapes->parts[i];
        b->pose = pose_product(&outer, &part->pose);
        add_shape(b, part->row, part->params);
    }
    b->pose = outer;
}

static void add_shape(ShapeMesher *b, const ShapeRow *row, const void *params)
{
    const ShapeForm form = shape_form(row, params);
    if (form.parts != NULL) add_parts(b, form.parts);
    if (form.hollow != NULL) {
        b->turned = !b->turned;
        add_parts(b, form.hollow);
        b->turned = !b->turned;
    }
    if (cores[form.core] != NULL)
        cores[form.core](b, &form);
    else if (form.mesh != NULL)
        add_mesh(b, form.mesh);
    else if (form.parts == NULL && form.hollow == NULL)
        mesher_net(b, row, params);
}

bool shape_mesh(const ShapeRow *row, const void *params, Arena *arena, ShapeMesh *mesh)
{
    ShapeMesher b = {.pose = pose_identity(), .arena = arena};
    add_shape(&b, row, params);
    const size_t vertices = b.mesh.vertex_count + 1, triangles = b.mesh.triangle_count + 1;
    b.mesh = (ShapeMesh){.vertices = arena_take(arena, vertices * sizeof *mesh->vertices),
                         .normals = arena_take(arena, vertices * sizeof *mesh->normals),
                         .triangles = arena_take(arena, triangles * sizeof *mesh->triangles)};
    *mesh = b.mesh;
    if (mesh->vertices == NULL || mesh->normals == NULL || mesh->triangles == NULL) return false;
    b.writing = true;
    add_shape(&b, row, params);
    *mesh = b.mesh;
    return !b.failed;
}

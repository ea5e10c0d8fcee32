/* Shapes as triangles: their corners lie on the shape, their normals are those of its surface, and
 * they enclose its volume, turned outward. The distances and measures of the rows are the judge. */
#include "geometry/sampled_shape.h"
#include "geometry/shape_mesh.h"

static const mote_PlaneShape plane = {{(mote_real)0.6, (mote_real)0.8, 0}, (mote_real)0.25};
static const mote_SphereShape sphere = {(mote_real)0.7};
static const mote_BoxShape box = {{1, 2, (mote_real)0.5}};
static const mote_BoxShape endless = {{1, 0, 1}};
static const mote_CapsuleShape capsule = {(mote_real)0.4, (mote_real)1.5};
static const mote_TorusShape torus = {(mote_real)0.8, (mote_real)0.3};
static const mote_CylinderShape cylinder = {(mote_real)0.6, (mote_real)1.3};

typedef struct Meshed {
    Memory memory;
    Arena arena;
    ShapeMesh mesh;
    Sampled shape;
} Meshed;

static void meshed_make(Meshed *m, const char *type, const void *params)
{
    m->memory = memory_make(mote_default_allocator());
    m->arena = arena_make(&m->memory);
    m->shape = (Sampled){shape_named(type), params, type, NULL};
    CHECK(shape_mesh(m->shape.row, params, &m->arena, &m->mesh));
}

static void meshed_end(Meshed *m)
{
    arena_free(&m->arena);
    CHECK(m->memory.bytes == 0);
}

static mote_Vec3 corner(const Meshed *m, size_t triangle, int k)
{
    return m->mesh.vertices[m->mesh.triangles[triangle][k]];
}

static double volume(const Meshed *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->mesh.triangle_count; ++i)
        sum += (double)vec3_dot(corner(m, i, 0), vec3_cross(corner(m, i, 1), corner(m, i, 2))) / 6;
    return sum;
}

/* A little outward from the middle of a triangle the shape's own normal is the triangle's. */
static void check_triangle(const Meshed *m, size_t i)
{
    const mote_Vec3 a = corner(m, i, 0), u = vec3_sub(corner(m, i, 1), a),
                    v = vec3_sub(corner(m, i, 2), a);
    const mote_Vec3 flat = vec3_unit(vec3_cross(u, v), vec3(0, 0, 0));
    const mote_Vec3 middle = vec3_madd(a, (mote_real)(1.0 / 3), vec3_add(u, v));
    const mote_Vec3 own = normal_at(&m->shape, vec3_madd(middle, (mote_real)0.05, flat));
    CHECK_AT((double)vec3_dot(flat, own) > 0.98, &m->shape, middle);
    for (int k = 0; k < 3; ++k) {
        const mote_Vec3 n = m->mesh.normals[m->mesh.triangles[i][k]];
        CHECK_AT((double)vec3_dot(flat, n) > 0.95, &m->shape, middle);
    }
}

static void check_shape(const char *type, const void *params, double part_of_volume)
{
    Meshed m;
    ShapeMeasure measure = {0};
    meshed_make(&m, type, params);
    CHECK(m.mesh.triangle_count > 0);
    for (size_t i = 0; i < m.mesh.vertex_count; ++i) {
        CHECK_AT(fabs(distance_at(&m.shape, m.mesh.vertices[i])) < 10 * FINE, &m.shape,
                 m.mesh.vertices[i]);
        CHECK_NEAR(vec3_length(m.mesh.normals[i]), 1, FINE);
    }
    for (size_t i = 0; i < m.mesh.triangle_count; ++i) check_triangle(&m, i);
    if (part_of_volume > 0) {
        m.shape.row->measure(params, &measure);
        const double part = volume(&m) / measure.volume;
        CHECK(part > part_of_volume && part < 1 + FINE);
    }
    meshed_end(&m);
}

static void simple_shapes(void)
{
    check_shape("box", &box, 1 - FINE);
    check_shape("sphere", &sphere, 0.97);
    check_shape("capsule", &capsule, 0.97);
    check_shape("cylinder", &cylinder, 0.99); /* (32 / 2 pi) sin(2 pi / 32) = 0.9936 */
    check_shape("torus", &torus, 0.97);
    check_shape("plane", &plane, 0);
    check_shape("box", &endless, 0);
}

/* The same shapes, moved and turned, as parts of one; and what is outside of one. */
static void shapes_within_shapes(void)
{
    mote_ShapeDef defs[2] = {
        {"box", &box, mote_pose_turned((mote_Vec3){3, 0, 0}, (mote_Vec3){1, 2, 3})},
        {"sphere", &sphere, mote_pose_turned((mote_Vec3){-3, 1, 0}, (mote_Vec3){0, 0, 0})}};
    mote_Shapes *both, *one;
    mote_Error error;
    Meshed m;
    CHECK_OK(mote_shapes_create(defs, 2, mote_default_allocator(), &both, &error), error);
    CHECK_OK(mote_shapes_create(defs, 1, mote_default_allocator(), &one, &error), error);
    check_shape("compound", &(mote_CompoundShape){both}, 0.97);
    meshed_make(&m, "inverted", &(mote_InvertedShape){one});
    CHECK(m.mesh.triangle_count == 12);
    CHECK_NEAR(volume(&m), -1, 20 * FINE);
    meshed_end(&m);
    mote_shapes_release(both);
    mote_shapes_release(one);
}

/* A file's mesh keeps its triangles; a hull has flat faces. */
static void meshes(void)
{
    static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    mote_MeshDef def = mote_mesh_def();
    def.vertices = corners, def.vertex_count = 4;
    def.triangles = faces, def.triangle_count = 4;
    mote_Mesh *mesh;
    mote_Error error;
    Meshed m;
    CHECK_OK(mote_mesh_create(&def, &mesh, &error), error);
    meshed_make(&m, "mesh", &(mote_MeshShape){mesh, MOTE_INSIDE_CLOSED});
    CHECK(m.mesh.vertex_count == 4 && m.mesh.triangle_count == 4);
    CHECK_NEAR(volume(&m), 1.0 / 6, FINE);
    meshed_end(&m);
    check_shape("convex", &(mote_ConvexShape){mesh}, 1 - 10 * FINE);
    mote_mesh_release(mesh);
}

TESTS({"simple_shapes", simple_shapes}, {"shapes_within_shapes", shapes_within_shapes},
      {"meshes", meshes})

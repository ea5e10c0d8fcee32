/* OBJ, PLY and STL: what is read, and what hostile files get for an answer. */
#include "failing.h"
#include "geometry/meshes.h"

#include <stdarg.h>

static TestMesh data;

typedef struct Text {
    char bytes[200000];
    size_t size;
} Text;

static Text text;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(text.bytes + text.size, sizeof text.bytes - text.size, format, arguments);
    va_end(arguments);
    text.size += (size_t)length;
}

static void add_bytes(const void *bytes, size_t size, bool swapped)
{
    for (size_t i = 0; i < size; ++i)
        text.bytes[text.size + i] = ((const char *)bytes)[swapped ? size - 1 - i : i];
    text.size += size;
}

static mote_Status parse(const char *name, mote_Mesh **mesh, mote_Error *error)
{
    return mote_mesh_parse(text.bytes, text.size, name, 1, (mote_Allocator){0}, mesh, error);
}

static void check_cube(const char *name)
{
    mote_Mesh *mesh;
    mote_Error error;
    mote_Status status = parse(name, &mesh, &error);
    CHECK_OK(status, error);
    if (status != MOTE_OK) return;
    const mote_MeshFacts *f = mote_mesh_facts(mesh);
    CHECK(f->closed && f->convex && f->vertices == 8 && f->triangles == 12);
    CHECK_NEAR(f->volume, 6, 1e-5);
    CHECK(f->low[0] == -0.5 && f->high[2] == 1.5);
    mote_mesh_release(mesh);
}

static void obj_is_read(void)
{
    test_cube(&data, 1, 2, 3);
    text.size = 0;
    add("# a cube\r\nmtllib x.mtl\r\no cube\r\n");
    for (size_t i = 0; i < 8; ++i)
        add("v %g %g \\\n %g\n", data.vertices[i][0], data.vertices[i][1], data.vertices[i][2]);
    add("vn 0 0 1\nvt 0 0\ng side\nusemtl m\n");
    for (size_t i = 0; i < 12; ++i) {
        const uint32_t *t = data.triangles[i];
        if (i % 2 == 0)
            add("f %u/1/1 %u//1 %u # corners\n", t[0] + 1, t[1] + 1, t[2] + 1);
        else
            add("f %d %d %d\n", (int)t[0] - 8, (int)t[1] - 8, (int)t[2] - 8);
    }
    check_cube("cube.OBJ");
}

static void polygons_are_read(void)
{
    text.size = 0;
    add("v -.5 -1 -1.5\nv .5 -1 -1.5\nv -.5 1 -1.5\nv .5 1 -1.5\n"
        "v -.5 -1 1.5\nv .5 -1 1.5\nv -.5 1 1.5\nv .5 1 1.5\n"
        "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6");
    check_cube("cube.obj");
}

static void write_ply_head(const char *format)
{
    text.size = 0;
    add("ply\nformat %s 1.0\ncomment made here\nelement vertex 8\nproperty uchar red\n"
        "property double z\nproperty float x\nproperty float y\nproperty list uchar short extra\n"
        "element other 2\nproperty int a\nelement face 12\n"
        "property list uchar uint vertex_indices\nproperty char flag\nend_header\n",
        format);
}

static void text_ply_is_read(void)
{
    test_cube(&data, 1, 2, 3);
    write_ply_head("ascii");
    for (size_t i = 0; i < 8; ++i)
        add("255 %g %g %g 2 7 8\n", data.vertices[i][2], data.vertices[i][0], data.vertices[i][1]);
    add("1\n2\n");
    for (size_t i = 0; i < 12; ++i)
        add("3 %u %u %u -1\n", data.triangles[i][0], data.triangles[i][1], data.triangles[i][2]);
    check_cube("cube.ply");
}

static void write_binary_ply(bool big)
{
    test_cube(&data, 1, 2, 3);
    write_ply_head(big ? "binary_big_endian" : "binary_little_endian");
    for (size_t i = 0; i < 8; ++i) {
        float x = (float)data.vertices[i][0], y = (float)data.vertices[i][1];
        short extra = -3;
        add_bytes("\xff", 1, false), add_bytes(&data.vertices[i][2], 8, big);
        add_bytes(&x, 4, big), add_bytes(&y, 4, big);
        add_bytes("\1", 1, false), add_bytes(&extra, 2, big);
    }
    add_bytes("12345678", 8, false);
    for (size_t i = 0; i < 12; ++i) {
        add_bytes("\3", 1, false);
        for (int k = 0; k < 3; ++k) add_bytes(&data.triangles[i][k], 4, big);
        add_bytes("x", 1, false);
    }
}

static void binary_ply_is_read(void)
{
    write_binary_ply(false);
    check_cube("cube");
    write_binary_ply(true);
    check_cube("cube");
}

static void text_stl_is_read(void)
{
    test_cube(&data, 1, 2, 3);
    text.size = 0;
    add("solid cube\n");
    for (size_t i = 0; i < 12; ++i) {
        add("  facet normal 0 0 0\n    outer loop\n");
        for (int k = 0; k < 3; ++k) {
            const double *v = data.vertices[data.triangles[i][k]];
            add("      vertex %e %e %e\n", v[0], v[1], v[2]);
        }
        add("    endloop\n  endfacet\n");
    }
    add("endsolid cube\n");
    check_cube("cube.stl");
}

static void write_binary_stl(void)
{
    static const char head[80] = "solid but binary"; /* some programs write this */
    uint32_t count = 12;
    test_cube(&data, 1, 2, 3);
    text.size = 0;
    add_bytes(head, 80, false), add_bytes(&count, 4, false);
    for (size_t i = 0; i < 12; ++i) {
        float record[12] = {0, 0, 1};
        for (int k = 0; k < 9; ++k)
            record[3 + k] = (float)data.vertices[data.triangles[i][k / 3]][k % 3];
        add_bytes(record, 48, false), add_bytes("\0\0", 2, false);
    }
}

static void binary_stl_is_read(void)
{
    write_binary_stl();
    check_cube("cube.stl");
}

/* ---- hostile files ---- */

static void faults_are_named(void)
{
    static const struct {
        const char *name, *bytes, *message;
    } cases[] = {
        {"a.obj", "v 0 0\nf 1 2 3\n", "a.obj, line 1: a coordinate is missing"},
        {"a.obj", "v 0 0 zero\n", "line 1: `zero` is no number"},
        {"a.obj", "v 0 0 nan\n", "line 1: `nan` is no number"},
        {"a.obj", "v 0 0 0\nf 1 2 3\n", "line 2: `2` is none of the 1 vertices so far"},
        {"a.obj", "v 0 0 0\n\nf 0 1 1\n", "line 3: `0` is none"},
        {"a.obj", "v 0 0 0\nf -2 1 1\n", "line 2: `-2` is none"},
        {"a.obj", "v 0 0 0\nf 1 1\n", "line 2: a face has 2 corners"},
        {"a.obj", "v 0 0 0\nf 99999999999999999999 1 1\n", "is none of"},
        {"a.obj", "", "a.obj: mesh: it has no triangles"},
        {"a.obj", "v 1 2 3\nv 1 2 3\nv 4 5 6\nf 1 2 3\n", "no triangle with an area (1 without)"},
        {"a.xyz", "1 2 3\n", "a.xyz: it is no OBJ, PLY or STL file"},
        {"a.ply", "hello", "does not start with `ply`"},
        {"a.ply", "ply\nformat ascii 1.0\n", "end_header is missing"},
        {"a.ply", "ply\nelement vertex 1\nend_header\n", "does not say a format"},
        {"a.ply", "ply\nformat sideways 1.0\nend_header\n", "line 2: unknown format `sideways`"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", "whole number"},
        {"a.ply", "ply\nformat ascii 1.0\nproperty float x\nend_header\n", "without an element"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\n"
         "property list uchar int vertex_indices\nend_header\n3 0 1 2 3 0 1 2\n",
         "line 5: `vertex_indices` is the second such list of `face`"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty blob x\nend_header\n",
         "known type"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
         "must have an element vertex with x, y, z"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 3999999999\nproperty float x\nproperty float y\n"
         "property float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n1 2 "
         "3\n",
         "a value is missing"},
        {"a.ply",
         "ply\nformat binary_little_endian 1.0\nelement vertex 3999999999\nproperty float x\n"
         "property float y\nproperty float z\nelement face 1\nproperty list uint int "
         "vertex_index\nend_header\n12345678",
         "it is cut off"},
        {"a.stl", "solid\nfacet\nvertex 1 2 3\nendfacet\n", "line 4: a facet has 1 corners"},
        {"a.stl", "solid\nvertex 1 2 3\n", "it is cut off"},
        {"a.stl", "solid\nvertex 1 2 x\n", "line 2: `x` is no number"},
        {"a.stl", "short", "too short"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        mote_Mesh *mesh;
        mote_Error error;
        text.size = 0;
        add("%s", cases[i].bytes);
        CHECK(parse(cases[i].name, &mesh, &error) == MOTE_BAD_VALUE && mesh == NULL);
        CHECK_MESSAGE(error, cases[i].message);
    }
}

/* Every prefix, and single changed bytes: an answer, never a crash. */
static void damaged_files_are_survived(void)
{
    static Text whole;
    uint64_t state = 5;
    for (int kind = 0; kind < 3; ++kind) {
        if (kind == 2) write_binary_stl();
        if (kind < 2) write_binary_ply(kind == 1);
        whole = text;
        for (int i = 0; i < 600; ++i) {
            mote_Mesh *mesh;
            mote_Error error;
            text = whole;
            if (i % 2 == 0) text.size = setup_bits(&state) % whole.size;
            if (i % 2 == 1) text.bytes[setup_bits(&state) % whole.size] = (char)setup_bits(&state);
            (void)parse("cube.stl", &mesh, &error);
            mote_mesh_release(mesh);
        }
    }
}

static void lack_of_memory_is_survived(void)
{
    write_binary_stl();
    for (uint64_t fail = 0; fail < 60; ++fail) {
        Failing failing = {.fail_at = fail};
        mote_Mesh *mesh;
        mote_Error error;
        mote_Status status = mote_mesh_parse(text.bytes, text.size, "a.stl", 1,
                                             failing_allocator(&failing), &mesh, &error);
        CHECK(status == MOTE_OK || (status == MOTE_NO_MEMORY && mesh == NULL));
        mote_mesh_release(mesh);
        CHECK(failing.bytes == 0);
    }
}

static void coordinates_are_scaled(void)
{
    mote_Mesh *mesh;
    mote_Error error;
    write_binary_stl();
    SETUP_OK(mote_mesh_parse(text.bytes, text.size, "a", 0.5, (mote_Allocator){0}, &mesh, &error),
             error);
    CHECK_NEAR(mote_mesh_facts(mesh)->volume, 0.75, 1e-6);
    mote_mesh_release(mesh);
}

TESTS({"obj_is_read", obj_is_read}, {"polygons_are_read", polygons_are_read},
      {"text_ply_is_read", text_ply_is_read}, {"binary_ply_is_read", binary_ply_is_read},
      {"text_stl_is_read", text_stl_is_read}, {"binary_stl_is_read", binary_stl_is_read},
      {"faults_are_named", faults_are_named},
      {"damaged_files_are_survived", damaged_files_are_survived},
      {"lack_of_memory_is_survived", lack_of_memory_is_survived},
      {"coordinates_are_scaled", coordinates_are_scaled})

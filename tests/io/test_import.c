/* Particles from files of other programs, good and bad; surfaces as files and in frames. */
#include "io/import.h"

#include "failing.h"
#include "setup.h"

#include <mote/mesh.h>

#include <stdlib.h>
#include <unistd.h>

static mote_Status parse(const char *text, size_t size, const char *name, mote_Frame **frame,
                         mote_Error *error)
{
    char *bytes = malloc(size + 1); /* so that reading beyond it shows */
    memcpy(bytes, text, size);
    bytes[size] = '\0';
    mote_Status status =
        import_parse((ImportBytes){bytes, size}, name, (mote_Allocator){0}, frame, error);
    free(bytes);
    return status;
}

static double value(const mote_Frame *frame, const char *column, int component, size_t row)
{
    const mote_Column *found = mote_frame_column(&frame->systems[0], column);
    if (found == NULL) return (double)NAN;
    return (double)((const mote_real *)found->data)[(size_t)component * found->stride + row];
}

static void check_good(const char *text, size_t size, const char *name, double radius)
{
    mote_Frame *frame;
    mote_Error error = {0};
    mote_Status status = parse(text, size, name, &frame, &error);
    CHECK_OK(status, error);
    if (status != MOTE_OK) return;
    CHECK(frame->system_count == 1 && frame->systems[0].count == 2);
    for (size_t i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(value(frame, "position", k, i), i == 0 ? k + 1 : -0.5 * (k + 1), 1e-6);
    if (radius > 0) CHECK_NEAR(value(frame, "radius", 0, 1), radius, 1e-6);
    if (radius == 0) CHECK(mote_frame_column(&frame->systems[0], "radius") == NULL);
    mote_frame_destroy(frame);
}

#define GOOD(name, radius, text) check_good(text, sizeof(text) - 1, name, radius)

static void reads_text(void)
{
    GOOD("a.csv", 0, "x,y,z\n1,2,3\n-0.5,-1,-1.5\n");
    GOOD("a.csv", 0.25, "id;Radius;Z;Y;X\r\n7;0.5;3;2;1\r\n8;0.25;-1.5;-1;-5e-1\r\n");
    GOOD("a.csv", 0.25, /* as exports are */
         "id,position_x [m],position_y [m],position_z [m],velocity_x [m/s],radius [m]\n"
         "0,1,2,3,9,0.5\n1,-0.5, -1 ,-1.5,9,0.25\n");
    GOOD("a.csv", 0, "# a comment\n\n 1 2\t3 \n-.5 -1 -1.5");
    GOOD("a.txt", 0.5, "1, 2, 3, 0.5\n-0.5, -1, -1.5, 0.5\n");
    GOOD("a.csv", 0, "\"Points:0\",\"Points:1\",\"Points:2\"\n1,2,3\n-0.5,-1,-1.5\n");
    GOOD("a.xyz", 0, "2\nwater 1 2 3\nO 1 2 3\nH -0.5 -1 -1.5 9 9\n");
    GOOD("a.xyz", 0, "1 2 3\n-0.5 -1 -1.5\n");
}

static void reads_ply(void)
{
    GOOD(
        "a.ply", 0.25,
        "ply\nformat ascii 1.0\ncomment x\nelement vertex 2\nproperty float x\nproperty float y\n"
        "property float z\nproperty uchar red\nproperty double pscale\nelement face 0\n"
        "property list uchar int vertex_indices\nend_header\n1 2 3 255 0.5\n-0.5 -1 -1.5 0 0.25\n");
    const char head[] = "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty short x\n"
                        "property short y\nproperty short z\nend_header\n";
    char file[sizeof head + 12];
    memcpy(file, head, sizeof head - 1);
    const unsigned char rows[] = {0, 1, 0, 2, 0, 3, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xfd};
    memcpy(file + sizeof head - 1, rows, sizeof rows);
    mote_Frame *frame;
    mote_Error error = {0};
    CHECK_OK(parse(file, sizeof head - 1 + sizeof rows, "a.ply", &frame, &error), error);
    CHECK_NEAR(value(frame, "position", 2, 0), 3, 0);
    CHECK_NEAR(value(frame, "position", 1, 1), -2, 0);
    mote_frame_destroy(frame);
}

static void bad_text(void)
{
    static const struct {
        const char *name, *text, *message;
    } cases[] = {
        {"a.csv", "a,b\n1,2\n", "columns x, y and z are needed"},
        {"a.csv", "", "columns x, y and z are needed"},
        {"a.csv", "x,y,z\n1,2\n", "line 2: there are too few numbers"},
        {"a.csv", "x,y,z\n1,2,bad\n", "line 2: expected a number, found `bad`"},
        {"a.xyz", "5\ncomment\nO 1 2\n", "line 3: there are too few numbers"},
        {"a.ply", "ply\nformat ascii 1.0\n", "end_header is missing"},
        {"a.ply", "ply\nformat xml 1.0\n", "unknown format"},
        {"a.ply", "ply\nformat ascii 1.0\nelement face 3\nelement vertex 1\nend_header\n",
         "columns x, y and z are needed"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex -1\n", "whole number"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar int x\nend_header\n",
         "columns x, y and z are needed"},
        {"a.ply",
         "ply\nformat binary_little_endian 1.0\nelement vertex 99999999\nproperty float x\n"
         "property float y\nproperty float z\nend_header\n0123456789ab",
         "it is cut off"},
        {"a.npz", "PK\3\4 but no archive", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        mote_Frame *frame;
        mote_Error error = {0};
        CHECK(parse(cases[i].text, strlen(cases[i].text), cases[i].name, &frame, &error) !=
              MOTE_OK);
        CHECK(frame == NULL);
        CHECK_MESSAGE(error, cases[i].message);
    }
}

/* ---- surfaces ---- */

static const mote_Vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const mote_Vec3 normals[4] = {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t tetrahedron[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static mote_FrameSurface make_surface(void)
{
    return (mote_FrameSurface){.name = "water",
                               .vertices = corners,
                               .normals = normals,
                               .vertex_count = 4,
                               .triangles = tetrahedron,
                               .triangle_count = 4};
}

static bool same_surface(const mote_FrameSurface *a, const mote_FrameSurface *b)
{
    return strcmp(a->name, b->name) == 0 && a->system == b->system && a->vertex_count == 4 &&
           b->vertex_count == 4 && a->triangle_count == b->triangle_count &&
           memcmp(a->vertices, b->vertices, sizeof corners) == 0 &&
           memcmp(a->normals, b->normals, sizeof normals) == 0 &&
           memcmp(a->triangles, b->triangles, sizeof tetrahedron) == 0;
}

/* A surface goes through copy and file; its hash tells it apart. */
static void surfaces_in_frames(void)
{
    mote_FrameSurface surface = make_surface();
    mote_FrameSystem system = {.name = "water"};
    mote_Frame frame = {.dimension = 3,
                        .up_axis = 1,
                        .systems = &system,
                        .system_count = 1,
                        .surfaces = &surface,
                        .surface_count = 1};
    mote_Frame *copy, *read;
    mote_Error error = {0};
    char path[64];
    snprintf(path, sizeof path, "import-surface-%d.npz", (int)getpid());
    CHECK_OK(mote_frame_copy(&frame, &copy, &error), error);
    CHECK(copy->surface_count == 1 && same_surface(&copy->surfaces[0], &surface));
    CHECK(mote_frame_hash(copy) == mote_frame_hash(&frame));
    CHECK_OK(mote_frame_write(&frame, path, NULL, &error), error);
    CHECK_OK(mote_frame_read(path, &read, &error), error);
    CHECK(read->surface_count == 1 && same_surface(&read->surfaces[0], &surface));
    CHECK(mote_frame_hash(read) == mote_frame_hash(&frame));
    mote_frame_destroy(read);
    frame.surface_count = 0;
    CHECK(mote_frame_hash(copy) != mote_frame_hash(&frame));
    mote_frame_destroy(copy);
    remove(path);
    /* a corner that does not exist is not believed */
    uint32_t wrong[12];
    memcpy(wrong, tetrahedron, sizeof wrong);
    wrong[5] = 4;
    surface.triangles = wrong, frame.surface_count = 1;
    CHECK_OK(mote_frame_write(&frame, path, NULL, &error), error);
    CHECK(mote_frame_read(path, &read, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "a corner that is none");
    remove(path);
}

static void surfaces_as_meshes(void)
{
    static const char *const endings[] = {".ply", ".obj"};
    mote_FrameSurface surface = make_surface();
    mote_Error error = {0};
    for (size_t i = 0; i < 2; ++i) {
        char path[64], bytes[4096];
        mote_Mesh *mesh;
        snprintf(path, sizeof path, "import-mesh-%d%s", (int)getpid(), endings[i]);
        CHECK_OK(mote_surface_write(&surface, path, &error), error);
        FILE *file = fopen(path, "rb");
        size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
        if (file != NULL) fclose(file);
        CHECK_OK(mote_mesh_parse(bytes, size, path, 1, (mote_Allocator){0}, &mesh, &error), error);
        CHECK(mote_mesh_facts(mesh)->closed && !mote_mesh_facts(mesh)->inverted);
        CHECK_NEAR(mote_mesh_facts(mesh)->volume, 1.0 / 6, 1e-6);
        mote_mesh_release(mesh);
        remove(path);
    }
    CHECK(mote_surface_write(&surface, "a.stl", &error) == MOTE_BAD_VALUE);
}

TESTS({"reads text", reads_text}, {"reads ply", reads_ply}, {"bad text", bad_text},
      {"surfaces in frames", surfaces_in_frames}, {"surfaces as meshes", surfaces_as_meshes})

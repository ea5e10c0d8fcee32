/* Parts of frames: shapes and surfaces as files, names, colours, another axis up. */
#include "sample.h"

#include "geometry/shape.h"
#include "io/export.h"

enum { ROWS = 300 };

static const mote_BoxShape crate = {{1, 2, (mote_real)0.5}};

/* A crate that is turned by 90 degrees about z, moves and turns. */
static mote_FrameShape crate_shape(const char *name)
{
    return (mote_FrameShape){.name = name,
                             .type = "box",
                             .params = &crate,
                             .position = {10, 20, 30},
                             .orientation = {0, 0, sqrt(0.5), sqrt(0.5)},
                             .velocity = {1, 2, 3},
                             .spin = {0, 0, 2},
                             .row = &shape_named("box")->head,
                             .body = true};
}

static Sample *sample_with_crate(const char *name)
{
    Sample *sample = sample_make(ROWS);
    sample->shapes[0] = crate_shape(name);
    sample->frame.shape_count = 1;
    return sample;
}

/* ---- shapes ---- */

static void bodies_are_triangles(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_with_crate("crate");
    const char *path = folder_file(&folder, "crate.obj");
    double v[3], low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    int faces = 0, normals = 0;
    size_t size;
    mote_Error error;
    CHECK_OK(mote_export("obj", &sample->frame, "crate", path, &error), error);
    char *bytes = file_bytes(path, &size);
    for (char *line = bytes; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1) {
        faces += line[0] == 'f', normals += line[0] == 'v' && line[1] == 'n';
        if (sscanf(line, "v %lf %lf %lf", &v[0], &v[1], &v[2]) != 3) continue;
        for (int c = 0; c < 3; ++c) low[c] = fmin(low[c], v[c]), high[c] = fmax(high[c], v[c]);
    }
    CHECK(faces == 12 && normals == 24);
    static const double half[3] = {1, 0.5, 0.25};
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(low[c], 10 * (c + 1) - half[c], 1e-5);
        CHECK_NEAR(high[c], 10 * (c + 1) + half[c], 1e-5);
    }
    free(bytes);
    sample_free(sample);
    folder_remove(&folder);
}

typedef struct Made {
    Memory memory;
    Arena arena;
    Part part;
} Made;

static void made_begin(Made *made, const mote_Frame *frame, const char *name, const PartView *view)
{
    Part *parts;
    size_t count, i = 0;
    made->memory = memory_make(mote_default_allocator());
    made->arena = arena_make(&made->memory);
    CHECK(parts_list(frame, &made->arena, &parts, &count));
    while (i + 1 < count && strcmp(parts[i].name, name) != 0) ++i;
    CHECK(strcmp(parts[i].name, name) == 0);
    made->part = parts[i];
    CHECK(part_make(frame, view, &made->part, &made->arena));
}

static void made_end(Made *made)
{
    arena_free(&made->arena);
    CHECK(made->memory.bytes == 0);
}

static double value(const Made *made, const char *column, int component, size_t row)
{
    return column_value(mote_frame_column(&made->part.points, column), component, row);
}

/* v + w x (x - middle), with w = 2 about z. */
static void corners_have_velocities(void)
{
    Sample *sample = sample_with_crate("crate");
    const PartView view = {.up = -1};
    Made made;
    made_begin(&made, &sample->frame, "crate", &view);
    CHECK(part_place(&made.part, &made.arena));
    for (size_t i = 0; i < made.part.points.count; ++i) {
        CHECK_NEAR(value(&made, "velocity", 0, i), 1 - 2 * (value(&made, "position", 1, i) - 20),
                   1e-4);
        CHECK_NEAR(value(&made, "velocity", 1, i), 2 + 2 * (value(&made, "position", 0, i) - 10),
                   1e-4);
        CHECK_NEAR(value(&made, "velocity", 2, i), 3, 1e-6);
    }
    made_end(&made);
    sample_free(sample);
}

/* ---- another axis up ---- */

/* (x, y, z) with y up is (x, -z, y) with z up; lengths and speeds are scaled, nothing else. */
static void systems_turn(void)
{
    Sample *sample = sample_with_crate("crate");
    const PartView plain = {.up = -1}, turned = {.up = 2, .scale = 100};
    static const char *const vectors[] = {"position", "velocity"};
    Made a, b;
    made_begin(&a, &sample->frame, "water", &plain);
    made_begin(&b, &sample->frame, "water", &turned);
    for (size_t i = 0; i < ROWS; i += 7) {
        for (int k = 0; k < 2; ++k) {
            const char *name = vectors[k];
            CHECK_NEAR(value(&b, name, 0, i), 100 * value(&a, name, 0, i), 1e-2);
            CHECK_NEAR(value(&b, name, 1, i), -100 * value(&a, name, 2, i), 1e-2);
            CHECK_NEAR(value(&b, name, 2, i), 100 * value(&a, name, 1, i), 1e-2);
        }
        CHECK_NEAR(value(&b, "radius", 0, i), 100 * value(&a, "radius", 0, i), 1e-2);
        CHECK(value(&b, "mass", 0, i) == value(&a, "mass", 0, i));
        for (int c = 0; c < 3; ++c) CHECK(value(&b, "color", c, i) == value(&a, "color", c, i));
    }
    made_end(&a), made_end(&b);
    sample_free(sample);
}

/* It is the same whether a shape is put into the world first or turned first. */
static void shapes_turn(void)
{
    Sample *sample = sample_with_crate("crate");
    const PartView plain = {.up = -1}, turned = {.up = 2, .scale = 2};
    static const char *const vectors[] = {"position", "velocity", "normal"};
    Made a, b;
    made_begin(&a, &sample->frame, "crate", &plain);
    made_begin(&b, &sample->frame, "crate", &turned);
    CHECK(part_place(&a.part, &a.arena) && part_place(&b.part, &b.arena));
    CHECK(a.part.points.count == 24 && b.part.points.count == 24);
    for (size_t i = 0; i < 24; ++i)
        for (int k = 0; k < 3; ++k) {
            const double scale = k < 2 ? 2 : 1;
            CHECK_NEAR(value(&b, vectors[k], 0, i), scale * value(&a, vectors[k], 0, i), 1e-4);
            CHECK_NEAR(value(&b, vectors[k], 1, i), -scale * value(&a, vectors[k], 2, i), 1e-4);
            CHECK_NEAR(value(&b, vectors[k], 2, i), scale * value(&a, vectors[k], 1, i), 1e-4);
        }
    made_end(&a), made_end(&b);
    sample_free(sample);
}

/* ---- surfaces ---- */

/* Particles on a lattice whose velocity is 3 x + (1, 0, 0), with a triangle among them. */
static void surfaces_carry_velocities(void)
{
    static const mote_Vec3 vertices[] = {{4, 4, 4}, {5, 4, 4}, {4, 5, (mote_real)4.5}};
    static const mote_Vec3 normals[] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    static const uint32_t corners[] = {0, 1, 2};
    enum { SIDE = 10 };
    Sample *sample = sample_make(SIDE * SIDE * SIDE);
    const mote_Column *position = &sample->columns[0][COLUMN_POSITION];
    const mote_Column *velocity = &sample->columns[0][COLUMN_VELOCITY];
    mote_real *radius = sample->columns[0][COLUMN_RADIUS].data;
    for (size_t i = 0; i < SIDE * SIDE * SIDE; ++i) {
        const double x[3] = {(double)(i % SIDE), (double)(i / SIDE % SIDE),
                             (double)(i / SIDE / SIDE)};
        for (int c = 0; c < 3; ++c) {
            column_real(position, c)[i] = (mote_real)x[c];
            column_real(velocity, c)[i] = (mote_real)(3 * x[c] + (c == 0));
        }
        radius[i] = (mote_real)0.5;
    }
    const mote_FrameSurface surface = {.name = "water",
                                       .vertices = vertices,
                                       .normals = normals,
                                       .vertex_count = 3,
                                       .triangles = corners,
                                       .triangle_count = 1};
    sample->frame.surfaces = &surface, sample->frame.surface_count = 1;
    const PartView view = {.up = -1};
    Made made;
    made_begin(&made, &sample->frame, "water_surface", &view);
    CHECK(made.part.points.count == 3 && made.part.mesh.triangle_count == 1);
    for (size_t i = 0; i < 3; ++i)
        for (int c = 0; c < 3; ++c)
            CHECK_NEAR(value(&made, "velocity", c, i),
                       3 * value(&made, "position", c, i) + (c == 0), 1e-4); /* by symmetry */
    CHECK(value(&made, "normal", 2, 0) == 1);
    made_end(&made);
    sample_free(sample);
}

/* ---- names and colours ---- */

static void names_differ(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_with_crate("water"); /* as a system */
    mote_Error error;
    const char *path = folder_file(&folder, "f");
    CHECK_OK(mote_export("vtp", &sample->frame, "water_body", path, &error), error);
    CHECK(mote_export("csv", &sample->frame, "water_body", path, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "csv cannot hold water_body");
    sample_free(sample);
    folder_remove(&folder);
}

/* Linear 0.5 is the code 188 of sRGB (IEC 61966-2-1); what is beyond the ends is cut. */
static void ply_colors_are_bytes(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(2);
    static const double colors[2][3] = {{0, 0.5, 1}, {-3, 0.2, 7}};
    static const unsigned char wanted[2][4] = {{0, 188, 255, 64}, {0, 124, 255, 255}};
    size_t size;
    mote_Error error;
    for (size_t i = 0; i < 2; ++i)
        for (int c = 0; c < 3; ++c)
            column_real(&sample->columns[0][COLUMN_COLOR], c)[i] = (mote_real)colors[i][c];
    ((mote_real *)sample->columns[0][COLUMN_OPACITY].data)[0] = (mote_real)0.25;
    ((mote_real *)sample->columns[0][COLUMN_OPACITY].data)[1] = 2;
    const mote_Column kept[3] = {sample->columns[0][COLUMN_POSITION],
                                 sample->columns[0][COLUMN_OPACITY],
                                 sample->columns[0][COLUMN_COLOR]};
    sample->systems[0].columns = kept, sample->systems[0].column_count = 3;
    const char *path = folder_file(&folder, "f.ply");
    CHECK_OK(mote_export("ply", &sample->frame, "water", path, &error), error);
    char *bytes = file_bytes(path, &size);
    CHECK(strstr(bytes, "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                        "property uchar alpha\nend_header\n") != NULL);
    const size_t row = 3 * sizeof(mote_real) + 4;
    for (size_t i = 0; i < 2; ++i)
        CHECK(memcmp(bytes + size - (2 - i) * row + row - 4, wanted[i], 4) == 0);
    free(bytes);
    sample_free(sample);
    folder_remove(&folder);
}

TESTS({"bodies_are_triangles", bodies_are_triangles},
      {"corners_have_velocities", corners_have_velocities}, {"systems_turn", systems_turn},
      {"shapes_turn", shapes_turn}, {"surfaces_carry_velocities", surfaces_carry_velocities},
      {"names_differ", names_differ}, {"ply_colors_are_bytes", ply_colors_are_bytes})

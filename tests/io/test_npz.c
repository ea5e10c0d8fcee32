/* Frames and checkpoints in .npz files: round trips, and readers that are not ours. */
#include "sample.h"

#include "base/row.h"
#include "geometry/shape.h"
#include "io/frame_file.h"
#include "io/npz.h"

#include <inttypes.h>

static Memory memory;

static mote_Status write_sample(const mote_Frame *frame, const char *path, mote_Tasks *tasks,
                                bool zip64, mote_Error *error)
{
    memory = memory_make(mote_default_allocator());
    NpzOptions options = {.memory = &memory, .tasks = tasks, .force_zip64 = zip64};
    return frame_file_write(frame, NULL, path, &options, error);
}

static void check_round_trip(size_t rows, bool zip64)
{
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "frame.npz");
    Sample *sample = sample_make(rows);
    mote_Frame *read = NULL;
    mote_Error error;
    CHECK_OK(write_sample(&sample->frame, path, NULL, zip64, &error), error);
    CHECK_OK(mote_frame_read(path, &read, &error), error);
    CHECK(read != NULL && same_frame(&sample->frame, read));
    CHECK(read != NULL && mote_frame_hash(&sample->frame) == mote_frame_hash(read));
    CHECK(folder_count(&folder) == 1 && memory.bytes == 0);
    mote_frame_destroy(read);
    sample_free(sample);
    folder_remove(&folder);
}

static void frames_come_back(void)
{
    static const size_t rows[] = {0, 1, 2, 3, 63, 64, 65, 1000, 30011};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        check_round_trip(rows[i], false);
        check_round_trip(rows[i], true);
    }
}

/* NaN with payloads, infinities, zeros of both signs, denormals: bits, not values. */
static void every_bit_comes_back(void)
{
    enum { ROWS = 4096 };
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "frame.npz");
    Sample *sample = sample_make(ROWS);
    const mote_Column *velocity = &sample->columns[0][COLUMN_VELOCITY];
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < ROWS; ++i) {
            uint64_t bits = (i + (size_t)c * ROWS) * UINT64_C(0x9e3779b97f4a7c15);
            bits |= i % 3 == 0 ? UINT64_C(0x7ff000007f800000) : 0;
            memcpy(column_plane(velocity, c) + i * sizeof(mote_real), &bits, sizeof(mote_real));
        }
    sample->frame.time = -0.0, sample->frame.dt = 4.9406564584124654e-324;
    sample->frame.index = UINT64_MAX;
    mote_Frame *read = NULL;
    mote_Error error;
    CHECK_OK(mote_frame_write(&sample->frame, path, NULL, &error), error);
    CHECK_OK(mote_frame_read(path, &read, &error), error);
    CHECK(read != NULL && same_frame(&sample->frame, read));
    mote_frame_destroy(read);
    sample_free(sample);
    folder_remove(&folder);
}

static void threads_write_the_same_bytes(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(200000); /* several pieces per plane */
    char *first = NULL;
    size_t first_size = 0;
    for (int threads = 1; threads <= 4; ++threads) {
        mote_TasksDef def = mote_tasks_def();
        mote_Tasks *tasks = NULL;
        mote_Error error;
        def.threads = threads;
        CHECK_OK(mote_tasks_create(&def, &tasks, &error), error);
        const char *path = folder_file(&folder, "frame.npz");
        CHECK_OK(mote_frame_write(&sample->frame, path, tasks, &error), error);
        size_t size;
        char *bytes = file_bytes(path, &size);
        if (first == NULL) {
            first = bytes, first_size = size;
        } else {
            CHECK(size == first_size && memcmp(bytes, first, size) == 0);
            free(bytes);
        }
        mote_tasks_destroy(tasks);
    }
    free(first);
    sample_free(sample);
    folder_remove(&folder);
}

static void other_programs_read_it(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(1000);
    mote_Error error;
    for (int zip64 = 0; zip64 < 2; ++zip64) {
        const char *path = folder_file(&folder, zip64 ? "wide.npz" : "frame.npz");
        char command[300];
        CHECK_OK(write_sample(&sample->frame, path, NULL, zip64, &error), error);
        CHECK(python_agrees("check_frame.py", path));
        /* unzip takes names beyond ASCII for damaged ones in a locale without UTF-8 */
        snprintf(command, sizeof command, "LC_ALL=C.UTF-8 unzip -tq '%s' > /dev/null", path);
        int code = run_command(command);
        if (code == 127) printf("skipped: unzip is not installed\n");
        CHECK(code == 0 || code == 127);
    }
    sample_free(sample);
    folder_remove(&folder);
}

/* Every array starts on a multiple of 64 bytes, found by a walk of our own over the local headers.
 */
static void arrays_are_aligned(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(77);
    mote_Error error;
    for (int zip64 = 0; zip64 < 2; ++zip64) {
        const char *path = folder_file(&folder, "frame.npz");
        size_t size, at = 0, members = 0;
        CHECK_OK(write_sample(&sample->frame, path, NULL, zip64, &error), error);
        unsigned char *bytes = (unsigned char *)file_bytes(path, &size);
        while (zip_get(bytes + at, 4) == ZIP_LOCAL) {
            size_t name = (size_t)zip_get(bytes + at + 26, 2), stored;
            size_t content = at + 30 + name + (size_t)zip_get(bytes + at + 28, 2);
            stored = (size_t)(zip64 ? zip_get(bytes + at + 30 + name + 4, 8)
                                    : zip_get(bytes + at + 18, 4));
            CHECK(content % 64 == 0);
            if (memcmp(bytes + content, "\x93NUMPY", 6) == 0)
                CHECK((10 + zip_get(bytes + content + 8, 2)) % 64 == 0);
            at = content + stored;
            ++members;
        }
        CHECK(members == 1 + SAMPLE_SYSTEMS * SAMPLE_COLUMNS);
        CHECK(zip_get(bytes + at, 4) == ZIP_CENTRAL);
        free(bytes);
    }
    sample_free(sample);
    folder_remove(&folder);
}

/* numpy.savez and numpy.savez_compressed: C order, Fortran order, 0 to 2 dimensions, npy 1, 2, 3.
 */
static void check_foreign(const Npz *npz, const NpzMember *member)
{
    NpzStream stream;
    NpyShape shape = {.rows = 0};
    mote_Error error;
    double data[64];
    CHECK_OK(npz_begin(&stream, npz, member, &error), error);
    mote_Status status = npz_read_shape(&stream, &shape, &error);
    CHECK(status == MOTE_OK && shape.rows <= 16 && shape.planes <= 3);
    if (status == MOTE_OK) status = npz_read_planes(&stream, &shape, data, 20, &error);
    CHECK_OK(npz_end(&stream, status, &error), error);
    for (size_t c = 0; c < shape.planes && status == MOTE_OK; ++c)
        for (size_t i = 0; i < shape.rows; ++i) CHECK(data[c * 20 + i] == (double)(i * 10 + c));
}

static void numpy_files_can_be_read(void)
{
    static const char *const names[] = {"stored.npz", "packed.npz", "empty_comment.npz"};
    Folder folder = folder_make();
    CHECK(python_agrees("make_arrays.py", folder.path));
    for (size_t f = 0; f < sizeof names / sizeof names[0]; ++f) {
        const char *path = folder_file(&folder, names[f]);
        Source source;
        Npz npz;
        mote_Error error;
        if (access(path, R_OK) != 0) continue; /* without numpy */
        memory = memory_make(mote_default_allocator());
        CHECK_OK(source_open(&source, path, &error), error);
        CHECK_OK(npz_open(&npz, source, &memory, &error), error);
        CHECK(npz.count == 5);
        for (size_t i = 0; i < npz.count; ++i) check_foreign(&npz, &npz.members[i]);
        npz_close(&npz);
        CHECK(memory.bytes == 0);
    }
    folder_remove(&folder);
}

/* ---- checkpoints ---- */

static void states_come_back(void)
{
    enum { ROWS = 1234, TYPES = MOTE_ARRAY_BYTE + 1 };
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "state.npz");
    mote_StateArray arrays[TYPES + 1];
    char names[TYPES + 1][16];
    for (int t = 0; t <= TYPES; ++t) {
        mote_ArrayType type = t < TYPES ? (mote_ArrayType)t : MOTE_ARRAY_U32;
        size_t item = mote_array_item_size(type), bytes = item * 2000 * (size_t)(t + 1);
        unsigned char *data = malloc(bytes);
        for (size_t i = 0; i < bytes; ++i)
            data[i] = (unsigned char)(i * 7 + (size_t)t * 31 + i / 255);
        snprintf(names[t], sizeof names[t], "a/b%d", t);
        arrays[t] = (mote_StateArray){.name = names[t],
                                      .type = type,
                                      .rows = t < TYPES ? ROWS : 0,
                                      .components = t + 1,
                                      .stride = t % 2 ? 2000 : 0,
                                      .data = data};
    }
    mote_State *state = NULL;
    mote_Error error;
    CHECK_OK(mote_state_write(path, arrays, TYPES + 1, NULL, &error), error);
    CHECK_OK(mote_state_read(path, &state, &error), error);
    CHECK(state != NULL && state->count == TYPES + 1);
    for (int t = 0; t <= TYPES && state != NULL; ++t) {
        const mote_StateArray *a = &arrays[t], *b = mote_state_array(state, names[t]);
        CHECK(b != NULL && b->type == a->type && b->rows == a->rows &&
              b->components == a->components && (uintptr_t)b->data % 64 == 0);
        size_t item = mote_array_item_size(a->type), stride = a->stride > 0 ? a->stride : a->rows;
        for (int c = 0; c < a->components && b != NULL; ++c)
            CHECK(memcmp((char *)a->data + (size_t)c * stride * item,
                         (char *)b->data + (size_t)c * b->stride * item, a->rows * item) == 0);
    }
    CHECK(state != NULL && mote_state_array(state, "a/b77") == NULL);
    mote_state_destroy(state);
    for (int t = 0; t <= TYPES; ++t) free(arrays[t].data);
    folder_remove(&folder);
}

static void state_without_arrays(void)
{
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "state.npz");
    mote_State *state = NULL;
    mote_Error error;
    CHECK_OK(mote_state_write(path, NULL, 0, NULL, &error), error);
    CHECK_OK(mote_state_read(path, &state, &error), error);
    CHECK(state != NULL && state->count == 0);
    mote_state_destroy(state);
    mote_Frame *frame = NULL; /* a checkpoint is no frame */
    CHECK(mote_frame_read(path, &frame, &error) == MOTE_IO_FAILED && frame == NULL);
    CHECK_MESSAGE(error, "has no member \"frame.json\"");
    folder_remove(&folder);
}

/* ---- the other precision ---- */

static void other_precision(void)
{
    Folder folder = folder_make();
    mote_Error error;
    mote_Frame *frame = NULL;
    mote_State *state = NULL;
    mote_FrameReadDef def = mote_frame_read_def();
    CHECK(python_agrees("make_other.py", folder.path));
    if (access(folder_file(&folder, "other.npz"), R_OK) == 0) {
        const char *writer =
            sizeof(mote_real) == 4 ? "written by mote-double (double)" : "written by mote (float)";
        CHECK(mote_frame_read(folder.file, &frame, &error) == MOTE_BAD_VALUE && frame == NULL);
        CHECK_MESSAGE(error, writer);
        CHECK(mote_state_read(folder_file(&folder, "other_state.npz"), &state, &error) ==
              MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, writer);
        def.any_precision = true;
        CHECK_OK(mote_frame_read_with(folder_file(&folder, "other.npz"), &def, &frame, &error),
                 error);
        const mote_Column *p = frame ? mote_frame_column(&frame->systems[0], "position") : NULL;
        CHECK(p != NULL && column_item_size(p->type) == 8 && p->components == 3);
        for (int c = 0; c < 3 && p != NULL; ++c)
            for (size_t i = 0; i < 5; ++i)
                CHECK(((const double *)column_plane(p, c))[i] == (double)i + 0.25 * c);
        mote_frame_destroy(frame);
    }
    folder_remove(&folder);
}

/* ---- names and shapes ---- */

static void bad_names_are_refused(void)
{
    static const char *const names[] = {"", "/etc/x", "../x", "a\\b", "a\nb", "c:x"};
    Folder folder = folder_make();
    mote_Error error;
    uint32_t one = 1;
    mote_StateArray array = {.type = MOTE_ARRAY_U32, .rows = 1, .components = 1, .data = &one};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        array.name = names[i];
        CHECK(mote_state_write(folder_file(&folder, "s.npz"), &array, 1, NULL, &error) ==
              MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, "cannot be the name");
    }
    array.name = "twice";
    mote_StateArray both[2] = {array, array};
    CHECK(mote_state_write(folder_file(&folder, "s.npz"), both, 2, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "two arrays are named \"twice\"");
    Sample *sample = sample_make(1);
    sample->systems[1].name = "a/b";
    CHECK(mote_frame_write(&sample->frame, folder_file(&folder, "f.npz"), NULL, &error) ==
          MOTE_BAD_VALUE);
    CHECK(folder_count(&folder) == 0);
    sample_free(sample);
    folder_remove(&folder);
}

typedef struct Ball {
    mote_real radius;
    mote_Vec3 tint;
    uint64_t seed;
    const char *follows;
} Ball;

static const mote_Param ball_params[] = {
    {.name = "radius", .unit = "m", .type = MOTE_PARAM_REAL, .max = 10, .offset = 0},
    {.name = "tint",
     .unit = "",
     .type = MOTE_PARAM_COLOR,
     .max = 1,
     .offset = offsetof(Ball, tint)},
    {.name = "seed",
     .unit = "",
     .type = MOTE_PARAM_COUNT,
     .max = 1e30,
     .offset = offsetof(Ball, seed)},
    {.name = "follows", .unit = "", .type = MOTE_PARAM_NAME, .offset = offsetof(Ball, follows)}};
static const mote_Row ball_row = {
    .name = "ball", .params = ball_params, .param_count = 4, .params_size = sizeof(Ball)};

static const mote_Row *find_ball(void *context, const char *type)
{
    (void)context;
    return strcmp(type, "ball") == 0 ? &ball_row : NULL;
}

static void check_ball(const mote_FrameShape *shape, const Ball *ball)
{
    const Ball *read = shape->params;
    CHECK(strcmp(shape->name, "b") == 0 && strcmp(shape->type, "ball") == 0);
    CHECK(shape->position[2] == 0.3 && shape->orientation[3] == 0.8);
    CHECK(shape->velocity[2] == -0.1 && shape->spin[0] == 0);
    CHECK(shape->row == &ball_row && read != NULL && read != ball);
    if (read == NULL) return;
    CHECK(read->radius == ball->radius && read->tint.y == ball->tint.y && read->seed == ball->seed);
    CHECK(read->follows != ball->follows && strcmp(read->follows, "body \"1\"") == 0);
}

static void shapes_come_back(void)
{
    Folder folder = folder_make();
    char follows[] = "body \"1\"";
    Ball ball = {(mote_real)0.1, {0, (mote_real)0.7, 1}, UINT64_MAX - 1, follows};
    Sample *sample = sample_make(4);
    sample->frame.shape_count = 2;
    sample->shapes[0] = (mote_FrameShape){.name = "b",
                                          .type = "ball",
                                          .params = &ball,
                                          .position = {0.1, 0.2, 0.3},
                                          .orientation = {0, 0.6, 0, 0.8},
                                          .velocity = {0, 0, -0.1},
                                          .row = &ball_row};
    sample->shapes[1] = (mote_FrameShape){.name = "wall", .type = "plane", .params = &ball};
    mote_Frame *read = NULL, *copy = NULL;
    mote_Error error;
    mote_FrameReadDef def = mote_frame_read_def();
    def.shape_row = find_ball;
    const char *path = folder_file(&folder, "f.npz");
    CHECK_OK(mote_frame_write(&sample->frame, path, NULL, &error), error);
    CHECK_OK(mote_frame_read_with(path, &def, &read, &error), error);
    CHECK_OK(mote_frame_copy(&sample->frame, &copy, &error), error);
    CHECK(same_frame(&sample->frame, read) && same_frame(&sample->frame, copy));
    check_ball(&read->shapes[0], &ball);
    check_ball(&copy->shapes[0], &ball);
    CHECK(read->shapes[1].params == NULL && copy->shapes[1].params == NULL);
    mote_frame_destroy(read);
    mote_frame_destroy(copy);
    sample_free(sample);
    folder_remove(&folder);
}

static const mote_Row *find_shape(void *context, const char *type)
{
    size_t count;
    const mote_Row *const *rows = shape_rows(ISA_V1, &count);
    (void)context;
    return row_find(rows, count, "test", "shape", type, NULL);
}

static mote_Mesh *make_tetrahedron(void)
{
    static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t corners[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    mote_MeshDef def = mote_mesh_def();
    def.vertices = points, def.vertex_count = 4, def.triangles = corners, def.triangle_count = 4;
    mote_Mesh *mesh;
    mote_Error error;
    CHECK_OK(mote_mesh_create(&def, &mesh, &error), error);
    return mesh;
}

/* A mesh is stored once beside the frames; shapes within shapes come back with it. */
static void meshes_come_back(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(3);
    mote_MeshShape mesh = {make_tetrahedron(), MOTE_INSIDE_WINDING};
    mote_ShapeDef part = {"mesh", &mesh, {{1, 2, 3}, {0, 0, 0, 1}}};
    mote_CompoundShape compound = {NULL};
    mote_Shapes *parts;
    mote_Frame *read = NULL;
    mote_Error error;
    mote_FrameReadDef def = mote_frame_read_def();
    CHECK_OK(mote_shapes_create(&part, 1, (mote_Allocator){0}, &parts, &error), error);
    compound.parts = parts;
    sample->frame.shape_count = 2;
    sample->shapes[0] = (mote_FrameShape){
        .name = "m", .type = "mesh", .params = &mesh, .row = find_shape(NULL, "mesh")};
    sample->shapes[1] = (mote_FrameShape){
        .name = "c", .type = "compound", .params = &compound, .row = find_shape(NULL, "compound")};
    def.shape_row = find_shape;
    const char *path = folder_file(&folder, "f.npz");
    CHECK_OK(mote_frame_write(&sample->frame, path, NULL, &error), error);
    CHECK_OK(mote_frame_write(&sample->frame, folder_file(&folder, "g.npz"), NULL, &error), error);
    CHECK(folder_count(&folder) == 3);
    path = folder_file(&folder, "f.npz");
    CHECK_OK(mote_frame_read_with(path, &def, &read, &error), error);
    const mote_MeshShape *back = read->shapes[0].params;
    const mote_CompoundShape *both = read->shapes[1].params;
    CHECK(back != NULL && back->inside == MOTE_INSIDE_WINDING && both != NULL);
    if (back != NULL) CHECK(mote_mesh_hash(back->mesh) == mote_mesh_hash(mesh.mesh));
    if (both != NULL) CHECK(mote_shapes_get(both->parts, 0).pose.position.z == 3);
    mote_frame_destroy(read);
    char lost[64];
    snprintf(lost, sizeof lost, "mesh-%016llx.npz", (unsigned long long)mote_mesh_hash(mesh.mesh));
    CHECK(remove(folder_file(&folder, lost)) == 0);
    CHECK_OK(mote_frame_read_with(folder_file(&folder, "f.npz"), &def, &read, &error), error);
    CHECK(read->shapes[0].params == NULL && read->shapes[1].params == NULL);
    mote_frame_destroy(read);
    mote_mesh_release(mesh.mesh);
    mote_shapes_release(parts);
    sample_free(sample);
    folder_remove(&folder);
}

TESTS({"frames_come_back", frames_come_back}, {"meshes_come_back", meshes_come_back},
      {"every_bit_comes_back", every_bit_comes_back},
      {"threads_write_the_same_bytes", threads_write_the_same_bytes},
      {"other_programs_read_it", other_programs_read_it},
      {"arrays_are_aligned", arrays_are_aligned},
      {"numpy_files_can_be_read", numpy_files_can_be_read}, {"states_come_back", states_come_back},
      {"state_without_arrays", state_without_arrays}, {"other_precision", other_precision},
      {"bad_names_are_refused", bad_names_are_refused}, {"shapes_come_back", shapes_come_back})

/* Links and triangles of frames: copied, hashed, written, exported and read back. */
#include "sample.h"

#include "frame/mesh_rows.h"
#include "io/frame_file.h"

enum { ROWS = 7, LINKS = 3, TRIANGLES = 2 };

/* The sample's ids are 2^40 + 131 row; one link and one triangle name a particle that is dead. */
static uint64_t id_of(uint64_t row)
{
    return (UINT64_C(1) << 40) + 131 * row;
}

static const size_t link_rows[2][LINKS] = {{0, 2, 5}, {1, 99, 3}};
static const size_t triangle_rows[3][TRIANGLES] = {{0, 4}, {1, 5}, {2, 99}};

typedef struct Meshes {
    Sample *sample;
    mote_FrameMesh list[2];
    uint64_t links[2 * LINKS], triangles[3 * TRIANGLES];
} Meshes;

static Meshes meshes_make(void)
{
    Meshes m = {.sample = sample_make(ROWS)};
    for (size_t c = 0; c < 2; ++c)
        for (size_t i = 0; i < LINKS; ++i) m.links[c * LINKS + i] = id_of(link_rows[c][i]);
    for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < TRIANGLES; ++i)
            m.triangles[c * TRIANGLES + i] = id_of(triangle_rows[c][i]);
    return m;
}

/* Pointers into the struct itself, so set where it stays. */
static void meshes_set(Meshes *m)
{
    m->list[0] = (mote_FrameMesh){.name = "cloth",
                                  .links = m->links,
                                  .link_count = LINKS,
                                  .triangles = m->triangles,
                                  .triangle_count = TRIANGLES};
    m->list[1] = (mote_FrameMesh){.name = "none", .system = 1};
    m->sample->frame.meshes = m->list, m->sample->frame.mesh_count = 2;
}

static bool same_meshes(const mote_Frame *a, const mote_Frame *b)
{
    bool same = a->mesh_count == b->mesh_count;
    for (size_t i = 0; same && i < a->mesh_count; ++i) {
        const mote_FrameMesh *x = &a->meshes[i], *y = &b->meshes[i];
        same = same_text(x->name, y->name) && x->system == y->system &&
               x->link_count == y->link_count && x->triangle_count == y->triangle_count;
        for (size_t k = 0; same && k < 2 * x->link_count; ++k) same = x->links[k] == y->links[k];
        for (size_t k = 0; same && k < 3 * x->triangle_count; ++k)
            same = x->triangles[k] == y->triangles[k];
    }
    return same;
}

static void copies_and_hashes(void)
{
    Meshes m = meshes_make();
    mote_Frame *copy = NULL;
    mote_Error error;
    uint64_t bare = mote_frame_hash(&m.sample->frame);
    meshes_set(&m);
    uint64_t hash = mote_frame_hash(&m.sample->frame);
    CHECK(hash != bare);
    CHECK_OK(mote_frame_copy(&m.sample->frame, &copy, &error), error);
    CHECK(same_meshes(&m.sample->frame, copy) && mote_frame_hash(copy) == hash);
    m.links[1] ^= 1;
    CHECK(mote_frame_hash(&m.sample->frame) != hash && mote_frame_hash(copy) == hash);
    mote_frame_destroy(copy);
    sample_free(m.sample);
}

static void files_hold_them(void)
{
    Meshes m = meshes_make();
    Folder folder = folder_make();
    mote_Frame *read = NULL;
    mote_Error error;
    meshes_set(&m);
    const char *path = folder_file(&folder, "f.npz");
    CHECK_OK(mote_frame_write(&m.sample->frame, path, NULL, &error), error);
    CHECK_OK(mote_frame_read(path, &read, &error), error);
    CHECK(same_meshes(&m.sample->frame, read));
    CHECK(mote_frame_hash(read) == mote_frame_hash(&m.sample->frame));
    mote_frame_destroy(read);
    /* the second system alone: its mesh refers to system 0 then */
    CHECK_OK(mote_export("npz", &m.sample->frame, m.sample->systems[1].name, path, &error), error);
    CHECK_OK(mote_frame_read(path, &read, &error), error);
    CHECK(read->mesh_count == 1 && read->meshes[0].system == 0 && read->meshes[0].link_count == 0);
    mote_frame_destroy(read);
    m.list[0].name = "a/b";
    CHECK(mote_frame_write(&m.sample->frame, path, NULL, &error) == MOTE_BAD_VALUE);
    sample_free(m.sample);
    folder_remove(&folder);
}

static void memory_runs_out(void)
{
    Meshes m = meshes_make();
    Folder folder = folder_make();
    mote_Error error;
    meshes_set(&m);
    const char *path = folder_file(&folder, "f.npz");
    CHECK_OK(mote_frame_write(&m.sample->frame, path, NULL, &error), error);
    mote_Status status = MOTE_NO_MEMORY;
    for (long granted = 0; granted < 300 && status != MOTE_OK; ++granted) {
        Scarce scarce = {.left = granted};
        mote_FrameReadDef def = mote_frame_read_def();
        def.allocator = scarce_allocator(&scarce);
        mote_Frame *read = NULL;
        status = mote_frame_read_with(path, &def, &read, &error);
        CHECK(status == MOTE_OK || status == MOTE_NO_MEMORY);
        mote_frame_destroy(read);
        CHECK(scarce.held == 0);
    }
    CHECK(status == MOTE_OK);
    sample_free(m.sample);
    folder_remove(&folder);
}

/* Ids in any order, and what has lost a particle left out. */
static void rows_by_id(void)
{
    Meshes m = meshes_make();
    Memory memory = memory_make(mote_default_allocator());
    uint64_t *ids = m.sample->columns[0][COLUMN_ID].data;
    meshes_set(&m);
    for (int reversed = 0; reversed < 2; ++reversed) {
        Arena arena = arena_make(&memory);
        MeshRows rows;
        for (size_t i = 0; i < ROWS; ++i) ids[i] = id_of(reversed ? ROWS - 1 - i : i);
        CHECK(frame_mesh_rows(&m.sample->frame, 0, m.list, 2, &arena, &rows));
        CHECK(rows.link_count == 2 && rows.triangle_count == 1);
        size_t turn = ROWS - 1;
        CHECK(rows.links[0] == (reversed ? turn : 0) && rows.links[1] == (reversed ? turn - 1 : 1));
        CHECK(rows.links[2] == (reversed ? turn - 5 : 5));
        CHECK(rows.triangles[2] == (reversed ? turn - 2 : 2));
        CHECK(frame_mesh_rows(&m.sample->frame, 1, m.list, 2, &arena, &rows));
        CHECK(rows.link_count == 0 && rows.triangle_count == 0);
        arena_free(&arena);
    }
    sample_free(m.sample);
}

static char *exported(Meshes *m, Folder *folder, const char *format, size_t *size)
{
    mote_Error error;
    const char *path = folder_file(folder, format);
    CHECK_OK(mote_export(format, &m->sample->frame, "water", path, &error), error);
    return file_bytes(path, size);
}

static void exports_hold_them(void)
{
    Meshes m = meshes_make();
    Folder folder = folder_make();
    size_t size;
    meshes_set(&m);
    char *ply = exported(&m, &folder, "ply", &size);
    CHECK(strstr(ply, "element face 1\nproperty list uchar int vertex_indices\nelement edge 2\n"));
    const int32_t edges[] = {0, 1, 5, 3};
    CHECK(memcmp(ply + size - sizeof edges, edges, sizeof edges) == 0);
    const int32_t face[] = {0, 1, 2};
    CHECK(ply[size - sizeof edges - 13] == 3);
    CHECK(memcmp(ply + size - sizeof edges - 12, face, sizeof face) == 0);
    char *vtp = exported(&m, &folder, "vtp", &size);
    CHECK(strstr(vtp, "NumberOfLines=\"2\" NumberOfStrips=\"0\" NumberOfPolys=\"1\"") != NULL);
    CHECK(strstr(vtp, "<Lines>") != NULL && strstr(vtp, "<Polys>") != NULL);
    char *obj = exported(&m, &folder, "obj", &size);
    CHECK(strstr(obj, "\nf 1 2 3\n") != NULL && strstr(obj, "\nl ") == NULL);
    m.list[0].triangle_count = 0;
    char *lines = exported(&m, &folder, "obj", &size);
    CHECK(strstr(lines, "\nl 1 2\nl 6 4\n") != NULL);
    char *links = exported(&m, &folder, "links", &size);
    CHECK(strstr(links, "mesh,a,b,c\ncloth,1099511627776,1099511627907,\n") == links);
    free(ply), free(vtp), free(obj), free(lines), free(links);
    sample_free(m.sample);
    folder_remove(&folder);
}

TESTS({"copies_and_hashes", copies_and_hashes}, {"files_hold_them", files_hold_them},
      {"memory_runs_out", memory_runs_out}, {"rows_by_id", rows_by_id},
      {"exports_hold_them", exports_hold_them})

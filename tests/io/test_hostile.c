/* Files that are cut, damaged or made to hurt, and memory that runs out at every place. */
#include "sample.h"

#include "io/frame_file.h"
#include "io/manifest.h"
#include "io/npz.h"

typedef struct Small {
    Sample *sample;
    unsigned char *bytes;
    size_t size;
} Small;

static Small small_make(bool zip64)
{
    Folder folder = folder_make();
    const char *path = folder_file(&folder, "frame.npz");
    Memory memory = memory_make(mote_default_allocator());
    NpzOptions options = {.memory = &memory, .force_zip64 = zip64};
    Small small = {.sample = sample_make(3)};
    mote_Error error;
    CHECK_OK(frame_file_write(&small.sample->frame, NULL, path, &options, &error), error);
    small.bytes = (unsigned char *)file_bytes(path, &small.size);
    folder_remove(&folder);
    return small;
}

static void small_free(Small *small)
{
    sample_free(small->sample);
    free(small->bytes);
}

static mote_Status read_bytes(const void *bytes, size_t size, mote_Frame **frame, mote_Error *error)
{
    mote_FrameReadDef def = mote_frame_read_def();
    return frame_file_read(source_memory("x.npz", bytes, size), &def, frame, error);
}

static void every_cut_is_noticed(void)
{
    for (int zip64 = 0; zip64 < 2; ++zip64) {
        Small small = small_make(zip64);
        for (size_t size = 0; size < small.size; ++size) {
            mote_Frame *frame = NULL;
            mote_Error error;
            unsigned char *exact = malloc(size > 0 ? size : 1); /* so that ASan sees its end */
            memcpy(exact, small.bytes, size);
            CHECK(read_bytes(exact, size, &frame, &error) == MOTE_IO_FAILED && frame == NULL);
            CHECK_MESSAGE(error, size == 0 ? "x.npz: is empty"
                                           : "x.npz: truncated, or no .npz file: the central "
                                             "directory is missing");
            free(exact);
        }
        small_free(&small);
    }
}

static void a_longer_file_is_noticed(void)
{
    Small small = small_make(false);
    unsigned char *longer = calloc(1, small.size + 1);
    mote_Frame *frame = NULL;
    mote_Error error;
    memcpy(longer, small.bytes, small.size);
    CHECK(read_bytes(longer, small.size + 1, &frame, &error) == MOTE_IO_FAILED);
    memmove(longer + 1, small.bytes, small.size); /* something in front */
    CHECK(read_bytes(longer, small.size + 1, &frame, &error) == MOTE_IO_FAILED);
    free(longer);
    small_free(&small);
}

static void a_member_has_one_name(void)
{
    Small small = small_make(false);
    mote_Frame *frame = NULL;
    mote_Error error;
    small.bytes[ZIP_LOCAL_SIZE] = 'F'; /* of frame.json */
    CHECK(read_bytes(small.bytes, small.size, &frame, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "another name than the member's header");
    small_free(&small);
}

/* A changed byte gives an error, or lies where it means nothing (a date, padding): then the frame
 * is the one that was written. */
static void every_damage_is_noticed(void)
{
    static const unsigned char flips[] = {0x01, 0x04, 0x20, 0x80, 0xff};
    const bool all = getenv("MOTE_LONG") != NULL; /* of a byte's changes, or one of them */
    const size_t stride = all ? 1 : sizeof flips;
    for (int zip64 = 0; zip64 < 2; ++zip64) {
        Small small = small_make(zip64);
        size_t harmless = 0;
        for (size_t i = 0; i < small.size; ++i)
            for (size_t f = all ? 0 : i % sizeof flips; f < sizeof flips; f += stride) {
                mote_Frame *frame = NULL;
                mote_Error error = {.status = MOTE_OK};
                small.bytes[i] ^= flips[f];
                mote_Status status = read_bytes(small.bytes, small.size, &frame, &error);
                CHECK(status == MOTE_OK || (status == MOTE_IO_FAILED && frame == NULL));
                CHECK(status != MOTE_OK || same_frame(&small.sample->frame, frame));
                harmless += status == MOTE_OK;
                mote_frame_destroy(frame);
                small.bytes[i] ^= flips[f];
            }
        printf("%zu bytes, %zu of %zu changes mean nothing\n", small.size, harmless,
               small.size * sizeof flips / stride);
        small_free(&small);
    }
}

/* ---- files made by hand ---- */

typedef struct Hand {
    unsigned char bytes[4096], *at;
    size_t directory; /* offset */
    int members;
    unsigned char entries[2048], *entry;
} Hand;

static void hand_member(Hand *hand, const char *name, const void *data, size_t size, uint32_t claim,
                        int method)
{
    size_t length = strlen(name);
    uint64_t offset = (uint64_t)(hand->at - hand->bytes);
    hand->at = zip_put(hand->at, ZIP_LOCAL, 4);
    hand->entry = zip_put(hand->entry, ZIP_CENTRAL, 4);
    hand->entry = zip_put(hand->entry, 20, 2);
    unsigned char shared[22] = {20}, *s = shared + 4;
    s = zip_put(s, (uint64_t)method, 2);
    s = zip_put(zip_put(s, 0, 8), (uint64_t)size, 4); /* time, date, sum; stored size */
    s = zip_put(s, claim, 4);
    memcpy(hand->at, shared, 22), memcpy(hand->entry, shared, 22);
    hand->at = zip_put(zip_put(hand->at + 22, length, 2), 0, 2);
    hand->entry = zip_put(zip_put(hand->entry + 22, length, 2), 0, 2);
    hand->entry = zip_put(zip_put(hand->entry, 0, 8), 0, 2);
    hand->entry = zip_put(hand->entry, offset, 4);
    memcpy(hand->at, name, length), memcpy(hand->entry, name, length);
    hand->at += length, hand->entry += length;
    memcpy(hand->at, data, size);
    hand->at += size, ++hand->members;
}

static size_t hand_end(Hand *hand, size_t count)
{
    size_t offset = (size_t)(hand->at - hand->bytes), size = (size_t)(hand->entry - hand->entries);
    memcpy(hand->at, hand->entries, size);
    hand->at = zip_put(zip_put(hand->at + size, ZIP_END, 4), 0, 4);
    hand->at = zip_put(zip_put(hand->at, count, 2), count, 2);
    hand->at = zip_put(zip_put(hand->at, size, 4), offset, 4);
    hand->at = zip_put(hand->at, 0, 2);
    return (size_t)(hand->at - hand->bytes);
}

static void check_hand(const char *name, uint32_t claim, int method, size_t count,
                       const char *message)
{
    Hand *hand = calloc(1, sizeof *hand);
    mote_Frame *frame = NULL;
    mote_Error error = {.status = MOTE_OK};
    hand->at = hand->bytes, hand->entry = hand->entries;
    hand_member(hand, name, "{}", 2, claim, method);
    size_t size = hand_end(hand, count);
    CHECK(read_bytes(hand->bytes, size, &frame, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, message);
    free(hand);
}

static void wrong_archives_are_named(void)
{
    check_hand("frame.json", 2, ZIP_STORED, 1, "its check sum is wrong");
    check_hand("frame.json", 3, ZIP_STORED, 1, "its two sizes differ");
    check_hand("frame.json", 0xfffffff0u, ZIP_DEFLATED, 1, "its size cannot be");
    check_hand("frame.json", 2000, ZIP_DEFLATED, 1, "it cannot be unpacked");
    check_hand("frame.json", 2, 12, 1, "is packed in an unknown way");
    check_hand("frame.json", 2, ZIP_STORED, 2, "the central directory is");
    check_hand("frame.json", 2, ZIP_STORED, 0, "the central directory is broken");
    check_hand("other.json", 2, ZIP_STORED, 1, "has no member \"frame.json\"");
}

static void other_files_are_named(void)
{
    static const char text[] = "this is no archive at all, but long enough to hold one";
    mote_Frame *frame = NULL;
    mote_Error error;
    CHECK(read_bytes(text, sizeof text, &frame, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "no .npz file");
    CHECK(mote_frame_read("no-such-folder/x.npz", &frame, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "no-such-folder/x.npz: could not open it: No such file");
    CHECK(mote_frame_read("/", &frame, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "not a regular file");
    CHECK(mote_frame_read("/dev/zero", &frame, &error) == MOTE_IO_FAILED);
}

/* ---- memory that runs out ---- */

/* Calls `attempt` with 0, 1, 2, ... allocations granted until it succeeds. */
static void check_scarce(mote_Status (*attempt)(mote_Allocator allocator, mote_Error *error))
{
    long granted = 0;
    for (; granted < 10000; ++granted) {
        Scarce scarce = {.left = granted};
        mote_Error error;
        mote_Status status = attempt(scarce_allocator(&scarce), &error);
        CHECK(scarce.held == 0);
        if (status == MOTE_OK) break;
        CHECK(status == MOTE_NO_MEMORY);
        if (check_failures > 0) break;
        CHECK_MESSAGE(error, "out of memory");
    }
    CHECK(granted > 0 && granted < 10000);
}

static Small scarce_small;
static Folder scarce_folder;

static mote_Status scarce_frame_read(mote_Allocator allocator, mote_Error *error)
{
    mote_FrameReadDef def = mote_frame_read_def();
    def.allocator = allocator;
    mote_Frame *frame;
    Source source = source_memory("x.npz", scarce_small.bytes, scarce_small.size);
    mote_Status status = frame_file_read(source, &def, &frame, error);
    CHECK((status == MOTE_OK) == (frame != NULL));
    mote_frame_destroy(frame);
    return status;
}

static mote_Status scarce_frame_write(mote_Allocator allocator, mote_Error *error)
{
    Memory memory = memory_make(allocator);
    NpzOptions options = {.memory = &memory};
    const char *path = folder_file(&scarce_folder, "w.npz");
    mote_Status status = frame_file_write(&scarce_small.sample->frame, NULL, path, &options, error);
    CHECK(folder_count(&scarce_folder) == (status == MOTE_OK));
    return status;
}

static mote_Status scarce_copy(mote_Allocator allocator, mote_Error *error)
{
    mote_Frame *copy;
    mote_Status status = owned_frame_copy(&scarce_small.sample->frame, allocator, &copy, error);
    mote_frame_destroy(copy);
    return status;
}

static mote_Status scarce_state(mote_Allocator allocator, mote_Error *error)
{
    uint32_t data[4] = {1, 2, 3, 4};
    mote_StateArray array = {
        .name = "a", .type = MOTE_ARRAY_U32, .rows = 2, .components = 2, .data = data};
    Memory memory = memory_make(allocator);
    NpzOptions options = {.memory = &memory};
    const char *path = folder_file(&scarce_folder, "s.npz");
    mote_Status status = state_file_write(path, &array, 1, &options, error);
    Source source;
    mote_State *state = NULL;
    if (status == MOTE_OK) status = source_open(&source, path, error);
    if (status == MOTE_OK) status = state_file_read(source, allocator, &state, error);
    mote_state_destroy(state);
    return status;
}

static mote_Status scarce_manifest(mote_Allocator allocator, mote_Error *error)
{
    Manifest *manifest, *read = NULL;
    const char *path = folder_file(&scarce_folder, "manifest.json");
    ManifestCheckpoint checkpoint = {.file = "c.npz", .frame = 1};
    Source source;
    mote_Status status = manifest_create(allocator, "scene", &manifest, error);
    if (status == MOTE_OK) status = manifest_add_item(manifest, "a.b", 5, error);
    if (status == MOTE_OK) status = manifest_add_frame(manifest, 1, (FileSum){5, 6}, error);
    if (status == MOTE_OK) status = manifest_add_checkpoint(manifest, &checkpoint, error);
    if (status == MOTE_OK) manifest->fps = 30;
    if (status == MOTE_OK) status = manifest_write(manifest, path, error);
    if (status == MOTE_OK) status = source_open(&source, path, error);
    if (status == MOTE_OK) status = manifest_read(source, allocator, &read, error);
    manifest_destroy(read);
    manifest_destroy(manifest);
    return status;
}

static void memory_runs_out_everywhere(void)
{
    scarce_folder = folder_make();
    scarce_small = small_make(false);
    check_scarce(scarce_frame_read);
    check_scarce(scarce_frame_write);
    check_scarce(scarce_copy);
    check_scarce(scarce_state);
    check_scarce(scarce_manifest);
    small_free(&scarce_small);
    folder_remove(&scarce_folder);
}

/* zlib's own memory comes from the allocator too. */
static mote_Status scarce_unpack(mote_Allocator allocator, mote_Error *error)
{
    Memory memory = memory_make(allocator);
    Source source;
    Npz npz;
    NpzStream stream;
    NpyShape shape;
    double data[64];
    mote_Status status = source_open(&source, folder_file(&scarce_folder, "packed.npz"), error);
    if (status == MOTE_OK) status = npz_open(&npz, source, &memory, error);
    if (status != MOTE_OK) return status;
    status = npz_begin(&stream, &npz, &npz.members[0], error);
    if (status == MOTE_OK) status = npz_read_shape(&stream, &shape, error);
    if (status == MOTE_OK) status = npz_read_planes(&stream, &shape, data, 20, error);
    status = npz_end(&stream, status, error);
    npz_close(&npz);
    return status;
}

static void memory_runs_out_while_unpacking(void)
{
    scarce_folder = folder_make();
    CHECK(python_agrees("make_arrays.py", scarce_folder.path));
    if (access(folder_file(&scarce_folder, "packed.npz"), R_OK) == 0) check_scarce(scarce_unpack);
    folder_remove(&scarce_folder);
}

TESTS({"every_cut_is_noticed", every_cut_is_noticed},
      {"a_longer_file_is_noticed", a_longer_file_is_noticed},
      {"a_member_has_one_name", a_member_has_one_name},
      {"every_damage_is_noticed", every_damage_is_noticed},
      {"wrong_archives_are_named", wrong_archives_are_named},
      {"other_files_are_named", other_files_are_named},
      {"memory_runs_out_everywhere", memory_runs_out_everywhere},
      {"memory_runs_out_while_unpacking", memory_runs_out_while_unpacking})

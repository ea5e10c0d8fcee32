/* The manifest, and the JSON under it. */
#include "sample.h"

#include "base/number.h"
#include "io/manifest.h"
#include "text/json_read.h"

/* ---- JSON ---- */

static mote_Status parse(const char *text, size_t size, Json *json, Memory *memory,
                         mote_Error *error)
{
    char *exact = malloc(size > 0 ? size : 1); /* no zero at the end: the reader must not need it */
    memcpy(exact, text, size);
    mote_Status status = json_parse(json, "t.json", exact, size, memory, error);
    free(exact);
    return status;
}

static void good_json(void)
{
    static const char text[] =
        " {\"a\" :[1,-2.5e3 ,0, true,false,null],\"\\u0062\\n\":{\"c\":\"\\ud83d\\ude00\xc3\xa9\"},"
        "\"n\":18446744073709551615, \"e\":[],\"o\":{}} \n";
    Memory memory = memory_make(mote_default_allocator());
    Json json;
    mote_Error error;
    CHECK_OK(parse(text, sizeof text - 1, &json, &memory, &error), error);
    const Node *root = json.root, *array = node_find(root, "a");
    JsonReader reader = {.json = &json, .error = &error};
    CHECK(root->count == 5 && array->count == 6);
    const Node *item = node_child(array, 1);
    CHECK(json_double(&reader, item, NULL) == -2500);
    CHECK(json_u64(&reader, node_child(array, 0), NULL, 1) == 1);
    CHECK(json_u64(&reader, root, "n", UINT64_MAX) == UINT64_MAX);
    const Node *inner = node_find(root, "b\n");
    CHECK(inner != NULL && strcmp(json_text(&reader, inner, "c"), "\xf0\x9f\x98\x80\xc3\xa9") == 0);
    CHECK(json_array(&reader, root, "e")->count == 0 && reader.status == MOTE_OK);
    json_u64(&reader, root, "n", 7);
    CHECK(reader.status == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "t.json: n must be a whole number");
    json_free(&json);
    CHECK(memory.bytes == 0);
}

static void bad_json(void)
{
    static const char *const texts[] = {"",
                                        " ",
                                        "{",
                                        "[",
                                        "[1",
                                        "[1,",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\":1 \"b\":2}",
                                        "01",
                                        "-",
                                        "1e",
                                        "tru",
                                        "nul",
                                        "\"",
                                        "\"a",
                                        "\"\\x\"",
                                        "\"\\u12\"",
                                        "\"\\ud800\"",
                                        "\"\\udc00\"",
                                        "\"\\u0000\"",
                                        "\"\n\"",
                                        "\"\xff\"",
                                        "\"\xc0\x80\"",
                                        "\"\xed\xa0\x80\"",
                                        "\"\xf4\x90\x80\x80\"",
                                        "\"\xc3",
                                        "1 2",
                                        "[1] x",
                                        "{\"a\":1,\"a\":2}",
                                        "[1 2]",
                                        "]",
                                        "\"\\ud800\\u0041\""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        Memory memory = memory_make(mote_default_allocator());
        Json json;
        mote_Error error = {.status = MOTE_OK};
        CHECK(parse(texts[i], strlen(texts[i]), &json, &memory, &error) == MOTE_IO_FAILED);
        CHECK_MESSAGE(error, "t.json: damaged at byte");
        CHECK(memory.bytes == 0);
    }
}

/* One reader reads all: what JSON5 adds is no damage. */
static void json5_too(void)
{
    static const char *const texts[] = {"[1,]", "{\"a\":1,}", "{a:1}",    "1.",      ".5",
                                        "+1",   "NaN",        "Infinity", "// c\n1", "'a'"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        Memory memory = memory_make(mote_default_allocator());
        Json json;
        mote_Error error;
        CHECK_OK(parse(texts[i], strlen(texts[i]), &json, &memory, &error), error);
        json_free(&json);
        CHECK(memory.bytes == 0);
    }
}

static void deep_json(void)
{
    enum { DEPTH = 100000 };
    Memory memory = memory_make(mote_default_allocator());
    char *text = malloc(DEPTH);
    Json json;
    mote_Error error;
    memset(text, '[', DEPTH);
    CHECK(parse(text, DEPTH, &json, &memory, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "nested more than 64 deep");
    free(text);
}

static void numbers_come_back(void)
{
    static const double values[] = {0.1,     -0.0, 5e-324,   1.7976931348623157e308,
                                    1.0 / 3, 1e22, 123456789};
    Folder folder = folder_make();
    for (int comma = 0; comma < 2; ++comma) {
        if (comma) use_decimal_comma(&folder);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
            char text[NUMBER_SIZE];
            double back = 7;
            CHECK(number_write(values[i], 17, text) == strlen(text) && strchr(text, ',') == NULL);
            CHECK(number_parse(text, &back) && memcmp(&back, &values[i], sizeof back) == 0);
        }
    }
    setlocale(LC_ALL, "C");
    folder_remove(&folder);
    double value;
    CHECK(number_parse("inf", &value) && isinf(value) && number_parse("nan", &value) &&
          isnan(value));
    CHECK(!number_parse("", &value) && !number_parse("0x10", &value) &&
          !number_parse("1,5", &value));
    CHECK(!number_parse("infinity", &value) && !number_parse("1 ", &value) &&
          !number_parse(" 1", &value));
}

/* ---- the manifest ---- */

static Manifest *make(void)
{
    Manifest *manifest = NULL;
    mote_Error error;
    ManifestCheckpoint first = {"checkpoint_000004.npz", 4, {777, 99}},
                       second = {"c9.npz", 9, {778, 0}};
    ManifestTable table = {"log.jsonl", 5, {321, UINT32_MAX}};
    CHECK_OK(
        manifest_create(mote_default_allocator(), "dam \"break\"\t\xc3\xa9", &manifest, &error),
        error);
    manifest->scene_hash = UINT64_C(0xfedcba9876543210);
    manifest->fps = 30000.0 / 1001, manifest->frames_planned = 250;
    static const uint64_t frames[] = {5, 0, 1, 2, 9, 4, 10, 1};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; ++i)
        CHECK_OK(manifest_add_frame(manifest, frames[i],
                                    (FileSum){1000 + i, UINT32_MAX - (uint32_t)i}, &error),
                 error);
    CHECK_OK(manifest_add_item(manifest, "systems.water.viscosity", 1, &error), error);
    CHECK_OK(manifest_add_item(manifest, "gravity", 2, &error), error);
    CHECK_OK(manifest_add_checkpoint(manifest, &first, &error), error);
    CHECK_OK(manifest_add_checkpoint(manifest, &second, &error), error);
    CHECK_OK(manifest_add_table(manifest, &table, &error), error);
    CHECK_OK(manifest_set_command(manifest, "mote run 'a b'", &error), error);
    manifest->state = MANIFEST_STOPPED;
    return manifest;
}

static bool same_sum(FileSum a, FileSum b)
{
    return a.bytes == b.bytes && a.sum == b.sum;
}

static bool same_manifest(const Manifest *a, const Manifest *b)
{
    bool same = strcmp(a->scene, b->scene) == 0 && strcmp(a->mote, b->mote) == 0 &&
                a->real_bytes == b->real_bytes && a->scene_hash == b->scene_hash &&
                a->fps == b->fps && a->frames_planned == b->frames_planned &&
                a->state == b->state && a->item_count == b->item_count &&
                a->frame_count == b->frame_count && a->checkpoint_count == b->checkpoint_count &&
                a->table_count == b->table_count && strcmp(a->command, b->command) == 0 &&
                manifest_compare(a, b, NULL, 0) == 0;
    for (size_t i = 0; same && i < a->frame_count; ++i)
        same = a->frames[i].index == b->frames[i].index &&
               same_sum(a->frames[i].file, b->frames[i].file);
    for (size_t i = 0; same && i < a->checkpoint_count; ++i)
        same = strcmp(a->checkpoints[i].file, b->checkpoints[i].file) == 0 &&
               a->checkpoints[i].frame == b->checkpoints[i].frame &&
               same_sum(a->checkpoints[i].sum, b->checkpoints[i].sum);
    for (size_t i = 0; same && i < a->table_count; ++i)
        same = strcmp(a->tables[i].file, b->tables[i].file) == 0 &&
               a->tables[i].frames == b->tables[i].frames &&
               same_sum(a->tables[i].sum, b->tables[i].sum);
    return same;
}

static void manifests_come_back(void)
{
    Folder folder = folder_make();
    const char *path = folder_file(&folder, MANIFEST_NAME);
    Manifest *manifest = make(), *read = NULL;
    mote_Error error;
    CHECK_OK(manifest_write(manifest, path, &error), error);
    CHECK_OK(manifest_open(path, &read, &error), error);
    CHECK(read != NULL && same_manifest(manifest, read));
    CHECK(manifest_frame(manifest, 1)->file.bytes == 1007 && manifest_frame(manifest, 3) == NULL);
    CHECK(python_agrees("check_manifest.py", path));
    manifest_destroy(read);
    manifest_destroy(manifest);
    folder_remove(&folder);
}

static void changes_are_told(void)
{
    Manifest *before = make(), *after = make();
    mote_Error error;
    ManifestChange changes[4];
    after->items[1].hash = 99;
    after->items[0].path = "systems.water.density";
    CHECK_OK(manifest_add_item(after, "seed", 4, &error), error);
    CHECK(manifest_compare(before, after, changes, 4) == 4);
    CHECK(strcmp(changes[0].path, "systems.water.viscosity") == 0);
    CHECK(changes[0].kind == MANIFEST_REMOVED && changes[1].kind == MANIFEST_CHANGED);
    CHECK(strcmp(changes[1].path, "gravity") == 0 && changes[2].kind == MANIFEST_ADDED);
    CHECK(strcmp(changes[3].path, "seed") == 0 && changes[3].kind == MANIFEST_ADDED);
    manifest_destroy(before);
    manifest_destroy(after);
}

/* Cut or changed anywhere: an error, or a manifest; never more. */
static void damaged_manifests(void)
{
    Folder folder = folder_make();
    Manifest *manifest = make();
    mote_Error error;
    size_t size;
    CHECK_OK(manifest_write(manifest, folder_file(&folder, "m"), &error), error);
    char *bytes = file_bytes(folder.file, &size);
    while (size > 0 && bytes[size - 1] != '}') --size;
    for (size_t cut = 0; cut < size; ++cut) {
        Manifest *read;
        char *exact = malloc(cut + 1);
        memcpy(exact, bytes, cut);
        Source source = source_memory("m", exact, cut);
        CHECK(manifest_read(source, mote_default_allocator(), &read, &error) == MOTE_IO_FAILED);
        free(exact);
    }
    for (size_t i = 0; i < size; ++i)
        for (int flip = 1; flip < 256; flip <<= 1) {
            Manifest *read;
            bytes[i] = (char)(bytes[i] ^ flip);
            Source source = source_memory("m", bytes, size);
            mote_Status status = manifest_read(source, mote_default_allocator(), &read, &error);
            CHECK(status == MOTE_OK || status == MOTE_IO_FAILED || status == MOTE_BAD_VALUE);
            manifest_destroy(read);
            bytes[i] = (char)(bytes[i] ^ flip);
        }
    free(bytes);
    manifest_destroy(manifest);
    folder_remove(&folder);
}

static void wrong_manifests_are_named(void)
{
    static const struct {
        const char *from, *to, *message;
    } cases[] = {{"\"format\": 1", "\"format\": 2", "has format 2, but"},
                 {"\"running\"", "\"walking\"", "state must be running, finished or stopped"},
                 {"\"fps\": 30", "\"fps\": 0 ", "fps must be greater than 0"},
                 {"\"last\": 1", "\"last\": 2", "frames must be ascending ranges"},
                 {"\"last\": 1", "\"last\": 0", "frames must be ascending ranges"},
                 {"\"c.npz\"", "\"../xy\"", "file must be the name of a file inside the folder"},
                 {"\"scene\"", "\"scenE\"", "scene must be a text"},
                 {"00000000000000ab", "00000000000000aX", "16 hexadecimal digits"}};
    static const char good[] =
        "{\"format\": 1, \"mote\": \"0.1.0\", \"real_bytes\": 4, \"scene\": \"s\", \"scene_hash\": "
        "\"00000000000000ab\", \"fps\": 30, \"frames_planned\": 3, \"state\": \"running\", "
        "\"frames\": [{\"first\": 0, \"last\": 1, \"bytes\": [5, 6]}], \"checkpoints\": "
        "[{\"file\": "
        "\"c.npz\", \"frame\": 1, \"bytes\": 3}], \"items\": []}";
    Manifest *read = NULL;
    mote_Error error;
    CHECK_OK(manifest_read(source_memory("m", good, sizeof good - 1), mote_default_allocator(),
                           &read, &error),
             error);
    manifest_destroy(read);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        char *at = strstr(text, cases[i].from);
        memcpy(at, cases[i].to, strlen(cases[i].to));
        mote_Status wanted = i == 0 ? MOTE_BAD_VALUE : MOTE_IO_FAILED; /* a format is no damage */
        CHECK(manifest_read(source_memory("m", text, sizeof good - 1), mote_default_allocator(),
                            &read, &error) == wanted);
        CHECK_MESSAGE(error, cases[i].message);
    }
}

TESTS({"good_json", good_json}, {"bad_json", bad_json}, {"json5_too", json5_too},
      {"deep_json", deep_json}, {"numbers_come_back", numbers_come_back},
      {"manifests_come_back", manifests_come_back}, {"changes_are_told", changes_are_told},
      {"damaged_manifests", damaged_manifests},
      {"wrong_manifests_are_named", wrong_manifests_are_named})

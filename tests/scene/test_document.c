/* Documents: version, includes and merging, params, settings; memory that fails. */
#include "scene/reading.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- files of the tests, in a folder of their own ---- */

static char folder[64];

static void write_file(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "scene-test-%d-XXXXXX", mote_real_size());
    CHECK(mkdtemp(folder) != NULL);
    char path[200];
    snprintf(path, sizeof path, "%s/sub", folder);
    CHECK(mkdir(path, 0700) == 0);
}

static void remove_folder(const char *const *names)
{
    char path[200];
    for (; *names != NULL; ++names) {
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/sub", folder);
    rmdir(path);
    CHECK(rmdir(folder) == 0);
}

static void read_file(Reading *reading, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    reading->memory = memory_make((mote_Allocator){0});
    reading->document = document_create(&reading->memory);
    reading->status = document_read(reading->document, path, NULL, 0, &reading->error);
    reading->shown = text_buffer_make(&reading->memory);
    reading_show(reading);
}

/* The folder's random name, replaced by "DIR". */
static const char *without_folder(char *text)
{
    char *found;
    size_t length = strlen(folder);
    while ((found = strstr(text, folder)) != NULL) {
        memcpy(found, "DIR", 3);
        memmove(found + 3, found + length, strlen(found + length) + 1);
    }
    return text;
}

static void check_tree(Reading *reading, const char *wanted)
{
    TextBuffer tree = text_buffer_make(&reading->memory);
    CHECK(reading->status == MOTE_OK);
    if (reading->document->root != NULL)
        json5_print(reading->document->root, &tree);
    else
        text_buffer_print(&tree, "%s", reading->shown.text);
    CHECK_TEXT(tree.text, wanted);
    text_buffer_free(&tree);
}

/* ---- tests ---- */

typedef struct Bad {
    const char *text;
    const char *setting; /* NULL: none */
    const char *shown;
} Bad;

static const Bad bad[] = {
    {"{}", NULL, "scene.json5:1:1: error: the format version `mote: 1` is missing\n{}\n^\n"},
    {"[1]", NULL, "scene.json5:1:1: error: expected an object, found a list\n[1]\n^~~\n"},
    {"{mote: 2}", NULL,
     "scene.json5:1:8: error: unknown format version 2; this build reads version 1\n"
     "{mote: 2}\n       ^\n"},
    {"{mote: 1}", "mote=w",
     "--set:1:6: error: expected a number, found a string\nmote=w\n     ^\n"},
    {"{mote: 1}", "mote=2",
     "--set:1:6: error: unknown format version 2; this build reads version 1\nmote=2\n     ^\n"},
    {"{mote: '1'}", NULL,
     "scene.json5:1:8: error: expected a number, found a string\n{mote: '1'}\n       ^~~\n"},
    {"\xef\xbb\xbf{mote: x}", NULL,
     "scene.json5:1:8: error: expected a value, found `x`\n{mote: x}\n       ^\n"
     "hint: a string stands in quotes\n"},
    {"{mote: 1, params: {a: [1]}}", NULL,
     "scene.json5:1:23: error: a param is a number, a string, true or false; found a list\n"
     "{mote: 1, params: {a: [1]}}\n                      ^~~\n"},
    {"{mote: 1, params: [1]}", NULL,
     "scene.json5:1:19: error: expected an object, found a list\n"
     "{mote: 1, params: [1]}\n                  ^~~\n"},
    {"{mote: 1, params: {a: '=b', b: 1}}", NULL,
     "scene.json5:1:25: error: unknown name `b`\n"
     "{mote: 1, params: {a: '=b', b: 1}}\n                        ^\n"
     "hint: known names: t, frame, pi, tau, e; a param may use the params before it\n"},
    {"{mote: 1, params: {a: '=2*t'}}", NULL,
     "scene.json5:1:23: error: this value must be constant, but the expression varies\n"
     "{mote: 1, params: {a: '=2*t'}}\n                      ^~~~~~\n"
     "hint: a param may use the params before it\n"},
    {"{mote: 1, params: {sin: 1, t: 2}}", NULL,
     "scene.json5:1:20: error: the param `sin` cannot have the name of a function or constant\n"
     "{mote: 1, params: {sin: 1, t: 2}}\n                   ^~~\n"
     "scene.json5:1:28: error: the param `t` cannot have the name of a variable\n"
     "{mote: 1, params: {sin: 1, t: 2}}\n                           ^\n"},
    {"{mote: 1, params: {a: '= 1 + \\u0062c*2'}}", NULL,
     "scene.json5:1:30: error: unknown name `bc`\n"
     "{mote: 1, params: {a: '= 1 + \\u0062c*2'}}\n                             ^~~~~~~\n"
     "hint: known names: t, frame, pi, tau, e; a param may use the params before it\n"},
    {"{mote: 1, include: 3}", NULL,
     "scene.json5:1:20: error: expected a string, found a number\n"
     "{mote: 1, include: 3}\n                   ^\n"},
    {"{mote: 1, include: ['no/such.json5', '.']}", NULL,
     "scene.json5:1:21: error: cannot read no/such.json5: No such file or directory\n"
     "{mote: 1, include: ['no/such.json5', '.']}\n                    ^~~~~~~~~~~~~~~\n"
     "scene.json5:1:38: error: cannot read .: it is a folder\n"
     "{mote: 1, include: ['no/such.json5', '.']}\n                                     ^~~\n"},
    {"{mote: 1, params: {rate: 1, bounce: 2}}", "bounec=3",
     "--set:1:1: error: the scene has no param `bounec`\nbounec=3\n^~~~~~\n"
     "hint: did you mean `bounce`? (params: rate, bounce)\n"},
    {"{mote: 1}", "rate=3",
     "--set:1:1: error: the scene has no param `rate`\nrate=3\n^~~~\n"
     "hint: it has none at all; any value goes by its place, as world.fps=60 or "
     "emitters.0.rate=9\n"},
    {"{mote: 1, params: {rate: 1}}", "rate=fast",
     "--set:1:6: error: expected a number, found a string\nrate=fast\n     ^~~~\n"},
    {"{mote: 1, params: {on: true}}", "on=yes",
     "--set:1:4: error: expected true or false, found a string\non=yes\n   ^~~\n"},
    {"{mote: 1, params: {rate: 1}}", "rate==2*rtae",
     "--set:1:9: error: unknown name `rtae`\nrate==2*rtae\n        ^~~~\n"
     "hint: known names: t, frame, pi, tau, e; a param may use the params before it\n"},
    {"{mote: 1}", "rate", "--set:1:1: error: expected name=value\nrate\n^\n"},
    {"{mote: 1}", "=3", "--set:1:1: error: expected name=value\n=3\n^\n"},
    {"{mote: 1}", "a.\x97=3", "--set:1:3: error: byte 0x97 is not UTF-8 text\na.?=3\n  ^\n"},
    {"{mote: 1}", "a..b=3", "--set:1:3: error: expected a key before the `.`\na..b=3\n  ^\n"},
    {"{mote: 1}", "a.=3", "--set:1:3: error: expected a key before the `=`\na.=3\n  ^\n"},
    {"{mote: 1}", "a.b=[1", "--set:1:5: error: this `[` is never closed\na.b=[1\n    ^\n"},
    {"{mote: 1, a: {b: 2}}", "a.b.c=3",
     "--set:1:5: error: `c` cannot be set: what holds it is a number\na.b.c=3\n    ^\n"},
    {"{mote: 1, systems: [{name: 'drops'}]}", "systems.drop.x=3",
     "--set:1:9: error: the list has no element `drop`\nsystems.drop.x=3\n        ^~~~\n"
     "hint: did you mean `drops`? (elements go by their names, or by numbers from 0)\n"},
    {"{mote: 1, systems: [{name: 'drops'}]}", "systems.1.x=3",
     "--set:1:9: error: the list has no element `1`\nsystems.1.x=3\n        ^\n"
     "hint: elements go by their names, or by numbers from 0\n"},
};

static void says_what_is_wrong(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        const char *settings[] = {bad[i].setting, NULL};
        Reading reading;
        reading_start(&reading, bad[i].text, settings);
        CHECK(reading.status == MOTE_BAD_VALUE);
        CHECK_TEXT(reading.shown.text, bad[i].shown);
        reading_end(&reading);
    }
}

static void limits_the_depth_of_settings(void)
{
    enum { PARTS = 100000 };
    static char setting[2 * PARTS + 3];
    for (size_t i = 0; i < PARTS; ++i) setting[2 * i] = 'a', setting[2 * i + 1] = '.';
    strcpy(setting + 2 * PARTS - 1, "=1");
    const char *settings[] = {setting, NULL};
    Reading reading;
    reading_start(&reading, "{mote: 1}", settings);
    CHECK(reading.status == MOTE_BAD_VALUE);
    CHECK_MESSAGE(reading.error, "--set:1:129: the path has more than 64 parts");
    json5_print(reading.document->root, &reading.shown);
    reading_end(&reading);
}

static void error_holds_the_first(void)
{
    Reading reading;
    reading_start(&reading, "{\n params: {a: null, b: null}}", NULL);
    CHECK(strcmp(reading.error.message, "scene.json5:1:1: the format version `mote: 1` is missing "
                                        "(and 2 more)") == 0);
    reading_end(&reading);
}

static void computes_params(void)
{
    Reading reading;
    const char *settings[] = {"rate=8e3", "mood=5", NULL};
    reading_start(&reading,
                  "{mote: 1, params: {rate: 4000, twice: '=2*rate', on: true, mood: 'calm',"
                  " four: '=on ? 4 : 5', big: Infinity}, v: ['=twice+four', '=mood', '=on']}",
                  settings);
    CHECK_OK(reading.status, reading.error);
    const Node *list = node_find(reading.document->root, "v");
    const Reader *reader = &reading.document->reader;
    double number;
    const char *text;
    bool on;
    CHECK(node_number(reader, node_child(list, 0), "", &number) && number == 16004);
    CHECK(node_text(reader, node_child(list, 1), &text) && strcmp(text, "5") == 0);
    CHECK(node_bool(reader, node_child(list, 2), &on) && on);
    reading_end(&reading);
}

static void settings_change_any_key(void)
{
    Reading reading;
    const char *settings[] = {"world.seed=8",
                              "systems.drops.solver.integrator=rk4",
                              "systems.1.solver={type: 'sph'}",
                              "world.gravity=[0, -1.62, 0]",
                              "camera.lens.fov==20+20",
                              "params.a=3",
                              "forces=[{type: 'drag'}]",
                              NULL};
    reading_start(&reading,
                  "{mote: 1, params: {a: 1}, forces: [], world: {dimension: 3, seed: 7},"
                  " systems: [{name: 'drops', solver: {type: 'points'}}, {name: 'mist'}]}",
                  settings);
    check_tree(&reading, "{\n"
                         "  mote: 1,\n"
                         "  params: { a: 3 },\n"
                         "  forces: [\n"
                         "    { type: \"drag\" },\n"
                         "  ],\n"
                         "  world: {\n"
                         "    dimension: 3,\n"
                         "    seed: 8,\n"
                         "    gravity: [0, -1.62, 0],\n"
                         "  },\n"
                         "  systems: [\n"
                         "    {\n"
                         "      name: \"drops\",\n"
                         "      solver: { type: \"points\", integrator: \"rk4\" },\n"
                         "    },\n"
                         "    {\n"
                         "      name: \"mist\",\n"
                         "      solver: { type: \"sph\" },\n"
                         "    },\n"
                         "  ],\n"
                         "  camera: {\n"
                         "    lens: { fov: \"=20+20\" },\n"
                         "  },\n"
                         "}\n");
    const Node *lens = node_find(node_find(reading.document->root, "camera"), "lens");
    double fov;
    CHECK(node_number(&reading.document->reader, node_find(lens, "fov"), "", &fov) && fov == 40);
    reading_end(&reading);
}

static const char *const include_files[] = {"main.json5",     "base.json5", "sub/more.json5",
                                            "sub/deep.json5", "a.json5",    "sub/b.json5",
                                            "bad.json5",      NULL};

static void merges_includes(void)
{
    Reading reading;
    make_folder();
    write_file("main.json5", "{mote: 1, include: ['base.json5', 'sub/more.json5'],\n"
                             " params: {rate: 2}, world: {seed: 3}, forces: [3], sky: 'dusk'}");
    write_file("base.json5", "{params: {rate: 1, size: '=2*rate'}, world: {seed: 1, up: 'y'},"
                             " forces: [1], sky: {sun: 1}}");
    write_file("sub/more.json5", "{include: 'deep.json5', mote: 1, world: {up: 'z', fps: 30},"
                                 " forces: [2]}");
    write_file("sub/deep.json5", "{include: ['../base.json5'], forces: [1.5]}");
    read_file(&reading, "main.json5");
    check_tree(&reading, "{\n"
                         "  params: { rate: 2, size: \"=2*rate\" },\n"
                         "  world: { seed: 3, up: \"z\", fps: 30 },\n"
                         "  forces: [1, 1.5, 2, 3],\n"
                         "  sky: \"dusk\",\n"
                         "  mote: 1,\n"
                         "}\n");
    CHECK(reading.document->param_scope.count == 2 && reading.document->params[1].value == 4);
    Position world = place_position(node_place(node_find(reading.document->root, "world")));
    CHECK(world.line == 2); /* errors point at the including file */
    reading_end(&reading);
    remove_folder(include_files);
}

static void shows_cycles_and_bad_includes(void)
{
    Reading reading;
    make_folder();
    write_file("main.json5", "{mote: 1, include: 'a.json5'}");
    write_file("a.json5", "{include: 'sub/b.json5'}");
    write_file("sub/b.json5", "{include: '../a.json5'}");
    read_file(&reading, "main.json5");
    CHECK(reading.status == MOTE_BAD_VALUE);
    CHECK_TEXT(without_folder(reading.shown.text),
               "DIR/sub/b.json5:1:11: error: files include each other: DIR/a.json5 includes "
               "DIR/sub/b.json5 includes DIR/a.json5\n"
               "{include: '../a.json5'}\n          ^~~~~~~~~~~~\n");
    reading_end(&reading);
    write_file("main.json5", "{mote: 1, include: ['bad.json5', 'main.json5'], params: {a: '=c'}}");
    write_file("bad.json5", "{mote: 7, a: 1, a: 2}");
    read_file(&reading, "main.json5");
    CHECK(reading.status == MOTE_BAD_VALUE && reading.document->diagnostics.errors == 4);
    CHECK(strstr(reading.shown.text, "main.json5 includes") != NULL);
    reading_end(&reading);
    remove_folder(include_files);
}

static void limits_include_depth(void)
{
    enum { FILES = 19 };
    Reading reading;
    char name[FILES][32], text[64];
    const char *names[FILES + 1] = {NULL};
    make_folder();
    for (int i = 0; i < FILES; ++i) {
        snprintf(name[i], sizeof name[i], "f%d.json5", i);
        snprintf(text, sizeof text, "{mote: 1, include: 'f%d.json5'}", i + 1);
        write_file(names[i] = name[i], i + 1 < FILES ? text : "{}");
    }
    read_file(&reading, "f0.json5");
    CHECK(reading.status == MOTE_BAD_VALUE);
    CHECK(strstr(reading.shown.text, "f16.json5:1:20: error: files include more than 16 deep"));
    reading_end(&reading);
    read_file(&reading, "f2.json5");
    CHECK_OK(reading.status, reading.error);
    reading_end(&reading);
    remove_folder(names);
}

static void refuses_files(void)
{
    Reading reading;
    char path[200];
    const char *names[] = {"huge.json5", NULL};
    make_folder();
    read_file(&reading, "none.json5");
    CHECK(reading.status == MOTE_IO_FAILED);
    CHECK_MESSAGE(reading.error, "none.json5: No such file or directory");
    reading_end(&reading);
    read_file(&reading, "sub");
    CHECK(reading.status == MOTE_IO_FAILED);
    CHECK_MESSAGE(reading.error, "it is a folder");
    reading_end(&reading);
    write_file("huge.json5", "{}");
    snprintf(path, sizeof path, "%s/huge.json5", folder);
    CHECK(truncate(path, 1000000000) == 0); /* a hole: no disk is used */
    read_file(&reading, "huge.json5");
    CHECK(reading.status == MOTE_BAD_VALUE && reading.memory.peak_bytes < 1000000);
    CHECK_MESSAGE(reading.error, "it has 1000000000 bytes, but at most 67108864 are read");
    reading_end(&reading);
    remove_folder(names);
}

/* ---- memory that fails at the n-th call ---- */

typedef struct Failure {
    const char *text;
    const char *const *settings;
} Failure;

static mote_Status read_with(Memory *memory, const void *context)
{
    const Failure *failure = context;
    mote_Error error;
    Document *document = document_create(memory);
    if (document == NULL) return MOTE_NO_MEMORY;
    mote_Status status =
        document_read_text(document, "s.json5", failure->text, failure->settings, 3, &error);
    TextBuffer shown = text_buffer_make(memory);
    diagnostics_render(&document->diagnostics, true, &shown);
    if (document->root != NULL) json5_print(document->root, &shown);
    bool cut = shown.failed;
    text_buffer_free(&shown);
    document_destroy(document);
    return cut ? MOTE_NO_MEMORY : status;
}

static void survives_no_memory(void)
{
    enum { BULK = 60000 };
    char *text = calloc(BULK + 1000, 1);
    make_folder();
    write_file("a.json5", "{include: 'sub/b.json5', list: [1]}");
    write_file("sub/b.json5", "{include: '../a.json5', k1: 7, k1: 8}");
    size_t size = (size_t)sprintf(text,
                                  "{mote: 1, include: ['%s/a.json5', 'none'], params: {a: 1, b: "
                                  "'=2*a', c: '=zz'}, list: [2], o: {",
                                  folder);
    for (int i = 0; size < BULK; ++i) size += (size_t)sprintf(text + size, "k%d: 'text\\n',", i);
    sprintf(text + size, "}}");
    const char *settings[] = {"a=4", "o.k3.x=1", "o.new.deep=[1,2,3]"};
    const Failure failure = {text, settings};
    CHECK(check_failing_memory(read_with, &failure, MOTE_BAD_VALUE) > 40);
    free(text);
    remove_folder(include_files);
}

TESTS({"says_what_is_wrong", says_what_is_wrong},
      {"limits_the_depth_of_settings", limits_the_depth_of_settings},
      {"error_holds_the_first", error_holds_the_first}, {"computes_params", computes_params},
      {"settings_change_any_key", settings_change_any_key}, {"merges_includes", merges_includes},
      {"shows_cycles_and_bad_includes", shows_cycles_and_bad_includes},
      {"limits_include_depth", limits_include_depth}, {"refuses_files", refuses_files},
      {"survives_no_memory", survives_no_memory})

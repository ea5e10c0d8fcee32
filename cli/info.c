/* mote info: what this build and this machine have, or what a folder of a run holds. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/info_folder.h"
#include "cli/json_print.h"

#include <mote/device.h>
#include <mote/ranks.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

typedef struct InfoOptions {
    bool json;
} InfoOptions;

enum { TEXT_SIZE = 1024 };

typedef struct InfoLine {
    const char *key, *what;
    void (*text)(char text[TEXT_SIZE]);
} InfoLine;

static void version_text(char text[TEXT_SIZE])
{
    snprintf(text, TEXT_SIZE, "%s", mote_version());
}

static void precision_text(char text[TEXT_SIZE])
{
    snprintf(text, TEXT_SIZE, "%s", mote_real_size() == 4 ? "float" : "double");
}

static void isa_text(char text[TEXT_SIZE])
{
    snprintf(text, TEXT_SIZE, "%s", mote_isa_name());
}

static void threads_text(char text[TEXT_SIZE])
{
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    mote_Error error;
    int workers = 1;
    if (mote_tasks_create(&def, &tasks, &error) == MOTE_OK) workers = mote_tasks_workers(tasks);
    mote_tasks_destroy(tasks);
    snprintf(text, TEXT_SIZE, "%d", workers);
}

static void compiler_text(char text[TEXT_SIZE])
{
#if defined(__clang__)
    snprintf(text, TEXT_SIZE, "%s", __VERSION__);
#else
    snprintf(text, TEXT_SIZE, "gcc %s", __VERSION__);
#endif
}

static void zlib_text(char text[TEXT_SIZE])
{
    snprintf(text, TEXT_SIZE, "%s", zlibVersion());
}

/* A part of the build, see cmake/parts.cmake. */
#define PART_TEXT(part, without)                                                                   \
    static void part##_text(char text[TEXT_SIZE])                                                  \
    {                                                                                              \
        snprintf(text, TEXT_SIZE, "%s", PART_##part ? "yes" : "no: " without);                     \
    }
#define PART_cairo    MOTE_WITH_CAIRO
#define PART_civetweb MOTE_WITH_CIVETWEB
#define PART_embree   MOTE_WITH_EMBREE
PART_TEXT(cairo, "no plots and no legends")
PART_TEXT(civetweb, "no view in the browser")
PART_TEXT(embree, "no ray-traced pictures")

/* What runs over several machines would go through. */
static void mpi_text(char text[TEXT_SIZE])
{
    mote_Error error = {0};
    if (mote_ranks_library(text, TEXT_SIZE, &error) != MOTE_OK)
        snprintf(text, TEXT_SIZE, "no: %s", error.message);
}

/* What deals space over ranks; Zoltan would cut the same way (docs/design/0033-ranks.md). */
static void partitioner_text(char text[TEXT_SIZE])
{
    snprintf(text, TEXT_SIZE, "its own recursive coordinate bisection (no Zoltan)");
}

/* Where the PATH leads; "" when it leads nowhere. */
static void ffmpeg_text(char text[TEXT_SIZE])
{
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        int size = snprintf(text, TEXT_SIZE, "%.*s/ffmpeg", (int)length, path);
        if (size < TEXT_SIZE && access(text, X_OK) == 0) return;
        path += length + (path[length] == ':');
    }
    text[0] = '\0';
}

static const InfoLine lines[] = {
    {"version", "version", version_text},
    {"precision", "precision", precision_text},
    {"instruction_set", "instruction set", isa_text},
    {"threads", "threads", threads_text},
    {"compiler", "compiler", compiler_text},
    {"zlib", "zlib", zlib_text},
    {"cairo", "cairo", cairo_text},
    {"civetweb", "civetweb", civetweb_text},
    {"embree", "embree", embree_text},
    {"mpi", "mpi", mpi_text},
    {"partitioner", "partitioner", partitioner_text},
    {"ffmpeg", "ffmpeg", ffmpeg_text},
};
enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

static void put_value(JsonWriter *writer, const char *key, const char *text)
{
    if (strcmp(key, "threads") == 0)
        json_put_u64(writer, key, (uint64_t)atoi(text));
    else
        json_put_text(writer, key, text);
}

/* ---- devices ---- */

enum { MOST_DEVICES = 32 };

static size_t list_devices(mote_DeviceInfo devices[MOST_DEVICES])
{
    const size_t count = mote_devices(devices, MOST_DEVICES);
    return count < MOST_DEVICES ? count : MOST_DEVICES;
}

static void put_devices(JsonWriter *writer)
{
    mote_DeviceInfo devices[MOST_DEVICES];
    const size_t count = list_devices(devices);
    json_begin(writer, "devices", '[');
    for (size_t i = 0; i < count; ++i) {
        const mote_DeviceInfo *d = &devices[i];
        json_begin(writer, NULL, '{');
        json_put_text(writer, "name", d->name);
        json_put_text(writer, "driver", d->driver);
        json_put_u64(writer, "memory", d->memory);
        json_put_bool(writer, "gpu", d->gpu);
        json_put_bool(writer, "exact", d->exact);
        json_put_text(writer, "why", d->why);
        json_finish(writer, '}');
    }
    json_finish(writer, ']');
}

static void print_devices(void)
{
    mote_DeviceInfo devices[MOST_DEVICES];
    const size_t count = list_devices(devices);
    if (count == 0) printf("%-16s %s\n", "devices", "none: everything runs on the processor");
    for (size_t i = 0; i < count; ++i) {
        const mote_DeviceInfo *d = &devices[i];
        printf("%-16s %s: %s, %s, %.1f GB, %s%s\n", i == 0 ? "devices" : "", d->name,
               d->gpu ? "gpu" : "processor", d->driver, (double)d->memory / (1 << 30),
               d->exact ? "exact" : "not exact: ", d->why);
    }
}

static int print_json(void)
{
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    for (size_t i = 0; i < LINE_COUNT; ++i) {
        char text[TEXT_SIZE];
        lines[i].text(text);
        put_value(writer, lines[i].key, text);
    }
    put_devices(writer);
    return json_print_end(&print);
}

static void print_lines(void)
{
    for (size_t i = 0; i < LINE_COUNT; ++i) {
        char text[TEXT_SIZE];
        lines[i].text(text);
        printf("%-16s %s\n", lines[i].what,
               text[0] != '\0' ? text : "none: there will be pictures, but no video");
    }
    print_devices();
}

static int info_run(const void *values, Given given)
{
    const InfoOptions *options = values;
    mote_Error error = {0};
    int code = EXIT_DONE;
    if (given[0] != NULL) return info_folder(given[0], options->json);
    if (options->json)
        code = print_json();
    else
        print_lines();
    mote_Status status = mote_isa_check(&error);
    return status == MOTE_OK ? code : message_failure(status, &error);
}

static const Option options[] = {
    {"json", .doc = "print one JSON object", .type = OPTION_FLAG, OPTION_HERE(InfoOptions, json)},
    {0}};
static const InfoOptions defaults = {0};
static const Example examples[] = {
    {"info", "version, precision, instruction set, libraries"},
    {"info --json", "the same for programs"},
    {"info out/demo", "a run: how far it is, and whether it is whole"},
    {0}};
static const Argument arguments[] = {{"FOLDER", "the folder of a run", WORDS_FOLDER, true}, {0}};
const Command command_info = {.name = "info",
                              .doc = "Tell what this build has, or describe and check a run.",
                              .details = "Of a run it reads everything that is listed and compares "
                                         "it with its check sums. Exits with 1 when something is "
                                         "damaged or missing.",
                              COMMAND_PARTS,
                              .run = info_run};

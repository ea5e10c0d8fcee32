/* The view: how much a client that reads slowly slows a simulation down, and how many frames a
 * second a reader on this machine gets. Both go the whole way: session, message, civetweb, a socket
 * of the loopback, a client. */
#include "bench/bench.h"

#include "base/machine.h"
#include "view/server.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if MOTE_WITH_CIVETWEB

#include <civetweb.h>

/* The dam of scenes/dam-break.json5 with short frames, so that there are many of them. */
static const char dam_text[] =
    "{ mote: 1, params: { spacing: 0.02 }, world: { fps: 400, max_step: 0.005, duration: 1 },"
    "  systems: [{ name: \"water\", solver: { type: \"sph\", spacing: \"=spacing\", artificial: "
    "0.05 },"
    "    look: { profile: \"sphere\", size: \"=0.6*spacing\", color: "
    "[\"=0.02+0.6*clamp(speed/4,0,1)\","
    "      \"=0.14+0.62*clamp(speed/4,0,1)\", \"=0.38+0.5*clamp(speed/4,0,1)\"] } }],"
    "  emitters: [{ name: \"block\", system: \"water\", at: [-1.5, 0.5, 0],"
    "    from: { type: \"fill\", spacing: \"=spacing\", shape: { type: \"box\", size: [1, 1, 1] } "
    "} }],"
    "  colliders: [{ name: \"tank\", shape: { type: \"inverted\", shape: { type: \"box\","
    "    size: [4, 2, 1] } }, motion: { at: [0, 1, 0] } }] }";

static const char dust_text[] =
    "{ mote: 1, params: { count: 100000 }, world: { fps: 60, max_step: 0.1, duration: 100000,"
    "    gravity: [0, 0, 0] },"
    "  systems: [{ name: \"dust\", look: { color: { by: \"speed\", map: \"viridis\","
    "    range: [0, 1] } } }],"
    "  emitters: [{ name: \"all\", system: \"dust\", rate: 0, burst: \"=count\", radius: 0.01,"
    "    velocity: [0, 0.1, 0], spread: 3, speed_jitter: 1, from: { type: \"box\","
    "    size: [10, 10, 10] } }] }";

typedef struct Stand {
    mote_Tasks *tasks;
    ViewPost *post;
    ViewSession *session;
    ViewServer *server;
    char setting[64];
    const char *settings[1];
} Stand;

typedef struct Reader {
    struct mg_connection *connection;
    double rest;            /* s after each frame */
    uint64_t frames, bytes; /* atomic */
} Reader;

static void sleep_for(double seconds)
{
    const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

/* ---- the client ---- */

static int read_message(struct mg_connection *connection, int bits, char *bytes, size_t size,
                        void *context)
{
    static const char ready[] = "{\"do\": \"ready\"}";
    Reader *reader = context;
    (void)bytes;
    if ((bits & 15) != MG_WEBSOCKET_OPCODE_BINARY) return 1;
    __atomic_add_fetch(&reader->frames, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&reader->bytes, size, __ATOMIC_RELAXED);
    if (reader->rest > 0) sleep_for(reader->rest);
    mg_websocket_client_write(connection, MG_WEBSOCKET_OPCODE_TEXT, ready, sizeof ready - 1);
    return 1;
}

static void closed(const struct mg_connection *connection, void *context)
{
    (void)connection, (void)context;
}

static bool reader_connect(Reader *reader, const Stand *stand)
{
    static const char hello[] = "{\"do\": \"hello\"}";
    char error[128], path[VIEW_ADDRESS + 16];
    const char *port = strrchr(server_address(stand->server), ':') + 1;
    snprintf(path, sizeof path, "%ssocket", strchr(port, '/'));
    reader->connection = mg_connect_websocket_client(
        "127.0.0.1", atoi(port), 0, error, sizeof error, path, NULL, read_message, closed, reader);
    if (reader->connection == NULL) return false;
    mg_websocket_client_write(reader->connection, MG_WEBSOCKET_OPCODE_TEXT, hello,
                              sizeof hello - 1);
    return true;
}

/* ---- what is looked at ---- */

static bool stand_make(Stand *stand, const char *text, const char *setting, int threads,
                       mote_Error *error)
{
    *stand = (Stand){.tasks = bench_tasks(threads), .post = post_create()};
    snprintf(stand->setting, sizeof stand->setting, "%s", setting);
    stand->settings[0] = stand->setting;
    const ViewSessionDef def = {.text = text,
                                .name = "bench",
                                .settings = stand->settings,
                                .setting_count = 1,
                                .tasks = stand->tasks,
                                .files = "/nowhere",
                                .paused = true,
                                .post = stand->post};
    if (stand->tasks == NULL || stand->post == NULL) return false;
    if (session_create(&def, &stand->session, error) != MOTE_OK) return false;
    const ViewServerDef server = {
        .session = stand->session, .post = stand->post, .files = "/nowhere"};
    return server_start(&server, &stand->server, error) == MOTE_OK;
}

static void stand_end(Stand *stand)
{
    server_stop(stand->server);
    session_destroy(stand->session);
    post_destroy(stand->post);
    mote_tasks_destroy(stand->tasks);
}

static void play(const Stand *stand)
{
    ViewRequest request = {.what = VIEW_DO_play, .on = true};
    session_ask(stand->session, &request);
}

typedef struct Spent {
    double clock; /* s */
    double cpu;   /* s of all threads, the client's too: what a busy machine does not distort */
} Spent;

static double cpu_seconds(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* For frames 2 to `last`: the first one holds what is done once. Keeps the least. */
static void time_frames(const Stand *stand, uint64_t last, Spent *least)
{
    play(stand);
    while (session_frame(stand->session) < 1) sleep_for(0.002);
    const double start = clock_seconds(), cpu = cpu_seconds();
    while (session_frame(stand->session) < last) sleep_for(0.005);
    least->clock = fmin(least->clock, clock_seconds() - start);
    least->cpu = fmin(least->cpu, cpu_seconds() - cpu);
}

/* ---- figures ---- */

enum { DAM_FRAMES = 8, ROUNDS = 5 };

static bool time_dam(const char *setting, int threads, double rest, Spent *least, mote_Error *error)
{
    Stand stand;
    Reader reader = {.rest = rest};
    bool good = stand_make(&stand, dam_text, setting, threads, error);
    if (good && rest > 0) good = reader_connect(&reader, &stand);
    if (good) time_frames(&stand, DAM_FRAMES, least);
    if (reader.connection != NULL) mg_close_connection(reader.connection);
    stand_end(&stand);
    return good;
}

/* The same frames with and without, in turns; the best of each. */
static bool bench_slowdown(const BenchOptions *options, int threads, mote_Error *error)
{
    const double count = options->count > 0 ? (double)options->count : 125000;
    Spent alone = {HUGE_VAL, HUGE_VAL}, watched = alone;
    char setting[64], name[64];
    snprintf(setting, sizeof setting, "spacing=%.9g", 1 / cbrt(count));
    for (int i = 0; i < ROUNDS; ++i)
        if (!time_dam(setting, threads, 0, &alone, error) ||
            !time_dam(setting, threads, 0.3, &watched, error))
            return false;
    snprintf(name, sizeof name, "view/dam/%.0f/slow-reader", count);
    bench_print(options, &(BenchFigure){.name = name,
                                        .metric = "slowdown",
                                        .unit = "%",
                                        .value = 100 * (watched.cpu / alone.cpu - 1),
                                        .threads = threads});
    bench_print(options, &(BenchFigure){.name = name,
                                        .metric = "ms_per_frame",
                                        .unit = "ms",
                                        .value = 1e3 * watched.clock / (DAM_FRAMES - 1),
                                        .threads = threads,
                                        .peer = "nobody",
                                        .peer_value = 1e3 * alone.clock / (DAM_FRAMES - 1)});
    return true;
}

static bool bench_delivery(const BenchOptions *options, int threads, mote_Error *error)
{
    const double count = options->count > 0 ? (double)options->count : 100000, seconds = 3;
    Stand stand;
    Reader reader = {.rest = 0};
    char setting[64], name[64];
    snprintf(setting, sizeof setting, "count=%.0f", count);
    snprintf(name, sizeof name, "view/deliver/%.0f", count);
    bool good = stand_make(&stand, dust_text, setting, threads, error);
    if (good) good = reader_connect(&reader, &stand);
    if (good) {
        play(&stand);
        while (__atomic_load_n(&reader.frames, __ATOMIC_RELAXED) < 3) sleep_for(0.001);
        const uint64_t frames = reader.frames, bytes = reader.bytes;
        const double start = clock_seconds();
        sleep_for(seconds);
        const double took = clock_seconds() - start;
        const double delivered =
            (double)(__atomic_load_n(&reader.frames, __ATOMIC_RELAXED) - frames);
        const double sent = (double)(__atomic_load_n(&reader.bytes, __ATOMIC_RELAXED) - bytes);
        bench_print(options, &(BenchFigure){.name = name,
                                            .metric = "frames_per_s",
                                            .unit = "1/s",
                                            .value = delivered / took,
                                            .threads = threads});
        bench_print(options, &(BenchFigure){.name = name,
                                            .metric = "bytes_per_frame",
                                            .unit = "B",
                                            .value = delivered > 0 ? sent / delivered : 0,
                                            .threads = threads});
    }
    if (reader.connection != NULL) mg_close_connection(reader.connection);
    stand_end(&stand);
    return good;
}

int bench_view(const BenchOptions *options)
{
    static const struct {
        const char *name;
        bool (*run)(const BenchOptions *options, int threads, mote_Error *error);
    } cases[] = {{"slow-reader", bench_slowdown}, {"deliver", bench_delivery}};
    const int threads = options->threads > 0 ? options->threads : 2;
    int failed = 0, known = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        mote_Error error = {.message = "no connection"};
        if (options->only != NULL && strcmp(options->only, cases[i].name) != 0) continue;
        ++known;
        if (cases[i].run(options, threads, &error)) continue;
        fprintf(stderr, "mote: %s: %s\n", cases[i].name, error.message);
        failed = 1;
    }
    return known > 0 ? failed : bench_unknown_case("view", options);
}

#else

int bench_view(const BenchOptions *options)
{
    (void)options;
    fprintf(stderr, "mote: this build has no view; the package libcivetweb-dev brings it\n");
    return 1;
}

#endif

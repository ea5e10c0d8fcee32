/* What the tests of runs share: a small scene with two systems, births, deaths, a ground and a rate
 * that changes with time; folders that vanish; and whole files in memory. */
#ifndef TESTS_RUN_SCENARIO_H
#define TESTS_RUN_SCENARIO_H

#include "setup.h"

#include <mote/io.h>
#include <mote/run.h>

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* 20 frames; about 40 rows; some die, some are born, some hit the ground in every frame. */
static const char scenario_text[] =
    "{ mote: 1,\n"
    "  world: { duration: 1, fps: 20, max_step: 0.02, seed: 3 },\n"
    "  systems: [ { name: 'sparks', look: { opacity: '=1-0.5*age' } }, { name: 'dust' } ],\n"
    "  emitters: [\n"
    "    { name: 'jet', system: 'sparks', from: { type: 'disc', radius: 0.1 }, at: [0, 0.3, 0],\n"
    "      rate: '=80*(1+0.5*sin(tau*t))', velocity: [0, 1, 0], spread: 0.5, lifetime: 0.3,\n"
    "      lifetime_jitter: 0.5, radius: 0.02 },\n"
    "    { name: 'cloud', system: 'dust', from: { type: 'sphere', radius: 0.2 },\n"
    "      at: [0, 0.3, 0], rate: 50, lifetime: 0.5, radius: 0.03 } ],\n"
    "  forces: [ { name: 'air', type: 'drag', systems: ['dust'], linear: '=1+t' } ],\n"
    "  colliders: [ { name: 'ground', shape: { type: 'plane' }, restitution: 0.5 } ],\n"
    "  probes: [ { name: 'dust', type: 'total', system: 'dust' },\n"
    "    { name: 'push', type: 'load', collider: 'ground', interval: 0.07 },\n"
    "    { name: 'wind', type: 'velocity', system: 'sparks', at: [0, '=0.3+t/4', 0], reach: 0.3,\n"
    "      interval: 0.015 } ],\n"
    "  camera: { from: ['=2*sin(t)', 0.7, '=2*cos(t)'], to: [0, 0.3, 0] },\n"
    "  render: { width: 48, height: 36 },\n"
    "  output: { checkpoint_every: 4 } }\n";

enum { SCENARIO_FRAMES = 20 };

static inline mote_Scene *scenario_scene_with(const char *const *settings, size_t count,
                                              mote_Allocator allocator)
{
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_Error error;
    def.text = scenario_text;
    def.name = "scenario";
    def.settings = settings;
    def.setting_count = count;
    def.allocator = allocator;
    if (mote_scene_load(&def, &scene, &error) != MOTE_OK) {
        fprintf(stderr, "%s\n%s\n", error.message,
                scene != NULL ? mote_scene_messages(scene, false) : "");
        exit(2);
    }
    return scene;
}

/* The scene without pictures, with up to one change ("key=value"; NULL: none). */
static inline mote_Scene *scenario_scene(const char *setting)
{
    const char *settings[] = {"output.frames=none", "output.video=none", setting};
    return scenario_scene_with(settings, setting != NULL ? 3 : 2, mote_default_allocator());
}

/* ---- folders ---- */

typedef struct Place {
    char path[128];
} Place;

/* In memory where the system has that: runs force every file to the disk. */
static inline Place place_make(void)
{
    bool memory = access("/dev/shm", W_OK) == 0;
    Place place;
    snprintf(place.path, sizeof place.path, "%srun-test-XXXXXX", memory ? "/dev/shm/" : "");
    if (mkdtemp(place.path) == NULL) perror("mkdtemp"), exit(2);
    return place;
}

static inline int place_remove_one(const char *path, const struct stat *about, int type,
                                   struct FTW *level)
{
    (void)about, (void)type, (void)level;
    remove(path);
    return 0;
}

static inline void place_end(const Place *place)
{
    nftw(place->path, place_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Files in a folder inside, apart from hidden ones; -1: there is no such folder. */
static inline int place_count(const Place *place, const char *inner)
{
    char path[300];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", place->path, inner);
    DIR *list = opendir(path);
    if (list == NULL) return -1;
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

/* ---- files ---- */

typedef struct Bytes {
    char *data; /* 0-terminated; NULL: there is no such file */
    size_t size;
} Bytes;

static inline Bytes bytes_read(const Place *place, const char *name)
{
    char path[300];
    Bytes bytes = {NULL, 0};
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return bytes;
    fseek(file, 0, SEEK_END);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    if (bytes.data == NULL || fread(bytes.data, 1, bytes.size, file) != bytes.size) exit(2);
    bytes.data[bytes.size] = '\0';
    fclose(file);
    return bytes;
}

static inline void bytes_write(const Place *place, const char *name, const char *data, size_t size)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) exit(2);
}

static inline bool place_has(const Place *place, const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    return access(path, F_OK) == 0;
}

static inline bool same_file(const Place *a, const Place *b, const char *name)
{
    Bytes x = bytes_read(a, name), y = bytes_read(b, name);
    bool same =
        x.data != NULL && y.data != NULL && x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    if (!same) fprintf(stderr, "%s differs: %zu and %zu bytes\n", name, x.size, y.size);
    free(x.data);
    free(y.data);
    return same;
}

/* Replaces the first `from` in a text file; both may have any length. */
static inline void place_edit(const Place *place, const char *name, const char *from,
                              const char *to)
{
    Bytes bytes = bytes_read(place, name);
    char *at = bytes.data != NULL ? strstr(bytes.data, from) : NULL;
    if (at == NULL) {
        fprintf(stderr, "there is no %s in %s\n", from, name);
        exit(2);
    }
    size_t before = (size_t)(at - bytes.data), after = before + strlen(from);
    char *fresh = malloc(bytes.size + strlen(to) + 1);
    if (fresh == NULL) exit(2);
    int size = sprintf(fresh, "%.*s%s%s", (int)before, bytes.data, to, bytes.data + after);
    bytes_write(place, name, fresh, (size_t)size);
    free(fresh);
    free(bytes.data);
}

/* Turns bytes all over a file; its size stays. */
static inline void place_damage(const Place *place, const char *name)
{
    Bytes bytes = bytes_read(place, name);
    if (bytes.data == NULL) exit(2);
    for (size_t i = 50; i < bytes.size; i += 50) bytes.data[i] ^= 0x10;
    bytes_write(place, name, bytes.data, bytes.size);
    free(bytes.data);
}

static inline bool manifest_says(const Place *place, const char *text)
{
    Bytes bytes = bytes_read(place, "manifest.json");
    bool found = bytes.data != NULL && strstr(bytes.data, text) != NULL;
    if (!found)
        fprintf(stderr, "the manifest lacks %s: %s\n", text, bytes.data != NULL ? bytes.data : "");
    free(bytes.data);
    return found;
}

/* ---- running ---- */

static inline mote_RunDef run_in(const Place *place)
{
    mote_RunDef def = mote_run_def();
    def.folder = place->path;
    return def;
}

static inline mote_Status run_setting(const char *setting, const mote_RunDef *def,
                                      mote_RunReport *report, mote_Error *error)
{
    mote_Scene *scene = scenario_scene(setting);
    mote_Status status = mote_run(scene, def, report, error);
    mote_scene_destroy(scene);
    return status;
}

/* Runs without pictures; a failure is one of the test. */
static inline void run_well(const mote_RunDef *def)
{
    mote_Error error;
    CHECK_OK(run_setting(NULL, def, NULL, &error), error);
}

/* Cancels after so many questions. */
typedef struct Patience {
    int left;
} Patience;

static inline bool out_of_patience(void *context)
{
    Patience *patience = context;
    return patience->left-- <= 0;
}

/* Runs up to frame `frame` and is cancelled there. */
static inline void run_until(const mote_RunDef *asked, int frame)
{
    mote_RunDef def = *asked;
    mote_Error error;
    Patience patience = {frame - 1};
    def.cancelled = out_of_patience;
    def.context = &patience;
    CHECK(run_setting(NULL, &def, NULL, &error) == MOTE_CANCELLED);
    CHECK_MESSAGE(error, "stopped after frame");
}

static inline void frame_name(uint64_t index, char name[64])
{
    snprintf(name, 64, "frames/frame_%06llu.npz", (unsigned long long)index);
}

/* Frames 0 to `last`, the checkpoint there and the log's frames are those of `whole`. */
static inline bool same_run(const Place *a, const Place *whole, uint64_t last)
{
    char name[64];
    bool same = place_count(a, "frames") == (int)last + 1;
    for (uint64_t i = 0; i <= last; ++i) {
        frame_name(i, name);
        same = same_file(a, whole, name) && same;
    }
    snprintf(name, sizeof name, "checkpoints/checkpoint_%06llu.npz", (unsigned long long)last);
    if (last == SCENARIO_FRAMES)
        same = same_file(a, whole, "probes/dust.csv") && same_file(a, whole, "probes/push.csv") &&
               same_file(a, whole, "probes/wind.csv") && same;
    return same_file(a, whole, name) && same;
}

static inline bool same_pictures(const Place *a, const Place *b, int last)
{
    char name[64];
    bool same = true;
    for (int i = 0; i <= last; ++i) {
        snprintf(name, sizeof name, "images/frame_%06d.png", i);
        same = same_file(a, b, name) && same;
    }
    return same;
}

/* log.jsonl has one whole line for each of the frames 1 to last, in order. */
static inline bool log_is_whole(const Place *place, uint64_t last)
{
    Bytes log = bytes_read(place, "log.jsonl");
    char *line = log.data;
    if (line == NULL) return last == 0; /* nothing was logged */
    bool good = true;
    for (uint64_t i = 1; i <= last && good; ++i) {
        unsigned long long frame;
        char *end = strchr(line, '\n');
        good = end != NULL && end > line && end[-1] == '}' &&
               sscanf(line, "{\"frame\": %llu,", &frame) == 1 && frame == i;
        line = end != NULL ? end + 1 : line;
    }
    good = good && *line == '\0';
    if (!good) fprintf(stderr, "log.jsonl: %s\n", log.data != NULL ? log.data : "none");
    free(log.data);
    return good;
}

/* All frames of a run in another format; part NULL: all parts. */
static inline mote_Status export_run(const char *folder, const char *format, const char *part,
                                     uint64_t *files, mote_Error *error)
{
    mote_ExportDef def = mote_export_def();
    mote_ExportReport report;
    def.folder = folder, def.format = format, def.part = part;
    mote_Status status = mote_run_export(&def, &report, error);
    *files = report.files;
    return status;
}

#endif

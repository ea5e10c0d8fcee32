/* Scenes: reading and checking a text of 10^4 objects (emitters, forces and colliders, each with
 * expressions), and making its world. --count changes the number of objects. */
#include "bench/bench.h"

#include <mote/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7 };

static void put_emitters(FILE *file, size_t count)
{
    fprintf(file, "emitters: [\n");
    for (size_t i = 0; i < count; ++i)
        fprintf(file,
                "  { name: 'jet %zu', system: 'sparks', from: { type: 'disc', radius: 0.1 },\n"
                "    at: [%zu, 0.5, 0], rate: '=rate*(1+0.5*sin(tau*t/%zu))', // per second\n"
                "    velocity: [0, '=2+cos(t)', 0], lifetime: 1.5, radius: 0.02 },\n",
                i, i, i + 2);
    fprintf(file, "],\n");
}

static void put_forces(FILE *file, size_t count)
{
    fprintf(file, "forces: [\n");
    for (size_t i = 0; i < count; ++i)
        fprintf(file,
                "  { name: 'air %zu', type: 'drag', systems: ['dust'], linear: '=0.1+0.%zu*t' },\n",
                i, i);
    fprintf(file, "],\n");
}

static void put_colliders(FILE *file, size_t count)
{
    fprintf(file, "colliders: [\n");
    for (size_t i = 0; i < count; ++i)
        fprintf(file,
                "  { name: 'wall %zu', shape: { type: 'plane', normal: [0, 1, 0] },\n"
                "    restitution: '=0.5+0.4*sin(t+%zu)', friction: 0.2 },\n",
                i, i);
    fprintf(file, "],\n");
}

/* NULL when memory is out; the caller frees it. */
static char *make_text(size_t objects, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    if (file == NULL) return NULL;
    fprintf(file, "{ mote: 1, params: { rate: 40 }, world: { duration: 1, fps: 30 },\n"
                  "systems: [{ name: 'sparks' }, { name: 'dust' }],\n");
    put_emitters(file, objects - 2 * (objects / 3));
    put_forces(file, objects / 3);
    put_colliders(file, objects / 3);
    fprintf(file, "}\n");
    if (fclose(file) == 0) return text;
    free(text);
    return NULL;
}

/* Seconds of loading and of making the world; false when it failed. */
static bool measure_once(const char *text, double *load, double *world_time)
{
    mote_SceneDef def = mote_scene_def();
    mote_Scene *scene;
    mote_World *world = NULL;
    mote_Error error = {MOTE_OK, ""};
    def.text = text;
    double start = clock_seconds();
    mote_Status status = mote_scene_load(&def, &scene, &error);
    double loaded = clock_seconds();
    if (status == MOTE_OK) status = mote_scene_world(scene, NULL, &world, &error);
    double made = clock_seconds();
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    if (loaded - start < *load) *load = loaded - start;
    if (made - loaded < *world_time) *world_time = made - loaded;
    if (status != MOTE_OK) fprintf(stderr, "mote: %s\n", error.message);
    return status == MOTE_OK;
}

static void print(const BenchOptions *options, size_t objects, const char *metric, double seconds)
{
    char name[64];
    snprintf(name, sizeof name, "scene/%zu-objects/%s", objects,
             sizeof(mote_real) == 4 ? "float" : "double");
    bench_print(
        options,
        &(BenchFigure){
            .name = name, .metric = metric, .unit = "ms", .value = 1e3 * seconds, .threads = 1});
}

int bench_scene(const BenchOptions *options)
{
    size_t objects = options->count > 0 ? options->count : 10000, size;
    char *text = make_text(objects, &size);
    double load = HUGE_VAL, world = HUGE_VAL;
    bool good = text != NULL;
    for (int i = 0; i < ROUNDS && good; ++i) good = measure_once(text, &load, &world);
    free(text);
    if (!good) return 1;
    print(options, objects, "load_time", load);
    print(options, objects, "world_time", world);
    return 0;
}

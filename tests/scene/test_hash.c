/* The hash of a scene: what changes nothing in the simulation keeps it, everything else changes it,
 * and the list of values names what changed. */
#include "scene/loading.h"

static const char base[] =
    "{ mote: 1, params: { r: 3 }, world: { fps: 30, duration: 5, seed: 1 },\n"
    "  fields: [ { name: 'w', type: 'uniform', value: [1, 0, 0] } ],\n"
    "  systems: [ { name: 's', solver: { integrator: 'rk4' }, collide: { as_points: false },\n"
    "               look: { size: 1, blend: 'add' } } ],\n"
    "  emitters: [ { name: 'e', system: 's', rate: '=r', from: { type: 'disc', radius: 1 } } ],\n"
    "  forces: [ { type: 'drag', linear: 1, wind: 'w' } ],\n"
    "  colliders: [ { name: 'c', shape: { type: 'plane', offset: 0 }, friction: 0.5 } ],\n"
    "  camera: { fov: 40 }, render: { width: 64, height: 64 }, output: { cache: true } }\n";

static uint64_t hash_of(const char *text)
{
    Loading loading = loading_good(text);
    uint64_t hash = mote_scene_info(loading.scene).hash;
    loading_end(&loading);
    return hash;
}

/* The base with its only `from` replaced. */
static uint64_t hash_with(const char *from, const char *to)
{
    char text[2000];
    const char *at = strstr(base, from);
    if (at == NULL) {
        fprintf(stderr, "the base lacks %s\n", from);
        exit(2);
    }
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - base), base, to, at + strlen(from));
    return hash_of(text);
}

typedef struct Change {
    const char *from, *to;
} Change;

static void pictures_do_not_count(void)
{
    static const Change same[] = {
        {"duration: 5", "duration: 9"},
        {"duration: 5, ", ""},
        {"size: 1, blend: 'add'", "size: '=age', opacity: 0.5"},
        {", look: { size: 1, blend: 'add' }", ""},
        {",\n               look: { size: 1, blend: 'add' } }", " }"},
        {"fov: 40", "fov: 41, from: ['=t', 2, 3]"},
        {"width: 64, height: 64", "width: 32, sky: { transparent: true }"},
        {"cache: true", "cache: false, frames: 'none', checkpoint_every: 3"},
        {"  forces", "\t  // a comment, and a line\n\n  /* another */ forces"},
        {"'uniform'", "\"uniform\""},
        {"rate: '=r'", "'rate': '=r'"},
        {"fps: 30", "fps: +30.0"},
        {"fps: 30", "fps: 0x1e"},
    };
    uint64_t hash = hash_of(base);
    for (size_t i = 0; i < COUNT_OF(same); ++i) {
        if (strstr(base, same[i].from) == NULL) continue;
        bool kept = hash_with(same[i].from, same[i].to) == hash;
        if (!kept) fprintf(stderr, "%s -> %s changes the hash\n", same[i].from, same[i].to);
        CHECK(kept);
    }
}

static void everything_else_counts(void)
{
    static const Change other[] = {
        {"r: 3", "r: 4"},
        {"fps: 30", "fps: 31"},
        {"seed: 1", "seed: 2"},
        {"seed: 1", "max_step: 0.001"},
        {"'uniform', value: [1, 0, 0]", "'vortex'"},
        {"value: [1, 0, 0]", "value: [1, 0, 1e-9]"},
        {"value: [1, 0, 0]", "value: [1, 0, '=t']"},
        {", value: [1, 0, 0]", ""},
        {"rk4", "euler"},
        {"as_points: false", "as_points: true"},
        {"as_points: false", "algorithm: 'none'"},
        {"rate: '=r'", "rate: '=2*r'"},
        {"rate: '=r'", "rate: 3"},
        {"'disc', radius: 1", "'disc', radius: 2"},
        {"'disc', radius: 1", "'sphere', radius: 1"},
        {"linear: 1", "linear: 1.0000001"},
        {"linear: 1, wind: 'w'", "linear: 1"},
        {"linear: 1", "linear: 1, group: 2"},
        {"linear: 1", "linear: 1, systems: ['s']"},
        {"offset: 0", "offset: 0.1"},
        {"friction: 0.5", "friction: 0.25"},
        {"friction: 0.5", "friction: 0.5, velocity: [1, 0, 0]"},
        {"name: 'e'", "name: 'f'"},
        {"forces: [ ", "forces: [ { type: 'swirl' }, "},
    };
    uint64_t hash = hash_of(base);
    uint64_t seen[COUNT_OF(other)];
    for (size_t i = 0; i < COUNT_OF(other); ++i) {
        seen[i] = hash_with(other[i].from, other[i].to);
        bool changed = seen[i] != hash;
        for (size_t k = 0; k < i; ++k) changed = changed && seen[i] != seen[k];
        if (!changed) fprintf(stderr, "%s -> %s is not seen\n", other[i].from, other[i].to);
        CHECK(changed);
    }
}

/* A name cannot hide an object from the hash. */
static void names_with_dots_count(void)
{
    static const char text[] =
        "{mote: 1, systems: [{name: 'a.look.b', solver: {integrator: '%s'}}]}";
    char first[200], second[200];
    snprintf(first, sizeof first, text, "rk4");
    snprintf(second, sizeof second, text, "euler");
    CHECK(hash_of(first) != hash_of(second));
}

static const mote_SceneValue *find_value(const mote_Scene *scene, const char *path)
{
    static mote_SceneValue found;
    for (size_t i = 0; (found = mote_scene_value(scene, i)).path != NULL; ++i)
        if (strcmp(found.path, path) == 0) return &found;
    return NULL;
}

static void values_have_paths(void)
{
    static const char *const paths[] = {
        "params.r",
        "world.fps",
        "world.seed",
        "fields.w.type",
        "fields.w.value.2",
        "systems.s.solver.integrator",
        "emitters.e.rate",
        "emitters.e.from.radius",
        "systems.s.collide.as_points",
        "forces.0.linear",
        "forces.0.wind",
        "colliders.c.shape.offset",
    };
    static const char *const absent[] = {"world.duration", "systems.s.look.size", "camera.fov",
                                         "render.width",   "output.cache",        "mote"};
    Loading loading = loading_good(base);
    for (size_t i = 0; i < COUNT_OF(paths); ++i) {
        bool found = find_value(loading.scene, paths[i]) != NULL;
        if (!found) fprintf(stderr, "%s is missing\n", paths[i]);
        CHECK(found);
    }
    for (size_t i = 0; i < COUNT_OF(absent); ++i)
        CHECK(find_value(loading.scene, absent[i]) == NULL);
    loading_end(&loading);
}

/* Exactly the value that changed differs. */
static void values_name_the_change(void)
{
    static const char *const settings[] = {"forces.0.linear=2", NULL};
    Loading first = loading_good(base), second = loading_with(base, settings);
    CHECK_OK(second.status, second.error);
    size_t differing = 0;
    for (size_t i = 0; mote_scene_value(first.scene, i).path != NULL; ++i) {
        mote_SceneValue a = mote_scene_value(first.scene, i);
        mote_SceneValue b = mote_scene_value(second.scene, i);
        CHECK(b.path != NULL && strcmp(a.path, b.path) == 0);
        if (a.hash == b.hash) continue;
        ++differing;
        CHECK(strcmp(a.path, "forces.0.linear") == 0);
    }
    CHECK(differing == 1);
    CHECK(mote_scene_info(first.scene).hash != mote_scene_info(second.scene).hash);
    loading_end(&first);
    loading_end(&second);
}

TESTS({"pictures_do_not_count", pictures_do_not_count},
      {"everything_else_counts", everything_else_counts},
      {"names_with_dots_count", names_with_dots_count}, {"values_have_paths", values_have_paths},
      {"values_name_the_change", values_name_the_change})

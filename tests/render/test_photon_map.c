/* Photons on surfaces: their light is spread and stays all of it, side by side with others; without
 * memory there is no map, and nothing is left behind. */
#include "failing.h"

#include "render/scene.h"
#include "render/trace_photon.h"

enum { PHOTONS = 3000, ACROSS = 400 };

/* Photons on a square metre, ten times as dense in a tenth of it, and above it some of another
 * surface and one that is very far away. */
static PhotonCloud some_photons(Photon *photons)
{
    for (size_t i = 0; i < PHOTONS; ++i) {
        const float x = (float)scene_random(2 * i), z = (float)scene_random(2 * i + 1);
        photons[i] = (Photon){.at = {i % 2 ? x : 0.1f * x, 0, z},
                              .power = {1, i % 2 ? 2.0f : 0, 0.5f},
                              .normal = {0, 127, 0},
                              .back = {0, 127, 0}};
        if (i % 10 == 0) photons[i].at[1] = 1, photons[i].normal[1] = -127;
    }
    photons[1].at[0] = 1e6f;
    return (PhotonCloud){photons, PHOTONS, {0.5f, 0, 0.5f}, 1, 20};
}

/* Each photon's light is spread, and none is lost or made. */
static void map_keeps_light(void)
{
    Photon *photons = malloc(PHOTONS * sizeof *photons);
    const PhotonCloud cloud = some_photons(photons);
    Memory memory = memory_make((mote_Allocator){0});
    Arena arena = arena_make(&memory);
    const PhotonMap *map = photon_map_make(&cloud, NULL, &arena);
    const float up[3] = {0, 1, 0}, wide = 2, cell = wide / ACROSS;
    double sum[3] = {0, 0, 0}, there[3] = {0, 0, 0};
    for (size_t i = 0; i < PHOTONS; ++i)
        for (int k = 0; k < 3 && i != 1 && i % 10 != 0; ++k)
            there[k] += (double)photons[i].power[k];
    for (int i = 0; i < ACROSS * ACROSS; ++i) {
        const float at[3] = {cell * (float)(i % ACROSS) - 0.5f, 1e-4f,
                             cell * (float)(i / ACROSS) - 0.5f};
        float light[3], back[3];
        if (!photon_map_light(map, at, up, 0.3f, light, back)) continue;
        for (int k = 0; k < 3; ++k) sum[k] += (double)(light[k] * cell * cell);
        CHECK(back[1] > 0.99f);
    }
    for (int k = 0; k < 3; ++k) CHECK_NEAR(sum[k] / there[k], 1, 0.003);
    arena_free(&arena), free(photons);
}

static void map_without_memory(void)
{
    Photon *photons = malloc(PHOTONS * sizeof *photons);
    const PhotonCloud cloud = some_photons(photons);
    bool made = false;
    for (uint64_t n = 0; n < 20 && !made; ++n) {
        Failing failing = {.fail_at = n};
        Memory memory = memory_make(failing_allocator(&failing));
        Arena arena = arena_make(&memory);
        made = photon_map_make(&cloud, NULL, &arena) != NULL;
        CHECK(!made || n > 0);
        arena_free(&arena);
        CHECK(memory.bytes == 0);
    }
    CHECK(made);
    free(photons);
}

TESTS({"map keeps light", map_keeps_light}, {"map without memory", map_without_memory})

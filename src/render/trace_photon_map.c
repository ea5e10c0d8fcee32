/* Photons where they arrived, in a tree of boxes over their order along the Morton curve.
 *
 * Each photon is spread over a disc of its own, by Epanechnikov's kernel, whose radius is that of
 * about `together` photons around it (I. Abramson, On Bandwidth Variation in Kernel Estimates,
 * 1982): edges of caustics are sharp where photons are dense. Unlike a mean over the photons that
 * are nearest to a place, that loses and makes no light. */
#include "render/trace_photon.h"

#include "base/lanes.h"
#include "base/sort.h"
#include "render/float3.h"

#include <math.h>
#include <string.h>

enum { LEAF = 8, TRIES = 6, GRAIN = 1024 };
#define SHRINK 0.25f /* of a radius, at once */

/* The photons of a leaf side by side. */
typedef struct PhotonLeaf {
    float at[3][LEAF];
    float by[LEAF]; /* 1 / radius^2; 0: there is no photon */
} PhotonLeaf;

typedef struct PhotonLight {
    float power[3]; /* over pi radius^2 / 2: what is in the middle of the disc */
    int8_t normal[3], back[3];
} PhotonLight;

/* A place of a surface. */
typedef struct PhotonPlace {
    float at[3], normal[3]; /* m; unit */
} PhotonPlace;

/* A box around places; the fourth of `high` is the largest radius there, and of `low` 0. */
typedef struct PhotonBox {
    V4 low, high;
} PhotonBox;

struct PhotonMap {
    size_t count, leaves; /* leaves: a power of two */
    PhotonLeaf *places;
    PhotonLight *lights;
    PhotonBox *boxes;     /* 1: of all; 2 i and 2 i + 1: of the halves of number i */
    float together, most; /* photons; m: no radius is larger */
    SortItem *order;      /* value: number of the photon as it was given */
    float *radii;         /* m, of the photons as they were given; 0: not known yet */
};

/* ---- the tree ---- */

static V4 larger(V4 a, V4 b)
{
    const I4 first = a > b;
    return (V4)((first & (I4)a) | (~first & (I4)b));
}

static V4 smaller(V4 a, V4 b)
{
    return -larger(-a, -b);
}

/* The square of the distance from a place, whose fourth is 0. */
static float outside2(const PhotonBox *box, V4 place)
{
    const V4 away = larger(larger(box->low - place, place - box->high), (V4){0, 0, 0, 0});
    const V4 squares = away * away;
    return squares[0] + squares[1] + squares[2];
}

/* The leaf at or behind box number `box` that may hold a photon within `reach` of the place, or,
 * where that is negative, one whose disc reaches it; 0: there is none. */
static size_t next_leaf(const PhotonMap *map, size_t box, const float place[3], float reach)
{
    const V4 at = {place[0], place[1], place[2], 0};
    for (;;) {
        const float r = reach < 0 ? map->boxes[box].high[3] : reach;
        if (outside2(&map->boxes[box], at) <= r * r) {
            if (box >= map->leaves) return box;
            box *= 2;
            continue;
        }
        ++box;
        box >>= __builtin_ctzll(box);
        if (box == 1) return 0;
    }
}

/* The same behind a leaf. */
static size_t leaf_behind(const PhotonMap *map, size_t leaf, const float place[3], float reach)
{
    const size_t up = leaf + 1, box = up >> __builtin_ctzll(up);
    return box == 1 ? 0 : next_leaf(map, box, place, reach);
}

static PhotonBox box_around(const PhotonBox *a, const PhotonBox *b)
{
    return (PhotonBox){smaller(a->low, b->low), larger(a->high, b->high)};
}

static PhotonBox box_at(const float place[3], float radius)
{
    return (PhotonBox){{place[0], place[1], place[2], 0}, {place[0], place[1], place[2], radius}};
}

static const PhotonBox no_box = {{INFINITY, INFINITY, INFINITY, 0},
                                 {-INFINITY, -INFINITY, -INFINITY, 0}};

static void place_of(const PhotonMap *map, size_t i, float out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = map->places[i / LEAF].at[k][i % LEAF];
}

static void box_leaf(PhotonMap *map, size_t leaf)
{
    PhotonBox *box = &map->boxes[map->leaves + leaf];
    *box = no_box;
    for (size_t i = LEAF * leaf; i < LEAF * (leaf + 1) && i < map->count; ++i) {
        float place[3];
        place_of(map, i, place);
        const PhotonBox one = box_at(place, map->radii[map->order[i].value]);
        *box = box_around(box, &one);
    }
}

static void box_all(PhotonMap *map)
{
    for (size_t l = 0; l < map->leaves; ++l) box_leaf(map, l);
    for (size_t i = map->leaves - 1; i > 0; --i)
        map->boxes[i] = box_around(&map->boxes[2 * i], &map->boxes[2 * i + 1]);
}

/* ---- which photons are of one surface ---- */

static float facing(const int8_t of127[3], const float normal[3])
{
    return ((float)of127[0] * normal[0] + (float)of127[1] * normal[1] +
            (float)of127[2] * normal[2]) /
           127;
}

/* Light in a corner stays on its side of it, and that of a table on the table. */
static bool same_surface(const PhotonLight *light, const float apart[3], const float normal[3],
                         float by)
{
    const float above = dot3(apart, normal);
    return facing(light->normal, normal) > 0.7f && above * above * by < 0.06f;
}

/* ---- radii ---- */

/* Squares of the distances of a leaf's photons from a place. */
static void look_around(const PhotonLeaf *leaf, const float place[3], float away2[LEAF])
{
    for (int i = 0; i < LEAF; ++i) {
        const float x = leaf->at[0][i] - place[0], y = leaf->at[1][i] - place[1];
        const float z = leaf->at[2][i] - place[2];
        away2[i] = x * x + y * y + z * z;
    }
}

/* Whether photon number `i` of a leaf is of the surface around a place; by: 1 / radius^2. */
static bool is_of(const PhotonMap *map, size_t leaf, size_t i, const PhotonPlace *place, float by)
{
    float apart[3];
    for (int k = 0; k < 3; ++k) apart[k] = map->places[leaf].at[k][i] - place->at[k];
    return same_surface(&map->lights[LEAF * leaf + i], apart, place->normal, by);
}

static size_t count_leaf(const PhotonMap *map, size_t leaf, const PhotonPlace *place, float by)
{
    float away2[LEAF];
    size_t count = 0;
    look_around(&map->places[leaf], place->at, away2);
    for (size_t i = 0; i < LEAF; ++i)
        count +=
            away2[i] * by < 1 && LEAF * leaf + i < map->count && is_of(map, leaf, i, place, by);
    return count;
}

/* Photons on the surface within a radius; beyond so many that it is far too wide, it does not
 * matter how many. */
static size_t count_within(const PhotonMap *map, const PhotonPlace *place, float radius)
{
    const size_t most = (size_t)(map->together / (SHRINK * SHRINK)) + 1;
    size_t count = 0, leaf = next_leaf(map, 1, place->at, radius);
    for (; leaf != 0 && count < most; leaf = leaf_behind(map, leaf, place->at, radius))
        count += count_leaf(map, leaf - map->leaves, place, 1 / (radius * radius));
    return count;
}

static float apart_from(const PhotonMap *map, size_t i, size_t j)
{
    float a[3], b[3];
    place_of(map, i, a), place_of(map, j, b);
    madd3(a, -1, b, a);
    return length3(a);
}

/* A radius to begin with: how far the nearer of those is that are some places on in the order. */
static float first_radius(const PhotonMap *map, size_t i)
{
    const size_t step = (size_t)(0.25f * map->together) + 1;
    const float least = 1e-5f * map->most;
    float nearer = map->most;
    if (i >= step) nearer = apart_from(map, i, i - step);
    if (i + step < map->count && apart_from(map, i, i + step) < nearer)
        nearer = apart_from(map, i, i + step);
    return nearer > least ? nearer : least;
}

/* Density on a surface goes by r^2. */
static float find_radius(const PhotonMap *map, size_t i)
{
    PhotonPlace place;
    float radius = first_radius(map, i);
    place_of(map, i, place.at);
    for (int k = 0; k < 3; ++k) place.normal[k] = (float)map->lights[i].normal[k] / 127;
    unit3(place.normal);
    for (int t = 0; t < TRIES; ++t) {
        const float count = (float)count_within(map, &place, radius);
        const float by = sqrtf(map->together / (count > 1 ? count : 1));
        radius *= by < SHRINK ? SHRINK : by < 4 ? by : 4;
        if (!(radius < map->most)) return map->most;
        if (by > 0.7f && by < 1.4f) break;
    }
    return radius;
}

/* Neighbours in the order that are near have much the same radius. */
static void find_radii(void *context, size_t begin, size_t end, int worker)
{
    const PhotonMap *map = context;
    (void)worker;
    for (size_t i = begin, leader = begin; i < end; ++i) {
        float *radius = &map->radii[map->order[i].value];
        const float led = map->radii[map->order[leader].value];
        const bool follows =
            i != leader && i - leader < LEAF && apart_from(map, i, leader) < 0.3f * led;
        *radius = follows ? led : find_radius(map, i);
        if (!follows) leader = i;
    }
}

/* ---- making ---- */

/* A place along one axis as 21 bits: fine near what bends light, coarse far away, where few photons
 * go, and none too far. */
static uint64_t cell_of(float away, float scale)
{
    const float part = away / (scale + __builtin_fabsf(away));
    return (uint64_t)(1048575 * (1 + part));
}

static void sort_photons(PhotonMap *map, const PhotonCloud *cloud)
{
    SortItem *items = map->order;
    for (size_t i = 0; i < map->count; ++i) {
        const float *at = cloud->photons[i].at;
        items[i] = (SortItem){0, i};
        for (int k = 0; k < 3; ++k)
            items[i].key |= sort_spread(cell_of(at[k] - cloud->middle[k], cloud->reach)) << k;
    }
    sort_items(items, items + map->count, map->count);
}

/* Those of like radii together, by powers of two: a wide disc among narrow ones would widen all
 * boxes around them. */
static void sort_by_radii(PhotonMap *map)
{
    SortItem *items = map->order;
    for (size_t i = 0; i < map->count; ++i) {
        int power;
        frexpf(map->radii[items[i].value] / map->most, &power);
        const uint64_t narrow = power > 0 ? 0 : power > -63 ? (uint64_t)-power : 63;
        items[i].key = narrow << 58 | items[i].key >> 6;
    }
    sort_items(items, items + map->count, map->count);
}

static bool map_take(PhotonMap *map, size_t count, Arena *arena)
{
    *map = (PhotonMap){.count = count, .leaves = 1};
    while (LEAF * map->leaves < count) map->leaves *= 2;
    map->places = arena_take(arena, map->leaves * sizeof *map->places);
    map->lights = arena_take(arena, (count + 1) * sizeof *map->lights);
    map->boxes = arena_take(arena, 2 * map->leaves * sizeof *map->boxes);
    map->radii = arena_take(arena, (count + 1) * sizeof *map->radii);
    map->order = arena_take(arena, 2 * (count + 1) * sizeof *map->order);
    return map->places != NULL && map->lights != NULL && map->boxes != NULL && map->radii != NULL &&
           map->order != NULL;
}

/* In their order, and with their discs, where these are known. */
static void map_fill(PhotonMap *map, const Photon *photons)
{
    memset(map->places, 0, map->leaves * sizeof *map->places);
    for (size_t i = 0; i < map->count; ++i) {
        const Photon *photon = &photons[map->order[i].value];
        const float radius = map->radii[map->order[i].value];
        const float by = radius > 0 ? 1 / (radius * radius) : 0;
        PhotonLight *light = &map->lights[i];
        for (int k = 0; k < 3; ++k) map->places[i / LEAF].at[k][i % LEAF] = photon->at[k];
        map->places[i / LEAF].by[i % LEAF] = by;
        for (int k = 0; k < 3; ++k) light->power[k] = photon->power[k] * 2 * by / 3.14159265f;
        memcpy(light->normal, photon->normal, sizeof light->normal);
        memcpy(light->back, photon->back, sizeof light->back);
    }
}

PhotonMap *photon_map_make(const PhotonCloud *cloud, mote_Tasks *tasks, Arena *arena)
{
    PhotonMap *map = arena_take(arena, sizeof *map);
    if (map == NULL || !map_take(map, cloud->count, arena)) return NULL;
    memset(map->radii, 0, map->count * sizeof *map->radii);
    map->together = cloud->together, map->most = 2 * cloud->reach;
    sort_photons(map, cloud);
    map_fill(map, cloud->photons);
    box_all(map);
    mote_parallel_for(tasks, map->count, GRAIN, find_radii, map);
    sort_by_radii(map);
    map_fill(map, cloud->photons);
    box_all(map);
    return map;
}

/* ---- light at a place ---- */

typedef struct PhotonSum {
    PhotonPlace place;
    float light[3], chance;
    const int8_t *back;
} PhotonSum;

/* One that is met is taken in the place of the one before by its part of all so far; what is left
 * of the number is as even as it was, and decides on the next. */
static void gather(PhotonSum *g, const PhotonLight *light, float part)
{
    madd3(g->light, part, light->power, g->light);
    const float all = luminance3(g->light), odds = part * luminance3(light->power) / all;
    const bool taken = !(odds < 1) || g->chance < odds;
    if (taken) g->back = light->back;
    g->chance = taken ? g->chance / odds : (g->chance - odds) / (1 - odds);
}

static void gather_leaf(const PhotonMap *map, size_t leaf, PhotonSum *g)
{
    const PhotonLeaf *places = &map->places[leaf];
    float away2[LEAF];
    look_around(places, g->place.at, away2);
    for (size_t i = 0; i < LEAF; ++i) {
        const float by = places->by[i], part = 1 - away2[i] * by;
        if (part > 0 && by > 0 && is_of(map, leaf, i, &g->place, by))
            gather(g, &map->lights[LEAF * leaf + i], part);
    }
}

bool photon_map_light(const PhotonMap *map, const float place[3], const float normal[3],
                      float chance, float light[3], float back[3])
{
    PhotonSum g = {.chance = chance};
    memcpy(g.place.at, place, sizeof g.place.at);
    memcpy(g.place.normal, normal, sizeof g.place.normal);
    for (size_t l = next_leaf(map, 1, place, -1); l != 0; l = leaf_behind(map, l, place, -1))
        gather_leaf(map, l - map->leaves, &g);
    if (g.back == NULL) return false;
    for (int k = 0; k < 3; ++k) light[k] = g.light[k], back[k] = (float)g.back[k] / 127;
    return true;
}

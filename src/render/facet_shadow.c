/* Shadows of facets: a map of depths from the sun (L. Williams, "Casting curved shadows on curved
 * surfaces", SIGGRAPH 1978), compared at 16 places and averaged with a tent (W. Reeves, D. Salesin
 * and R. Cook, SIGGRAPH 1987). */
#include "render/facets.h"
#include "render/float3.h"

#include <math.h>

enum { CELLS = 1024, TAPS = 5 };

static void turn(FacetShadow *s, const float toward[3])
{
    int other = toward[0] * toward[0] < 0.5f ? 0 : 1;
    for (int k = 0; k < 3; ++k) {
        s->axis[2][k] = -toward[k];
        s->axis[0][k] = (k == other ? 1.0f : 0.0f) - toward[other] * toward[k];
    }
    unit3(s->axis[0]);
    cross3(s->axis[2], s->axis[0], s->axis[1]);
}

/* A square around all corners. */
static void frame_square(FacetShadow *s, const Facets *f)
{
    float low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f};
    for (int corner = 0; corner < 8; ++corner) {
        float p[3];
        for (int k = 0; k < 3; ++k) p[k] = corner >> k & 1 ? f->high[k] : f->low[k];
        for (int k = 0; k < 2; ++k) {
            float at = dot3(s->axis[k], p);
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    }
    float width = high[0] - low[0], length = high[1] - low[1];
    float side = width > length ? width : length;
    s->cell = side / (CELLS - 2 * TAPS - 2);
    for (int k = 0; k < 2; ++k) s->low[k] = 0.5f * (low[k] + high[k]) - 0.5f * CELLS * s->cell;
}

static void draw_facet(FacetShadow *s, const Facets *f, size_t i)
{
    float p[3][3];
    for (int c = 0; c < 3; ++c) {
        const float *place = f->corners[f->items[i].corners[c]].place;
        for (int k = 0; k < 2; ++k) p[c][k] = (dot3(s->axis[k], place) - s->low[k]) / s->cell;
        p[c][2] = dot3(s->axis[2], place);
    }
    float ax = p[1][0] - p[0][0], ay = p[1][1] - p[0][1], bx = p[2][0] - p[0][0],
          by = p[2][1] - p[0][1], area = ax * by - ay * bx;
    if (!(area * area > 1e-12f)) return;
    float left = fminf(p[0][0], fminf(p[1][0], p[2][0])),
          top = fminf(p[0][1], fminf(p[1][1], p[2][1]));
    float right = fmaxf(p[0][0], fmaxf(p[1][0], p[2][0])),
          low = fmaxf(p[0][1], fmaxf(p[1][1], p[2][1]));
    int x0 = left > 0 ? (int)left : 0, y0 = top > 0 ? (int)top : 0;
    int x1 = right < CELLS - 1 ? (int)right + 1 : CELLS,
        y1 = low < CELLS - 1 ? (int)low + 1 : CELLS;
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
            float dx = (float)x + 0.5f - p[0][0], dy = (float)y + 0.5f - p[0][1];
            /* Barycentric coordinates by Cramer's rule, with a little room at the edges, so that no
             * light slips between two triangles. */
            float u = (dx * by - dy * bx) / area, v = (ax * dy - ay * dx) / area;
            if (u < -1e-4f || v < -1e-4f || u + v > 1.0001f) continue;
            float depth = p[0][2] + u * (p[1][2] - p[0][2]) + v * (p[2][2] - p[0][2]);
            float *cell = &s->depth[y * CELLS + x];
            if (depth < *cell) *cell = depth;
        }
    }
}

#define CLEAR 0.6f /* of a sun's light gets through a liquid */

static bool make_map(FacetShadow *s, const Facets *f, const float toward[3], bool liquids,
                     Arena *arena)
{
    *s = (FacetShadow){.count = CELLS, .through = liquids ? CLEAR : 0};
    turn(s, toward);
    frame_square(s, f);
    s->depth = arena_take(arena, (size_t)CELLS * CELLS * sizeof *s->depth);
    if (s->depth == NULL) return false;
    for (int i = 0; i < CELLS * CELLS; ++i) s->depth[i] = (float)INFINITY;
    for (size_t i = 0; i < f->count && s->cell > 0; ++i)
        if ((f->items[i].liquid != 0) == liquids) draw_facet(s, f, i);
    return true;
}

bool facet_shadow_make(FacetShadow *s, const Facets *f, const float toward[3], Arena *arena)
{
    if (f->liquid_count == 0) return make_map(s, f, toward, false, arena);
    FacetShadow *liquid = arena_take(arena, sizeof *liquid);
    if (liquid == NULL || !make_map(liquid, f, toward, true, arena) ||
        !make_map(s, f, toward, false, arena))
        return false;
    s->liquid = liquid;
    return true;
}

/* What part of a sun's light passes one of the maps. */
static float map_lets_through(const FacetShadow *s, const float place[3], const float normal[3])
{
    float at[3], lifted[3], open = 0, weight = 0;
    if (!(s->cell > 0)) return 1;
    madd3(place, 2.5f * s->cell, normal, lifted);
    for (int k = 0; k < 3; ++k) at[k] = dot3(s->axis[k], lifted);
    float x = (at[0] - s->low[0]) / s->cell - 0.5f, y = (at[1] - s->low[1]) / s->cell - 0.5f;
    if (!(x >= TAPS && y >= TAPS && x < CELLS - TAPS - 1 && y < CELLS - TAPS - 1)) return 1;
    int ix = (int)x, iy = (int)y;
    float fx = x - (float)ix, fy = y - (float)iy, bias = 1.5f * s->cell;
    for (int j = -1; j <= 2; ++j) {
        float wy = 2 - __builtin_fabsf((float)j - fy);
        for (int i = -1; i <= 2; ++i) {
            float w = wy * (2 - __builtin_fabsf((float)i - fx));
            weight += w;
            if (s->depth[(iy + j) * CELLS + ix + i] > at[2] - bias) open += w;
        }
    }
    return s->through + (1 - s->through) * open / weight;
}

float facets_let_through(const FacetShadow *s, const float place[3], const float normal[3])
{
    const float open = map_lets_through(s, place, normal);
    return s->liquid != NULL ? open * map_lets_through(s->liquid, place, normal) : open;
}

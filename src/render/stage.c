/* The stage, tile by tile: rays find what is seen (stage_parts.c), and squares of a tile find out
 * what can shade them before their pixels are coloured (stage_shade.c). */
#include "render/stage_pixels.h"

#include <math.h>
#include <string.h>

enum { PATCH = 16 }; /* px: side of the squares for which what shades them is found out */

bool stage_scratch_take(StageScratch *s, const Stage *stage, int tile, Arena *arena)
{
    const size_t side = (size_t)tile, pixels = side * side;
    const size_t list = (stage->solids->count + 1) * sizeof(size_t);
    *s = (StageScratch){.row = arena_take(arena, side * sizeof *s->row)};
    s->ground.shading = arena_take(arena, list);
    s->surface.shading = arena_take(arena, list);
    if (s->row == NULL || s->ground.shading == NULL || s->surface.shading == NULL) return false;
    if (!stage_has_depth(stage)) return true;
    s->near = arena_take(arena, (stage->solids->count + 1) * sizeof *s->near);
    s->seen = arena_take(arena, (stage->solids->count + 1) * sizeof *s->seen);
    s->hits = arena_take(arena, (side + 2) * (side + 2) * sizeof *s->hits);
    s->others = arena_take(arena, (side + 2) * (side + 2) * sizeof *s->others);
    s->edge = arena_take(arena, pixels);
    s->samples.near = arena_take(arena, pixels * SAMPLES * sizeof(float));
    s->samples.id = arena_take(arena, pixels * SAMPLES * sizeof(uint32_t));
    s->samples.touched = arena_take(arena, pixels);
    s->samples.thick = arena_take(arena, pixels * sizeof(float));
    return s->near != NULL && s->seen != NULL && s->hits != NULL && s->others != NULL &&
           s->edge != NULL && s->samples.near != NULL && s->samples.id != NULL &&
           s->samples.touched != NULL && s->samples.thick != NULL;
}

/* ---- tiles ---- */

/* A tile, and the part of it that is being drawn. */
typedef struct Patch {
    SplatBounds box, patch;
    float (*out)[4]; /* of the box */
} Patch;

/* Pixels of a row that show the backdrop alone. */
static void backdrop_runs(const Stage *stage, StageScratch *s, const Patch *p, int y, bool all)
{
    const int width = p->box.x1 - p->box.x0;
    const int first = (y - p->box.y0) * width - p->box.x0; /* of pixel 0 */
    for (int x = p->patch.x0; x < p->patch.x1;) {
        int end = x;
        for (; end < p->patch.x1; ++end)
            if (!all && (s->edge[first + end] || s->samples.touched[first + end] ||
                         stage_hit(s, p->box, end, y)->solid != NO_SOLID))
                break;
        if (end > x) backdrop_row(&s->backdrop, x, y, end - x, s->row);
        for (int i = x; i < end; ++i) {
            memcpy(p->out[first + i], s->row[i - x], sizeof s->row[0]);
            p->out[first + i][3] = stage->transparent ? 0 : 1;
        }
        x = end > x ? end : x + 1;
    }
}

static void draw_row(const Stage *stage, StageScratch *s, const Patch *p, int y)
{
    const int width = p->box.x1 - p->box.x0;
    float *depth = stage->depth + (size_t)y * stage->stride;
    Stage local = *stage; /* with fewer shades, for the middles of surfaces */
    local.lights = &s->surface.lights;
    backdrop_runs(stage, s, p, y, false);
    for (int x = p->patch.x0; x < p->patch.x1; ++x) {
        size_t pixel = (size_t)((y - p->box.y0) * width + x - p->box.x0);
        const SolidHit *hit = stage_hit(s, p->box, x, y);
        depth[x] = (float)INFINITY;
        if (s->edge[pixel] || s->samples.touched[pixel]) {
            depth[x] = stage_mix(stage, s, p->box, x, y, p->out[pixel]);
        } else if (hit->solid != NO_SOLID) {
            stage_shade_solid(&local, hit, (float)x + 0.5f, (float)y + 0.5f, p->out[pixel]);
            p->out[pixel][3] = 1;
            depth[x] = hit->depth;
        }
    }
}

static void draw_patch(const Stage *stage, StageScratch *s, const Patch *p, bool backdrop_alone)
{
    stage_choose_for_ground(stage, s, p->patch);
    if (!backdrop_alone) stage_choose_for_surface(stage, s, p->box, p->patch);
    for (int y = p->patch.y0; y < p->patch.y1; ++y) {
        if (backdrop_alone)
            backdrop_runs(stage, s, p, y, true);
        else
            draw_row(stage, s, p, y);
    }
}

static void draw_patches(const Stage *stage, StageScratch *s, Patch p, bool backdrop_alone)
{
    const int side = stage_has_depth(stage) ? PATCH : 1 << 20; /* nothing shades: one is enough */
    for (int y = p.box.y0; y < p.box.y1; y += side) {
        for (int x = p.box.x0; x < p.box.x1; x += side) {
            p.patch = (SplatBounds){x, y, x + side < p.box.x1 ? x + side : p.box.x1,
                                    y + side < p.box.y1 ? y + side : p.box.y1};
            draw_patch(stage, s, &p, backdrop_alone);
        }
    }
}

static void clear_samples(const Stage *stage, size_t tile, SplatBounds box, SampleTile *samples)
{
    const size_t pixels = (size_t)(box.x1 - box.x0) * (size_t)(box.y1 - box.y0);
    samples->box = box;
    memset(samples->touched, 0, pixels);
    if (stage->facets->count == 0 || stage->facets->starts[tile] == stage->facets->starts[tile + 1])
        return;
    memset(samples->id, 0, pixels * SAMPLES * sizeof *samples->id);
    for (size_t i = 0; i < pixels * SAMPLES; ++i) samples->near[i] = (float)-INFINITY;
    for (size_t i = 0; i < pixels; ++i) samples->thick[i] = 0;
    facets_draw(stage->facets, tile, samples);
}

static void clear_depth(const Stage *stage, SplatBounds box)
{
    for (int y = box.y0; stage->depth != NULL && y < box.y1; ++y)
        for (int x = box.x0; x < box.x1; ++x)
            stage->depth[(size_t)y * stage->stride + (size_t)x] = (float)INFINITY;
}

void stage_tile(const Stage *stage, size_t tile, SplatBounds box, StageScratch *s, float (*out)[4])
{
    const Facets *facets = stage->facets;
    const Patch whole = {.box = box, .out = out};
    s->near_count = 0;
    if (stage->solids->count > 0) stage_find_near(stage, box, s);
    const bool triangles = facets->count > 0 && facets->starts[tile] < facets->starts[tile + 1];
    const bool backdrop_alone = s->near_count == 0 && !triangles;
    if (backdrop_alone) {
        clear_depth(stage, box);
    } else {
        stage_cast(stage, s, box);
        clear_samples(stage, tile, box, &s->samples);
    }
    draw_patches(stage, s, whole, backdrop_alone);
}

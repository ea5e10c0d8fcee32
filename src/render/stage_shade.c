/* Colours on the stage: light on solids and triangles, what they mirror, and which solids can shade
 * a place at all. */
#include "render/stage_pixels.h"

#include "render/float3.h"
#include "render/texture.h"

#include <string.h>

/* ---- shading ---- */

/* Material of a surface. */
typedef struct Finish {
    const float *color;
    float roughness, gloss;
} Finish;

void stage_mirrored(const Stage *stage, const Surfel *s, const float direction[3], float height,
                    float out[3])
{
    const Backdrop *b = stage->backdrop;
    float r[3], ground[3];
    madd3(direction, -2 * dot3(direction, s->normal), s->normal, r);
    backdrop_sky(b, r, height, out);
    float below = clamp01(0.5f - 4 * dot3(r, stage->view->up) / length3(r));
    if (b->plane_count == 0) below = 0;
    read3(b->def->ground.colors[0], ground);
    for (int k = 0; k < 3; ++k) out[k] += below * (ground[k] - out[k]);
}

static void shade(const Stage *stage, Surfel *s, const float direction[3], float y,
                  const Finish *finish, float out[3])
{
    float diffuse[3], highlight[3], sky[3], height = 1 - y / (float)stage->view->height;
    float length = length3(direction);
    for (int k = 0; k < 3; ++k) s->toward_eye[k] = -direction[k] / length;
    light_on(stage->lights, s, finish->roughness, diffuse, highlight);
    stage_mirrored(stage, s, direction, height, sky);
    float f = 1 - clamp01(dot3(s->normal, s->toward_eye)), f2 = f * f;
    float mirror = (0.04f + 0.5f * f2 * f2 * f) * (1 - 0.7f * finish->roughness);
    for (int k = 0; k < 3; ++k)
        out[k] = finish->color[k] * diffuse[k] + finish->gloss * (highlight[k] + mirror * sky[k]);
    float clear = stage->transparent ? 1 : backdrop_clearness(stage->backdrop, s->place);
    if (clear >= 1) return;
    backdrop_sky(stage->backdrop, direction, height, sky);
    for (int k = 0; k < 3; ++k) out[k] = sky[k] + clear * (out[k] - sky[k]);
}

void stage_shade_solid(const Stage *stage, const SolidHit *hit, float x, float y, float out[3])
{
    const RenderSolid *solid = &stage->solids->items[hit->solid];
    Finish finish = {solid->color, solid->roughness, solid->gloss};
    float origin[3], direction[3];
    Surfel s = {.solid = hit->solid};
    view_ray(stage->view, x, y, origin, direction);
    madd3(origin, hit->depth, direction, s.place);
    memcpy(s.normal, hit->normal, sizeof s.normal);
    solid_own_place(stage->solids, hit, s.place, s.own);
    float own[3], steps[2][3];
    if (texture_worn(solid)) {
        texture_steps(stage->view, s.place, hit->normal, steps);
        texture_color(solid, s.own, hit->normal, (const float(*)[3])steps, own);
        finish.color = own;
    }
    shade(stage, &s, direction, y, &finish, out);
}

void stage_shade_facet(const Stage *stage, size_t facet, float x, float y, float out[3])
{
    FacetCorner at;
    float origin[3], direction[3];
    Surfel s = {.solid = NO_SOLID};
    facet_at(stage->facets, facet, x, y, &at);
    Finish finish = {at.color, 0.6f, 0.3f};
    facet_paint(stage->facets, facet, &at, true);
    view_ray(stage->view, x, y, origin, direction);
    facet_turn(stage->facets, facet, direction, at.normal);
    memcpy(s.place, at.place, sizeof s.place);
    memcpy(s.normal, at.normal, sizeof s.normal);
    shade(stage, &s, direction, y, &finish, out);
}

/* ---- what shades a part of a tile ---- */

static bool may_shade(const Stage *stage, const RenderSolid *solid, const float middle[3],
                      float radius)
{
    if (solid_contacts(solid, middle, radius)) return true;
    for (size_t i = 0; i < stage->lights->count; ++i) {
        const Light *light = &stage->lights->lights[i];
        if (!light->shadows) continue;
        if (light->point || solid_shades(solid, middle, radius, light->toward, light->size))
            return true;
    }
    return false;
}

/* All lights, and no solids yet. */
static void shade_begin(Shade *shade, const Stage *stage)
{
    shade->lights = *stage->lights;
    shade->solids = *stage->solids;
    shade->lights.solids = &shade->solids;
    shade->solids.shading = shade->shading;
    shade->solids.shading_count = 0;
}

static void shade_add(Shade *shade, size_t solid)
{
    shade->shading[shade->solids.shading_count++] = solid;
}

/* The ground of a patch, without what cannot change a bit of it. */
void stage_choose_for_ground(const Stage *stage, StageScratch *s, SplatBounds patch)
{
    shade_begin(&s->ground, stage);
    s->backdrop = *stage->backdrop;
    s->backdrop.lights = &s->ground.lights;
    for (size_t n = 0; n < stage->solids->shading_count; ++n) {
        const size_t i = stage->solids->shading[n];
        bool keep = false;
        for (size_t p = 0; p < stage->backdrop->plane_count && !keep; ++p) {
            float middle[3], radius;
            keep = !backdrop_patch(stage->backdrop, p, patch, middle, &radius) ||
                   may_shade(stage, &stage->solids->items[i], middle, radius);
        }
        if (keep) shade_add(&s->ground, i);
    }
    backdrop_settle(&s->backdrop);
}

static void place_of(const Stage *stage, const SolidHit *hit, float x, float y, float place[3])
{
    float origin[3], direction[3];
    view_ray(stage->view, x, y, origin, direction);
    madd3(origin, hit->depth, direction, place);
}

/* A ball around what is hit in the middles of a patch's pixels; false when that is nothing. */
static bool patch_ball(const Stage *stage, const StageScratch *s, SplatBounds box,
                       SplatBounds patch, float middle[3], float *radius)
{
    float low[3] = {1e30f, 1e30f, 1e30f}, high[3] = {-1e30f, -1e30f, -1e30f}, half[3], at[3];
    for (int y = patch.y0; y < patch.y1; ++y) {
        for (int x = patch.x0; x < patch.x1; ++x) {
            const SolidHit *hit = stage_hit(s, box, x, y);
            if (hit->solid == NO_SOLID) continue;
            place_of(stage, hit, (float)x + 0.5f, (float)y + 0.5f, at);
            for (int k = 0; k < 3; ++k) {
                low[k] = at[k] < low[k] ? at[k] : low[k];
                high[k] = at[k] > high[k] ? at[k] : high[k];
            }
        }
    }
    for (int k = 0; k < 3; ++k) half[k] = 0.5f * (high[k] - low[k]), middle[k] = low[k] + half[k];
    *radius = 1.001f * length3(half);
    return low[0] <= high[0];
}

bool stage_in_ball(const Stage *stage, const StageScratch *s, const SolidHit *hit, float x, float y)
{
    float at[3];
    place_of(stage, hit, x, y, at);
    madd3(at, -1, s->surface_middle, at);
    return length3(at) <= s->surface_radius;
}

/* The solids of a patch, likewise. The ball has room for what the edges of pixels see. */
void stage_choose_for_surface(const Stage *stage, StageScratch *s, SplatBounds box,
                              SplatBounds patch)
{
    float *middle = s->surface_middle, radius;
    shade_begin(&s->surface, stage);
    s->surface_radius = -1;
    if (!patch_ball(stage, s, box, patch, middle, &radius)) return;
    s->surface_radius = radius *= 1.2f;
    for (size_t n = 0; n < stage->solids->shading_count; ++n) {
        const size_t i = stage->solids->shading[n];
        if (may_shade(stage, &stage->solids->items[i], middle, radius)) shade_add(&s->surface, i);
    }
}

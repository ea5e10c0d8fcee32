/* Liquids with a surface, drawn quickly: a part of the light is mirrored (Fresnel's law by C.
 * Schlick, 1994); through the rest one sees what is behind, displaced by refraction and dimmed by
 * Beer and Lambert's law over the length of liquid along the view, and a little of the liquid's own
 * colour where it is thick. One surface is seen: what is refracted is not refracted again. */
#include "render/stage_pixels.h"

#include "base/math.h"
#include "render/float3.h"

#include <math.h>
#include <string.h>

#define ROUGHNESS 0.12f
#define MURK      0.4f  /* of a dull surface's light, where nothing is seen through it */
#define BENT_MOST 48.0f /* px */

/* What is seen through a place of the surface. */
typedef struct Behind {
    float color[4], depth;
} Behind;

static Behind behind_at(const Stage *stage, float x, float y)
{
    Behind behind = {.color = {0, 0, 0, stage->transparent ? 0 : 1}, .depth = (float)INFINITY};
    SolidHit hit = {.solid = NO_SOLID, .depth = (float)INFINITY, .moment = MID_SHUTTER};
    float origin[3], direction[3], row[1][3];
    view_ray(stage->view, x, y, origin, direction);
    for (size_t i = 0; i < stage->solids->count; ++i) {
        const RenderSolid *solid = &stage->solids->items[i];
        const SplatBounds b = solid->box;
        if (solid->drawn && x >= (float)b.x0 && x < (float)b.x1 && y >= (float)b.y0 &&
            y < (float)b.y1)
            solids_cast(stage->solids, i, origin, direction, MID_SHUTTER, &hit);
    }
    const float ground =
        stage->transparent ? (float)INFINITY : backdrop_depth(stage->backdrop, origin, direction);
    behind.depth = hit.depth < ground ? hit.depth : ground;
    if (hit.depth < ground) {
        stage_shade_solid(stage, &hit, x, y, behind.color);
        behind.color[3] = 1;
    } else if (!stage->transparent) {
        backdrop_row(stage->backdrop, (int)x, (int)y, 1, row);
        memcpy(behind.color, row[0], sizeof row[0]);
    }
    return behind;
}

static float clamped(float x, float most)
{
    return x > 0 ? x < most ? x : most : 0;
}

/* The same through liquid that is so thick: where the view goes on after refraction. */
static Behind refracted(const Stage *stage, const Surfel *s, float bent, float x, float y)
{
    const View *v = stage->view;
    float way[2];
    for (int k = 0; k < 2; ++k) {
        way[k] = bent * dot3(s->normal, v->axis[k]);
        way[k] = way[k] > BENT_MOST ? BENT_MOST : way[k] < -BENT_MOST ? -BENT_MOST : way[k];
    }
    return behind_at(stage, clamped(x - way[0], (float)v->width - 0.5f),
                     clamped(y - way[1], (float)v->height - 0.5f));
}

/* The part of the light that is mirrored. */
static float mirrored_part(float refraction, float cosine)
{
    const float f = 1 - clamp01(cosine), f2 = f * f;
    const float r = (refraction - 1) / (refraction + 1);
    return r * r + (1 - r * r) * f2 * f2 * f;
}

void stage_shade_liquid(const Stage *stage, size_t facet, float thick, float x, float y,
                        float out[4])
{
    const View *v = stage->view;
    const FacetLiquid *liquid = &stage->facets->liquids[stage->facets->items[facet].liquid - 1];
    FacetCorner at;
    Surfel s = {.solid = NO_SOLID};
    float origin[3], direction[3], passed[3], diffuse[3], highlight[3], mirror[3];
    facet_at(stage->facets, facet, x, y, &at);
    view_ray(v, x, y, origin, direction);
    facet_turn(stage->facets, facet, direction, at.normal);
    memcpy(s.place, at.place, sizeof s.place);
    memcpy(s.normal, at.normal, sizeof s.normal);
    const float length = length3(direction), depth = dot3(v->axis[2], at.place);
    for (int k = 0; k < 3; ++k) s.toward_eye[k] = -direction[k] / length;
    const float scale = v->focal / (v->orthographic ? 1 : depth);
    const Behind behind = refracted(stage, &s, (1 - 1 / liquid->refraction) * thick * scale, x, y);
    if (!(thick < behind.depth - depth)) thick = behind.depth - depth;
    thick = thick > 0 ? length * thick : 0;
    const float part = mirrored_part(liquid->refraction, dot3(s.normal, s.toward_eye));
    light_on(stage->lights, &s, ROUGHNESS, diffuse, highlight);
    stage_mirrored(stage, &s, direction, 1 - y / (float)v->height, mirror);
    float least = 1;
    for (int k = 0; k < 3; ++k) {
        passed[k] = math_expf(-liquid->absorption[k] * thick);
        least = passed[k] < least ? passed[k] : least;
    }
    for (int k = 0; k < 3; ++k) {
        const float own = MURK * (1 - least) * at.color[k] * diffuse[k];
        out[k] = part * mirror[k] + (1 - part) * (passed[k] * behind.color[k] + own) + highlight[k];
    }
    out[3] = part + (1 - part) * behind.color[3];
}

/* What a pixel of the stage sees. One ray goes through the middle of every pixel; where neighbours
 * see different things, now or at another moment, and wherever triangles are, 16 samples share the
 * pixel. Each thing that some of them see is shaded once, at their mean place, and counts by their
 * number.
 *
 * The samples of moving solids are spread over the time of the shutter as well (distributed ray
 * tracing, Cook et al. 1984): 32 or 64 of them, so that from one to the next nothing moves much
 * more than a pixel. */
#include "render/stage_pixels.h"

#include "render/float3.h"

#include <math.h>
#include <string.h>

#define CREASE 0.96f /* cosine: normals that differ more belong to two faces */
#define SOLID  0x80000000u
enum { THIN = 4 }; /* px: what is thinner may hide between the pixels' middles */
enum { MOST_LOOKS = 8 };
enum { MOST_PARTS = MOMENTS };
enum { SURE = 12, SURE_NOTHING = 24 }; /* samples of moving solids that are enough */

/* ---- rays ---- */

/* Sorted from the eye, so that what is seen hides the others before they are asked. */
static void insert_near(const Stage *stage, StageScratch *s, size_t which)
{
    const RenderSolid *items = stage->solids->items;
    size_t n = s->near_count++;
    for (; n > 0 && items[s->near[n - 1]].front > items[which].front; --n)
        s->near[n] = s->near[n - 1];
    s->near[n] = which;
}

/* Solids whose pixels meet the tile and a border of one. */
void stage_find_near(const Stage *stage, SplatBounds box, StageScratch *s)
{
    s->near_count = 0;
    for (size_t i = 0; i < stage->solids->count; ++i) {
        const RenderSolid *solid = &stage->solids->items[i];
        const SplatBounds b = solid->box;
        if (solid->drawn && b.x0 <= box.x1 && b.x1 >= box.x0 - 1 && b.y0 <= box.y1 &&
            b.y1 >= box.y0 - 1 && b.x0 < b.x1 && b.y0 < b.y1)
            insert_near(stage, s, i);
    }
}

/* A few solids, as numbers of the stage's. */
typedef struct StageCandidates {
    const size_t *items;
    size_t count;
} StageCandidates;

static bool in_box(const RenderSolid *solid, float x, float y)
{
    const SplatBounds b = solid->box;
    return x >= (float)(b.x0 - 1) && x <= (float)(b.x1 + 1) && y >= (float)(b.y0 - 1) &&
           y <= (float)(b.y1 + 1);
}

/* The nearest solid that no plane hides. */
static SolidHit cast_at(const Stage *stage, StageCandidates near, float x, float y, int moment)
{
    float origin[3], direction[3];
    SolidHit hit = {.solid = NO_SOLID, .depth = (float)INFINITY, .moment = MID_SHUTTER};
    view_ray(stage->view, x, y, origin, direction);
    for (size_t n = 0; n < near.count; ++n) {
        const RenderSolid *solid = &stage->solids->items[near.items[n]];
        if (solid->front >= hit.depth) break;
        if (in_box(solid, x, y))
            solids_cast(stage->solids, near.items[n], origin, direction, moment, &hit);
    }
    if (hit.solid != NO_SOLID && !stage->transparent &&
        backdrop_depth(stage->backdrop, origin, direction) < hit.depth)
        hit.solid = NO_SOLID;
    return hit;
}

static bool same_face(const SolidHit *a, const SolidHit *b)
{
    if (a->solid != b->solid) return false;
    return a->solid == NO_SOLID || dot3(a->normal, b->normal) > CREASE;
}

/* The pixels of the tile where a thin or a fast solid may be. */
static void mark(const Stage *stage, const RenderSolid *solid, StageScratch *s, SplatBounds box)
{
    const SplatBounds b = solid->box;
    for (int y = b.y0 > box.y0 ? b.y0 : box.y0; y < b.y1 && y < box.y1; ++y) {
        for (int x = b.x0 > box.x0 ? b.x0 : box.x0; x < b.x1 && x < box.x1; ++x) {
            float origin[3], direction[3];
            view_ray(stage->view, (float)x + 0.5f, (float)y + 0.5f, origin, direction);
            if (solid_near_ray(solid, stage->view, origin, direction))
                s->edge[(y - box.y0) * (box.x1 - box.x0) + x - box.x0] = true;
        }
    }
}

/* Pixels whose middle and surroundings, perhaps at another moment, do not see one face. */
static void find_edges(const SolidHit *around, StageScratch *s, SplatBounds box)
{
    const int width = box.x1 - box.x0, stride = width + 2;
    for (int y = 0; y < box.y1 - box.y0; ++y) {
        for (int x = 0; x < width; ++x) {
            const int at = (y + 1) * stride + x + 1;
            bool edge = s->edge[y * width + x];
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i)
                    edge = edge || !same_face(&s->hits[at], &around[at + j * stride + i]);
            s->edge[y * width + x] = edge;
        }
    }
}

/* Pixels across a solid. */
static int width_of(const RenderSolid *solid)
{
    const int x = solid->box.x1 - solid->box.x0, y = solid->box.y1 - solid->box.y0;
    return (x < y ? x : y) - 3;
}

/* How many moments show what happens in the pixels of a moving solid: between two of them no more
 * than a tip comes and goes. 0: too many. */
static int looks_at(const RenderSolid *solid)
{
    const float most = (float)width_of(solid) / 16;
    const float step = most > THIN ? most < 4 * THIN ? most : 4 * THIN : THIN;
    if (solid->moments == NULL || width_of(solid) <= THIN) return 0;
    return solid->motion < (MOST_LOOKS - 1) * step ? 2 + (int)(solid->motion / step) : 0;
}

/* Other moments of the pixels where something moves. */
static void cast_moment(const Stage *stage, StageScratch *s, SplatBounds box, int moment)
{
    const StageCandidates near = {s->near, s->near_count};
    SolidHit *hit = s->others;
    const SolidHit *still = s->hits;
    for (int y = box.y0 - 1; y <= box.y1; ++y) {
        for (int x = box.x0 - 1; x <= box.x1; ++x, ++still) {
            const float px = (float)x + 0.5f, py = (float)y + 0.5f;
            bool moves = false;
            for (size_t n = 0; n < near.count && !moves; ++n) {
                const RenderSolid *solid = &stage->solids->items[near.items[n]];
                moves = solid->moments != NULL && in_box(solid, px, py);
            }
            *hit++ = moves ? cast_at(stage, near, px, py, moment) : *still;
        }
    }
}

void stage_cast(const Stage *stage, StageScratch *s, SplatBounds box)
{
    const StageCandidates near = {s->near, s->near_count};
    SolidHit *hit = s->hits;
    int looks = 0;
    for (int y = box.y0 - 1; y <= box.y1; ++y)
        for (int x = box.x0 - 1; x <= box.x1; ++x)
            *hit++ = cast_at(stage, near, (float)x + 0.5f, (float)y + 0.5f, MID_SHUTTER);
    memset(s->edge, 0, (size_t)(box.x1 - box.x0) * (size_t)(box.y1 - box.y0));
    find_edges(s->hits, s, box);
    for (size_t n = 0; n < s->near_count; ++n) {
        const RenderSolid *solid = &stage->solids->items[s->near[n]];
        const int wanted = looks_at(solid);
        looks = wanted > looks ? wanted : looks;
        if (wanted == 0 && (solid->moments != NULL || width_of(solid) <= THIN))
            mark(stage, solid, s, box);
    }
    for (int k = 0; k < looks; ++k) {
        cast_moment(stage, s, box, k * (MOMENTS - 1) / (looks - 1));
        find_edges(s->others, s, box);
    }
}

/* ---- pixels of several things ---- */

/* A thing that some samples of a pixel see. */
typedef struct StagePart {
    uint32_t id; /* 0: the backdrop; SOLID | number; facet + 1 */
    int count;
    float x, y, moment; /* sums */
    SolidHit hit;       /* of the first sample */
} StagePart;

typedef struct StageParts {
    StagePart items[MOST_PARTS];
    int count, samples;
} StageParts;

/* A place in the pixel, the triangles' sample that is nearest in number, and a moment. */
typedef struct StageSample {
    float x, y;
    int number, moment;
} StageSample;

static void parts_add(StageParts *parts, uint32_t id, const SolidHit *hit, StageSample sample)
{
    int i = 0;
    for (; i < parts->count; ++i) {
        const StagePart *p = &parts->items[i];
        if (p->id == id && ((id & SOLID) == 0 || same_face(&p->hit, hit))) break;
    }
    StagePart *part = &parts->items[i];
    if (i == parts->count) {
        *part = (StagePart){.id = id, .hit = *hit};
        ++parts->count;
    }
    ++part->count;
    part->x += sample.x;
    part->y += sample.y;
    part->moment += (float)sample.moment;
}

/* The tangent plane of a hit at another place of the screen. */
static SolidHit slide(const Stage *stage, const SolidHit *middle, float x, float y, float sx,
                      float sy)
{
    float origin[3], direction[3], place[3], at[3], way[3];
    SolidHit hit = *middle;
    view_ray(stage->view, x, y, origin, direction);
    madd3(origin, middle->depth, direction, place);
    view_ray(stage->view, sx, sy, at, way);
    float toward = dot3(middle->normal, way), from[3];
    madd3(place, -1, at, from);
    if (toward < -1e-6f) hit.depth = dot3(middle->normal, from) / toward;
    return hit;
}

/* A pixel, and where it is in the tile. */
typedef struct Pixel {
    int x, y;
    size_t number;
    const SolidHit *middle;
    StageCandidates seen; /* solids that may be in it */
    int passes;           /* how often its samples are taken: more where something fast may pass */
} Pixel;

/* A facet in front of what a sample has hit takes its place, unless the ground hides it. Returns
 * the id. */
static uint32_t facet_before(const Stage *stage, const StageScratch *s, size_t sample, float x,
                             float y, SolidHit *hit)
{
    const uint32_t solid = hit->solid != NO_SOLID ? SOLID | (uint32_t)hit->solid : 0;
    const uint32_t facet = s->samples.id[sample];
    float nearest = solid != 0 ? view_nearness(stage->view, hit->depth) : (float)-INFINITY;
    if (facet == 0 || !(s->samples.near[sample] > nearest)) return solid;
    float origin[3], direction[3], ground = (float)INFINITY;
    view_ray(stage->view, x, y, origin, direction);
    if (!stage->transparent) ground = backdrop_depth(stage->backdrop, origin, direction);
    hit->depth = view_depth_of(stage->view, s->samples.near[sample]);
    return hit->depth <= ground ? facet : 0;
}

static void add_sample(const Stage *stage, const StageScratch *s, const Pixel *pixel,
                       StageSample at, StageParts *parts)
{
    const float x = (float)pixel->x + at.x, y = (float)pixel->y + at.y;
    SolidHit hit = *pixel->middle;
    if (s->edge[pixel->number])
        hit = cast_at(stage, pixel->seen, x, y, at.moment);
    else if (hit.solid != NO_SOLID)
        hit = slide(stage, &hit, (float)pixel->x + 0.5f, (float)pixel->y + 0.5f, x, y);
    uint32_t id = hit.solid != NO_SOLID ? SOLID | (uint32_t)hit.solid : 0;
    if (s->samples.touched[pixel->number] != 0)
        id = facet_before(stage, s, pixel->number * SAMPLES + (size_t)at.number, x, y, &hit);
    parts_add(parts, id, &hit, at);
}

/* What is in none of the rays through the pixel is left out, which changes nothing. */
static Pixel pixel_make(const Stage *stage, StageScratch *s, SplatBounds box, int x, int y)
{
    Pixel pixel = {x,
                   y,
                   (size_t)((y - box.y0) * (box.x1 - box.x0) + x - box.x0),
                   stage_hit(s, box, x, y),
                   {s->seen, 0},
                   1};
    float origin[3], direction[3];
    view_ray(stage->view, (float)x + 0.5f, (float)y + 0.5f, origin, direction);
    for (size_t n = 0; n < s->near_count; ++n) {
        const RenderSolid *solid = &stage->solids->items[s->near[n]];
        if (!in_box(solid, (float)x + 0.5f, (float)y + 0.5f) ||
            !solid_near_ray(solid, stage->view, origin, direction))
            continue;
        s->seen[pixel.seen.count++] = s->near[n];
        if (solid->moments != NULL && solid->passes > pixel.passes) pixel.passes = solid->passes;
    }
    return pixel;
}

/* Sample k of moving solids: places and moments that leave no gaps in the pixel nor in time (the
 * additive sequence of the root of x^4 = x + 1, M. Roberts 2018). */
static StageSample moving_sample(int k)
{
    static const uint32_t steps[3] = {0xd1b54a33u, 0xabc98389u, 0x8cb92ba7u}; /* 2^32 / root^i */
    const uint32_t u[3] = {0x80000000u + (uint32_t)k * steps[0],
                           0x80000000u + (uint32_t)k * steps[1],
                           0x80000000u + (uint32_t)k * steps[2]};
    return (StageSample){(float)(u[0] >> 8) * 0x1p-24f, (float)(u[1] >> 8) * 0x1p-24f, k % SAMPLES,
                         (int)((uint64_t)u[2] * MOMENTS >> 32)};
}

/* What is alone in a pixel is shaded as pixels of one sample are. */
static void parts_center(StagePart *part)
{
    part->x = part->y = 0.5f * (float)part->count;
    part->moment = (float)MID_SHUTTER * (float)part->count;
}

/* Everything in a pixel. When the first samples see one surface alone, or more of them nothing, the
 * others do too, or nearly so. */
static void find_parts(const Stage *stage, const StageScratch *s, const Pixel *pixel,
                       StageParts *parts)
{
    int count = SAMPLES * pixel->passes;
    parts->count = 0, parts->samples = 0;
    for (int i = 0; i < count; ++i) {
        StageSample sample = {0.5f, 0.5f, i, MID_SHUTTER};
        if (pixel->passes > 1)
            sample = moving_sample(i);
        else
            sample.x = sample_places[0][i], sample.y = sample_places[1][i];
        add_sample(stage, s, pixel, sample, parts);
        ++parts->samples;
        const bool alone = parts->count == 1 && pixel->passes > 1;
        if (alone && parts->samples >= (parts->items[0].id != 0 ? SURE : SURE_NOTHING)) break;
    }
    if (parts->count == 1) parts_center(&parts->items[0]);
}

static void shade_part(const Stage *stage, StageScratch *s, const Pixel *pixel,
                       const StagePart *part, float out[4])
{
    const float share = 1 / (float)part->count;
    float x = (float)pixel->x + part->x * share, y = (float)pixel->y + part->y * share;
    out[3] = part->id == 0 && stage->transparent ? 0 : 1;
    if (part->id == 0) {
        backdrop_row(&s->backdrop, pixel->x, pixel->y, 1, s->row);
        memcpy(out, s->row[0], sizeof s->row[0]);
        return;
    }
    if ((part->id & SOLID) == 0 && stage->facets->items[part->id - 1].liquid != 0) {
        stage_shade_liquid(stage, part->id - 1, s->samples.thick[pixel->number], x, y, out);
        return;
    }
    if ((part->id & SOLID) == 0) {
        stage_shade_facet(stage, part->id - 1, x, y, out);
        return;
    }
    SolidHit hit = cast_at(stage, pixel->seen, x, y, (int)(part->moment / (float)part->count));
    if (!same_face(&hit, &part->hit)) hit = part->hit;
    Stage local = *stage;
    if (stage_in_ball(stage, s, &hit, x, y)) local.lights = &s->surface.lights;
    stage_shade_solid(&local, &hit, x, y, out);
}

/* What hides particles: the depth up to which half of the samples or more have met something.
 * Where many triangles meet, none of them has so many. */
static float hiding_depth(const StageParts *parts)
{
    float best = (float)INFINITY;
    for (int i = 0; i < parts->count; ++i) {
        const float depth = parts->items[i].hit.depth;
        int before = 0;
        if (parts->items[i].id == 0 || !(depth < best)) continue;
        for (int j = 0; j < parts->count; ++j)
            if (parts->items[j].id != 0 && parts->items[j].hit.depth <= depth)
                before += parts->items[j].count;
        if (2 * before >= parts->samples) best = depth;
    }
    return best;
}

float stage_mix(const Stage *stage, StageScratch *s, SplatBounds box, int x, int y, float out[4])
{
    const Pixel pixel = pixel_make(stage, s, box, x, y);
    float sum[4] = {0, 0, 0, 0};
    StageParts parts;
    find_parts(stage, s, &pixel, &parts);
    for (int i = 0; i < parts.count; ++i) {
        const StagePart *part = &parts.items[i];
        float weight = (float)part->count / (float)parts.samples, color[4];
        shade_part(stage, s, &pixel, part, color);
        for (int k = 0; k < 4; ++k) sum[k] += weight * color[k];
    }
    memcpy(out, sum, sizeof sum);
    return hiding_depth(&parts);
}

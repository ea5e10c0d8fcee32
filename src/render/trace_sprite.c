/* Sprites as rays meet them: squares parallel to the picture, which show a cell of a sheet. A ray
 * is stopped as often as the cell is opaque where it passes. */
#include "render/trace.h"

#if MOTE_WITH_EMBREE
#include "render/trace_tree.h"

#include "base/status.h"
#include "render/float3.h"
#include "render/sheet.h"

#include <string.h>

struct WispSprite {
    const Sheet *sheet; /* NULL: no sprite */
    uint32_t cell;
    float turn[2]; /* cosine and sine */
    float fine;    /* pixels of the cell on one of the picture */
};

bool trace_sprites_make(const TraceInput *input, Wisps *wisps, size_t most, Arena *arena)
{
    bool some = false;
    for (size_t n = 0; n < input->frame->system_count; ++n)
        some = some || input->sources[n].sheet != NULL;
    wisps->view = input->view;
    if (!some) return true;
    wisps->sprites = arena_take(arena, most * sizeof *wisps->sprites);
    if (wisps->sprites != NULL) memset(wisps->sprites, 0, most * sizeof *wisps->sprites);
    return wisps->sprites != NULL;
}

void trace_sprite_add(const Wisps *wisps, const SplatSource *source, size_t row, size_t wisp)
{
    const Wisp *w = &wisps->items[wisp];
    const View *view = wisps->view;
    WispSprite *sprite = &wisps->sprites[wisp];
    const float depth = view->orthographic ? 1 : dot3(view->axis[2], w->at);
    *sprite = (WispSprite){.sheet = source->sheet, .cell = sheet_cell(source, row)};
    sheet_turn(source, row, sprite->turn);
    sprite->fine = (float)source->sheet->levels[0].cell[0] * (depth > 0 ? depth : 0) /
                   (view->focal * 2 * source->sheet->half[0] * w->radius);
}

/* The cell's light where the sprite is passed this far from its middle; false beside it. */
static bool texel_at(const Wisps *wisps, uint32_t wisp, const float away[3], float texel[4])
{
    const WispSprite *sprite = &wisps->sprites[wisp];
    const float radius = wisps->items[wisp].radius;
    const float x = dot3(wisps->view->axis[0], away), y = dot3(wisps->view->axis[1], away);
    const float own[2] = {x * sprite->turn[0] - y * sprite->turn[1],
                          x * sprite->turn[1] + y * sprite->turn[0]};
    float at[2];
    for (int k = 0; k < 2; ++k) {
        at[k] = 0.5f + 0.5f * own[k] / (sprite->sheet->half[k] * radius);
        if (!(at[k] >= 0 && at[k] <= 1)) return false;
    }
    sheet_texel(sprite->sheet, sprite->cell, at, sprite->fine, texel);
    return true;
}

/* From where the sprite is at the ray's moment. */
static void away_from(const Wisp *w, const float place[3], float moment, float away[3])
{
    for (int k = 0; k < 3; ++k) away[k] = place[k] - w->at[k] - (moment - 0.5f) * w->drift[k];
}

bool trace_sprite_disc(const Wisps *wisps, uint32_t wisp, const struct RTCRay *ray, float *distance,
                       float *aside2)
{
    const Wisp *w = &wisps->items[wisp];
    const float origin[3] = {ray->org_x, ray->org_y, ray->org_z};
    const float direction[3] = {ray->dir_x, ray->dir_y, ray->dir_z};
    float away[3];
    away_from(w, origin, ray->time, away);
    *distance = -dot3(away, direction);
    madd3(away, *distance, direction, away);
    *aside2 = dot3(away, away);
    const bool ahead = *distance > ray->tnear && *distance < ray->tfar;
    return ahead && *aside2 < 2 * w->radius * w->radius;
}

void trace_sprite_mean(const Wisps *wisps, uint32_t wisp, float color[3])
{
    const WispSprite *sprite = &wisps->sprites[wisp];
    float mean[4];
    sheet_texel(sprite->sheet, sprite->cell, (const float[2]){0.5f, 0.5f}, 1e6f, mean);
    for (int k = 0; k < 3; ++k) color[k] *= mean[k];
}

float trace_sprite_meet(const Wisps *wisps, uint32_t wisp, const struct RTCRay *ray,
                        float *distance, float color[3])
{
    const float *normal = wisps->view->axis[2];
    const float origin[3] = {ray->org_x, ray->org_y, ray->org_z};
    const float direction[3] = {ray->dir_x, ray->dir_y, ray->dir_z};
    const float cosine = dot3(normal, direction);
    float away[3], texel[4];
    away_from(&wisps->items[wisp], origin, ray->time, away);
    *distance = cosine != 0 ? -dot3(normal, away) / cosine : -1;
    if (!(*distance > ray->tnear && *distance < ray->tfar)) return 0;
    madd3(away, *distance, direction, away);
    if (!texel_at(wisps, wisp, away, texel)) return 0;
    for (int k = 0; k < 3; ++k) color[k] = wisps->items[wisp].color[k] * texel[k];
    return texel[3];
}

float trace_sprite_color(const Wisps *wisps, uint32_t wisp, const float place[3], float moment,
                         float color[3])
{
    float away[3], texel[4];
    away_from(&wisps->items[wisp], place, moment, away);
    if (!texel_at(wisps, wisp, away, texel) || !(texel[3] > 0)) return 0;
    for (int k = 0; k < 3; ++k) color[k] *= texel[k] / texel[3];
    return wisps->items[wisp].alpha * texel[3];
}

#endif

/* Sheets: cells of a picture, smaller copies of them, and the light between their pixels (mipmaps:
 * L. Williams, Pyramidal Parametrics, SIGGRAPH 1983). */
#include "render/sheet.h"

#include "base/math.h"
#include "base/status.h"
#include "render/float3.h"
#include "render/image.h"
#include "render/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what may be asked for ---- */

/* The numbers nearest to `parts`, below and above, that divide `size`: at least one of them exists.
 */
static void nearest_parts(int size, int parts, int out[2])
{
    out[0] = parts < size ? parts : size;
    while (out[0] > 1 && size % out[0] != 0) --out[0];
    out[1] = parts;
    while (out[1] < size && size % out[1] != 0) ++out[1];
    if (out[1] > size) out[1] = out[0];
}

mote_Status sheet_check(const mote_Look *look, const char *where, int *axis, mote_Error *error)
{
    const int sizes[2] = {look->image->width, look->image->height};
    const uint64_t parts[2] = {look->columns, look->rows};
    for (*axis = 0; *axis < 2; ++*axis) {
        const int size = sizes[*axis];
        const uint64_t asked = parts[*axis];
        int near[2];
        if (asked > 0 && (uint64_t)size % asked == 0) continue;
        nearest_parts(size, asked > 0 && asked < 1u << 20 ? (int)asked : 1, near);
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: its image is %d pixels %s, which cannot be shared evenly by %llu "
                           "%s of cells; %d or %d can",
                           where, size, *axis == 0 ? "wide" : "high", (unsigned long long)asked,
                           *axis == 0 ? "columns" : "rows", near[0], near[1]);
    }
    return MOTE_OK;
}

/* ---- making ---- */

static int halved(int size)
{
    return size > 1 ? size / 2 : 1;
}

/* How many of so many pixels the one at `at` covers in half the size: two, the last one also what
 * is left. */
static int covered(int size, int at)
{
    return at == halved(size) - 1 ? size - 2 * at : 2;
}

/* One pixel of half the size: the mean of those of the cell that it covers. */
static void halve_pixel(const SheetLevel *from, size_t left, size_t top, const int at[2],
                        float *out)
{
    const int wide = covered(from->cell[0], at[0]), high = covered(from->cell[1], at[1]);
    const float part = 1.0f / (float)(wide * high);
    for (int k = 0; k < 4; ++k) out[k] = 0;
    for (int j = 0; j < high; ++j)
        for (int i = 0; i < wide; ++i) {
            const size_t x = left + (size_t)(2 * at[0] + i), y = top + (size_t)(2 * at[1] + j);
            const float *pixel = from->pixels + 4 * (y * from->width + x);
            for (int k = 0; k < 4; ++k) out[k] += part * pixel[k];
        }
}

static void halve_cell(const SheetLevel *from, const SheetLevel *to, size_t column, size_t row,
                       float *pixels)
{
    const size_t wide = (size_t)to->cell[0], high = (size_t)to->cell[1];
    for (size_t y = 0; y < high; ++y)
        for (size_t x = 0; x < wide; ++x)
            halve_pixel(from, column * (size_t)from->cell[0], row * (size_t)from->cell[1],
                        (const int[2]){(int)x, (int)y},
                        pixels + 4 * ((row * high + y) * to->width + column * wide + x));
}

static bool add_level(Sheet *sheet, size_t rows, Arena *arena)
{
    const SheetLevel *from = &sheet->levels[sheet->level_count - 1];
    SheetLevel to = {.cell = {halved(from->cell[0]), halved(from->cell[1])}};
    to.width = (size_t)to.cell[0] * sheet->columns;
    float *pixels = arena_take(arena, 4 * to.width * (size_t)to.cell[1] * rows * sizeof *pixels);
    to.pixels = pixels;
    if (pixels == NULL) return false;
    for (size_t row = 0; row < rows; ++row)
        for (size_t column = 0; column < sheet->columns; ++column)
            halve_cell(from, &to, column, row, pixels);
    sheet->levels[sheet->level_count++] = to;
    return true;
}

static bool sheet_make(const mote_Look *look, uint32_t first, Arena *arena, Sheet *sheet)
{
    const mote_Image *image = look->image;
    const int wide = image->width / (int)look->columns, high = image->height / (int)look->rows;
    const int most = wide > high ? wide : high;
    *sheet = (Sheet){.columns = (uint32_t)look->columns, .first = first, .level_count = 1};
    sheet->count = sheet->columns * (uint32_t)look->rows;
    sheet->half[0] = (float)wide / (float)most, sheet->half[1] = (float)high / (float)most;
    sheet->levels[0] = (SheetLevel){image->pixels, (size_t)image->width, {wide, high}};
    for (int size = most; size > 1; size /= 2)
        if (!add_level(sheet, look->rows, arena)) return false;
    return true;
}

/* What smoke and shadows take a sprite for: a disc. */
static const ProfileRow sprite_profile = {
    .head = {.name = "image", .doc = "a cell of an image that faces the eye"},
    .form = PROFILE_SPRITE,
    .deviation = 0.70710678f};

static mote_Status read_row_columns(const mote_FrameSystem *system, SplatSource *s,
                                    mote_Error *error)
{
    mote_Status status = column_planes(system, "cell", 1, &s->cell, error);
    return status == MOTE_OK ? column_planes(system, "turn", 1, &s->turn, error) : status;
}

mote_Status sheets_make(const mote_RenderDef *def, const mote_Frame *frame, SplatSource *sources,
                        Arena *arena, SheetList *sheets, mote_Error *error)
{
    uint32_t first = 0;
    mote_Status status = MOTE_OK;
    Sheet *items = arena_take(arena, (frame->system_count + 1) * sizeof *items);
    *sheets = (SheetList){items, 0};
    if (items == NULL) return status_no_memory(error, "a picture", sizeof *items);
    for (size_t i = 0; i < frame->system_count && status == MOTE_OK; ++i) {
        const mote_Look look = look_of(def, frame->systems[i].name);
        if (look.image == NULL) continue;
        Sheet *sheet = &items[sheets->count++];
        if (!sheet_make(&look, first, arena, sheet))
            return status_no_memory(error, "the sprites of a picture", arena->total);
        first += sheet->count;
        sources[i].sheet = sheet, sources[i].profile = &sprite_profile;
        status = read_row_columns(&frame->systems[i], &sources[i], error);
    }
    return status;
}

/* ---- reading ---- */

/* Between four pixels of a level, at a place in pixels of the cell; at its rim they go on. */
static void level_texel(const SheetLevel *level, const size_t corner[2], float x, float y,
                        float weight, float out[4])
{
    const float at[2] = {x - 0.5f, y - 0.5f};
    float part[2];
    size_t places[2][2];
    for (int k = 0; k < 2; ++k) {
        const int last = level->cell[k] - 1, low = at[k] > 0 ? (int)at[k] : 0;
        const int from = low < last ? low : last, next = from < last ? from + 1 : last;
        part[k] = clamp01(at[k] - (float)from);
        places[k][0] = corner[k] + (size_t)from, places[k][1] = corner[k] + (size_t)next;
    }
    for (int c = 0; c < 4; ++c) {
        const float w = (c & 1 ? part[0] : 1 - part[0]) * (c & 2 ? part[1] : 1 - part[1]);
        const float *pixel =
            level->pixels + 4 * (places[1][c >> 1] * level->width + places[0][c & 1]);
        for (int k = 0; k < 4; ++k) out[k] += w * weight * pixel[k];
    }
}

/* The exponent of a float is its logarithm's whole part, and what is left of it nearly its rest:
 * good enough to mix two sizes. */
static int level_of(float fine, float *part)
{
    int level = 0;
    for (*part = 0; fine >= 2 && level < SHEET_LEVELS; fine *= 0.5f) ++level;
    *part = fine > 1 ? fine - 1 : 0;
    return level;
}

void sheet_texel(const Sheet *sheet, uint32_t cell, const float at[2], float fine, float out[4])
{
    float part, size = 1;
    const int last = sheet->level_count - 1;
    int level = level_of(fine, &part);
    if (level >= last) level = last, part = 0;
    for (int i = 0; i < level; ++i) size *= 0.5f;
    for (int k = 0; k < 4; ++k) out[k] = 0;
    for (int i = 0; i < 2; ++i, size *= 0.5f) {
        const float weight = i == 0 ? 1 - part : part;
        if (!(weight > 0)) continue;
        const SheetLevel *from = &sheet->levels[level + i];
        const size_t corner[2] = {cell % sheet->columns * (size_t)from->cell[0],
                                  cell / sheet->columns * (size_t)from->cell[1]};
        level_texel(from, corner, at[0] * (float)sheet->levels[0].cell[0] * size,
                    at[1] * (float)sheet->levels[0].cell[1] * size, weight, out);
    }
    for (int k = 0; k < 3; ++k) out[k] = out[k] > 0 ? out[k] : 0;
    out[3] = clamp01(out[3]);
}

uint32_t sheet_cell(const SplatSource *s, size_t row)
{
    const uint32_t count = s->sheet->count;
    if (s->cell == NULL) return (uint32_t)((s->id != NULL ? s->id[row] : row) % count);
    const double whole = floor((double)s->cell[row]);
    const double around = whole - (double)count * floor(whole / (double)count);
    return around >= 0 && around < (double)count ? (uint32_t)around : 0; /* and NaN */
}

void sheet_turn(const SplatSource *s, size_t row, float turn[2])
{
    const double degrees = s->turn != NULL ? (double)s->turn[row] : 0;
    const double angle = fabs(degrees) < 1e6 ? degrees * (3.14159265358979323846 / 180) : 0;
    turn[0] = (float)math_cos(angle), turn[1] = (float)math_sin(angle);
}

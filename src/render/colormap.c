/* Colour maps. Each is a few sRGB colours, read off the published maps by scripts/fit-colors.py,
 * with a Catmull-Rom cubic through them: within 0.02 of the original (cividis 0.035).
 *
 * viridis, magma, inferno, plasma: S. van der Walt and N. Smith, matplotlib 2.0, 2015. cividis:
 * Nunez et al., PLoS ONE 2018. turbo: A. Mikhailov, 2019. coolwarm: K. Moreland, "Diverging color
 * maps for scientific visualization", 2009. */
#include "render/colormap.h"

#include "base/math.h"
#include "base/row.h"
#include "base/status.h"
#include "base/text.h"

static const uint32_t viridis[] = {0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d,
                                   0x2c728e, 0x26818e, 0x21908c, 0x1f9f88, 0x28ae80, 0x3ebc74,
                                   0x5dc963, 0x82d34c, 0xabdc32, 0xd5e21a, 0xfde725};
static const uint32_t magma[] = {0x000004, 0x0a0822, 0x1d1146, 0x36106a, 0x50127c, 0x691c81,
                                 0x822681, 0x9c2e7f, 0xb63779, 0xcf4170, 0xe65163, 0xf5695c,
                                 0xfb8761, 0xfea571, 0xfec387, 0xfde0a2, 0xfcfdbf};
static const uint32_t inferno[] = {0x000004, 0x0b0724, 0x210c4a, 0x3c0965, 0x57106d, 0x70196e,
                                   0x89226a, 0xa32b61, 0xbb3755, 0xd14644, 0xe35932, 0xf1711e,
                                   0xf98d0a, 0xfcab0f, 0xf9ca32, 0xf2e865, 0xfcffa4};
static const uint32_t plasma[] = {0x0d0887, 0x310596, 0x4c02a1, 0x6600a7, 0x7e03a8, 0x9511a2,
                                  0xa92396, 0xbb3587, 0xcb4778, 0xd9596a, 0xe66c5c, 0xf07f4f,
                                  0xf89441, 0xfdab33, 0xfdc328, 0xf9dd25, 0xf0f921};
static const uint32_t cividis[] = {0x00224e, 0x002e6a, 0x1a386f, 0x32436d, 0x434e6c, 0x52596d,
                                   0x61656f, 0x6f7073, 0x7c7b78, 0x8b8778, 0x9b9376, 0xaba072,
                                   0xbbad6c, 0xccba64, 0xddc958, 0xefd748, 0xfee838};
static const uint32_t turbo[] = {
    0x30123b, 0x3c3183, 0x434fbb, 0x466be3, 0x4686fa, 0x3ba1fd, 0x29bbec, 0x1ad2d1, 0x1ae4b6,
    0x31f299, 0x56fb75, 0x80ff54, 0xa3fd3c, 0xbff434, 0xd8e436, 0xedd03a, 0xfaba39, 0xfe9f2f,
    0xfb8022, 0xf26114, 0xe4460b, 0xd23105, 0xba1f02, 0x9d1001, 0x7a0403};
static const uint32_t coolwarm[] = {0x3b4cc0, 0x4d68d7, 0x6282ea, 0x779af7, 0x8db0fe, 0xa3c2fe,
                                    0xb8d0f9, 0xccd9ee, 0xdddddd, 0xecd3c5, 0xf4c4ad, 0xf7b194,
                                    0xf49a7b, 0xec7f63, 0xde604d, 0xcb3e38, 0xb40426};
static const uint32_t grey[] = {0x000000, 0xffffff};
static const uint32_t fire[] = {0x000000, 0x2b0000, 0x6a0200, 0xa81400, 0xdd3c00,
                                0xf86c06, 0xffa01c, 0xffd257, 0xfff7c8};
static const uint32_t ice[] = {0x03051a, 0x0f2148, 0x14437d, 0x1b6aaa,
                               0x3a93c6, 0x73b9d9, 0xb2dbe9, 0xf4fbff};

#define MAP(name_, doc_)                                                                           \
    {                                                                                              \
        .head = {.name = #name_, .doc = doc_}, .anchors = name_,                                   \
        .count = sizeof name_ / sizeof name_[0]                                                    \
    }
static const ColorMapRow rows[] = {
    MAP(viridis, "violet, green, yellow: even steps, safe for the colour-blind"),
    MAP(magma, "black, violet, rose, cream"),
    MAP(inferno, "black, violet, orange, yellow"),
    MAP(plasma, "blue, magenta, orange, yellow"),
    MAP(cividis, "blue, grey, yellow: nearly the same to the colour-blind"),
    MAP(turbo, "a smooth rainbow: fine detail, uneven steps"),
    MAP(coolwarm, "blue, white, red: for values around a middle"),
    MAP(grey, "black to white"),
    MAP(fire, "black, red, orange, pale yellow"),
    MAP(ice, "night blue to white"),
    {.head = {.name = "blackbody", .doc = "the hue of a hot body from 800 to 12000 K"}},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

ROW_TABLE(colormap_family, &rows[0].head, &rows[1].head, &rows[2].head, &rows[3].head,
          &rows[4].head, &rows[5].head, &rows[6].head, &rows[7].head, &rows[8].head, &rows[9].head,
          &rows[10].head)

const ColorMapRow *colormap_row(const char *name)
{
    size_t count;
    const mote_Row *const *heads = colormap_family(ISA_V1, &count);
    return (const ColorMapRow *)(const void *)row_named(heads, count, name); /* its head is first */
}

/* ---- tables ---- */

static float anchor(const ColorMapRow *row, size_t i, int channel)
{
    return (float)(row->anchors[i] >> (16 - 8 * channel) & 255) / 255;
}

/* Catmull-Rom; beyond the ends the cubic goes straight on. */
static float cubic(const ColorMapRow *row, double t, int channel)
{
    double place = t * (double)(row->count - 1);
    size_t i = (size_t)place, last = row->count - 1;
    if (i >= last) i = last - 1;
    float f = (float)(place - (double)i);
    float b = anchor(row, i, channel), c = anchor(row, i + 1, channel);
    float a = i > 0 ? anchor(row, i - 1, channel) : 2 * b - c;
    float d = i + 2 <= last ? anchor(row, i + 2, channel) : 2 * c - b;
    return b + 0.5f * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)));
}

/* The hue alone: the brightest channel is 1. */
static void blackbody_hue(double t, float color[3])
{
    mote_blackbody(BLACKBODY_COLDEST + t * (BLACKBODY_HOTTEST - BLACKBODY_COLDEST), color);
    float most = color[0] > color[2] ? color[0] : color[2];
    most = most > color[1] ? most : color[1];
    for (int k = 0; k < 3; ++k) color[k] /= most;
}

void color_table_make(ColorTable *table, const ColorMapRow *row)
{
    for (size_t i = 0; i <= COLOR_TABLE; ++i) {
        double t = (double)i / COLOR_TABLE;
        if (row->anchors == NULL)
            blackbody_hue(t, table->colors[i]);
        else
            for (int k = 0; k < 3; ++k)
                table->colors[i][k] = (float)math_srgb_light((double)cubic(row, t, k));
    }
}

void color_table_at(const ColorTable *table, double t, float color[3])
{
    double place = (t > 0 ? t < 1 ? t : 1 : 0) * COLOR_TABLE;
    size_t i = (size_t)place < COLOR_TABLE ? (size_t)place : COLOR_TABLE - 1;
    float f = (float)(place - (double)i), known = t == t ? 1 : 0;
    const float(*c)[3] = &table->colors[i];
    for (int k = 0; k < 3; ++k) color[k] = known * (c[0][k] + f * (c[1][k] - c[0][k]));
}

/* ---- for users ---- */

static const char *row_name(const void *context, size_t i)
{
    (void)context;
    return i < ROWS ? rows[i].head.name : NULL;
}

mote_Status mote_colormap(const char *name, const double *values, size_t count, float (*colors)[3],
                          mote_Error *error)
{
    const ColorMapRow *row = colormap_row(name);
    if (row == NULL) {
        const char *near = text_nearest(name, row_name, NULL);
        return status_fail(error, MOTE_BAD_VALUE, "there is no colour map \"%.60s\"%s%s%s", name,
                           near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                           near != NULL ? "\"?" : "");
    }
    ColorTable table;
    color_table_make(&table, row);
    for (size_t i = 0; i < count; ++i) color_table_at(&table, values[i], colors[i]);
    return MOTE_OK;
}

/* Colour maps: numbers as colours, as a family of rows; and the colour of hot bodies. */
#ifndef RENDER_COLORMAP_H
#define RENDER_COLORMAP_H

#include <mote/render.h>

#include "base/isa.h"

/* A row: sRGB colours at equal distances from 0 to 1, with a cubic through them. */
typedef struct ColorMapRow {
    mote_Row head;
    const uint32_t *anchors; /* 0xrrggbb; NULL: the black body */
    size_t count;
} ColorMapRow;

enum { COLOR_TABLE = 1024 };

/* A map made ready: linear RGB at equal distances, interpolated linearly. */
typedef struct ColorTable {
    float colors[COLOR_TABLE + 1][3];
} ColorTable;

const mote_Row *const *colormap_family(Isa isa, size_t *count);

/* NULL when there is none of that name. */
const ColorMapRow *colormap_row(const char *name);

void color_table_make(ColorTable *table, const ColorMapRow *row);

/* The colour at t; below 0 and above 1 that of the end, NaN black. */
void color_table_at(const ColorTable *table, double t, float color[3]);

/* The range of kelvins that the map "blackbody" goes through from 0 to 1. */
#define BLACKBODY_COLDEST 800.0
#define BLACKBODY_HOTTEST 12000.0

/* The light of black bodies from 200 to 20000 K, for many particles; within 0.3 % of
 * mote_blackbody. */
void blackbody_table_make(ColorTable *table);
void blackbody_table_at(const ColorTable *table, double kelvin, float color[3]);

#endif

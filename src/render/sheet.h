/* Sheets: pictures of sprites, as a grid of cells. Every cell has smaller copies of its own, so
 * that none shows a neighbour however small it is drawn. */
#ifndef RENDER_SHEET_H
#define RENDER_SHEET_H

#include "base/memory.h"
#include "render/splat.h"

enum { SHEET_LEVELS = 15 }; /* halvings of the largest side, and itself */

/* All cells at half the size of the level before. */
typedef struct SheetLevel {
    const float *pixels; /* RGBA, premultiplied */
    size_t width;        /* px, of all cells */
    int cell[2];         /* px */
} SheetLevel;

struct Sheet {
    SheetLevel levels[SHEET_LEVELS];
    int level_count;
    uint32_t columns, count; /* of cells */
    uint32_t first;          /* number of the first cell among those of all sheets of a picture */
    float half[2];           /* half width and height of a sprite per radius */
};

/* Whether the image of a look falls into its cells; `where` begins the message, and *axis says
 * which of columns (0) and rows (1) is wrong. */
mote_Status sheet_check(const mote_Look *look, const char *where, int *axis, mote_Error *error);

/* The sheets of all looks that have an image, and in each source its own. */
mote_Status sheets_make(const mote_RenderDef *def, const mote_Frame *frame, SplatSource *sources,
                        Arena *arena, SheetList *sheets, mote_Error *error);

/* Of a cell at a place in it, both parts of 0 to 1 (across and down), where `fine` of its pixels
 * fall on one of the picture's: RGBA, premultiplied. */
void sheet_texel(const Sheet *sheet, uint32_t cell, const float at[2], float fine, float out[4]);

/* The cell of a row of a source with a sheet, and how far it is turned: cosine and sine. */
uint32_t sheet_cell(const SplatSource *source, size_t row);
void sheet_turn(const SplatSource *source, size_t row, float turn[2]);

#endif

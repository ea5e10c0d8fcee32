/* Several pictures on one page: contact sheets, and runs side by side. */
#include "run/pictures.h"

#include <string.h>

enum { GAP = 4 }; /* px between pictures */

mote_Status page_open(Page *page, int columns, int rows, const mote_SceneInfo *info,
                      mote_Error *error)
{
    *page = (Page){.columns = columns, .cells = (size_t)columns * (size_t)rows};
    return mote_image_create(columns * (info->width + GAP) - GAP, rows * (info->height + GAP) - GAP,
                             &page->image, error);
}

void page_close(Page *page)
{
    mote_image_destroy(page->image);
    *page = (Page){.image = NULL};
}

/* Between the pictures the page is black. */
void page_clear(const Page *page)
{
    float *pixels = mote_image_pixels(page->image);
    const size_t count =
        (size_t)mote_image_width(page->image) * (size_t)mote_image_height(page->image);
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 4; ++k) pixels[4 * i + (size_t)k] = k < 3 ? 0 : 1;
}

void page_put(const Page *page, size_t cell, mote_Image *picture)
{
    const size_t width = (size_t)mote_image_width(picture);
    const size_t height = (size_t)mote_image_height(picture);
    const size_t stride = (size_t)mote_image_width(page->image);
    const size_t x = cell % (size_t)page->columns * (width + GAP);
    const size_t y = cell / (size_t)page->columns * (height + GAP);
    float *to = mote_image_pixels(page->image) + 4 * (y * stride + x);
    for (size_t row = 0; row < height; ++row)
        memcpy(to + 4 * row * stride, mote_image_pixels(picture) + 4 * row * width,
               4 * width * sizeof *to);
}

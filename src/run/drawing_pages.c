/* Pages of several pictures: frames of a run on one sheet, and two runs side by side. */
#include "run/drawing.h"

#include "base/status.h"

enum { SHEET_MOST = 64 };

bool drawing_is_sheet(const RunDrawing *drawing)
{
    return drawing->def->sheet[0] > 0;
}

mote_Status drawing_find_sheet(RunDrawing *drawing, mote_Error *error)
{
    const mote_RenderRunDef *def = drawing->def;
    const size_t cells = (size_t)def->sheet[0] * def->sheet[1];
    if (def->sheet[0] > SHEET_MOST || def->sheet[1] > SHEET_MOST || cells == 0)
        return status_fail(error, MOTE_BAD_VALUE, "sheet: it has 1 to %d columns and rows",
                           SHEET_MOST);
    if (def->turntable > 0 || def->beside != NULL || def->output == NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "sheet: it is one picture of one run, of different frames; -o "
                           "sheet.png names it");
    drawing->pieces = cells < drawing->count ? cells : drawing->count;
    return MOTE_OK;
}

size_t drawing_sheet_frame(const RunDrawing *drawing, size_t piece)
{
    const size_t last = drawing->pieces > 1 ? drawing->pieces - 1 : 1;
    return (2 * piece * (drawing->count - 1) + last) / (2 * last);
}

mote_Status drawing_open_page(RunDrawing *drawing, const mote_SceneInfo *info, mote_Error *error)
{
    Page *page = &drawing->pictures.page;
    mote_Status status = MOTE_OK;
    if (drawing->beside != NULL) return page_open(page, 2, 1, info, error);
    if (!drawing_is_sheet(drawing)) return MOTE_OK;
    const size_t columns = drawing->def->sheet[0], rows = (drawing->pieces + columns - 1) / columns;
    status = page_open(page, (int)columns, (int)rows, info, error);
    page->cells = drawing->pieces;
    drawing->pictures.clock = true;
    return status;
}

mote_Status drawing_open_beside(RunDrawing *drawing, mote_Error *error)
{
    RunDrawing *other = drawing->beside;
    if (other == NULL) return MOTE_OK;
    mote_Status status = cache_look(other->def->beside, &other->folder, &other->manifest, error);
    if (status == MOTE_OK) status = drawing_open_scene(other, error);
    if (status != MOTE_OK) return status;
    const mote_SceneInfo here = mote_scene_info(drawing->scene),
                         there = mote_scene_info(other->scene);
    if (here.width != there.width || here.height != there.height)
        return status_fail(error, MOTE_BAD_VALUE,
                           "beside: pictures of %s are %d x %d, but must be %d x %d as the others; "
                           "--size makes them so",
                           file_label(other->folder.path), there.width, there.height, here.width,
                           here.height);
    other->pictures.scene = other->scene;
    drawing->pictures.label = file_label(drawing->def->folder);
    other->pictures.label = file_label(drawing->def->beside);
    return pictures_open(&other->pictures, true, false, error);
}

mote_Status drawing_draw_beside(RunDrawing *drawing, uint64_t index, size_t piece,
                                mote_Error *error)
{
    RunDrawing *other = drawing->beside;
    bool there = false;
    for (size_t i = 0; i < other->manifest->frame_count; ++i)
        there = there || other->manifest->frames[i].index == index;
    if (!there)
        return status_fail(error, MOTE_BAD_VALUE, "beside: %s has no frame %llu",
                           file_label(other->folder.path), (unsigned long long)index);
    other->pictures.orbit = drawing->pictures.orbit;
    mote_Status status = drawing_draw_frame(other, index, error);
    if (status != MOTE_OK) return status;
    return pictures_show(&drawing->pictures, other->pictures.image, drawing_number(drawing, piece),
                         error);
}

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
    const char *other = def->turntable > 0 ? "turntable" : "beside";
    if (def->turntable > 0 || def->beside != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "sheet: its page shows frames of one run as they are; leave out --%s",
                           other);
    if (def->output == NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "sheet: it is one picture, which needs a name: -o sheet.png");
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
    const size_t asked = drawing->def->sheet[0], pieces = drawing->pieces;
    const size_t columns = asked < pieces ? asked : pieces, rows = (pieces + columns - 1) / columns;
    if (columns * (size_t)info->width > MOTE_IMAGE_LARGEST_SIDE ||
        rows * (size_t)info->height > MOTE_IMAGE_LARGEST_SIDE)
        return status_fail(error, MOTE_BAD_VALUE,
                           "sheet: %zu x %zu pictures of %d x %d are more than a page of %d pixels "
                           "a side has room for; --size 320x180 makes them smaller",
                           columns, rows, info->width, info->height, MOTE_IMAGE_LARGEST_SIDE);
    status = page_open(page, (int)columns, (int)rows, info, error);
    page->cells = drawing->pieces;
    drawing->pictures.clock = true;
    return status;
}

static bool has_frame(const Manifest *manifest, uint64_t index)
{
    for (size_t i = 0; i < manifest->frame_count; ++i)
        if (manifest->frames[i].index == index) return true;
    return false;
}

/* The other run has every frame that is drawn; that is known before time is spent. */
static mote_Status check_frames(const RunDrawing *drawing, mote_Error *error)
{
    const RunDrawing *other = drawing->beside;
    const Manifest *theirs = other->manifest;
    for (size_t i = 0; i < drawing->count; ++i) {
        const uint64_t index = drawing->manifest->frames[drawing->first + i].index;
        if (has_frame(theirs, index)) continue;
        if (theirs->frame_count == 0)
            return status_fail(error, MOTE_BAD_VALUE, "beside: %s has no frames",
                               file_label(other->folder.path));
        return status_fail(error, MOTE_BAD_VALUE,
                           "beside: %s has no frame %llu, which is drawn; its frames go from %llu "
                           "to %llu, and --frames chooses those that both have",
                           file_label(other->folder.path), (unsigned long long)index,
                           (unsigned long long)theirs->frames[0].index,
                           (unsigned long long)theirs->frames[theirs->frame_count - 1].index);
    }
    return MOTE_OK;
}

mote_Status drawing_open_beside(RunDrawing *drawing, mote_Error *error)
{
    RunDrawing *other = drawing->beside;
    mote_Error reason;
    if (other == NULL) return MOTE_OK;
    mote_Status status = cache_look(other->def->beside, &other->folder, &other->manifest, error);
    if (status == MOTE_OK) status = check_frames(drawing, error);
    if (status != MOTE_OK) return status;
    status = drawing_open_scene(other, &reason);
    if (status != MOTE_OK)
        return status_fail(error, status, "beside: %.120s: %.360s", file_label(other->folder.path),
                           reason.message);
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
    other->pictures.orbit = drawing->pictures.orbit;
    mote_Status status = drawing_draw_frame(other, index, error);
    if (status != MOTE_OK) return status;
    return pictures_show(&drawing->pictures, other->pictures.image, drawing_number(drawing, piece),
                         error);
}

/* Frames dealt over ranks: in each round every rank draws one, and writes its picture. The first
 * has the video, and is sent the others' pictures for it. */
#include "run/drawing.h"

#include "ranks/ranks.h"
#include "render/image.h"

#include <stdio.h>
#include <string.h>

enum { FIRST = 0 };

/* A page holds pictures of several frames: one rank draws all of them. */
const mote_Ranks *drawing_ranks(const mote_RenderRunDef *def)
{
    const bool many = def->ranks != NULL && def->ranks->count > 1;
    return many && def->sheet[0] == 0 && def->beside == NULL ? def->ranks : NULL;
}

bool drawing_is_first(const RunDrawing *drawing)
{
    return drawing->ranks == NULL || drawing->ranks->own == FIRST;
}

mote_Status drawing_agree(const RunDrawing *drawing, mote_Status status, mote_Error *error)
{
    return drawing->ranks != NULL ? ranks_agree(drawing->ranks, status, error) : status;
}

/* What the first has found out about files and video goes for all; only it has looked. */
mote_Status drawing_join(RunDrawing *drawing, mote_Status status, mote_Error *error)
{
    const mote_Ranks *ranks = drawing->ranks;
    Pictures *pictures = &drawing->pictures;
    status = drawing_agree(drawing, status, error);
    if (ranks == NULL) return status;
    int64_t words[] = {pictures->files, pictures->video != NULL, pictures->bits};
    if (status == MOTE_OK) status = ranks_tell(ranks, FIRST, words, sizeof words, error);
    if (status != MOTE_OK) return status;
    drawing->films = words[1] != 0;
    if (ranks->own != FIRST) {
        if (pictures->target.exr && words[2] != 32) target_use_png(&pictures->target);
        status = pictures_open(pictures, true, false, error);
        pictures->files = words[0] != 0, pictures->bits = (int)words[2];
    }
    return ranks_agree(ranks, status, error);
}

/* The first adds its own picture to the video when it has drawn it; these come behind. */
static mote_Status film_others(RunDrawing *drawing, const char *all, size_t size, mote_Error *error)
{
    Pictures *pictures = &drawing->pictures;
    const size_t one = image_floats(pictures->image) * sizeof(float);
    mote_Status status = MOTE_OK;
    for (size_t at = one; at + one <= size && status == MOTE_OK; at += one) {
        memcpy(mote_image_pixels(pictures->image), all + at, one);
        status = mote_video_add(pictures->video, pictures->image, error);
    }
    return status;
}

/* The report of the first is about all: it ends with the last picture of the round. */
static mote_Status report_round(RunDrawing *drawing, size_t piece, mote_Error *error)
{
    const size_t count = (size_t)drawing->ranks->count, first = piece - (size_t)drawing->ranks->own;
    const size_t end = first + count < drawing->pieces ? first + count : drawing->pieces;
    mote_RunReport *report = drawing->pictures.report;
    int64_t particles = piece + 1 == end ? (int64_t)report->particles : 0;
    mote_Status status = ranks_sum(drawing->ranks, &particles, 1, error);
    report->particles = (uint64_t)particles;
    report->last = drawing_frame(drawing, end - 1);
    report->written += end - first - 1;
    if (drawing->pictures.files) {
        char path[FOLDER_PATH];
        target_picture(&drawing->pictures.target, drawing_number(drawing, end - 1), path);
        snprintf(report->picture, sizeof report->picture, "%s", path);
    }
    return status;
}

mote_Status drawing_end_round(RunDrawing *drawing, size_t piece, mote_Status status,
                              mote_Error *error)
{
    const mote_Ranks *ranks = drawing->ranks;
    Pictures *pictures = &drawing->pictures;
    status = drawing_agree(drawing, status, error);
    if (ranks != NULL && status == MOTE_OK) status = report_round(drawing, piece, error);
    if (ranks == NULL || status != MOTE_OK || !drawing->films) return status;
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    const size_t bytes = image_floats(pictures->image) * sizeof(float);
    void *all;
    size_t size;
    status = ranks_gather(ranks, FIRST, mote_image_pixels(pictures->image),
                          piece < drawing->pieces ? bytes : 0, &arena, &all, &size, error);
    if (status == MOTE_OK && ranks->own == FIRST) status = film_others(drawing, all, size, error);
    arena_free(&arena);
    return ranks_agree(ranks, status, error);
}

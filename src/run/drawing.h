/* The drawing of a cache: what render.c and the pages of several pictures share. */
#ifndef RUN_DRAWING_H
#define RUN_DRAWING_H

#include "run/cache.h"
#include "run/pictures.h"

typedef struct RunDrawing RunDrawing;
struct RunDrawing {
    const mote_RenderRunDef *def;
    Folder folder;
    Manifest *manifest;
    mote_Scene *scene;
    Pictures pictures;
    size_t first, count;     /* of the manifest's frames */
    size_t pieces;           /* pictures that are drawn */
    double start;            /* s */
    mote_Frame *last;        /* that was drawn: its meshes are kept for the next one */
    const mote_Ranks *ranks; /* who draw frames together; NULL: this program alone */
    bool films;              /* with ranks: the first has a video */
    RunDrawing *beside;      /* another run, whose pictures stand to the right; NULL: none */
};

mote_Status drawing_open_scene(RunDrawing *drawing, mote_Error *error);

/* A frame into the drawing's image; it is kept for the next one. */
mote_Status drawing_draw_frame(RunDrawing *drawing, uint64_t index, mote_Error *error);

/* The frame of a picture; and its number in its file's name. */
uint64_t drawing_frame(const RunDrawing *drawing, size_t piece);
uint64_t drawing_number(const RunDrawing *drawing, size_t piece);

/* ---- drawing_pages.c: sheets, and two runs side by side ---- */

bool drawing_is_sheet(const RunDrawing *drawing);

/* A page has no more pictures than there are frames. */
mote_Status drawing_find_sheet(RunDrawing *drawing, mote_Error *error);

/* Which of the chosen frames a picture of a sheet shows: evenly apart, from the first to the last.
 */
size_t drawing_sheet_frame(const RunDrawing *drawing, size_t piece);

/* The page that is written, where that is more than a picture. */
mote_Status drawing_open_page(RunDrawing *drawing, const mote_SceneInfo *info, mote_Error *error);

/* Two pictures that stand side by side are of one size, and have the names of their runs. */
mote_Status drawing_open_beside(RunDrawing *drawing, mote_Error *error);

/* The picture of the other run at that frame, which it must have. */
mote_Status drawing_draw_beside(RunDrawing *drawing, uint64_t index, size_t piece,
                                mote_Error *error);

/* ---- drawing_ranks.c: frames dealt over ranks ---- */

/* Who share the frames; NULL: one of them draws all. */
const mote_Ranks *drawing_ranks(const mote_RenderRunDef *def);
/* The one that has looked at what is there, and says what all do. */
bool drawing_is_first(const RunDrawing *drawing);

/* What came of what each did by itself; a rank that fails must not stay away. */
mote_Status drawing_agree(const RunDrawing *drawing, mote_Status status, mote_Error *error);

/* After the first has opened its pictures: those of all ranks are open, or none. */
mote_Status drawing_join(RunDrawing *drawing, mote_Status status, mote_Error *error);

/* All have drawn their piece of this round, or have none left (piece >= drawing->pieces). */
mote_Status drawing_end_round(RunDrawing *drawing, size_t piece, mote_Status status,
                              mote_Error *error);

#endif

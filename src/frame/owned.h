/* Frames that own their memory: all of it comes from one arena and goes with the frame. */
#ifndef FRAME_OWNED_H
#define FRAME_OWNED_H

#include <mote/frame.h>

#include "base/memory.h"

typedef struct OwnedFrame {
    mote_Frame frame; /* first, so that mote_frame_destroy finds the rest */
    Memory memory;
    Arena arena;
    mote_FrameSystem *systems; /* frame.systems and frame.shapes, still to be filled */
    mote_FrameShape *shapes;
    mote_FrameMesh *meshes; /* frame.meshes likewise */
    mote_FrameSurface *surfaces;
} OwnedFrame;

/* An empty frame; allocator.resize NULL: the default allocator. */
mote_Status owned_frame_create(mote_Allocator allocator, OwnedFrame **owned, mote_Error *error);
/* Hands the frame over, or destroys it when filling it has failed; returns that status. */
mote_Status owned_frame_end(OwnedFrame *owned, mote_Status status, mote_Frame **frame);

/* Sets the number of systems and shapes, all zeroed. */
mote_Status owned_frame_size(OwnedFrame *owned, size_t systems, size_t shapes, mote_Error *error);

/* The same for meshes; and the room of one of them, by its counts. */
mote_Status owned_frame_meshes(OwnedFrame *owned, size_t meshes, mote_Error *error);
mote_Status owned_frame_mesh_room(OwnedFrame *owned, mote_FrameMesh *mesh, mote_Error *error);

/* The same for surfaces. */
mote_Status owned_frame_surfaces(OwnedFrame *owned, size_t surfaces, mote_Error *error);
mote_Status owned_frame_surface_room(OwnedFrame *owned, mote_FrameSurface *surface,
                                     mote_Error *error);

/* Zeroed memory for `count` items, 64-byte aligned, and text, both as long-lived as the frame.
 * Size 0 gives an address that is not NULL. */
mote_Status owned_frame_take(OwnedFrame *owned, size_t count, size_t item, void **block,
                             mote_Error *error);
mote_Status owned_frame_text(OwnedFrame *owned, const char *text, const char **copy,
                             mote_Error *error);

/* Planes for `rows` rows: sets the column's stride (whole cache lines) and data, not cleared. */
mote_Status owned_frame_planes(OwnedFrame *owned, mote_Column *column, size_t rows,
                               mote_Error *error);

/* mote_frame_copy with an allocator. */
mote_Status owned_frame_copy(const mote_Frame *frame, mote_Allocator allocator, mote_Frame **copy,
                             mote_Error *error);

#endif

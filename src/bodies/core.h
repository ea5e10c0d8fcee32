/* What kinds of cores answer. */
#ifndef BODIES_CORE_H
#define BODIES_CORE_H

#include "bodies/piece.h"

/* Everything in the piece's own frame. */
struct Core {
    D3 (*support)(const Piece *piece, D3 direction);
    void (*face)(const Piece *piece, D3 direction, PieceFace *face);
    bool (*normal)(const Piece *piece, size_t i, D3 *normal);
    bool (*corner)(const Piece *piece, size_t i, D3 *corner);
    bool (*hull)(Memory *memory, Piece *piece); /* NULL: no polytope */
    bool turned;                                /* round about y */
};

extern const Core point_core, segment_core, box_core, cylinder_core, mesh_core;

#endif

/* Thin sheets of a liquid: particles more, for the mesh alone. */
#ifndef SURFACE_SHEETS_H
#define SURFACE_SHEETS_H

#include "surface/polygonise.h"

/* The particles of a cloud, and behind them those that fill its sheets. */
typedef struct SurfaceSheets {
    Memory *memory;
    Cloud cloud;
    mote_real *x[3], *volume; /* of the cloud; NULL: there is nothing to fill */
    size_t room;
} SurfaceSheets;

/* Looks at the blocks of an opened polygoniser, which are those of the cloud. */
mote_Status surface_sheets_find(SurfaceSheets *sheets, const Polygoniser *polygoniser,
                                const Cloud *cloud, mote_Error *error);
void surface_sheets_free(SurfaceSheets *sheets);

#endif

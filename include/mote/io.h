/* Files: frames, checkpoints and exports.
 *
 * Every file is written to a temporary name in its folder, forced to the disk and renamed, so it is
 * there whole or not at all. Frames and checkpoints are .npz archives without compression, which
 * numpy.load reads without code of ours: an array of several components has shape (n, components).
 * Arrays are little-endian. Failures come back as MOTE_IO_FAILED with path and reason, or as
 * MOTE_BAD_VALUE when a file holds what this library cannot take. */
#ifndef MOTE_IO_H
#define MOTE_IO_H

#include <mote/frame.h>
#include <mote/tasks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- frames -----------------------------------------------------------------------------------
 */

/* Writes a frame: one member SYSTEM/COLUMN.npy per column, meshes/NAME/links.npy of shape (n, 2)
 * and meshes/NAME/triangles.npy of shape (n, 3) per mesh, and frame.json with everything else
 * (index, time in s, dt in s, dimension, up axis, bytes per real, units, shapes). tasks may be
 * NULL. */
MOTE_API mote_Status mote_frame_write(const mote_Frame *frame, const char *path, mote_Tasks *tasks,
                                      mote_Error *error);

/* How a frame is read. */
typedef struct mote_FrameReadDef {
    size_t size; /* bytes, by mote_frame_read_def() */
    /* False: a file of the other precision is refused. True: it is read without loss, with its
     * real columns as MOTE_COLUMN_DOUBLE where this library computes in float, and widened to
     * mote_real where it computes in double. */
    bool any_precision;
    /* Gives the row of a type of shape, NULL when there is none; NULL: shapes come without
     * parameters. */
    const mote_Row *(*shape_row)(void *context, const char *type);
    void *context; /* of shape_row */
    /* A frame that was read before, or NULL: meshes of its shapes are kept instead of read again.
     */
    const mote_Frame *earlier;
    mote_Allocator allocator;
} mote_FrameReadDef;

MOTE_API void mote_frame_read_def_init(mote_FrameReadDef *def, size_t size);
MOTE_MAKER(mote_FrameReadDef, mote_frame_read_def)

/* Reads a frame that owns its memory; destroy it with mote_frame_destroy. The bits are those that
 * were written. def NULL: the defaults. */
MOTE_API mote_Status mote_frame_read_with(const char *path, const mote_FrameReadDef *def,
                                          mote_Frame **frame, mote_Error *error);
MOTE_API mote_Status mote_frame_read(const char *path, mote_Frame **frame, mote_Error *error);

/* ---- checkpoints ------------------------------------------------------------------------------
 */

/* Arrays of a state that was read; they live as long as the state. */
typedef struct mote_State {
    const mote_StateArray *arrays;
    size_t count;
} mote_State;

/* Writes the arrays as they are, one member NAME.npy each, and state.json with format and
 * precision. tasks may be NULL. */
MOTE_API mote_Status mote_state_write(const char *path, const mote_StateArray *arrays, size_t count,
                                      mote_Tasks *tasks, mote_Error *error);
/* Reads all arrays and checks their sums before it returns; a file of the other precision is
 * refused. */
MOTE_API mote_Status mote_state_read(const char *path, mote_State **state, mote_Error *error);
MOTE_API void mote_state_destroy(mote_State *state); /* NULL is allowed */
/* NULL when there is none of that name. */
MOTE_API const mote_StateArray *mote_state_array(const mote_State *state, const char *name);

/* ---- exports ----------------------------------------------------------------------------------
 */

/* A format that frames are written in for other programs. */
typedef struct mote_ExportFormat {
    const char *name;      /* "ply" */
    const char *extension; /* ".ply" */
    const char *doc;       /* one sentence */
} mote_ExportFormat;

/* The i-th format, NULL after the last; lives as long as the program. */
MOTE_API const mote_ExportFormat *mote_export_format(size_t i);

/* Writes one part of a frame in a format of that name ("ply", "vtp", "obj", "glb", ...): a system
 * with its links and triangles, a surface (SYSTEM_surface), or a body or collider as triangles.
 * part NULL: the only one of the frame; in formats that hold everything (glb, usda; npz: all
 * systems), all of them. */
MOTE_API mote_Status mote_export(const char *format, const mote_Frame *frame, const char *part,
                                 const char *path, mote_Error *error);

/* Writes signed distances from a surface as a grid, by the path's ending: .vti. */
MOTE_API mote_Status mote_surface_band_write(const mote_SurfaceBand *band, const char *path,
                                             mote_Error *error);

/* Writes a surface as a mesh with normals, by the path's ending: .ply (binary) or .obj. */
MOTE_API mote_Status mote_surface_write(const mote_FrameSurface *surface, const char *path,
                                        mote_Error *error);

/* Reads the particles of a file of this or another program into a frame with one system,
 * "particles": PLY, NPZ (also a frame of mote), CSV or XYZ, told by content and ending. Places are
 * needed; radius, mass and density are kept where they are. Destroy it with mote_frame_destroy. */
MOTE_API mote_Status mote_import(const char *path, mote_Frame **frame, mote_Error *error);

/* Writes a ParaView collection (.pvd): `files`, named relative to the collection's folder, shown at
 * `times` (s). */
MOTE_API mote_Status mote_export_pvd(const char *path, const char *const *files,
                                     const double *times, size_t count, mote_Error *error);

#ifdef __cplusplus
}
#endif
#endif

/* Frames in .npz files: the head (frame.json) and the columns. */
#ifndef IO_FRAME_FILE_H
#define IO_FRAME_FILE_H

#include <mote/io.h>

#include "base/row.h"
#include "frame/owned.h"
#include "io/file.h"
#include "io/npz.h"
#include "text/json_read.h"

#define FRAME_HEAD "frame.json"
#define STATE_HEAD "state.json"

enum { FRAME_FORMAT = 1, STATE_FORMAT = 1 };

/* mote_frame_write with all options; `only` NULL: all systems. */
mote_Status frame_file_write(const mote_Frame *frame, const mote_FrameSystem *only,
                             const char *path, const NpzOptions *options, mote_Error *error);
/* mote_frame_read_with from anywhere; the source is closed. */
mote_Status frame_file_read(Source source, const mote_FrameReadDef *def, mote_Frame **frame,
                            mote_Error *error);

/* mote_state_write and mote_state_read with all options; the source is closed. */
mote_Status state_file_write(const char *path, const mote_StateArray *arrays, size_t count,
                             const NpzOptions *options, mote_Error *error);
mote_Status state_file_read(Source source, mote_Allocator allocator, mote_State **state,
                            mote_Error *error);

/* Format, version and precision: the first keys of every head. */
void head_write(JsonWriter *writer, int format);
/* Reads and parses a head; after success json_free(json). */
mote_Status head_parse(const Npz *npz, const char *member, Json *json, mote_Error *error);
/* Checks the format; returns the bytes of the file's reals, 4 or 8. */
int head_read(JsonReader *reader, const Node *root, int format);
/* The failure for a file of the other precision. */
void head_refuse_precision(JsonReader *reader, const Node *root, int real_bytes);

/* Links and triangles: the two arrays of a mesh. */
enum { MESH_PARTS = 2 };
size_t frame_mesh_name_size(const mote_FrameMesh *mesh);
void frame_mesh_item(const mote_FrameMesh *mesh, int part, char *name, NpzItem *item);
/* Fills in the meshes that the head lists. */
mote_Status frame_mesh_read(const Npz *npz, OwnedFrame *owned, mote_Error *error);

/* Vertices, normals and triangles: the three arrays of a surface. */
enum { SURFACE_PARTS = 3 };
size_t frame_surface_name_size(const mote_FrameSurface *surface);
void frame_surface_item(const mote_FrameSurface *surface, int part, char *name, NpzItem *item);
/* Fills in the surfaces that the head lists; real_bytes: of the file. */
mote_Status frame_surface_read(const Npz *npz, int real_bytes, OwnedFrame *owned,
                               mote_Error *error);

/* Meshes and shapes among parameters, in frame_reference.c. */
void frame_write_reference(JsonWriter *writer, const mote_Param *param, const void *params);
/* Writes the meshes that the frame's shapes refer to beside `path`, those that are not there. */
mote_Status frame_write_meshes(const mote_Frame *frame, const char *path, Memory *memory,
                               mote_Error *error);
/* Sets the parameter; false when what it refers to could not be read. */
bool frame_read_reference(JsonReader *reader, const Node *node, const mote_Param *param,
                          const mote_FrameReadDef *def, OwnedFrame *owned, void *params);

/* Names of axes and of types of columns in the file. */
enum { FRAME_AXES = 3, FRAME_TYPES = MOTE_COLUMN_U64 + 1 };
extern const char *const frame_axes[FRAME_AXES], *const frame_types[FRAME_TYPES];
void frame_head_write_shape(JsonWriter *writer, const mote_FrameShape *shape);
/* A shape whose mesh cannot be read comes without parameters. */
void frame_head_read_shape(JsonReader *reader, const Node *node, const mote_FrameReadDef *def,
                           OwnedFrame *owned, mote_FrameShape *shape);

/* The head of a frame, as text. */
void frame_head_write(JsonWriter *writer, const mote_Frame *frame, const mote_FrameSystem *only);
/* Fills all of the frame but the columns' data; returns the bytes of the file's reals. */
int frame_head_read(JsonReader *reader, const mote_FrameReadDef *def, OwnedFrame *owned);

#endif

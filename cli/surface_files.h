/* Inputs and outputs of `mote surface`: a run's frames, a folder of particle files, or a file. */
#ifndef CLI_SURFACE_FILES_H
#define CLI_SURFACE_FILES_H

#include "cli/options.h"

#include <mote/base.h>

typedef struct SurfaceFile {
    char *path;
    uint64_t number; /* frame of a run, or place in a folder */
} SurfaceFile;

typedef struct SurfaceFiles {
    SurfaceFile *items;
    size_t count, room;
} SurfaceFiles;

/* Returns EXIT_DONE, or another exit code after a message. Free it in any case. */
int surface_files_list(const char *input, const FrameRange *range, SurfaceFiles *files);
void surface_files_free(SurfaceFiles *files);

/* The pattern with its %d or %06d replaced by a number; false when the result is too long. */
bool surface_file_name(const char *pattern, uint64_t number, char *name, size_t size);
bool surface_pattern_has_number(const char *pattern);

#endif

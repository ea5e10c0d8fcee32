/* Fuzzing the readers of particle files, and the surface of what they read. */
#include "io/import.h"

#include <mote/surface.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make_surface(const mote_Frame *frame)
{
    mote_SurfaceDef def = mote_surface_def();
    mote_Surface *surface;
    mote_FrameSurface mesh;
    mote_Error error;
    def.smoothing = 2;
    def.most_memory = 256e6;
    if (mote_surface_create(&def, &surface, &error) != MOTE_OK) abort();
    (void)mote_surface_frame(surface, frame, NULL, &mesh, NULL, &error);
    mote_surface_destroy(surface);
}

/* The first byte picks the name, by which text is told. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.csv", "a.xyz", "a.ply", "a.npz"};
    mote_Frame *frame;
    mote_Error error;
    if (size == 0) return 0;
    char *bytes = malloc(size);
    if (bytes == NULL) return 0;
    memcpy(bytes, data + 1, size - 1);
    bytes[size - 1] = '\0';
    if (import_parse((ImportBytes){bytes, size - 1}, names[data[0] % 4], (mote_Allocator){0},
                     &frame, &error) == MOTE_OK)
        make_surface(frame);
    mote_frame_destroy(frame);
    free(bytes);
    return 0;
}

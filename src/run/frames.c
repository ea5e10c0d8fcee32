/* Where the frames of a run are, for those who read them. */
#include "run/cache.h"

#include <stdio.h>
#include <unistd.h>

bool mote_run_is_there(const char *folder)
{
    char path[FOLDER_PATH];
    int length = snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder);
    return length < (int)sizeof path && access(path, F_OK) == 0;
}

mote_Status mote_run_frames(const char *folder,
                            bool (*visit)(void *context, uint64_t index, const char *path),
                            void *context, mote_Error *error)
{
    Folder run;
    Manifest *manifest = NULL;
    mote_Status status = cache_look(folder, &run, &manifest, error);
    bool goes_on = true;
    for (size_t i = 0; status == MOTE_OK && goes_on && i < manifest->frame_count; ++i) {
        char path[FOLDER_PATH];
        folder_frame(&run, manifest->frames[i].index, path);
        goes_on = visit(context, manifest->frames[i].index, path);
    }
    manifest_destroy(manifest);
    return status;
}

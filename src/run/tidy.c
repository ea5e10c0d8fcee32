/* Removing what runs have written. A file is known by its whole name, so that nothing of the user's
 * own is touched; a folder inside is known by what may lie in it. */
#include "run/folder.h"

#include <mote/io.h>

#include "base/status.h"
#include "io/export.h"
#include "io/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What of a folder goes. */
typedef struct TidySweep {
    const char *folder;                                   /* inside the output folder; "": itself */
    const char *start;                                    /* of a numbered name; NULL: any */
    const char *endings[5];                               /* of a numbered name */
    bool (*goes)(const struct TidySweep *, const char *); /* this name */
    bool all;                                             /* not only temporary files */
} TidySweep;

static const char *const files[] = {MANIFEST_NAME, "scene.json5", "log.jsonl", "video.mp4",
                                    "video.webm",  "video.webp",  "video.gif"};

static bool ends(const char *text, const char *ending)
{
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

/* "", or what the writers of files append until a file is complete: ".part", ".1234-0.tmp". */
static bool is_temporary(const char *rest)
{
    static const char digits[] = "0123456789";
    if (strcmp(rest, ".part") == 0) return true;
    if (rest[0] != '.') return false;
    size_t process = strspn(rest + 1, digits);
    if (process == 0 || rest[1 + process] != '-') return false;
    rest += 2 + process;
    size_t number = strspn(rest, digits);
    return number > 0 && strcmp(rest + number, ".tmp") == 0;
}

/* frame_000012.npz and the like: start, six digits or more, ending. */
static bool numbered_goes(const TidySweep *sweep, const char *name)
{
    size_t start = strlen(sweep->start);
    if (strncmp(name, sweep->start, start) != 0) return false;
    size_t digits = strspn(name + start, "0123456789");
    for (size_t i = 0; digits >= 6 && sweep->endings[i] != NULL; ++i) {
        const char *rest = name + start + digits, *ending = sweep->endings[i];
        if (strncmp(rest, ending, strlen(ending)) != 0) continue;
        rest += strlen(ending);
        return rest[0] != '\0' ? is_temporary(rest) : sweep->all;
    }
    return false;
}

const char *folder_own_file(size_t i)
{
    return i < sizeof files / sizeof files[0] ? files[i] : NULL;
}

bool folder_is_leftover(const char *name)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        size_t length = strlen(files[i]);
        if (strncmp(name, files[i], length) == 0 && is_temporary(name + length)) return true;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
        if (strncmp(files[i], "video.", 6) == 0 && strncmp(name, ".part-", 6) == 0 &&
            strcmp(name + 6, files[i]) == 0)
            return true;
    return false;
}

/* The manifest stays: it says whose the folder is. */
static bool own_file_goes(const TidySweep *sweep, const char *name)
{
    for (size_t i = 0; sweep->all && i < sizeof files / sizeof files[0]; ++i)
        if (strcmp(name, files[i]) == 0) return strcmp(name, MANIFEST_NAME) != 0;
    return folder_is_leftover(name);
}

/* PART_collection.pvd */
static bool is_collection(const char *ending)
{
    const mote_ExportFormat *format;
    for (size_t i = 0; (format = mote_export_format(i)) != NULL; ++i) {
        const char *collection = export_named(format->name)->collection;
        if (collection != NULL && strcmp(ending, collection) == 0) return true;
    }
    return false;
}

/* PART_000012.ply, PART_collection.pvd, PART_frames.glb. */
static bool export_goes(const TidySweep *sweep, const char *name)
{
    const char *number = strrchr(name, '_');
    const mote_ExportFormat *format;
    if (!sweep->all || number == NULL) return false;
    if (is_collection(number + 1)) return true;
    const size_t digits = strspn(number + 1, "0123456789");
    const bool film = strncmp(number, "_frames", 7) == 0;
    const char *rest = film ? number + 7 : number + 1 + digits;
    for (size_t i = 0; (film || digits >= 6) && (format = mote_export_format(i)) != NULL; ++i)
        if (strcmp(rest, format->extension) == 0) return true;
    return false;
}

/* probes/NAME.csv */
static bool probe_goes(const TidySweep *sweep, const char *name)
{
    return sweep->all && ends(name, ".csv");
}

static const TidySweep sweeps[] = {
    {.folder = "", .goes = own_file_goes},
    {.folder = "frames", .goes = numbered_goes, .start = "frame_", .endings = {".npz"}},
    {.folder = "images", .goes = numbered_goes, .start = "frame_", .endings = {".png", ".exr"}},
    {.folder = "checkpoints", .goes = numbered_goes, .start = "checkpoint_", .endings = {".npz"}},
    {.folder = "probes", .goes = probe_goes},
    {.folder = "export", .goes = export_goes},
};

static mote_Status remove_file(const char *path, mote_Error *error)
{
    if (unlink(path) == 0 || errno == ENOENT) return MOTE_OK;
    return file_failed(path, "remove it", errno, error);
}

static mote_Status sweep_folder(const TidySweep *sweep, const char *path, mote_Error *error)
{
    DIR *list = opendir(path);
    mote_Status status = MOTE_OK;
    if (list == NULL) return MOTE_OK;
    for (struct dirent *entry; status == MOTE_OK && (entry = readdir(list)) != NULL;) {
        char file[FOLDER_PATH + 300];
        if (!sweep->goes(sweep, entry->d_name)) continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        status = remove_file(file, error);
    }
    closedir(list);
    return status;
}

static mote_Status sweep_all(const Folder *folder, bool all, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0] && status == MOTE_OK; ++i) {
        char path[FOLDER_PATH];
        TidySweep sweep = sweeps[i];
        sweep.all = all;
        folder_file(folder, sweep.folder, path);
        status = sweep_folder(&sweep, path, error);
    }
    return status;
}

mote_Status folder_tidy(const Folder *folder, mote_Error *error)
{
    return sweep_all(folder, false, error);
}

mote_Status folder_clear(const Folder *folder, mote_Error *error)
{
    return sweep_all(folder, true, error);
}

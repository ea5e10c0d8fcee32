/* Whose a folder is, and whose its copy of the scene. */
#include "run/folder.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/manifest.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define SCENE_NAME "scene.json5"

/* ---- what is in a folder ---- */

/* A folder with files of somebody else is refused: what a run tidies away later can then only be
 * its own. */
mote_Status claim_empty(const Folder *folder, bool (*own)(const Folder *folder, const char *name),
                        mote_Error *error)
{
    char names[200] = "";
    size_t used = 0, count = 0;
    DIR *list = opendir(folder->path);
    if (list == NULL) return MOTE_OK;
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] == '.' || own(folder, entry->d_name)) continue;
        if (++count <= 3 && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.50s",
                                     count > 1 ? ", " : "", entry->d_name);
    }
    closedir(list);
    if (count == 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s holds other files (%s%s), and nothing is written among them; choose "
                       "another folder with -o",
                       file_label(folder->path), names, count > 3 ? ", ..." : "");
}

static bool nothing(const Folder *folder, const char *name)
{
    (void)folder, (void)name;
    return false;
}

/* What a run leaves that is killed before it has written its manifest. */
static bool left_behind(const Folder *folder, const char *name)
{
    Folder inner;
    char path[FOLDER_PATH];
    if (folder_is_leftover(name)) return true;
    folder_file(folder, name, path);
    return folder_is_inner(name) && folder_open(&inner, path, NULL) == MOTE_OK &&
           claim_empty(&inner, nothing, NULL) == MOTE_OK;
}

/* A manifest of ours, perhaps of another version or damaged further on, begins with these keys. */
static bool is_manifest(const char *path)
{
    char text[64] = "";
    int format, end = 0;
    Source source;
    if (source_open(&source, path, NULL) != MOTE_OK) return false;
    const size_t size = source.size < sizeof text ? (size_t)source.size : sizeof text - 1;
    const bool read = source_read(&source, 0, text, size, NULL) == MOTE_OK;
    source_close(&source);
    return read && sscanf(text, " { \"format\": %d, \"mote\":%n", &format, &end) == 1 && end > 0;
}

static mote_Status check_folder(const Folder *folder, mote_Error *error)
{
    char path[FOLDER_PATH];
    if (!folder_has(folder, MANIFEST_NAME)) return claim_empty(folder, left_behind, error);
    folder_file(folder, MANIFEST_NAME, path);
    if (is_manifest(path)) return MOTE_OK;
    return status_fail(error, MOTE_IO_FAILED,
                       "%s: is not a manifest that mote wrote, so nothing is written beside it; "
                       "choose another folder with -o, or remove it",
                       file_label(path));
}

/* ---- the scene ---- */

/* The text of the copy; NULL: no memory. */
static char *copy_text(mote_Scene *scene, Memory *memory, size_t *size)
{
    const char *text = mote_scene_print(scene);
    *size = strlen(text) + 160;
    char *copy = text[0] != '\0' ? memory_take(memory, *size) : NULL;
    if (copy != NULL)
        snprintf(copy, *size,
                 "// What this run was made of, by mote (%016llx). Change a copy of it elsewhere.\n"
                 "%s",
                 (unsigned long long)hash_text(text), text);
    return copy;
}

/* All of the copy in the folder; NULL: there is none, or no memory. */
static char *read_copy(const Folder *folder, Memory *memory, size_t *size)
{
    char path[FOLDER_PATH];
    Source source;
    folder_file(folder, SCENE_NAME, path);
    if (source_open(&source, path, NULL) != MOTE_OK) return NULL;
    *size = (size_t)source.size + 1;
    char *text = memory_take(memory, *size);
    if (text != NULL && source_read(&source, 0, text, *size - 1, NULL) != MOTE_OK) text[0] = '\0';
    if (text != NULL) text[*size - 1] = '\0';
    source_close(&source);
    return text;
}

/* The check sum fits; earlier versions wrote none, and left a text that is just the scene. */
static bool is_ours(const char *copy, mote_Scene *scene)
{
    unsigned long long sum;
    const char *line = strchr(copy, '\n');
    if (sscanf(copy, "// What this run was made of, by mote (%llx)", &sum) != 1 || line == NULL)
        return strcmp(copy, mote_scene_print(scene)) == 0;
    return sum == hash_text(line + 1);
}

/* Every file that a scene was read from, against every file that a run writes. */
static mote_Status check_sources(const Folder *folder, const mote_Scene *scene, bool same,
                                 mote_Error *error)
{
    const char *name;
    for (size_t i = 0; (name = folder_own_file(i)) != NULL; ++i) {
        char path[FOLDER_PATH];
        if (same && strcmp(name, SCENE_NAME) == 0) continue;
        folder_file(folder, name, path);
        if (!mote_scene_reads(scene, path)) continue;
        return status_fail(error, MOTE_BAD_VALUE,
                           "the scene is read from %s, which this run would write over; run a copy "
                           "of it, or choose another folder with -o",
                           file_label(path));
    }
    return MOTE_OK;
}

static mote_Status check_copy(const Folder *folder, mote_Scene *scene, bool again,
                              mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    size_t have_size = 0, want_size = 0;
    char *have = read_copy(folder, &memory, &have_size);
    char *want = copy_text(scene, &memory, &want_size);
    const bool same = have != NULL && want != NULL && strcmp(have, want) == 0;
    mote_Status status = check_sources(folder, scene, same && !again, error);
    if (status == MOTE_OK && have != NULL && !same && !is_ours(have, scene))
        status =
            status_fail(error, MOTE_BAD_VALUE,
                        "%s/" SCENE_NAME " was changed since mote wrote it, and would be lost; "
                        "move it elsewhere, or choose another folder with -o",
                        file_label(folder->path));
    memory_free(&memory, have, have_size);
    memory_free(&memory, want, want_size);
    return status;
}

mote_Status claim_check(const Folder *folder, mote_Scene *scene, bool again, mote_Error *error)
{
    mote_Status status = check_folder(folder, error);
    return status == MOTE_OK ? check_copy(folder, scene, again, error) : status;
}

mote_Status claim_write_scene(const Folder *folder, mote_Scene *scene, mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    size_t have_size = 0, want_size = 0;
    char *have = read_copy(folder, &memory, &have_size);
    char *want = copy_text(scene, &memory, &want_size);
    mote_Status status = MOTE_OK;
    if (want == NULL)
        status = status_no_memory(error, "the scene", want_size);
    else if (have == NULL || strcmp(have, want) != 0)
        status = folder_write_text(folder, SCENE_NAME, want, error);
    memory_free(&memory, have, have_size);
    memory_free(&memory, want, want_size);
    return status;
}

/* The scene's text: read, checked, taken into use, and written back when somebody asks for it. */
#include "view/session_own.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCENE_BYTES = 16 << 20 };

/* ---- settings ---- */

void settings_drop(ViewSession *session, size_t from)
{
    while (session->setting_count > from) free(session->settings[--session->setting_count]);
    if (session->given > session->setting_count) session->given = session->setting_count;
}

bool setting_put(ViewSession *session, const char *key, const char *value)
{
    const size_t length = strlen(key), size = length + strlen(value) + 2;
    char *text = malloc(size);
    if (text == NULL) return false;
    snprintf(text, size, "%s=%s", key, value);
    for (size_t i = session->given; i < session->setting_count; ++i)
        if (strncmp(session->settings[i], text, length + 1) == 0) {
            free(session->settings[i]);
            session->settings[i] = text;
            return true;
        }
    if (session->setting_count == SESSION_SETTINGS) {
        free(text);
        return false;
    }
    session->settings[session->setting_count++] = text;
    return true;
}

/* ---- the file ---- */

/* The whole file with a zero behind it; NULL when it cannot be read. */
static char *read_file(const char *path, mote_Error *error)
{
    struct stat about;
    char *text = NULL;
    FILE *file = fopen(path, "rb");
    const bool good = file != NULL && fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) &&
                      about.st_size < SCENE_BYTES;
    if (good) text = calloc(1, (size_t)about.st_size + 1);
    if (text != NULL && fread(text, 1, (size_t)about.st_size, file) != (size_t)about.st_size) {
        free(text);
        text = NULL;
    }
    if (text == NULL)
        status_fail(error, MOTE_IO_FAILED, "cannot read %.300s: %s", path,
                    errno != 0 ? strerror(errno) : "it is no file, or too large");
    if (file != NULL) fclose(file);
    return text;
}

static bool write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        const ssize_t wrote = write(file, text, size);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        text += wrote, size -= (size_t)wrote;
    }
    return fsync(file) == 0;
}

/* Under another name first, so that the file is there whole or as it was. */
static bool write_file(const char *path, const char *text)
{
    char real[SESSION_PATH * 4], fresh[SESSION_PATH * 4 + 8];
    struct stat about;
    char *resolved = realpath(path, NULL); /* a link stays one */
    if (resolved == NULL || strlen(resolved) >= sizeof real) return free(resolved), false;
    memcpy(real, resolved, strlen(resolved) + 1);
    free(resolved);
    if (stat(real, &about) != 0) return false;
    snprintf(fresh, sizeof fresh, "%s.XXXXXX", real);
    const int file = mkstemp(fresh);
    if (file < 0) return false;
    bool good = fchmod(file, about.st_mode & 07777) == 0 && write_all(file, text, strlen(text));
    good = close(file) == 0 && good;
    good = good && rename(fresh, real) == 0;
    if (!good) unlink(fresh);
    return good;
}

/* ---- scenes ---- */

static mote_Status load(ViewSession *session, const char *text, mote_Scene **scene,
                        mote_Error *error)
{
    mote_SceneDef def = mote_scene_def();
    def.text = text;
    def.name = session->path[0] != '\0' ? session->path : session->name;
    def.settings = (const char *const *)session->settings;
    def.setting_count = session->setting_count;
    return mote_scene_load(&def, scene, error);
}

/* "scenes/flag.json5" -> "flag" */
static void take_name(ViewSession *session, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    const size_t length = dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(session->name, sizeof session->name, "%.*s", (int)(length < 100 ? length : 100), base);
}

/* The text as it is on the disk, when none is there yet. */
static bool read_text(ViewSession *session, mote_Error *error)
{
    if (session->folder[0] != '\0' && session->path[0] == '\0') {
        snprintf(session->path, sizeof session->path, "%.1000s/scene.json5", session->folder);
        take_name(session, session->folder);
    }
    if (session->text != NULL || session->path[0] == '\0') return session->text != NULL;
    if (session->folder[0] == '\0') take_name(session, session->path);
    errno = 0;
    char *text = read_file(session->path, error);
    if (text == NULL) return false;
    session->text = text;
    free(session->written);
    session->written = session->source == &source_live ? strdup(text) : NULL;
    return true;
}

bool text_take(ViewSession *session, const char *text, uint64_t client, const char *outcome)
{
    mote_Error error = {0};
    mote_Scene *scene = NULL;
    if (!read_text(session, &error)) {
        session_note(session, &error);
        tell_messages(session, client, error.message, outcome);
        return false;
    }
    char *kept = text != NULL ? strdup(text) : NULL;
    const mote_Status status = load(session, text != NULL ? text : session->text, &scene, &error);
    const char *messages = scene != NULL ? mote_scene_messages(scene, false) : "";
    tell_messages(session, client,
                  messages[0] == '\0' && status != MOTE_OK ? error.message : messages, outcome);
    if (status != MOTE_OK || (text != NULL && kept == NULL)) {
        if (session->scene == NULL)
            snprintf(session->note, sizeof session->note, "%.500s", error.message);
        mote_scene_destroy(scene);
        free(kept);
        return false;
    }
    session_close(session); /* it may need the old scene */
    mote_scene_destroy(session->scene);
    session->scene = scene;
    if (kept != NULL) free(session->text), session->text = kept;
    return true;
}

void text_check(ViewSession *session, const char *text, uint64_t client)
{
    mote_Error error = {0};
    mote_Scene *scene = NULL;
    const mote_Status status = load(session, text, &scene, &error);
    const char *messages = scene != NULL ? mote_scene_messages(scene, false) : error.message;
    tell_messages(session, client, messages, status == MOTE_OK ? "right" : "wrong");
    mote_scene_destroy(scene);
}

/* Never over what somebody else has written since. */
void text_save(ViewSession *session, const char *text, uint64_t client)
{
    mote_Error error = {0};
    if (session->written == NULL || session->source != &source_live) {
        tell_note(session, client, "there is no file to save it in: copy the text, or download it");
        return;
    }
    char *now = read_file(session->path, &error);
    const bool same = now != NULL && strcmp(now, session->written) == 0;
    free(now);
    if (!same) {
        tell_note(session, client,
                  "not saved: the file has changed on the disk since it was read; reload it, or "
                  "copy your text first");
        return;
    }
    char *copy = strdup(text);
    if (copy == NULL || !write_file(session->path, text)) {
        free(copy);
        tell_note(session, client, "not saved: the file cannot be written");
        return;
    }
    free(session->written);
    session->written = copy;
    free(session->text);
    session->text = strdup(text);
    tell_scene(session, 0, "saved");
}

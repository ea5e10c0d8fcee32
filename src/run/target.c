/* Reading where pictures go. */
#include "run/pictures.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FRAME_DIGITS = 6, MOST_DIGITS = 12 };

typedef struct Ending {
    const char *text;
    bool video;
} Ending;

static const Ending endings[] = {{"png", false}, {"exr", false}, {"mp4", true},
                                 {"webm", true}, {"webp", true}, {"gif", true}};

static const Ending *ending_of(const char *dot)
{
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; ++i)
        if (strcmp(dot + 1, endings[i].text) == 0) return &endings[i];
    return NULL;
}

/* What looks like a file's ending: a dot inside the last name and two to four letters. */
static const char *dot_of(const char *output)
{
    const char *slash = strrchr(output, '/'), *name = slash != NULL ? slash + 1 : output;
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot == name) return NULL;
    size_t letters = 0;
    while (isalnum((unsigned char)dot[1 + letters])) ++letters;
    bool word = letters >= 2 && letters <= 4 && dot[1 + letters] == '\0';
    return word && isalpha((unsigned char)dot[1]) ? dot : NULL;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static void read_folder(const char *inner, const char *path, const mote_SceneInfo *info,
                        RunTarget *target)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') --length;
    target->exr = info->bits == 32;
    target->digits = FRAME_DIGITS;
    snprintf(target->before, sizeof target->before, "%.*s/%sframe_", (int)length, path, inner);
    snprintf(target->after, sizeof target->after, ".%s", target->exr ? "exr" : "png");
    snprintf(target->video, sizeof target->video, "%.*s/video.%s", (int)length, path,
             info->video_format);
}

/* "shot_%04d.png": one number, as printf writes it. */
static mote_Status read_number(const char *output, RunTarget *target, mote_Error *error)
{
    const char *percent = strchr(output, '%'), *end = percent + 1;
    int digits = 0;
    while (isdigit((unsigned char)*end) && digits < MOST_DIGITS)
        digits = 10 * digits + *end++ - '0';
    if (*end != 'd' || digits > MOST_DIGITS || strchr(end, '%') != NULL ||
        strlen(end + 1) >= sizeof target->after)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "--output: `%.200s` has a %% without meaning; the frame's number is %%06d "
            "or %%d, once",
            output);
    snprintf(target->before, sizeof target->before, "%.*s", (int)(percent - output), output);
    snprintf(target->after, sizeof target->after, "%s", end + 1);
    target->digits = digits > 0 ? digits : 1;
    return MOTE_OK;
}

static mote_Status read_file(const char *output, const Ending *ending, RunTarget *target,
                             mote_Error *error)
{
    target->chosen = true;
    target->pictures = !ending->video;
    target->exr = strcmp(ending->text, "exr") == 0;
    snprintf(ending->video ? target->video : target->before, FOLDER_PATH, "%s", output);
    if (ending->video || strchr(output, '%') == NULL) return MOTE_OK;
    return read_number(output, target, error);
}

/* A name with an ending is a file; one with a slash at its end, or that is a folder, is a folder
 * whatever it ends in. */
mote_Status target_read(const char *output, const Folder *folder, const mote_SceneInfo *info,
                        RunTarget *target, mote_Error *error)
{
    *target = (RunTarget){.pictures = true};
    if (output == NULL) {
        read_folder("images/", folder->path, info, target);
        return MOTE_OK;
    }
    const char *dot = dot_of(output);
    const Ending *ending = ending_of(dot);
    if (output[0] == '\0' || strlen(output) > FOLDER_PATH - 64)
        return status_fail(error, MOTE_BAD_VALUE, "--output: the name is empty or too long");
    if (ending != NULL && !is_folder(output)) return read_file(output, ending, target, error);
    if (dot != NULL && !is_folder(output))
        return status_fail(
            error, MOTE_BAD_VALUE,
            "--output: `%.200s`: pictures end in .png or .exr, videos in .mp4, .webm, "
            ".webp or .gif; a folder of that name ends in /",
            output);
    read_folder("", output, info, target);
    return MOTE_OK;
}

mote_Status target_make(const RunTarget *target, mote_Error *error)
{
    char path[FOLDER_PATH];
    Folder above;
    snprintf(path, sizeof path, "%s", target->pictures ? target->before : target->video);
    char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) return MOTE_OK;
    *slash = '\0';
    mote_Status status = folder_open(&above, path, error);
    return status == MOTE_OK ? folder_make_path(&above, error) : status;
}

void target_use_png(RunTarget *target)
{
    target->exr = false;
    snprintf(target->after, sizeof target->after, ".png");
}

void target_picture(const RunTarget *target, uint64_t frame, char path[FOLDER_PATH])
{
    if (target->digits == 0)
        snprintf(path, FOLDER_PATH, "%s", target->before);
    else
        snprintf(path, FOLDER_PATH, "%.960s%0*llu%s", target->before, target->digits,
                 (unsigned long long)frame, target->after);
}

void target_pattern(const RunTarget *target, char path[FOLDER_PATH])
{
    if (target->digits == 0)
        snprintf(path, FOLDER_PATH, "%s", target->before);
    else
        snprintf(path, FOLDER_PATH, "%.960s%%0%dd%s", target->before, target->digits,
                 target->after);
}

/* Video: raw frames into the `ffmpeg` program, which is started without a shell. */
#include "base/status.h"
#include "base/system.h"
#include "render/image.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How ffmpeg writes each kind of file, by its ending; the first row is for all others. yuv420p
 * needs even sides; without the matrix, players show other colours than the PNG files. Quality goes
 * to dark and smooth parts (aq), or x264 would take the dither for noise and leave bands. A GIF has
 * a palette of its own colours. */
enum { MOST_WORDS = 24 };
typedef struct Codec {
    const char *ending;
    const char *words[MOST_WORDS];
    bool planes; /* frames go to ffmpeg as planes of luma and chroma, not as red, green and blue */
} Codec;

static const Codec codecs[] = {
    {".mp4",
     {"-vf",
      "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709",
      "-c:v",
      "libx264",
      "-preset",
      "veryfast",
      "-crf",
      "18",
      "-aq-mode",
      "3",
      "-aq-strength",
      "2",
      "-pix_fmt",
      "yuv420p",
      "-colorspace",
      "bt709",
      "-color_primaries",
      "bt709",
      "-color_trc",
      "bt709",
      "-movflags",
      "+faststart"},
     true},
    {".webm",
     {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709", "-c:v", "libvpx-vp9",
      "-crf", "20", "-b:v", "0", "-row-mt", "1", "-deadline", "good", "-cpu-used", "4", "-pix_fmt",
      "yuv420p", "-colorspace", "bt709"},
     true},
    {".webp", {"-c:v", "libwebp_anim", "-quality", "82", "-loop", "0"}, false},
    {".gif",
     {"-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=3",
      "-loop", "0"},
     false},
};

static const Codec *codec_of(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 1; i < sizeof codecs / sizeof codecs[0]; ++i) {
        size_t ending = strlen(codecs[i].ending);
        if (length > ending && strcmp(path + length - ending, codecs[i].ending) == 0)
            return &codecs[i];
    }
    return &codecs[0];
}

static size_t video_scratch(int width)
{
    return row_code_scratch(&(mote_Image){.width = width});
}

static const RowCode video_code = {.bits = 8, .channels = 3, .dither = true};

struct mote_Video {
    Memory memory;
    int width, height;
    char *path, *temporary;
    SystemChild child;
    FILE *errors; /* what ffmpeg writes to its standard error */
    void *scratch;
    uint8_t *row, *planes;
    bool failed;
};

static size_t planes_size(const mote_Video *video)
{
    return (size_t)video->width * (size_t)video->height * 3;
}

/* ---- the command for users ---- */

typedef struct Text {
    char *at;
    size_t size, length;
} Text;

static void text_add(Text *text, const char *word, size_t length)
{
    for (size_t i = 0; i < length; ++i, ++text->length)
        if (text->length + 1 < text->size) text->at[text->length] = word[i];
}

/* One word for a POSIX shell, after a space. */
static void text_add_word(Text *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "+-_=./:,%@";
    if (text->length > 0) text_add(text, " ", 1);
    if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
        text_add(text, word, strlen(word));
        return;
    }
    text_add(text, "'", 1);
    for (const char *c = word; *c != '\0'; ++c)
        *c == '\'' ? text_add(text, "'\\''", 4) : text_add(text, c, 1);
    text_add(text, "'", 1);
}

size_t mote_video_command(char *out, size_t size, const char *pattern, double fps, const char *path)
{
    char rate[32];
    snprintf(rate, sizeof rate, "%.10g", fps);
    const char *words[] = {"ffmpeg", "-framerate", rate, "-i", pattern};
    const Codec *codec = codec_of(path);
    Text text = {.at = out, .size = size};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) text_add_word(&text, words[i]);
    for (size_t i = 0; codec->words[i] != NULL; ++i) text_add_word(&text, codec->words[i]);
    text_add_word(&text, path);
    if (size > 0) out[text.length < size ? text.length : size - 1] = '\0';
    return text.length;
}

/* ---- starting ffmpeg ---- */

/* In the folder of `path`, with its ending: it tells ffmpeg the format. */
static char *temporary_name(Memory *memory, const char *path)
{
    size_t size = strlen(path) + sizeof ".part-";
    char *name = memory_take(memory, size);
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash + 1 - path) : 0;
    if (name != NULL) snprintf(name, size, "%.*s.part-%s", folder, path, path + folder);
    return name;
}

static int start_ffmpeg(mote_Video *video, double fps)
{
    char frame_size[32], rate[32], target[4096];
    snprintf(frame_size, sizeof frame_size, "%dx%d", video->width, video->height);
    snprintf(rate, sizeof rate, "%.10g", fps);
    snprintf(target, sizeof target, "file:%s", video->temporary);
    const Codec *codec = codec_of(video->path);
    const char *rgb[] = {"-pix_fmt", "rgb24"};
    const char *yuv[] = {"-pix_fmt", "yuv444p", "-color_range", "tv", "-colorspace", "bt709"};
    const char *words[] = {"ffmpeg",   "-loglevel", "error",    "-y",         "-f",
                           "rawvideo", "-s",        frame_size, "-framerate", rate};
    enum { WORDS = sizeof words / sizeof words[0], FORMS = sizeof yuv / sizeof yuv[0] };
    const char *arguments[WORDS + FORMS + 2 + MOST_WORDS + 2] = {NULL};
    size_t count = WORDS, forms = codec->planes ? FORMS : sizeof rgb / sizeof rgb[0];
    memcpy(arguments, words, sizeof words);
    memcpy(arguments + count, codec->planes ? yuv : rgb, forms * sizeof *arguments);
    count += forms;
    arguments[count++] = "-i";
    arguments[count++] = "pipe:0";
    for (size_t i = 0; codec->words[i] != NULL; ++i) arguments[count++] = codec->words[i];
    arguments[count++] = target;
    return system_start(&video->child, arguments, video->errors);
}

static mote_Status fail_missing(const char *path, double fps, mote_Error *error)
{
    char command[MOTE_MESSAGE_SIZE];
    mote_video_command(command, sizeof command, MOTE_PNG_PATTERN, fps, path);
    return status_fail(error, MOTE_UNAVAILABLE,
                       "video: there is no ffmpeg on the PATH; write PNG files and run: %s",
                       command);
}

static mote_Status start(mote_Video *video, double fps, mote_Error *error)
{
    char buffer[SYSTEM_REASON];
    video->errors = tmpfile();
    if (video->errors == NULL) video->errors = fopen(system_nowhere, "w+"); /* no /tmp: unheard */
    const int failure = video->errors != NULL ? start_ffmpeg(video, fps) : errno;
    if (failure == 0) return MOTE_OK;
    if (failure == ENOENT || failure == EACCES) return fail_missing(video->path, fps, error);
    return status_fail(error, MOTE_IO_FAILED, "video: ffmpeg does not start: %s",
                       system_reason(failure, buffer));
}

/* ---- the end ---- */

static void video_free(mote_Video *video)
{
    system_wait(&video->child);
    if (video->errors != NULL) fclose(video->errors);
    memory_free(&video->memory, video->scratch, video_scratch(video->width));
    memory_free(&video->memory, video->row, (size_t)video->width * 6);
    memory_free(&video->memory, video->planes, planes_size(video));
    memory_free_text(&video->memory, video->path);
    memory_free_text(&video->memory, video->temporary);
    Memory memory = video->memory;
    memory_free(&memory, video, sizeof *video);
}

/* What ffmpeg said, on one line. */
static void ffmpeg_words(mote_Video *video, char *text, size_t size)
{
    rewind(video->errors);
    size_t length = fread(text, 1, size - 1, video->errors);
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static mote_Status fail_ffmpeg(mote_Video *video, mote_Error *error)
{
    char words[200];
    video->failed = true;
    ffmpeg_words(video, words, sizeof words);
    return status_fail(error, MOTE_IO_FAILED, "%.200s: ffmpeg failed%s%s", video->path,
                       words[0] != '\0' ? ": " : "", words);
}

static mote_Status check_video(const char *path, const int size[2], double fps, mote_Error *error)
{
    const int most = MOTE_IMAGE_LARGEST_SIDE;
    if (size[0] < 1 || size[1] < 1 || size[0] > most || size[1] > most)
        return status_fail(error, MOTE_BAD_VALUE,
                           "video: the size is %d x %d, but both sides must be between 1 and %d",
                           size[0], size[1], most);
    if (!(fps > 0) || !isfinite(fps))
        return status_fail(error, MOTE_BAD_VALUE,
                           "video: fps is %g, but must be a positive number of frames a second",
                           fps);
    if (path[0] != '\0' && strlen(path) < 4000) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "video: the path has %zu letters, but must have 1 to 4000", strlen(path));
}

mote_Status mote_video_open(const char *path, int width, int height, double fps, mote_Video **out,
                            mote_Error *error)
{
    *out = NULL;
    mote_Status status = check_video(path, (const int[2]){width, height}, fps, error);
    if (status != MOTE_OK) return status;
    Memory memory = memory_make((mote_Allocator){0});
    mote_Video *video = memory_zeroed(&memory, sizeof *video);
    if (video == NULL) return status_no_memory(error, "a video", sizeof *video);
    *video =
        (mote_Video){.memory = memory, .width = width, .height = height, .child = {.input = -1}};
    video->path = memory_text(&video->memory, path);
    video->temporary = temporary_name(&video->memory, path);
    video->scratch = memory_take(&video->memory, video_scratch(width));
    video->row = memory_take(&video->memory, (size_t)width * 6);
    video->planes = memory_take(&video->memory, planes_size(video));
    if (video->path == NULL || video->temporary == NULL || video->scratch == NULL ||
        video->row == NULL || video->planes == NULL)
        status = status_no_memory(error, "a video", planes_size(video));
    if (status == MOTE_OK) status = start(video, fps, error);
    if (status != MOTE_OK) {
        video_free(video);
        return status;
    }
    *out = video;
    return MOTE_OK;
}

mote_Status mote_video_add(mote_Video *video, const mote_Image *image, mote_Error *error)
{
    if (image->width != video->width || image->height != video->height)
        return status_fail(error, MOTE_BAD_VALUE,
                           "video: the image is %d x %d, but the video is %d x %d", image->width,
                           image->height, video->width, video->height);
    if (video->failed) return fail_ffmpeg(video, error);
    if (codec_of(video->path)->planes) {
        image_write_planes(image, video->scratch, video->row, video->planes);
        if (system_send(&video->child, video->planes, planes_size(video))) return MOTE_OK;
        return fail_ffmpeg(video, error);
    }
    for (int y = 0; y < video->height; ++y) {
        image_encode_row(image, y, video_code, video->scratch, video->row);
        if (!system_send(&video->child, video->row, row_code_bytes(image, video_code)))
            return fail_ffmpeg(video, error);
    }
    return MOTE_OK;
}

mote_Status mote_video_close(mote_Video *video, mote_Error *error)
{
    if (video == NULL) return MOTE_OK;
    char buffer[SYSTEM_REASON];
    const bool done = system_wait(&video->child);
    mote_Status status = MOTE_OK;
    if (video->failed || !done)
        status = fail_ffmpeg(video, error);
    else if (!system_rename(video->temporary, video->path))
        status = status_fail(error, MOTE_IO_FAILED, "%.200s: cannot be written: %s", video->path,
                             system_reason(errno, buffer));
    if (status != MOTE_OK) unlink(video->temporary);
    video_free(video);
    return status;
}

void mote_video_abandon(mote_Video *video)
{
    if (video == NULL) return;
    video->failed = true;
    mote_video_close(video, NULL);
}

/* PNG files and video: what is read back is what was written. */
#include "check.h"

#include "render/deflate.h"
#include "render/image.h"
#include "render/scene.h"
#include "render/splat.h"

#include <png.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- sRGB ---- */

static double srgb_to_linear(double code)
{
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

/* The code of one value, of 0 .. most, without dither. */
static int code_of(float linear, int most)
{
    const Coding coding = {.most = (float)most};
    uint8_t out[2];
    render_kernels()->encode_row(&linear, 1, &coding, out);
    return most > 255 ? out[0] << 8 | out[1] : out[0];
}

static void codes_make_the_round_trip(void)
{
    for (int bits = 8; bits <= 16; bits += 8) {
        const int most = (1 << bits) - 1;
        for (int code = 0; code <= most; ++code)
            CHECK(code_of((float)srgb_to_linear((double)code / most), most) == code);
    }
}

static void half_grey_is_188(void)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(1, 1, &image, &error), error);
    float *p = mote_image_pixels(image), scratch[6];
    uint8_t out[4];
    p[0] = 0.5f, p[1] = 7, p[2] = (float)NAN, p[3] = 1;
    image_encode_row(image, 0, (RowCode){.bits = 8, .channels = 3}, scratch, out);
    CHECK(out[0] == 188 && out[1] == 255 && out[2] == 0);
    mote_image_destroy(image);
}

static void encoding_is_exact(void)
{
    for (int i = 0; i <= 100000; ++i) {
        double y = (double)((float)i / 100000);
        double code = y <= 0.0031308 ? 12.92 * y : 1.055 * pow(y, 1 / 2.4) - 0.055;
        CHECK_NEAR(code_of((float)y, 65535), 65535 * code, 0.5 + 65535 * 1e-6);
    }
}

static void dither_keeps_the_mean(void)
{
    enum { WIDTH = 512, HEIGHT = 64 };
    mote_Image *image;
    mote_Error error;
    static float scratch[WIDTH * 6];
    static uint8_t out[WIDTH * 3];
    double sum = 0, square = 0, wanted = 100.3;
    CHECK_OK(mote_image_create(WIDTH, HEIGHT, &image, &error), error);
    for (int i = 0; i < WIDTH * HEIGHT * 4; ++i)
        mote_image_pixels(image)[i] = (float)srgb_to_linear(wanted / 255);
    for (int y = 0; y < HEIGHT; ++y) {
        image_encode_row(image, y, (RowCode){.bits = 8, .channels = 3, .dither = true}, scratch,
                         out);
        for (int i = 0; i < WIDTH * 3; ++i) {
            sum += out[i], square += (out[i] - wanted) * (out[i] - wanted);
            CHECK(out[i] >= 99 && out[i] <= 102);
        }
    }
    CHECK_NEAR(sum / (WIDTH * HEIGHT * 3), wanted, 0.01);
    CHECK_NEAR(square / (WIDTH * HEIGHT * 3), 0.25, 0.01); /* triangular: 1/6 + 1/12 */
    mote_image_destroy(image);
}

/* ---- deflate ---- */

/* Bytes with runs of all lengths, of one byte or of several, between noise. */
static void fill_bytes(uint8_t *bytes, size_t size, int kind, size_t period)
{
    for (size_t i = 0, run = 0; i < size; ++i) {
        double u = scene_random(7 * i + (uint64_t)kind);
        if (run > 0 && i >= period)
            bytes[i] = bytes[i - period], --run;
        else
            bytes[i] = (uint8_t)(kind == 0 ? 0 : kind == 1 ? 256 * u : 255 * u * u * u * u);
        if (kind > 2 && run == 0 && u < 0.05)
            run = (size_t)(20000 * u * u * u * (kind == 3 ? 1 : 60));
    }
}

/* zlib's own reader gives back what was written, in bands of any size. */
static void zlib_reads_what_deflate_writes(void)
{
    static const size_t sizes[] = {1, 2, 7, 8, 9, 100, 258, 259, 260, 516, 1000, 70000, 200000};
    uint8_t *bytes = malloc(200000), *back = malloc(200000),
            *scratch = malloc(deflate_scratch(200000));
    uint8_t *out = malloc(3 * deflate_most(200000));
    for (int kind = 0; kind < 5; ++kind) {
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
            const size_t size = sizes[k], first = size > 2 ? size / 3 : 0;
            const size_t far = 1 + k % 8; /* distance of what repeats */
            fill_bytes(bytes, size, kind, far);
            size_t written = first > 0 ? deflate_band(bytes, first, far, false, scratch, out) : 0;
            written += deflate_band(bytes + first, size - first, far, true, scratch, out + written);
            CHECK(written <= deflate_most(first) + deflate_most(size - first));
            z_stream z = {
                .next_in = out, .avail_in = (uInt)written, .next_out = back, .avail_out = 200000};
            CHECK(inflateInit2(&z, -15) == Z_OK);
            CHECK(inflate(&z, Z_FINISH) == Z_STREAM_END);
            CHECK(z.total_out == size && z.total_in == written && memcmp(back, bytes, size) == 0);
            inflateEnd(&z);
        }
    }
    free(bytes), free(back), free(scratch), free(out);
}

/* Kraft's sum is 1, no code is too long, and the mean length is within a bit of the entropy. */
static void huffman_codes_are_complete(void)
{
    for (int kind = 0; kind < 3; ++kind) {
        uint32_t frequency[286] = {0};
        HuffmanCode codes[286];
        double sum = 0, bits = 0, entropy = 0, kraft = 0;
        for (int i = 0; i < 286; ++i) /* even, exponential (deeper than the limit), some absent */
            frequency[i] = kind == 0   ? 1
                           : kind == 1 ? 1u << i % 30
                                       : (i % 3 ? 0 : 1u + (uint32_t)i);
        huffman_make(frequency, 286, 12, codes);
        for (int i = 0; i < 286; ++i) sum += frequency[i];
        for (int i = 0; i < 286; ++i) {
            CHECK((codes[i].length > 0) == (frequency[i] > 0) && codes[i].length <= 12);
            if (frequency[i] == 0) continue;
            kraft += ldexp(1, -codes[i].length);
            bits += frequency[i] * codes[i].length / sum;
            entropy -= frequency[i] / sum * log2(frequency[i] / sum);
        }
        CHECK(kraft == 1);
        CHECK(bits >= entropy && bits < entropy + 1);
    }
}

/* ---- PNG ---- */

static mote_Image *picture(int width, int height, bool opaque)
{
    mote_Image *image;
    mote_Error error;
    CHECK_OK(mote_image_create(width, height, &image, &error), error);
    for (size_t i = 0; i < image_floats(image); ++i) {
        float alpha = opaque ? 1 : (float)(i / 4 % 5) / 4;
        float value = (float)scene_random(i) * alpha;
        mote_image_pixels(image)[i] = i % 4 == 3 ? alpha : value;
    }
    return image;
}

/* Reads the raw samples with libpng's own reader; NULL on failure. */
static uint8_t *read_png(const char *path, int *width, int *height, int *depth, int *channels)
{
    FILE *file = fopen(path, "rb");
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    uint8_t *bytes = NULL;
    if (file == NULL || setjmp(png_jmpbuf(png)) != 0) return NULL;
    png_init_io(png, file);
    png_read_info(png, info);
    *width = (int)png_get_image_width(png, info), *height = (int)png_get_image_height(png, info);
    *depth = png_get_bit_depth(png, info), *channels = png_get_channels(png, info);
    size_t row = png_get_rowbytes(png, info);
    bytes = malloc(row * (size_t)*height);
    for (int y = 0; y < *height; ++y) png_read_row(png, bytes + row * (size_t)y, NULL);
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    return bytes;
}

static void check_png(bool opaque, int bits)
{
    mote_Image *image = picture(37, 23, opaque);
    mote_Error error;
    int width, height, depth, channels;
    CHECK_OK(mote_image_write_png(image, "test-render.png", bits, &error), error);
    CHECK(access("test-render.png.part", F_OK) != 0);
    uint8_t *bytes = read_png("test-render.png", &width, &height, &depth, &channels);
    CHECK(bytes != NULL && width == 37 && height == 23 && depth == bits);
    CHECK(channels == (opaque ? 3 : 4));
    const double most = bits == 8 ? 255 : 65535;
    for (int i = 0; bytes != NULL && i < width * height * channels; ++i) {
        int code = bits == 8 ? bytes[i] : bytes[2 * i] << 8 | bytes[2 * i + 1];
        const float *p = mote_image_pixels(image) + 4 * (i / channels);
        int c = i % channels;
        double linear = (double)p[c] / (p[3] > 0 ? (double)p[3] : 1);
        double wanted =
            c == 3 ? (double)p[3]
                   : (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055);
        CHECK_NEAR(code, wanted * most, bits == 8 && c < 3 ? 1.51 : 0.6);
    }
    free(bytes);
    unlink("test-render.png");
    mote_image_destroy(image);
}

static void png_holds_the_image(void)
{
    for (int k = 0; k < 4; ++k) check_png(k & 1, k & 2 ? 16 : 8);
}

static size_t read_file(const char *path, uint8_t **bytes)
{
    FILE *file = fopen(path, "rb");
    struct stat about;
    *bytes = NULL;
    if (file == NULL || stat(path, &about) != 0) return 0;
    *bytes = malloc((size_t)about.st_size);
    size_t size = fread(*bytes, 1, (size_t)about.st_size, file);
    fclose(file);
    return size;
}

/* A gradient with a noise of dithering and a flat part: like most pictures. */
static mote_Image *gradient(int width, int height)
{
    mote_Image *image = picture(width, height, true);
    for (size_t i = 0; i < image_floats(image); ++i) {
        size_t x = i / 4 % (size_t)width, y = i / 4 / (size_t)width;
        double value = y > (size_t)height / 2 ? 0 : 0.2 + 0.3 * sin(0.01 * (double)(x + y));
        mote_image_pixels(image)[i] = i % 4 == 3 ? 1 : (float)value;
    }
    return image;
}

/* Several bands; and no larger than zlib's fastest makes it. */
static void png_does_not_depend_on_threads(void)
{
    mote_Image *image = gradient(640, 400);
    mote_Error error;
    uint8_t *one, *more;
    CHECK_OK(mote_image_write_png(image, "test-one.png", 8, &error), error);
    size_t size = read_file("test-one.png", &one);
    for (int threads = 2; threads <= 5; threads += 3) {
        mote_TasksDef def = mote_tasks_def();
        mote_Tasks *tasks;
        def.threads = threads;
        CHECK_OK(mote_tasks_create(&def, &tasks, &error), error);
        CHECK_OK(mote_image_write_png_with(image, "test-more.png", 8, tasks, &error), error);
        CHECK(read_file("test-more.png", &more) == size && memcmp(one, more, size) == 0);
        free(more);
        mote_tasks_destroy(tasks);
    }
    int width, height, depth, channels;
    uint8_t *raw = read_png("test-one.png", &width, &height, &depth, &channels);
    png_image plain = {.version = PNG_IMAGE_VERSION, .width = 640, .height = 400};
    plain.format = PNG_FORMAT_RGB, plain.flags = PNG_IMAGE_FLAG_FAST;
    png_alloc_size_t fast = 0;
    CHECK(raw != NULL && png_image_write_get_memory_size(plain, fast, 0, raw, 0, NULL));
    CHECK((double)size < 1.3 * (double)fast);
    unlink("test-one.png"), unlink("test-more.png");
    free(one), free(raw);
    mote_image_destroy(image);
}

/* Bytes that came, of those that are wanted. */
typedef struct Taken {
    uint8_t *bytes;
    size_t size, most;
} Taken;

static bool take_bytes(void *context, const void *bytes, size_t size)
{
    Taken *taken = context;
    if (size > taken->most - taken->size) return false;
    memcpy(taken->bytes + taken->size, bytes, size);
    taken->size += size;
    return true;
}

static void png_in_memory_is_the_file(void)
{
    mote_Image *image = gradient(640, 400);
    mote_Error error;
    uint8_t *file;
    CHECK_OK(mote_image_write_png(image, "test-file.png", 16, &error), error);
    size_t size = read_file("test-file.png", &file);
    Taken taken = {.bytes = malloc(size), .most = size};
    CHECK_OK(mote_image_encode_png(image, 16, take_bytes, &taken, &error), error);
    CHECK(taken.size == size && memcmp(taken.bytes, file, size) == 0);
    taken.size = 0, taken.most = size / 2;
    CHECK(mote_image_encode_png(image, 16, take_bytes, &taken, &error) == MOTE_CANCELLED);
    CHECK(mote_image_encode_png(image, 9, take_bytes, &taken, &error) == MOTE_BAD_VALUE);
    unlink("test-file.png");
    free(file), free(taken.bytes);
    mote_image_destroy(image);
}

static void png_errors_are_clear(void)
{
    mote_Image *image = picture(5, 5, true);
    mote_Error error;
    CHECK(mote_image_write_png(image, "no/such/folder/a.png", 8, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "no/such/folder/a.png");
    CHECK(mote_image_write_png(image, "a.png", 12, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "8 or 16");
    if (access("/dev/full", W_OK) == 0) { /* a disk that is full */
        mote_Image *large = picture(300, 300, true);
        CHECK(symlink("/dev/full", "full.png.part") == 0);
        CHECK(mote_image_write_png(large, "full.png", 8, &error) == MOTE_IO_FAILED);
        CHECK(access("full.png", F_OK) != 0);
        unlink("full.png.part");
        mote_image_destroy(large);
    }
    mote_image_destroy(image);
}

/* ---- video ---- */

static bool has_program(const char *name)
{
    char command[64];
    snprintf(command, sizeof command, "command -v %s >/dev/null", name);
    return system(command) == 0;
}

static void video_has_its_frames(void)
{
    mote_Video *video;
    mote_Error error;
    if (!has_program("ffmpeg")) return;
    mote_Image *image = picture(63, 35, true), *other = picture(20, 20, true);
    CHECK_OK(mote_video_open("test-render.mp4", 63, 35, 25, &video, &error), error);
    CHECK(mote_video_add(video, other, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "63 x 35");
    for (int i = 0; i < 3; ++i) CHECK_OK(mote_video_add(video, image, &error), error);
    CHECK_OK(mote_video_close(video, &error), error);
    CHECK(access("test-render.mp4", F_OK) == 0 && access(".part-test-render.mp4", F_OK) != 0);
    if (has_program("ffprobe")) {
        char line[100] = "";
        FILE *probe = popen("ffprobe -v error -count_frames -select_streams v:0 -show_entries "
                            "stream=codec_name,width,height,pix_fmt,nb_read_frames -of csv=p=0 "
                            "test-render.mp4",
                            "r");
        CHECK(probe != NULL && fgets(line, sizeof line, probe) != NULL);
        pclose(probe);
        CHECK(strncmp(line, "h264,64,36,yuv420p,3", 20) == 0);
    }
    unlink("test-render.mp4");
    mote_image_destroy(image);
    mote_image_destroy(other);
}

/* The longest run of equal codes in a row of bytes `step` apart. */
static int longest_run(const uint8_t *codes, int count, int step)
{
    int longest = 0, run = 0;
    for (int i = 0; i < count; ++i) {
        run = i > 0 && codes[step * i] == codes[step * (i - 1)] ? run + 1 : 1;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* A dark sky that changes by a few codes: its dither is in the video too, and its colour is right.
 */
static void video_keeps_the_dither(void)
{
    enum { WIDTH = 640, HEIGHT = 96, BYTES = WIDTH * HEIGHT * 3 };
    static uint8_t read[BYTES], row[WIDTH * 3];
    static float scratch[4 * WIDTH];
    const float from[3] = {0.011f, 0.012f, 0.02f};
    mote_Video *video;
    mote_Error error;
    mote_Image *image;
    double apart[3] = {0, 0, 0};
    int png = 0, mp4 = 0;
    if (!has_program("ffmpeg")) return;
    CHECK_OK(mote_image_create(WIDTH, HEIGHT, &image, &error), error);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        for (int k = 0; k < 4; ++k)
            mote_image_pixels(image)[4 * i + k] =
                k == 3 ? 1 : from[k] * (1 + 0.6f * (float)(i % WIDTH) / WIDTH);
    CHECK_OK(mote_video_open("test-dither.mp4", WIDTH, HEIGHT, 25, &video, &error), error);
    for (int i = 0; i < 4; ++i) CHECK_OK(mote_video_add(video, image, &error), error);
    CHECK_OK(mote_video_close(video, &error), error);
    FILE *decoded = popen("ffmpeg -v error -i test-dither.mp4 -sws_flags "
                          "accurate_rnd+full_chroma_int -f rawvideo -pix_fmt rgb24 - 2>/dev/null",
                          "r");
    for (int i = 0; i < 3; ++i) CHECK(fread(read, 1, BYTES, decoded) == BYTES);
    pclose(decoded);
    for (int y = 8; y < HEIGHT - 8; y += 8) {
        const uint8_t *line = read + y * WIDTH * 3;
        image_encode_row(image, y, (RowCode){8, 3, true}, scratch, row);
        png = longest_run(row, WIDTH, 3) > png ? longest_run(row, WIDTH, 3) : png;
        mp4 = longest_run(line, WIDTH, 3) > mp4 ? longest_run(line, WIDTH, 3) : mp4;
        for (int i = 0; i < 3 * WIDTH; ++i) apart[i % 3] += line[i] - row[i];
    }
    CHECK(png > 5 && mp4 <= 2 * png);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(apart[k] / (WIDTH * 10), 0, 1.2);
    unlink("test-dither.mp4");
    mote_image_destroy(image);
}

/* Moving pictures of the other formats. */
static void other_videos_have_their_frames(void)
{
    static const char *const paths[] = {"test-render.webp", "test-render.gif", "test-render.webm"};
    static const char *const starts[] = {"RIFF", "GIF8", "\x1a\x45\xdf\xa3"};
    mote_Error error;
    if (!has_program("ffmpeg")) return;
    mote_Image *image = picture(64, 36, true);
    for (int k = 0; k < 3; ++k) {
        mote_Video *video;
        char start[5] = "";
        CHECK_OK(mote_video_open(paths[k], 64, 36, 25, &video, &error), error);
        for (int i = 0; i < 3; ++i) CHECK_OK(mote_video_add(video, image, &error), error);
        CHECK_OK(mote_video_close(video, &error), error);
        FILE *file = fopen(paths[k], "rb");
        CHECK(file != NULL && fread(start, 1, 4, file) == 4 && strcmp(start, starts[k]) == 0);
        fclose(file);
        unlink(paths[k]);
    }
    mote_image_destroy(image);
}

/* ---- EXR ---- */

/* The file ends with its lines: number, size, then A, B, G and R of the row. */
static void exr_holds_the_image(void)
{
    enum { WIDTH = 7, HEIGHT = 5, LINE = 8 + 16 * WIDTH };
    static uint8_t bytes[4096];
    mote_Image *image = picture(WIDTH, HEIGHT, false);
    mote_Error error;
    CHECK_OK(mote_image_write_exr(image, "test-render.exr", &error), error);
    FILE *file = fopen("test-render.exr", "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(size > HEIGHT * LINE && memcmp(bytes, "\x76\x2f\x31\x01\x02\0\0\0", 8) == 0);
    const uint8_t *lines = bytes + size - HEIGHT * LINE, *places = lines - 8 * HEIGHT;
    for (int y = 0; y < HEIGHT; ++y) {
        uint64_t place;
        memcpy(&place, places + 8 * y, sizeof place);
        CHECK(place == size - (size_t)(HEIGHT - y) * LINE);
        for (int i = 0; i < 4 * WIDTH; ++i) {
            float value;
            memcpy(&value, lines + y * LINE + 8 + 4 * i, sizeof value);
            CHECK(value == mote_image_pixels(image)[4 * (y * WIDTH + i % WIDTH) + 3 - i / WIDTH]);
        }
    }
    CHECK(mote_image_write_exr(image, "no/such/folder/a.exr", &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "no/such/folder/a.exr");
    unlink("test-render.exr");
    mote_image_destroy(image);
}

static void video_failures_are_told(void)
{
    mote_Video *video;
    mote_Error error;
    if (!has_program("ffmpeg")) return;
    mote_Image *image = picture(640, 360, true);
    CHECK_OK(mote_video_open("no/such/folder/a.mp4", 640, 360, 25, &video, &error), error);
    mote_Status status = MOTE_OK; /* ffmpeg ends at once; writing to it must not kill us */
    for (int i = 0; i < 50 && status == MOTE_OK; ++i) status = mote_video_add(video, image, &error);
    CHECK(mote_video_close(video, &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "no/such/folder/a.mp4");
    CHECK_OK(mote_video_open("given-up.mp4", 640, 360, 25, &video, &error), error);
    mote_video_abandon(video);
    CHECK(access("given-up.mp4", F_OK) != 0 && access(".part-given-up.mp4", F_OK) != 0);
    CHECK(mote_video_open("a.mp4", 0, 5, 25, &video, &error) == MOTE_BAD_VALUE);
    CHECK(mote_video_open("a.mp4", 5, 5, (double)NAN, &video, &error) == MOTE_BAD_VALUE);
    CHECK(mote_video_close(NULL, &error) == MOTE_OK);
    mote_image_destroy(image);
}

static void without_ffmpeg_the_command_is_told(void)
{
    mote_Video *video;
    mote_Error error;
    char *path = strdup(getenv("PATH")), command[MOTE_MESSAGE_SIZE];
    setenv("PATH", "/nonexistent", 1);
    CHECK(mote_video_open("out dir/it's.mp4", 64, 64, 24, &video, &error) == MOTE_UNAVAILABLE);
    setenv("PATH", path, 1);
    free(path);
    size_t length =
        mote_video_command(command, sizeof command, MOTE_PNG_PATTERN, 24, "out dir/it's.mp4");
    CHECK(length == strlen(command));
    CHECK_MESSAGE(error, command);
    CHECK_MESSAGE(error, "ffmpeg -framerate 24 -i frame-%05d.png");
    CHECK(strstr(command, "'out dir/it'\\''s.mp4'") != NULL);
    CHECK(mote_video_command(command, 10, "a", 24, "b") > 10 && strlen(command) == 9);
}

/* The command that users are told makes a video from PNG files. */
static void the_command_works(void)
{
    char command[MOTE_MESSAGE_SIZE];
    mote_Error error;
    if (!has_program("ffmpeg")) return;
    mote_Image *image = picture(33, 31, true);
    for (int i = 0; i < 3; ++i) {
        char name[64];
        snprintf(name, sizeof name, "test-render-%05d.png", i);
        CHECK_OK(mote_image_write_png(image, name, 8, &error), error);
    }
    mote_video_command(command, sizeof command, "test-render-%05d.png", 24, "test-told.mp4");
    strcat(command, " -y -loglevel error </dev/null");
    CHECK(system(command) == 0 && access("test-told.mp4", F_OK) == 0);
    unlink("test-told.mp4");
    for (int i = 0; i < 3; ++i) {
        char name[64];
        snprintf(name, sizeof name, "test-render-%05d.png", i);
        unlink(name);
    }
    mote_image_destroy(image);
}

/* Tests of both precisions run at the same time: each in a folder of its own. */
static void enter_folder(void)
{
    char folder[64];
    snprintf(folder, sizeof folder, "render-files-%d", mote_real_size());
    mkdir(folder, 0777);
    CHECK(chdir(folder) == 0);
}

TESTS({"enter_folder", enter_folder}, {"codes_make_the_round_trip", codes_make_the_round_trip},
      {"half_grey_is_188", half_grey_is_188}, {"encoding_is_exact", encoding_is_exact},
      {"dither_keeps_the_mean", dither_keeps_the_mean},
      {"zlib_reads_what_deflate_writes", zlib_reads_what_deflate_writes},
      {"huffman_codes_are_complete", huffman_codes_are_complete},
      {"png_holds_the_image", png_holds_the_image},
      {"png_does_not_depend_on_threads", png_does_not_depend_on_threads},
      {"png_in_memory_is_the_file", png_in_memory_is_the_file},
      {"png_errors_are_clear", png_errors_are_clear},
      {"video_has_its_frames", video_has_its_frames},
      {"video_keeps_the_dither", video_keeps_the_dither},
      {"other_videos_have_their_frames", other_videos_have_their_frames},
      {"exr_holds_the_image", exr_holds_the_image},
      {"video_failures_are_told", video_failures_are_told},
      {"without_ffmpeg_the_command_is_told", without_ffmpeg_the_command_is_told},
      {"the_command_works", the_command_works})

/* OSMesa is loaded while the benchmark runs, so that nothing needs it to be built. The points are
 * shader sprites: (1 - d^2)^2 over gl_PointCoord, premultiplied `over` into 8-bit RGBA. Each number
 * of threads is measured in a process of its own, because Mesa reads LP_NUM_THREADS once. */
#include "bench/osmesa.h"

#include "bench/bench.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The few names of GL/gl.h that are used. */
enum {
    GL_POINTS = 0,
    GL_ONE = 1,
    GL_ONE_MINUS_SRC_ALPHA = 0x0303,
    GL_BLEND = 0x0BE2,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_FLOAT = 0x1406,
    GL_RGBA = 0x1908,
    GL_COLOR_BUFFER_BIT = 0x4000,
    GL_VERTEX_ARRAY = 0x8074,
    GL_COLOR_ARRAY = 0x8076,
    GL_POINT_SPRITE = 0x8861,
    GL_FRAGMENT_SHADER = 0x8B30,
    GL_VERTEX_SHADER = 0x8B31
};

#define GL_FUNCTIONS(X)                                                                            \
    X(void *, OSMesaCreateContext, (unsigned format, void *share))                                 \
    X(unsigned char, OSMesaMakeCurrent,                                                            \
      (void *context, void *buffer, unsigned type, int w, int h))                                  \
    X(void, OSMesaDestroyContext, (void *context))                                                 \
    X(void, glEnable, (unsigned what))                                                             \
    X(void, glBlendFunc, (unsigned from, unsigned to))                                             \
    X(void, glPointSize, (float size))                                                             \
    X(void, glClear, (unsigned mask))                                                              \
    X(void, glFinish, (void))                                                                      \
    X(void, glEnableClientState, (unsigned array))                                                 \
    X(void, glVertexPointer, (int size, unsigned type, int stride, const void *data))              \
    X(void, glColorPointer, (int size, unsigned type, int stride, const void *data))               \
    X(void, glDrawArrays, (unsigned mode, int first, int count))                                   \
    X(unsigned, glCreateShader, (unsigned type))                                                   \
    X(void, glShaderSource, (unsigned shader, int n, const char *const *text, const int *sizes))   \
    X(void, glCompileShader, (unsigned shader))                                                    \
    X(unsigned, glCreateProgram, (void))                                                           \
    X(void, glAttachShader, (unsigned program, unsigned shader))                                   \
    X(void, glLinkProgram, (unsigned program))                                                     \
    X(void, glUseProgram, (unsigned program))

#define GL_MEMBER(type, name, arguments) type(*name) arguments;
typedef struct Gl {
    GL_FUNCTIONS(GL_MEMBER)
} Gl;

static bool gl_load(Gl *gl, void *library)
{
    bool good = true;
#define GL_LOAD(type, name, arguments)                                                             \
    *(void **)&gl->name = dlsym(library, #name);                                                   \
    good = good && gl->name != NULL;
    GL_FUNCTIONS(GL_LOAD)
    return good;
}

static void use_shader(const Gl *gl, unsigned program, unsigned type, const char *text)
{
    unsigned shader = gl->glCreateShader(type);
    gl->glShaderSource(shader, 1, &text, NULL);
    gl->glCompileShader(shader);
    gl->glAttachShader(program, shader);
}

static void use_sprites(const Gl *gl, float size)
{
    unsigned program = gl->glCreateProgram();
    use_shader(gl, program, GL_VERTEX_SHADER,
               "void main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color; }");
    use_shader(gl, program, GL_FRAGMENT_SHADER,
               "#version 120\n"
               "void main() { vec2 d = 2.0 * gl_PointCoord - 1.0;"
               " float e = max(1.0 - dot(d, d), 0.0); gl_FragColor = gl_Color * (e * e); }");
    gl->glLinkProgram(program);
    gl->glUseProgram(program);
    gl->glEnable(GL_BLEND);
    gl->glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->glEnable(GL_POINT_SPRITE);
    gl->glPointSize(size);
}

/* x, y and premultiplied RGBA of each point. */
static float *vertices_make(const OsMesaPoints *p)
{
    float *vertices = malloc(p->count * 6 * sizeof *vertices), *v = vertices;
    for (size_t i = 0; vertices != NULL && i < p->count; ++i, v += 6) {
        v[0] = 2 * (float)p->position[0][i] / (float)p->width;
        v[1] = 2 * (float)p->position[1][i] / (float)p->height;
        v[5] = (float)p->opacity[i];
        for (size_t k = 0; k < 3; ++k) v[2 + k] = (float)p->color[k * p->count + i] * v[5];
    }
    return vertices;
}

static double best_frame(const Gl *gl, const OsMesaPoints *p, const float *vertices)
{
    double best = 1e30;
    use_sprites(gl, p->size);
    gl->glEnableClientState(GL_VERTEX_ARRAY);
    gl->glEnableClientState(GL_COLOR_ARRAY);
    gl->glVertexPointer(2, GL_FLOAT, 6 * sizeof(float), vertices);
    gl->glColorPointer(4, GL_FLOAT, 6 * sizeof(float), vertices + 2);
    for (int trial = 0; trial < 4; ++trial) {
        double before = clock_seconds();
        gl->glClear(GL_COLOR_BUFFER_BIT);
        gl->glDrawArrays(GL_POINTS, 0, (int)p->count);
        gl->glFinish();
        double seconds = clock_seconds() - before;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static double draw(const OsMesaPoints *p)
{
    Gl gl;
    void *library = dlopen("libOSMesa.so.8", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL || !gl_load(&gl, library)) return 0;
    void *context = gl.OSMesaCreateContext(GL_RGBA, NULL);
    void *buffer = malloc((size_t)p->width * (size_t)p->height * 4);
    float *vertices = vertices_make(p);
    double best = 0;
    if (context != NULL && buffer != NULL && vertices != NULL &&
        gl.OSMesaMakeCurrent(context, buffer, GL_UNSIGNED_BYTE, p->width, p->height))
        best = best_frame(&gl, p, vertices);
    free(vertices);
    if (context != NULL) gl.OSMesaDestroyContext(context);
    free(buffer);
    return best;
}

double osmesa_draw(const OsMesaPoints *points, int threads)
{
    int ends[2], state;
    double seconds = 0;
    char number[16];
    snprintf(number, sizeof number, "%d", threads > 1 ? threads : 0); /* 0: on the caller's */
    if (pipe(ends) != 0) return 0;
    pid_t child = fork();
    if (child == 0) {
        setenv("LP_NUM_THREADS", number, 1);
        seconds = draw(points);
        ssize_t written = write(ends[1], &seconds, sizeof seconds);
        _exit(written == (ssize_t)sizeof seconds ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &seconds, sizeof seconds) != (ssize_t)sizeof seconds)
        seconds = 0;
    close(ends[0]);
    if (child > 0) waitpid(child, &state, 0);
    return seconds;
}

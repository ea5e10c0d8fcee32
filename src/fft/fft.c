/* Transforms of whole arrays: factors of the lengths, tables of exp(-2 pi i / n), and bundles of
 * lines shared out to threads. */
#include "fft/fft.h"

#include "base/math.h"
#include "base/status.h"

#include <string.h>

ISA_KERNELS(fft_kernels, FftKernels, fft_lines)

struct Fft {
    FftShape shape;
    Memory *memory;
    mote_Tasks *tasks;
    const FftKernels *kernels;
    FftLine lines[FFT_MOST_AXES]; /* of the axes that are transformed */
    float *scratch;               /* of every worker */
    size_t scratch_size;          /* floats of one worker */
    int workers;
};

/* 4 before 2: a pass of radix 4 has no products of its own (only 1, -1, i and -i) and reads memory
 * once where two of radix 2 read it twice. */
static const int radices[] = {4, 2, 3, 5};
enum { RADICES = sizeof radices / sizeof radices[0] };

bool fft_length_allowed(size_t n)
{
    if (n == 0) return false;
    for (int i = 0; i < RADICES; ++i)
        while (n % (size_t)radices[i] == 0) n /= (size_t)radices[i];
    return n == 1;
}

size_t fft_length_above(size_t n)
{
    if (n == 0) n = 1;
    while (!fft_length_allowed(n)) ++n;
    return n;
}

/* ---- lines ---- */

/* exp(-2 pi i k / n), k < n, from an angle of at most 45 degrees: exact at the axes. */
static void root_of_one(size_t k, size_t n, float w[2])
{
    const double two_pi = 6.283185307179586477;
    size_t quarter = (8 * k + n) / (2 * n); /* the nearest */
    double s, c;
    math_sincos(two_pi * ((double)k / (double)n - 0.25 * (double)quarter), &s, &c);
    const double cosine[4] = {c, -s, -c, s}, sine[4] = {s, c, -s, -c};
    w[0] = (float)cosine[quarter % 4], w[1] = (float)-sine[quarter % 4];
}

static void fill_twiddles(float *twiddle, size_t radix, size_t left)
{
    const size_t n = radix * left;
    for (size_t p = 0; p < left; ++p)
        for (size_t j = 1; j < radix; ++j)
            root_of_one(p * j % n, n, twiddle + 2 * (p * (radix - 1) + j - 1));
}

/* The passes of a length; twiddles are counted first, filled once there is memory. */
static void plan_line(FftLine *line)
{
    size_t left = line->length, done = 1, used = 0;
    line->stage_count = 0;
    for (int i = 0; i < RADICES; ++i)
        for (size_t r = (size_t)radices[i]; left % r == 0 && left > 1;) {
            left /= r;
            FftStage stage = {.radix = (int)r, .left = left, .done = done};
            if (line->twiddles != NULL) {
                stage.twiddle = line->twiddles + used;
                fill_twiddles(line->twiddles + used, r, left);
            }
            line->stages[line->stage_count++] = stage;
            used += 2 * left * (r - 1), done *= r;
        }
    line->twiddle_count = used;
}

/* Twice: once to count the twiddles, once to fill them. */
static bool open_line(Fft *fft, int axis)
{
    FftLine *line = &fft->lines[axis];
    size_t floats = 4 * fft->shape.length[axis] * FFT_LANES;
    line->length = fft->shape.length[axis];
    plan_line(line);
    if (floats > fft->scratch_size) fft->scratch_size = floats;
    if (line->twiddle_count == 0) return true;
    line->twiddles = memory_take(fft->memory, line->twiddle_count * sizeof(float));
    if (line->twiddles != NULL) plan_line(line);
    return line->twiddles != NULL;
}

/* ---- opening and closing ---- */

static bool goes_along(const Fft *fft, int axis)
{
    return (fft->shape.along >> axis & 1u) != 0;
}

static mote_Status check_shape(const FftShape *shape, mote_Error *error)
{
    for (int a = 0; a < shape->axes; ++a)
        if ((shape->along == 0 || (shape->along >> a & 1u) != 0) &&
            !fft_length_allowed(shape->length[a]))
            return status_fail(error, MOTE_BAD_VALUE,
                               "transform: %zu is not a product of 2, 3 and 5; %zu is",
                               shape->length[a], fft_length_above(shape->length[a]));
    return MOTE_OK;
}

mote_Status fft_open(const FftShape *shape, Memory *memory, mote_Tasks *tasks, Isa isa, Fft **out,
                     mote_Error *error)
{
    *out = NULL;
    mote_Status status = check_shape(shape, error);
    if (status != MOTE_OK) return status;
    Fft *fft = memory_zeroed(memory, sizeof *fft);
    if (fft == NULL) return status_no_memory(error, "transform", sizeof *fft);
    *fft = (Fft){.shape = *shape, .memory = memory, .tasks = tasks, .kernels = fft_kernels(isa)};
    if (shape->along == 0) fft->shape.along = (1u << shape->axes) - 1;
    fft->workers = tasks != NULL ? mote_tasks_workers(tasks) : 1;
    bool room = true;
    for (int a = 0; a < shape->axes && room; ++a)
        if (goes_along(fft, a)) room = open_line(fft, a);
    size_t bytes = (size_t)fft->workers * fft->scratch_size * sizeof(float);
    if (room) fft->scratch = memory_take(memory, bytes);
    *out = fft;
    if (fft->scratch != NULL) return MOTE_OK;
    fft_close(fft);
    *out = NULL;
    return status_no_memory(error, "transform", bytes);
}

void fft_close(Fft *fft)
{
    if (fft == NULL) return;
    for (int a = 0; a < FFT_MOST_AXES; ++a)
        memory_free(fft->memory, fft->lines[a].twiddles,
                    fft->lines[a].twiddle_count * sizeof(float));
    memory_free(fft->memory, fft->scratch,
                (size_t)fft->workers * fft->scratch_size * sizeof(float));
    memory_free(fft->memory, fft, sizeof *fft);
}

/* ---- running ---- */

/* All lines of one axis: `outer` groups of `inner` lines side by side. */
typedef struct AxisJob {
    const Fft *fft;
    const FftLine *line;
    float *re, *im;
    size_t outer, inner;
    size_t groups; /* bundles of an outer group; of the whole axis when the lines are contiguous */
} AxisJob;

/* Lines of the last axis are contiguous, so bundles run over outer groups instead. */
static void run_bundles(void *context, size_t begin, size_t end, int worker)
{
    const AxisJob *job = context;
    const Fft *fft = job->fft;
    const size_t length = job->line->length, inner = job->inner;
    for (size_t b = begin; b < end; ++b) {
        size_t first = (inner > 1 ? b % job->groups : b) * FFT_LANES;
        size_t total = inner > 1 ? inner : job->outer;
        size_t offset = inner > 1 ? b / job->groups * length * inner + first : first * length;
        FftBundle bundle = {.re = job->re + offset,
                            .im = job->im + offset,
                            .along = inner,
                            .across = inner > 1 ? 1 : length,
                            .count = total - first < FFT_LANES ? total - first : FFT_LANES,
                            .scratch = fft->scratch + (size_t)worker * fft->scratch_size};
        fft->kernels->transform(job->line, &bundle);
    }
}

static void run_axis(const Fft *fft, int axis, float *re, float *im)
{
    const FftShape *shape = &fft->shape;
    AxisJob job = {.fft = fft, .line = &fft->lines[axis], .re = re, .im = im};
    job.outer = job.inner = 1;
    for (int a = 0; a < axis; ++a) job.outer *= shape->length[a];
    for (int a = axis + 1; a < shape->axes; ++a) job.inner *= shape->length[a];
    job.groups = ((job.inner > 1 ? job.inner : job.outer) + FFT_LANES - 1) / FFT_LANES;
    size_t bundles = job.inner > 1 ? job.groups * job.outer : job.groups;
    /* Bundles of one piece of work. */
    enum { GRAIN = 8 };
    mote_parallel_for(fft->tasks, bundles, GRAIN, run_bundles, &job);
}

void fft_forward(Fft *fft, float *re, float *im)
{
    for (int a = fft->shape.axes - 1; a >= 0; --a)
        if (goes_along(fft, a) && fft->shape.length[a] > 1) run_axis(fft, a, re, im);
}

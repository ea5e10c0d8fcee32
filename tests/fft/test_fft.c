/* The transform against its definition in double, against kissfft and FFTW where they are
 * installed, and its bits over threads and instruction sets. */
#include "fft/fft.h"

#include "setup.h"

#if TEST_WITH_KISSFFT
#include <kissfft/kiss_fftnd.h>
#endif
#if TEST_WITH_FFTW
#include <fftw3.h>
#endif

typedef struct Array {
    FftShape shape;
    size_t count;
    float *re, *im;
} Array;

static Array make_array(FftShape shape, uint64_t seed)
{
    Array array = {.shape = shape, .count = 1};
    for (int a = 0; a < shape.axes; ++a) array.count *= shape.length[a];
    array.re = malloc(array.count * sizeof(float));
    array.im = malloc(array.count * sizeof(float));
    for (size_t i = 0; i < array.count; ++i) {
        array.re[i] = (float)setup_uniform(&seed, -1, 1);
        array.im[i] = (float)setup_uniform(&seed, -1, 1);
    }
    return array;
}

static void free_array(Array *array)
{
    free(array->re);
    free(array->im);
}

static void transform(Array *array, mote_Tasks *tasks, Isa isa, bool backward)
{
    Memory memory = memory_make((mote_Allocator){0});
    Fft *fft;
    mote_Error error;
    SETUP_OK(fft_open(&array->shape, &memory, tasks, isa, &fft, &error), error);
    if (backward)
        fft_backward(fft, array->re, array->im);
    else
        fft_forward(fft, array->re, array->im);
    fft_close(fft);
    CHECK(memory.bytes == 0);
}

/* One output of the definition, in double. */
static void direct(const Array *x, const size_t k[FFT_MOST_AXES], double sign, double sum[2])
{
    sum[0] = sum[1] = 0;
    for (size_t i = 0; i < x->count; ++i) {
        double turns = 0;
        size_t rest = i;
        for (int a = x->shape.axes - 1; a >= 0; --a) {
            size_t n = x->shape.length[a], j = rest % n;
            rest /= n;
            turns += (double)(j * k[a] % n) / (double)n;
        }
        double angle = sign * 6.283185307179586 * turns, c = cos(angle), s = sin(angle);
        sum[0] += (double)x->re[i] * c - (double)x->im[i] * s;
        sum[1] += (double)x->re[i] * s + (double)x->im[i] * c;
    }
}

/* Some outputs of the transform; the error grows like the root of the logarithm of the length. */
static void check_outputs(const Array *x, const Array *y, double sign)
{
    uint64_t seed = 5;
    double scale = sqrt((double)x->count);
    for (int trial = 0; trial < 24; ++trial) {
        size_t k[FFT_MOST_AXES], index = 0;
        double sum[2];
        for (int a = 0; a < x->shape.axes; ++a) {
            k[a] = (size_t)setup_uniform(&seed, 0, (double)x->shape.length[a]);
            index = index * x->shape.length[a] + k[a];
        }
        direct(x, k, sign, sum);
        CHECK_NEAR((double)y->re[index] / scale, sum[0] / scale, 1e-6);
        CHECK_NEAR((double)y->im[index] / scale, sum[1] / scale, 1e-6);
    }
}

static const FftShape shapes[] = {
    {1, {1}, 0},          {1, {2}, 0},         {1, {3}, 0},          {1, {4}, 0},
    {1, {5}, 0},          {1, {30}, 0},        {1, {64}, 0},         {1, {1000}, 0},
    {1, {19683}, 0},      {2, {8, 12}, 0},     {2, {1, 16}, 0},      {2, {16, 1}, 0},
    {3, {8, 8, 8}, 0},    {3, {9, 10, 16}, 0}, {3, {32, 20, 18}, 0}, {4, {4, 6, 5, 8}, 0},
    {4, {8, 8, 8, 8}, 0},
};

static void equals_its_definition(void)
{
    for (size_t i = 0; i < COUNT_OF(shapes); ++i)
        for (int backward = 0; backward < 2; ++backward) {
            Array x = make_array(shapes[i], i + 1), y = make_array(shapes[i], i + 1);
            transform(&y, NULL, isa_pick(), backward == 1);
            check_outputs(&x, &y, backward == 1 ? 1 : -1);
            free_array(&x);
            free_array(&y);
        }
}

static void there_and_back(void)
{
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
        Array x = make_array(shapes[i], i + 1), y = make_array(shapes[i], i + 1);
        double worst = 0;
        transform(&y, NULL, isa_pick(), false);
        transform(&y, NULL, isa_pick(), true);
        for (size_t j = 0; j < x.count; ++j)
            worst = fmax(worst, fabs((double)y.re[j] / (double)x.count - (double)x.re[j]));
        CHECK(worst < 1e-6);
        free_array(&x);
        free_array(&y);
    }
}

/* Along the first of two axes only: every column is a transform of its own. */
static void goes_along_chosen_axes(void)
{
    Array x = make_array((FftShape){2, {12, 37}, 1}, 9), y = make_array(x.shape, 9);
    transform(&y, NULL, isa_pick(), false);
    for (size_t column = 0; column < 37; ++column) {
        Array line = make_array((FftShape){1, {12}, 0}, 1);
        for (size_t j = 0; j < 12; ++j)
            line.re[j] = x.re[j * 37 + column], line.im[j] = x.im[j * 37 + column];
        transform(&line, NULL, isa_pick(), false);
        for (size_t j = 0; j < 12; ++j) CHECK(line.re[j] == y.re[j * 37 + column]);
        free_array(&line);
    }
    free_array(&x);
    free_array(&y);
}

static void same_bits(void)
{
    FftShape shape = {3, {30, 16, 20}, 0};
    Array x = make_array(shape, 3);
    transform(&x, NULL, ISA_V1, false);
    for (int isa = 0; isa <= (int)isa_pick(); ++isa)
        for (int threads = 1; threads <= 3; ++threads) {
            mote_TasksDef def = mote_tasks_def();
            mote_Tasks *tasks;
            mote_Error error;
            Array y = make_array(shape, 3);
            def.threads = threads;
            SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
            transform(&y, tasks, (Isa)isa, false);
            CHECK(memcmp(x.re, y.re, x.count * sizeof(float)) == 0);
            CHECK(memcmp(x.im, y.im, x.count * sizeof(float)) == 0);
            mote_tasks_destroy(tasks);
            free_array(&y);
        }
    free_array(&x);
}

static void lengths(void)
{
    CHECK(!fft_length_allowed(0) && fft_length_allowed(1) && fft_length_allowed(360));
    CHECK(!fft_length_allowed(7) && !fft_length_allowed(66));
    CHECK(fft_length_above(0) == 1 && fft_length_above(31) == 32 && fft_length_above(49) == 50);
    Memory memory = memory_make((mote_Allocator){0});
    Fft *fft;
    mote_Error error;
    FftShape shape = {2, {8, 14}, 0};
    CHECK(fft_open(&shape, &memory, NULL, isa_pick(), &fft, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "14 is not a product of 2, 3 and 5; 15 is");
    CHECK(fft == NULL && memory.bytes == 0);
}

/* Every allocation that can fail, fails once: no leak, and a status. */
static size_t allowed_allocations;

static void *failing_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    mote_Allocator real = mote_default_allocator();
    (void)context;
    if (new_size > 0 && allowed_allocations-- == 0) {
        allowed_allocations = 0;
        return NULL;
    }
    return real.resize(real.context, block, old_size, new_size);
}

static void survives_missing_memory(void)
{
    FftShape shape = {3, {8, 8, 6}, 0};
    for (size_t allowed = 0; allowed < 6; ++allowed) {
        Memory memory = memory_make((mote_Allocator){failing_resize, NULL});
        Fft *fft;
        mote_Error error;
        allowed_allocations = allowed;
        mote_Status status = fft_open(&shape, &memory, NULL, isa_pick(), &fft, &error);
        CHECK(status == (allowed < 5 ? MOTE_NO_MEMORY : MOTE_OK));
        fft_close(fft);
        CHECK(memory.bytes == 0);
    }
}

/* ---- other libraries as oracles ---- */

#if TEST_WITH_KISSFFT
static void equals_kissfft(void)
{
    const int dims[3] = {20, 12, 16};
    Array x = make_array((FftShape){3, {20, 12, 16}, 0}, 4);
    kiss_fft_cpx *in = malloc(x.count * sizeof *in), *out = malloc(x.count * sizeof *out);
    kiss_fftnd_cfg plan = kiss_fftnd_alloc(dims, 3, 0, NULL, NULL);
    double worst = 0;
    for (size_t i = 0; i < x.count; ++i) in[i] = (kiss_fft_cpx){x.re[i], x.im[i]};
    kiss_fftnd(plan, in, out);
    transform(&x, NULL, isa_pick(), false);
    for (size_t i = 0; i < x.count; ++i)
        worst = fmax(worst, hypot((double)(x.re[i] - out[i].r), (double)(x.im[i] - out[i].i)));
    CHECK(worst < 1e-6 * sqrt((double)x.count) * 2);
    free(plan);
    free(in);
    free(out);
    free_array(&x);
}
#else
static void equals_kissfft(void)
{
    printf("skipped: kissfft is not installed\n");
}
#endif

#if TEST_WITH_FFTW
static void equals_fftw(void)
{
    const int dims[4] = {6, 20, 12, 16};
    Array x = make_array((FftShape){4, {6, 20, 12, 16}, 0}, 4);
    fftwf_complex *y = fftwf_malloc(x.count * sizeof *y);
    fftwf_plan plan = fftwf_plan_dft(4, dims, y, y, FFTW_BACKWARD, FFTW_ESTIMATE);
    double worst = 0;
    for (size_t i = 0; i < x.count; ++i) y[i][0] = x.re[i], y[i][1] = x.im[i];
    fftwf_execute(plan);
    transform(&x, NULL, isa_pick(), true);
    for (size_t i = 0; i < x.count; ++i)
        worst = fmax(worst, hypot((double)(x.re[i] - y[i][0]), (double)(x.im[i] - y[i][1])));
    CHECK(worst < 1e-6 * sqrt((double)x.count) * 2);
    fftwf_destroy_plan(plan);
    fftwf_free(y);
    free_array(&x);
}
#else
static void equals_fftw(void)
{
    printf("skipped: FFTW is not installed\n");
}
#endif

TESTS({"equals its definition", equals_its_definition}, {"there and back", there_and_back},
      {"goes along chosen axes", goes_along_chosen_axes}, {"same bits", same_bits},
      {"lengths", lengths}, {"survives missing memory", survives_missing_memory},
      {"equals kissfft", equals_kissfft}, {"equals FFTW", equals_fftw})

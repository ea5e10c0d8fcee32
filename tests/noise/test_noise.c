/* Noises: what holds at lattice points, bounds and moments, gradients against differences, the
 * spectrum, independence of seeds, and the same bits for every instruction set. */
#include "base/random.h"
#include "check.h"
#include "noise/noise.h"

enum { POINTS = 20000, AXES = 4 };

static mote_real x[AXES][POINTS], value[POINTS], gradient[AXES][POINTS];

static Isa best_isa(void)
{
    return isa_pick();
}

static NoiseJob job_of(size_t count, uint64_t seed)
{
    NoiseJob job = {.count = count, .seed = noise_seed(seed, 0), .value = value};
    for (int k = 0; k < AXES; ++k) job.x[k] = x[k], job.gradient[k] = gradient[k];
    return job;
}

/* Random points in a cube of the given half side; whole: at lattice points. */
static void scatter(size_t count, double half, bool whole, uint64_t stream)
{
    RandomKey key = random_key(stream, "scatter");
    for (size_t i = 0; i < count; ++i) {
        Random4 draw = random_draw(key, i, 0, 0);
        for (int k = 0; k < AXES; ++k) {
            double at = half * ((double)draw.word[k] * 0x1p-31 - 1);
            x[k][i] = (mote_real)(whole ? floor(at) : at);
        }
    }
}

#define EACH_ROW(row)                                                                              \
    for (size_t row_count, r_ = 0; r_ < (noise_rows(ISA_V1, &row_count), row_count); ++r_)         \
        for (const NoiseRow *row = noise_row(best_isa(), (int)r_); row != NULL; row = NULL)

/* n = 0, exactly, and |grad n| is that of the table, whose directions all come up. */
static void lattice_points(void)
{
    EACH_ROW(row)
    {
        for (int d = 0; d < 2; ++d) {
            NoiseJob job = job_of(4000, 3);
            mote_real found[16][AXES];
            size_t directions = 0, k;
            if (row->lattice_slope[0] == 0) continue;
            scatter(job.count, 1e5, true, 1);
            row->gradient[d](&job);
            for (size_t i = 0; i < job.count; ++i) {
                double length = 0, distance = 1;
                for (int a = 0; a < 3 + d; ++a) length += pow((double)gradient[a][i], 2);
                CHECK(value[i] == 0);
                CHECK_NEAR(sqrt(length), row->lattice_slope[d], 2e-6);
                for (k = 0; k < directions; ++k, distance = 1) {
                    distance = 0;
                    for (int a = 0; a < 3 + d; ++a)
                        distance += fabs((double)(gradient[a][i] - found[k][a]));
                    if (distance < 1e-4) break;
                }
                if (k == directions && directions < 16) {
                    for (int a = 0; a < AXES; ++a) found[k][a] = a < 3 + d ? gradient[a][i] : 0;
                    ++directions;
                }
            }
            CHECK(directions >= 12);
        }
    }
}

/* Bounds, mean and rms over many cells, and the value alone is the value with the gradient. */
static void bounds_and_moments(void)
{
    EACH_ROW(row)
    {
        for (int d = 0; d < 2; ++d) {
            NoiseJob job = job_of(POINTS, 5);
            double sum = 0, squares = 0, slopes = 0, largest = 0;
            static mote_real alone[POINTS];
            scatter(POINTS, 3000, false, 2);
            job.value = alone;
            row->value[d](&job);
            job.value = value;
            row->gradient[d](&job);
            for (size_t i = 0; i < POINTS; ++i) {
                double n = (double)value[i];
                CHECK(alone[i] == value[i]);
                sum += n, squares += n * n;
                for (int a = 0; a < 3; ++a) slopes += pow((double)gradient[a][i], 2);
                if (fabs(n) > largest) largest = fabs(n);
            }
            double rms = sqrt(squares / POINTS);
            CHECK(largest <= row->largest[d]);
            CHECK(largest > 0.5 * row->largest[d]);
            CHECK_NEAR(sum / POINTS, 0, 3.5 * rms / sqrt(POINTS));
            CHECK_NEAR(rms / row->rms[d], 1, 0.03);
            CHECK_NEAR(sqrt(slopes / (3 * POINTS)) / row->rms_slope[d], 1, 0.03);
        }
    }
}

/* The noise code contains no differences, so these are independent. */
static void gradient_is_derivative(void)
{
    const double h = sizeof(mote_real) == 8 ? 1e-5 : 4e-3;
    const double tolerance = sizeof(mote_real) == 8 ? 2e-9 : 1e-3;
    enum { N = 500 };
    static mote_real there[AXES][N], ahead[N], behind[N];
    EACH_ROW(row)
    {
        for (int d = 0; d < 2; ++d) {
            NoiseJob job = job_of(N, 7);
            scatter(N, 20, false, 3);
            row->gradient[d](&job);
            for (int a = 0; a < 3 + d; ++a) {
                double worst = 0;
                NoiseJob moved = job;
                for (int k = 0; k < AXES; ++k)
                    memcpy(there[k], x[k], sizeof there[k]), moved.x[k] = there[k];
                for (size_t i = 0; i < N; ++i) there[a][i] = x[a][i] + (mote_real)h;
                moved.value = ahead;
                row->value[d](&moved);
                for (size_t i = 0; i < N; ++i) there[a][i] = x[a][i] - (mote_real)h;
                moved.value = behind;
                row->value[d](&moved);
                for (size_t i = 0; i < N; ++i) {
                    double step = (double)((x[a][i] + (mote_real)h) - (x[a][i] - (mote_real)h));
                    double slope = ((double)ahead[i] - (double)behind[i]) / step;
                    double off = fabs(slope - (double)gradient[a][i]);
                    if (off > worst) worst = off;
                }
                CHECK(worst < tolerance * row->continuous * 4);
            }
        }
    }
}

/* Value and gradient on both sides of a cell's face. */
static void smooth_across_faces(void)
{
    const mote_real h = sizeof(mote_real) == 8 ? (mote_real)1e-9 : (mote_real)1e-6;
    EACH_ROW(row)
    {
        for (int a = 0; a < 3; ++a) {
            enum { N = 200 };
            static mote_real before[1 + AXES][N];
            NoiseJob job = job_of(N, 9);
            scatter(N, 4, false, 4);
            for (size_t i = 0; i < N; ++i) x[a][i] = 1 - h;
            row->gradient[0](&job);
            memcpy(before[0], value, sizeof before[0]);
            for (int k = 0; k < 3; ++k) memcpy(before[1 + k], gradient[k], sizeof before[0]);
            for (size_t i = 0; i < N; ++i) x[a][i] = 1 + h;
            row->gradient[0](&job);
            for (size_t i = 0; i < N; ++i) {
                CHECK_NEAR(value[i], before[0][i], 1e-5);
                for (int k = 0; k < 3; ++k) CHECK_NEAR(gradient[k][i], before[1 + k][i], 1e-4);
            }
        }
    }
}

static double correlation(const mote_real *a, const mote_real *b, size_t count)
{
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < count; ++i) {
        ab += (double)a[i] * (double)b[i];
        aa += (double)a[i] * (double)a[i], bb += (double)b[i] * (double)b[i];
    }
    return ab / sqrt(aa * bb);
}

/* Other seeds are other noises, and nothing repeats after 256 cells or any other power of two. */
static void independent(void)
{
    static mote_real first[POINTS];
    const double limit = 4 / sqrt(POINTS);
    EACH_ROW(row)
    {
        for (int d = 0; d < 2; ++d) {
            NoiseJob job = job_of(POINTS, 11);
            scatter(POINTS, 1000, false, 5);
            row->value[d](&job);
            memcpy(first, value, sizeof first);
            for (uint64_t seed = 12; seed < 16; ++seed) {
                NoiseJob other = job_of(POINTS, seed);
                row->value[d](&other);
                CHECK(fabs(correlation(first, value, POINTS)) < limit);
            }
            for (int bits = 1; bits < 17; ++bits) {
                scatter(POINTS, 1000, false, 5);
                for (size_t i = 0; i < POINTS; ++i)
                    x[bits % 3][i] += (mote_real)((uint32_t)1 << bits);
                row->value[d](&job);
                CHECK(fabs(correlation(first, value, POINTS)) < limit);
            }
        }
    }
}

/* Every set this machine has, every length of the last vector. */
static void same_bits(void)
{
    enum { N = 203 };
    static mote_real other[1 + AXES][N];
    for (int isa = 0; isa < (int)best_isa(); ++isa) {
        EACH_ROW(row)
        {
            const NoiseRow *plain = noise_row((Isa)isa, (int)r_);
            for (int d = 0; d < 2; ++d) {
                NoiseJob job = job_of(N, 21), twin = job;
                scatter(N, 700, false, 6);
                for (size_t i = 0; i < N; i += 5) x[i % 3][i] = (mote_real)((int)i - 100);
                for (size_t i = 0; i < N; i += 7) x[i % 3][i] *= (mote_real)ldexp(1, (int)i / 3);
                twin.value = other[AXES];
                for (int k = 0; k < AXES; ++k) twin.gradient[k] = other[k];
                for (job.count = N - 20; job.count <= N; ++job.count) {
                    twin.count = job.count;
                    row->gradient[d](&job);
                    plain->gradient[d](&twin);
                    CHECK(memcmp(value, other[AXES], job.count * sizeof *value) == 0);
                    for (int k = 0; k < 3 + d; ++k)
                        CHECK(memcmp(gradient[k], other[k], job.count * sizeof *value) == 0);
                    row->value[d](&job);
                    plain->value[d](&twin);
                    CHECK(memcmp(value, other[AXES], job.count * sizeof *value) == 0);
                }
            }
        }
    }
}

/* ---- the spectrum ---- */

enum { SIDE = 40, PER_CELL = 5, CUBE = SIDE * SIDE * SIDE };

/* One pass of a plain discrete Fourier transform along the axis with this stride. */
static void transform(double (*grid)[2], size_t stride)
{
    double line[SIDE][2];
    for (size_t start = 0; start < CUBE; ++start) {
        if (start / stride % SIDE != 0) continue;
        for (int k = 0; k < SIDE; ++k) {
            line[k][0] = line[k][1] = 0;
            for (int j = 0; j < SIDE; ++j) {
                static double turn[SIDE][2];
                if (turn[0][0] == 0)
                    for (int a = 0; a < SIDE; ++a)
                        turn[a][0] = cos(2 * M_PI * a / SIDE),
                        turn[a][1] = -sin(2 * M_PI * a / SIDE);
                const double *t = turn[j * k % SIDE], *g = grid[start + (size_t)j * stride];
                line[k][0] += g[0] * t[0] - g[1] * t[1], line[k][1] += g[0] * t[1] + g[1] * t[0];
            }
        }
        for (int k = 0; k < SIDE; ++k)
            grid[start + (size_t)k * stride][0] = line[k][0],
                                     grid[start + (size_t)k * stride][1] = line[k][1];
    }
}

static double hann(size_t i)
{
    return pow(sin(M_PI * ((double)i + 0.5) / SIDE), 2);
}

/* More than 90 % of the energy lies between a quarter and two waves per cell. */
static void band_limited(void)
{
    static double grid[CUBE][2];
    static mote_real at[3][CUBE], n[CUBE];
    EACH_ROW(row)
    {
        double inside = 0, all = 0;
        NoiseJob job = {
            .count = CUBE, .x = {at[0], at[1], at[2]}, .seed = noise_seed(1, 0), .value = n};
        if (row->lattice_slope[0] == 0) continue; /* value noise is not */
        for (size_t i = 0; i < CUBE; ++i) {
            const size_t index[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
            for (int k = 0; k < 3; ++k) at[k][i] = (mote_real)index[k] / PER_CELL + (mote_real)0.1;
        }
        row->value[0](&job);
        for (size_t i = 0; i < CUBE; ++i) {
            double window = hann(i % SIDE) * hann(i / SIDE % SIDE) * hann(i / SIDE / SIDE);
            grid[i][0] = (double)n[i] * window, grid[i][1] = 0;
        }
        for (size_t stride = 1; stride < CUBE; stride *= SIDE) transform(grid, stride);
        for (size_t i = 1; i < CUBE; ++i) {
            double k2 = 0, energy = grid[i][0] * grid[i][0] + grid[i][1] * grid[i][1];
            for (size_t k = 0, rest = i; k < 3; ++k, rest /= SIDE) {
                double wave = (double)(rest % SIDE);
                k2 += pow(wave > SIDE / 2 ? wave - SIDE : wave, 2);
            }
            double waves = sqrt(k2) * PER_CELL / SIDE; /* per cell */
            all += energy;
            if (waves >= 0.25 && waves <= 2) inside += energy;
        }
        CHECK(inside / all > 0.9);
    }
}

/* ---- bad input, and the public function ---- */

static void hostile_points(void)
{
    const mote_real bad[] = {(mote_real)NAN,
                             (mote_real)INFINITY,
                             (mote_real)1e30,
                             (mote_real)-1e30,
                             (mote_real)3e9,
                             (mote_real)-2147483648.0,
                             0};
    enum { N = sizeof bad / sizeof bad[0] };
    EACH_ROW(row)
    {
        for (int d = 0; d < 2; ++d) {
            NoiseJob job = job_of(N, 1);
            scatter(N, 4, false, 7);
            memcpy(x[1], bad, sizeof bad);
            row->gradient[d](&job);
            CHECK(isnan((double)value[0]));
            for (size_t i = 2; i < N; ++i) CHECK(fabs((double)value[i]) <= row->largest[d]);
        }
    }
}

static void public_function(void)
{
    mote_NoiseDef def = mote_noise_def();
    mote_NoisePoints points = {.count = 10, .dimensions = 3, .x = {x[0], x[1], x[2], x[3]}};
    mote_real *planes[AXES] = {gradient[0], gradient[1], gradient[2], gradient[3]};
    mote_real first[10];
    mote_Error error;
    scatter(10, 50, false, 8);
    CHECK_OK(mote_noise_sample(&def, &points, first, NULL, &error), error);
    CHECK_OK(mote_noise_sample(&def, &points, value, planes, &error), error);
    CHECK(memcmp(first, value, sizeof first) == 0);
    def.seed = 1;
    CHECK_OK(mote_noise_sample(&def, &points, value, NULL, &error), error);
    CHECK(memcmp(first, value, sizeof first) != 0);
    def.type = "perlim";
    CHECK(mote_noise_sample(&def, &points, value, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean `perlin`?");
    def.type = "perlin", points.dimensions = 2;
    CHECK(mote_noise_sample(&def, &points, value, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "must have 3 or 4");
}

TESTS({"lattice_points", lattice_points}, {"bounds_and_moments", bounds_and_moments},
      {"gradient_is_derivative", gradient_is_derivative},
      {"smooth_across_faces", smooth_across_faces}, {"independent", independent},
      {"same_bits", same_bits}, {"band_limited", band_limited}, {"hostile_points", hostile_points},
      {"public_function", public_function})

/* What keeps vortons good: remeshing, splitting, merging, relaxation of directions. */
#include "base/random.h"
#include "check.h"
#include "solvers/vortex/cloud_rows.h"
#include "solvers/vortex/keep.h"
#include "solvers/vortex/remesh.h"

#ifdef MOTE_DOUBLE
#define EXACT 1e-12
#else
#define EXACT 2e-6
#endif

enum { MOMENTS = 3 + 9 + 18 }; /* of strengths: sum, first, second */

/* sum alpha_k, sum x_l alpha_k, sum x_l x_m alpha_k. */
static void add_moments(const VortonRows *r, size_t i, double sums[MOMENTS])
{
    size_t n = 0;
    for (int k = 0; k < 3; ++k) {
        const double a = (double)r->strength[k][i];
        sums[n++] += a;
        for (int l = 0; l < 3; ++l) sums[n++] += a * (double)r->x[l][i];
        for (int l = 0; l < 3; ++l)
            for (int m = l; m < 3; ++m) sums[n++] += a * (double)r->x[l][i] * (double)r->x[m][i];
    }
}

static Cloud *random_cloud(size_t count, double core)
{
    Cloud *c = cloud_make(count);
    RandomKey key = random_key(5, "cloud");
    for (size_t i = 0; i < count; ++i) {
        Random4 place = random_draw(key, i, 0, 0), strength = random_draw(key, i, 1, 0);
        for (int k = 0; k < 3; ++k) {
            c->rows.x[k][i] = random_signed(place.word[k]);
            c->rows.strength[k][i] = random_signed(strength.word[k]);
        }
        c->rows.radius[i] = (mote_real)core;
        c->rows.temperature[i] = 300 + 200 * random_unit(place.word[3]);
        c->rows.fuel[i] = (mote_real)0.5 * random_unit(strength.word[3]);
    }
    return c;
}

/* The rows that a cloud is remeshed to. */
static Cloud *remeshed(Cloud *c, double variance)
{
    const RemeshJob job = {
        .rows = &c->rows, .params = &c->params, .variance = variance, .arena = &c->arena};
    Remeshed made;
    CHECK(remesh_make(&job, &made) == REMESH_DONE);
    Cloud *to = cloud_make(made.count);
    to->rows.flat = c->rows.flat;
    for (size_t k = 0; k < made.count; ++k) remesh_write(&job, &made, k, &to->rows, k);
    return to;
}

/* The sum, the impulse and all second moments, and heat and fuel. */
static void remeshing_keeps_moments(void)
{
    Cloud *c = random_cloud(300, 0.19), *to;
    double before[MOMENTS] = {0}, after[MOMENTS] = {0}, heat[2] = {0}, fuel[2] = {0};
    c->params.remesh_spacing = (mote_real)0.13, c->params.remesh_cut = 0;
    to = remeshed(c, 0.5);
    for (size_t i = 0; i < c->rows.count; ++i) {
        const double volume = (double)vorton_volume(&c->rows, i);
        add_moments(&c->rows, i, before);
        heat[0] += volume * ((double)c->rows.temperature[i] - 300);
        fuel[0] += volume * (double)c->rows.fuel[i];
    }
    for (size_t i = 0; i < to->rows.count; ++i) {
        const double volume = (double)to->rows.volume[i];
        add_moments(&to->rows, i, after);
        heat[1] += volume * ((double)to->rows.temperature[i] - 300);
        fuel[1] += volume * (double)to->rows.fuel[i];
        CHECK(to->rows.fuel[i] >= 0 && to->rows.temperature[i] >= 300 - (mote_real)1e-3);
    }
    for (int k = 0; k < MOMENTS; ++k) CHECK_NEAR(after[k], before[k], 300 * EXACT);
    CHECK_NEAR(heat[1] / heat[0], 1, 10 * EXACT);
    CHECK_NEAR(fuel[1] / fuel[0], 1, 10 * EXACT);
    cloud_free(c), cloud_free(to);
}

/* Wide cores become narrow ones in more places, with the variance that they had: strengths' second
 * moments grow by what the cores' lose. */
static void wide_cores_are_dealt_out_wider(void)
{
    for (int flat = 0; flat < 2; ++flat) {
        Cloud *c = cloud_make(1), *to;
        double sums[MOMENTS] = {0}, core = 0.15;
        c->rows.flat = flat;
        c->rows.x[0][0] = (mote_real)0.234, c->rows.x[1][0] = (mote_real)-0.117;
        c->rows.strength[2][0] = 2, c->rows.radius[0] = (mote_real)0.25;
        c->params.remesh_spacing = (mote_real)0.1, c->params.remesh_cut = 0;
        to = remeshed(c, 1);
        for (size_t i = 0; i < to->rows.count; ++i) add_moments(&to->rows, i, sums);
        const double wider = 0.25 * 0.25 - core * core, *z = sums + 20;
        CHECK_NEAR(z[0], 2, EXACT);
        CHECK_NEAR(z[4], 2 * (0.234 * 0.234 + wider), EXACT);
        CHECK_NEAR(z[7], 2 * (0.117 * 0.117 + wider), EXACT);
        CHECK_NEAR(z[5], -2 * 0.234 * 0.117, EXACT);
        CHECK_NEAR(z[9], flat ? 0 : 2 * wider, EXACT);
        CHECK_NEAR((double)to->rows.radius[0], core, EXACT);
        cloud_free(c), cloud_free(to);
    }
}

/* Small ones are left out, and their share given back. */
static void what_is_left_out_is_given_back(void)
{
    Cloud *c = random_cloud(300, 0.2), *to;
    c->params.remesh_spacing = (mote_real)0.13, c->params.remesh_cut = (mote_real)0.05;
    for (size_t i = 0; i < 300; ++i) c->rows.temperature[i] = 300, c->rows.fuel[i] = 0;
    const RowSums before = rows_sum(&c->rows);
    to = remeshed(c, 0.5);
    CHECK(d3_length(d3_sub(rows_sum(&to->rows).impulse, before.impulse)) > 1e-3);
    rows_keep(&to->rows, &before);
    const RowSums after = rows_sum(&to->rows);
    CHECK_NEAR(d3_length(d3_sub(after.strength, before.strength)), 0, 300 * EXACT);
    CHECK_NEAR(d3_length(d3_sub(after.impulse, before.impulse)), 0, 300 * EXACT);
    cloud_free(c), cloud_free(to);
}

/* The sine of the angle between strengths and vorticity, weighted by strengths. */
static double misalignment(Cloud *c)
{
    arena_reset(&c->arena);
    InduceRequest r = cloud_request(c, QUANTITY_GRADIENT);
    double off = 0, all = 0;
    r.count = c->rows.count;
    for (int k = 0; k < 3; ++k) r.x[k] = c->rows.x[k];
    for (int k = 0; k < INDUCE_GRADIENT; ++k)
        r.out[k] = arena_take(&c->arena, r.count * sizeof(mote_real));
    induce_direct.induce(&r);
    for (size_t i = 0; i < r.count; ++i) {
        const D3 w = d3((double)(r.out[10][i] - r.out[8][i]), (double)(r.out[5][i] - r.out[9][i]),
                        (double)(r.out[6][i] - r.out[4][i]));
        const D3 a = d3((double)c->rows.strength[0][i], (double)c->rows.strength[1][i],
                        (double)c->rows.strength[2][i]);
        off += d3_length(d3_cross(a, w)) / d3_length(w), all += d3_length(a);
    }
    return off / all;
}

/* A ring whose strengths point anywhere near where they should turns them back; and no further than
 * that, and keeps their sizes. */
static void strengths_turn_to_the_vorticity(void)
{
    Cloud *c = cloud_ring(200, 0.1, 0);
    RandomKey key = random_key(3, "ring");
    double before, sizes[2] = {0};
    c->params.stretching = 0, c->params.relaxation = 5, c->params.scheme = 1;
    const double clean = misalignment(c);
    for (size_t i = 0; i < c->rows.count; ++i)
        for (int k = 0; k < 3; ++k)
            c->rows.strength[k][i] +=
                (mote_real)0.01 * random_signed(random_draw(key, i, 0, 0).word[k]);
    before = misalignment(c);
    for (int n = 0; n < 2; ++n) {
        for (size_t i = 0; i < c->rows.count; ++i)
            sizes[n] += sqrt(pow((double)c->rows.strength[0][i], 2) +
                             pow((double)c->rows.strength[1][i], 2) +
                             pow((double)c->rows.strength[2][i], 2));
        for (int k = 0; k < 60 && n == 0; ++k) {
            arena_reset(&c->arena);
            CHECK(advance_vortons(&c->work, &c->rows));
        }
    }
    CHECK_NEAR(clean, 0, 1e-4);
    CHECK(before > 0.05);
    CHECK(misalignment(c) < before / 8);
    CHECK_NEAR(sizes[1] / sizes[0], 1, 0.03);
    cloud_free(c);
}

/* Halves of a ring's pieces: as many again, with its impulse and its energy. */
static void rings_are_split_and_merged(void)
{
    const size_t n = 150;
    Cloud *c = cloud_make(2 * n), *ring = cloud_ring(n, 0.1, 0);
    for (size_t i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) {
            c->rows.x[k][i] = ring->rows.x[k][i];
            c->rows.strength[k][i] = ring->rows.strength[k][i];
        }
        c->rows.radius[i] = (mote_real)0.1;
        c->rows.volume[i] = (mote_real)(0.01 * 2 * PI / (double)n);
        c->rows.stretched[i] = c->rows.strength[2][i];
    }
    const double energy = cloud_energy(ring, n);
    size_t count;
    c->rows.count = n, c->params.split = 2;
    CHECK(rows_to_split(&c->rows, &c->params, &count, &c->arena) != NULL);
    CHECK(count == 0); /* nothing has been stretched */
    for (size_t i = 0; i < n; ++i) c->rows.stretched[i] = (mote_real)(0.5 * 2 * PI / (double)n);
    c->params.split_most = 2 * n - 10;
    CHECK(rows_to_split(&c->rows, &c->params, &count, &c->arena) != NULL);
    CHECK(count == n - 10);
    c->rows.count = 2 * n;
    for (size_t i = 0; i < n; ++i) split_row(&c->rows, i, n + i);
    double sums[9];
    cloud_invariants(c, sums);
    for (int k = 0; k < 6; ++k) CHECK_NEAR(sums[k], k == 5 ? PI : 0, 10 * EXACT);
    CHECK_NEAR(cloud_energy(c, 2 * n) / energy, 1, 1e-3);
    CHECK_NEAR((double)c->rows.volume[0], 0.005 * 2 * PI / (double)n, 1e-8);
    /* And halves find each other again: they are nearer than the next piece's. */
    c->params.merge = (mote_real)0.32;
    const RowSums before = rows_sum(&c->rows);
    CHECK(merge_rows(&c->rows, &c->params, &count, &c->arena) != NULL);
    CHECK(count > n / 2 && count <= n);
    (void)before;
    cloud_free(c), cloud_free(ring);
}

/* Two that turn alike become one with their sum, where their impulse is; two that do not stay. */
static void near_ones_join(void)
{
    Cloud *c = cloud_make(3);
    size_t count;
    for (int i = 0; i < 3; ++i) {
        c->rows.x[0][i] = (mote_real)(0.05 * i), c->rows.radius[i] = (mote_real)0.2;
        c->rows.strength[2][i] = (mote_real)(i == 2 ? -1 : 1 + i);
        c->rows.temperature[i] = 300 + 90 * (mote_real)i;
    }
    c->params.merge = (mote_real)0.5;
    const size_t *left = merge_rows(&c->rows, &c->params, &count, &c->arena);
    CHECK(count == 1 && left[0] == 1);
    CHECK_NEAR((double)c->rows.strength[2][0], 3, 1e-6);
    CHECK_NEAR((double)c->rows.x[0][0], 0.05 * 2 / 3, 1e-6);
    CHECK_NEAR((double)c->rows.temperature[0], 345, 1e-3);
    CHECK_NEAR((double)c->rows.strength[2][2], -1, 0);
    cloud_free(c);
}

TESTS({"remeshing_keeps_moments", remeshing_keeps_moments},
      {"wide_cores_are_dealt_out_wider", wide_cores_are_dealt_out_wider},
      {"what_is_left_out_is_given_back", what_is_left_out_is_given_back},
      {"strengths_turn_to_the_vorticity", strengths_turn_to_the_vorticity},
      {"rings_are_split_and_merged", rings_are_split_and_merged},
      {"near_ones_join", near_ones_join})

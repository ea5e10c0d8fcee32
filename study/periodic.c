/* Flow in a periodic box, pseudo-spectral (Canuto, Hussaini, Quarteroni and Zang 1988):
 *
 *     d w^ / dt = i k x (u x w)^ - nu k^2 w^,  u^ = i k x w^ / k^2
 *
 * products at nodes, what they alias left out (two thirds of the waves stay), Williamson's
 * Runge-Kutta of third order. Nothing of it is shared with vortons but the transforms. */
#include "study/periodic.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- room ---- */

static bool take_planes(Periodic *s, PeriodicPlane planes[3])
{
    const size_t bytes = s->n * s->n * s->n * sizeof(float);
    for (int c = 0; c < 3; ++c) {
        planes[c].re = arena_take(&s->arena, bytes);
        planes[c].im = arena_take(&s->arena, bytes);
        if (planes[c].re == NULL || planes[c].im == NULL) return false;
        memset(planes[c].re, 0, bytes), memset(planes[c].im, 0, bytes);
    }
    return true;
}

mote_Status periodic_open(Periodic *s, size_t n, bool flows, mote_Tasks *tasks, mote_Error *error)
{
    const FftShape shape = {.axes = 3, .length = {n, n, n}};
    *s = (Periodic){.n = n, .memory = memory_make(mote_default_allocator())};
    s->arena = arena_make(&s->memory);
    bool room = take_planes(s, s->strength);
    if (flows) room = room && take_planes(s, s->change) && take_planes(s, s->work);
    if (!room) return status_no_memory(error, "spectrum", n * n * n);
    return fft_open(&shape, &s->memory, tasks, isa_pick(), &s->fft, error);
}

void periodic_close(Periodic *s)
{
    fft_close(s->fft);
    if (s->n > 0) arena_free(&s->arena);
    *s = (Periodic){.n = 0};
}

/* ---- waves ---- */

/* The wave vector of a number, in whole waves of the box; false: it would alias products. */
static bool wave_of(size_t n, size_t at, double k[3])
{
    const size_t i[3] = {at / n / n, at / n % n, at % n};
    bool kept = true;
    for (int c = 0; c < 3; ++c) {
        k[c] = i[c] <= n / 2 ? (double)i[c] : (double)i[c] - (double)n;
        kept = kept && 3 * fabs(k[c]) < (double)n;
        k[c] *= 2 * pi / PERIODIC_BOX;
    }
    return kept;
}

void periodic_transform(Periodic *s)
{
    for (int c = 0; c < 3; ++c) fft_forward(s->fft, s->strength[c].re, s->strength[c].im);
}

static void add_shell(double k2, double power, Spectrum *spectrum)
{
    const double dk = 2 * pi / PERIODIC_BOX;
    const double box = PERIODIC_BOX * PERIODIC_BOX * PERIODIC_BOX;
    const size_t shell = (size_t)(sqrt(k2) / dk + 0.5);
    spectrum->energy += 0.5 * power / k2 / box, spectrum->enstrophy += power / box;
    if (shell < spectrum->shells) spectrum->density[shell] += 0.5 * power / k2 / box / dk;
}

/* Parseval: energy is 1/2 sum |w^|^2 / k^2 over the box's volume. */
void periodic_measure(const Periodic *s, double core, Spectrum *spectrum)
{
    const size_t n = s->n;
    memset(spectrum, 0, sizeof *spectrum);
    spectrum->shells = n / 2 < PERIODIC_SHELLS ? n / 2 : PERIODIC_SHELLS;
    for (size_t i = 0; i < spectrum->shells; ++i)
        spectrum->k[i] = 2 * pi / PERIODIC_BOX * (double)i;
    for (size_t at = 1; at < n * n * n; ++at) {
        double k[3], power = 0;
        wave_of(n, at, k);
        const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        for (int c = 0; c < 3; ++c) {
            const double re = (double)s->strength[c].re[at], im = (double)s->strength[c].im[at];
            power += re * re + im * im;
        }
        add_shell(k2, power * exp(-k2 * core * core), spectrum);
    }
}

/* ---- stepping ---- */

/* i k x a^, times a factor. */
static void curl_of(const PeriodicPlane a[3], size_t at, const double k[3], double factor,
                    double re[3], double im[3])
{
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        re[c] = -factor * (k[d] * (double)a[e].im[at] - k[e] * (double)a[d].im[at]);
        im[c] = factor * (k[d] * (double)a[e].re[at] - k[e] * (double)a[d].re[at]);
    }
}

/* u^ + i w^, both of which are real at nodes: one transform for two. */
static void pair_waves(Periodic *s)
{
    const PeriodicPlane *w = s->strength;
    for (size_t at = 0; at < s->n * s->n * s->n; ++at) {
        double k[3], re[3], im[3];
        wave_of(s->n, at, k);
        const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        curl_of(w, at, k, at > 0 ? 1 / k2 : 0, re, im);
        for (int c = 0; c < 3; ++c) {
            s->work[c].re[at] = (float)(re[c] - (double)w[c].im[at]);
            s->work[c].im[at] = (float)(im[c] + (double)w[c].re[at]);
        }
    }
}

/* u x w at nodes, from sums over strengths. */
static void multiply_nodes(Periodic *s)
{
    const double nodes = (double)(s->n * s->n * s->n);
    const double volume = PERIODIC_BOX * PERIODIC_BOX * PERIODIC_BOX / nodes;
    const double scale = 1 / (nodes * nodes * volume);
    for (size_t at = 0; at < s->n * s->n * s->n; ++at) {
        double u[3], w[3];
        for (int c = 0; c < 3; ++c) {
            u[c] = (double)s->work[c].re[at], w[c] = (double)s->work[c].im[at];
            s->work[c].im[at] = 0;
        }
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            s->work[c].re[at] = (float)(scale * (u[d] * w[e] - u[e] * w[d]));
        }
    }
}

/* One stage: change = old * change + dt * rate, strength += part * change. */
static void add_rates(Periodic *s, double viscosity, double dt, const double stage[2])
{
    for (size_t at = 0; at < s->n * s->n * s->n; ++at) {
        double k[3], re[3], im[3];
        const double kept = wave_of(s->n, at, k) ? 1 : 0;
        const double fade = viscosity * (k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
        curl_of(s->work, at, k, kept, re, im);
        for (int c = 0; c < 3; ++c) {
            PeriodicPlane *w = &s->strength[c], *d = &s->change[c];
            d->re[at] =
                (float)(stage[0] * (double)d->re[at] + dt * (re[c] - fade * (double)w->re[at]));
            d->im[at] =
                (float)(stage[0] * (double)d->im[at] + dt * (im[c] - fade * (double)w->im[at]));
            w->re[at] = (float)(kept * ((double)w->re[at] + stage[1] * (double)d->re[at]));
            w->im[at] = (float)(kept * ((double)w->im[at] + stage[1] * (double)d->im[at]));
        }
    }
}

void periodic_step(Periodic *s, double viscosity, double dt)
{
    static const double stages[3][2] = {
        {0, 1.0 / 3}, {-5.0 / 9, 15.0 / 16}, {-153.0 / 128, 8.0 / 15}};
    for (int k = 0; k < 3; ++k) {
        pair_waves(s);
        for (int c = 0; c < 3; ++c) fft_backward(s->fft, s->work[c].re, s->work[c].im);
        multiply_nodes(s);
        for (int c = 0; c < 3; ++c) fft_forward(s->fft, s->work[c].re, s->work[c].im);
        add_rates(s, viscosity, dt, stages[k]);
    }
}

/* GSL is opened at run time, so that nothing needs it for building; the few declarations that are
 * used are those of gsl_odeiv2.h, version 2. */
#include "bench/peer_gsl.h"

#include "bench/bench.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef struct GslSystem {
    int (*function)(double t, const double y[], double dydt[], void *params);
    int (*jacobian)(double t, const double y[], double *dfdy, double dfdt[], void *params);
    size_t dimension;
    void *params;
} GslSystem;

typedef struct Gsl {
    void *library;
    void *const *rk4; /* gsl_odeiv2_step_rk4 */
    void *(*alloc)(const void *type, size_t dimension);
    int (*apply)(void *step, double t, double h, double y[], double yerr[], const double before[],
                 double after[], const GslSystem *system);
    void (*release)(void *step);
} Gsl;

static int fall(double t, const double y[], double dydt[], void *params)
{
    const size_t n = *(const size_t *)params;
    (void)t;
    for (size_t i = 0; i < 3 * n; ++i) dydt[i] = y[3 * n + i];
    for (size_t i = 0; i < 3 * n; ++i) dydt[3 * n + i] = i / n == 1 ? -9.81 : 0;
    return 0;
}

static bool open_gsl(Gsl *gsl)
{
    static const char *const names[] = {"libgsl.so.27", "libgsl.so.28", "libgsl.so.25",
                                        "libgsl.so"};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && gsl->library == NULL; ++i)
        gsl->library = dlopen(names[i], RTLD_LAZY);
    if (gsl->library == NULL) return false;
    gsl->rk4 = dlsym(gsl->library, "gsl_odeiv2_step_rk4");
    *(void **)&gsl->alloc = dlsym(gsl->library, "gsl_odeiv2_step_alloc");
    *(void **)&gsl->apply = dlsym(gsl->library, "gsl_odeiv2_step_apply");
    *(void **)&gsl->release = dlsym(gsl->library, "gsl_odeiv2_step_free");
    return gsl->rk4 != NULL && gsl->alloc != NULL && gsl->apply != NULL && gsl->release != NULL;
}

static double time_steps(const Gsl *gsl, size_t count, double *y, double *yerr)
{
    GslSystem system = {fall, NULL, 6 * count, &count};
    void *step = gsl->alloc(*gsl->rk4, 6 * count);
    double best = 0;
    for (int trial = 0; step != NULL && trial < 20; ++trial) {
        double before = clock_seconds();
        if (gsl->apply(step, 0, 1e-4, y, yerr, NULL, NULL, &system) != 0) break;
        double rate = (double)count / (clock_seconds() - before);
        best = rate > best ? rate : best;
    }
    if (step != NULL) gsl->release(step);
    return best;
}

double peer_gsl_rk4(size_t count)
{
    Gsl gsl = {0};
    double rate = 0;
    if (open_gsl(&gsl)) {
        double *y = calloc(12 * count, sizeof *y);
        if (y != NULL) rate = time_steps(&gsl, count, y, y + 6 * count);
        free(y);
    }
    if (gsl.library != NULL) dlclose(gsl.library);
    return rate;
}

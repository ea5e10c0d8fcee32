/* The tables: kernels that users name, and the code of each instruction set. */
#include "render/kernel.h"

#include "base/isa.h"
#include "render/splat.h"

#include <string.h>

ISA_KERNELS(render_kernels_of, RenderKernels, render_table)

const RenderKernels *render_kernels(void)
{
    return render_kernels_of(isa_pick());
}

/* Every profile has the area 2 pi deviation^2, so that energy does not depend on the form. */
static const KernelRow rows[] = {
    {.head = {.name = "gaussian",
              .doc = "a Gaussian of half the radius, cut smoothly at 3.2 deviations (EWA "
                     "splatting, Zwicker "
                     "et al. 2002)"},
     .profile = PROFILE_GAUSSIAN,
     .deviation = 0.5f,
     .reach = 3.1842725f,
     .line = 2.5151781f},
    {.head = {.name = "soft", .doc = "(1 - (d/radius)^2)^2: compact, without an edge, the fastest"},
     .profile = PROFILE_SOFT,
     .deviation = 0.40824829f, /* 1/sqrt(6) */
     .reach = 2.4494897f,      /* sqrt(6) */
     .line = 2.6127891f},      /* sqrt(6) 16/15 */
    {.head = {.name = "disc", .doc = "a sharp disc whose edge pixels are covered in part"},
     .profile = PROFILE_DISC,
     .deviation = 0.70710678f, /* 1/sqrt(2) */
     .reach = 1.4142136f,      /* sqrt(2) */
     .line = 2.8284271f},      /* 2 sqrt(2) */
};

const KernelRow *kernel_rows(size_t *count)
{
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

const KernelRow *kernel_row(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (strcmp(rows[i].head.name, name) == 0) return &rows[i];
    return NULL;
}

const mote_Row *const *kernel_family(Isa isa, size_t *count)
{
    static const mote_Row *const heads[] = {&rows[0].head, &rows[1].head, &rows[2].head};
    (void)isa;
    *count = sizeof heads / sizeof heads[0];
    return heads;
}

/* The tables: profiles that users name, and the code of each instruction set. */
#include "render/splat.h"
#include "render/tables.h"

#include "base/isa.h"
#include "base/row.h"

ISA_KERNELS(render_kernels_of, RenderKernels, render_table)

const RenderKernels *render_kernels(void)
{
    return render_kernels_of(isa_pick());
}

static const ProfileRow rows[] = {
    {.head = {.name = "gaussian",
              .doc = "a Gaussian of half the radius, cut at 3.2 deviations (EWA splatting, Zwicker "
                     "et al. 2002)"},
     .form = PROFILE_GAUSSIAN,
     .deviation = 0.5f},
    {.head = {.name = "soft", .doc = "(1 - (d/radius)^2)^2: compact, without an edge, the fastest"},
     .form = PROFILE_SOFT,
     .deviation = 0.40824829f}, /* 1/sqrt(6) */
    {.head = {.name = "disc", .doc = "a sharp disc whose edge pixels are covered in part"},
     .form = PROFILE_DISC,
     .deviation = 0.70710678f}, /* 1/sqrt(2) */
    {.head = {.name = "sphere",
              .doc = "a lit ball that hides what is behind it pixel by pixel, with a smooth rim"},
     .form = PROFILE_SPHERE,
     .deviation = 0.70710678f},
    {.head = {.name = "liquid",
              .doc =
                  "one clear, smooth surface around all particles, which bends and absorbs light "
                  "(screen-space fluid, van der Laan et al. 2009)"},
     .form = PROFILE_SPHERE,
     .deviation = 0.70710678f,
     .liquid = true},
};

const ProfileRow *profile_rows(size_t *count)
{
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

ROW_TABLE(profile_family, &rows[0].head, &rows[1].head, &rows[2].head, &rows[3].head, &rows[4].head)

size_t profile_sprites(void)
{
    size_t count = sizeof rows / sizeof rows[0];
    while (count > 1 && rows[count - 1].liquid) --count;
    return count;
}

const ProfileRow *profile_row(const char *name)
{
    size_t count;
    const mote_Row *const *heads = profile_family(ISA_V1, &count);
    return (const ProfileRow *)(const void *)row_named(heads, count, name); /* its head is first */
}

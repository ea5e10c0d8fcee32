/* The choice of the instruction set, versions, and vectors. */
#include "setup.h"

#include "base/isa.h"
#include "base/vec.h"

static void isa_can_be_forced(void)
{
    mote_Error error = {0};
    unsetenv("MOTE_ISA");
    CHECK_OK(mote_isa_check(&error), error);
    Isa best = isa_pick();
    for (int isa = 0; isa < ISA_COUNT; ++isa) {
        setenv("MOTE_ISA", isa_name((Isa)isa), 1);
        bool here = isa <= (int)best;
        CHECK(isa_pick() == (here ? (Isa)isa : best));
        CHECK(strcmp(mote_isa_name(), isa_name(here ? (Isa)isa : best)) == 0);
        CHECK(mote_isa_check(&error) == (here ? MOTE_OK : MOTE_UNAVAILABLE));
    }
    unsetenv("MOTE_ISA");
}

static void unknown_isa_is_reported(void)
{
    static const char *const names[] = {"", "avx3", "x86-64-v", "X86-64-V3", "baselinee"};
    unsetenv("MOTE_ISA");
    Isa best = isa_pick();
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        mote_Error error = {0};
        setenv("MOTE_ISA", names[i], 1);
        CHECK(isa_pick() == best);
        CHECK(mote_isa_check(&error) == MOTE_UNAVAILABLE);
        CHECK_MESSAGE(error, names[i]);
        CHECK_MESSAGE(error, isa_name(best));
    }
    unsetenv("MOTE_ISA");
}

static void versions(void)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", MOTE_VERSION_MAJOR, MOTE_VERSION_MINOR,
             MOTE_VERSION_PATCH);
    CHECK(strcmp(mote_version(), text) == 0);
    CHECK(mote_real_size() == (int)sizeof(mote_real));
}

static void vectors(void)
{
    uint64_t state = 5;
    mote_real small = sizeof(mote_real) == 4 ? (mote_real)1e-5 : (mote_real)1e-14;
    for (int i = 0; i < 1000; ++i) {
        mote_Vec3 a = setup_vec(setup_uniform(&state, -2, 2), setup_uniform(&state, -2, 2),
                                setup_uniform(&state, -2, 2));
        mote_Vec3 b = setup_vec(setup_uniform(&state, -2, 2), setup_uniform(&state, -2, 2),
                                setup_uniform(&state, -2, 2));
        mote_Vec3 c = vec3_cross(a, b), n = vec3_unit(a, b), across = vec3_across(n);
        CHECK_NEAR(vec3_dot(c, a), 0, 10 * small);
        CHECK_NEAR(vec3_dot(c, c),
                   vec3_dot(a, a) * vec3_dot(b, b) - vec3_dot(a, b) * vec3_dot(a, b), 100 * small);
        CHECK_NEAR(vec3_length(n), 1, small);
        CHECK_NEAR(vec3_length(across), 1, small);
        CHECK_NEAR(vec3_dot(across, n), 0, small);
    }
    mote_Vec3 z = vec3_cross(vec3(1, 0, 0), vec3(0, 1, 0));
    CHECK(z.x == 0 && z.y == 0 && z.z == 1);
    CHECK(vec3_unit(vec3(0, 0, 0), vec3(0, 1, 0)).y == 1);
    static const mote_Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}};
    for (size_t i = 0; i < COUNT_OF(axes); ++i) {
        CHECK(vec3_dot(vec3_across(axes[i]), axes[i]) == 0);
        CHECK(vec3_length(vec3_across(axes[i])) == 1);
    }
}

TESTS({"isa_can_be_forced", isa_can_be_forced},
      {"unknown_isa_is_reported", unknown_isa_is_reported}, {"versions", versions},
      {"vectors", vectors})

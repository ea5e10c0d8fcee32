/* Colour maps and black bodies. */
#include "check.h"

#include "render/colormap.h"

#include <math.h>
#include <string.h>

static double srgb(float linear)
{
    double x = (double)linear;
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

/* Colours of the published maps at places between our anchors. */
static void maps_are_the_published_ones(void)
{
    static const struct {
        const char *name;
        double t;
        int color[3];
    } rows[] = {
        {"viridis", 0, {68, 1, 84}},
        {"viridis", 128 / 255.0, {33, 145, 140}},
        {"viridis", 1, {253, 231, 37}},
        {"viridis", 40 / 255.0, {68, 57, 131}},
        {"magma", 100 / 255.0, {140, 41, 129}},
        {"inferno", 200 / 255.0, {251, 157, 7}},
        {"plasma", 60 / 255.0, {122, 2, 168}},
        {"turbo", 128 / 255.0, {164, 252, 60}},
        {"turbo", 1, {122, 4, 3}},
        {"coolwarm", 128 / 255.0, {221, 221, 221}},
        {"grey", 0.5, {128, 128, 128}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        float color[1][3];
        mote_Error error;
        CHECK_OK(mote_colormap(rows[i].name, &rows[i].t, 1, color, &error), error);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(255 * srgb(color[0][k]), rows[i].color[k], 4.5);
    }
}

/* The maps that promise it get lighter all the way. */
static void lightness_rises(void)
{
    static const char *const names[] = {"viridis", "magma", "inferno", "plasma",
                                        "cividis", "grey",  "fire",    "ice"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
        ColorTable table;
        double last = -1;
        color_table_make(&table, colormap_row(names[n]));
        for (int i = 0; i <= 100; ++i) {
            float c[3];
            color_table_at(&table, i / 100.0, c);
            double y = 0.2126 * (double)c[0] + 0.7152 * (double)c[1] + 0.0722 * (double)c[2];
            CHECK(y >= last);
            last = y;
        }
    }
}

static void every_row_gives_colors(void)
{
    size_t count;
    const mote_Row *const *rows = colormap_family(ISA_V1, &count);
    const double values[] = {-1e300, -1, 0, 0.37, 1, 2, HUGE_VAL, (double)NAN};
    enum { N = sizeof values / sizeof values[0] };
    CHECK(count >= 8);
    for (size_t i = 0; i < count; ++i) {
        float colors[N][3];
        mote_Error error;
        CHECK_OK(mote_colormap(rows[i]->name, values, N, colors, &error), error);
        for (size_t n = 0; n < N; ++n)
            for (int k = 0; k < 3; ++k) CHECK(colors[n][k] >= 0 && colors[n][k] <= 1);
        CHECK(memcmp(colors[0], colors[2], sizeof colors[0]) == 0);
        CHECK(memcmp(colors[4], colors[6], sizeof colors[0]) == 0);
        CHECK(colors[7][0] + colors[7][1] + colors[7][2] == 0);
    }
}

static void unknown_maps_are_named(void)
{
    mote_Error error;
    double value = 0;
    float color[1][3];
    CHECK(mote_colormap("virdis", &value, 1, color, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "viridis") != NULL);
    CHECK(mote_colormap("zzzzzz", &value, 1, color, &error) == MOTE_BAD_VALUE);
    CHECK(strstr(error.message, "did you mean") == NULL);
}

/* The Planckian locus of the CIE 1931 observer; below 1900 K it leaves what a screen can show. */
static void blackbody_is_on_the_locus(void)
{
    static const double rows[][3] = {{2000, 0.5267, 0.4133}, {2856, 0.4476, 0.4074},
                                     {4000, 0.3805, 0.3768}, {5000, 0.3451, 0.3516},
                                     {6500, 0.3135, 0.3237}, {10000, 0.2806, 0.2883}};
    static const double to_xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                        {0.2126729, 0.7151522, 0.0721750},
                                        {0.0193339, 0.1191920, 0.9503041}}; /* of linear sRGB */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double xyz[3] = {0};
        float color[3];
        mote_blackbody(rows[i][0], color);
        for (int k = 0; k < 3; ++k)
            for (int c = 0; c < 3; ++c) xyz[k] += to_xyz[k][c] * (double)color[c];
        double sum = xyz[0] + xyz[1] + xyz[2];
        CHECK_NEAR(xyz[0] / sum, rows[i][1], 0.012);
        CHECK_NEAR(xyz[1] / sum, rows[i][2], 0.012);
    }
}

/* 6500 K is near white; luminance is 1 at 2000 K and, between 1500 and 2000 K, rises as Planck's
 * law does around 580 nm, the wavelength that counts most there. */
static void blackbody_has_the_right_light(void)
{
    float white[3], warm[3], cold[3];
    mote_blackbody(6500, white);
    mote_blackbody(2000, warm);
    mote_blackbody(1500, cold);
    CHECK_NEAR(white[1] / white[0], 1, 0.06);
    CHECK_NEAR(white[2] / white[0], 1, 0.06);
    double y = 0.2126729 * (double)warm[0] + 0.7151522 * (double)warm[1];
    CHECK_NEAR(y + 0.0721750 * (double)warm[2], 1, 0.03); /* blue is cut off at 0 */
    double ratio = 0.2126729 * (double)cold[0] + 0.7151522 * (double)cold[1];
    CHECK_NEAR(log(ratio / y), -0.014388 / 585e-9 * (1 / 1500.0 - 1 / 2000.0), 0.15);
    CHECK(warm[0] > warm[1] && warm[1] > warm[2]);
}

static void blackbody_table_is_near(void)
{
    static const double wrong[] = {0, -5, (double)NAN, HUGE_VAL, 1e9};
    ColorTable table;
    blackbody_table_make(&table);
    for (double t = 700; t < 15000; t *= 1.0137) {
        float a[3], b[3];
        mote_blackbody(t, a);
        blackbody_table_at(&table, t, b);
        CHECK_NEAR(b[0] / a[0], 1, 3e-3);
        CHECK_NEAR(b[1], a[1], 6e-3 * (double)a[0]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        float c[3];
        blackbody_table_at(&table, wrong[i], c);
        for (int k = 0; k < 3; ++k) CHECK(isfinite(c[k]) && c[k] >= 0);
        mote_blackbody(wrong[i], c);
        for (int k = 0; k < 3; ++k) CHECK(isfinite(c[k]) && c[k] >= 0);
    }
}

TESTS({"maps_are_the_published_ones", maps_are_the_published_ones},
      {"lightness_rises", lightness_rises}, {"every_row_gives_colors", every_row_gives_colors},
      {"unknown_maps_are_named", unknown_maps_are_named},
      {"blackbody_is_on_the_locus", blackbody_is_on_the_locus},
      {"blackbody_has_the_right_light", blackbody_has_the_right_light},
      {"blackbody_table_is_near", blackbody_table_is_near})

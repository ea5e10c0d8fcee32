/* How far stretching goes. */
#include "check.h"
#include "solvers/vortex/cloud_rows.h"

/* One vorton's strength in the strain of so many sub-steps of a tenth. */
static double strained(Cloud *c, int steps)
{
    double size = 0;
    for (int k = 0; k < steps; ++k)
        stretch_strength(&c->params, &c->rows, 0,
                         vec3((mote_real)0.1 * c->rows.strength[0][0], 0, 0));
    for (int i = 0; i < 3; ++i) size += pow((double)c->rows.strength[i][0], 2);
    return sqrt(size);
}

/* As strain says up to the limit, and no further; back again; what is put in is stretched too. */
static void tubes_stretch_to_their_limit(void)
{
    Cloud *c = cloud_make(1);
    c->params.stretch_limit = 3, c->rows.strength[0][0] = 1;
    CHECK_NEAR(strained(c, 5), pow(1.1, 5), 1e-6);
    CHECK_NEAR(strained(c, 5000), 3, 1e-5);
    stretch_strength(&c->params, &c->rows, 0, vec3((mote_real)-1.5, 0, 0));
    CHECK_NEAR(strained(c, 0), 1.5, 1e-5);
    CHECK_NEAR(strained(c, 50), 3, 1e-5);
    c->rows.strength[0][0] += 1; /* by a source */
    CHECK_NEAR(strained(c, 50), 6, 1e-5);
    c->rows.strength[0][0] = (mote_real)0.1; /* and another took nearly all of it */
    strained(c, 1);
    c->rows.strength[0][0] += 1;
    CHECK(strained(c, 50) > 3);
    cloud_free(c);
}

/* A tube at its limit still tilts. */
static void stretched_tubes_tilt(void)
{
    Cloud *c = cloud_make(1);
    c->rows.strength[0][0] = 1;
    strained(c, 50);
    stretch_strength(&c->params, &c->rows, 0, vec3(0, (mote_real)0.5, 0));
    CHECK_NEAR(strained(c, 0), 2, 1e-5);
    CHECK_NEAR((double)c->rows.strength[1][0] / (double)c->rows.strength[0][0], 0.25, 1e-6);
    cloud_free(c);
}

TESTS({"tubes_stretch_to_their_limit", tubes_stretch_to_their_limit},
      {"stretched_tubes_tilt", stretched_tubes_tilt})

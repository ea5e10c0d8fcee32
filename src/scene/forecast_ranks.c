/* What each of several ranks would need of a scene's memory, and how many are worth while. */
#include "scene/forecast.h"

#include "base/math.h"
#include "base/status.h"
#include "solvers/solver.h"

#include <math.h>

static const double uneven = 1.1; /* the rank with the most, over an even share */

/* What ranks have to do with a scene: of several systems, what asks for most. */
typedef struct SceneSpread {
    bool copied;    /* some system is whole on every rank */
    double support; /* spacings that a particle of a liquid feels; 0: none feels others */
    int dimension;
} SceneSpread;

static SceneSpread spread_of(const Forecast *f)
{
    SceneSpread spread = {.dimension = f->scene->world.def.dimension == 2 ? 2 : 3};
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const SolverFacts facts = forecast_facts(f, &forecast_systems(f)[i]);
        spread.copied = spread.copied || facts.copied;
        if (facts.spacing > 0) spread.support = fmax(spread.support, facts.support);
    }
    return spread;
}

/* Particles in one layer of cells around a cube of so many, over these. */
static double ghosts_around(const SceneSpread *spread, double particles)
{
    if (!(spread->support > 0) || !(particles > 0)) return 0;
    const double side = math_pow(particles, 1.0 / spread->dimension);
    return math_pow(1 + 2 * spread->support / side, spread->dimension) - 1;
}

/* The least that a rank should have: ghosts no more than 0.4 of it, and 43 bricks of 4 cells, which
 * can be dealt to within 1.03 (docs/design/0033-ranks.md); and enough to do beside messages. */
static double least_share(const SceneSpread *spread)
{
    enum { BRICKS = 43, BRICK_CELLS = 4, LIQUID = 10000, FREE = 100000 };
    const double power = spread->dimension;
    if (!(spread->support > 0)) return FREE;
    const double side = 2 * spread->support / (math_pow(1.4, 1 / power) - 1);
    const double bricks = BRICKS * math_pow(BRICK_CELLS * spread->support, power);
    return fmax(fmax(math_pow(side, power), bricks), LIQUID);
}

/* Bytes that a row of a liquid takes while it is put in order for a file: parts of a frame and a
 * state, one of them on its way, and a list. */
static double ordering(const Forecast *f)
{
    enum { ORDER = 8, LISTS = 40 };
    return 4 * f->row_disk + ORDER + LISTS;
}

void forecast_share(const Forecast *f, int ranks, mote_SceneShare *out)
{
    enum { NUMBER = 8 }; /* bytes: the first has a plane of all rows at a time */
    const SceneSpread spread = spread_of(f);
    const bool deals = ranks > 1 && !spread.copied, sorts = deals && spread.support > 0;
    const double all = f->particles, own = deals ? fmin(uneven * all / ranks, all) : all;
    const double ghosts = deals ? ghosts_around(&spread, own) : 0;
    const double row = f->row_memory + (sorts ? ordering(f) : 0);
    const double each = own * (row + f->solver_memory * (1 + ghosts));
    /* Pictures are of all rows. */
    const double drawn =
        f->picture_memory > 0 ? f->picture_memory + (deals ? all * f->row_disk : 0) : 0;
    *out = (mote_SceneShare){.memory = forecast_whole(each),
                             .first = forecast_whole(each + (deals ? NUMBER * all : 0)),
                             .drawing = forecast_whole(drawn),
                             .ghosts = ghosts,
                             .copied = spread.copied};
    const double most = spread.copied ? 1 : floor(all / least_share(&spread));
    out->most = most < 1 ? 1 : most < 1e6 ? (int)most : 1000000;
}

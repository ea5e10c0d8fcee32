/* What each of several ranks would need of a scene's memory, and how many are worth while. */
#include "scene/forecast.h"

#include "base/math.h"
#include "base/status.h"
#include "solvers/solver.h"

#include <math.h>

static const double uneven = 1.1; /* the rank with the most, over an even share */

/* What ranks have to do with a scene: of several systems, what asks for most. */
typedef struct Spread {
    bool copied;    /* some system is whole on every rank */
    double support; /* spacings that a particle of a liquid feels; 0: none feels others */
    int dimension;
} Spread;

static Spread spread_of(const Forecast *f)
{
    Spread spread = {.dimension = f->scene->world.def.dimension == 2 ? 2 : 3};
    for (size_t i = 0; i < f->scene->systems.count; ++i) {
        const SolverFacts facts = forecast_facts(f, &forecast_systems(f)[i]);
        spread.copied = spread.copied || facts.copied;
        if (facts.spacing > 0) spread.support = fmax(spread.support, facts.support);
    }
    return spread;
}

/* Particles in one layer of cells around a cube of so many, over these. */
static double ghosts_around(const Spread *spread, double particles)
{
    if (!(spread->support > 0) || !(particles > 0)) return 0;
    const double side = math_pow(particles, 1.0 / spread->dimension);
    return math_pow(1 + 2 * spread->support / side, spread->dimension) - 1;
}

/* The least that a rank should have: ghosts no more than 0.4 of it, and 43 bricks of 4 cells, which
 * can be dealt to within 1.03 (docs/design/0033-ranks.md); and enough to do beside messages. */
static double least_share(const Spread *spread)
{
    enum { BRICKS = 43, BRICK_CELLS = 4, LIQUID = 10000, FREE = 100000 };
    const double power = spread->dimension;
    if (!(spread->support > 0)) return FREE;
    const double side = 2 * spread->support / (math_pow(1.4, 1 / power) - 1);
    const double bricks = BRICKS * math_pow(BRICK_CELLS * spread->support, power);
    return fmax(fmax(math_pow(side, power), bricks), LIQUID);
}

void forecast_share(const Forecast *f, int ranks, mote_SceneShare *out)
{
    enum {
        ORDER = 8,
        SORTING = 40
    }; /* bytes: a row's number among all, and putting them in order */
    const Spread spread = spread_of(f);
    const double all = f->particles, own = spread.copied ? all : uneven * all / ranks;
    const double ghosts = ranks > 1 && !spread.copied ? ghosts_around(&spread, own) : 0;
    const double row = f->row_memory + (spread.support > 0 && ranks > 1 ? ORDER : 0);
    const double each = fmin(own, all) * (row + f->solver_memory * (1 + ghosts));
    /* Rank 0 gathers frames and states, whole, and puts liquids in order. */
    const double gathered = ranks > 1 && !spread.copied
                                ? all * (2 * f->row_disk + (spread.support > 0 ? SORTING : 0))
                                : 0;
    *out = (mote_SceneShare){.memory = forecast_whole(each),
                             .first = forecast_whole(each + gathered + f->picture_memory),
                             .ghosts = ghosts,
                             .copied = spread.copied};
    const double most = spread.copied ? 1 : floor(all / least_share(&spread));
    out->most = most < 1 ? 1 : most < 1e6 ? (int)most : 1000000;
}

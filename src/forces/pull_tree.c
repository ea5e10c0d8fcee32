/* The tree of Barnes and Hut with second moments: groups of neighbouring points walk the tree of
 * masses; a far cell pulls as its mass at its centre of mass, with its second moments, and a leaf
 * that is near is summed. Cost N log N.
 *
 * The moments are the terms of second order of Taylor's series of the softened kernel itself, trace
 * and all, so that softening is exact in them. Barnes and Hut, Nature 324, 1986; groups: Barnes, J.
 * Comput. Phys. 87, 1990; why not the stand-in sources of vortices: docs/design/0021-gravity.md. */
#include "forces/pull.h"

#include "space/tree.h"

#include <string.h>

/* A leaf of 16 masses is two vectors of eight. */
enum {
    GROUP_POINTS = 128,
    LEAF_MASSES = 16,
    LISTED = 512,      /* pullers that wait to be summed: long sums waste fewer lanes */
    CELL_FROM = 4,     /* masses that a far cell must have to stand for them */
    PADDING_PLACE = 4, /* far from all points: no distance is zero */
};

typedef struct Listed {
    mote_real plane[PULL_CELL_PLANES][LISTED];
    size_t count;
    uint64_t summed; /* so far */
} Listed;

typedef struct Walk {
    const PullRequest *request;
    Tree masses, points;
    mote_real *gm;                     /* in the order of `masses` */
    mote_real *cell[PULL_CELL_PLANES]; /* moments, by the number of the cell */
    size_t *groups;
    size_t group_count;
    double *out[PULL_OUT]; /* in the order of `points` */
} Walk;

/* ---- moments ---- */

/* Mass times G, its centre, and the sums of gm d d: xx, yy, zz, yz, xz, xy. */
typedef struct PullMoments {
    double gm, x[3], second[6];
} PullMoments;

static void add_centre(PullMoments *sum, double gm, const double x[3])
{
    sum->gm += gm;
    for (int c = 0; c < 3; ++c) sum->x[c] += gm * x[c];
}

static void add_second(PullMoments *sum, double gm, const double x[3])
{
    static const int first[6] = {0, 1, 2, 1, 0, 0}, other[6] = {0, 1, 2, 2, 2, 1};
    double d[3];
    for (int c = 0; c < 3; ++c) d[c] = x[c] - sum->x[c];
    for (int k = 0; k < 6; ++k) sum->second[k] += gm * d[first[k]] * d[other[k]];
}

/* A member of a cell: one of its masses, or a child. */
static PullMoments member_of(const Walk *walk, const TreeCell *cell, size_t k)
{
    PullMoments m = {0};
    if (cell->child_count == 0) {
        size_t i = cell->first + k;
        m.gm = (double)walk->gm[i];
        for (int c = 0; c < 3; ++c) m.x[c] = (double)walk->masses.x[c][i];
        return m;
    }
    size_t child = cell->child + k;
    m.gm = (double)walk->cell[PULL_GM][child];
    for (int c = 0; c < 3; ++c) m.x[c] = (double)walk->cell[PULL_X + c][child];
    for (int p = 0; p < 6; ++p) m.second[p] = (double)walk->cell[PULL_SECOND + p][child];
    return m;
}

/* About the centre of mass first moments vanish, so that the error of a cell begins with third
 * ones. Steiner's theorem moves the children's second moments there. */
static PullMoments moments_of(const Walk *walk, const TreeCell *cell)
{
    PullMoments sum = {0};
    size_t members = cell->child_count > 0 ? (size_t)cell->child_count : cell->count;
    for (size_t k = 0; k < members; ++k) {
        PullMoments m = member_of(walk, cell, k);
        add_centre(&sum, m.gm, m.x);
    }
    for (int c = 0; c < 3; ++c) sum.x[c] = sum.gm > 0 ? sum.x[c] / sum.gm : (double)cell->center[c];
    for (size_t k = 0; k < members; ++k) {
        PullMoments m = member_of(walk, cell, k);
        add_second(&sum, m.gm, m.x);
        for (int p = 0; p < 6; ++p) sum.second[p] += m.second[p];
    }
    return sum;
}

/* Children stand after their parents. */
static void fill_moments(const Walk *walk)
{
    for (size_t i = walk->masses.cell_count; i-- > 0;) {
        PullMoments m = moments_of(walk, &walk->masses.cells[i]);
        walk->cell[PULL_GM][i] = (mote_real)m.gm;
        for (int c = 0; c < 3; ++c) walk->cell[PULL_X + c][i] = (mote_real)m.x[c];
        for (int p = 0; p < 6; ++p) walk->cell[PULL_SECOND + p][i] = (mote_real)m.second[p];
    }
}

/* ---- the walk of a group ---- */

typedef struct GroupWalk {
    const Walk *walk;
    PullJob job;
    Listed masses, cells;
} GroupWalk;

static void sum_listed(GroupWalk *group, Listed *listed, PullKernel *kernel, int planes)
{
    if (listed->count == 0) return;
    for (; listed->count % 8 != 0; ++listed->count)
        for (int p = 0; p < planes; ++p)
            listed->plane[p][listed->count] = p < PULL_GM ? PADDING_PLACE : 0;
    for (int p = 0; p < planes; ++p) group->job.pullers.plane[p] = listed->plane[p];
    group->job.pullers.count = listed->count;
    kernel(&group->job);
    listed->summed += listed->count;
    listed->count = 0;
}

static void sum_masses(GroupWalk *group)
{
    const PullRequest *r = group->walk->request;
    sum_listed(group, &group->masses, r->kernels->masses[r->quantity], PULL_MASS_PLANES);
}

static void sum_cells(GroupWalk *group)
{
    const PullRequest *r = group->walk->request;
    sum_listed(group, &group->cells, r->kernels->cells[r->quantity], PULL_CELL_PLANES);
}

static void list_masses(GroupWalk *group, const TreeCell *cell)
{
    const Walk *walk = group->walk;
    Listed *to = &group->masses;
    for (size_t done = 0; done < cell->count;) {
        size_t room = LISTED - to->count, left = cell->count - done;
        size_t taken = left < room ? left : room, from = cell->first + done;
        for (int c = 0; c < 3; ++c)
            memcpy(to->plane[PULL_X + c] + to->count, walk->masses.x[c] + from,
                   taken * sizeof(mote_real));
        memcpy(to->plane[PULL_GM] + to->count, walk->gm + from, taken * sizeof(mote_real));
        to->count += taken, done += taken;
        if (to->count == LISTED) sum_masses(group);
    }
}

static void list_cell(void *context, size_t number, bool far)
{
    GroupWalk *group = context;
    const Walk *walk = group->walk;
    const TreeCell *cell = &walk->masses.cells[number];
    Listed *to = &group->cells;
    if (!far || cell->count < CELL_FROM) {
        list_masses(group, cell);
        return;
    }
    for (int p = 0; p < PULL_CELL_PLANES; ++p) to->plane[p][to->count] = walk->cell[p][number];
    if (++to->count == LISTED) sum_cells(group);
}

static void note_sums(const GroupWalk *group)
{
    PullTally *tally = group->walk->request->tally;
    if (tally == NULL) return;
    __atomic_fetch_add(&tally->masses, group->masses.summed * group->job.count, __ATOMIC_RELAXED);
    __atomic_fetch_add(&tally->cells, group->cells.summed * group->job.count, __ATOMIC_RELAXED);
}

/* One walk for a group of points that stand together, and not one for each: what is far for the
 * group's box is far for all in it (Barnes 1990). */
static void walk_body(void *context, size_t begin, size_t end, int worker)
{
    const Walk *walk = context;
    (void)worker;
    for (size_t g = begin; g < end; ++g) {
        const TreeCell *cell = &walk->points.cells[walk->groups[g]];
        GroupWalk group = {.walk = walk};
        group.job = (PullJob){.count = cell->count, .softening2 = walk->request->softening2};
        for (int c = 0; c < 3; ++c) group.job.x[c] = walk->points.x[c] + cell->first;
        for (int p = 0; p < pull_planes(walk->request->quantity); ++p) {
            group.job.out[p] = walk->out[p] + cell->first;
            memset(group.job.out[p], 0, cell->count * sizeof(double));
        }
        tree_walk(&walk->masses, cell, walk->request->opening, list_cell, &group);
        sum_masses(&group);
        sum_cells(&group);
        note_sums(&group);
    }
}

/* ---- all groups ---- */

/* Masses without what fills them up. */
static size_t mass_count(const Pullers *masses)
{
    size_t count = masses->count;
    while (count > 0 && !(masses->plane[PULL_GM][count - 1] > 0)) --count;
    return count;
}

static bool build_trees(Walk *walk, size_t masses)
{
    const PullRequest *r = walk->request;
    const mote_real *place[3];
    for (int c = 0; c < 3; ++c) place[c] = r->masses.plane[PULL_X + c];
    return tree_build(&walk->masses, place, masses, LEAF_MASSES, r->arena, r->tasks) &&
           tree_build(&walk->points, r->x, r->count, GROUP_POINTS, r->arena, r->tasks);
}

static bool make_room(Walk *walk)
{
    Arena *arena = walk->request->arena;
    walk->groups = arena_take(arena, walk->points.cell_count * sizeof *walk->groups);
    walk->gm = arena_take(arena, walk->masses.count * sizeof *walk->gm);
    bool room = walk->groups != NULL && walk->gm != NULL;
    for (int p = 0; p < PULL_CELL_PLANES; ++p) {
        walk->cell[p] = arena_take(arena, walk->masses.cell_count * sizeof(mote_real));
        room = room && walk->cell[p] != NULL;
    }
    for (int p = 0; p < PULL_OUT; ++p) {
        walk->out[p] = arena_take(arena, walk->points.count * sizeof(double));
        room = room && walk->out[p] != NULL;
    }
    return room;
}

static void sort_masses(Walk *walk)
{
    const mote_real *gm = walk->request->masses.plane[PULL_GM];
    for (size_t i = 0; i < walk->masses.count; ++i) walk->gm[i] = gm[walk->masses.order[i]];
    for (size_t i = 0; i < walk->points.cell_count; ++i)
        if (walk->points.cells[i].child_count == 0) walk->groups[walk->group_count++] = i;
}

bool pull_tree(const PullRequest *request)
{
    Walk walk = {.request = request};
    size_t masses = mass_count(&request->masses);
    if (request->count == 0 || masses == 0) return pull_direct(request);
    if (!build_trees(&walk, masses) || !make_room(&walk)) return false;
    sort_masses(&walk);
    fill_moments(&walk);
    mote_parallel_for(request->tasks, walk.group_count, 1, walk_body, &walk);
    for (int p = 0; p < pull_planes(request->quantity); ++p)
        for (size_t i = 0; i < request->count; ++i)
            request->out[p][walk.points.order[i]] = walk.out[p][i];
    return true;
}

/* The tree overtakes the direct sum at about so many masses, and pairs. */
enum { TREE_MASSES = 2000 };
#define TREE_PAIRS 8e6

bool pull_by_size(const PullRequest *request)
{
    double pairs = (double)request->masses.count * (double)request->count;
    bool large = request->masses.count > TREE_MASSES && pairs > TREE_PAIRS;
    return large ? pull_tree(request) : pull_direct(request);
}

/* ---- which way to sum ---- */

ISA_KERNELS(pull_kernels, PullKernels, pull_sums)

enum {
    POINTS_PER_TASK = 128,
    MASSES_PER_SUM = 512, /* these stay in the first-level cache while the points go by */
};

static Pullers part_of(const Pullers *all, size_t first)
{
    size_t left = all->count - first;
    Pullers part = {.count = left < MASSES_PER_SUM ? left : MASSES_PER_SUM};
    for (int p = 0; p < PULL_MASS_PLANES; ++p) part.plane[p] = all->plane[p] + first;
    return part;
}

static void direct_body(void *context, size_t begin, size_t end, int worker)
{
    const PullRequest *request = context;
    PullJob job = {.count = end - begin, .softening2 = request->softening2};
    (void)worker;
    for (int c = 0; c < 3; ++c) job.x[c] = request->x[c] + begin;
    for (int p = 0; p < pull_planes(request->quantity); ++p) {
        job.out[p] = request->out[p] + begin;
        for (size_t i = 0; i < job.count; ++i) job.out[p][i] = 0;
    }
    for (size_t first = 0; first < request->masses.count; first += MASSES_PER_SUM) {
        job.pullers = part_of(&request->masses, first);
        request->kernels->masses[request->quantity](&job);
    }
}

bool pull_direct(const PullRequest *request)
{
    mote_parallel_for(request->tasks, request->count, POINTS_PER_TASK, direct_body,
                      (void *)(uintptr_t)request);
    return true;
}

/* The tree method: groups of neighbouring points walk the tree of vortons; a cell that is far from
 * all of a group is replaced by its stand-in sources (proxies.h), a leaf that is not is summed.
 *
 * Cost N log N. Barnes and Hut, Nature 324, 1986.
 *
 * A cell of diagonal s at distance d is far when s / d < theta; theta is `angle`. Groups of points
 * share one walk, so that what is far is decided for the group's box: safe for every point in it,
 * and the list of sources is a long one. */
#include "solvers/vortex/treecode.h"

#include "base/loop.h"
#include "solvers/vortex/device.h"
#include "solvers/vortex/formulas/sum_law.h"

#include <string.h>

enum { POINTS_PER_TASK = 1024 };

/* Sources that wait to be summed: long sums waste fewer lanes than those over single cells. */
typedef struct TreecodeList {
    mote_real plane[SOURCE_PLANES][SUM_SOURCES];
    size_t count;
} TreecodeList;

static void sum_listed(const TreecodeWalk *walk, InduceJob *job, TreecodeList *listed)
{
    job->sources.count = listed->count;
    for (int p = 0; p < SOURCE_PLANES; ++p) job->sources.plane[p] = listed->plane[p];
    walk->kernel(job);
    listed->count = 0;
}

static void add_sources(const TreecodeWalk *walk, InduceJob *job, TreecodeList *listed,
                        const Sources *sources)
{
    for (size_t first = 0; first < sources->count;) {
        size_t room = SUM_SOURCES - listed->count, left = sources->count - first;
        size_t taken = left < room ? left : room;
        for (int p = 0; p < SOURCE_PLANES; ++p)
            memcpy(listed->plane[p] + listed->count, sources->plane[p] + first,
                   taken * sizeof(mote_real));
        listed->count += taken, first += taken;
        if (listed->count == SUM_SOURCES) sum_listed(walk, job, listed);
    }
}

typedef struct TreecodeGroup {
    const TreecodeWalk *walk;
    InduceJob job;
    TreecodeList listed;
} TreecodeGroup;

static void add_cell(void *context, size_t number, bool far)
{
    TreecodeGroup *group = context;
    const TreecodeWalk *walk = group->walk;
    const TreeCell *cell = &walk->vortons.cells[number];
    Sources sources = far ? proxies_of(&walk->proxies, number)
                          : sources_part(&walk->proxies.vortons, cell->first, cell->count);
    add_sources(walk, &group->job, &group->listed, &sources);
}

static void walk_group(const TreecodeWalk *walk, const TreeCell *cell)
{
    TreecodeGroup group = {.walk = walk, .job.count = cell->count};
    for (int c = 0; c < 3; ++c) group.job.x[c] = walk->points.x[c] + cell->first;
    for (int p = 0; p < walk->planes; ++p) {
        group.job.out[p] = walk->out[p] + cell->first;
        for (size_t i = 0; i < cell->count; ++i) group.job.out[p][i] = 0;
    }
    tree_walk(&walk->vortons, cell, walk->request->tree.angle, add_cell, &group);
    if (group.listed.count > 0) sum_listed(walk, &group.job, &group.listed);
}

static void walk_body(void *context, size_t begin, size_t end, int worker)
{
    const TreecodeWalk *walk = context;
    (void)worker;
    for (size_t g = begin; g < end; ++g) walk_group(walk, &walk->points.cells[walk->groups[g]]);
}

static bool make_room(TreecodeWalk *walk)
{
    Arena *arena = walk->request->arena;
    walk->groups = arena_take(arena, walk->points.cell_count * sizeof *walk->groups);
    if (walk->groups == NULL) return false;
    for (size_t i = 0; i < walk->points.cell_count; ++i)
        if (walk->points.cells[i].child_count == 0) walk->groups[walk->group_count++] = i;
    for (int p = 0; p < walk->planes; ++p) {
        walk->out[p] = arena_take(arena, walk->points.count * sizeof(mote_real));
        if (walk->out[p] == NULL) return false;
    }
    return true;
}

/* The tree has put points in its own order; the caller's is the one they came in. */
static void put_back_body(void *context, size_t begin, size_t end, int worker)
{
    const TreecodeWalk *walk = context;
    (void)worker;
    for (int p = 0; p < walk->planes; ++p)
        for (size_t i = begin; i < end; ++i)
            walk->request->out[p][walk->points.order[i]] = walk->out[p][i];
}

/* Bounds of ranks, moved up to where groups begin. */
static size_t *group_bounds(const TreecodeWalk *walk)
{
    size_t *bounds = share_bounds(walk->request, 1);
    const int ranks = walk->request->share->ranks->count;
    for (int r = 0; r < ranks && bounds != NULL; ++r) {
        size_t begin = walk->points.count;
        for (size_t g = 0; g < walk->group_count; ++g) {
            const size_t first = walk->points.cells[walk->groups[g]].first;
            if (first >= bounds[r] && first < begin) begin = first;
        }
        bounds[r] = begin;
    }
    return bounds;
}

/* Of all groups those of this rank. */
static void keep_groups(TreecodeWalk *walk, const size_t *own)
{
    size_t count = 0;
    for (size_t g = 0; g < walk->group_count; ++g) {
        const size_t first = walk->points.cells[walk->groups[g]].first;
        if (first >= own[0] && first < own[1]) walk->groups[count++] = walk->groups[g];
    }
    walk->group_count = count;
}

static void walk_here(const SumTask *task, mote_real *const *out)
{
    TreecodeWalk walk = *(const TreecodeWalk *)task->context;
    for (int p = 0; p < walk.planes; ++p) walk.out[p] = out[p];
    induce_for(walk.request, walk.group_count, 1, walk_body, &walk);
}

static bool walk_groups(TreecodeWalk *walk)
{
    return sum_somewhere(&(SumTask){.request = walk->request,
                                    .context = walk,
                                    .out = walk->out,
                                    .count = walk->points.count,
                                    .here = walk_here,
                                    .there = sum_tree_there});
}

/* `room`: there was memory until now. */
static bool walk_all(TreecodeWalk *walk, bool room)
{
    const InduceRequest *request = walk->request;
    const bool deals = share_deals(request);
    const size_t *bounds = deals && room ? group_bounds(walk) : NULL;
    if (bounds != NULL) keep_groups(walk, bounds + request->share->ranks->own);
    if (room) room = walk_groups(walk);
    return deals ? share_planes(request, walk->out, room ? bounds : NULL) : room;
}

/* Vortons that feel each other are sorted already. */
static bool group_points(TreecodeWalk *walk)
{
    const InduceRequest *r = walk->request;
    if (r->count == r->sources.count && induces_itself(r))
        return tree_divide(&walk->points, &walk->vortons, GROUP_POINTS, r->arena, r->tasks);
    return tree_build(&walk->points, r->x, r->count, GROUP_POINTS, r->arena, r->tasks);
}

static bool tree(const InduceRequest *request)
{
    TreecodeWalk walk = {.request = request,
                         .kernel = induce_kernel(request->core, request->quantity),
                         .planes = induce_planes(request->quantity)};
    const mote_real *place[3];
    if (request->count == 0 || request->sources.count == 0) return induce_direct.induce(request);
    for (int c = 0; c < 3; ++c) place[c] = request->sources.plane[SOURCE_X + c];
    bool room = tree_build(&walk.vortons, place, request->sources.count, request->tree.leaf,
                           request->arena, request->tasks) &&
                proxies_build(&walk.proxies, &walk.vortons, request) && group_points(&walk) &&
                make_room(&walk);
    if (!walk_all(&walk, room)) return false;
    mote_parallel_for(request->tasks, walk.points.count, POINTS_PER_TASK, put_back_body, &walk);
    return true;
}

const InduceRow induce_tree = {
    .head = {.name = "tree", .doc = "tree with stand-in sources for far cells, N log N"},
    .induce = tree,
};

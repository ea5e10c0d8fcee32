/* Sums over vortons on a device have the bits of the processor's: every core, in three dimensions
 * and two, velocity, gradient and potential, at vortons, anywhere and at lines of nodes; short last
 * sums, numbers of all sizes. Skipped where there is no exact device. */
#include "setup.h"

#include "device/any.h"
#include "device/own.h"
#include "solvers/vortex/clouds.h"
#include "solvers/vortex/device.h"

#include <string.h>

/* More pairs than the processor keeps for itself; the last short sum is of 4, of 5, of 8. */
static const size_t sources_of[] = {1540, 1029, 1544};
enum { POINTS = 1000, ODD_POINTS = 1091 };

/* What the request makes, with a device or without. */
static void sum(InduceRequest *r, const InduceRow *method, SumDevice *device, Vortons *to)
{
    for (int p = 0; p < INDUCE_GRADIENT; ++p) r->out[p] = to->out[p];
    r->device = device;
    CHECK(method->induce(r));
    if (device != NULL) CHECK(device->status == MOTE_OK && device_is_well(device->device));
}

static void check_sums(InduceRequest *r, const InduceRow *method, SumDevice *device,
                       const char *what)
{
    Vortons *here = vortons_make(r->count), *there = vortons_make(r->count);
    const uint64_t moved = mote_device_moved(device->device);
    sum(r, method, NULL, here);
    sum(r, method, device, there);
    CHECK(mote_device_moved(device->device) > moved);
    for (int p = 0; p < induce_planes(r->quantity); ++p) {
        const bool same = device_same(here->out[p], there->out[p], r->count);
        if (!same) fprintf(stderr, "%s: %s, plane %d\n", r->core->device, what, p);
        CHECK(same);
    }
    vortons_free(here);
    vortons_free(there);
}

/* Far and near, large and small, and at the same place. */
static void make_wild(Vortons *v)
{
    for (size_t i = 0; i < v->count; ++i)
        for (int c = 0; c < 3; ++c) {
            v->plane[SOURCE_X + c][i] *= (mote_real)pow(10, (double)(i % 23) - 11);
            v->plane[SOURCE_ALPHA + c][i] *= (mote_real)pow(10, (double)(i % 29) - 14);
        }
    for (size_t i = 10; i < v->count; i += 17)
        for (int p = 0; p < SOURCE_ALPHA; ++p) v->plane[p][i] = v->plane[p][i - 3];
}

static void check_quantity(const CoreRow *core, Quantity quantity, SumDevice *device)
{
    for (size_t k = 0; k < COUNT_OF(sources_of); ++k) {
        Vortons *v = vortons_cloud(sources_of[k], false);
        if (k == 2) make_wild(v);
        InduceRequest r = vortons_request(v, core, quantity);
        if (k > 0) r.count = k == 1 ? POINTS : ODD_POINTS;
        check_sums(&r, &induce_direct, device, k == 0 ? "at the vortons" : "at some of them");
        vortons_free(v);
    }
}

/* Lines of numbers of nodes that have kernels of their own; and none, because there is one node. */
static void check_lines(const CoreRow *core, SumDevice *device)
{
    static const size_t lines[] = {21, 1, 12, 25, 34};
    Vortons *v = vortons_cloud(sources_of[0], true);
    Vortons *nodes = vortons_cloud(34 * 40, false);
    InduceRequest r = vortons_request(v, core, QUANTITY_VELOCITY);
    for (size_t k = 0; k < (is_long() ? COUNT_OF(lines) : 1); ++k) {
        r.line = lines[k], r.count = nodes->count / r.line * r.line;
        for (size_t i = 0; i < nodes->count; ++i)
            for (int c = 0; c < 2; ++c) nodes->plane[c][i] = nodes->plane[c][i / r.line * r.line];
        for (int c = 0; c < 3; ++c) r.x[c] = nodes->plane[c];
        check_sums(&r, &induce_direct, device, "on lines");
    }
    vortons_free(nodes);
    vortons_free(v);
}

/* With stand-ins, one a cell and none; few points and many, in other places than the vortons. */
static void check_tree(const CoreRow *core, Quantity quantity, SumDevice *device)
{
    static const TreeDef trees[] = {
        {(mote_real)1.2, 3, 40}, {(mote_real)0.7, 1, 8}, {(mote_real)1.5, 8, 700}};
    Vortons *v = vortons_cloud(3001, true), *points = vortons_cloud(4000, false);
    for (size_t k = 0; k < COUNT_OF(trees); ++k) {
        InduceRequest r = vortons_request(v, core, quantity);
        r.tree = trees[k];
        if (k > 0) r.count = k == 1 ? 4000 : 380;
        for (int c = 0; c < 3 && k > 0; ++c) r.x[c] = points->plane[c];
        check_sums(&r, &induce_tree, device, "by the tree");
    }
    vortons_free(points);
    vortons_free(v);
}

/* ---- which are tried ---- */

enum { LINES = 3 }; /* beside the quantities */

/* A sum, by a program of its own; `narrow`: with lanes by twos, as for a card. */
typedef struct Sum {
    int core;
    bool flat, narrow;
    int quantity;
    bool tree; /* this, too */
} Sum;

static void check_sum(mote_Device *device, Memory *memory, const Sum *of)
{
    const bool gpu = device->info.gpu;
    const CoreRow *core = core_row_of(isa_pick(), of->core, of->flat);
    if (of->quantity == QUANTITY_POTENTIAL && core->potential == NULL) return;
    device->info.gpu = of->narrow;
    SumDevice *sums = sum_device_make(device, memory);
    if (of->quantity == LINES)
        check_lines(core, sums);
    else
        check_quantity(core, (Quantity)of->quantity, sums);
    if (of->tree) check_tree(core, (Quantity)of->quantity, sums);
    sum_device_free(sums);
    device->info.gpu = gpu;
}

/* Building a program takes longer than running it: without MOTE_LONG some, and what the cores make
 * of numbers of all sizes is for device/formulas. */
static const Sum some[] = {{0, false, true, QUANTITY_VELOCITY, true},
                           {0, false, true, QUANTITY_GRADIENT, false},
                           {0, false, true, LINES, false},
                           {2, false, false, QUANTITY_GRADIENT, true},
                           {2, true, true, QUANTITY_VELOCITY, false},
                           {1, false, false, QUANTITY_POTENTIAL, false},
                           {3, true, false, LINES, false}};

static void sums_have_the_same_bits(void)
{
    mote_Device *device = any_device();
    Memory memory = memory_make(mote_default_allocator());
    for (size_t i = 0; i < COUNT_OF(some) && device != NULL && !is_long(); ++i)
        check_sum(device, &memory, &some[i]);
    for (int i = 0; i < 4 * 2 * 2 * 4 && device != NULL && is_long(); ++i)
        check_sum(device, &memory,
                  &(Sum){i / 16, i / 8 % 2 == 1, i / 4 % 2 == 1, i % 4, i % 4 != LINES});
}

TESTS({"sums have the same bits", sums_have_the_same_bits})

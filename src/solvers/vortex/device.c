/* What sums over vortons have on a device: programs and memory; and who takes a sum. */
#include "solvers/vortex/device.h"

#include "base/status.h"
#include "solvers/points/slot.h"

#include <stdio.h>
#include <string.h>

#include "device_vortex.inc"

/* ---- programs ---- */

static void free_program(SumProgram *p)
{
    device_free_kernel(p->sum);
    device_free_program(p->program);
}

static DeviceProgram *build_with(SumDevice *d, const char *more)
{
    char options[200];
    snprintf(options, sizeof options, "%s %s %s", sizeof(mote_real) == 8 ? "-D MOTE_DOUBLE" : "",
             mote_device_info(d->device)->gpu ? "" : "-D MOTE_WIDE", more);
    return device_build(d->device, files, sizeof files / sizeof *files, options, &d->error);
}

static bool build(SumDevice *d, SumProgram *p)
{
    const SumKind *k = &p->kind;
    char more[120];
    snprintf(more, sizeof more, "-D CORE=%s -D QUANTITY=%d -D FORM=%d -D POINTS=%u",
             k->core->device, (int)k->quantity, (int)k->form, k->points);
    p->program = build_with(d, more);
    if (p->program != NULL) p->sum = device_kernel(p->program, "sum");
    return p->program != NULL;
}

static bool build_adding(SumDevice *d)
{
    if (d->adding != NULL) return true;
    d->adding = build_with(d, "");
    if (d->adding == NULL) return false;
    d->add_all = device_kernel(d->adding, "add_all");
    d->add_listed = device_kernel(d->adding, "add_listed");
    return true;
}

const SumProgram *sum_program(SumDevice *d, const SumKind *kind)
{
    for (size_t i = 0; i < d->program_count; ++i) {
        const SumKind *has = &d->programs[i].kind;
        if (has->core == kind->core && has->quantity == kind->quantity && has->form == kind->form &&
            has->points == kind->points)
            return &d->programs[i];
    }
    if (d->program_count == SUM_PROGRAMS) {
        free_program(&d->programs[0]);
        memmove(d->programs, d->programs + 1, (SUM_PROGRAMS - 1) * sizeof *d->programs);
        --d->program_count;
    }
    SumProgram *made = &d->programs[d->program_count];
    *made = (SumProgram){.kind = *kind};
    if (build_adding(d) && build(d, made)) return &d->programs[d->program_count++];
    d->status = MOTE_UNAVAILABLE;
    return NULL;
}

/* ---- opening and closing ---- */

SumDevice *sum_device_make(mote_Device *device, Memory *memory)
{
    SumDevice *d = memory_zeroed(memory, sizeof *d);
    if (d != NULL) *d = (SumDevice){.device = device, .memory = memory};
    return d;
}

void sum_device_free(SumDevice *d)
{
    if (d == NULL) return;
    for (size_t i = 0; i < d->program_count; ++i) free_program(&d->programs[i]);
    device_free_kernel(d->add_all);
    device_free_kernel(d->add_listed);
    device_free_program(d->adding);
    for (int b = 0; b < SUM_BUFFERS; ++b) device_release(d->device, &d->buffers[b]);
    memory_free(d->memory, d, sizeof *d);
}

mote_Status sum_device_of(const SolverStep *step, SumDevice **kept, SumDevice **device,
                          mote_Error *error)
{
    mote_Device *lent = mote_tasks_device(step->tasks);
    *device = NULL;
    if (lent == NULL || !device_is_well(lent) || ranks_are_many(step->shop->ranks) ||
        vortex_off_device(step->solver) != NULL)
        return MOTE_OK;
    if (*kept == NULL || (*kept)->device != lent) {
        sum_device_free(*kept);
        *kept = sum_device_make(lent, step->memory);
        if (*kept == NULL)
            return status_no_memory(error, step->solver->systems[0]->name, sizeof **kept);
    }
    *device = *kept;
    (*kept)->step = step, (*kept)->status = MOTE_OK;
    return MOTE_OK;
}

/* ---- who takes a sum ---- */

/* A sum there is at least three messages and two kernels: some hundred microseconds, in which one
 * core takes this many pairs. */
static const double least_pairs = 1e6;

/* Whose sums they are. */
static const char *name_of(const SumDevice *d)
{
    return d->step != NULL ? d->step->solver->systems[0]->name : "sums of vortons";
}

static bool device_takes(const SumTask *task)
{
    const InduceRequest *r = task->request;
    return r->device != NULL && r->device->status == MOTE_OK && device_is_well(r->device->device) &&
           (double)r->sources.count * (double)r->count >= least_pairs;
}

/* What the device cannot do from the start on is an error, unless any would have done; what it
 * cannot do any more is left to the processor. */
static bool trouble(const SumTask *task)
{
    SumDevice *d = task->request->device;
    const bool optional = device_is_optional(d->device);
    if (!optional && d->status != MOTE_OK) return false;
    if (!optional && device_is_too_small(d->device)) {
        d->status = device_check(d->device, name_of(d), &d->error);
        return false;
    }
    device_give_up(d->device);
    d->status = MOTE_OK;
    task->here(task, task->out);
    return true;
}

/* Whether the processor makes the same of it. */
static bool verify(const SumTask *task)
{
    const InduceRequest *r = task->request;
    SumDevice *d = r->device;
    const int planes = induce_planes(r->quantity);
    mote_real *own[INDUCE_GRADIENT];
    bool same = true;
    if (d->step == NULL || !device_is_verified(d->device, d->step->number)) return true;
    for (int p = 0; p < planes; ++p) {
        own[p] = arena_take(r->arena, task->count * sizeof **own);
        if (own[p] == NULL) return false;
    }
    task->here(task, own);
    for (int p = 0; p < planes; ++p) same = same && device_same(own[p], task->out[p], task->count);
    if (same) return true;
    const DeviceDoubt doubt = {name_of(d), "sums of vortons", d->step->number, d->step->t};
    d->status = device_differs(d->device, &doubt, &d->error);
    return false;
}

bool sum_somewhere(const SumTask *task)
{
    if (!device_takes(task)) {
        task->here(task, task->out);
        return true;
    }
    SumDevice *d = task->request->device;
    const bool room = task->there(task);
    if (!room && d->status == MOTE_OK) return false;
    return room && device_is_well(d->device) ? verify(task) : trouble(task);
}

/* The processor's backend, and which one a sub-step has. */
#include "solvers/sph/backend.h"

#include "solvers/sph/ghosts.h"

ISA_KERNELS(sph_kernels, SphKernels, sph_table)

static mote_Status find(SphStep *step, mote_Error *error)
{
    const SolverStep *outer = step->outer;
    if (!neighbours_find(step->lists, &step->cells, &step->kernel, outer->isa, outer->arena,
                         outer->tasks))
        return sph_no_memory(step, error);
    step->sums = step->lists->sum;
    step->pairs = step->lists->pairs;
    return MOTE_OK;
}

typedef struct ForceWork {
    const ForceInput *input;
    const SphKernels *kernels;
} ForceWork;

static void force_body(void *context, size_t begin, size_t end, int worker)
{
    const ForceWork *work = context;
    mote_real *all = work->input->largest;
    const mote_real largest = work->kernels->forces(work->input, begin, end);
    if (all != NULL && largest > all[worker]) all[worker] = largest;
}

static mote_Status forces(SphStep *step, const ForceInput *input, mote_Error *error)
{
    ForceWork work = {input, sph_kernels(step->outer->isa)};
    (void)error;
    ghosts_for_own(step, force_body, &work);
    return MOTE_OK;
}

const SphBackend sph_host_backend = {.name = "host", .find = find, .forces = forces};

const SphBackend *sph_backend(const SolverStep *outer)
{
    const SphBackend *device = sph_device_backend(outer);
    return device != NULL ? device : &sph_host_backend;
}

const char *sph_off_device(const Solver *solver)
{
    const SphState *state = solver->state;
    const char *(*off)(const SphState *) = state->pressure->off_device;
    if (!state->pressure->on_device) return state->pressure->head.name;
    if (off != NULL && off(state) != NULL) return off(state);
    if (state->foam_count > 0) return "foam";
    if (state->warm) return "heat";
    return sph_tension(state) > 0 ? "surface tension" : NULL;
}

/* One table for the kernels of links. */
#include "links/kernels/table.h"

const LinkKernels ISA(links_table) = {
    .pull = ISA(link_pull),
    .energy = ISA(link_energy),
    .snap = ISA(link_snap),
    .linearise = ISA(link_linearise),
    .diagonal = ISA(link_diagonal),
    .times = ISA(link_times),
    .press = ISA(link_press),
    .press_diagonal = ISA(link_press_diagonal),
};

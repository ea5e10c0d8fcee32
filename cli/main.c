#include "bench/bench.h"
#include <stdlib.h>
int main(int argc, char **argv)
{
    (void)argc;
    BenchOptions o = {.count = argc > 1 ? (size_t)atof(argv[1]) : 0,
                      .threads = argc > 2 ? atoi(argv[2]) : 0};
    return bench_points(&o);
}

/* All particles from one point. */
#include "base/vec.h"
#include "emit/emitter.h"

static SourcePoint point(const void *raw, const Birth *birth)
{
    (void)raw, (void)birth;
    return (SourcePoint){{0, 0, 0}, {0, 0, 0}};
}

const SourceRow ISA(source_point) = {
    .head = {.name = "point", .doc = "all particles from one point"},
    .point = point,
    .is_point = true,
};

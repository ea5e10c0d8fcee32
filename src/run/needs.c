/* What a run has to make. */
#include "run/needs.h"

/* A frame that was in the cache and is lost is not there. Of one that never was, as without a
 * cache, checkpoints tell that the runs before came by it. */
static bool was_made(const Cache *cache, uint64_t frame)
{
    const Manifest *manifest = cache->manifest;
    const ManifestFrame *listed = manifest_frame(manifest, frame);
    if (listed != NULL && (!listed->lost || cache->frames)) return !listed->lost;
    for (size_t i = 0; i < manifest->checkpoint_count; ++i)
        if (manifest->checkpoints[i].frame >= frame) return true;
    return false;
}

bool needs_again(const Needs *needs, uint64_t frame)
{
    return needs->from >= 0 && frame >= (uint64_t)needs->from && frame <= needs->last;
}

bool needs_frame(const Needs *needs, uint64_t frame)
{
    if (frame > needs->last) return false;
    return needs_again(needs, frame) || !was_made(needs->cache, frame);
}

static bool needs_lines(const Manifest *manifest, uint64_t frame)
{
    for (size_t i = 0; i < manifest->table_count; ++i)
        if (manifest->tables[i].frames <= frame) return true;
    return false;
}

/* A run ends with a checkpoint, which a longer one goes on from. */
static bool needs_checkpoint(const Needs *needs, uint64_t frame)
{
    return frame == needs->last && frame >= needs->reached &&
           manifest_checkpoint(needs->cache->manifest, frame) == NULL;
}

uint64_t needs_next(const Needs *needs, uint64_t after)
{
    for (uint64_t i = after; i <= needs->last; ++i)
        if (needs_frame(needs, i) || needs_lines(needs->cache->manifest, i) ||
            needs_checkpoint(needs, i))
            return i;
    return UINT64_MAX;
}

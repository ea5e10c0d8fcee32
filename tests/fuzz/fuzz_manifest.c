/* Fuzzing the manifest reader and the JSON under it. */
#include "io/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Manifest *manifest;
    mote_Error error;
    (void)manifest_read(source_memory("manifest.json", data, size), mote_default_allocator(),
                        &manifest, &error);
    manifest_destroy(manifest);
    return 0;
}

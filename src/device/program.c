/* Programs of devices, and what was built of them before: under $XDG_CACHE_HOME/mote, or
 * ~/.cache/mote, by a key of texts, options, device and driver. What cannot be kept is built
 * again. */
#include "device/own.h"

#include "base/hash.h"
#include "base/status.h"
#include "base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the cache ---- */

static bool cache_folder(char folder[SYSTEM_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/')
        snprintf(folder, SYSTEM_PATH, "%s", cache);
    else if (home != NULL && home[0] == '/')
        snprintf(folder, SYSTEM_PATH, "%s/.cache", home);
    else
        return false;
    (void)system_make_folder(folder, true);
    const size_t length = strlen(folder);
    if (length + 64 > SYSTEM_PATH) return false;
    snprintf(folder + length, SYSTEM_PATH - length, "/mote");
    return system_make_folder(folder, true) || access(folder, W_OK) == 0;
}

/* With the zero behind each part, so that "ab", "c" is not "a", "bc". */
static uint64_t key_of(const mote_Device *device, const char *text, const char *options)
{
    const char *parts[] = {text, options, device->info.name, device->info.driver, mote_version()};
    uint64_t key = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
        key = hash_bytes(key, parts[i], strlen(parts[i]) + 1);
    return key;
}

static bool cache_path(uint64_t key, char path[SYSTEM_PATH])
{
    char folder[SYSTEM_PATH];
    if (!cache_folder(folder)) return false;
    const int length =
        snprintf(path, SYSTEM_PATH, "%s/%016llx.device", folder, (unsigned long long)key);
    return length > 0 && length < SYSTEM_PATH;
}

/* From malloc; NULL: it is not there, or not as it was written. Drivers trust what they are given,
 * and a crash of the machine may leave a file with other bytes: their hash stands behind them. */
static void *read_kept(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint64_t hash = 0;
    if (file == NULL) return NULL;
    char *bytes = NULL;
    const long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    const size_t all = end > (long)sizeof hash ? (size_t)end : 0;
    if (all > 0 && fseek(file, 0, SEEK_SET) == 0) bytes = malloc(all);
    const bool whole = bytes != NULL && fread(bytes, 1, all, file) == all;
    fclose(file);
    *size = all - sizeof hash;
    if (whole) memcpy(&hash, bytes + *size, sizeof hash);
    if (whole && hash == hash_bytes(0, bytes, *size)) return bytes;
    free(bytes);
    return NULL;
}

/* Whole or not at all, whoever else does the same now. */
static void keep(const char *path, const void *bytes, size_t size)
{
    char own[SYSTEM_PATH];
    const int length = snprintf(own, sizeof own, "%s.%ld", path, (long)getpid());
    const uint64_t hash = hash_bytes(0, bytes, size);
    FILE *file = length > 0 && length < SYSTEM_PATH ? fopen(own, "wb") : NULL;
    if (file == NULL) return;
    const bool whole =
        fwrite(bytes, 1, size, file) == size && fwrite(&hash, sizeof hash, 1, file) == 1;
    if (fclose(file) != 0 || !whole || !system_rename(own, path)) (void)remove(own);
}

static ClHandle build(const mote_Device *device, const char *text, const char *options, char *log,
                      size_t room)
{
    char path[SYSTEM_PATH];
    const bool cached = cache_path(key_of(device, text, options), path);
    size_t size = 0;
    void *bytes = cached ? read_kept(path, &size) : NULL;
    ClHandle program = bytes != NULL ? opencl_build_bytes(device, bytes, size, options) : NULL;
    free(bytes);
    if (program != NULL) return program;
    program = opencl_build_text(device, text, options, log, room);
    if (program == NULL || !cached) return program;
    bytes = opencl_built(program, &size);
    if (bytes != NULL) keep(path, bytes, size);
    free(bytes);
    return program;
}

/* ---- programs ---- */

/* From malloc. */
static char *joined(const DeviceText *texts, size_t count)
{
    size_t length = 1, at = 0;
    for (size_t i = 0; i < count; ++i) length += strlen(texts[i].text) + 1;
    char *all = malloc(length);
    for (size_t i = 0; i < count && all != NULL; ++i)
        at += (size_t)snprintf(all + at, length - at, "%s\n", texts[i].text);
    return all;
}

DeviceProgram *device_build(mote_Device *device, const DeviceText *texts, size_t count,
                            const char *options, mote_Error *error)
{
    /* IEEE 754 asks for division and root to the last bit; OpenCL does so only where it is told to.
     */
    static const char exact[] = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";
    char all_options[512], log[300] = "out of memory";
    snprintf(all_options, sizeof all_options, "%s %s", exact, options);
    char *text = joined(texts, count);
    DeviceProgram *program = malloc(sizeof *program);
    if (text != NULL && program != NULL)
        *program = (DeviceProgram){device, build(device, text, all_options, log, sizeof log)};
    free(text);
    if (program != NULL && program->program != NULL) return program;
    status_fail(error, MOTE_UNAVAILABLE, "device `%s` cannot build mote's kernels: %s",
                device->info.name, log);
    free(program);
    return NULL;
}

void device_limit_registers(const mote_Device *device, int most, char *options, size_t room)
{
    const size_t length = strlen(options);
    if (device->counts_registers)
        snprintf(options + length, room - length, " -cl-nv-maxrregcount=%d", most);
}

void device_free_program(DeviceProgram *program)
{
    if (program != NULL) opencl_free_program(program->program);
    free(program);
}

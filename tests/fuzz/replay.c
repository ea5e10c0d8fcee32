/* Runs a fuzz target over the inputs of a folder, without the fuzzer: what it once found stays
 * mended with every compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) perror(path), exit(2);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size > 0 ? size : 1); /* no byte more, so that reading on is noticed */
    rewind(file);
    if (data == NULL || fread(data, 1, size, file) != size) perror(path), exit(2);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
}

int main(int argc, char **argv)
{
    FILE *out = stdout; /* a target may put others in its place */
    int count = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) return fprintf(stderr, "usage: replay CORPUS\n"), 2;
    if (LLVMFuzzerInitialize != NULL) LLVMFuzzerInitialize(&argc, &argv);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        run_file(path);
        ++count;
    }
    closedir(folder);
    fprintf(out, "%d passed, 0 failed\n", count);
    return count == 0;
}

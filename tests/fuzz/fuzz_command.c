/* Any lines as the words of a command line: options are read or refused with a message. Commands
 * that write nothing and only tell (help, list, man, completion) run, the others are only read. */
#include "cli/command.h"

#include <mote/base.h>

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_WORDS = 16 };

/* What the program says is not looked at; the fuzzer has taken its own stream before. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    stdout = fopen("/dev/null", "w");
    stderr = fopen("/dev/null", "w");
    if (stdout == NULL || stderr == NULL) abort();
    return 0;
}

static int split(char *text, char *words[MOST_WORDS + 1])
{
    int count = 0;
    while (count < MOST_WORDS && *text != '\0') {
        size_t length = strcspn(text, "\n");
        words[count++] = text;
        text += length + (text[length] != '\0');
        words[count - 1][length] = '\0';
    }
    words[count] = NULL;
    return count;
}

static void read_only(const Command *command, int argc, char **argv)
{
    alignas(max_align_t) char values[OPTIONS_SIZE_MOST];
    const char *list[OPTIONS_LISTS * (MOST_WORDS + 1)];
    OptionsRead read = {.command = command->name,
                        .table = command_options(command),
                        .values = values,
                        .list = list,
                        .room = MOST_WORDS + 1};
    if (command->options_size > 0) memcpy(values, command->defaults, command->options_size);
    if (options_read(&read, argc, argv) && (read.count < 0 || read.count >= argc)) abort();
}

static void use(int argc, char **argv)
{
    static const char *const harmless[] = {"help", "list", "man", "completion"};
    const Command *command = command_find(argv[0]);
    if (command == NULL) return;
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; ++i)
        if (strcmp(command->name, harmless[i]) == 0) {
            (void)command_run_line(command, argc, argv);
            return;
        }
    read_only(command, argc, argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[MOST_WORDS + 1], *text = calloc(size + 1, 1);
    if (text == NULL) abort();
    if (size > 0) memcpy(text, data, size);
    int count = split(text, words);
    if (count > 0) use(count, words);
    free(text);
    return 0;
}

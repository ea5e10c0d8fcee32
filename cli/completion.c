/* mote completion: scripts for shells. */
#include "cli/completion.h"

#include "cli/exit.h"

#include <stdio.h>
#include <string.h>

typedef struct Shell {
    const char *name;
    void (*print)(void);
} Shell;

static const Shell shells[] = {
    {"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
enum { SHELL_COUNT = sizeof shells / sizeof shells[0] };

const char *shell_name(size_t i)
{
    return i < SHELL_COUNT ? shells[i].name : NULL;
}

static bool is_among(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

/* A force and a benchmark may have one name: it is offered once. */
static void print_words(Words kind, char between)
{
    enum { MOST_WORDS = 2048 };
    const char *offered[MOST_WORDS], *word;
    size_t count = 0;
    for (size_t i = 0; (word = words_at(kind, i)) != NULL; ++i) {
        if (is_among(word, offered, count)) continue;
        if (i > 0) putchar(between);
        fputs(word, stdout);
        if (count < MOST_WORDS) offered[count++] = word;
    }
}

void completion_words(Words kind)
{
    print_words(kind, ' ');
}

void completion_lines(Words kind)
{
    print_words(kind, '\n');
}

void completion_quoted(const char *text)
{
    for (; *text != '\0'; ++text) *text == '\'' ? fputs("'\\''", stdout) : putchar(*text);
}

const Argument *completion_argument(const Command *command, size_t i)
{
    const Argument *argument = command->arguments;
    while (argument != NULL && argument->name != NULL && i > 0) ++argument, --i;
    return argument != NULL && argument->name != NULL ? argument : NULL;
}

static int completion_run(const void *options, Given given)
{
    (void)options;
    for (size_t i = 0; i < SHELL_COUNT; ++i) {
        if (strcmp(shells[i].name, given[0]) != 0) continue;
        shells[i].print();
        return EXIT_DONE;
    }
    return words_fail(WORDS_SHELL, "shell", given[0]);
}

static const Example examples[] = {
    {"completion bash >> ~/.bash_completion", "bash: from the next shell on"},
    {"completion zsh > ~/.zsh/_" PROGRAM, "zsh: a folder of $fpath"},
    {"completion fish > ~/.config/fish/completions/" PROGRAM ".fish", "fish"},
    {0}};
static const Argument arguments[] = {{"SHELL", "a shell", WORDS_SHELL, false}, {0}};
const Command command_completion = {.name = "completion",
                                    .doc = "Print a completion script for bash, zsh or fish.",
                                    .examples = examples,
                                    .arguments = arguments,
                                    .run = completion_run};

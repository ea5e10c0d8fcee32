/* Signals. The handler calls nothing but write and _exit, which signal handlers may. */
#include "cli/interrupt.h"

#include "cli/exit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t seen; /* the first signal; 0: none */

static char text[160]; /* made before it is needed: a handler may not format */
static size_t length;

static const char last_words[] = "\nmote: stopped at once; what was complete is kept\n";

static void handle(int number)
{
    int kept = errno, skip = isatty(STDERR_FILENO) ? 0 : 1; /* on a terminal, leave the line "^C" */
    if (seen) {
        ssize_t said =
            write(STDERR_FILENO, last_words + skip, sizeof last_words - 1 - (size_t)skip);
        (void)said;
        _exit(interrupt_exit_code());
    }
    seen = number;
    ssize_t written = write(STDERR_FILENO, text + skip, length - (size_t)skip);
    (void)written; /* nothing can be done about it here */
    errno = kept;  /* what was interrupted may be about to read it */
}

void interrupt_catch(const char *done)
{
    static const int signals[] = {SIGINT, SIGTERM};
    snprintf(text, sizeof text, "\nmote: %.80s; press Ctrl-C again to stop at once\n", done);
    length = strlen(text);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
        struct sigaction before, action;
        memset(&action, 0, sizeof action);
        action.sa_handler = handle;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        if (sigaction(signals[i], NULL, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        sigaction(signals[i], &action, NULL);
    }
}

void interrupt_ignore(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
}

int interrupt_exit_code(void)
{
    return seen == SIGTERM ? EXIT_TERMINATED : EXIT_INTERRUPTED;
}

bool interrupt_seen(void *context)
{
    (void)context;
    return seen != 0;
}

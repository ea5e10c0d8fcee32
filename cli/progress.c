/* Progress: frames per second are a running mean of the last frames, so that the time left follows
 * a run that gets slower as particles are added. */
#include "cli/progress.h"

#include "cli/exit.h"

#include <inttypes.h>
#include <string.h>

static const double redraw_interval = 0.1; /* s, on a terminal */
static const double plain_interval = 5;    /* s, in a file or pipe */

Progress progress_make(bool quiet)
{
    return (Progress){.terminal = terminal_of(stderr), .quiet = quiet, .doing = "", .shown = -1};
}

/* "0:09", "1:02:03". */
static void time_text(double seconds, char *text, size_t size)
{
    uint64_t s = seconds < 1e9 ? (uint64_t)(seconds + 0.5) : 999999999;
    uint64_t hours = s / 3600, minutes = s / 60 % 60;
    if (hours > 0)
        snprintf(text, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, hours, minutes, s % 60);
    else
        snprintf(text, size, "%" PRIu64 ":%02" PRIu64, minutes, s % 60);
}

static void measure(Progress *progress, const mote_RunProgress *now)
{
    const double weight = 0.1; /* of the newest frame */
    if (strcmp(progress->doing, now->doing) != 0 || now->frame <= progress->begun_frame) {
        progress->doing = now->doing;
        progress->begun = progress->last = now->seconds;
        progress->begun_frame = now->frame;
        progress->seconds_per_frame = 0;
        return;
    }
    double frames = (double)(now->frame - progress->begun_frame);
    double mean = (now->seconds - progress->begun) / frames, newest = now->seconds - progress->last;
    if (frames * weight <= 1)
        progress->seconds_per_frame = mean;
    else
        progress->seconds_per_frame += weight * (newest - progress->seconds_per_frame);
    progress->last = now->seconds;
}

static void print_bar(const Terminal *terminal, double part, int width)
{
    int full = (int)(part * width + 0.5);
    fputc(' ', terminal->file);
    for (int i = 0; i < width; ++i) {
        const char *ascii = i < full ? "#" : "-", *drawn = i < full ? "━" : "─";
        terminal_put(terminal, i < full ? STYLE_NAME : STYLE_QUIET,
                     terminal->unicode ? drawn : ascii, 0);
    }
}

/* "  frame 37/150  12.3 fps  0:09 left  40012 particles". */
static void figures_text(const Progress *progress, const mote_RunProgress *now, char *text,
                         size_t size)
{
    char rate[64] = "", left[32];
    double each = progress->seconds_per_frame;
    if (now->picture > 0) {
        snprintf(text, size, "frame %" PRIu64 "/%" PRIu64 "  %.0f %% of the next picture",
                 now->frame, now->last, 100 * now->picture);
        return;
    }
    time_text((double)(now->last - now->frame) * each, left, sizeof left);
    if (each > 0) snprintf(rate, sizeof rate, "  %.3g fps  %s left", 1 / each, left);
    snprintf(text, size, "frame %" PRIu64 "/%" PRIu64 "%s  %" PRIu64 " particles", now->frame,
             now->last, rate, now->particles);
}

static void redraw(Progress *progress, const mote_RunProgress *now)
{
    const Terminal *terminal = &progress->terminal;
    char figures[160];
    figures_text(progress, now, figures, sizeof figures);
    const int doing = (int)strlen(now->doing),
              rest = terminal->width - doing - (int)strlen(figures) - 5;
    double total = (double)(now->last - now->first), done = (double)(now->frame - now->first);
    fprintf(terminal->file, "\r\033[K%s", now->doing);
    if (rest >= 8) print_bar(terminal, total > 0 ? done / total : 1, rest < 40 ? rest : 40);
    /* A line that wraps cannot be drawn again. */
    if (terminal->width > doing + 3)
        fprintf(terminal->file, "  %.*s", terminal->width - doing - 3, figures);
    fflush(terminal->file);
    progress->drawn = true;
}

void progress_show(void *context, const mote_RunProgress *now)
{
    Progress *progress = context;
    if (!(now->picture > 0)) measure(progress, now);
    if (progress->quiet || now->frame > now->last || now->frame < now->first) return;
    double interval = progress->terminal.interactive ? redraw_interval : plain_interval;
    if (progress->shown < 0 && !progress->terminal.interactive) progress->shown = 0;
    if (progress->shown >= 0 && now->seconds - progress->shown < interval) return;
    progress->shown = now->seconds;
    if (progress->terminal.interactive) {
        redraw(progress, now);
        return;
    }
    char figures[160];
    figures_text(progress, now, figures, sizeof figures);
    message("%s: %s", now->doing, figures);
}

void progress_end(Progress *progress)
{
    if (progress->drawn) fprintf(progress->terminal.file, "\r\033[K");
    fflush(progress->terminal.file);
    progress->drawn = false;
}

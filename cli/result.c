/* Results as lines or as one JSON object. */
#include "cli/result.h"

#include "cli/exit.h"
#include "cli/json_print.h"
#include "cli/shell_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void cache_path(const Result *result, char path[MOTE_RUN_TEXT + 8])
{
    size_t length = strlen(result->folder);
    while (length > 1 && result->folder[length - 1] == '/') --length;
    path[0] = '\0';
    if (!result->cache) return;
    snprintf(path, MOTE_RUN_TEXT + 8, "%.*s/frames", (int)length, result->folder);
}

static int print_json(const Result *result)
{
    const mote_RunReport *report = result->report;
    char cache[MOTE_RUN_TEXT + 8];
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    cache_path(result, cache);
    json_put_text(writer, "status", result->status == MOTE_OK ? "done" : "interrupted");
    json_put_text(writer, "folder", result->folder);
    json_put_u64(writer, "first_frame", report->first);
    json_put_u64(writer, "last_frame", report->last);
    json_put_u64(writer, "particles", report->particles);
    json_put_u64(writer, "substeps", report->substeps);
    json_put_double(writer, "seconds", report->seconds);
    json_put_text(writer, "picture", report->picture);
    json_put_text(writer, "video", report->video);
    if (report->no_video[0] != '\0') json_put_text(writer, "no_video", report->no_video);
    json_put_text(writer, "cache", cache);
    json_put_text(writer, "note", report->note);
    return json_print_end(&print);
}

static void print_path(const char *what, const char *path)
{
    ShellText typed = {.length = 0};
    if (path[0] == '\0') return;
    shell_add(&typed, path);
    printf("%-8s %s\n", what, typed.text);
}

static void print_frames(const mote_RunReport *report)
{
    if (report->first == report->last)
        printf("frame %" PRIu64, report->last);
    else
        printf("frames %" PRIu64 " to %" PRIu64, report->first, report->last);
    if (report->particles > 0) printf(", %" PRIu64 " particles at the end", report->particles);
    printf(", %.1f s\n", report->seconds);
}

static void print_lines(const Result *result)
{
    const mote_RunReport *report = result->report;
    char cache[MOTE_RUN_TEXT + 8], probes[MOTE_RUN_TEXT + 8];
    cache_path(result, cache);
    if (report->written == 0)
        puts("nothing was left to do: all frames are there");
    else
        print_frames(report);
    print_path("video", report->video);
    if (report->no_video[0] != '\0') printf("%-8s none: %s\n", "video", report->no_video);
    print_path("picture", report->picture);
    print_path("cache", cache);
    snprintf(probes, sizeof probes, "%s/probes", result->folder);
    if (access(probes, F_OK) == 0) print_path("probes", probes);
}

int result_print(const Result *result)
{
    int code = EXIT_DONE;
    if (result->json)
        code = print_json(result);
    else if (!result->quiet && result->status == MOTE_OK)
        print_lines(result);
    if (!result->json && result->report->note[0] != '\0') message("%s", result->report->note);
    return code == EXIT_DONE ? exit_code_of(result->status) : code;
}

/* mote info FOLDER: what a run is, how far it is, and whether it is whole. */
#include "cli/info_folder.h"

#include "base/text.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/json_print.h"
#include "cli/progress.h"
#include "cli/shell_text.h"

#include <mote/run.h>

#include <inttypes.h>
#include <stdio.h>

static int print_json(const mote_RunInfo *info)
{
    JsonPrint print;
    JsonWriter *writer = json_print_begin(&print);
    json_put_text(writer, "scene", info->scene);
    json_put_text(writer, "state", info->state);
    json_put_text(writer, "version", info->version);
    json_put_text(writer, "precision", info->real_size == 4 ? "float" : "double");
    json_put_text(writer, "command", info->command);
    json_put_double(writer, "fps", info->fps);
    json_put_u64(writer, "frames_planned", info->planned);
    json_put_u64(writer, "frames", info->frames);
    json_put_u64(writer, "first_frame", info->first);
    json_put_u64(writer, "last_frame", info->last);
    json_put_u64(writer, "checkpoints", info->checkpoints);
    json_put_u64(writer, "newest_checkpoint", info->newest);
    json_put_u64(writer, "tables", info->tables);
    json_put_u64(writer, "pictures", info->pictures);
    json_put_text(writer, "video", info->video);
    json_put_u64(writer, "bytes", info->bytes);
    json_put_u64(writer, "damaged", info->damaged);
    json_put_text(writer, "damage", info->damage);
    return json_print_end(&print);
}

static void print_frames(const mote_RunInfo *info)
{
    if (info->frames == 0)
        puts("frames       none");
    else
        printf("frames       %" PRIu64 ", from %" PRIu64 " to %" PRIu64 " of %" PRIu64 "\n",
               info->frames, info->first, info->last, info->planned);
    if (info->checkpoints == 0)
        puts("checkpoints  none");
    else
        printf("checkpoints  %" PRIu64 ", the last at frame %" PRIu64 "\n", info->checkpoints,
               info->newest);
}

static void print_lines(const mote_RunInfo *info)
{
    char size[SIZE_TEXT];
    size_text(info->bytes, size);
    printf("scene        %s, %g frames per second\n", info->scene, info->fps);
    printf("state        %s\n", info->state);
    print_frames(info);
    if (info->tables > 1)
        printf("tables       the log, and %" PRIu64 " of probes\n", info->tables - 1);
    if (info->pictures > 0) printf("pictures     %" PRIu64 "\n", info->pictures);
    if (info->video[0] != '\0') printf("video        %s\n", info->video);
    printf("size         %s\n", size);
    printf("made by      mote %s, %s\n", info->version, info->real_size == 4 ? "float" : "double");
    if (info->command[0] != '\0') printf("command      %s\n", info->command);
}

/* By the run's own copy of its scene: the folder may have been moved since its command. */
static void mending_command(const mote_RunInfo *info, const char *folder, ShellText *line)
{
    char scene[4096], last[32];
    snprintf(scene, sizeof scene, "%s/scene.json5", folder);
    snprintf(last, sizeof last, ":%" PRIu64, info->planned);
    const char *const words[] = {PROGRAM, "run", scene, "-o", folder, "--frames", last, "--resume"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) shell_add(line, words[i]);
    if (info->pictures == 0) shell_add(line, "--no-pictures");
}

/* What is wrong, and what mends it. */
static void print_damage(const mote_RunInfo *info, const char *folder)
{
    ShellText line = {.length = 0};
    mending_command(info, folder, &line);
    message_lines("", info->damage);
    message("%s: %" PRIu64 " file%s damaged or missing; %s makes %s again", folder, info->damaged,
            info->damaged == 1 ? " is" : "s are", line.text, info->damaged == 1 ? "it" : "them");
}

int info_folder(const char *folder, bool json)
{
    mote_RunInfo info;
    mote_Error error = {0};
    mote_RunInfoDef def = mote_run_info_def();
    Progress progress = progress_make(json);
    def.folder = folder;
    def.progress = progress_show;
    def.context = &progress;
    mote_Status status = mote_run_info(&def, &info, &error);
    progress_end(&progress);
    if (status != MOTE_OK) return message_failure(status, &error);
    int code = EXIT_DONE;
    if (json)
        code = print_json(&info);
    else
        print_lines(&info);
    if (info.damaged > 0 && !json) print_damage(&info, folder);
    return code == EXIT_DONE && info.damaged > 0 ? EXIT_FAILED : code;
}
